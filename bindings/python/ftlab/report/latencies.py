"""Latencies over time."""

from __future__ import annotations

from ftlab.report.over_time import DIRECTIONS, Frames, has_column, over_time
from ftlab.report.picture import Axis, Picture

QUANTITIES = ("mean", "p99", "max")
CAPTION = ("Mean, 99th percentile and greatest latency of the requests that ended in each interval, drawn at its"
           " end.")


def latencies_over_time(frames: Frames) -> Picture:
    """A panel for each direction. `frames`: name of a run -> series, columns t_s (s) and
    latency_DIRECTION_us_QUANTITY (microseconds)."""
    panels = []
    for direction in DIRECTIONS:
        columns = {f"latency_{direction}_us_{quantity}": quantity for quantity in QUANTITIES}
        if has_column(frames, list(columns)):
            axis = Axis(f"Latency, {direction}", "µs", log=True, switch=True)
            panels.append((axis, columns))
    return over_time("latencies", "Latency over time", CAPTION, frames, panels, "points")
