"""Series of several runs in one picture: one panel or line per run, and their style."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Sequence

import numpy as np
import pandas as pd

from ftlab.report import palette
from ftlab.report.figures.time_axis import time_axis
from ftlab.report.picture import Axis, Band, Curve, Mark, Panel, Picture, Ribbon
from ftlab.report.reading.sources import Sources
from ftlab.report.ending import Ending
from ftlab.report.scatter import Level

DIRECTIONS = ("read", "write", "trim")
DASH_OF = {"read": 1, "write": 0, "trim": 2}  # if the colour identifies the run
MOST_SINGLE, GROUPS = 600, 300  # intervals of a series; longer series are aggregated into groups of neighbours
Frames = Dict[str, pd.DataFrame]  # name of a run -> its series


@dataclass(frozen=True)
class Extras:
    """Facts about runs other than their series, by name: index of the colour, phases of the job (name, from_s, to_s), and
    the end that has the headline figures."""

    hues: Mapping[str, int] = field(default_factory=dict)
    phases: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    endings: Mapping[str, Ending] = field(default_factory=dict)

    def hue(self, run: str, frames: Frames) -> int:
        return self.hues.get(run, list(frames).index(run))

    def several(self, frames: Frames) -> bool:
        """True if colours identify runs: on pages of several runs, even if only one has a series."""
        return max(len(frames), len(self.hues)) > 1


def extras_of(sources: Sources) -> Extras:
    phases = {run.name: run.ftlab["phases"] for run in sources.runs if len(run.ftlab.get("phases") or []) > 1}
    return Extras(sources.hues(), phases)


def has_column(frames: Frames, columns: Sequence[str]) -> bool:
    """True if any of the columns in any frame contains anything but gaps and zeros."""
    return any(column in frame and frame[column].fillna(0).ne(0).any()
               for frame in frames.values() for column in columns)


def directions_of(frames: Frames) -> List[str]:
    columns = {direction: (f"{direction}_iops", f"{direction}_MB_per_s") for direction in DIRECTIONS}
    return [direction for direction in DIRECTIONS if has_column(frames, columns[direction])]


def curve_name(run: str, what: str, runs: int) -> str:
    """A single run needs no name in its legend."""
    return what if runs == 1 else f"{run}: {what}" if what else run


def ends_of(frames: Frames) -> List[float]:
    return [float(frame["t_s"].max()) for frame in frames.values() if len(frame)]


def grouped(values: np.ndarray, how: str = "median") -> np.ndarray:
    """Aggregates a long series to one number per group of neighbours; returns a short one unchanged. `how`: median, max,
    or a percentile. Ignores gaps; a group of only gaps stays a gap."""
    if len(values) <= MOST_SINGLE:
        return values
    size = int(np.ceil(len(values) / GROUPS))
    padded = np.append(values, np.full(-len(values) % size, np.nan)).reshape(-1, size)
    filled = ~np.isnan(padded).all(axis=1)
    result = np.full(len(padded), np.nan)
    rows = padded[filled]
    result[filled] = (np.nanmedian(rows, axis=1) if how == "median" else np.nanmax(rows, axis=1) if how == "max"
                      else np.nanpercentile(rows, float(how), axis=1))
    return result


def group_note(frames: Frames) -> str:
    """The note on long series in a caption."""
    longest = max((len(frame) for frame in frames.values()), default=0)
    if longest <= MOST_SINGLE:
        return ""
    size = int(np.ceil(longest / GROUPS))
    return f" Of long series lines are the medians of up to {size} intervals in a row."


def places(frame: pd.DataFrame, seconds: float) -> np.ndarray:
    return grouped(frame["t_s"].to_numpy() / seconds, "max")


def line(frame: pd.DataFrame, column: str, seconds: float, name: str, how: str = "median", **look: Any) -> Curve:
    """A curve of one column against `t_s`, aggregated if long."""
    values = grouped(frame[column].to_numpy(dtype=float), how)
    return Curve(name, places(frame, seconds), values, style=look.pop("style", "line"), **look)


def spread(frame: pd.DataFrame, column: str, seconds: float, name: str, hue: int) -> List[Mark]:
    """The range of 90 % of each group's intervals; nothing for a short series, whose intervals are all drawn."""
    if len(frame) <= MOST_SINGLE:
        return []
    values = frame[column].to_numpy(dtype=float)
    return [Ribbon(name, places(frame, seconds), grouped(values, "5"), grouped(values, "95"), hue)]


def bands_of(run: str, extras: Extras, seconds: float) -> List[Band]:
    phases = [Band(phase["name"], phase["from_s"] / seconds, phase["to_s"] / seconds, phase=True)
              for phase in extras.phases.get(run, ())]
    end = extras.endings.get(run)
    return phases + ([Band(f"the end, {end.words}", end.from_s / seconds, end.to_s / seconds)] if end else [])


def level_marks(level: Level, seconds: float) -> List[Mark]:
    """The mean at the end and its 95 % interval."""
    x = np.array([level.from_s, level.to_s]) / seconds
    low, high = level.mean - level.half_width, level.mean + level.half_width
    ends = [Curve("95 % interval of the mean", np.array([*x, np.nan, *x]), np.array([low, low, np.nan, high, high]),
                  style="line", hue=palette.BLACK, dash=2)] if level.half_width == level.half_width else []
    return [Curve("mean at the end", x, np.full(2, level.mean), style="line", hue=palette.BLACK, dash=1), *ends]


def lines_over_time(slug: str, title: str, caption: str, frames: Frames,
                    panels: "Sequence[tuple[Axis, Dict[str, str]]]", extras: Extras = Extras()) -> Picture:
    """One panel per axis, with one line per run and column: column -> legend. Columns that a frame lacks and panels
    without lines are left out. Colours identify runs and dashes columns; for a single run, colours also identify columns."""
    axis, seconds = time_axis(ends_of(frames))
    words = list(dict.fromkeys(what for _, columns in panels for what in columns.values()))
    drawn: List[Panel] = []
    for y, columns in panels:
        marks: List[Mark] = []
        for run, frame in frames.items():
            several = extras.several(frames)
            for column, what in columns.items():
                if column in frame and frame[column].notna().any():
                    number = words.index(what)
                    marks.append(line(frame, column, seconds, curve_name(run, what, 2 if several else 1),
                                      hue=extras.hue(run, frames) if several else number,
                                      dash=list(columns.values()).index(what)))
        drawn += [Panel(y, marks)] if marks else []
    bands = bands_of(next(iter(frames)), extras, seconds) if len(frames) == 1 else []
    return Picture(slug, title, caption + group_note(frames), axis, drawn, bands)
