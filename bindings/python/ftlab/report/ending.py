"""The end of a run: the period of its headline figures, and whether the run was steady then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional

import numpy as np
import pandas as pd

from ftlab.report.reading.facts import NEVER_STEADY
from ftlab.report.reading.run import Run, kept_with_run
from ftlab.report.scatter import BATCHES, Level, steady_level

BAND = 0.15  # throughput within this share of a level counts as being at the level
GRAIN = 1 / 400  # share of the capacity; shorter intervals show single flash operations and are taken together
FIRST, FIRST_SHARE = 5, 0.05  # intervals whose median is the first level, and the share of the capacity that they may write


@dataclass(frozen=True)
class Fresh:
    """From the start of the run to `to_s`. `words`: what its figures are called, `fresh` or `at the start`."""

    to_s: float
    words: str


def fresh_of(facts: Mapping[str, Any], series: Optional[pd.DataFrame]) -> Optional[Fresh]:
    """The fresh period of a run with these `facts` (`ftlab` of its result) and this series, called so if the drive had never
    been written before the job (SNIA: fresh out of the box), otherwise `at the start`; of a job of several phases with the
    name of the phase in which it begins. None without throughput."""
    user = (facts.get("over_provisioning") or {}).get("user_bytes") or (facts.get("device") or {}).get("size_bytes")
    until = None if series is None else fresh_until(series, user)
    if until is None:
        return None
    before: Mapping[str, int] = facts.get("before") or {}
    words = "fresh" if before and not any(before.values()) else "at the start"
    phases = facts.get("phases") or []
    return Fresh(until, f"{words} (phase {phases[0]['name']})" if len(phases) > 1 else words)


@kept_with_run
def comparable_fresh(run: Run) -> Optional[Fresh]:
    """fresh_of() of a run of one phase. None of several: a first phase with other requests says nothing about the last."""
    return None if len(run.ftlab.get("phases") or []) > 1 else fresh_of(run.ftlab, run.series)


def fresh_until(series: pd.DataFrame, user_bytes: Any = None) -> Optional[float]:
    """Seconds from the start until throughput of all directions together first leaves BAND around its first level, but at
    most until the host has written `user_bytes`, if known. Whole intervals, at least one with requests. None without.

    The first level is the median of the first five intervals, as the write buffer may take in the first one faster than
    flash; of fewer, down to the first alone, if five write more than a twentieth of the capacity or if it is unknown."""
    rates, length = throughput(series), series["length_s"].to_numpy(dtype=float)
    if not (rates > 0).any():
        return None
    writes = series.get("write_MB_per_s", 0 * series["length_s"]).fillna(0).to_numpy(dtype=float) * length * 1e6
    known = bool(user_bytes) and writes.any()
    steps = np.floor((np.cumsum(writes) - writes) / (GRAIN * user_bytes)) if known else np.arange(len(rates))
    starts = np.flatnonzero(np.diff(steps, prepend=-1))
    rates = np.add.reduceat(rates * length, starts) / np.add.reduceat(length, starts)
    written = np.cumsum(np.add.reduceat(writes, starts))
    begin = int(np.argmax(rates > 0))
    few = int((written[begin:begin + FIRST] <= FIRST_SHARE * user_bytes).sum()) if known else 1
    first = np.sort(rates[begin:begin + max(few, 1)])
    level = first[(len(first) - 1) // 2]
    inside = np.abs(rates - level) <= BAND * level
    begin = int(np.argmax(inside))
    inside &= (written <= user_bytes) if known else True
    after = np.flatnonzero(~inside[begin + 1:])
    ends = np.append(starts[1:], len(length)) - 1
    return float(series["t_s"].iloc[ends[begin + int(after[0]) if len(after) else -1]])


def throughput(series: pd.DataFrame) -> np.ndarray:
    """MB/s of all directions together, or IOPS if there are no MB/s; one number per interval."""
    columns = ([column for column in series if column.endswith("_MB_per_s")]
               or [column for column in series if column.endswith("_iops")])
    return np.asarray(series[columns].fillna(0).sum(axis=1).to_numpy(dtype=float))


SHARE = 0.1  # share of a run taken as its end if the result does not name the end and throughput drifts
DRIFTS, SHORT = "throughput drifts until the end", "the run is too short to judge"
END = ("rates_at_end", "wa_at_end")  # keys of `ftlab` that name the period


@dataclass(frozen=True)
class Ending:
    """`why`: the reason if not steady. Without a clock both times are 0."""

    from_s: float
    to_s: float
    steady: bool
    why: str = ""
    of_result: bool = True  # the figures are in the result; otherwise they are computed from the series

    @property
    def words(self) -> str:
        return "steady" if self.steady else "not steady"


@kept_with_run
def ending_of(run: Run) -> Optional[Ending]:
    """The end of the job's last phase as named by the result. If it is not, as in fio's own results: the longest tail
    without drift, else the last tenth. None if neither the result nor a series has data."""
    begin = last_phase_from(run)
    told = next((window for window in (run.ftlab.get(key) for key in END) if window and _begins_behind(window, begin)), None)
    level = None if run.series is None else _level(run.series, begin)
    why = "" if level else SHORT if run.series is None or (run.series["t_s"] > begin).sum() < BATCHES else DRIFTS
    if told is not None:
        return _judged(run, Ending(float(told["from_s"]), float(told["to_s"]), level is not None, why))
    if run.series is None or len(run.series) == 0:
        return None
    from_s, to_s = (level.from_s, level.to_s) if level else _last_tenth(run.series, begin)
    return _judged(run, Ending(from_s, to_s, level is not None, why, of_result=False))


def _last_tenth(series: pd.DataFrame, begin: float) -> "tuple[float, float]":
    """The last tenth in whole intervals, at least one."""
    to_s = float(series["t_s"].max())
    first = series[series["t_s"] > to_s - max(SHARE * (to_s - begin), 1e-9)].iloc[0]
    return float(first["t_s"] - first["length_s"]), to_s


def last_phase_from(run: Run) -> float:
    phases = run.ftlab.get("phases") or []
    return float(phases[-1]["from_s"]) if len(phases) > 1 else 0.0


def why_never_steady(run: Run) -> str:
    """The problem because of which no figure of the run may be called steady; "" if none."""
    return next((problem.text for problem in run.problems if problem.code in NEVER_STEADY), "")


def _judged(run: Run, ending: Ending) -> Ending:
    """Judges steadiness: problems first, then the result's own verdict, then the series."""
    at_end: Mapping[str, Any] = (run.ftlab.get("wa_at_end") or {}) if ending.of_result else {}
    steady = bool(at_end.get("steady", ending.steady))
    why = why_never_steady(run) or ("" if steady else str(at_end.get("why_not_steady") or ending.why))
    return Ending(ending.from_s, ending.to_s, not why, why, ending.of_result)


def _begins_behind(window: Mapping[str, Any], begin: float) -> bool:
    return isinstance(window.get("from_s"), (int, float)) and float(window["from_s"]) >= begin - 1e-9


def _level(series: pd.DataFrame, from_s: float) -> Optional[Level]:
    """The steady level of MB/s over all directions together, or of IOPS if there are no MB/s."""
    level = steady_level(series, throughput(series), from_s, float(series["t_s"].max())) if len(series) else None
    return level if level is not None and np.isfinite(level.mean) and level.mean > 0 else None
