"""Tail latency: latency against the share of requests that are slower."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np
import pandas as pd

from ftlab.report.picture import Axis, Curve, Guide, Mark, Panel, Picture, latency_unit
from ftlab.report import palette
from ftlab.report.figures.over_time import DASH_OF, curve_name
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import all_runs, first_runs

SECTION, PLACE = "Latency", 3
PERCENTILES = {2.0: "p50", 100.0: "p99", 1000.0: "p99.9", 10000.0: "p99.99"}
OPERATIONS = {"read_ns": "tR", "program_ns": "tPROG", "erase_ns": "tBERS"}
CAPTION = (
    "Share of requests since the beginning that completed within the latency shown; from fio's bins (json+), rounded to"
    " 1/64. The last step of a curve is its slowest request or requests. Vertical lines: percentiles. Horizontal lines, if"
    " equal for all drives: duration of one flash operation.")
MOST_NINES = 9


def nines(frames: Dict[str, pd.DataFrame], hues: Optional[Mapping[str, int]] = None,
          operations_us: Optional[Mapping[str, float]] = None) -> Picture:
    """Both axes logarithmic: x is 1 / (share of requests that are slower). `frames`: name of a run -> bins, with columns
    job, direction, latency_ns, count. `hues`: colours of the runs. `operations_us`: reference lines."""
    curves: List[Curve] = []
    several = max(len(frames), len(hues or {})) > 1
    mixed = len({direction for bins in frames.values() for direction in bins["direction"]}) > 1
    for place, (run, bins) in enumerate(frames.items()):
        groups = list(bins.groupby(["job", "direction"], sort=False))
        for number, ((job, direction), mine) in enumerate(groups):
            what = str(direction) if bins["job"].nunique() == 1 else f"{job}, {direction}"
            x, y = _quantiles(mine)
            alone = palette.DIRECTIONS.get(str(direction), 3)
            several_jobs = bins["job"].nunique() > 1
            hue = (hues or {}).get(run, place) if several else alone
            dash = number if several_jobs else DASH_OF.get(str(direction), 3) if mixed else palette.dash_of(hue)
            curves.append(Curve(curve_name(run, what, 2 if several else 1), x, y, style="steps", hue=hue,
                                dash=dash if several or several_jobs else 0))
    most = max((float(c.x[-1]) for c in curves), default=10.0)
    axis = Axis("Requests completed", "%", log=True, ticks=_ticks(most), reading=_percent)
    us, unit = latency_unit(curve.y for curve in curves)
    marks: List[Mark] = [dataclasses.replace(curve, y=curve.y / us) for curve in curves]
    marks += [Guide(name, place, "x") for place, name in PERCENTILES.items() if place < most]
    marks += [Guide(name, place / us, "y") for name, place in (operations_us or {}).items()]
    return Picture("nines", "Tail latency", CAPTION, axis,
                   [Panel(Axis("Latency", unit, log=True, switch=True), marks)])


def operations_of(drives: Sequence[Mapping[str, Any]]) -> Dict[str, float]:
    """Duration of each flash operation (µs), if all drives state the same single number."""
    agreed: Dict[str, float] = {}
    flash = [nand if isinstance(nand := drive.get("nand"), dict) else {} for drive in drives]
    for key, name in OPERATIONS.items():
        values = [_value(nand.get(key)) for nand in flash]
        if values and len(set(values)) == 1 and values[0] is not None:
            agreed[name] = values[0] / 1e3
    return agreed


def _value(entry: Any) -> Optional[float]:
    number = entry.get("value") if isinstance(entry, dict) else entry
    return float(number) if isinstance(number, (int, float)) and not isinstance(number, bool) else None


def _quantiles(bins: pd.DataFrame) -> Tuple[np.ndarray, np.ndarray]:
    """Steps: from x[i] = 1 / (share of requests in bin i and above) the latency is y[i] microseconds; the last point ends
    the slowest step at x = number of requests."""
    ordered = bins.sort_values("latency_ns")
    count = ordered["count"].to_numpy(dtype=float)
    latency = ordered["latency_ns"].to_numpy(dtype=float) / 1e3
    total = count.sum()
    before = np.cumsum(count) - count
    return np.append(total / (total - before), total), np.append(latency, latency[-1])


def _percent(x: float) -> str:
    """For example, 1000 becomes 99.9."""
    return f"{100 - 100 / x:.10g}"


def _ticks(most: float) -> Dict[float, str]:
    """0, 90, 99, 99.9 ... up to the first above the data."""
    decades = min(MOST_NINES, int(np.ceil(np.log10(max(most, 10.0)))))
    names = {1.0: "0", 10.0: "90"}
    names.update({10.0 ** n: "99" + ("." + "9" * (n - 2) if n > 2 else "") for n in range(2, decades + 1)})
    return names


def figures(sources: Sources) -> List[Picture]:
    bins = {run.name: run.latencies for run in all_runs(sources) if len(run.latencies)}
    drives = [run.ftlab["drive"] for run in all_runs(sources) if isinstance(run.ftlab.get("drive"), dict)]
    draw = functools.partial(nines, hues=sources.hues(), operations_us=operations_of(drives))
    return [first_runs(draw, bins)] if bins else []
