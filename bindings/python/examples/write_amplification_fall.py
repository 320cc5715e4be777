"""Why does a drive become slow? Random writes on a new drive, from its first minute to steady state.

    python write_amplification_fall.py [PICTURE.png]

A new drive has erased superblocks to write to. When they are used up, each further one must first be reclaimed: its valid
pages are copied (relocation), then it is erased. Those copies are write amplification, and they take flash time away from
the host.
"""

from __future__ import annotations

import sys
from typing import Optional

import ftlab

JOB = ftlab.Job("""
[fall]
filename=drive
rw=randwrite
bs=4k
iodepth=32
norandommap
randrepeat=0
time_based
runtime=7200
""")


def main(picture: Optional[str] = None) -> None:
    drive = ftlab.Drive("example-25nm-mlc")
    series = drive.run(JOB, until_steady=0.01).series

    new, steady = series.iloc[1], series.iloc[len(series) // 2:-1].mean(numeric_only=True)
    print(f"new:     {new.write_iops:8.0f} IOPS, write amplification {new.wa:.2f}")
    print(f"steady:  {steady.write_iops:8.0f} IOPS, write amplification {steady.wa:.2f}")

    # The theory of greedy collection under uniform writes needs one number: the spare space, relative to the blocks that
    # hold data when a victim is chosen.
    blocks = drive.blocks
    data_pages = int((blocks.state != ftlab.blocks.STATES.index("free")).sum()) * blocks.pages
    op = data_pages / (drive.user_bytes / 4096) - 1
    theory = ftlab.theory(policy="greedy", op=round(op, 4), blocks=len(blocks), pages_per_block=blocks.pages)
    print(f"theory:  {theory['wa']:.2f} for a spare of {op:.1%} ({theory['source']})")

    if picture:
        axes = series.plot(x="t_s", y="write_iops", ylabel="IOPS", label="IOPS", color="#0072B2")
        series.plot(x="t_s", y="wa", ax=axes, secondary_y=True, label="write amplification", color="#D55E00")
        axes.set_xlabel("simulated time, s")
        axes.figure.savefig(picture, dpi=120)
        print(f"picture: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
