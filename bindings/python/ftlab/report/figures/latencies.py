"""Latencies over time."""

from __future__ import annotations

from typing import List

import pandas as pd

from ftlab.report.figures.latency_unit import latency_unit
from ftlab.report.figures.over_time import DIRECTIONS, Frames, has_column, over_time
from ftlab.report.picture import Axis, Picture
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import frames, with_notes

SECTION, PLACE = "Over time", 2
QUANTITIES = ("mean", "p99", "max")
CAPTION = (
    "Mean, 99th percentile and greatest latency of the requests that ended in each interval, drawn at its"
    " end.")


def latencies_over_time(frames: Frames) -> Picture:
    """A panel for each direction. `frames`: name of a run -> series, columns t_s (s) and
    latency_DIRECTION_us_QUANTITY (microseconds; drawn in
    the unit that suits them)."""
    us, unit = latency_unit(frame[_columns(frame)].to_numpy() for frame in frames.values())
    scaled = {run: frame.assign(**{name: frame[name] / us for name in _columns(frame)})
              for run, frame in frames.items()}
    panels = []
    for direction in DIRECTIONS:
        columns = {f"latency_{direction}_us_{quantity}": (quantity, "points") for quantity in QUANTITIES}
        if has_column(frames, list(columns)):
            panels.append((Axis(f"Latency, {direction}", unit, log=True, switch=True), columns))
    return over_time("latencies", "Latency over time", CAPTION, scaled, panels)


def _columns(frame: pd.DataFrame) -> List[str]:
    return [name for name in frame if name.startswith("latency_")]


def figures(sources: Sources) -> List[Picture]:
    found = frames(sources)
    columns = [c for frame in found.values() for c in frame if c.startswith("latency_")]
    return [with_notes(latencies_over_time(found), sources)] if has_column(found, columns) else []
