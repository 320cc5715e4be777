"""Measures the cost of Python policies against built-in greedy: steady random writes, timed, 64 GiB drive, OP 7 %, QD 32.

    PYTHONPATH=build/python .venv/bin/python validation/benchmarks/python_policies.py [GiB]

Prints million host writes per second of CPU time, and the ratio to the built-in policy in the same run.
"""

from __future__ import annotations

import sys
import time
from typing import Dict

import ftlab

WRITES = "[w]\nfilename=d\nrw=randwrite\nbs=4k\niodepth=32\nnorandommap\nrandrepeat=0\nio_size={}m\n"


def greedy(view: ftlab.GcView) -> int:
    candidates = view.candidates
    return candidates[view.valid[candidates].argmin()]


class OneClass:
    """Always picks the second of two classes: the cost of the call, without its gain."""

    classes = 2

    def of_host(self, lpn: int, stream: int, old: int, version: int) -> int:
        return 1


def drive_of(gib: int, **policies: object) -> ftlab.Drive:
    """Returns a drive with gib / 64 of the blocks of one with 2048 superblocks of 32 MiB."""
    settings = {"geometry.blocks_per_plane": 32 * gib, "user_sectors": int(gib * 2**21 / 1.07), "ftl.mapping.page_bytes": 4096}
    return ftlab.Drive("example-25nm-mlc", settings, timed=False, **policies)


def speed(drive: ftlab.Drive, gib: int) -> float:
    """Returns the speed of an aged drive in million host writes per second of CPU time."""
    drive.run(ftlab.Job(WRITES.format(gib * 3 * 1024)))
    drive.timed = True
    job = ftlab.Job(WRITES.format(gib * 256))
    drive.run(job)
    began = time.process_time()
    requests = drive.run(job).jobs["requests"].sum()
    return requests / (time.process_time() - began) / 1e6


def main(gib: int = 64) -> None:
    results: Dict[str, float] = {}
    for name, policies in {"built in": {}, "collection": {"gc_policy": greedy}, "placement": {"placement": OneClass()}}.items():
        with drive_of(gib, **policies) as drive:
            results[name] = speed(drive, gib)
        print(f"{name:12} {results[name]:6.3f} M host writes/s, {results[name] / results['built in']:.2f} of the built-in")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:2]))
