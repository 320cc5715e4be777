#!/usr/bin/env python3
"""Learns configs/intervals.json: within which factor of a simulated figure a real drive's lies in 80 % of cases.

    validation/scoreboard/intervals.py [--ftlab PROGRAM] [--out FILE] [--picture FILE]

Split conformal prediction (Lei and others, "Distribution-free predictive inference for regression", JASA 2018): the factor
of a class is the ceil((n + 1) level)-th smallest |log(simulated / measured)| of its n figures. That holds for figures that are
exchangeable, but those of one group (a review, a drive in a host) miss alike, so a new group is covered less often (Dunn and
others, "Distribution-free prediction sets for two-layer hierarchical models", JASA 2023). Hence the level is not LEVEL itself
but the least above it with which groups, left out in turn, are covered by the factor of the others in LEVEL of their figures,
and in the mean of the groups, so that one with many figures does not hide the others. Prints both. --picture draws the
coverage of groups left out against the level (needs the Python package).

Classes: what is known of the drive (this-port: fitted to measurements in the same computer; other-port: in another one;
sheet: data sheets and reviews), the kind of figure (rate, mean latency, percentile, write amplification), and the load:
saturated if requests wait longer than they are served, here: if the simulated mean latency is more than twice that of one
request at a time; contended if, moreover, several jobs run: computers give the places of a full queue to them unevenly, which
the simulation does not, so percentiles miss more. Figures of reviews are not told apart by load. A class needs figures of two
groups, not nearly all of one, each covered by the others; a class of this-port that is not takes those of other-port in, and
covers more.
`percentile` is of all percentiles, for those without a class.

Limits: coverage holds for drives and workloads like those learned from, of which there are few (printed: groups). Drives of
this-port were fitted to a part of their points. Rates of modern drives count where they are `predicted`, but bus, dies,
collection, caches and folding of their class were chosen beside them, and three suspension times by their percentiles, below
saturation; the number of commands that a controller works on at once beside the P4510.
"""
import argparse
import csv
import json
import math
import os
import pathlib
import subprocess
import tempfile
from typing import Any, Iterator, NamedTuple

TREE = pathlib.Path(__file__).resolve().parents[2]
LEVEL = 0.8
LEAST_GROUPS = 2
LARGEST_SHARE = 0.9  # of the figures of a class, in one group
WAITS = 2  # latency over that of one request at a time: requests wait as long as they are served
# Drive of the library, its measurement, the computer, more options.
MEASURED = {
    "this-port": [("samsung-pm883-480", "samsung_pm883_sata3g", "hp-microserver-gen8", []),
                  ("intel-d3-s4610-480", "intel_d3_s4610_sata3g", "hp-microserver-gen8", [])],
    "other-port": [("samsung-pm883-480", "samsung_pm883_sas6g", "ibm-m1015", []),
                   ("intel-d3-s4610-480", "intel_d3_s4610_sas6g", "ibm-m1015", []),
                   ("intel-d3-s4610-480", "intel_d3_s4610_sata6g", "hp-microserver-gen10", ["--state", "sequential:15%"])],
}
FIGURES = {"iops": "rate"}  # others have the name of their class
PERCENTILES = ("p50", "p95", "p99")
UNITS = {"MB/s": "rate", "IOPS": "rate", "KiB/s": "rate", "1/s": "rate", "us": "mean", "ms": "mean", "s": "mean"}
EXTREMES = ("peak", "least", "deviation", "longest")  # of single requests: not predicted


def is_number(text: str) -> bool:
    try:
        return float(text) > 0
    except ValueError:  # a range, or a comparison with another figure
        return False


class Missed(NamedTuple):
    """log(simulated / measured) of a figure."""
    known: str
    figure: str
    load: str
    group: str
    error: float


class Class(NamedTuple):
    known: str
    figure: str
    load: str
    groups: dict[str, list[float]]
    wider: list[float]  # errors of drives of which less is known

    def errors(self) -> list[float]:
        return [error for group in self.groups.values() for error in group]

    def figures(self) -> int:
        return sum(map(len, self.groups.values()))


def loaded(latency: float, alone: float, jobs: int) -> str:
    if latency <= WAITS * alone:
        return "below"
    return "contended" if jobs > 1 else "saturated"


