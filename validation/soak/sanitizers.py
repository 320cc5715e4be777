#!/usr/bin/env python3
"""Runs test files of ftlab-tests under a checking tool, each separately.

  memory     addresses and undefined behaviour (preset `sanitized`: g++'s sanitizers, a hardened library, all checks on)
  threads    races (preset `tsan`), for the test files with more than one thread
  valgrind   the release program, on short files of the layer, readers and containers: checks code without sanitizers

    sanitizers.py {memory,threads,valgrind} [--bin FOLDER] [--jobs N] [--json FILE] [--files NAME...]

--bin: the folder of ftlab-tests; without it the preset is configured and built, for valgrind `release`. A file that exceeds
the time limit has failed. Exit status: 0 no findings, 1 findings or a check that could not run, 2 wrong usage."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path

from test_files import test_files

SOURCE = Path(__file__).resolve().parents[2]


class Kind:
    def __init__(self, preset, files, left_out=(), before=(), environment=None, limit_s=1800):
        self.preset, self.files, self.left_out = preset, files, left_out
        self.before, self.environment, self.limit_s = list(before), environment or {}, limit_s

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
}  # fmt: skip


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--bin", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--files", nargs="+", metavar="NAME", help="test files or patterns, instead of the kind's own")
    parser.add_argument("--json", metavar="FILE")
    return parser.parse_args()


def build(kind):
    for command in (["cmake", "--preset", kind.preset],
                    ["cmake", "--build", "--preset", kind.preset, "--target", "ftlab-tests"]):  # fmt: skip
        subprocess.run(command, cwd=SOURCE, check=True, stdout=subprocess.DEVNULL)
    return kind.folder()


def run(command, environment, limit_s):
    """Returns the exit status, or None if it took too long; the time in seconds; the output."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as empty:
        try:
            done = subprocess.run(command, cwd=empty, env={**os.environ, **environment}, timeout=limit_s, text=True,
                                  errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)  # fmt: skip
            return done.returncode, time.monotonic() - began, done.stdout
        except subprocess.TimeoutExpired:
            return None, limit_s, "took too long"


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
        sys.exit(f"sanitizers.py: {kind.before[0]} is missing")
    program = str((wanted.bin or build(kind)).resolve() / "ftlab-tests")
    files = chosen(program, kind, wanted.files)
    with ThreadPoolExecutor(wanted.jobs) as pool:
        fates = list(pool.map(lambda name: run([*kind.before, program, "-#", f"[#{name}]~[.]"], kind.environment, kind.limit_s),
                              files))  # fmt: skip
    failed = [(name, said) for name, (status, _, said) in zip(files, fates) if status != 0]
    for name, said in failed:
        print(f"--- {name}\n{said[-4000:]}", file=sys.stderr)
    figure = {"name": f"{wanted.kind}: test files", "asked": len(files), "reached": len(files), "failures": len(failed)}
    print(f"{figure['name']:<44} {figure['asked']:>12} {figure['reached']:>12} {figure['failures']:>6}")
    if wanted.json:
        Path(wanted.json).write_text(json.dumps({"figures": [figure]}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
