"""How far a real drive's figures may lie from a run's, as `ftlab run --interval` states it in the key `intervals`."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional

import numpy as np

from ftlab.report.picture import Curve, Ribbon
from ftlab.report.reading.run import Run

NAN = float("nan")
_FIGURES = {"Throughput": "iops", "p50": "clat_p50_ns", "p99": "clat_p99_ns"}  # of a measure -> key of a job in `intervals`


def factor_of(run: Run, measure: str) -> float:
    """The real figure lies between the run's / factor and * factor. `measure`: as Throughput, write. NaN if not stated."""
    known: Mapping[str, Any] = run.ftlab.get("intervals") or {}
    name, _, direction = measure.partition(", ")
    bounds = known.get("wa") if name == "WA" else next(
        (job.get(_FIGURES.get(name, "")) for job in known.get("jobs", []) if job["direction"] == direction), None)
    return float(np.sqrt(bounds[1] / bounds[0])) if bounds else NAN


def factor_of_job(run: Run, key: str, job: str, direction: str) -> float:
    """The same for a figure of one job, `key` as in `intervals`; of the first job of that direction if none has its name."""
    jobs = [one
            for one in (run.ftlab.get("intervals") or {}).get("jobs", []) if one["direction"] == direction and one.get(key)]
    bounds = next((one[key] for one in jobs if one["job"] == job), jobs[0][key] if jobs else None)
    return float(np.sqrt(bounds[1] / bounds[0])) if bounds else NAN


def factors_of_rates(run: Run) -> Dict[str, float]:
    """Direction -> factor of throughput; {} if not stated."""
    found = {direction: factor_of(run, f"Throughput, {direction}") for direction in ("read", "write", "trim")}
    return {direction: factor for direction, factor in found.items() if factor == factor}


def level_words(run: Run) -> str:
    """`80 %`, the share of real drives that the bounds hold for; "" if not stated."""
    known = run.ftlab.get("intervals")
    return f"{100 * known['level']:.0f} %" if known else ""


def band(curve: Curve, factor: Optional[float], name: str) -> "list[Ribbon]":
    """The area around a curve in which a real drive's would lie; empty without a factor."""
    if factor is None or factor != factor:
        return []
    x, y = curve.x, curve.y
    if curve.style == "steps":
        x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
    return [Ribbon(name, x, y / factor, y * factor, curve.hue)]


def band_of_residual(curves: "list[Curve]", factor: Optional[float]) -> "list[Ribbon]":
    """The same for simulated / measured - 1 in per cent, over the range of the curves."""
    x = np.concatenate([curve.x for curve in curves] or [np.zeros(0)])
    if factor is None or factor != factor or len(x) == 0:
        return []
    ends = np.array([np.nanmin(x), np.nanmax(x)]) * (1.0 if np.ptp(x) else np.array([0.9, 1.1]))
    return [Ribbon("interval", ends, np.full(2, 100 / factor - 100), np.full(2, 100 * factor - 100), 7)]
