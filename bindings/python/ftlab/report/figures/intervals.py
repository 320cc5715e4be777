"""Throughput, latency and power over time."""

from __future__ import annotations

import dataclasses
from typing import List, Sequence

import numpy as np
import pandas as pd

from ftlab.report import palette
from ftlab.report.agreement import band, factors_of_rates
from ftlab.report.ending import ending_of
from ftlab.report.figures.over_time import (DASH_OF, DIRECTIONS, Extras, Frames, bands_of, curve_name, directions_of,
                                            ends_of, extras_of, group_note, has_column, line, lines_over_time, spread)
from ftlab.report.picture import Axis, Curve, Mark, Panel, Picture, Ribbon, latency_unit, time_axis
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import frames, with_notes

SECTION, PLACE = "Over time", 1
SMALL = 16384 / 1e6  # megabytes: requests up to this size are drawn as IOPS, larger ones as MB/s
TENFOLD = 10.0
MOST_STRIPS = 4  # more would cover the curves
RATES_CAPTION = "Each interval is drawn at its end. MB are 10⁶ bytes."
ENDS = (" The strip at the top marks the period of each run's headline figures: that in its result, else the longest tail"
        " with steady throughput, else the last tenth.")
REAL = " Area: where a real drive's throughput lies, as often as the interval of the run says (ftlab run --interval)."
RATES = {"MB_per_s": Axis("Throughput", "MB/s", from_zero=True, switch=True),
              "iops": Axis("Requests", "IOPS", from_zero=True, switch=True)}


def rates_over_time(frames: Frames, extras: Extras = Extras()) -> Picture:
    """All runs in one panel: IOPS for small requests, MB/s for large ones, or both for mixed sizes.
    `frames`: name of a run -> series, columns t_s (s), DIRECTION_iops (1/s), DIRECTION_MB_per_s (10^6 bytes a second)."""
    axis, seconds = time_axis(ends_of(frames))
    panels = [_panel(quantity, frames, extras, seconds) for quantity in _quantities(frames)]
    ends = {run: extras.endings[run] for run in frames if run in extras.endings}
    caption = RATES_CAPTION + (ENDS if ends else "") + (REAL if extras.factors else "")
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
    axis = RATES[quantity]
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


# Column suffix -> legend, how groups of a long series are aggregated, and dash.
QUANTITIES = {"p50": ("median", "median", 0), "mean": ("mean", "median", 0), "p99": ("p99", "median", 1),
              "max": ("max", "max", 2)}
LATENCIES_CAPTION = (
    "Requests completed in each interval: median (the mean if there is no median), 99th percentile, the range between"
    " them shaded, and maximum. Several runs: median and 99th percentile, in separate panels.")


def latencies_over_time(frames: Frames, extras: Extras = Extras()) -> Picture:
    """`frames`: name of a run -> series with columns t_s (s) and latency_DIRECTION_us_QUANTITY (microseconds; drawn in a
    suitable unit)."""
    us, unit = latency_unit(frame[_columns(frame)].to_numpy() for frame in frames.values())
    axis, seconds = time_axis(ends_of(frames))
    alone = not extras.several(frames)
    panels = [panel for direction in DIRECTIONS for panel in (
        [_alone(frames, direction, us, unit, seconds)] if alone else
        [_together(frames, direction, names, us, unit, seconds, extras) for names in (("p50", "mean"), ("p99",))])]
    shown = [dataclasses.replace(panel, bands=bands_of(frames, extras, seconds)) for panel in panels if panel.marks]
    return Picture("latencies", "Latency over time", LATENCIES_CAPTION + group_note(frames), axis, shown)


def _alone(frames: Frames, direction: str, us: float, unit: str, seconds: float) -> Panel:
    (frame,), hue = frames.values(), palette.DIRECTIONS[direction]
    drawn = {name: _line(frame, direction, quantity, us, seconds, name, hue, dash)
             for quantity, (name, _, dash) in QUANTITIES.items()
             if _has(frame, direction, quantity)}
    if "median" in drawn:
        drawn.pop("mean", None)
    middle = next((name for name in ("median", "mean") if name in drawn), None)
    bands = ([Ribbon(f"{middle} to p99", drawn["p99"].x, drawn[middle].y, drawn["p99"].y, hue)] if middle and "p99" in drawn
             else [])
    return Panel(Axis(f"Latency, {direction}", unit, log=True, switch=True), [*bands, *drawn.values()])


def _together(frames: Frames, direction: str, quantities: Sequence[str], us: float, unit: str, seconds: float,
              extras: Extras) -> Panel:
    """One line per run, of the first quantity that it has."""
    marks: List[Mark] = []
    for run, frame in frames.items():
        quantity = next((one for one in quantities if _has(frame, direction, one)), None)
        if quantity is not None:
            hue = extras.hue(run, frames)
            marks.append(_line(frame, direction, quantity, us, seconds, run, hue, palette.dash_of(hue)))
    return Panel(Axis(f"{QUANTITIES[quantities[0]][0]}, {direction}", unit, log=True, switch=True), marks)


def _has(frame: pd.DataFrame, direction: str, quantity: str) -> bool:
    return has_column({"": frame}, [f"latency_{direction}_us_{quantity}"])


def _line(frame: pd.DataFrame, direction: str, quantity: str, us: float, seconds: float, name: str, hue: int,
          dash: int) -> Curve:
    column = f"latency_{direction}_us_{quantity}"
    return line(frame.assign(**{column: frame[column] / us}), column, seconds, name, QUANTITIES[quantity][1], hue=hue,
                dash=dash)


def _columns(frame: pd.DataFrame) -> List[str]:
    return [name for name in frame if name.startswith("latency_")]


POWER_CAPTION = "Mean power of the drive in each interval, drawn at its end."


def power_over_time(frames: Frames, extras: Extras = Extras()) -> Picture:
    """`frames`: name of a run -> series with the columns t_s (s) and power_w (watts)."""
    panels = [(Axis("Power", "W", from_zero=True), {"power_w": "power"})]
    return lines_over_time("power", "Power over time", POWER_CAPTION, frames, panels, extras)


def figures(sources: Sources) -> List[Picture]:
    found, extras = frames(sources), extras_of(sources)
    latencies = [column for frame in found.values() for column in _columns(frame)]
    drawn = [rates_over_time(found, _with_ends(sources, found, extras))] if directions_of(found) else []
    drawn += [latencies_over_time(found, extras)] if has_column(found, latencies) else []
    drawn += [power_over_time(found, extras)] if has_column(found, ["power_w"]) else []
    return [with_notes(picture, sources) for picture in drawn]


def _with_ends(sources: Sources, found: Frames, extras: Extras) -> Extras:
    """With the periods of the headline figures, and the bounds of a real drive for a single run."""
    ends = {run.name: ending_of(run) for run in sources.runs if run.name in found}
    shown = {run: end for run, end in ends.items() if end is not None and len(found) <= MOST_STRIPS}
    factors = {run.name: factors_of_rates(run) for run in sources.runs if factors_of_rates(run)}
    return dataclasses.replace(extras, endings=shown,
                               factors=factors if len(factors) == 1 else {})  # areas of several runs would hide each other
