"""The verdict on a simulation against a measurement: throughput and latency, each inside or outside the interval in which
the simulated run says that a real drive's figure lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence

import numpy as np
import pandas as pd

from ftlab.report import markup
from ftlab.report.headline import ratio_words
from ftlab.report.picture import Curve, Ribbon
from ftlab.report.reading.points import match_points
from ftlab.report.reading.run import Run
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import pairs

NAN = float("nan")
# Name of a measure or figure -> key of a job in `intervals`.
_KEYS = {"Throughput": "iops", "throughput": "iops", "mean latency": "clat_mean_ns", "p50": "clat_p50_ns", "p99": "clat_p99_ns"}


def factor_of(run: Run, measure: str, job: str = "") -> float:
    """The real figure lies between the run's / factor and * factor. `measure`: as Throughput, write. Of the job with this
    name, or the first one of the direction. NaN if not stated."""
    known: Mapping[str, Any] = run.ftlab.get("intervals") or {}
    name, _, direction = measure.partition(", ")
    jobs = {one["job"]: one[_KEYS[name]] for one in reversed(known.get("jobs", []))
            if one["direction"] == direction and one.get(_KEYS.get(name))}
    bounds = known.get("wa") if name == "WA" else jobs.get(job, next(reversed(jobs.values()), None))
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


# Name of a figure -> its column of jobs.
FIGURES = {"throughput": "iops", "mean latency": "latency_us_mean", "p50": "latency_us_p50", "p99": "latency_us_p99"}


@dataclass(frozen=True)
class Errors:
    """simulated / measured - 1 of a figure in each workload of both runs. `factors`: of the intervals, NaN if not stated."""

    figure: str
    values: np.ndarray
    factors: np.ndarray
    workloads: Sequence[str]

    @property
    def inside(self) -> np.ndarray:
        return (1 / self.factors <= 1 + self.values) & (1 + self.values <= self.factors)

    def words(self, level: str) -> str:
        """HTML: `throughput <b>+3.1 %</b> (interval ×/÷ 1.36)`; of several workloads the median and the largest error."""
        known = self.factors[np.isfinite(self.factors)]
        most = int(np.argmax(np.abs(self.values)))
        largest = f"<b>{ratio_words(1 + float(self.values[most]))}</b>"
        told = ([] if len(self.values) == 1 else
                [f"at most, at {markup.text(self.workloads[most])}", f"median {100 * np.median(np.abs(self.values)):.3g} %"])
        if len(known):
            factor = f"×/÷ {known.min():.3g}" + ("" if known.min() == known.max() else f" to {known.max():.3g}")
            count = f"{int(self.inside.sum())} of {len(known)} inside the " if len(self.values) > 1 else ""
            told.append(f"{count}{level} interval {factor}")
        return f"{self.figure} {largest}" + (f" ({', '.join(told)})" if told else "")


def against_words(sources: Sources) -> str:
    """HTML: the verdict on each pair of runs, over jobs with the same workload. "" without pairs."""
    sentences = [_verdict(one, other) for one, other in pairs(sources.runs)]
    told = " ".join(filter(None, sentences))
    return f'<p class="answer">{told}</p>' if any(sentences) else ""


def errors_of(one: Run, other: Run) -> List[Errors]:
    """Of the simulated run `one` against the measured run `other`; only figures that all common workloads have."""
    both = match_points(one.jobs, other.jobs) if len(one.jobs) and len(other.jobs) else pd.DataFrame()
    found = []
    for figure, column in FIGURES.items():
        if f"{column}_simulated" not in both:
            continue
        values = (both[f"{column}_simulated"] / both[f"{column}_measured"] - 1).to_numpy(dtype=float)
        names = both["job_simulated" if "job_simulated" in both else "job"]
        factors = np.array([factor_of(one, f"{figure}, {way}", str(job)) for job, way in zip(names, both["direction"])])
        workloads = [f"{rw}, depth {depth:g}" for rw, depth in zip(both["rw"], both["iodepth"])]
        if len(values) and np.isfinite(values).all():
            found.append(Errors(figure, values, factors, workloads))
    return found


def _verdict(one: Run, other: Run) -> str:
    """`sim against real, since the beginning: agrees in throughput +3.1 % (80 % interval ×/÷ 1.36); ...`"""
    found: Dict[str, List[str]] = {"agrees in": [], "does <b>not</b> agree in": [], "no interval is stated for": []}
    for errors in errors_of(one, other):
        stated = np.isfinite(errors.factors)
        kind = 2 if not stated.any() else 0 if errors.inside[stated].all() else 1
        found[list(found)[kind]].append(errors.words(level_words(one)))
    parts = [f"{words} {_listed(figures)}" for words, figures in found.items() if figures]
    names = f"{markup.text(one.name)} against {markup.text(other.name)}"
    return f"{names}, since the beginning: {'; '.join(parts)}." if parts else ""


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
