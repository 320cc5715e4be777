"""Series of several runs in one picture: one panel or line per run, and their style."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Sequence

import numpy as np
import pandas as pd

from ftlab.report import palette
from ftlab.report.picture import Axis, Band, Curve, Guide, Mark, Panel, Picture, Ribbon, time_axis
from ftlab.report.reading.sources import Sources
from ftlab.report.ending import Ending

DIRECTIONS = ("read", "write", "trim")
DASH_OF = {"read": 1, "write": 0, "trim": 2}  # if colours identify runs
MOST_SINGLE, GROUPS, FEW = 600, 300, 15  # intervals: more than 600 are grouped, up to 15 drawn as steps
Frames = Dict[str, pd.DataFrame]  # name of a run -> its series


@dataclass(frozen=True)
class Extras:
    """Other facts about runs, by name: colour index, phases of the job (name, from_s, to_s), the period of the headline
    figures, and bounds of a real drive's throughput."""

    hues: Mapping[str, int] = field(default_factory=dict)
    phases: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    endings: Mapping[str, Ending] = field(default_factory=dict)
    factors: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # of a real drive, by direction: real_drive.py

    def hue(self, run: str, frames: Frames) -> int:
        return self.hues.get(run, list(frames).index(run))

    def several(self, frames: Frames) -> bool:
        """True if colours identify runs: on pages of several runs, even if only one has a series."""
        return max(len(frames), len(self.hues)) > 1


def extras_of(sources: Sources) -> Extras:
    phases = {run.name: run.ftlab["phases"] for run in sources.runs if len(run.ftlab.get("phases") or []) > 1}
    return Extras(sources.hues(), phases)


def has_column(frames: Frames, columns: Sequence[str]) -> bool:
    """True if any of the columns in any frame has a non-zero value."""
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
    return f" Lines of long series are medians of up to {size} neighbouring intervals."


def places(frame: pd.DataFrame, seconds: float) -> np.ndarray:
    return grouped(frame["t_s"].to_numpy() / seconds, "max")


def line(frame: pd.DataFrame, column: str, seconds: float, name: str, how: str = "median", **look: Any) -> Curve:
    """A column over `t_s`: long series are grouped, short ones drawn as steps."""
    values = frame[column].to_numpy(dtype=float)
    if 0 < len(values) <= FEW and "length_s" in frame:
        ends, starts = frame["t_s"].to_numpy(), (frame["t_s"] - frame["length_s"]).to_numpy()
        return Curve(name, np.append(starts, ends[-1]) / seconds, np.append(values, values[-1]), style="steps", **look)
    return Curve(name, places(frame, seconds), grouped(values, how), style="line", **look)


def spread(frame: pd.DataFrame, column: str, seconds: float, name: str, hue: int) -> List[Mark]:
    """The range of 90 % of each group's intervals; empty for short series, which are not grouped."""
    if len(frame) <= MOST_SINGLE:
        return []
    values = frame[column].to_numpy(dtype=float)
    return [Ribbon(name, places(frame, seconds), grouped(values, "5"), grouped(values, "95"), hue)]


def bands_of(frames: Frames, extras: Extras, seconds: float) -> "List[Band | Guide]":
    """Lines where phases begin, if equal in all runs, and a strip for the end of each run."""
    phases = [extras.phases.get(run, ()) for run in frames]
    alike = phases[0] if phases and all(one == phases[0] for one in phases) else ()
    begins = [Guide(phase["name"], phase["from_s"] / seconds, "x") for phase in alike]
    ends = [(run, extras.endings[run]) for run in frames if run in extras.endings]
    alone = not extras.several(frames)
    return begins + [Band(end.words if alone else "", end.from_s / seconds, end.to_s / seconds, lane=lane,
                          hue=palette.BLACK if alone else extras.hue(run, frames)) for lane, (run, end) in enumerate(ends)]


def lines_over_time(slug: str, title: str, caption: str, frames: Frames,
                    panels: "Sequence[tuple[Axis, Dict[str, str]]]", extras: Extras = Extras()) -> Picture:
    """One panel per axis, with one line per run and column: column -> legend. Omits missing columns and panels
    without lines. Colours identify runs and dashes columns; for a single run, colours also identify columns."""
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
                    hue = extras.hue(run, frames) if several else number
                    name = curve_name(run, what if len(columns) > 1 else "", 2) if several else what
                    dash = list(columns.values()).index(what) or (palette.dash_of(hue) if several else 0)
                    marks.append(line(frame, column, seconds, name, hue=hue, dash=dash))
        drawn += [Panel(y, marks)] if marks else []
    return Picture(slug, title, caption + group_note(frames), axis, drawn, bands_of(frames, extras, seconds))
