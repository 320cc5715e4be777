"""Series of several runs in one picture: which columns, and how each run and direction looks."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence

import numpy as np
import pandas as pd

from ftlab.report.picture import Axis, Band, Curve, Panel, Picture
from ftlab.report.figures.time_axis import time_axis

DIRECTIONS = ("read", "write", "trim")
Frames = Dict[str, pd.DataFrame]  # name of a run -> its series


def has_column(frames: Frames, columns: Sequence[str]) -> bool:
    """Whether any of them holds anything but gaps and zeros, in any of the frames."""
    return any(column in frame and frame[column].fillna(0).ne(0).any()
               for frame in frames.values() for column in columns)


def directions_of(frames: Frames) -> List[str]:
    columns = {direction: (f"{direction}_iops", f"{direction}_MB_per_s") for direction in DIRECTIONS}
    return [direction for direction in DIRECTIONS if has_column(frames, columns[direction])]


def curve_name(run: str, what: str, runs: int) -> str:
    """One run alone needs no name in its legend."""
    return what if runs == 1 else f"{run}: {what}" if what else run


def curve(frame: pd.DataFrame, column: str, seconds: float, name: str, **look: Any) -> Curve:
    """Of one column against `t_s`."""
    return Curve(name, frame["t_s"].to_numpy() / seconds, frame[column].to_numpy(dtype=float), **look)


def ends_of(frames: Frames) -> List[float]:
    return [float(frame["t_s"].max()) for frame in frames.values() if len(frame)]


def look_of(run: int, runs: int, what: int) -> Dict[str, Any]:
    """Colours tell the runs apart and symbols what is drawn; of one run, colours too tell what is drawn."""
    return {"hue": run if runs > 1 else what, "symbol": what, "dash": what if runs > 1 else 0}


def over_time(slug: str, title: str, caption: str, frames: Frames,
              panels: "Sequence[tuple[Axis, Dict[str, tuple[str, str]]]]",
              bands: Sequence[Band] = ()) -> Picture:
    """A panel for each axis and its columns: column -> (what the legend says, style). Columns that a frame
    has not are left out, and so are panels without a curve."""
    axis, seconds = time_axis(ends_of(frames))
    words = list(dict.fromkeys(what for _, columns in panels for what, _ in columns.values()))
    drawn: List[Panel] = []
    for y, columns in panels:
        marks = [curve(frame, column, seconds, curve_name(run, what, len(frames)), style=style,
                       **look_of(place, len(frames), words.index(what)))
                 for place, (run, frame) in enumerate(frames.items())
                 for column, (what, style) in columns.items()
                 if column in frame and not np.isnan(frame[column].to_numpy(dtype=float)).all()]
        drawn += [Panel(y, marks)] if marks else []
    return Picture(slug, title, caption, axis, drawn, bands)
