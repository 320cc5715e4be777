"""Which lines and branches of the translation layer, the flash and the guard the test files covered, by the files that a
program of the preset `coverage` (clang) wrote. Needs llvm-profdata and llvm-cov (Debian: package llvm).

Counted: lines with code, and both sides of each condition (each operand of && and ||), by clang's counters; a template
counts once, whatever its instances. Not counted: the inside of FTLAB_CHECK and FTLAB_DCHECK, whose failing side is a defect
of the program and cannot be reached."""

import json
import os
import re
import subprocess
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]

PARTS = {
    "ftl": lambda path: path.startswith("ftl/"),
    "models/nand": lambda path: path.startswith("models/nand/"),
    "guard": lambda path: path.startswith("validation/measure/target/guard."),
}
_ASKED = 98, 95  # per cent of the lines and of the branches
_BRACKETS = re.compile(r"""[()]|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+'""")  # or a text, which may hold some
_SUPPORT = re.compile(r"(_test\.cpp|/testing/\w+\.h|/test_\w+\.h)$")


def llvm(tool):
    """The newest version of the tool by the names that Debian uses."""
    for name in [f"llvm-{tool}"] + [f"llvm-{tool}-{version}" for version in range(21, 13, -1)]:
        if any(os.access(Path(folder) / name, os.X_OK) for folder in os.environ["PATH"].split(os.pathsep)):
            return name
    raise SystemExit(f"coverage: llvm-{tool} is missing (Debian: package llvm)")


def export(program, folder):
    """The counts of the program's files *.profraw in the folder."""
    profile = f"{folder}/all.profdata"
    raw = [str(path) for path in Path(folder).glob("*.profraw")]
    subprocess.run([llvm("profdata"), "merge", "-sparse", "-o", profile, *raw], check=True)
    command = [llvm("cov"), "export", program, f"-instr-profile={profile}"]
    branches = subprocess.run([*command, "-skip-functions"], check=True, stdout=subprocess.PIPE).stdout
    lines = subprocess.run([*command, "-format=lcov"], check=True, text=True, stdout=subprocess.PIPE).stdout
    return json.loads(branches)["data"][0]["files"], lines


def in_tree(path):
    """The name in the source tree, for a path in the tree or in a copy of it; None for other files."""
    match = re.search(r"/((?:ftl|models/nand|validation/measure)/(?:[^/]+/)*[^/]+\.(?:cpp|h))$", path)
    name = match.group(1) if match else None
    wanted = name and any(part(name) for part in PARTS.values()) and not _SUPPORT.search(name)
    return name if wanted and (SOURCE / name).exists() else None


def lines_of_checks(name):
    """The lines of FTLAB_CHECK and FTLAB_DCHECK, up to the bracket that closes each."""
    text, inside = (SOURCE / name).read_text(), set()
    for check in re.finditer(r"\bFTLAB_D?CHECK\(", re.sub(r"//[^\n]*", lambda comment: " " * len(comment.group()), text)):
        depth, end = 1, check.end()
        for part in _BRACKETS.finditer(text, check.end()):
            depth += {"(": 1, ")": -1}.get(part.group(), 0)
            end = part.end()
            if depth == 0:
                break
        inside.update(range(text.count("\n", 0, check.start()) + 1, text.count("\n", 0, end) + 2))
    return inside


def count_lines(lcov):
    """Execution counts by file and line."""
    counts, name = defaultdict(dict), None
    for row in lcov.split("\n"):
        if row.startswith("SF:"):
            name = in_tree(row[3:])
        elif row.startswith("DA:") and name:
            line, count = row[3:].split(",")[:2]
            counts[name][int(line)] = max(int(count), counts[name].get(int(line), 0))
    return counts


def count_branches(files):
    """By file and condition, how often it was true and false, summed over all instances of a template."""
    counts = defaultdict(dict)
    for one in files:
        name = in_tree(one["filename"])
        for line, column, end_line, end_column, taken, not_taken, *_ in one["branches"] if name else []:
            place = (line, column, end_line, end_column)
            before = counts[name].get(place, (0, 0))
            counts[name][place] = (before[0] + taken, before[1] + not_taken)
    return counts


def figures_of(program, folder, show):
    """Two figures for each part. `show`: name the lines and branches that no test comes by."""
    files, lcov = export(program, folder)
    lines, branches, figures = count_lines(lcov), count_branches(files), []
    checks = {name: lines_of_checks(name) for name in lines}
    for part, belongs in PARTS.items():
        names = [name for name in sorted(lines) if belongs(name)]
        of_lines = [(name, line, count) for name in names for line, count in sorted(lines[name].items())
                    if line not in checks[name]]  # fmt: skip
        sides = [(name, place[0], place[1], side, count) for name in names if name in branches
                 for place, both in sorted(branches[name].items()) if place[0] not in checks[name]
                 for side, count in zip(("true", "false"), both)]  # fmt: skip
        missed_lines = [row for row in of_lines if row[-1] == 0]
        missed_sides = [row for row in sides if row[-1] == 0]
        figures.append(figure(f"{part}: percent run of {len(of_lines)} lines", _ASKED[0], len(of_lines), len(missed_lines)))
        figures.append(figure(f"{part}: percent seen of {len(sides)} sides of conditions", _ASKED[1], len(sides), len(missed_sides)))
        for name, line, _ in missed_lines if show else []:
            print(f"{name}:{line}: not run   {text_of(name, line)}")
        for name, line, column, side, _ in missed_sides if show else []:
            print(f"{name}:{line}:{column}: never {side}   {text_of(name, line)}")
    return figures


def text_of(name, line):
    return (SOURCE / name).read_text().split("\n")[line - 1].strip()


def figure(name, asked, total, missed):
    share = 100 * (total - missed) / total if total else 0
    return {"name": name, "asked": asked, "reached": int(100 * share) / 100, "failures": int(share < asked)}
