#!/usr/bin/env python3
"""Runs the fuzzers built by fuzz.sh, each for its share of the time, and reports the results.

The corpora grow in out/fuzz/DOOR and are reused next time. Findings are in out/fuzz/DOOR/found. Add a finding to
validation/fuzz/findings.txt before you fix it; every test run then replays it.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
SLOWEST_S = 4  # equals one second without sanitizers
MOST_MB = 1024  # process memory, including the sanitizers'
MOST_MB_AT_ONCE = 256
# These took half of the time: stack traces of allocations, and libFuzzer's statistics of rare features (-entropic).
FAST = "malloc_context_size=2:quarantine_size_mb=8"


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin", type=pathlib.Path, help="the folder of the fuzzers")
    parser.add_argument("--seconds", type=float, default=300, help="wall time of all doors together")
    parser.add_argument("--json", type=pathlib.Path, help="where the figures go")
    parser.add_argument("--only", action="append", default=[], help="a door; repeatable")
    parser.add_argument("--jobs", type=int, default=1, help="fuzzers at once")
    parser.add_argument("--seed", type=int, default=0, help="seed of libFuzzer; 0: a new one each time")
    parser.add_argument("--asked", type=int, default=0, help="executions that count as enough; 0: as many as there are")
    parser.add_argument("--out", type=pathlib.Path, default=SOURCE / "out/fuzz")
    return parser.parse_args()


class Door:
    def __init__(self, program, out):
        self.program = program
        self.name = program.name.removeprefix("ftlab-fuzz-")
        self.corpus = out / self.name / "corpus"
        self.found = out / self.name / "found"
        self.log = out / self.name / "log"
        for folder in (self.corpus, self.found):
            folder.mkdir(parents=True, exist_ok=True)
        seeds = out / self.name / "seeds"
        shutil.rmtree(seeds, ignore_errors=True)
        seeds.mkdir()
        self.seeds = seeds
        for line in (SOURCE / "validation/fuzz/findings.txt").read_text().splitlines():
            door, name, content = line.split(maxsplit=2)
            if door == self.name:
                (seeds / name).write_bytes(bytes.fromhex(content))
        told = subprocess.run([program, f"--seeds={seeds}"], capture_output=True, text=True)
        if told.returncode != 0:
            raise RuntimeError(f"{self.name}: no seeds: {told.stderr}")
        _, longest, share = told.stdout.split()
        self.longest, self.share = int(longest), int(share)
        self.executions, self.findings, self.cpu_s, self.problem = 0, 0, 0.0, ""

    def run(self, seconds, seed):
        """Continues after a finding until the time is over."""
        end = time.monotonic() + seconds
        folders = [self.corpus, self.seeds]
        self.log.write_text("")
        while (left := end - time.monotonic()) >= 1 or self.executions == 0:
            before = set(self.found.iterdir())
            status, cpu_s = self.carry_out(
                [*folders, f"-max_total_time={max(1, int(left))}", f"-max_len={self.longest}", f"-timeout={SLOWEST_S}",
                 f"-artifact_prefix={self.found}/", "-print_final_stats=1", "-reload=0", "-entropic=0", f"-seed={seed}"])
            self.cpu_s += cpu_s
            self.count()
            new = set(self.found.iterdir()) - before
            if status != 0 and not new:
                self.problem = f"exit status {status} without a finding, see {self.log}"
                return
            self.findings += sum(not self.late_by_the_clock_alone(finding) for finding in new)

    def carry_out(self, arguments):
        """Returns the exit status and the CPU time in seconds."""
        with self.log.open("a") as log:
            child = subprocess.Popen(
                [self.program, *arguments, f"-rss_limit_mb={MOST_MB}", f"-malloc_limit_mb={MOST_MB_AT_ONCE}"],
                stdout=subprocess.DEVNULL, stderr=log, env=dict(os.environ, ASAN_OPTIONS=FAST))
            _, wait_status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(wait_status)
        return child.returncode, used.ru_utime + used.ru_stime

    def late_by_the_clock_alone(self, finding):
        """True if load caused the timeout: libFuzzer's limit is wall time, of which a busy machine gives it only a share."""
        if not finding.name.startswith("timeout-"):
            return False
        status, cpu_s = self.carry_out([finding, f"-timeout={20 * SLOWEST_S}"])
        if status != 0 or cpu_s >= SLOWEST_S:
            return False
        finding.rename(finding.with_name("late-" + finding.name.removeprefix("timeout-")))
        return True

    def count(self):
        text = self.log.read_text(errors="replace")
        self.executions = sum(map(int, re.findall(r"stat::number_of_executed_units:\s+(\d+)", text)))


def figures(doors, asked):
    rows = [{"name": f"executions of {door.name}", "asked": 0, "reached": door.executions,
             "failures": door.findings + bool(door.problem)} for door in doors]
    return [{"name": "executions of all doors", "asked": asked, "reached": sum(door.executions for door in doors),
             "failures": 0}] + rows


def main():
    asked = options()
    programs = sorted(asked.bin.glob("ftlab-fuzz-*"))
    doors = [Door(program, asked.out) for program in programs
             if not asked.only or program.name.removeprefix("ftlab-fuzz-") in asked.only]
    if not doors:
        print("no such fuzzer", file=sys.stderr)
        return 2
    shares = sum(door.share for door in doors)
    seconds = {}

    def search(door):
        began = time.monotonic()
        door.run(asked.seconds * asked.jobs * door.share / shares, asked.seed)
        seconds[door.name] = time.monotonic() - began

    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        list(pool.map(search, sorted(doors, key=lambda door: -door.share)))
    print(f"{'door':20} {'executions':>12} {'seconds':>8} {'CPU s':>8} {'per CPU s':>10} {'new findings':>13}")
    for door in doors:
        print(f"{door.name:20} {door.executions:12,} {seconds[door.name]:8.1f} {door.cpu_s:8.1f} "
              f"{door.executions / max(door.cpu_s, 0.01):10,.0f} {door.findings:13} {door.problem}")
    total, cpu_s = sum(door.executions for door in doors), sum(door.cpu_s for door in doors)
    print(f"{'all':20} {total:12,} {sum(seconds.values()):8.1f} {cpu_s:8.1f} {total / max(cpu_s, 0.01):10,.0f} "
          f"{sum(door.findings for door in doors):13}")
    if asked.json:
        asked.json.write_text(json.dumps({"figures": figures(doors, asked.asked)}, indent=1) + "\n")
    return 1 if any(door.findings or door.problem for door in doors) else 0


if __name__ == "__main__":
    sys.exit(main())
