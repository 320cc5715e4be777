"""Latencies over time."""

from __future__ import annotations

import dataclasses
from typing import List, Sequence

import pandas as pd

from ftlab.report import palette
from ftlab.report.figures.over_time import (DIRECTIONS, Extras, Frames, bands_of, ends_of, extras_of, group_note, has_column,
                                            line)
from ftlab.report.figures.units import latency_unit, time_axis
from ftlab.report.picture import Axis, Curve, Mark, Panel, Picture, Ribbon
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import frames, with_notes

SECTION, PLACE = "Over time", 2
# Column suffix -> legend, how groups of a long series are aggregated, and dash.
QUANTITIES = {"p50": ("median", "median", 0), "mean": ("mean", "median", 0), "p99": ("p99", "median", 1),
              "max": ("max", "max", 2)}
CAPTION = (
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
    return Picture("latencies", "Latency over time", CAPTION + group_note(frames), axis, shown)


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


def figures(sources: Sources) -> List[Picture]:
    found = frames(sources)
    columns = [c for frame in found.values() for c in frame if c.startswith("latency_")]
    return [with_notes(latencies_over_time(found, extras_of(sources)), sources)] if has_column(found, columns) else []
