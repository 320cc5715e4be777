"""IOPS and MB/s over time."""

from __future__ import annotations

import dataclasses
from typing import Dict, List

import pandas as pd

from ftlab.report import palette
from ftlab.report.ending import ending_of
from ftlab.report.figures.over_time import (DASH_OF, Extras, Frames, bands_of, directions_of, ends_of, extras_of, group_note,
                                            level_marks, line, spread)
from ftlab.report.figures.time_axis import time_axis
from ftlab.report.picture import Axis, Mark, Panel, Picture
from ftlab.report.reading.sources import Sources
from ftlab.report.scatter import level_within
from ftlab.report.selection import frames, with_notes

SECTION, PLACE = "Over time", 1
CAPTION = "A panel for each run, all on the same scale; each interval is drawn at its end. MB are 10⁶ bytes."
ENDS = (
    " Shaded: the end of each run, whose figures stand first on this page; in it the mean of each direction (dashed) and its 95 %"
    " interval (dotted). Of results that name no end it is the longest tail in which throughput has no drift, else the last tenth.")
UNSTEADY = " Not steady (reasons above): {runs}."
QUANTITIES = {"MB_per_s": Axis("Throughput", "MB/s", from_zero=True, switch=True),
              "iops": Axis("Requests", "IOPS", from_zero=True, switch=True)}


def rates_over_time(frames: Frames, extras: Extras = Extras()) -> Picture:
    """MB/s of each run, and IOPS if the runs' requests differ in size or there is only one run. `frames`: name of a run
    -> series with columns t_s (s), DIRECTION_iops (1/s), DIRECTION_MB_per_s (10^6 bytes per second)."""
    axis, seconds = time_axis(ends_of(frames))
    panels = [_panel(run, frame, column, frames, extras, seconds)
              for column in _columns(frames) for run, frame in frames.items() if directions_of({run: frame})]
    ends = {run: extras.endings[run] for run in frames if run in extras.endings}
    unsteady = ", ".join(run for run, end in ends.items() if not end.steady)
    caption = CAPTION + (ENDS if ends else "") + (UNSTEADY.format(runs=unsteady) if unsteady else "")
    return Picture("rates", "Speed over time", caption + group_note(frames), axis, panels)


def _columns(frames: Frames) -> List[str]:
    """One quantity is enough for several runs with a single request size: the other would give the same picture."""
    if not any(f"{d}_MB_per_s" in frame for frame in frames.values() for d in directions_of(frames)):
        return ["iops"]
    sizes = [size for frame in frames.values() for size in _sizes(frame)]
    alike = len(sizes) > 0 and max(sizes) <= 1.01 * min(sizes)
    return ["MB_per_s"] if alike and len(frames) > 1 else ["iops", "MB_per_s"]


def _sizes(frame: pd.DataFrame) -> List[float]:
    """Megabytes per request of each direction and interval."""
    sizes: List[float] = []
    for direction in directions_of({"": frame}):
        if {f"{direction}_iops", f"{direction}_MB_per_s"} <= set(frame):
            some = frame[frame[f"{direction}_iops"] > 0]
            sizes += list(some[f"{direction}_MB_per_s"] / some[f"{direction}_iops"])
    return sizes


def _panel(run: str, frame: pd.DataFrame, quantity: str, frames: Frames, extras: Extras, seconds: float) -> Panel:
    several = extras.several(frames)
    hue = extras.hue(run, frames)
    marks: List[Mark] = []
    for direction in directions_of({"": frame}):
        column = f"{direction}_{quantity}"
        if column not in frame:
            continue
        look: Dict[str, int] = {"hue": hue if several else palette.DIRECTIONS[direction],
                                "dash": DASH_OF[direction] if several else 0}
        marks += spread(frame, column, seconds, f"{direction}, 90 % of the intervals", look["hue"])
        marks.append(line(frame, column, seconds, direction, hue=look["hue"], dash=look["dash"]))
        if run in extras.endings:
            end = extras.endings[run]
            level = level_within(frame, frame[column].to_numpy(dtype=float), end.from_s, end.to_s)
            marks += level_marks(level, seconds) if level.mean > 0 else []
    return Panel(QUANTITIES[quantity], marks, title=run if several else "",
                 hue=hue if several else None, bands=bands_of(run, extras, seconds))


def figures(sources: Sources) -> List[Picture]:
    found, extras = frames(sources), extras_of(sources)
    if not directions_of(found):
        return []
    ends = {run.name: ending_of(run) for run in sources.runs if run.name in found}
    extras = dataclasses.replace(extras, endings={run: end for run, end in ends.items() if end is not None})
    return [with_notes(rates_over_time(found, extras), sources)]
