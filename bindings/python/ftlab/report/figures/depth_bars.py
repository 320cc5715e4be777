"""IOPS and latency over the queue depth as bars side by side, as fio-plot draws them."""

from __future__ import annotations

from typing import Callable, List, Tuple

import numpy as np
import pandas as pd

from ftlab.report.figures.units import unit_of_points
from ftlab.report.picture import Axis, Columns, Panel, Picture
from ftlab.report.reading.points import Points, few_enough, points_in, workloads_of
from ftlab.report.reading.sources import Sources

SECTION, PLACE = "Over queue depth and block size", 0
CAPTION = "Left bar: requests a second. Right bar: mean latency. Both are means of a run or a job since its beginning."
HEADROOM = 1.15  # above the highest bar, for its number


def bars_over_depth(points: Points) -> Picture:
    """One panel per workload. `points`: as for curves_over_depth, of one source."""
    found = [one for table in points.values() for one in workloads_of(table, "iodepth")]
    depths = sorted({float(depth) for _, rows in found for depth in rows["iodepth"]})
    axis = Axis("Queue depth", "requests in flight", ticks={float(n): f"{depth:g}" for n, depth in enumerate(depths)},
                reading=_named(depths))
    unit = unit_of_points(points.values())
    panels = [_panel(name, rows, depths, unit) for name, rows in found]
    return Picture("depth", "IOPS and latency over the queue depth", CAPTION, axis, panels)


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


def figures(sources: Sources) -> List[Picture]:
    points = points_in(sources, "iodepth")
    return [bars_over_depth(points)] if points and few_enough(points) else []
