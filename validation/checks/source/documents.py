"""Checks the statements of the documents; the last line counts the broken ones.

- Each line `$ ...` of a ```console block in README.md, CONTRIBUTING.md and docs/ is run, in order, in a folder like a built
  clone. `# status N` at its end is the expected exit status (default 0). The output must contain the lines below it, in
  order; `...` stands for more.
- Each ```python block runs; each ```cpp block compiles.
- Commands of ```sh blocks need root, a device or an hour: only their program, options and files are checked to exist. Neither
  are those of SLOW run, which take most of the time, but with `slow`.
- README.md has at most 700 words, all Markdown files together at most 22,000. Each folder of the first level has a README of at
  most 60 lines that names its folders; those may have one, deeper ones have none. Relative links are valid.

Usage: documents.py BIN [demo|slow], in an empty folder; BIN is the folder of ftlab's programs. With `demo`, checks that
`make demo` prints the output shown in README.md.
"""

import concurrent.futures
import functools
import os
import pathlib
import re
import shlex
import subprocess
import sys

TREE = pathlib.Path(__file__).resolve().parents[3]
if len(sys.argv) < 2:
    sys.exit("documents.py needs the folder of the programs: documents.py build/bin")
BIN = pathlib.Path(sys.argv[1]).resolve()
README_WORDS, ALL_WORDS, ROOM_LINES = 700, 22000, 60
ROOMS = ("sim", "models", "ftl", "validation", "bindings", "configs")
# Folders that need no line there.
NO_ROOM = {"__pycache__"}
# System programs used in the documents.
SYSTEM = {"blkdiscard", "nvme", "hdparm", "cmake", "cp", "mkdir", "printf", "pip", "git", "fio", "nbdcopy", "nbdfuse"}
# Commands whose output no later command reads. Tests of their own run them.
SLOW = r"ftlab (report|calibrate|sweep) | --report\b"
JOB = "[w]\nfilename=drive\nrw=randwrite\nbs=4k\nio_size=4m\n"


if any(pathlib.Path().iterdir()):
    sys.exit("documents.py makes its folders where it is called: call it in an empty one")


def documents():
    return [TREE / "README.md", TREE / "CONTRIBUTING.md", *sorted((TREE / "docs").glob("*.md"))]


def blocks(text, language):
    return [block for named, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S) if named == language]


def commands(block, prompt):
    """The block's commands with continued lines joined: (command, expected exit status, lines below it)."""
    found = []
    for line in block.replace("\\\n", " ").splitlines():
        if prompt and not line.startswith(prompt):
            found[-1][2].append(line)
        elif line.strip():
            line, _, comment = line[len(prompt):].partition("  # ")
            status = re.match(r"status (\d+)", comment)
            found.append((line.strip(), int(status.group(1)) if status else 0, []))
    return found


def unprinted(lines, output):
    """The first line that the output lacks at its place, ignoring spaces."""
    rest = iter([" ".join(line.split()) for line in output.splitlines()])
    for line in lines:
        wanted = " ".join(line.split())
        if wanted and wanted != "..." and not any(printed == wanted for printed in rest):
            return line
    return None


def clone(folder):
    """Creates a folder like a built clone, without `out`."""
    (folder / "build").mkdir(parents=True)
    for name in (*ROOMS, "docs", "Makefile"):
        (folder / name).symlink_to(TREE / name)
    (folder / "build" / "bin").symlink_to(BIN)
    (folder / "build" / "python").symlink_to(BIN.parent / "python")
    (folder / "job.fio").write_text(JOB)
    return folder


def environment():
    python = f"{BIN.parent / 'python'}"
    return dict(os.environ, PATH=f"{BIN}:{os.environ['PATH']}", PYTHONPATH=python, PYTHONDONTWRITEBYTECODE="1")


def run(command, folder, name, **more):
    done = subprocess.run(command, cwd=folder, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, **more)  # fmt: skip
    return done.returncode, f"{name}: {command if isinstance(command, str) else ' '.join(map(str, command))[:200]}\n{done.stdout}"


