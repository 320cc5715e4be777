"""The figures at the top of a report: for each run at its end and since its beginning, with their scatter.

The figure at the end comes first, from result.json if it has one (`ftlab.wa_at_end`, `rates_at_end`). The figure since the
beginning covers the last phase of the job, after its last stonewall, or the whole run if it has no phases.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np
import pandas as pd

from ftlab.report.ending import Ending, comparable_fresh, ending_of
from ftlab.report.picture import LATENCIES
from ftlab.report.reading.run import Run
from ftlab.report.scatter import Track, paired_scatter, relative_scatter, within

PERCENTILES = {"p50": 50.0, "p99": 99.0, "p99.9": 99.9}
DIRECTIONS = ("read", "write", "trim")
AT_END, SINCE_BEGINNING = "at the end", "since the beginning"
NAN = float("nan")
SAME = 1e-9  # as a share: rounding error of the batch means
DIFFERENT = 0.1  # as a share: the figure when fresh is shown if the end differs by more
BIN = 1 / 64  # width of a bin of latency histograms, as a share
NO_TRACK = Track(np.zeros(0), np.zeros(0), np.zeros(0))


@dataclass(frozen=True)
class Figure:
    """The figure of one run, NaN if unknown. `scatter`: half-width of its 95 % interval as a share of the value."""

    value: float = NAN
    scatter: float = NAN
    track: Track = NO_TRACK  # the same quantity per interval


@dataclass(frozen=True)
class Measure:
    """One figure of every run, either at the end or since the beginning."""

    name: str
    unit: str
    when: str
    figures: List[Figure]
    grain: float = 0.0  # resolution as a share (percentiles are read from bins); smaller differences do not count
    fresh: Sequence[float] = ()  # figure of each run's fresh period (ending.py); NaN if the end is similar

    @property
    def lower_is_better(self) -> bool:
        return not self.name.startswith("Throughput")

    def best(self) -> Optional[int]:
        """The run that is better than all others by more than the scatter; None if there is no such run."""
        first, second = [*self.order()[:2], None, None][:2]
        return first if first is not None and second is not None and self.differs(second, first) else None

    def order(self) -> List[int]:
        """The runs that have the figure, the best first."""
        known = [n for n, value in enumerate(self.values) if value == value]
        return sorted(known, key=lambda n: self.values[n] * (1 if self.lower_is_better else -1))

    def differs(self, n: int, to: int) -> bool:
        """True if run `n` differs from run `to` by more than the scatter."""
        both, difference = self.both_scatter(n, to), self.difference(n, to)
        return difference is not None and abs(difference) > (both or SAME)

    @property
    def values(self) -> List[float]:
        return [figure.value for figure in self.figures]

    @property
    def title(self) -> str:
        return f"{self.name} {self.when}" if self.name == WA else f"{self.name}, {self.when}"

    def difference(self, n: int, to: int = 0) -> Optional[float]:
        """Relative difference of run `n` from run `to`."""
        base, value = self.values[to], self.values[n]
        return value / base - 1 if base == base and value == value and base else None

    def both_scatter(self, n: int, to: int = 0) -> Optional[float]:
        """The scatter that a difference must exceed: paired by interval if both runs have the same intervals, otherwise
        that of both combined. None if unknown, or if run `to` has a figure of zero."""
        one, other = self.figures[to], self.figures[n]
        if not one.value:
            return None
        both = paired_scatter(one.track, other.track)
        if both is None:
            both = float(np.hypot(one.scatter, other.scatter * other.value / one.value))
        return both + self.grain if both == both else None


WA = "WA"


def jobs_of_last_phase(run: Run) -> pd.DataFrame:
    """All jobs if the run has fewer than two phases, or none of the last phase's jobs is known."""
    phases: List[Mapping[str, Any]] = run.ftlab.get("phases") or []
    chosen = job_labels(run).isin(str(phases[-1]["name"]).split(", ") if len(phases) > 1 else [])
    return run.jobs[chosen.to_numpy()] if chosen.any() else run.jobs


def job_labels(run: Run) -> "pd.Series[str]":
    """Names of jobs without the numbers of their clones."""
    return run.jobs["job"].astype(str).str.replace(r" #\d+$", "", regex=True)


def measures_of(runs: Sequence[Run]) -> List[Measure]:
    """All measures that any run has; for each quantity at the end, then since the beginning."""
    stretches = [_Stretch(run) for run in runs]
    measures = [_measure(WA, "", AT_END, stretches, _Stretch.wa_at_end),
                _measure(WA, "", SINCE_BEGINNING, stretches, _Stretch.wa)]
    for direction in DIRECTIONS:
        if any(len(one.jobs_in(direction)) for one in stretches):
            measures += _of_direction(stretches, direction)
    measures.append(_measure("Erases", "blocks for each GB written", SINCE_BEGINNING, stretches, _Stretch.erases))
    return [measure for measure in measures if any(value == value for value in measure.values)]


