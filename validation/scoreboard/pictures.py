#!/usr/bin/env python3
"""Draws pictures for docs/: the Kingston's four curves with each mapping, the Vertex 4's reads by depth, and their causes.

    PYTHONPATH=build/python .venv/bin/python validation/scoreboard/pictures.py [FOLDER]

FOLDER is docs by default. The Kingston is simulated as on the scoreboard, an eighth of the drive for an eighth of the time;
the time axis is scaled back by eight. Covers the first hour of four. Takes ten minutes on two idle cores.
"""

import concurrent.futures
import json
import os
import pathlib
import sys
import tempfile

import numpy as np

import ftlab
from ftlab.report import Axis, Curve, Panel, Picture
from ftlab.report.picture import Cells, Guide

TOP = pathlib.Path(__file__).resolve().parents[2]
SCALE, SAMPLES, SAMPLE_MS = 8, 64, 7500
EIGHTH = ["geometry.blocks_per_plane=512", "user_sectors=15630672"]
GC = ["ftl.gc.start_free_superblocks=3", "ftl.gc.stop_free_superblocks=6"]
FAST = {"mapping": {"scheme": "fast", "page_bytes": 4096, "log_superblocks": 16}, "write_buffer": {"bytes": 524288, "partial_pages": 16}}
LEAST = 0.1  # MB/s; lower rates, and samples in which no write ends, are drawn here
MAPS = {
    "extents, defragmented (library)": [*EIGHTH, *GC, "ftl.mapping.ram_bytes=61440"],
    "log blocks (FAST, 16 superblocks)": [*EIGHTH, f"ftl={json.dumps(FAST)}", "controller.look_up_step_ns=0"],
    "pages, all of it in RAM": [*EIGHTH, *GC, 'ftl.mapping={"scheme": "page", "page_bytes": 4096}', "controller.look_up_step_ns=0"],
}
DEPTHS = [1, 2, 4, 8, 16, 32]
VERTEX_4 = ["geometry.pages_per_block=8", "user_sectors=31256720", "nand.erase_ns=118750"]
NEW = {"step": "purge", "how": "new-drive"}
STATES = {"without data": [NEW], "filled": [NEW, {"step": "age", "pattern": "sequential"}]}
# Parts of the time of a 128 KiB read, and the settings that remove each: the firmware's time of a command and of its 32
# pages, latency of the controller, the array, the flash's bus, a command on the link, the host's 12 us, pages without data.
MECHANISMS = {
    "as in the library": [],
    "no command time": ["controller.read_command_ns=0"],
    "no page time": ["controller.read_page_ns=0"],
    "no latency": ["controller.read_latency_ns=0"],
    "no array time": ["nand.read_ns=1"],
    "no bus time": ["nand.bus_bytes_per_s=10000000000", "nand.bus_command_ns=0"],
    "no link cost": ["link.read_command_ns=0"],
    "no host time": ["host.submit_ns=1", "host.complete_ns=1"],
    "no empty pages": ["controller.read_unmapped_page_ns=0"],
}


def run(procedure, drive, host, settings, out, variables=()):
    ftlab.command("run", procedure, "--drive", drive, "--host", host, "--out", out,
                  *(word for setting in settings for word in ("--set", setting)),
                  *(word for variable in variables for word in ("--variable", variable)))


def bandwidth(folder):
    """MB/s in each sample of fio's log, which omits samples in which no request ends."""
    log = ftlab.Result.load(folder).log("bw")
    rates = dict(zip((log["time_ms"] / SAMPLE_MS).round(), log["value"] * 1024 / 1e6))
    return np.array([max(rates.get(sample, 0), LEAST) for sample in range(1, SAMPLES + 1)])


