#!/usr/bin/env python3
"""Draws pictures for docs/: the Kingston's four curves with each mapping, the Vertex 4's reads by depth, and their causes.

    validation/scoreboard/pictures.py [FOLDER]

FOLDER is docs by default. Needs matplotlib, which `.ci/setup` installs into .venv: start it with .venv/bin/python. The
Kingston is simulated as on the scoreboard, an eighth of the drive for an eighth of the time; the time axis is scaled back by
eight. Covers the first hour of four. Takes ten minutes on two idle cores.
"""

import concurrent.futures
import csv
import json
import os
import subprocess
import sys
import tempfile

try:
    import matplotlib
except ModuleNotFoundError:
    raise SystemExit(f"matplotlib is missing: `.ci/setup` installs it into .venv; then start this with .venv/bin/python instead "
                     f"of {sys.executable}") from None

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FTLAB = os.environ.get("FTLAB", os.path.join(TOP, "build", "bin", "ftlab"))
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
FILLED = [NEW, {"step": "age", "pattern": "sequential"}]
# Parts of the time of a 128 KiB read, and the settings that remove each.
MECHANISMS = {
    "as in the library": [],
    "without firmware time of a command": ["controller.read_command_ns=0"],
    "without firmware time of its 32 pages": ["controller.read_page_ns=0"],
    "without latency of the controller": ["controller.read_latency_ns=0"],
    "without time to read the array": ["nand.read_ns=1"],
    "without time on the flash's bus": ["nand.bus_bytes_per_s=10000000000", "nand.bus_command_ns=0"],
    "without cost of a command on the link": ["link.read_command_ns=0"],
    "without the host's 12 us": ["host.submit_ns=1", "host.complete_ns=1"],
    "without time of pages that hold no data": ["controller.read_unmapped_page_ns=0"],
}


def run(procedure, drive, host, settings, out, variables=()):
    command = [FTLAB, "run", procedure, "--drive", drive, "--host", host, "--out", out]
    for setting in settings:
        command += ["--set", setting]
    for variable in variables:
        command += ["--variable", variable]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def save(figure, path):
    figure.tight_layout()
    figure.savefig(path, dpi=110, metadata={"Software": None})


def bandwidth(folder):
    """Minutes of the whole drive and MB/s, from fio's log in `folder`, which omits samples in which no request ends."""
    name = next(f for f in sorted(os.listdir(folder)) if "_bw" in f and f.endswith(".log"))
    with open(os.path.join(folder, name), encoding="utf-8") as log:
        rates = {round(int(ms) / SAMPLE_MS): int(kib) * 1024 / 1e6 for ms, kib, *_ in (line.split(",") for line in log)}
    samples = range(1, SAMPLES + 1)
    return [SCALE * SAMPLE_MS * sample / 60_000 for sample in samples], [rates.get(sample, 0) for sample in samples]


def curves(out):
    """Label, minutes and MB/s for each write size."""
    for step in sorted(f for f in os.listdir(out) if os.path.isdir(os.path.join(out, f)) and "random-write" in f):
        with open(os.path.join(out, step, "result.json"), encoding="utf-8") as result:
            block = json.load(result)["jobs"][0]["job options"]["bs"]
        yield f"{block[:-1]} KiB", *bandwidth(os.path.join(out, step))


def kingston(path, scratch):
    def simulate(number, settings):
        out = os.path.join(scratch, f"kingston-{number}")
        run(os.path.join(TOP, "configs/jobs/kingston/stage-two.json"), "kingston-ssdnow-v-64", "computerpress-2011", settings, out,
            [f"runtime={SAMPLES * SAMPLE_MS}ms", f"sample_ms={SAMPLE_MS}"])
        return out

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outs = list(pool.map(simulate, range(len(MAPS)), MAPS.values()))
    draw_kingston(path, dict(zip(MAPS, outs)))