def from_measurements(ftlab: pathlib.Path) -> Iterator[Missed]:
    """The library's drives at their measured points; nothing is fitted."""
    with tempfile.TemporaryDirectory() as folder:
        for known, runs in MEASURED.items():
            for number, (drive, sweep, host, more) in enumerate(runs):
                out = pathlib.Path(folder) / f"{known}-{number}"
                subprocess.run([ftlab, "calibrate", "--drive", drive, "--measured", TREE / f"validation/measured/{sweep}.json",
                                "--host", host, "--scale", "32", "--requests", "300", "--figures", "iops,mean,p50,p95,p99",
                                "--report", out, *more], check=True, stdout=subprocess.DEVNULL)
                with open(out / "points.csv", newline="", encoding="utf-8") as file:
                    rows = list(csv.DictReader(file))
                means = {point_of(row): float(row["after"]) for row in rows if row["figure"] == "mean"}
                for row in rows:
                    load = loaded(means[point_of(row)], means[(*point_of(row)[:3], "1", "1")], int(row["jobs"]))
                    yield Missed(known, FIGURES.get(row["figure"], row["figure"]), load, f"{drive} at {host}",
                                 math.log(float(row["after"]) / float(row["measured"])))


def point_of(row: dict[str, str]) -> tuple[str, ...]:
    return tuple(row[name] for name in ("rw", "bs", "direction", "depth", "jobs"))


