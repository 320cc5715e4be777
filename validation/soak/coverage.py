#!/usr/bin/env python3
"""Builds the preset `coverage` (clang), runs every test file and reports which lines and branches of the translation layer,
the flash and the guard they covered. Needs clang and llvm (llvm-profdata, llvm-cov; Debian: packages clang and llvm).

Counted: lines with code, and both sides of each condition (each operand of && and ||), by clang's counters; a template
counts once, whatever its instances. Not counted: the inside of FTLAB_CHECK and FTLAB_DCHECK, whose failing side is a defect
of the program and cannot be reached."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
from test_files import test_files  # noqa: E402

PARTS = {
    "ftl": lambda path: path.startswith("ftl/"),
    "models/nand": lambda path: path.startswith("models/nand/"),
    "guard": lambda path: path.startswith("validation/measure/target/guard."),
}
_BRACKETS = re.compile(r"""[()]|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+'""")  # or a text, which may hold some
_SUPPORT = re.compile(r"(_test\.cpp|/testing/\w+\.h|/test_\w+\.h)$")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", help="folder of a build that is there already [build/presets/coverage, which is built]")
    parser.add_argument("--asked", nargs=2, type=float, default=[98, 95], metavar=("LINES", "BRANCHES"), help="in per cent")
    parser.add_argument("--jobs", type=int, default=2, help="test files at a time")
    parser.add_argument("--uncovered", action="store_true", help="name the lines and branches that no test comes by")
    parser.add_argument("--json", metavar="FILE")
    return parser.parse_args()


def llvm(tool):
    """The newest version of the tool by the names that Debian uses."""
    for name in [f"llvm-{tool}"] + [f"llvm-{tool}-{version}" for version in range(21, 13, -1)]:
        if any(os.access(Path(folder) / name, os.X_OK) for folder in os.environ["PATH"].split(os.pathsep)):
            return name
    raise SystemExit(f"coverage: llvm-{tool} is missing (Debian: package llvm)")


def run_tests(program, folder, jobs):
    """Runs every test file separately. Returns those that failed, and the number of files."""
    os.environ["LLVM_PROFILE_FILE"] = f"{folder}/listing-%p.profraw"
    files = test_files(program)

    def one(name):
        environment = {**os.environ, "LLVM_PROFILE_FILE": f"{folder}/{name}-%p.profraw"}
        with tempfile.TemporaryDirectory() as empty:
            done = subprocess.run([program, "-#", f"[#{name}]~[.]"], cwd=empty, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        return name, done.returncode

    with ThreadPoolExecutor(jobs) as pool:
        return [name for name, status in pool.map(one, files) if status != 0], len(files)


def export(program, folder):
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


def sum_up(lines, branches, asked, show):
    figures = []
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
        figures.append(figure(f"{part}: percent run of {len(of_lines)} lines", asked[0], len(of_lines), len(missed_lines)))
        figures.append(figure(f"{part}: percent seen of {len(sides)} sides of conditions", asked[1], len(sides), len(missed_sides)))
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


def main():
    wanted = arguments()
    if wanted.build is None:
        subprocess.run(["cmake", "--preset", "coverage"], cwd=SOURCE, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", "--preset", "coverage", "--target", "ftlab-tests"], cwd=SOURCE, check=True)
    program = str((Path(wanted.build or SOURCE / "build/presets/coverage") / "bin" / "ftlab-tests").resolve())
    with tempfile.TemporaryDirectory() as folder:
        failed, count = run_tests(program, folder, wanted.jobs)
        files, lcov = export(program, folder)
    figures = sum_up(count_lines(lcov), count_branches(files), wanted.asked, wanted.uncovered)
    figures.append({"name": "test files pass in the coverage build", "asked": count, "reached": count - len(failed),
                    "failures": len(failed)})  # fmt: skip
    for one in figures:
        print(f"{one['name']:<54} {one['asked']:>8} {one['reached']:>9} {one['failures']:>4}")
    for name in failed:
        print(f"{name} failed", file=sys.stderr)
    if wanted.json:
        Path(wanted.json).write_text(json.dumps({"figures": figures}, indent=1) + "\n")
    return 1 if any(one["failures"] for one in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