def draw_kingston(path, outs):
    figure, rows = plt.subplots(4, len(outs), figsize=(10, 6.6), sharex=True, sharey=True)
    for column, (name, out) in enumerate(outs.items()):
        rows[0][column].set_title(name, fontsize=9)
        rows[-1][column].set_xlabel("minutes", fontsize=8)
        for panels, (label, minutes, rates) in zip(rows, curves(out)):
            axes = panels[column]
            axes.plot(minutes, [max(rate, LEAST) for rate in rates], linewidth=1)
            axes.axhline(174, color="k", linestyle=":", linewidth=1, label="published: sequential writes, 174 MB/s")
            if label == "4 KiB":
                axes.axhline(4.9, color="k", linestyle="--", linewidth=1, label="published: a V+100, which has another controller, 4.9 MB/s")
            if column == 0:
                axes.set_ylabel(f"{label}\nMB/s", fontsize=8)
            axes.grid(alpha=0.3)
            axes.tick_params(labelsize=8)
    rows[0][0].set_yscale("log")
    rows[0][0].set_ylim(LEAST, 400)
    rows[0][0].set_yticks([0.1, 1, 10, 100], ["none", "1", "10", "100"])
    figure.suptitle("Kingston V-Series 64 GB: random writes of a new drive, simulated with three maps", fontsize=10)
    figure.legend(*rows[0][0].get_legend_handles_labels(), ncol=2, fontsize=8, loc="lower center", frameon=False)
    figure.tight_layout(rect=(0, 0.03, 1, 1), h_pad=0.4)
    figure.savefig(path, dpi=100, metadata={"Software": None})


def depths(steps, settings, scratch, at=DEPTHS):
    """MB/s of sequential 128 KiB reads at each of these depths."""
    job = {"step": "job", "name": "read", "keep": False,
           "lines": ["rw=read", "bs=128k", "iodepth=${depth}", "time_based", "runtime=300ms"]}
    document = {"name": "depths", "variables": {"depth": list(at)},
                "steps": [*steps, {"step": "repeat", "over": ["depth"], "steps": [job]}]}
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        procedure = os.path.join(folder, "depths.json")
        with open(procedure, "w", encoding="utf-8") as file:
            json.dump(document, file)
        run(procedure, "ocz-vertex-4-512", "3dnews-2012", [*VERTEX_4, *settings], os.path.join(folder, "out"))
        with open(os.path.join(folder, "out", "procedure.csv"), encoding="utf-8") as file:
            return [float(row["MB_per_s"]) for row in csv.DictReader(file)]


def vertex_4(path, scratch):
    figure, axes = plt.subplots(figsize=(8, 3.6))
    axes.plot(DEPTHS, depths([NEW], [], scratch), "o-", label="without data, simulated")
    axes.plot(DEPTHS, depths(FILLED, [], scratch), "s-", label="filled, simulated")
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
    save(figure, path)


def mechanisms(path, scratch):
    """Draws each mechanism switched off alone; the effects do not add up to the total."""
    at, markers = [1, 4, 32], "o^s"
    figure, panels = plt.subplots(1, 2, figsize=(10, 3.8), sharey=True)
    names = list(MECHANISMS)
    for axes, (state, steps) in zip(panels, {"filled": FILLED, "without data": [NEW]}.items()):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            rates = list(pool.map(lambda settings: depths(steps, settings, scratch, at), MECHANISMS.values()))
        for depth, marker, column in zip(at, markers, zip(*rates)):
            axes.plot(column, range(len(names)), marker, fillstyle="none", markersize=7, label=f"{depth} outstanding")
            axes.axvline(column[0], color=axes.lines[-1].get_color(), linewidth=0.6, alpha=0.6)
        axes.set_yticks(range(len(names)), names, fontsize=8)
        axes.set_xlim(0, 600)
        axes.set_xlabel("MB/s")
        axes.set_title(state, fontsize=9)
        axes.grid(axis="y", alpha=0.3)
    panels[0].invert_yaxis()
    panels[1].legend(fontsize=8, loc="center right")
    figure.suptitle("OCZ Vertex 4 512 GB, launch firmware: sequential reads of 128 KiB, simulated with one thing left out", fontsize=10)
    save(figure, path)


def main(arguments):
    folder = arguments[0] if arguments else os.path.join(TOP, "docs")
    with tempfile.TemporaryDirectory() as scratch:
        vertex_4(os.path.join(folder, "vertex-4-depths.png"), scratch)
        mechanisms(os.path.join(folder, "vertex-4-mechanisms.png"), scratch)
        kingston(os.path.join(folder, "kingston-random-writes.png"), scratch)


if __name__ == "__main__":
    main(sys.argv[1:])
