#!/usr/bin/env python3
"""Compares every SSD of the library with its published figures: published, simulated, error.

    validation/scoreboard/drives_at_a_glance.py [DRIVE ...] [--scale N] [--set KEY=VALUE ...]

The same short jobs run on each drive: new, filled, overwritten at random. A row without a published figure shows only the
simulated one. Drives are scaled to an eighth, so that filling takes seconds: blocks have an eighth of the pages and erase in
an eighth of the time, and user capacity shrinks as much. So the number of superblocks, the over-provisioning and the share
of time spent erasing stay the same; spans are stated in bytes. Filling and random overwriting take no simulated time.
Several published figures of one row are shown one by one; `>` and `<` are bounds.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

BUILT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "build", "bin")
FTLAB = os.path.join(os.environ.get("FTLAB_BIN", BUILT), "ftlab")
PAGES, ERASE, USER = "geometry.pages_per_block", "nand.erase_ns", "user_sectors"
# The host takes 12 us per request (fio-plot benchmark data, one job at queue depth 1): half to submit, half to complete.
HOST = ["host.submit_ns=6000", "host.complete_ns=6000", "host.cores=4"]
LINK_3G = ["link.kind=sata-3", "link.read_command_ns=4390", "link.write_command_ns=5170"]
SAME = "zero_buffers"                # compressible to almost nothing: Iometer's repeating bytes
RANDOM = "refill_buffers"            # not compressible
SPAN = "size=8g"
DEEP = ["numjobs=4", "iodepth=8", "group_reporting"]
FRESH, HALF, FILLED, TORTURED, WORN = "new", "60 % full", "filled", "tortured", "overwritten"
TORTURE_SECONDS = 1200  # of 4 KiB random writes over the whole drive (AnandTech), divided by the scale


class Test:
    """One job of the table: its name, the drive's state before it, its fio lines, and the seconds it is measured. In state
    WORN these are for the whole drive and are divided by the scale, so that GC runs equally often."""

    def __init__(self, name, state, lines, seconds):
        self.name, self.state, self.lines, self.seconds = name, state, lines, seconds


TESTS = [
    Test("read of unwritten 128k QD4", FRESH, ["rw=read", "bs=128k", "iodepth=4"], 1),
    Test("read of unwritten 4k QD32", FRESH, ["rw=randread", "bs=4k", SPAN, *DEEP], 1),
    Test("sequential write 128k QD32, random data", FRESH, ["rw=write", "bs=128k", "iodepth=32", RANDOM], 4),
    Test("sequential write 128k QD32, same bytes", FRESH, ["rw=write", "bs=128k", "iodepth=32", SAME], 4),
    Test("sequential write 128k QD1, random data", FRESH, ["rw=write", "bs=128k", "iodepth=1", RANDOM], 2),
    Test("random write 4k QD1, random data", FRESH, ["rw=randwrite", "bs=4k", "iodepth=1", SPAN, RANDOM], 1),
    Test("random write 4k QD1, same bytes", FRESH, ["rw=randwrite", "bs=4k", "iodepth=1", SPAN, SAME], 1),
    Test("random write 4k QD3, random data", FRESH, ["rw=randwrite", "bs=4k", "iodepth=3", SPAN, RANDOM], 1),
    Test("random write 4k QD32, random data", FRESH, ["rw=randwrite", "bs=4k", SPAN, RANDOM, *DEEP], 1),
    Test("random write 4k QD32, same bytes", FRESH, ["rw=randwrite", "bs=4k", SPAN, SAME, *DEEP], 1),
    Test("sequential write 128k QD32, over half full", HALF, ["rw=write", "bs=128k", "iodepth=32", "offset=62%", RANDOM], 3),
    Test("sequential read 128k QD1", FILLED, ["rw=read", "bs=128k", "iodepth=1"], 2),
    Test("sequential read 128k QD4", FILLED, ["rw=read", "bs=128k", "iodepth=4"], 2),
    Test("sequential read 128k QD32", FILLED, ["rw=read", "bs=128k", "iodepth=32"], 2),
    Test("random read 4k QD1", FILLED, ["rw=randread", "bs=4k", "iodepth=1", "size=1g"], 1),
    Test("random read 4k QD3", FILLED, ["rw=randread", "bs=4k", "iodepth=3", SPAN], 1),
    Test("random read 4k QD32", FILLED, ["rw=randread", "bs=4k", SPAN, *DEEP], 1),
    Test("sequential write 128k QD32, rewritten", FILLED, ["rw=write", "bs=128k", "iodepth=32", RANDOM], 3),
    Test("sequential write 128k QD32, tortured", TORTURED, ["rw=write", "bs=128k", "iodepth=32", "size=1g", RANDOM], 3),
    Test("random write 4k QD32, whole drive", WORN, ["rw=randwrite", "bs=4k", "norandommap", RANDOM, *DEEP], 48),
    Test("sequential write 128k QD32 after it", WORN, ["rw=write", "bs=128k", "iodepth=32", RANDOM], 48),
]

# By drive and test: figures in MB/s (a string is a bound or a range), each with its source.
PUBLISHED = {
    "ocz-vertex-3-240": {
        "sequential write 128k QD32, random data": [(284.4, "AnandTech, AS SSD"), (300, "Tom's Hardware, 'close to'")],
        "sequential write 128k QD32, same bytes": [(">500", "Tom's Hardware, 3 against 6 Gb/s")],
        "random write 4k QD32, same bytes": [(245.8, "Tom's Hardware: 60,000/s")],
        "sequential read 128k QD1": [(370, "Tom's Hardware, Samsung 840 Pro")],
        "read of unwritten 4k QD32": [(">400", "Tom's Hardware, Vertex 4, raw drive")],
        "sequential write 128k QD32, tortured": [(278.5, "AnandTech, AS SSD")],
    },
    "ocz-vertex-3-480": {
        "sequential read 128k QD4": [(">400", "3DNews, at least twice the Vertex 4")],
    },
    "intel-520-240": {
        "sequential write 128k QD32, same bytes": [(520, "Intel 325968-001US, rated")],
        "sequential read 128k QD4": [(">400", "3DNews, at least twice the Vertex 4")],
        "sequential read 128k QD32": [(550, "Intel 325968-001US, rated")],
        "random read 4k QD3": [(60, "AnandTech, Intel SSD 520")],
        "random read 4k QD32": [(204.8, "Intel 325968-001US: 50,000/s rated")],
        "random write 4k QD32, same bytes": [(327.7, "Intel 325968-001US: 80,000/s rated")],
    },
    "intel-530-180": {
        "sequential write 128k QD32, random data": [(303, "ComputerBase, AS SSD, 240 GB")],
        "sequential write 128k QD32, same bytes": [(490, "Intel 530 (M.2), rated")],
        "sequential write 128k QD32, rewritten": [(241.5, "ComputerBase, AS SSD, 240 GB in normal use")],
        "sequential read 128k QD32": [(494.5, "ComputerBase, AS SSD, 240 GB"), (540, "Intel 530 (M.2), rated")],
        "random read 4k QD1": [(20.8, "ComputerBase, AS SSD, 240 GB")],
        "random read 4k QD32": [(207.2, "ComputerBase, AS SSD, 240 GB")],
        "random write 4k QD1, random data": [(70.2, "ComputerBase, AS SSD, 240 GB")],
        "random write 4k QD32, same bytes": [(327.7, "Intel 530 (M.2): 80,000/s rated")],
        "sequential write 128k QD32, tortured": [(85.2, "ComputerBase, 240 GB 'heavily used', how is not stated")],
    },
    "patriot-wildfire-120": {
        "sequential write 128k QD32, random data": [(253, "StorageReview, CrystalDiskMark"), (246, "bit-tech, AS SSD")],
        "sequential write 128k QD32, same bytes": [(520, "PC Perspective, rated")],
        "sequential read 128k QD32": [(519, "bit-tech, AS SSD"), (555, "PC Perspective, rated")],
        "random read 4k QD1": [(20, "bit-tech, AS SSD")],
        "random read 4k QD32": [(180.2, "StorageReview: 44,000/s")],
        "random write 4k QD1, random data": [(106, "bit-tech, AS SSD"), (81.4, "StorageReview: 0.0503 ms")],
        "random write 4k QD1, same bytes": [(80.3, "StorageReview: 0.0510 ms")],
    },
    "patriot-wildfire-120-worn": {
        "sequential write 128k QD32, random data": [(262, "StorageReview, Iometer: 9 more than new")],
        "random read 4k QD32": [(225.3, "StorageReview: 55,000/s, another firmware, not fitted")],
        "random write 4k QD1, random data": [(82.1, "StorageReview: 0.0499 ms")],
        "random write 4k QD1, same bytes": [(85.7, "StorageReview: 0.0478 ms")],
        "sequential write 128k QD32, rewritten": [(183, "StorageReview, CrystalDiskMark in the filled drive")],
    },
    "ocz-vertex-4-512": {
        "sequential write 128k QD32, random data": [(475, "rated, recalled")],
        "read of unwritten 128k QD4": [(205, "3DNews; Tom's Hardware, raw drive")],
        "read of unwritten 4k QD32": [(205, "Tom's Hardware, raw drive")],
        "sequential read 128k QD1": [(210, "Tom's Hardware, formatted")],
        "sequential read 128k QD32": [(480, "Tom's Hardware, formatted, QD16")],
        "random read 4k QD1": [(20, "Tom's Hardware, formatted")],
    },
    "ocz-vertex-4-256": {
        "sequential write 128k QD32, random data": [(380, "rated, recalled")],
        "read of unwritten 128k QD4": [(205, "3DNews; Tom's Hardware, raw drive")],
        "read of unwritten 4k QD32": [(205, "Tom's Hardware, raw drive")],
    },
    "ocz-vertex-4-256-fw-1.5": {
        "sequential write 128k QD32, random data": [(481.1, "ComputerBase, AS SSD")],
        "random write 4k QD1, random data": [(76.2, "ComputerBase, AS SSD")],
        "sequential read 128k QD32": [(513.2, "ComputerBase, AS SSD")],
        "random read 4k QD1": [(25.6, "ComputerBase, AS SSD")],
        "random read 4k QD32": [(333.2, "ComputerBase, AS SSD")],
        "sequential write 128k QD32, over half full": [(411.3, "ComputerBase, AS SSD")],
    },
    "ocz-vertex-4-512-fw-1.5": {},
    "crucial-m4-256": {
        "sequential write 128k QD32, random data": [(250, "AnandTech, m4 FW0009")],
        "random write 4k QD3, random data": [(">200", "AnandTech, Crucial m4")],
        "random write 4k QD32, random data": [(216.7, "Tom's Hardware, AS SSD")],
        "sequential read 128k QD1": [(370, "Tom's Hardware, Samsung 840 Pro")],
        "random read 4k QD32": [(">200", "Tom's Hardware, 3 against 6 Gb/s")],
    },
    "plextor-m3-pro-256": {
        "sequential write 128k QD32, random data": [(420, "rated, recalled")],
        "sequential read 128k QD1": [(361, "AnandTech, M3 Pro: 10.7 above the M3")],
        "sequential read 128k QD32": [(540, "rated, recalled")],
        "random read 4k QD32": [(307, "rated, recalled")],
    },
    "plextor-m2s-256": {
        "sequential read 128k QD4": [(">400", "3DNews, at least twice the Vertex 4")],
    },
    "samsung-830-256": {
        "sequential write 128k QD32, random data": [(400, "Tom's Hardware, 3 against 6 Gb/s")],
        "sequential read 128k QD1": [(470, "Tom's Hardware, Samsung 840 Pro")],
        "sequential read 128k QD32": [(520, "rated, recalled")],
    },
    "intel-320-300": {
        "sequential write 128k QD32, random data": [(205, "Guru3D, rated")],
        "sequential read 128k QD32": [(270, "Guru3D, rated")],
        "random read 4k QD32": [(204.8, "Tom's Hardware: 50,000/s"), (161.8, "Intel 325152-001US: 39,500/s rated")],
        "random write 4k QD32, random data": [(110, "Tom's Hardware, 3 against 6 Gb/s"),
                                              (94.2, "Intel 325152-001US: 23,000/s rated")],
    },
    "intel-x25-m-160": {
        "sequential write 128k QD32, random data": [(100, "AnandTech, OCZ Vertex 2 Pro preview")],
        "random read 4k QD32": [(204.8, "Tom's Hardware: 50,000/s"), (143.4, "AnandTech: 35,000/s rated")],
        "random write 4k QD32, random data": [(35.2, "AnandTech: 8,600/s rated")],
    },
    "crucial-mx200-250": {},
}
# With a port of 3 Gb/s.
PUBLISHED_3G = {
    "crucial-m4-256": {
        "random read 4k QD32": [(200, "Tom's Hardware, 3 against 6 Gb/s")],
        "random write 4k QD32, random data": [(180, "Tom's Hardware, 3 against 6 Gb/s")],
    },
    "ocz-vertex-3-240": {
        "sequential write 128k QD32, random data": [(240, "Tom's Hardware, 3 against 6 Gb/s")],
        "sequential write 128k QD32, same bytes": [("180-280", "Tom's Hardware, 3 against 6 Gb/s")],
        "random read 4k QD32": [(200, "Tom's Hardware, 3 against 6 Gb/s")],
        "random write 4k QD32, same bytes": [(180, "Tom's Hardware, 3 against 6 Gb/s")],
        "sequential read 128k QD32": [("200-300", "Tom's Hardware, 3 against 6 Gb/s")],
    },
    "samsung-830-256": {
        "random read 4k QD32": [(200, "Tom's Hardware, 3 against 6 Gb/s")],
        "sequential read 128k QD32": [("200-300", "Tom's Hardware, 3 against 6 Gb/s")],
    },
    "crucial-mx200-250": {
        "random read 4k QD1": [(29.2, "fio-plot benchmark data: 7,140/s")],
        "random read 4k QD32": [(216.8, "fio-plot benchmark data")],
        "random write 4k QD32, whole drive": [(28.7, "fio-plot benchmark data, aged")],
    },
}
# Ratios between drives: test, faster, slower, factor, source.
RATIOS = [
    ("random read 4k QD3", "plextor-m3-pro-256", "crucial-m4-256", 1.5, "AnandTech, M3: 1.47; Pro 1 to 3 % more"),
    ("random write 4k QD3, random data", "crucial-m4-256", "plextor-m3-pro-256", 1.33, "AnandTech, M3"),
]


def scaled(drive, scale):
    """The scale, doubled for drives above 400 GB, and the --set arguments that make the drive smaller by this factor."""
    shown = run([FTLAB, "drives", "show", drive]).splitlines()
    values = {line.split()[0]: int(line.split()[1]) for line in shown if line.startswith((PAGES, ERASE, USER))}
    scale *= 2 if values[USER] > 800_000_000 else 1
    sectors = values[USER] // scale // 8 * 8
    return scale, [f"{PAGES}={values[PAGES] // scale}", f"{ERASE}={values[ERASE] // scale}", f"{USER}={sectors}"]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr.strip()}")
    return done.stdout


def steps(tests, scale):
    """Steps of all tests of one drive, state by state. The tests of the new drive write only a small part of it."""
    torture = ["rw=randwrite", "bs=4k", "norandommap", RANDOM, *DEEP, "time_based", f"runtime={TORTURE_SECONDS // scale}s"]
    into = {
        FRESH: [{"step": "purge", "how": "new-drive"}],
        HALF: [{"step": "purge", "how": "new-drive"}, {"step": "job", "measured": False,
                "lines": ["rw=write", "bs=128k", "iodepth=32", "size=60%", RANDOM]}],
        FILLED: [{"step": "purge", "how": "new-drive"}, {"step": "age", "pattern": "sequential"}],
        TORTURED: [{"step": "job", "measured": False, "lines": torture}],  # continues from FILLED
        WORN: [{"step": "age", "pattern": "random"}],                      # continues from FILLED or TORTURED
    }
    out, before = [], None
    for number, test in enumerate(tests):
        if test.state != before:
            out += into[test.state]
        before = test.state
        lines = [*test.lines, "time_based", "ramp_time=500ms", "randrepeat=0",
                 f"runtime={test.seconds if test.state != WORN else test.seconds / scale:g}s"]
        out.append({"step": "job", "name": f"test-{number}", "keep": False, "lines": lines})
    return out


def measure(drive, tests, settings, scale):
    """MB/s and write amplification by test."""
    with tempfile.TemporaryDirectory() as folder:
        procedure = os.path.join(folder, "glance.json")
        with open(procedure, "w", encoding="utf-8") as file:
            json.dump({"name": "glance", "steps": steps(tests, scale)}, file)
        command = [FTLAB, "run", procedure, "--drive", drive, "--out", os.path.join(folder, "out")]
        run(command + [word for s in settings for word in ("--set", s)])
        with open(os.path.join(folder, "out", "procedure.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    return {test.name: (float(row["MB_per_s"]), float(row["wa"] or 0)) for test, row in zip(tests, rows)}


def error_of(published, simulated):
    """The deviation in per cent, or whether a bound holds."""
    if isinstance(published, str):
        if "-" in published:
            low, high = map(float, published.split("-"))
            return "holds" if low <= simulated <= high else "MISSED"
        bound = float(published[1:])
        return "holds" if (simulated > bound) == (published[0] == ">") else "MISSED"
    return f"{100 * (simulated / published - 1):+.1f} %"


def print_rows(title, measured, published, only_published):
    print(f"\n{title}\n  {'':42} {'published':>9} {'simulated':>9} {'error':>8}   source")
    errors = []
    for name, (speed, wa) in measured.items():
        for figure, source in published.get(name, []):
            error = error_of(figure, speed)
            errors += [abs(speed / figure - 1)] if not isinstance(figure, str) else []
            print(f"  {name:42} {figure:>9} {speed:9.1f} {error:>8}   {source}")
        if name not in published and not only_published:
            print(f"  {name:42} {'':>9} {speed:9.1f} {'':>8}   " + (f"WA {wa:.2f}" if wa else ""))
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("drives", nargs="*", metavar="DRIVE", help="default: all with a table here")
    parser.add_argument("--scale", type=int, default=8, help="how many times smaller than the drive (default 8)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="key of the drive file; repeatable")
    parser.add_argument("--published-only", action="store_true", help="no rows without a published figure")
    arguments = parser.parse_args()
    errors, all_measured = [], {}
    for drive in arguments.drives or PUBLISHED:
        began = time.monotonic()
        scale, smaller = scaled(drive, arguments.scale)
        settings = smaller + HOST + arguments.set
        tests = [test for test in TESTS if test.state != TORTURED or test.name in PUBLISHED.get(drive, {})]
        measured = all_measured[drive] = measure(drive, tests, settings, scale)
        took = time.monotonic() - began
        errors += print_rows(f"{drive} ({took:.0f} s)", measured, PUBLISHED.get(drive, {}), arguments.published_only)
        if drive in PUBLISHED_3G:
            tests = [test for test in TESTS if test.name in PUBLISHED_3G[drive]]
            measured = measure(drive, tests, settings + LINK_3G, scale)
            errors += print_rows(f"{drive}, port of 3 Gb/s", measured, PUBLISHED_3G[drive], True)
    for name, fast, slow, factor, source in RATIOS:
        if fast in all_measured and slow in all_measured:
            ratio = all_measured[fast][name][0] / all_measured[slow][name][0]
            errors.append(abs(ratio / factor - 1))
            print(f"\n{name}: {fast} over {slow}: published {factor}, simulated {ratio:.2f} ({source})")
    errors.sort()
    if errors:
        print(f"\n{len(errors)} figures: median error {100 * errors[len(errors) // 2]:.1f} %, "
              f"95th percentile {100 * errors[min(len(errors) - 1, int(0.95 * len(errors)))]:.1f} %")


if __name__ == "__main__":
    main()
