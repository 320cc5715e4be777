"""From measurements of a drive to a drive file that reproduces them.

    python calibrate_to_your_drive.py [FOLDER]

Measure with fio or `ftlab measure`; here a simulated drive with numbers that we pretend not to know replaces yours. Random
reads at several queue depths reveal the flash's read time; `ftlab calibrate` fits that number, reports how well it is known,
and the error of the figures that were not used for the fit.
"""

from __future__ import annotations

import json
import pathlib
import sys
import tempfile

import ftlab

HIDDEN = {"nand.read_ns": 61_000}
DEPTHS = (1, 2, 4, 8, 16, 32)
SWEEP = "[global]\nfilename=drive\nrw=randread\nbs=4k\nrandrepeat=0\nio_size=64m\n" + "".join(
    f"[depth-{depth}]\nstonewall\niodepth={depth}\n" for depth in DEPTHS)


def measure_your_drive(folder: pathlib.Path) -> None:
    """Replaces: ftlab measure sweep.fio --device /dev/sdX --out FOLDER."""
    yours = ftlab.Drive("example-25nm-mlc", HIDDEN)
    yours.run(ftlab.Job("[fill]\nfilename=drive\nrw=write\nbs=1m\n"))
    yours.run(ftlab.Job(SWEEP, "sweep.fio")).save(folder)


def main(place: str = "") -> None:
    folder = pathlib.Path(place or tempfile.mkdtemp(prefix="calibrate-"))
    measure_your_drive(folder / "measured")
    print(ftlab.command("calibrate", "--drive", "example-25nm-mlc", "--measured", folder / "measured",
                        "--fit", *HIDDEN, "--out", folder / "fitted.json"))
    fitted = json.loads((folder / "fitted.json").read_text())
    for key, hidden in HIDDEN.items():
        section, name = key.split(".")
        print(f"{key}: {fitted[section][name]['value']} fitted, {hidden} hidden")


if __name__ == "__main__":
    main(*sys.argv[1:2])
