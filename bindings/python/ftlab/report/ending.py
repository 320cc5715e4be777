"""The end of a run: the period of its headline figures, and whether the run was steady then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional

import numpy as np
import pandas as pd

from ftlab.report.fresh import throughput
from ftlab.report.reading.problem import NEVER_STEADY
from ftlab.report.reading.run import Run
from ftlab.report.scatter import BATCHES, Level, steady_level

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
