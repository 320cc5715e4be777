"""The figures of the first screen: what each run reached in the stretch that is compared, and how far that scatters.

The stretch is the last phase of a run's job, what stands behind its last stonewall; of a run without phases all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np
import pandas as pd

from ftlab.report.reading.run import Run
from ftlab.report.scatter import relative_scatter

PERCENTILES = {"p50": 50.0, "p99": 99.0, "p99.9": 99.9}
DIRECTIONS = ("read", "write", "trim")
NAN = float("nan")
BIN = 1 / 64  # of a histogram of latencies, as a share


@dataclass(frozen=True)
class Measure:
    """One figure of every run, NaN where it has none. `scatter`: the half-width of its 95 % interval as a share of it."""

    name: str
    unit: str
    values: List[float]
    scatter: List[float]
    grain: float = 0.0  # below which two figures are the same, as a share: percentiles are known by bins

    def difference(self, n: int) -> Optional[float]:
        """Of the n-th run to the first, as a share of the first."""
        base, value = self.values[0], self.values[n]
        return value / base - 1 if base == base and value == value and base else None

    def both_scatter(self, n: int) -> Optional[float]:
        """That a difference must exceed; None where either is not known."""
        both = float(np.hypot(self.scatter[0], self.scatter[n] * self.values[n] / self.values[0]))
        return both + self.grain if both == both else None


def measures_of(runs: Sequence[Run]) -> List[Measure]:
    """Those that any run has."""
    stretches = [_Stretch(run) for run in runs]
    measures: List[Measure] = []
    for direction in DIRECTIONS:
        if any(len(one.jobs_in(direction)) for one in stretches):
            measures += _of_direction(stretches, direction)
    measures.append(_measure("Write amplification", "", stretches, lambda one: (one.wa(), one.wa_scatter())))
    measures.append(_measure("Write amplification at the end", "", stretches, lambda one: one.wa_at_end()))
    measures.append(_measure("Erases", "blocks for each GB written", stretches,
                             lambda one: (one.erases(), one.erase_scatter())))
    return [measure for measure in measures if any(value == value for value in measure.values)]


def _of_direction(stretches: "Sequence[_Stretch]", direction: str) -> List[Measure]:
    small = all(one.small_requests(direction) for one in stretches)
    column, unit = (("iops", "IOPS") if small else ("MB_per_s", "MB/s"))
    measures = [_measure(f"Throughput, {direction}", unit, stretches,
                         lambda one: (one.rate(direction, column), one.scatter_of(f"{direction}_{column}")))]
    for name, percent in PERCENTILES.items():
        us, shown = _unit([one.percentile(direction, percent) for one in stretches])
        series = f"latency_{direction}_us_{name}"
        measures.append(_measure(f"{name}, {direction}", shown, stretches, lambda one: (
            one.percentile(direction, percent) / us, one.scatter_of(series, f"{direction}_iops")), BIN))
    return measures


def _measure(name: str, unit: str, stretches: "Sequence[_Stretch]", ask: "Callable[[_Stretch], Tuple[float, float]]",
             grain: float = 0.0) -> Measure:
    answers = [ask(one) for one in stretches]
    return Measure(name, unit, [value for value, _ in answers], [scatter for _, scatter in answers], grain)


def _unit(values_us: Sequence[float]) -> Tuple[float, str]:
    smallest = min((value for value in values_us if value > 0), default=1.0)
    return (1e6, "s") if smallest >= 1e6 else (1e3, "ms") if smallest >= 1e3 else (1.0, "µs")


class _Stretch:
    """The part of a run that is compared: its jobs and its whole intervals."""

    def __init__(self, run: Run) -> None:
        phases: List[Mapping[str, Any]] = run.ftlab.get("phases") or []
        self.run = run
        self.whole = len(phases) < 2
        names = set() if self.whole else set(str(phases[-1]["name"]).split(", "))
        labels = run.jobs["job"].astype(str).str.replace(r" #\d+$", "", regex=True)
        chosen = labels.isin(names).to_numpy() if names and labels.isin(names).any() else np.ones(len(run.jobs), dtype=bool)
        self.jobs = run.jobs[chosen]
        self._series = _within(run.series, None if self.whole else phases[-1])

    def jobs_in(self, direction: str) -> pd.DataFrame:
        """Its rows; none where nothing says which of several jobs ran at the same time."""
        rows = self.jobs[self.jobs["direction"] == direction] if "direction" in self.jobs else self.jobs.iloc[:0]
        return rows if "phases" in self.run.ftlab or len(rows) < 2 else rows.iloc[:0]

    def small_requests(self, direction: str) -> bool:
        """Up to 16 KiB a request are counted by requests, larger ones by bytes."""
        rows = self.jobs_in(direction)
        return len(rows) == 0 or bool((rows["bs"] <= 16384).all())

    def rate(self, direction: str, column: str) -> float:
        rows = self.jobs_in(direction)
        return float(rows[column].sum()) if len(rows) else NAN

    def percentile(self, direction: str, percent: float) -> float:
        """Microseconds, of the requests of all jobs together."""
        rows = self.jobs_in(direction)
        bins = self.run.latencies
        if len(bins):
            bins = bins[(bins["direction"] == direction) & bins["job"].isin(rows["job"])].sort_values("latency_ns")
        if len(bins):
            reached = np.cumsum(bins["count"].to_numpy(dtype=float)) / float(bins["count"].sum())
            within = int(np.searchsorted(reached, percent / 100 - 1e-12))
            return float(bins["latency_ns"].iloc[min(within, len(bins) - 1)]) / 1e3
        return float(rows[f"latency_us_p{percent:g}"].iloc[0]) if len(rows) == 1 else NAN

    def scatter_of(self, column: str, weight: str = "") -> float:
        series = self._series
        if column not in series or len(series) == 0 or (weight and weight not in series):
            return NAN
        weights = series["length_s"] * (series[weight] if weight else 1.0)
        return relative_scatter(series[column].to_numpy(dtype=float), weights.fillna(0).to_numpy(dtype=float))

    def wa(self) -> float:
        total = (self.run.ftlab.get("wa") or {}).get("total")
        if self.whole and isinstance(total, (int, float)):
            return float(total) if total > 0 else NAN
        written = self._written()
        if len(written) == 0:
            return NAN
        media = (self._series["wa"].fillna(0) * written).sum()
        return float(media / written.sum()) if written.sum() > 0 else NAN

    def wa_scatter(self) -> float:
        written = self._written()
        if len(written) == 0:
            return NAN
        return relative_scatter(self._series["wa"].to_numpy(dtype=float), written.to_numpy(dtype=float))

    def wa_at_end(self) -> Tuple[float, float]:
        """Of the last tenth of what the host wrote, and the half-width of its 95 % interval as a share."""
        at_end: Mapping[str, Any] = self.run.ftlab.get("wa_at_end") or {}
        total, half = at_end.get("total"), at_end.get("half_width_95")
        if not isinstance(total, (int, float)) or total <= 0:
            return NAN, NAN
        return float(total), float(half) / float(total) if isinstance(half, (int, float)) else NAN

    def erases(self) -> float:
        """Blocks for each 10^9 bytes that the host wrote."""
        traffic: Dict[str, Any] = self.run.ftlab.get("traffic") or {}
        if self.whole and traffic.get("host_write_bytes") and "block_erases" in traffic:
            return float(traffic["block_erases"]) / (float(traffic["host_write_bytes"]) / 1e9)
        written = self._written()
        return float(self._series["block_erases"].sum() / (written.sum() / 1e3)) if written.sum() > 0 else NAN

    def erase_scatter(self) -> float:
        written = self._written()
        if len(written) == 0:
            return NAN
        with np.errstate(divide="ignore", invalid="ignore"):
            each = self._series["block_erases"].to_numpy(dtype=float) / written.to_numpy(dtype=float)
        return relative_scatter(each, written.to_numpy(dtype=float))

    def _written(self) -> pd.Series:
        """Megabytes that the host wrote in each interval; empty of series that count no flash."""
        series = self._series
        if not {"write_MB_per_s", "wa", "block_erases"} <= set(series) or series["wa"].isna().all():
            return pd.Series(dtype=float)
        return (series["write_MB_per_s"] * series["length_s"]).fillna(0)


def _within(series: Optional[pd.DataFrame], phase: Optional[Mapping[str, Any]]) -> pd.DataFrame:
    """Its intervals that lie in the phase altogether."""
    if series is None:
        return pd.DataFrame({"t_s": [], "length_s": []})
    if phase is None:
        return series
    return series[(series["t_s"] - series["length_s"] >= phase["from_s"] - 1e-9) & (series["t_s"] <= phase["to_s"] + 1e-9)]
