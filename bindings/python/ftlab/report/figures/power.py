"""Power over time."""

from __future__ import annotations

from ftlab.report.figures.over_time import Frames, over_time
from ftlab.report.picture import Axis, Picture

CAPTION = "Mean power of the drive in each interval, drawn at its end."


def power_over_time(frames: Frames) -> Picture:
    """`frames`: name of a run -> series with the columns t_s (s) and power_w (watts)."""
    panels = [(Axis("Power", "W", from_zero=True), {"power_w": ("power", "points")})]
    return over_time("power", "Power over time", CAPTION, frames, panels)
