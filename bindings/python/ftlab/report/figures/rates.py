"""Requests and bytes a second over time."""

from __future__ import annotations

from typing import List

import pandas as pd

from ftlab.report.figures.over_time import DIRECTIONS, Frames, directions_of, over_time
from ftlab.report.picture import Axis, Picture
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import frames, with_notes

SECTION, PLACE = "Over time", 1
CAPTION = ("Each point is one interval of the series, drawn at its end. MB are 10⁶ bytes. On a log axis"
           " intervals without a request are not drawn.")


def rates_over_time(frames: Frames) -> Picture:
    """IOPS above MB/s, a point for each interval. `frames`: name of a run -> series, columns t_s (s),
    DIRECTION_iops (1/s), DIRECTION_MB_per_s (10^6 bytes a second)."""
    used = {run: _used(frame) for run, frame in frames.items()}
    panels = [(Axis(label, unit, from_zero=True, switch=True),
               {f"{d}_{column}": (d, "points") for d in DIRECTIONS})
              for label, unit, column in (("Requests", "IOPS", "iops"), ("Throughput", "MB/s", "MB_per_s"))]
    return over_time("rates", "Speed over time", CAPTION, used, panels)


def _used(frame: pd.DataFrame) -> pd.DataFrame:
    """Without the directions in which nothing was asked for."""
    directions = directions_of({"": frame})
    return frame.drop(columns=[c for c in frame if c.startswith(DIRECTIONS)
                               and not c.startswith(tuple(directions))])


def figures(sources: Sources) -> List[Picture]:
    found = frames(sources)
    return [with_notes(rates_over_time(found), sources)] if directions_of(found) else []
