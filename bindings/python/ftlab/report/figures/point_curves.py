"""Throughput and latency over queue depth and block size."""

from __future__ import annotations

from typing import Callable, Dict, List, Mapping, Optional, Tuple

import numpy as np
import pandas as pd

from ftlab.report.figures.over_time import curve_name
from ftlab.report.picture import Axis, Columns, Curve, Panel, Picture, unit_of_points
from ftlab.report.reading.fio_json import words_of
from ftlab.report.reading.points import Points, few_enough, points_in, workloads_of
from ftlab.report.reading.sources import Sources

SECTION, PLACE = "Over queue depth and block size", 0
BARS_CAPTION = "Left bar: requests a second. Right bar: mean latency. Both are means of a run or a job since its beginning."
HEADROOM = 1.15  # above the highest bar, for its number


def bars_over_depth(points: Points) -> Picture:
    """One panel per workload. `points`: as for curves_over_depth, of one source."""
    found = [one for table in points.values() for one in workloads_of(table, "iodepth")]
    depths = sorted({float(depth) for _, rows in found for depth in rows["iodepth"]})
    axis = Axis("Queue depth", "requests in flight", ticks={float(n): f"{depth:g}" for n, depth in enumerate(depths)},
                reading=_named(depths))
    unit = unit_of_points(points.values())
    panels = [_panel(name, rows, depths, unit) for name, rows in found]
    return Picture("depth", "IOPS and latency over the queue depth", BARS_CAPTION, axis, panels)


def _panel(name: str, rows: pd.DataFrame, depths: List[float], of_latency: Tuple[float, str]) -> Panel:
    us, unit = of_latency
    iops, latency = rows["iops"].to_numpy(dtype=float), rows["latency_us_mean"].to_numpy(dtype=float) / us
    place = np.array([float(depths.index(depth)) for depth in rows["iodepth"]])
    left, right = (Axis(label, of, from_zero=True, limit=HEADROOM * float(np.nanmax(values)) or 1.0)
                   for label, of, values in (("requests", "IOPS", iops), ("latency", unit, latency)))
    return Panel(left, [Columns("requests", place, place + 1, iops, 0, _texts(iops)),
                        Columns("mean latency", place, place + 1, latency, 1, _texts(latency), right=True)], title=name,
                        right=right)


def _texts(values: np.ndarray) -> List[str]:
    """Three digits; thousands as k, millions as M."""
    steps = ((1e6, "M"), (1e3, "k"), (1.0, ""))
    scaled = [next(((value / step, letter) for step, letter in steps if value >= 0.9995 * step), (value, ""))
              for value in values]
    return [f"{value:#.3g}".rstrip(".") + letter if value == value else "" for value, letter in scaled]


def _named(depths: List[float]) -> Callable[[float], str]:
    return lambda place: f"{depths[round(place)]:g}"


DEPTH_CAPTION = "Each point is the mean of a run of a procedure or a job since its beginning."
BLOCK_CAPTION = "Each point is the mean of a run of a procedure or a job since its beginning; KiB are 1024 bytes, MB 10⁶."


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


def _ticks(points: Points, column: str, words: object) -> Dict[float, str]:
    values = sorted({float(v) for table in points.values() for v in table[column] if v > 0})
    wide = [v for n, v in enumerate(values) if n == 0 or v / values[n - 1] > 1.2 or len(values) < 8]
    return {value: words(value) for value in wide}  # type: ignore[operator]


def figures(sources: Sources) -> List[Picture]:
    """Queue depths as bars, and as curves where bars would be too many."""
    depths, sizes, hues = points_in(sources, "iodepth"), points_in(sources, "bs"), sources.hues()
    pictures = [bars_over_depth(depths) if few_enough(depths) else curves_over_depth(depths, hues)] if depths else []
    return pictures + ([curves_over_block_size(sizes, hues)] if sizes else [])
