"""A controller that compresses: what its speed and its write amplification owe to the data.

    python sandforce_and_entropy.py

The SF-2281 of the Intel 520 compresses what it writes. Zeros and databases fly; films and archives do not. Write amplification
below 1 is no mistake: less is programmed than the host has sent.
"""

from __future__ import annotations

import pandas as pd

import ftlab

JOB = """
[writes]
filename=drive
rw=write
bs=128k
iodepth=32
io_size=1g
refill_buffers
buffer_compress_percentage={percent}
buffer_compress_chunk=4k
"""


NAME = "intel-520-240"
FRACTION = 8  # fewer blocks are filled sooner, at the same speed


def an_eighth() -> dict:
    """Settings for a drive with so much less flash and as much less for the user."""
    whole = ftlab.drive_document(NAME)
    return {"geometry.blocks_per_plane": whole["geometry"]["blocks_per_plane"]["value"] // FRACTION,
            "user_sectors": whole["user_sectors"]["value"] // FRACTION}


def measured(percent: int) -> dict:
    """Sequential writes of data of which so many per cent compress away, on a new drive."""
    with ftlab.Drive(NAME, an_eighth()) as drive:
        result = drive.run(ftlab.Job(JOB.format(percent=percent)))
    return {"compresses away, %": percent, "MB/s": result.jobs["MB_per_s"].iloc[0], "write amplification": result.wa}


def main() -> None:
    table = pd.DataFrame([measured(percent) for percent in (0, 25, 50, 75, 100)])
    print(table.round({"MB/s": 0, "write amplification": 3}).to_string(index=False))


if __name__ == "__main__":
    main()
