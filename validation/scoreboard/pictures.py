#!/usr/bin/env python3
"""Pictures for docs/: the Kingston's four curves of random writes, and what the Vertex 4 reads at each depth.

    validation/scoreboard/pictures.py [FOLDER]

FOLDER is docs by default. Needs matplotlib (the extra `report` of the Python package). The Kingston is simulated as on the
scoreboard, an eighth of the drive for an eighth of the time, which is drawn eight times longer; the first hour of four.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FTLAB = os.environ.get("FTLAB", os.path.join(TOP, "build", "bin", "ftlab"))
SCALE = 8
KINGSTON = ["geometry.blocks_per_plane=512", "user_sectors=15630672", "ftl.mapping.ram_bytes=61440",
            "ftl.gc.start_free_superblocks=3", "ftl.gc.stop_free_superblocks=6"]
DEPTHS = [1, 2, 4, 8, 16, 32]
VERTEX_4 = ["geometry.pages_per_block=8", "user_sectors=31256720", "nand.erase_ns=118750"]
HOST = ["host.submit_ns=6000", "host.complete_ns=6000", "host.cores=4"]


def run(procedure, drive, settings, out, variables=()):
    command = [FTLAB, "run", procedure, "--drive", drive, "--out", out]
    for setting in settings:
        command += ["--set", setting]
    for variable in variables:
        command += ["--variable", variable]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def bandwidth(folder):
    """Minutes of the whole drive and MB/s, from fio's log of the step in `folder`."""
    name = next(f for f in sorted(os.listdir(folder)) if "_bw" in f and f.endswith(".log"))
    with open(os.path.join(folder, name), encoding="utf-8") as log:
        rows = [[int(word) for word in line.split(",")[:2]] for line in log]
    return [SCALE * ms / 60_000 for ms, _ in rows], [kib * 1024 / 1e6 for _, kib in rows]


def kingston(path, scratch):
    out = os.path.join(scratch, "kingston")
    run(os.path.join(TOP, "configs/jobs/kingston/stage-two.json"), "kingston-ssdnow-v-64", KINGSTON, out,
        ["runtime=8m", "sample_ms=7500"])
    draw_kingston(path, out)


def draw_kingston(path, out):
    figure, axes = plt.subplots(figsize=(8, 4.2))
    for step in sorted(f for f in os.listdir(out) if os.path.isdir(os.path.join(out, f)) and "random-write" in f):
        minutes, rates = bandwidth(os.path.join(out, step))
        with open(os.path.join(out, step, "result.json"), encoding="utf-8") as result:
            block = json.load(result)["jobs"][0]["job options"]["bs"]
        axes.plot(minutes, rates, linewidth=0.9, label=f"{block[:-1]} KiB")
    axes.set_yscale("log")
    axes.set_xlabel("minutes")
    axes.set_ylabel("MB/s")
    axes.set_title("Kingston V-Series 64 GB, random writes of a new drive, simulated", fontsize=10)
    axes.legend(ncol=4, fontsize=8)
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, dpi=110, metadata={"Software": None})


def depths(drive, steps, scratch, name):
    job = {"step": "job", "name": "read", "keep": False,
           "lines": ["rw=read", "bs=128k", "iodepth=${depth}", "time_based", "runtime=300ms"]}
    document = {"name": "depths", "variables": {"depth": DEPTHS},
                "steps": [*steps, {"step": "repeat", "over": ["depth"], "steps": [job]}]}
    procedure = os.path.join(scratch, name + ".json")
    with open(procedure, "w", encoding="utf-8") as file:
        json.dump(document, file)
    out = os.path.join(scratch, name)
    run(procedure, drive, VERTEX_4 + HOST, out)
    with open(os.path.join(out, "procedure.csv"), encoding="utf-8") as file:
        return [float(row["MB_per_s"]) for row in csv.DictReader(file)]


def vertex_4(path, scratch):
    new = {"step": "purge", "how": "new-drive"}
    empty = depths("ocz-vertex-4-512", [new], scratch, "empty")
    filled = depths("ocz-vertex-4-512", [new, {"step": "age", "pattern": "sequential"}], scratch, "filled")
    figure, axes = plt.subplots(figsize=(8, 3.6))
    axes.plot(DEPTHS, empty, "o-", label="without data, simulated")
    axes.plot(DEPTHS, filled, "s-", label="filled, simulated")
    axes.plot([1, 2, 4, 8, 16, 32], [205] * 6, "k:", linewidth=1, label="without data, published at any depth (Tom's Hardware)")
    axes.plot([4], [205], "kx", markersize=9, label="without data, published (3DNews: deeper would be faster)")
    axes.plot([1, 16], [210, 480], "k^", label="with a file system, published (Tom's Hardware)")
    axes.set_xscale("log", base=2)
    axes.set_xticks(DEPTHS, [str(d) for d in DEPTHS])
    axes.set_ylim(0, 850)
    axes.set_xlabel("requests of 128 KiB outstanding")
    axes.set_ylabel("MB/s")
    axes.set_title("OCZ Vertex 4 512 GB, launch firmware, sequential reads", fontsize=10)
    axes.legend(fontsize=8, loc="upper left")
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, dpi=110, metadata={"Software": None})


def main(arguments):
    folder = arguments[0] if arguments else os.path.join(TOP, "docs")
    with tempfile.TemporaryDirectory() as scratch:
        kingston(os.path.join(folder, "kingston-random-writes.png"), scratch)
        vertex_4(os.path.join(folder, "vertex-4-depths.png"), scratch)


if __name__ == "__main__":
    main(sys.argv[1:])
