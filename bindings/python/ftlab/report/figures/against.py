"""Simulated against measured: both curves, and the deviation."""

from __future__ import annotations

from types import MappingProxyType
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np
import pandas as pd

from ftlab.report.figures.over_time import Frames, directions_of, group_note, grouped, places
from ftlab.report.picture import Axis, Curve, Mark, Panel, Picture, time_axis
from ftlab.report.reading.points import WORKLOAD, match_points
from ftlab.report.reading.procedure import points_of
from ftlab.report.reading.sources import Sources
from ftlab.report.agreement import band, band_of_residual, factors_of_rates
from ftlab.report.selection import pairs

SECTION, PLACE = "Simulated against measured", 1
TIME_CAPTION = (
    "Above: both runs. Below: simulated / measured - 1 while both have data. The finer of the two series is"
    " averaged over the intervals of the coarser.")
POINT_CAPTION = (
    "Above: one point per workload that both ran, mean since the beginning; equal on the line. Below: simulated / measured"
    " - 1. {unmatched}")
INTERVAL = " Areas: where a real drive would lie (ftlab run --interval)."


def against_over_time(simulated: pd.DataFrame, measured: pd.DataFrame, slug: str = "against-time",
                      title: str = "Simulated against measured, over time", hues: "tuple[int, int]" = (0, 1),
                      factors: Mapping[str, float] = MappingProxyType({})) -> Picture:
    """IOPS of both and the residual in percent. Frames are series: t_s, length_s, DIRECTION_iops. `hues`: colours of the
    two runs; the residual has the colour of the simulation. `factors`: of the simulation's intervals, by direction."""
    axis, seconds = time_axis([float(simulated["t_s"].max()), float(measured["t_s"].max())])
    both: Frames = {"simulated": simulated, "measured": measured}
    above: List[Mark] = []
    below: List[Curve] = []
    for number, direction in enumerate(directions_of(both)):
        column = f"{direction}_iops"
        for hue, (name, frame) in zip(hues, both.items()):
            if column in frame:
                curve = Curve(f"{name}, {direction}", places(frame, seconds), grouped(frame[column].to_numpy()),
                              style="line", hue=hue, dash=number)
                of_real = factors.get(direction) if name == "simulated" else None
                above += [*band(curve, of_real, f"interval, {direction}"), curve]
        if all(column in frame for frame in both.values()):
            t, error = _residual_over_time(simulated, measured, column)
            below.append(Curve(f"residual, {direction}", grouped(t / seconds, "max"), grouped(error * 100), style="line",
                               hue=hues[0], dash=number))
    panels = [Panel(Axis("Requests", "IOPS", from_zero=True, switch=True), above),
              Panel(Axis("Residual", "%"),
                    [*band_of_residual(below, max(factors.values(), default=None)), *below, _zero(below)])]
    return Picture(slug, title, TIME_CAPTION + (INTERVAL if factors else "") + group_note(both), axis, panels)


def against_points(simulated: pd.DataFrame, measured: pd.DataFrame, slug: str = "against-points",
                   title: str = "Simulated against measured, point by point",
                   keys: Sequence[str] = WORKLOAD, factor: Optional[float] = None) -> Picture:
    """Simulated IOPS over measured IOPS, both logarithmic. Frames: jobs as in `fio_json`, or rows of procedures with the
    names of their variables as `keys`. `factor`: of the simulation's intervals."""
    pairs = match_points(simulated, measured, keys)
    x = pairs["iops_measured"].to_numpy(dtype=float)
    y = pairs["iops_simulated"].to_numpy(dtype=float)
    words = [_workload(row, keys) for _, row in pairs.iterrows()]
    ends = np.array([min(x.min(), y.min()), max(x.max(), y.max())]) if len(pairs) else np.array([1.0, 10.0])
    ends = x[0] * np.array([0.9, 1.1]) if len(pairs) == 1 else ends
    equal = Curve("equal", ends, ends, style="line", hue=7, dash=1)
    above: List[Mark] = [*band(equal, factor, "interval"), Curve("workloads", x, y, words=words), equal]
    residual = Curve("residual", x, (y / x - 1) * 100, hue=2, symbol=1, words=words)
    left_out = len(simulated) + len(measured) - 2 * len(pairs)
    unmatched = f"{left_out} rows of one have no counterpart in the other." if left_out else ""
    panels = [Panel(Axis("Simulated", "IOPS", log=True, switch=True), above),
              Panel(Axis("Residual", "%"), [*band_of_residual([residual], factor), residual, _zero([residual])])]
    axis = Axis("Measured", "IOPS", log=True)
    return Picture(slug, title, POINT_CAPTION.format(unmatched=unmatched) + (INTERVAL if factor else ""), axis, panels)


def _residual_over_time(simulated: pd.DataFrame, measured: pd.DataFrame,
                        column: str) -> Tuple[np.ndarray, np.ndarray]:
    """simulated / measured - 1 at the end times of the coarser series, NaN where the measured rate is 0."""
    step = max(float(simulated["length_s"].median()), float(measured["length_s"].median()))
    end = min(float(simulated["t_s"].max()), float(measured["t_s"].max()))
    edges = np.arange(0, int(end / step + 1e-6) + 1) * step
    done = [np.diff(np.interp(edges, *_total(frame, column))) for frame in (simulated, measured)]
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.where(done[1] > 0, done[0] / done[1] - 1, np.nan)
    return edges[1:], error


def _total(frame: pd.DataFrame, column: str) -> Tuple[np.ndarray, np.ndarray]:
    """Cumulative requests over time, interpolated linearly within intervals."""
    requests = np.cumsum(frame[column].fillna(0).to_numpy() * frame["length_s"].to_numpy())
    return np.append(0.0, frame["t_s"].to_numpy()), np.append(0.0, requests)


def _zero(curves: List[Curve]) -> Curve:
    x = np.concatenate([c.x for c in curves]) if curves else np.array([0.0, 1.0])
    ends = np.array([x.min(), x.max()]) if len(x) else np.array([0.0, 1.0])
    return Curve("no difference", ends, np.zeros(2), style="line", hue=7, dash=1)


def _workload(row: "pd.Series", keys: Sequence[str]) -> str:
    values: Dict[str, object] = {key: row[key] for key in keys}
    words = (f"{key} {value:g}" if isinstance(value, float) else str(value) for key, value in values.items())
    return ", ".join(words)


def figures(sources: Sources) -> List[Picture]:
    pictures: List[Picture] = []
    hues = sources.hues()
    for one, other in pairs(sources.runs):
        title = f"{one.name} against {other.name}"
        if one.series is not None and other.series is not None:
            pictures.append(against_over_time(one.series, other.series, f"against-{len(pictures) + 1}",
                                              f"{title}, over time", (hues[one.name], hues[other.name]),
                                              factors_of_rates(one)))
        if len(one.jobs) and len(other.jobs) and len(match_points(one.jobs, other.jobs)):
            pictures.append(against_points(one.jobs, other.jobs, f"against-{len(pictures) + 1}", f"{title}, by job",
                                           factor=max(factors_of_rates(one).values(), default=None)))
    for ours, real in pairs(sources.procedures):
        keys = ["name", *(v for v in ours.variables if v in real.variables)]
        mine, theirs = points_of(ours), points_of(real)
        if len(match_points(mine, theirs, keys)):
            pictures.append(against_points(mine, theirs, f"against-{len(pictures) + 1}",
                                           f"{ours.name} against {real.name}, by point", keys))
    return pictures