def from_board() -> Iterator[Missed]:
    """Predicted figures of the scoreboard that count, without extremes."""
    with open(TREE / "validation/scoreboard/board.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["kind"] == "quantity" and row["basis"] == "predicted" and row["counts"] == "True" and row["error"]:
                numbers = is_number(row["published"]) and is_number(row["simulated"])
                if numbers and row["unit"] in UNITS and not any(word in row["says"] for word in EXTREMES):
                    yield Missed("sheet", UNITS[row["unit"]], "any", row["review"], math.log1p(float(row["error"])))


def from_modern_drives() -> Iterator[Missed]:
    """Rates and write amplification that are predicted from data sheets, and percentiles of reads below saturation."""
    with open(TREE / "validation/scoreboard/modern_drives.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    alone: dict[str, float] = {}  # median of reads at the lowest load
    for row in rows:
        error = math.log(float(row["simulated"]) / float(row["measured"]))
        if row["figure"].startswith("read p50"):
            alone.setdefault(row["drive"], float(row["simulated"]))
            median = float(row["simulated"])
        if row["figure"].startswith("read p"):
            yield Missed("sheet", row["figure"].split()[1], loaded(median, alone[row["drive"]], jobs=2), row["drive"], error)
        elif row["class"] == "predicted":
            yield Missed("sheet", "rate" if row["figure"].endswith("MiB/s") else "wa", "any", row["drive"], error)


def from_p4510() -> Iterator[Missed]:
    """A drive from its data sheet."""
    with open(TREE / "validation/scoreboard/p4510.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            load = "any" if row["figure"] == "rate" else row["load"]
            yield Missed("sheet", row["figure"], load, "P4510", math.log(float(row["simulated"]) / float(row["measured"])))


def from_fills() -> Iterator[Missed]:
    """Mean rates at which client drives are filled, by the prior of their caches."""
    with open(TREE / "validation/scoreboard/sustained_writes.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["cache_known_from"] == "sheet":
                yield Missed("sheet", "rate", "any", row["drive"], math.log1p(float(row["error"])))


def quantile(errors: list[float], level: float) -> float:
    """The quantile of |error| with the correction for few figures; the largest if they are too few."""
    ordered = sorted(map(abs, errors))
    rank = math.ceil((len(ordered) + 1) * level)
    return ordered[min(rank, len(ordered)) - 1]


def held_out(one: Class, level: float) -> float:
    """The share of the figures that lie within the factor of the other groups, each group left out in turn: of all figures, or
    the mean of the groups' shares if that is less."""
    shares = {}
    for left_out, errors in one.groups.items():
        others = [error for group, more in one.groups.items() if group != left_out for error in more]
        factor = quantile(others + one.wider, level)
        shares[left_out] = sum(abs(error) <= factor for error in errors) / len(errors)
    of_figures = sum(share * len(one.groups[group]) for group, share in shares.items()) / one.figures()
    return min(of_figures, sum(shares.values()) / len(shares))


def level_of(one: Class) -> float:
    """The least level, in thousandths, with which groups left out are covered; 0 if none suffices."""
    return next((step / 1000 for step in range(round(1000 * LEVEL), 1001) if held_out(one, step / 1000) >= LEVEL), 0)


def learned(one: Class) -> dict[str, Any]:
    level = level_of(one)
    factor = math.exp(quantile(one.errors() + one.wider, level))
    return {"known": one.known, "figure": one.figure, "load": one.load, "factor": math.ceil(1000 * factor) / 1000,
            "at_level": level, "figures": one.figures(), "groups": len(one.groups), "held_out_coverage": round(held_out(one, level), 3)}


def classes_of(missed: Iterator[Missed]) -> tuple[list[Class], list[Class]]:
    """Classes with an interval, and those without."""
    every: dict[tuple[str, str, str], Class] = {}

    def add(one: Missed, figure: str) -> None:
        key = (one.known, figure, one.load)
        every.setdefault(key, Class(*key, {}, [])).groups.setdefault(one.group, []).append(one.error)

    for one in missed:
        add(one, one.figure)
        if one.figure in PERCENTILES:
            add(one, "percentile")
    good, bad = [], []
    for (known, figure, load), one in sorted(every.items()):
        several = len(one.groups) >= LEAST_GROUPS and max(map(len, one.groups.values())) <= LARGEST_SHARE * one.figures()
        if several and not level_of(one) and known == "this-port":
            one = one._replace(wider=every["other-port", figure, load].errors())
        (good if several and level_of(one) else bad).append(one)
    names = {(one.known, one.load, one.figure) for one in good}
    lacking = {(known, load) for known, load, _ in names if any((known, load, name) not in names for name in PERCENTILES)}
    return [one for one in good if one.figure != "percentile" or (one.known, one.load) in lacking], bad


def picture(classes: list[Class], path: pathlib.Path) -> None:
    """A reliability diagram: coverage of groups left out against the level of the quantile."""
    import numpy as np
    from ftlab.report import Axis, Curve, Panel, Picture
    levels, panels = np.arange(5, 50) / 50, []
    for known in dict.fromkeys(one.known for one in classes):
        curves = [Curve(f"{one.figure}, {one.load}", levels, np.array([held_out(one, level) for level in levels]), "line", n % 8,
                        dash=n // 8) for n, one in enumerate(one for one in classes if one.known == known)]
        equal = Curve("equal", np.array([0.0, 1.0]), np.array([0.0, 1.0]), "line", 7, dash=2)
        panels.append(Panel(Axis("share covered, of groups left out", from_zero=True, limit=1), [equal, *curves], title=known))
    path.write_bytes(Picture("intervals", "Coverage of groups left out", "", Axis("Level of the quantile"), panels).png())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--ftlab", type=pathlib.Path, default=TREE / "build/bin/ftlab")
    parser.add_argument("--out", type=pathlib.Path, default=TREE / "configs/intervals.json")
    parser.add_argument("--picture", type=pathlib.Path, help="also draw a reliability diagram into this file")
    options = parser.parse_args()
    classes, without = classes_of((*from_measurements(options.ftlab), *from_board(), *from_modern_drives(), *from_p4510(), *from_fills()))
    table = [learned(one) for one in classes]
    whole = {"about": "Written by validation/scoreboard/intervals.py, which says how", "level": LEVEL, "classes": "@"}
    text = json.dumps(whole, indent=2)
    lines = ",\n    ".join(json.dumps(one) for one in table)
    partial = options.out.with_suffix(".new")
    partial.write_text(text.replace('"@"', f"[\n    {lines}\n  ]") + "\n", encoding="utf-8")
    os.replace(partial, options.out)
    print(f"{'known':<12}{'figure':<12}{'load':<11}{'factor':>8}{'level':>7}{'figures':>9}{'groups':>8}{'held out':>10}")
    for row in table:
        print(f"{row['known']:<12}{row['figure']:<12}{row['load']:<11}{row['factor']:>8.3f}{row['at_level']:>7.3f}"
              f"{row['figures']:>9}{row['groups']:>8}{row['held_out_coverage']:>10.0%}")
    for one in without:
        print(f"{one.known:<12}{one.figure:<12}{one.load:<11}none: {one.figures()} figures, {len(one.groups)} groups: nearly "
              "all of one, or left out one is not covered by the others")
    print(f"For drives and workloads like those learned from: {LEVEL:.0%} of figures, not of each drive's.")
    if options.picture:
        picture(classes, options.picture)


if __name__ == "__main__":
    main()
