"""Power over time."""

from __future__ import annotations

from typing import List

from ftlab.report.figures.over_time import Extras, Frames, extras_of, has_column, lines_over_time
from ftlab.report.picture import Axis, Picture
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import frames, with_notes

SECTION, PLACE = "Over time", 3
CAPTION = "Mean power of the drive in each interval, drawn at its end."


def power_over_time(frames: Frames, extras: Extras = Extras()) -> Picture:
    """`frames`: name of a run -> series with the columns t_s (s) and power_w (watts)."""
    panels = [(Axis("Power", "W", from_zero=True), {"power_w": "power"})]
    return lines_over_time("power", "Power over time", CAPTION, frames, panels, extras)


def figures(sources: Sources) -> List[Picture]:
    found = frames(sources)
    return [with_notes(power_over_time(found, extras_of(sources)), sources)] if has_column(found, ["power_w"]) else []