def kingston(scratch):
    def simulate(number):
        out = scratch / f"kingston-{number}"
        run(TOP / "configs/jobs/kingston/stage-two.json", "kingston-ssdnow-v-64", "computerpress-2011",
            list(MAPS.values())[number], out, [f"runtime={SAMPLES * SAMPLE_MS}ms", f"sample_ms={SAMPLE_MS}"])
        return {json.loads((step / "result.json").read_text())["jobs"][0]["job options"]["bs"]: bandwidth(step)
                for step in sorted(out.glob("*random-write*"))}

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(simulate, range(len(MAPS))))
    minutes = SCALE * SAMPLE_MS / 60_000 * np.arange(1, SAMPLES + 1)
    panels = []
    for block in found[0]:
        published = [Guide("published: sequential writes, 174 MB/s", 174)]
        published += [Guide("published: a V+100, which has another controller, 4.9 MB/s", 4.9)] if block == "4k" else []
        curves = [Curve(name, minutes, rates[block], "line", hue) for hue, (name, rates) in enumerate(zip(MAPS, found))]
        panels.append(Panel(Axis(f"Writes of {block[:-1]} KiB", "MB/s", log=True, limit=500), [*curves, *published]))
    return Picture("kingston-random-writes", "Kingston V-Series 64 GB: random writes of a new drive, simulated with three maps",
                   "", Axis("Time", "min"), panels)


def depths(state, settings, scratch, at=DEPTHS):
    """MB/s of sequential 128 KiB reads at each of these depths."""
    job = {"step": "job", "name": "read", "keep": False,
           "lines": ["rw=read", "bs=128k", "iodepth=${depth}", "time_based", "runtime=300ms"]}
    document = {"name": "depths", "variables": {"depth": list(at)},
                "steps": [*STATES[state], {"step": "repeat", "over": ["depth"], "steps": [job]}]}
    with tempfile.TemporaryDirectory(dir=scratch) as name:
        folder = pathlib.Path(name)
        (folder / "depths.json").write_text(json.dumps(document))
        run(folder / "depths.json", "ocz-vertex-4-512", "3dnews-2012", [*VERTEX_4, *settings], folder / "out")
        return ftlab.Result.load(folder / "out").steps["MB_per_s"].to_numpy(float)


def vertex_4(scratch):
    at = np.array(DEPTHS, dtype=float)
    marks = [Curve(f"{state}, simulated", at, depths(state, [], scratch), "both", hue, hue) for hue, state in enumerate(STATES)]
    marks += [Curve("without data, published at any depth (Tom's Hardware)", at, np.full(len(at), 205.0), "line", 7, dash=1),
              Curve("without data, published (3DNews: deeper would be faster)", np.array([4.0]), np.array([205.0]), hue=7, symbol=4),
              Curve("with a file system, published (Tom's Hardware)", np.array([1.0, 16.0]), np.array([210.0, 480.0]), hue=7, symbol=3)]
    x = Axis("Requests of 128 KiB outstanding", log=True, ticks={float(depth): str(depth) for depth in DEPTHS})
    return Picture("vertex-4-depths", "OCZ Vertex 4 512 GB, launch firmware, sequential reads", "", x,
                   [Panel(Axis("Throughput", "MB/s", from_zero=True), marks)])


def mechanisms(scratch):
    """Each mechanism switched off alone; the effects do not add up to the total."""
    at = [1, 4, 32]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rates = list(pool.map(lambda settings: np.concatenate([depths(state, settings, scratch, at) for state in STATES]),
                              MECHANISMS.values()))
    columns = [f"{state}, {depth}" for state in STATES for depth in at]
    cells = Cells("MB/s", columns, list(MECHANISMS), np.array(rates))
    return Picture("vertex-4-mechanisms", "OCZ Vertex 4 512 GB, launch firmware: sequential reads of 128 KiB with one thing left out",
                   "", Axis("State, and requests outstanding"), [Panel(Axis("Throughput", "MB/s"), [cells])])


def main(folder=TOP / "docs"):
    with tempfile.TemporaryDirectory() as scratch:
        for draw in (vertex_4, mechanisms, kingston):
            picture = draw(pathlib.Path(scratch))
            (pathlib.Path(folder) / f"{picture.slug}.png").write_bytes(picture.png())


if __name__ == "__main__":
    main(*sys.argv[1:2])
