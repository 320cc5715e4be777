"""Requests and bytes a second over time."""

from __future__ import annotations

from ftlab.report.over_time import Frames, directions_of, over_time
from ftlab.report.picture import Axis, Picture

CAPTION = ("Each point is one interval of the series, drawn at its end. MB are 10⁶ bytes. On a log axis"
           " intervals without a request are not drawn.")


def rates_over_time(frames: Frames) -> Picture:
    """IOPS above MB/s, a point for each interval. `frames`: name of a run -> series, columns t_s (s),
    DIRECTION_iops (1/s), DIRECTION_MB_per_s (10^6 bytes a second)."""
    used = directions_of(frames)
    panels = [(Axis("Requests", "IOPS", from_zero=True, switch=True), "points", {f"{d}_iops": d for d in used}),
              (Axis("Throughput", "MB/s", from_zero=True, switch=True), "points",
               {f"{d}_MB_per_s": d for d in used})]
    return over_time("rates", "Speed over time", CAPTION, frames, panels)
