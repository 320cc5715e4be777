"""Throughput and latency over queue depth and block size."""

from __future__ import annotations

from typing import Dict, List, Mapping, Optional

import numpy as np
import pandas as pd

from ftlab.report.figures.over_time import curve_name
from ftlab.report.picture import Axis, Curve, Panel, Picture
from ftlab.report.reading.size import words_of
from ftlab.report.reading.procedure import points_of
from ftlab.report.reading.sources import Sources

SECTION, PLACE = "Over queue depth and block size", 1
DEPTH_CAPTION = "Each point is the mean of a run of a procedure or a job since its beginning."
BLOCK_CAPTION = "Each point is the mean of a run of a procedure or a job since its beginning; KiB are 1024 bytes, MB 10⁶."
MOST_PANELS, MOST_DEPTHS = 8, 12  # of bars over the depth
Points = Dict[str, pd.DataFrame]  # name of a source -> points


def curves_over_depth(points: Points, hues: Optional[Mapping[str, int]] = None) -> Picture:
    """IOPS and mean latency. `points`: columns iodepth, bs (bytes or NaN), group, iops, latency_us_mean (us). One curve
    per group and block size with at least two depths. `hues`: colours of the sources."""
    panels = _panels(points, hues or {}, "iodepth", [
        (Axis("Requests", "IOPS", from_zero=True, switch=True), "iops"),
        (Axis("Mean latency", "µs", log=True, switch=True), "latency_us_mean")])
    axis = Axis("Queue depth", "requests in flight", log=True, ticks=_ticks(points, "iodepth", "{:g}".format))
    return Picture("depth", "Speed and latency over the queue depth", DEPTH_CAPTION, axis, panels)


def curves_over_block_size(points: Points, hues: Optional[Mapping[str, int]] = None) -> Picture:
    """MB/s and IOPS. `points`: columns bs (bytes), iodepth (or NaN), group, MB_per_s (10^6), iops. One curve per group
    and depth with at least two sizes. `hues`: colours of the sources."""
    panels = _panels(points, hues or {}, "bs", [
        (Axis("Throughput", "MB/s", from_zero=True, switch=True), "MB_per_s"),
        (Axis("Requests", "IOPS", log=True, switch=True), "iops")])
    axis = Axis("Block size", "bytes", log=True, ticks=_ticks(points, "bs", words_of))
    return Picture("block-size", "Speed over the block size", BLOCK_CAPTION, axis, panels)


def points_in(sources: Sources, column: str) -> Points:
    """The points of every source that has a curve over the column."""
    points = {p.name: points_of(p) for p in sources.procedures if len(p.rows)}
    points.update({run.name: points_of_jobs(run.jobs) for run in sources.runs if len(run.jobs) > 1})
    points.update({table.name: _of_directions(table.over_depth()) for table in sources.sweeps if table.over_depth()})
    return {name: table for name, table in points.items() if varies(table, column)}


def _of_directions(found: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The points of all directions, which are named if there are several."""
    named = [points.assign(group=points["group"].map(lambda group, of=direction: f"{group}, {of}" if group else of))
             for direction, points in found.items()]
    return pd.concat(named, ignore_index=True) if len(found) > 1 else next(iter(found.values()))


def varies(points: pd.DataFrame, column: str) -> bool:
    """True if any curve over this column would have at least two points."""
    return bool(workloads_of(points, column))


def workloads_of(points: pd.DataFrame, x: str) -> "List[tuple[str, pd.DataFrame]]":
    """The name of each workload with two values of x or more, and its points."""
    other = "bs" if x == "iodepth" else "iodepth"
    return [(", ".join(word for word in (str(group), _fixed_words(points, other, fixed)) if word), rows)
            for (group, fixed), rows in _curves_of(points, x) if len(rows) > 1]


def few_enough(points: Points) -> bool:
    """True if bars over the depth are readable: one source, up to MOST_PANELS workloads and MOST_DEPTHS depths."""
    found = [rows for table in points.values() for _, rows in workloads_of(table, "iodepth")]
    depths = {depth for rows in found for depth in rows["iodepth"]}
    return len(points) == 1 and len(found) <= MOST_PANELS and len(depths) <= MOST_DEPTHS


def points_of_jobs(jobs: pd.DataFrame) -> pd.DataFrame:
    """The jobs of a run as points; jobs of one kind (rw, direction, number of jobs) form a group."""
    kind = jobs["rw"] + np.where(jobs["rw"].isin(["randrw", "rw", "readwrite"]), ", " + jobs["direction"], "")
    clones = jobs["numjobs"].map(lambda n: "" if n == 1 else f", {n:g} jobs")
    return jobs.assign(group=kind + clones)


def _panels(points: Points, hues: Mapping[str, int], x: str, quantities: "List[tuple[Axis, str]]") -> List[Panel]:
    return [Panel(axis, _curves(points, hues, x, column)) for axis, column in quantities]


def _curves(points: Points, hues: Mapping[str, int], x: str, column: str) -> List[Curve]:
    """Colours identify sources and symbols workloads; with one source both identify workloads."""
    several = max(len(points), len(hues)) > 1
    curves: List[Curve] = []
    workloads: List[str] = []
    for place, (source, table) in enumerate(points.items()):
        for name, rows in workloads_of(table, x):
            if name not in workloads:
                workloads.append(name)
            number = workloads.index(name)
            curves.append(Curve(curve_name(source, name or "all", len(points)), rows[x].to_numpy(dtype=float),
                                rows[column].to_numpy(dtype=float), style="both",
                                hue=hues.get(source, place) if several else number, symbol=number,
                                dash=number if several else number // 8))
    return curves


def _curves_of(points: pd.DataFrame, x: str) -> "List[tuple[tuple[object, float], pd.DataFrame]]":
    """The points of each group and other parameter (block size or depth), one per x in ascending order; replicates are
    averaged."""
    other = "bs" if x == "iodepth" else "iodepth"
    known = points[points[x] > 0].assign(fixed=points[other].fillna(-1))
    figures = [c for c in ("iops", "MB_per_s", "latency_us_mean") if c in known]
    return [(key, rows.groupby(x, as_index=False)[figures].mean())
            for key, rows in known.groupby(["group", "fixed"], sort=False)]


def _fixed_words(table: pd.DataFrame, other: str, fixed: float) -> str:
    if fixed < 0 or table[other].nunique() < 2:
        return ""
    return words_of(fixed) if other == "bs" else f"depth {fixed:g}"


def _ticks(points: Points, column: str, words: object) -> Dict[float, str]:
    values = sorted({float(v) for table in points.values() for v in table[column] if v > 0})
    wide = [v for n, v in enumerate(values) if n == 0 or v / values[n - 1] > 1.2 or len(values) < 8]
    return {value: words(value) for value in wide}  # type: ignore[operator]


def figures(sources: Sources) -> List[Picture]:
    """Queue depths only where bars would be too many (figures/depth_bars.py)."""
    over_depth, over_size = (points_in(sources, column) for column in ("iodepth", "bs"))
    pictures = [curves_over_depth(over_depth, sources.hues())] if over_depth and not few_enough(over_depth) else []
    return pictures + ([curves_over_block_size(over_size, sources.hues())] if over_size else [])