def runs(document):
    text, folder = document.read_text(), clone(pathlib.Path(document.stem).resolve())
    for block in blocks(text, "console"):
        for command, expected, lines in commands(block, "$ "):
            if re.search(SLOW, command) and sys.argv[2:] != ["slow"]:
                missing = known(command)
                if missing:
                    yield f"{document.name}: {command}: {missing}"
                continue
            status, what = run(command, folder, document.name, shell=True)
            if status != expected:
                yield f"status {status}, not {expected}: {what[:1500]}"
            missing = unprinted(lines, what.partition("\n")[2])
            if missing:
                yield f"does not print {missing.strip()!r}: {what[:1500]}"
    for block in blocks(text, "python"):
        status, what = run([sys.executable, "-c", block], folder, document.name)
        if status:
            yield f"status {status}: {what[:1500]}"
    for number, block in enumerate(blocks(text, "cpp")):
        source = folder / f"block_{number}.cpp"
        source.write_text(block)
        compiler = os.environ.get("CXX", "c++")
        status, what = run([compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{TREE}", source], folder, document.name)
        if status:
            yield what[:1500]


@functools.cache
def test_sources():
    return [(TREE / name).read_text() for name in in_tree("*_test.cpp")]


@functools.cache
def help_of(words):
    """Help text of the program or subcommand; None if it does not exist."""
    program = pathlib.Path(words[0]).name
    if words[0].startswith(("validation/", "bindings/", ".ci/")):
        file = TREE / words[0]
        if not file.is_file():
            return None
        return run([sys.executable, str(file), "--help"], TREE, "")[1] if file.suffix == ".py" else file.read_text()
    if not (BIN / program).is_file():
        return None
    name = [str(BIN / program)] + ([words[1]] if program == "ftlab" and len(words) > 1 and not words[1].startswith("-") else [])
    status, said = run([*name, "--help"], TREE, "")
    return None if status else said


def known(command):
    """Problem with the command's program, options or files; None if all exist."""
    words = shlex.split(command, comments=True)
    while words and re.match(r"[A-Z_]+=", words[0]):
        words = words[1:]
    if words and words[0] in ("unshare", "sudo"):
        words = words[next(i for i, word in enumerate(words) if word.startswith("python")):]
    if not words:
        return None
    if re.search(r"python3?$", words[0]):
        words = words[1:]
    elif (TREE / words[0]).is_file() and not os.access(TREE / words[0], os.X_OK):
        return "is not executable"
    if "&&" in words:
        at = words.index("&&")
        return known(shlex.join(words[:at])) or known(shlex.join(words[at + 1:]))
    if words[0] == "make":
        targets = [word for word in words[1:] if "=" not in word]
        missing = [t for t in targets if not re.search(rf"^{re.escape(t)}:", (TREE / "Makefile").read_text(), re.M)]
        return f"make has no {missing[0]}" if missing else None
    if words[0] == "cmake" and "--preset" in words:
        name = words[words.index("--preset") + 1]
        return None if f'"name": "{name}"' in (TREE / "CMakePresets.json").read_text() else f"no preset {name}"
    if words[0] in SYSTEM:
        return None
    if words[0] in ("build/bin/ftlab-tests", "ftlab-tests"):
        return None if any(f'TEST_CASE("{words[1].rstrip("*")}' in text for text in test_sources()) else "no such test"
    said = help_of(tuple(words[:2]))
    if said is None:
        return "no such program"
    for word in words[1:]:
        option = re.match(r"--[a-z][a-z-]*", word)
        if option and not re.search(rf"{option.group()}\b", said):
            return f"no option {option.group()}"
        if re.match(r"(validation|bindings|configs|docs)/", word) and not (TREE / word).exists():
            return f"no file {word}"
    return None


def looked_up(document):
    for block in blocks(document.read_text(), "sh"):
        for command, *_ in commands(block, ""):
            missing = known(command)
            if missing:
                yield f"{document.name}: {command}: {missing}"


def words_in(path):
    return len(path.read_text().split())


def in_tree(pattern):
    found = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", pattern], cwd=TREE,
                           stdout=subprocess.PIPE, text=True, check=False)  # fmt: skip
    if found.returncode:  # an unpacked archive, not a clone
        return [p.relative_to(TREE) for p in TREE.rglob(pattern.lstrip("*")) if not {"build", ".venv"} & set(p.parts)]
    return [pathlib.Path(name) for name in found.stdout.split("\0") if name and (TREE / name).exists()]


def lengths():
    if words_in(TREE / "README.md") > README_WORDS:
        yield f"README.md has {words_in(TREE / 'README.md')} words, more than {README_WORDS}"
    together = sum(words_in(TREE / name) for name in in_tree("*.md"))
    if together > ALL_WORDS:
        yield f"all Markdown files have {together} words, more than {ALL_WORDS}"
    readmes = set(in_tree("*README.md"))
    for room in ROOMS:
        text = (TREE / room / "README.md").read_text()
        for folder in (TREE / room).iterdir():
            if folder.is_dir() and folder.name not in NO_ROOM and f"`{folder.name}/`" not in text:
                yield f"{room}/README.md does not name {folder.name}/"
    for name in readmes:
        if len(name.parts) > 3:
            yield f"{name} lies deeper than the second level"
        lines = len((TREE / name).read_text().splitlines())
        if len(name.parts) > 1 and lines > ROOM_LINES:
            yield f"{name} has {lines} lines, more than {ROOM_LINES}"


def anchors(path):
    for title in re.findall(r"^#+ (.*)$", path.read_text(), re.M):
        yield re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def links():
    for name in in_tree("*.md"):
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```", "", (TREE / name).read_text(), flags=re.M | re.S)):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            path = (TREE / name).parent / file if file else TREE / name
            if not path.exists():
                yield f"{name}: {target} leads nowhere"
            elif anchor and anchor not in anchors(path):
                yield f"{name}: {target}: no such heading"


def demo():
    printed = run([str(TREE / ".ci" / "demo"), str(BIN), "demo"], pathlib.Path.cwd(), "README.md")[1]
    missing = unprinted(blocks((TREE / "README.md").read_text(), "")[0].splitlines(), printed)
    return [f"make demo does not print {missing!r}: {printed}"] if missing else []


def shown():
    broken = [*lengths(), *links()]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for found in pool.map(lambda document: [*looked_up(document), *runs(document)], documents()):
            broken += found
    return broken


def main():
    broken = demo() if sys.argv[2:] == ["demo"] else shown()
    print("\n".join(broken))
    print(f"{len(broken)} promises of documents are broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
