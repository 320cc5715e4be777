"""Latencies over time."""

from __future__ import annotations

from typing import List

import pandas as pd

from ftlab.report import palette
from ftlab.report.figures.latency_unit import latency_unit
from ftlab.report.figures.over_time import (DIRECTIONS, Extras, Frames, bands_of, ends_of, extras_of, group_note, has_column,
                                            line, places)
from ftlab.report.figures.time_axis import time_axis
from ftlab.report.picture import Axis, Curve, Mark, Panel, Picture, Ribbon
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import frames, with_notes

SECTION, PLACE = "Over time", 2
# Column suffix -> legend, how groups of a long series are aggregated, and dash.
QUANTITIES = {"p50": ("median", "median", 0), "mean": ("mean", "median", 0), "p99": ("p99", "median", 1),
              "max": ("max", "max", 2)}
CAPTION = (
    "Requests completed in each interval: median (the mean if the series has no median), 99th percentile, the range between"
    " them shaded, and maximum. One panel for each run and direction, all on the same scale.")


def latencies_over_time(frames: Frames, extras: Extras = Extras()) -> Picture:
    """`frames`: name of a run -> series with columns t_s (s) and latency_DIRECTION_us_QUANTITY (microseconds; drawn in a
    suitable unit)."""
    us, unit = latency_unit(frame[_columns(frame)].to_numpy() for frame in frames.values())
    axis, seconds = time_axis(ends_of(frames))
    panels = [_panel(run, frame, direction, us, unit, frames, extras, seconds)
              for direction in DIRECTIONS for run, frame in frames.items()
              if has_column({run: frame}, [f"latency_{direction}_us_{quantity}" for quantity in QUANTITIES])]
    return Picture("latencies", "Latency over time", CAPTION + group_note(frames), axis, panels)


def _panel(run: str, frame: pd.DataFrame, direction: str, us: float, unit: str, frames: Frames, extras: Extras,
           seconds: float) -> Panel:
    several = extras.several(frames)
    hue = extras.hue(run, frames) if several else palette.DIRECTIONS[direction]
    curves: List[Curve] = []
    for quantity, (name, how, dash) in QUANTITIES.items():
        column = f"latency_{direction}_us_{quantity}"
        if column not in frame or frame[column].isna().all() or (quantity == "mean" and curves):
            continue
        scaled = frame.assign(**{column: frame[column] / us})
        curves.append(line(scaled, column, seconds, name, how, hue=hue, dash=dash))
    bands: List[Mark] = []
    drawn = {curve.name: curve.y for curve in curves}
    middle = drawn.get("median", drawn.get("mean"))
    if middle is not None and "p99" in drawn:
        name = "median to p99" if "median" in drawn else "mean to p99"
        bands = [Ribbon(name, places(frame, seconds), middle, drawn["p99"], hue)]
    title = run if several else ""
    return Panel(Axis(f"Latency, {direction}", unit, log=True, switch=True), bands + list(curves), title=title,
                 hue=hue if several else None, bands=bands_of(run, extras, seconds))


def _columns(frame: pd.DataFrame) -> List[str]:
    return [name for name in frame if name.startswith("latency_")]


def figures(sources: Sources) -> List[Picture]:
    found = frames(sources)
    columns = [c for frame in found.values() for c in frame if c.startswith("latency_")]
    return [with_notes(latencies_over_time(found, extras_of(sources)), sources)] if has_column(found, columns) else []
