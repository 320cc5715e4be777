#!/usr/bin/env python3
"""Runs test files of ftlab-tests under a checking tool, each separately.

  memory     addresses and undefined behaviour (preset `sanitized`: g++'s sanitizers, a hardened library, all checks on)
  threads    races (preset `tsan`), for the test files with more than one thread
  valgrind   the release program, on short files of the layer, readers and containers: checks code without sanitizers
  coverage   lines and branches that the tests run (preset `coverage`), see coverage.py
  reference  the release program: a hundred million requests through the translation layer and through a naive one

    test_files.py {memory,threads,valgrind,coverage,reference} [--bin FOLDER] [--jobs N] [--json FILE] [--files NAME...] [--uncovered]

--bin: the folder of ftlab-tests; without it the preset is configured and built. A file that exceeds
the time limit has failed. Exit status: 0 no findings, 1 findings or a check that could not run, 2 wrong usage."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path

import coverage

SOURCE = Path(__file__).resolve().parents[2]


class Kind:
    def __init__(self, preset, files, left_out=(), before=(), environment=None, tests="~[.]", limit_s=1800):
        self.preset, self.files, self.left_out = preset, files, left_out
        self.before, self.environment, self.tests, self.limit_s = before, environment or {}, tests, limit_s

    def folder(self):
        return SOURCE / ("build/bin" if self.preset == "release" else f"build/presets/{self.preset}/bin")


KINDS = {
    # Left out: tests with minutes of arithmetic over drives that other files test small, and tests that measure the
    # process's memory, because the sanitizer keeps freed memory.
    "memory": Kind("sanitized", ["*"],
                   ["known_answers_test", "write_amplification_test", "scaled_drive_test", "keys_test", "lasting_designs_test",
                    "table_bytes_test"],
                   environment={"UBSAN_OPTIONS": "print_stacktrace=1"}),  # fmt: skip
    "threads": Kind("tsan",
                    ["calibration_test", "board_prediction_test", "held_out_test", "scoreboard_test", "real_device_test",
                     "health_watch_test", "watchdog_test", "preparation_test", "serving_test"]),  # fmt: skip
    "valgrind": Kind("release",  # about fifty times slower
                     ["bins_test", "blocks_test", "fingerprints_test", "coalescing_buffer_test", "trims_test", "placement_test",
                      "smart_log_test", "medium_test", "flash_journal_test", "layout_test", "archive_test", "due_queue_test",
                      "event_queue_test", "timeline_test", "guard_test", "error_test", "document_test", "job_file_test",
                      "trace_test", "reader_test", "fio_log_test", "histogram_test", "drive_limits_test"],
                     before=["valgrind", "-q", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite"]),
    "coverage": Kind("coverage", ["*"]),
    "reference": Kind("release", ["reference_ftl_test"], tests="[long]", limit_s=7200),
}  # fmt: skip


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--bin", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--files", nargs="+", metavar="NAME", help="test files or patterns, instead of the kind's own")
    parser.add_argument("--uncovered", action="store_true", help="coverage: name the lines and branches that no test comes by")
    parser.add_argument("--json", metavar="FILE")
    return parser.parse_args()


def build(kind):
    for command in (["cmake", "--preset", kind.preset],
                    ["cmake", "--build", "--preset", kind.preset, "--target", "ftlab-tests"]):  # fmt: skip
        subprocess.run(command, cwd=SOURCE, check=True, stdout=subprocess.DEVNULL)
    return kind.folder()


def run(command, environment, limit_s):
    """Returns the error, which may be nothing but a status; empty if there is none."""
    with tempfile.TemporaryDirectory() as empty:
        try:
            done = subprocess.run(command, cwd=empty, env={**os.environ, **environment}, timeout=limit_s, text=True,
                                  errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)  # fmt: skip
            return f"exit status {done.returncode}\n{done.stdout[-4000:]}" if done.returncode else ""
        except subprocess.TimeoutExpired:
            return "took too long"


def test_files(program):
    """Their names without folder and suffix, sorted; Catch2 tags every test with the name of its file."""
    listed = subprocess.run([program, "--list-tags", "-#"], text=True, stdout=subprocess.PIPE).stdout
    files = sorted(set(re.findall(r"\[#(\w+_test)\]", listed)))
    if not files:
        raise SystemExit(f"{program} names no tests")
    return files


def chosen(program, kind, wanted):
    """The program's test files that this kind checks. Raises SystemExit if a pattern matches no file."""
    patterns, left_out = (wanted, ()) if wanted else (kind.files, kind.left_out)
    there = test_files(program)
    for pattern in patterns:
        if not any(fnmatch(name, pattern) for name in there):
            raise SystemExit(f"{program} has no test file {pattern}")
    return [name for name in there if any(fnmatch(name, p) for p in patterns) and name not in left_out]


def main():
    wanted = arguments()
    kind = KINDS[wanted.kind]
    if kind.before and shutil.which(kind.before[0]) is None:
        sys.exit(f"test_files.py: {kind.before[0]} is missing")
    program = str((wanted.bin or build(kind)).resolve() / "ftlab-tests")
    with tempfile.TemporaryDirectory() as profiles, ThreadPoolExecutor(wanted.jobs) as pool:
        environment = {**kind.environment, "LLVM_PROFILE_FILE": f"{profiles}/%p.profraw"}
        os.environ.update(environment)  # also for the program that lists them
        files = chosen(program, kind, wanted.files)
        errors = list(pool.map(lambda name: run([*kind.before, program, "-#", f"[#{name}]{kind.tests}"], environment, kind.limit_s),
                               files))  # fmt: skip
        figures = [{"name": f"{wanted.kind}: test files", "asked": len(files), "reached": len(files),
                    "failures": len(errors) - errors.count("")}]  # fmt: skip
        if wanted.kind == "coverage":
            figures += coverage.figures_of(program, profiles, wanted.uncovered)
    for name, error in zip(files, errors):
        if error:
            print(f"--- {name}\n{error}", file=sys.stderr)
    for figure in figures:
        print(f"{figure['name']:<54} {figure['asked']:>9} {figure['reached']:>9} {figure['failures']:>4}")
    if wanted.json:
        Path(wanted.json).write_text(json.dumps({"figures": figures}))
    return 1 if any(figure["failures"] for figure in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
