"""What does TRIM do? A full drive in steady state, before and after the host trims half of it.

    python effect_of_trim.py

To the drive, data that the file system has deleted stay valid until they are trimmed: every collection copies them. Trimmed
space is spare space.
"""

from __future__ import annotations

import ftlab

WRITES = """
[{name}]
filename=drive
rw=randwrite
bs=4k
iodepth=32
norandommap
randrepeat=0
size={share}
io_size={amount}
"""


def random_writes(drive: ftlab.Drive, amount: str, share: str = "100%") -> ftlab.Result:
    return drive.run(ftlab.Job(WRITES.format(name="writes", amount=amount, share=share)))


def trim_second_half(drive: ftlab.Drive) -> None:
    drive.run(ftlab.Job("[trim]\nfilename=drive\nrw=trim\nbs=1m\noffset=50%\nsize=50%\n"))


def main() -> None:
    aged = ftlab.Drive("example-25nm-mlc", timed=False)  # ageing can be untimed
    random_writes(aged, "4g")
    aged.timed = True

    with_trim, without = aged.fork(), aged.fork()  # two copies of the same aged drive
    trim_second_half(with_trim)
    for name, drive in (("without TRIM", without), ("with TRIM", with_trim)):
        random_writes(drive, "1g", share="50%")  # until steady again
        result = random_writes(drive, "512m", share="50%")
        mapped = drive.counters["mapped_bytes"] / drive.user_bytes
        print(f"{name:13} {mapped:4.0%} of the drive holds data: {result.jobs.iops.iloc[0]:7.0f} IOPS, "
              f"write amplification {result.wa:.2f}")


if __name__ == "__main__":
    main()
