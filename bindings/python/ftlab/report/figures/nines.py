"""Latency against how many requests are slower: the picture of tails."""

from __future__ import annotations

import dataclasses
from typing import Dict, List, Tuple

import numpy as np
import pandas as pd

from ftlab.report.figures.latency_unit import latency_unit
from ftlab.report.figures.over_time import curve_name, look_of
from ftlab.report.picture import Axis, Curve, Panel, Picture
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import all_runs, first_runs

SECTION, PLACE = "Latency", 1
CAPTION = (
    "So many of the requests were answered within the latency drawn; from fio's bins (json+), which round to"
    " 1 in 64. The last step of a curve is its slowest request or requests.")
MOST_NINES = 9


def nines(frames: Dict[str, pd.DataFrame]) -> Picture:
    """Log against log: x is one over the share of requests that are slower. `frames`: name of a run -> bins,
    columns job, direction, latency_ns, count."""
    curves: List[Curve] = []
    for place, (run, bins) in enumerate(frames.items()):
        groups = list(bins.groupby(["job", "direction"], sort=False))
        for number, ((job, direction), mine) in enumerate(groups):
            what = direction if bins["job"].nunique() == 1 else f"{job}, {direction}"
            x, y = _quantiles(mine)
            curves.append(Curve(curve_name(run, what, len(frames)), x, y, style="steps",
                                **look_of(place, len(frames), number)))
    most = max((float(c.x[-1]) for c in curves), default=10.0)
    axis = Axis("Requests answered", "%", log=True, ticks=_ticks(most), reading=_percent)
    us, unit = latency_unit(curve.y for curve in curves)
    curves = [dataclasses.replace(curve, y=curve.y / us) for curve in curves]
    latency = Axis("Latency", unit, log=True, switch=True)
    return Picture("nines", "Nines: how slow the slowest are", CAPTION, axis, [Panel(latency, curves)])


def _quantiles(bins: pd.DataFrame) -> Tuple[np.ndarray, np.ndarray]:
    """Steps: from x[i] = 1 / (share not yet answered before bin i) the latency is y[i] microseconds; the last
    point ends the step of the slowest at x = the number of requests."""
    ordered = bins.sort_values("latency_ns")
    count = ordered["count"].to_numpy(dtype=float)
    latency = ordered["latency_ns"].to_numpy(dtype=float) / 1e3
    total = count.sum()
    before = np.cumsum(count) - count
    return np.append(total / (total - before), total), np.append(latency, latency[-1])


def _percent(x: float) -> str:
    """1000 as 99.9."""
    return f"{100 - 100 / x:.10g}"


def _ticks(most: float) -> Dict[float, str]:
    """0, 90, 99, 99.9 ... up to the first beyond the data."""
    decades = min(MOST_NINES, int(np.ceil(np.log10(max(most, 10.0)))))
    names = {1.0: "0", 10.0: "90"}
    names.update({10.0 ** n: "99" + ("." + "9" * (n - 2) if n > 2 else "") for n in range(2, decades + 1)})
    return names


def figures(sources: Sources) -> List[Picture]:
    bins = {run.name: run.latencies for run in all_runs(sources) if len(run.latencies)}
    return [first_runs(nines, bins)] if bins else []
