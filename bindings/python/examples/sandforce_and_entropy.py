"""A compressing controller: how speed and write amplification depend on the data.

    python sandforce_and_entropy.py

The SF-2281 of the Intel 520 compresses what it writes. Zeros and databases are fast; films and archives are not. A write
amplification below 1 is correct: the drive programs less than the host sends.
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
FRACTION = 8  # fewer blocks fill up sooner, at the same speed


def an_eighth() -> dict:
    """Settings for a drive with this fraction of the flash and of the user capacity."""
    whole = ftlab.drive_document(NAME)
    return {"geometry.blocks_per_plane": whole["geometry"]["blocks_per_plane"]["value"] // FRACTION,
            "user_sectors": whole["user_sectors"]["value"] // FRACTION}


def measured(percent: int) -> dict:
    """Sequential writes of data with `percent` per cent of redundancy, on a new drive."""
    with ftlab.Drive(NAME, an_eighth()) as drive:
        result = drive.run(ftlab.Job(JOB.format(percent=percent)))
    return {"compresses away, %": percent, "MB/s": result.jobs["MB_per_s"].iloc[0], "write amplification": result.wa}


def main() -> None:
    table = pd.DataFrame([measured(percent) for percent in (0, 25, 50, 75, 100)])
    print(table.round({"MB/s": 0, "write amplification": 3}).to_string(index=False))


if __name__ == "__main__":
    main()
