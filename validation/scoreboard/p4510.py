#!/usr/bin/env python3
"""Predicts measurements of an Intel SSD DC P4510 of 1 TB from its data sheet, and writes p4510.csv beside this file.

    validation/scoreboard/p4510.py

The drive is what `ftlab init` makes of the sheet (Intel's product brief): capacity, 64-layer TLC, PCIe 3.0 x4 and six ratings.
The ratings of random access and the latencies of the sheet are quoted from memory, not looked up.
Channels are 12, as Intel's controllers for servers have had; raw capacity follows from the rating of random writes. One number
was chosen beside this drive: a controller works on 256 commands at once, by percentiles of its 4 KiB reads. No other was.

The measurements are fio results of BU-DiSC/SSD-Benchmark: jobs with a file each, of 4 or 5 GB, on a drive that is nearly full;
and one request outstanding per job. Blocks are 128 times as small here, and so are the files that are written; reads, which do
not depend on it, have as much of the drive as there is. Jobs are taken to have run in the order of their names, on the same
files: reads of 8 KiB find pages that writes of 4 KiB have scattered, others find them in order. Each job is run for half a
second after half a second. Files named 8k_w of the set with one request wrote 4 KiB, as others do: left out. Points are
saturated if simulated latency is more than twice that of one request, as in intervals.py.
"""

import concurrent.futures
import csv
import json
import math
import os
import pathlib
import statistics
import subprocess
import tempfile

TREE = pathlib.Path(__file__).resolve().parents[2]
FTLAB = pathlib.Path(os.environ.get("FTLAB_BIN", TREE / "build/bin")) / "ftlab"
BLOCK_SCALE = 128
FULL = 95  # per cent of the drive
SHEET = ["--capacity", "1000GB", "--flash", "tlc", "--channels", "12", "--interface", "nvme-3x4", "--use", "enterprise", "--rated",
         "seq_read=2850MB/s,seq_write=1100MB/s,rand_read=465k,rand_write=70k,read_latency=77us,write_latency=18us"]
FIGURES = {"iops": "rate", "clat_mean_us": "mean", "p50": "p50", "p99": "p99"}
WAITS = 2  # latency over that of one request at a time, of saturated points


def ftlab(*arguments: str | os.PathLike[str]) -> str:
    done = subprocess.run([FTLAB, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done.stdout


def measured() -> list[dict[str, str]]:
    with open(TREE / "validation/measured/nvme/intel_p4510_1tb.csv", newline="") as file:
        return [row for row in csv.DictReader(file) if not (row["set"] == "p4510_legacy" and row["file"].startswith("8k_w"))]


def full_drive(folder: pathlib.Path) -> None:
    """Writes small.json, and its states: written in order, and then overwritten in pieces of 4 KiB."""
    ftlab("init", folder / "whole.json", *SHEET)
    ftlab("init", folder / "small.json", "--like", folder / "whole.json", "--block-scale", str(BLOCK_SCALE))
    scatter = "[scatter]\nstonewall\nrw=randwrite\nbs=4k\n"
    for state, more in (("ordered", ""), ("scattered", scatter)):
        job = folder / f"{state}.fio"
        job.write_text(f"[global]\nfilename=/dev/nvme0n1\nsize={FULL}%\n[fill]\nrw=write\nbs=1m\n{more}")
        ftlab("run", job, "--drive", folder / "small.json", "--untimed", "--save", folder / f"{state}.state", "--out", folder / state)


def simulated(folder: pathlib.Path, number: int, row: dict[str, str]) -> dict[str, float]:
    reads, jobs = "read" in row["rw"], int(row["jobs"])
    file_size = (5 if "/5G" in row["set"] else 4) << 30
    size = f"{FULL // jobs}%" if reads else str(file_size // BLOCK_SCALE)
    state = "scattered" if reads and row["bs"] == "8192B" else "ordered"
    job = folder / f"{number}.fio"
    job.write_text("\n".join(["[job]", "filename=/dev/nvme0n1", "ioengine=libaio", "direct=1", f"rw={row['rw']}",
                              f"bs={row['bs'].removesuffix('B').removesuffix('i').lower()}", f"iodepth={row['depth']}",
                              f"numjobs={jobs}", "group_reporting", f"size={size}", f"offset_increment={size}",
                              "norandommap", "time_based", "ramp_time=500ms", "runtime=500ms"]) + "\n")
    result = json.loads(ftlab("run", job, "--drive", folder / "small.json", "--load", folder / f"{state}.state",
                              "--out", folder / str(number), "--json"))
    direction = result["jobs"][0]["read" if reads else "write"]
    percentiles = {float(name): value / 1000 for name, value in direction["clat_ns"]["percentile"].items()}
    return {"iops": direction["iops"], "clat_mean_us": direction["clat_ns"]["mean"] / 1000, "p50": percentiles[50], "p99": percentiles[99]}


def loads(rows: list[dict[str, str]], found: list[dict[str, float]]) -> list[str]:
    """below, saturated, or contended by several jobs. Deep queues of block sizes that were not measured alone are full."""
    alone = {(row["rw"], row["bs"]): one["clat_mean_us"] for row, one in zip(rows, found) if row["depth"] == row["jobs"] == "1"}

    def load(row: dict[str, str], one: dict[str, float]) -> str:
        if one["clat_mean_us"] <= WAITS * alone.get((row["rw"], row["bs"]), 0):
            return "below"
        return "contended" if int(row["jobs"]) > 1 else "saturated"

    return [load(row, one) for row, one in zip(rows, found)]


def main() -> None:
    rows = measured()
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(name)
        full_drive(folder)
        found = list(pool.map(lambda one: simulated(folder, *one), enumerate(rows)))
    errors: dict[tuple[str, str], list[float]] = {}
    with open(pathlib.Path(__file__).with_suffix(".csv"), "w", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["set", "rw", "bs", "depth", "jobs", "load", "figure", "measured", "simulated", "error"])
        for row, one, load in zip(rows, found, loads(rows, found)):
            for column, figure in FIGURES.items():
                error = one[column] / float(row[column]) - 1
                errors.setdefault((figure, load), []).append(error)
                lines.writerow([row["set"], row["rw"], row["bs"], row["depth"], row["jobs"], load, figure, row[column],
                                f"{one[column]:.4g}", f"{error:.3f}"])
    print("| figure | load | points | median error, % | 95th percentile, % |\n|---|---|---|---|---|")
    for (figure, load), all_errors in sorted(errors.items()):
        ordered = sorted(100 * abs(error) for error in all_errors)
        high = ordered[math.ceil(0.95 * len(ordered)) - 1]
        print(f"| {figure} | {load} | {len(ordered)} | {statistics.median(ordered):.1f} | {high:.1f} |")


if __name__ == "__main__":
    main()
