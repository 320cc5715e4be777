#!/usr/bin/env python3
"""Learns configs/intervals.json: within which factor of a simulated figure a real drive's lies in 80 % of cases.

    validation/scoreboard/intervals.py [--ftlab PROGRAM] [--out FILE]

Split conformal prediction (Lei and others, "Distribution-free predictive inference for regression", JASA 2018): the factor of a
class is the 80 % quantile of |log(simulated / measured)| over figures that no number of the drive was fitted to, with the
correction for few figures. Coverage is counted over groups left out in turn (a review, a drive, a host): errors of one group are
alike, so only other groups can tell how far it misses. Prints both for each class.

Classes: what is known of the drive (this-port: fitted to measurements in the same computer; other-port: in another one; sheet:
data sheets and reviews) and the kind of figure (rate, mean latency, percentile, write amplification). A class needs figures of
two groups; those left out are printed.

Limits: coverage holds for drives and workloads like those learned from, of which there are few (printed: groups). Of modern
drives, rows marked `predicted` alone count, but bus, dies and collection of their class were chosen beside them.
"""
import argparse
import csv
import json
import math
import os
import pathlib
import subprocess
import tempfile

TREE = pathlib.Path(__file__).resolve().parents[2]
LEVEL = 0.8
LEAST_GROUPS = 2
# Drive of the library, its measurement, the computer, more options.
MEASURED = {
    "this-port": [("samsung-pm883-480", "samsung_pm883_sata3g", "hp-microserver-gen8", []),
                  ("intel-d3-s4610-480", "intel_d3_s4610_sata3g", "hp-microserver-gen8", [])],
    "other-port": [("samsung-pm883-480", "samsung_pm883_sas6g", "ibm-m1015", []),
                   ("intel-d3-s4610-480", "intel_d3_s4610_sas6g", "ibm-m1015", []),
                   ("intel-d3-s4610-480", "intel_d3_s4610_sata6g", "hp-microserver-gen10", ["--state", "sequential:15%"])],
}
FIGURES = {"iops": "rate", "mean": "mean"}
UNITS = {"MB/s": "rate", "IOPS": "rate", "KiB/s": "rate", "1/s": "rate", "us": "mean", "ms": "mean", "s": "mean"}
EXTREMES = ("peak", "least", "deviation", "longest")  # of single requests: not predicted


def is_number(text):
    try:
        return float(text) > 0
    except ValueError:  # a range, or a comparison with another figure
        return False


def from_measurements(ftlab):
    """Rows (known, figure, group, error) of the library's drives at their measured points; nothing is fitted."""
    with tempfile.TemporaryDirectory() as folder:
        for known, runs in MEASURED.items():
            for number, (drive, sweep, host, more) in enumerate(runs):
                out = pathlib.Path(folder) / f"{known}-{number}"
                subprocess.run([ftlab, "calibrate", "--drive", drive, "--measured", TREE / f"validation/measured/{sweep}.json",
                                "--host", host, "--scale", "32", "--requests", "300", "--figures", "iops,mean", "--report", out, *more],
                               check=True, stdout=subprocess.DEVNULL)
                with open(out / "points.csv", newline="", encoding="utf-8") as file:
                    for row in csv.DictReader(file):
                        yield known, FIGURES[row["figure"]], f"{drive} at {host}", math.log(float(row["after"]) / float(row["measured"]))


def from_board():
    """Predicted figures of the scoreboard that count, without extremes."""
    with open(TREE / "validation/scoreboard/board.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["kind"] == "quantity" and row["basis"] == "predicted" and row["counts"] == "True" and row["error"]:
                numbers = is_number(row["published"]) and is_number(row["simulated"])
                if numbers and row["unit"] in UNITS and not any(word in row["says"] for word in EXTREMES):
                    yield "sheet", UNITS[row["unit"]], row["review"], math.log1p(float(row["error"]))


def from_modern_drives():
    """Rows of the modern drives that are predicted from their data sheets."""
    with open(TREE / "validation/scoreboard/modern_drives.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            kind = "rate" if row["figure"].endswith("MiB/s") else "wa" if row["figure"].startswith("write amplification") else None
            if kind and row["class"] == "predicted":
                yield "sheet", kind, row["drive"], math.log(float(row["simulated"]) / float(row["measured"]))


def quantile(errors):
    """The LEVEL quantile of |error| with the correction for few figures; the largest if they are too few."""
    ordered = sorted(map(abs, errors))
    rank = math.ceil((len(ordered) + 1) * LEVEL)
    return ordered[min(rank, len(ordered)) - 1]


def learned(rows):
    """One class: its factor from all rows, and how many of each group lie within the factor of the other groups."""
    groups = sorted({group for group, _ in rows})
    held = 0
    for left_out in groups:
        factor = quantile([error for group, error in rows if group != left_out])
        held += sum(abs(error) <= factor for group, error in rows if group == left_out)
    return {"factor": round(math.exp(quantile([error for _, error in rows])), 3), "figures": len(rows), "groups": len(groups),
            "held_out_coverage": round(held / len(rows), 3)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ftlab", type=pathlib.Path, default=TREE / "build/bin/ftlab")
    parser.add_argument("--out", type=pathlib.Path, default=TREE / "configs/intervals.json")
    options = parser.parse_args()
    classes = {}
    for known, figure, group, error in (*from_measurements(options.ftlab), *from_board(), *from_modern_drives()):
        classes.setdefault((known, figure), []).append((group, error))
    few = {key: len(rows) for key, rows in classes.items() if len({group for group, _ in rows}) < LEAST_GROUPS}
    table = [{"known": known, "figure": figure, **learned(rows)} for (known, figure), rows in sorted(classes.items())
             if (known, figure) not in few]
    text = json.dumps({"about": "Written by validation/scoreboard/intervals.py, which says how", "level": LEVEL, "classes": "@"}, indent=2)
    lines = ",\n    ".join(json.dumps(one) for one in table)
    partial = options.out.with_suffix(".new")
    partial.write_text(text.replace('"@"', f"[\n    {lines}\n  ]") + "\n", encoding="utf-8")
    os.replace(partial, options.out)
    print(f"{'known':<12}{'figure':<12}{'factor':>8}{'figures':>9}{'groups':>8}{'held out':>10}")
    for one in table:
        print(f"{one['known']:<12}{one['figure']:<12}{one['factor']:>8.3f}{one['figures']:>9}{one['groups']:>8}{one['held_out_coverage']:>10.0%}")
    for (known, figure), figures in sorted(few.items()):
        print(f"{known:<12}{figure:<12}left out: {figures} figures of one group, so coverage of another is not known")
    print(f"For drives and workloads like those learned from: {LEVEL:.0%} of figures, not of each drive's.")


if __name__ == "__main__":
    main()