def headline(measures: Sequence[Measure], name: str, fewest: int) -> Optional[Measure]:
    """A quantity at the end if at least `fewest` runs have it, otherwise since the beginning."""
    found = [measure for measure in measures if measure.name == name]
    return next((measure for measure in found if np.isfinite(measure.values).sum() >= fewest), None)


def _of_direction(stretches: "Sequence[_Stretch]", direction: str) -> List[Measure]:
    small = all(one.small_requests(direction) for one in stretches)
    column, unit = (("iops", "IOPS") if small else ("MB_per_s", "MB/s"))
    name = f"Throughput, {direction}"
    measures = [_measure(name, unit, AT_END, stretches, lambda one: one.rate_at_end(direction, column),
                         f"{direction}_{column}"),
                _measure(name, unit, SINCE_BEGINNING, stretches, lambda one: one.rate(direction, column))]
    for name, percent in PERCENTILES.items():
        series = f"latency_{direction}_us_{name}"
        us, shown = _unit([one.percentile(direction, percent) for one in stretches])
        measures.append(_measure(f"{name}, {direction}", shown, AT_END, stretches, lambda one: one.latency_at_end(
            series, f"{direction}_iops", us), series, BIN, us, f"{direction}_iops"))
        measures.append(_measure(f"{name}, {direction}", shown, SINCE_BEGINNING, stretches, lambda one: _figure(
            one.percentile(direction, percent) / us, one.track(series, f"{direction}_iops")), "", BIN))
    return measures


def _measure(name: str, unit: str, when: str, stretches: "Sequence[_Stretch]", ask: "Callable[[_Stretch], Figure]",
             column: str = "", grain: float = 0.0, scale: float = 1.0, weight: str = "") -> Measure:
    """`column`: the column of the series with the same quantity, `scale` times as large. `weight`: of its intervals, as in
    `_Stretch.track`."""
    figures = [ask(one) for one in stretches]
    fresh = [one.fresh(column, weight) / scale if column else NAN for one in stretches]
    shown = [value if abs(value - figure.value) > DIFFERENT * figure.value else NAN for value, figure in zip(fresh, figures)]
    return Measure(name, unit, when, figures, grain, shown)


def _figure(value: float, track: Track) -> Figure:
    return Figure(value, relative_scatter(track), track) if value == value else Figure()


