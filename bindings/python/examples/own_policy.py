"""Your own garbage collection policy, in Python, on the timed simulator.

    python own_policy.py

A policy is called once per reclaimed superblock and sees the simulator's own columns as NumPy arrays, so a line of NumPy is
fast enough. This one is greedy and considers wear: of the superblocks with nearly as few valid pages as the emptiest one it
chooses the least worn. Wear is uneven, because 90 % of the writes go to a tenth of the drive.
"""

from __future__ import annotations

import time
from typing import Callable, Optional

import ftlab

SKEWED = ftlab.Job("""
[skewed]
filename=drive
rw=randwrite
bs=4k
iodepth=32
norandommap
randrepeat=0
random_distribution=zoned:90/10:10/90
io_size=6g
""")


def greedy(view: ftlab.GcView) -> Optional[int]:
    """The superblock with the fewest valid pages."""
    candidates = view.candidates
    return candidates[view.valid[candidates].argmin()] if len(candidates) else None


def least_worn(view: ftlab.GcView) -> Optional[int]:
    """The least erased superblock of those whose valid pages exceed the minimum by at most an eighth of a superblock."""
    candidates = view.candidates
    if not len(candidates):
        return None
    valid = view.valid[candidates]
    most = max(valid.min(), min(valid.min() + view.pages_per_superblock // 8, view.pages_per_superblock - 1))
    near = candidates[valid <= most]  # excludes full ones, unless all are full: collecting one gains nothing
    return near[view.erases[near].argmin()]


def run(name: str, policy: Optional[Callable[[ftlab.GcView], Optional[int]]]) -> float:
    drive = ftlab.Drive("example-25nm-mlc", {"ftl.gc.policy": "greedy"}, gc_policy=policy)
    began = time.process_time()
    result = drive.run(SKEWED)
    cost = (time.process_time() - began) / result.jobs["requests"].sum()
    erases = drive.blocks.erases
    print(f"{name:22} write amplification {result.wa:.3f}, erases {erases.min()} to {erases.max()} a superblock, "
          f"{cost * 1e9:4.0f} ns of CPU time a host write")
    return result.wa


def main() -> None:
    run("greedy, built in", None)
    run("greedy, in Python", greedy)
    run("least worn, in Python", least_worn)


if __name__ == "__main__":
    main()
