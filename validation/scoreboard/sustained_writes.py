#!/usr/bin/env python3
"""Predicts how client drives are filled, from what is known of them before, and writes sustained_writes.csv beside this file.

    validation/scoreboard/sustained_writes.py

The measurements are those of techpowerup's reviews: 1 MiB writes in order over an erased drive (page 6 of each review). Each
drive is made by `ftlab init` from capacity, class of flash, channels, interface and the sheet's rate of writes, for which
the first rate of the review stands; blocks are 64 times as small, so capacity is, too. Two predictions:

- sheet: the size of the pSLC cache is the prior of `init`
- review: the size is that of the review

Predicted does not mean blind: the prior of the cache's size (a median by channels) and the time of folding (one more program
time for TLC, two for QLC) were set to these nine drives. No number was fitted to one of the TLC drives.

Phases are in order if the simulated rates of the review's phases, at the same GB written, fall where the measured ones do.
"""

import concurrent.futures
import csv
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
from typing import NamedTuple

TREE = pathlib.Path(__file__).resolve().parents[2]
FTLAB = pathlib.Path(os.environ.get("FTLAB_BIN", TREE / "build/bin")) / "ftlab"
BLOCK_SCALE = 64
JOB = [
    "[fill]", "filename=/dev/nvme0n1", "ioengine=libaio", "direct=1", "rw=write", "bs=1m", "iodepth=16", "size=100%",
    "log_avg_msec=50"
]


class Phase(NamedTuple):
    """From and to in GB written."""
    start: float
    end: float
    rate: float


class Filled(NamedTuple):
    mean: float
    curve: list[tuple[float, float, float]]  # GB written at the end of each interval, seconds, MB/s

    def rate(self, phase: Phase) -> float:
        """Mean of the middle half of the phase, away from its ends."""
        quarter = (phase.end - phase.start) / 4
        inside = [(s, rate) for written, s, rate in self.curve if phase.start + quarter < written < phase.end - quarter]
        return sum(s * rate for s, rate in inside) / sum(s for s, _ in inside)


def ftlab(*arguments: str | os.PathLike[str]) -> str:
    done = subprocess.run([FTLAB, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done.stdout


def filled(folder: pathlib.Path, row: dict[str, str], known: str) -> Filled:
    tag = f"{row['drive'].replace(' ', '-')}-{known}"
    whole, small, job = folder / f"{tag}.json", folder / f"{tag}-small.json", folder / f"{tag}.fio"
    size = row["then_until_GB"] if row["flash"].startswith("qlc") else row["until_GB_written"]
    cache = f",slc_cache={size}GB" if known == "review" else ""
    ftlab("init", whole, "--capacity", f"{row['capacity_GB']}GB", "--flash", row["flash"], "--channels", row["channels"],
          "--interface", row["interface"], "--rated", f"seq_write={row['first_MBps']}MB/s{cache}")
    ftlab("init", small, "--like", whole, "--block-scale", str(BLOCK_SCALE))
    job.write_text("\n".join(JOB) + "\n")
    result = json.loads(ftlab("run", job, "--drive", small, "--out", folder / tag, "--json"))
    written, curve = 0.0, []
    with open(folder / tag / "series.csv", newline="") as file:
        for line in csv.DictReader(file):
            seconds, rate = float(line["length_s"]), float(line["write_MB_per_s"])
            written += seconds * rate / 1000 * BLOCK_SCALE
            curve.append((written, seconds, rate))
    return Filled(result["jobs"][0]["write"]["bw_bytes"] / 1e6, curve)


def phases_of(row: dict[str, str]) -> list[Phase]:
    """Phases whose rate and extent the review states; the last ends with the drive."""
    ends = [row["until_GB_written"], row["then_until_GB"], row["capacity_GB"]]
    rates = [row["first_MBps"], row["then_MBps"], row["after_that_MBps"]]
    if not row["after_that_MBps"]:
        ends[1], rates = row["capacity_GB"], rates[:2]
    phases, start = [], 0.0
    for end, rate in zip(ends, rates):
        if not end or not rate:
            break
        phases.append(Phase(start, float(end), float(rate)))
        start = float(end)
    return phases


def in_order(phases: list[Phase], drive: Filled) -> bool:
    simulated = [drive.rate(phase) for phase in phases]
    return all((a > b) == (one.rate > other.rate) for one, other, a, b in zip(phases, phases[1:], simulated, simulated[1:]))


def main() -> None:
    with open(TREE / "validation/measured/nvme/sustained_writes.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        asked = [(row, known) for known in ("sheet", "review") for row in rows]
        drives = list(pool.map(lambda one: filled(pathlib.Path(folder), *one), asked))
    with open(pathlib.Path(__file__).with_suffix(".csv"), "w", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["drive", "cache_known_from", "measured_MBps", "simulated_MBps", "error", "phases_in_order",
                        "phase_rates_MBps"])
        for (row, known), drive in zip(asked, drives):
            phases = phases_of(row)
            error = drive.mean / float(row["mean_fill_MBps"]) - 1
            lines.writerow([row["drive"], known, row["mean_fill_MBps"], round(drive.mean), f"{error:.3f}",
                            "yes" if in_order(phases, drive) else "no",
                            " ".join(f"{drive.rate(phase):.0f}" for phase in phases)])
    print("| cache known from | drives | median error of the mean, % | worst, % | phases in order |\n|---|---|---|---|---|")
    for known in ("sheet", "review"):
        mine = [(row, drive) for (row, which), drive in zip(asked, drives) if which == known]
        errors = [100 * abs(drive.mean / float(row["mean_fill_MBps"]) - 1) for row, drive in mine]
        ordered = sum(in_order(phases_of(row), drive) for row, drive in mine)
        print(f"| {known} | {len(mine)} | {statistics.median(errors):.1f} | {max(errors):.1f} | {ordered}/{len(mine)} |")


if __name__ == "__main__":
    main()