def _unit(values_us: Sequence[float]) -> Tuple[float, str]:
    """By the median; microseconds have at most four digits."""
    known = sorted(value for value in values_us if value > 0) or [1.0]
    return next(((us, name) for us, name in LATENCIES if max(known[len(known) // 2], known[-1] / 10) >= us), LATENCIES[-1])


class _Stretch:
    """The part of a run that is compared: its last phase, or the whole run."""

    def __init__(self, run: Run) -> None:
        phases: List[Mapping[str, Any]] = run.ftlab.get("phases") or []
        self.run = run
        self.whole = len(phases) < 2
        self.jobs = jobs_of_last_phase(run)
        self.ending = ending_of(run)
        self._series = _within(run.series, None if self.whole else phases[-1])
        self._jobs = {direction: self._jobs_in(direction) for direction in DIRECTIONS}
        self._latencies = {direction: self._latencies_of(rows) for direction, rows in self._jobs.items()}

    def jobs_in(self, direction: str) -> pd.DataFrame:
        """The jobs of a direction; empty if there are several and it is unknown which ran at the same time."""
        return self._jobs[direction]

    def _jobs_in(self, direction: str) -> pd.DataFrame:
        rows = self.jobs[self.jobs["direction"] == direction] if "direction" in self.jobs else self.jobs.iloc[:0]
        return rows if "phases" in self.run.ftlab or len(rows) < 2 else rows.iloc[:0]

    def _latencies_of(self, rows: pd.DataFrame) -> pd.DataFrame:
        """The bins of these jobs, in ascending order."""
        bins = self.run.latencies
        if len(bins) == 0 or len(rows) == 0:
            return bins.iloc[:0]
        mine = (bins["direction"] == rows["direction"].iloc[0]) & bins["job"].isin(rows["job"])
        return bins[mine].sort_values("latency_ns")

    def small_requests(self, direction: str) -> bool:
        """True if requests are at most 16 KiB: compared by IOPS, larger ones by MB/s."""
        rows = self.jobs_in(direction)
        return len(rows) == 0 or bool((rows["bs"] <= 16384).all())

    def rate(self, direction: str, column: str) -> Figure:
        rows = self.jobs_in(direction)
        return _figure(float(rows[column].sum(min_count=1)) if len(rows) else NAN, self.track(f"{direction}_{column}"))

    def rate_at_end(self, direction: str, column: str) -> Figure:
        track = self.track(f"{direction}_{column}", ending=self.ending)
        rates: Mapping[str, Any] = self.run.ftlab.get("rates_at_end") or {}
        own: Mapping[str, Any] = rates.get(direction) or {}
        if len(self.jobs_in(direction)) == 0:
            return Figure()
        if self.ending is None or not self.ending.of_result or not own:
            return _figure(track.known().mean(), track)
        value = float(own["iops"]) if column == "iops" else float(own["bytes_per_s"]) / 1e6
        half, alone = rates.get("iops_half_width_95"), sum(one in rates for one in DIRECTIONS) == 1
        known = alone and half is not None and rates["iops"]
        scatter = float(half) / float(rates["iops"]) if known else relative_scatter(track)  # type: ignore[arg-type]
        return Figure(value, scatter, track)

    def latency_at_end(self, column: str, weight: str, us: float) -> Figure:
        """Mean of the intervals' percentiles, weighted by requests."""
        track = self.track(column, weight, self.ending) if self.ending is not None else NO_TRACK
        return _figure(track.known().mean() / us, track)

    def fresh(self, column: str, weight: str) -> float:
        """Mean over the fresh period of the run, as of the figure at the end."""
        period = comparable_fresh(self.run)
        if period is None or self.run.series is None:
            return NAN
        return _track(self.run.series, column, weight, (0.0, period.to_s)).known().mean()

    def percentile(self, direction: str, percent: float) -> float:
        """In microseconds, over the requests of all jobs combined."""
        rows, bins = self.jobs_in(direction), self._latencies[direction]
        if len(bins):
            reached = np.cumsum(bins["count"].to_numpy(dtype=float)) / float(bins["count"].sum())
            place = int(np.searchsorted(reached, percent / 100 - 1e-12))
            return float(bins["latency_ns"].iloc[min(place, len(bins) - 1)]) / 1e3
        return float(rows[f"latency_us_p{percent:g}"].iloc[0]) if len(rows) == 1 else NAN

    def track(self, column: str, weight: str = "", ending: Optional[Ending] = None) -> Track:
        """A column of the series, weighted by time (and `weight`); only intervals within `ending`, if given."""
        return _track(self._series, column, weight, None if ending is None else (ending.from_s, ending.to_s))

    def wa(self) -> Figure:
        track = self.track("wa", "write_MB_per_s")
        total = (self.run.ftlab.get("wa") or {}).get("total")
        if self.whole and isinstance(total, (int, float)):
            return _figure(float(total) if total > 0 else NAN, track)
        return _figure(track.known().mean(), track)

    def wa_at_end(self) -> Figure:
        """From the result, which covers the last tenth of the host's writes."""
        track = self.track("wa", "write_MB_per_s", self.ending)
        at_end: Mapping[str, Any] = self.run.ftlab.get("wa_at_end") or {}
        total, half = at_end.get("total"), at_end.get("half_width_95")
        if self.ending is None or not self.ending.of_result or not isinstance(total, (int, float)):
            return _figure(track.known().mean(), track)
        return Figure(float(total), float(half) / float(total) if isinstance(half, (int, float)) else NAN, track)

    def erases(self) -> Figure:
        """Blocks erased per 10^9 bytes written by the host."""
        series, track = self._series, NO_TRACK
        if {"write_MB_per_s", "wa", "block_erases"} <= set(series) and series["wa"].notna().any():
            each = series["block_erases"] / (series["write_MB_per_s"] * series["length_s"] / 1e3)
            track = _track(series.assign(each=each), "each", "write_MB_per_s", None)
        traffic: Dict[str, Any] = self.run.ftlab.get("traffic") or {}
        if self.whole and traffic.get("host_write_bytes") and "block_erases" in traffic:
            return _figure(float(traffic["block_erases"]) / (float(traffic["host_write_bytes"]) / 1e9), track)
        return _figure(track.known().mean(), track)


def _track(series: pd.DataFrame, column: str, weight: str, period: Optional[Tuple[float, float]]) -> Track:
    if column not in series or (weight and weight not in series):
        return NO_TRACK
    part = series if period is None else series[within(series, *period)]
    weights = part["length_s"] * (part[weight] if weight else 1.0)
    return Track(*(one.to_numpy(dtype=float) for one in (part["t_s"], part[column], weights.fillna(0))))


def _within(series: Optional[pd.DataFrame], phase: Optional[Mapping[str, Any]]) -> pd.DataFrame:
    """The intervals that lie entirely within the phase."""
    if series is None:
        return pd.DataFrame({"t_s": [], "length_s": []})
    return series if phase is None else series[within(series, phase["from_s"], phase["to_s"])]
