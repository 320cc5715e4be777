"""Rules on the structure of the sources; the last line counts the broken ones.

In all rooms:
- Only listed files and folders are committed at the root.
- A class has at most 20 public functions, 15 members and 25 private functions, and is implemented in at most three sources.
- A header has at most 200 lines.

In ftl and models/nand:
- No public function returns a mutable reference or pointer to a member.
- Placement headers do not use Nanoseconds: the FTL gets times as data.
- At least 20 checks per thousand lines, tests not counted: FTLAB_CHECK and FTLAB_DCHECK.
"""

import pathlib
import re
import subprocess
import sys

TREE = pathlib.Path(__file__).resolve().parents[3]
FOLDERS = ("ftl", "models/nand")
ROOMS = ("sim", "models", "ftl", "validation", "bindings")
MOST_FUNCTIONS, MOST_MEMBERS, MOST_PRIVATE, MOST_SOURCES, MOST_LINES, LEAST_CHECKS = 20, 15, 25, 3, 200, 20
AT_THE_TOP = set(""".ci .clang-format .gitignore CHANGELOG.md CITATION.cff CMakeLists.txt CMakePresets.json CONTRIBUTING.md LICENSE
Makefile README.md bindings configs docs ftl models pyproject.toml sim validation""".split())
# Files of ftl/ that may use times: the drive around the FTL, which has the clock.
TIMED = re.compile(r"ftl/(drive/|config|blocks/flash_health|read/scan_timer|read/refresh|counting/steady_run)")


def sources(pattern, folders=FOLDERS):
    for folder in folders:
        for path in sorted((TREE / folder).rglob(pattern)):
            if "_test" not in path.name and path.parent.name != "testing":
                yield path.relative_to(TREE), path.read_text()


def without_comments(text):
    text = re.sub(r"//[^\n]*", "", text)
    return re.sub(r'"(\\.|[^"\\])*"', '""', text)


def end_of_body(text, start):
    depth = 0
    for i in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i
    raise ValueError("a class does not end")


def without_bodies(text):
    shown, depth = [], 0
    for char in text:
        if char == "{":
            depth += 1
            shown += "{}" if depth == 1 else ""
        elif char == "}":
            depth -= 1
        elif depth == 0:
            shown.append(char)
    return "".join(shown)


class Class:
    """Counts public functions, other functions, and members (names that end with an underscore)."""

    def __init__(self, name, file, body):
        self.name, self.file = name, file
        self.functions, self.private, self.members, self.handed_out = 0, 0, 0, []
        access = "private"
        for part in re.split(r"\b(public:|private:|protected:)", without_bodies(body)):
            if part.endswith(":") and part[:-1] in ("public", "private", "protected"):
                access = part[:-1]
                continue
            for statement in re.split(r";|\{\}", part):
                self.take(access, re.sub(r"template\s*<[^<>]*(<[^<>]*>)?[^<>]*>", "", statement).strip())

    def take(self, access, statement):
        if not statement or statement.startswith(("using", "struct", "enum", "friend", "class", "static constexpr", "static_assert")):
            return
        is_member = "(" not in statement or re.match(r"^[\w:<>,\s\*&]+\s\w+_\s*(=|$)", statement)
        if is_member:
            if re.search(r"\w+_\b", statement) and "(" not in statement.split("=")[0]:
                self.members += len(re.findall(r"\b\w+_\b(?!\s*\()", re.sub(r"=[^,]*", "", statement)))
            return
        named = re.search(r"(\w+|operator\S+)\s*\(", statement)
        if not named or named.group(1) == self.name:
            return
        if access != "public":
            self.private += 1
            return
        self.functions += 1
        getter = re.match(r"^(?!.*\bconst\b)(?!.*\boperator\b)[\w:<>,\s]+[&*]\s*\w+\s*\(\)$", statement)
        if getter:
            self.handed_out.append(statement)


def classes():
    for file, text in sources("*.h", ROOMS):
        text = without_comments(text)
        for found in re.finditer(r"\bclass (\w+)(?: final)?(?:\s*:\s*[^{;]*)?\s*\{", text):
            yield Class(found.group(1), file, text[found.end():end_of_body(text, found.end() - 1)])


def scattered():
    """Classes implemented in too many sources, with the sources."""
    of = {}
    for file, text in sources("*.cpp", ROOMS):
        for found in re.finditer(r"^(?:[\w:<>,&*\s\[\]()]*?[\s&*])?([A-Z]\w+)::~?\w+\(", text, re.M):
            of.setdefault(found.group(1), set()).add(str(file))
    return {name: files for name, files in of.items() if len(files) > MOST_SOURCES}


def strays():
    """Unlisted files at the root. Empty in an unpacked archive, which has no git index."""
    listed = subprocess.run(["git", "-C", TREE, "ls-files"], capture_output=True, text=True)
    return sorted({line.split("/")[0] for line in listed.stdout.splitlines()} - AT_THE_TOP)


def problems():
    for name in strays():
        yield f"{name} does not belong at the top of the tree"
    for one in classes():
        numbers = (one.functions, one.members, one.private)
        if any(has > most for has, most in zip(numbers, (MOST_FUNCTIONS, MOST_MEMBERS, MOST_PRIVATE))):
            yield f"{one.file}: {one.name} has %d public functions, %d members and %d private functions" % numbers
        for getter in one.handed_out if str(one.file).startswith(FOLDERS) else ():
            yield f"{one.file}: {one.name} hands out a mutable {getter}"
    for name, files in scattered().items():
        yield f"{name} stands in {len(files)} sources: {', '.join(sorted(files))}"
    for file, text in sources("*.h", ROOMS):
        if text.count("\n") > MOST_LINES:
            yield f"{file} has {text.count(chr(10))} lines"
    for file, text in sources("*.h"):
        if str(file).startswith("ftl/") and not TIMED.match(str(file)) and re.search(r"\bNanoseconds\b", without_comments(text)):
            yield f"{file}: a header of placement names a time"
        for word in re.findall(r"\b\w*(?:in_detail|plain_|details_)\w*\b", without_comments(text)):
            yield f"{file}: {word} is a second way of doing something"


def main():
    broken = list(problems())
    lines = checks = 0
    for pattern in ("*.h", "*.cpp"):
        for _, text in sources(pattern):
            lines += text.count("\n")
            checks += len(re.findall(r"\bFTLAB_D?CHECK\(", text))
    density = 1000 * checks / lines
    print(f"{lines} lines, {checks} checks: {density:.1f} in a thousand")
    if density < LEAST_CHECKS:
        broken.append(f"fewer than {LEAST_CHECKS} checks in a thousand lines")
    for problem in broken:
        print(problem)
    print(f"{len(broken)} rules of structure are broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
