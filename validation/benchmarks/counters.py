#!/usr/bin/env python3
"""Counts the instructions per request on the small benchmark drive, by part of the simulator, and the functions on the way.

    python3 validation/benchmarks/counters.py build/bin/ftlab-bench

Needs valgrind; takes about two minutes. Prints a table of instructions per request of 4 KiB, one column per kind of work.
Unlike times, the counts are the same on every run and every machine with the same compiler.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# In the order of `Work` in drive_bench.cpp.
KINDS = ("untimed writes", "timed writes", "timed reads", "sequential")

# The first pattern that matches names the part.
PARTS = (
    ("flash engine", r"ftlab::(Flash(Engine|Die|Order|Shared)|OperationTable|InFlight|EarlyReads|OperationTimes|Signals|WinnerTree|FrontierPrograms|ProgramOrder|BlockSpeed)"),
    ("work records", r"ftlab::(WorkList|RunReads)|WorkList::"),
    ("relocation", r"ftlab::(Relocation|Collection|Victim|Destinations|PageMover|RunsAhead|PackedReads|PageMap::move|PageTable::move|PageStore::pass|StripeWriter::program_run)|PageMover::"),
    ("placing pages", r"ftlab::(Ftl|PageStore|PageTable|Stage|StripeWriter|EraseQueue|SuperblockSupply|Blocks|FreeBlocks|ClosedBlocks|ValidBits|Bins|Frontier|Placement|Medium)"),
    ("drive: command, link, latency", r"ftlab::(Drive|Commands|WritePath|ReadPath|PieceFinder|Agenda|PageReader|HostPages|Link|Timeline|Controller|Dram)"),
    ("host: making requests", r"ftlab::(Generator|RequestSource|ClosedLoop)"),
    ("host: in and out", r"ftlab::(JobGroup|RequestTracker|RebasedDevice|PassingDevice|DueQueue|CompletionQueue|run_jobs)"),
    ("host: statistics", r"ftlab::(JobRecorder|SeriesCollector|Histogram)"),
    ("copies of memory", r"mem(cpy|move|set)"),
)


# The 4 KiB pages of the small drive's user capacity (bench_drives.cpp): 16 dies of 2 planes with 128 blocks of 32 pages, OP
# 7 %. Each kind of work covers it once.
PAGES = int(16 * 2 * 128 * 32 / 1.07)
REQUESTS = {kind: PAGES for kind in KINDS}
ON_THE_WAY = 4  # a function with that many instructions a request is on the request's way


def part_of(function: str) -> str:
    for name, pattern in PARTS:
        if re.search(pattern, function):
            return name
    return "other"


def count(profile: Path) -> dict[str, int]:
    """Returns the instructions by function, as compiled: what is inlined belongs to the caller."""
    listed = subprocess.run(["callgrind_annotate", "--threshold=100", str(profile)], capture_output=True, text=True, check=True)
    functions: dict[str, int] = {}
    for line in listed.stdout.splitlines():
        found = re.match(r"\s*([0-9,]+) \([^)]*\)\s+\S*?:(.*)", line)
        if found:
            functions[found.group(2)] = functions.get(found.group(2), 0) + int(found.group(1).replace(",", ""))
    return functions


def by_part(functions: dict[str, int]) -> dict[str, int]:
    parts: dict[str, int] = {}
    for function, instructions in functions.items():
        parts[part_of(function)] = parts.get(part_of(function), 0) + instructions
    return parts


def profile(bench: str, kind: int, to: Path) -> Path:
    command = ["valgrind", "--tool=callgrind", f"--toggle-collect=*measure_job<(ftlab::Work){kind}>*",
               f"--callgrind-out-file={to}", bench, "--only", "writes", "--small"]  # fmt: skip
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return to


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", help="the program ftlab-bench")
    options = parser.parse_args()
    for needed in ("valgrind", "callgrind_annotate"):
        if shutil.which(needed) is None:
            print(f"counters.py: {needed} is not there; it comes with valgrind", file=sys.stderr)
            return 2
    if not Path(options.bench).is_file():
        print(f"counters.py: no program {options.bench}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        counted = {kind: count(profile(options.bench, i, Path(folder) / str(i))) for i, kind in enumerate(KINDS)}
    if not all(counted.values()):
        print("counters.py: nothing was counted: is that a program of this version?", file=sys.stderr)
        return 1
    print("| instructions a request of 4 KiB | " + " | ".join(KINDS) + " |")
    print("|---|" + "---|" * len(KINDS))
    parts = {kind: by_part(counted[kind]) for kind in KINDS}
    for name in [part for part, _ in PARTS] + ["other"]:
        print(f"| {name} | " + " | ".join(f"{parts[kind].get(name, 0) / REQUESTS[kind]:.0f}" for kind in KINDS) + " |")
    print("| **all** | " + " | ".join(f"**{sum(parts[kind].values()) / REQUESTS[kind]:.0f}**" for kind in KINDS) + " |")
    on_the_way = [sum(one >= ON_THE_WAY * REQUESTS[kind] for one in counted[kind].values()) for kind in KINDS]
    print(f"| functions of {ON_THE_WAY} or more | " + " | ".join(map(str, on_the_way)) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
