"""Throughput over time."""

from __future__ import annotations

import dataclasses
from typing import List

import numpy as np
import pandas as pd

from ftlab.report import palette
from ftlab.report.ending import ending_of
from ftlab.report.figures.over_time import (DASH_OF, Extras, Frames, bands_of, curve_name, directions_of, ends_of, extras_of,
                                            group_note, line, spread)
from ftlab.report.figures.units import time_axis
from ftlab.report.picture import Axis, Curve, Mark, Panel, Picture
from ftlab.report.reading.sources import Sources
from ftlab.report.agreement import band, factors_of_rates
from ftlab.report.selection import frames, with_notes

SECTION, PLACE = "Over time", 1
SMALL = 16384 / 1e6  # megabytes: requests up to this size are drawn as IOPS, larger ones as MB/s
TENFOLD = 10.0
MOST_STRIPS = 4  # more would cover the curves
CAPTION = "Each interval is drawn at its end. MB are 10⁶ bytes."
ENDS = (" The strip at the top marks the period of each run's headline figures: that in its result, else the longest tail"
        " with steady throughput, else the last tenth.")
REAL = " Area: where a real drive's throughput lies, as often as the interval of the run says (ftlab run --interval)."
QUANTITIES = {"MB_per_s": Axis("Throughput", "MB/s", from_zero=True, switch=True),
              "iops": Axis("Requests", "IOPS", from_zero=True, switch=True)}


def rates_over_time(frames: Frames, extras: Extras = Extras()) -> Picture:
    """All runs in one panel: IOPS for small requests, MB/s for large ones, or both for mixed sizes.
    `frames`: name of a run -> series, columns t_s (s), DIRECTION_iops (1/s), DIRECTION_MB_per_s (10^6 bytes a second)."""
    axis, seconds = time_axis(ends_of(frames))
    panels = [_panel(quantity, frames, extras, seconds) for quantity in _quantities(frames)]
    ends = {run: extras.endings[run] for run in frames if run in extras.endings}
    caption = CAPTION + (ENDS if ends else "") + (REAL if extras.factors else "")
    return Picture("rates", "Throughput over time", caption + group_note(frames), axis, [p for p in panels if p.marks])


def _quantities(frames: Frames) -> List[str]:
    """One quantity if all requests have the same size: the pictures would look alike."""
    sizes = [size for frame in frames.values() for size in _sizes(frame)]
    if not sizes:
        return ["iops", "MB_per_s"]
    if max(sizes) <= SMALL * 1.01:
        return ["iops"]
    return ["MB_per_s"] if max(sizes) <= 1.01 * min(sizes) or min(sizes) > SMALL else ["iops", "MB_per_s"]


def _sizes(frame: pd.DataFrame) -> List[float]:
    """Megabytes per request of each direction and interval."""
    sizes: List[float] = []
    for direction in directions_of({"": frame}):
        if {f"{direction}_iops", f"{direction}_MB_per_s"} <= set(frame):
            some = frame[frame[f"{direction}_iops"] > 0]
            sizes += list(some[f"{direction}_MB_per_s"] / some[f"{direction}_iops"])
    return sizes


def _panel(quantity: str, frames: Frames, extras: Extras, seconds: float) -> Panel:
    several = extras.several(frames)
    marks: List[Mark] = []
    for run, frame in frames.items():
        directions = [one for one in directions_of({"": frame}) if f"{one}_{quantity}" in frame]
        for direction in directions:
            hue = extras.hue(run, frames) if several else palette.DIRECTIONS[direction]
            dash = 0 if not several else DASH_OF[direction] if len(directions) > 1 else palette.dash_of(hue)
            name = curve_name(run, direction if len(directions) > 1 or not several else "", 2 if several else 1)
            factor = extras.factors.get(run, {}).get(direction)
            curve = line(frame, f"{direction}_{quantity}", seconds, name, hue=hue, dash=dash)
            if len(frames) == 1 and factor is None:
                marks += spread(frame, f"{direction}_{quantity}", seconds, f"{direction}, 90 % of the intervals", hue)
            marks += [*band(curve, factor, f"{name}, real drive"), curve]
    axis = QUANTITIES[quantity]
    if falls_tenfold(marks):
        axis = dataclasses.replace(axis, log=True, from_zero=False)
    return Panel(axis, marks, bands=bands_of(frames, extras, seconds))


def falls_tenfold(marks: List[Mark]) -> bool:
    """True if the median of a curve's last fifth is at most a tenth of that of its start."""
    for mark in marks:
        if isinstance(mark, Curve) and len(mark.y) >= 10:
            first, last = (np.nanmedian(part) if np.isfinite(part).any() else 0.0 for part in
                           (mark.y[:max(1, len(mark.y) // 50)], mark.y[-(len(mark.y) // 5):]))
            if 0 < last * TENFOLD <= first:
                return True
    return False


def figures(sources: Sources) -> List[Picture]:
    found, extras = frames(sources), extras_of(sources)
    if not directions_of(found):
        return []
    ends = {run.name: ending_of(run) for run in sources.runs if run.name in found}
    factors = {run.name: factors_of_rates(run) for run in sources.runs if factors_of_rates(run)}
    shown = {run: end for run, end in ends.items() if end is not None and len(found) <= MOST_STRIPS}
    extras = dataclasses.replace(extras, endings=shown,
                                 factors=factors if len(factors) == 1 else {})  # areas of several runs would hide each other
    return [with_notes(rates_over_time(found, extras), sources)]
