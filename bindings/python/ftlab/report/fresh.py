"""The fresh period of a run: its beginning, until throughput first leaves its first level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional

import numpy as np
import pandas as pd

from ftlab.report.reading.run import Run

BAND = 0.15  # throughput within this share of a level counts as being at the level


@dataclass(frozen=True)
class Fresh:
    """From the start of the run to `to_s`. `words`: what its figures are called, `fresh` or `at the start`."""

    to_s: float
    words: str


def fresh_of(run: Run) -> Optional[Fresh]:
    """The fresh period, called so if the drive had never been written before the job (SNIA: fresh out of the box), otherwise
    `at the start`; of a job of several phases with the name of the phase in which it begins. None without throughput."""
    user = (run.ftlab.get("over_provisioning") or {}).get("user_bytes") or (run.ftlab.get("device") or {}).get("size_bytes")
    until = None if run.series is None else fresh_until(run.series, user)
    if until is None:
        return None
    before: Mapping[str, int] = run.ftlab.get("before") or {}
    words = "fresh" if before and not any(before.values()) else "at the start"
    phases = run.ftlab.get("phases") or []
    return Fresh(until, f"{words} (phase {phases[0]['name']})" if len(phases) > 1 else words)


def fresh_until(series: pd.DataFrame, user_bytes: Any = None) -> Optional[float]:
    """Seconds from the start until throughput of all directions together first differs by more than BAND from that of the
    first interval with requests, but at most until the host has written `user_bytes`, if known. Whole intervals, at least
    that one. None without requests."""
    rates = throughput(series)
    begin = int(np.argmax(rates > 0)) if (rates > 0).any() else -1
    if begin < 0:
        return None
    inside = np.abs(rates - rates[begin]) <= BAND * rates[begin]
    if user_bytes and "write_MB_per_s" in series:
        inside &= np.cumsum((series["write_MB_per_s"] * series["length_s"]).fillna(0).to_numpy()) * 1e6 <= user_bytes
    after = np.flatnonzero(~inside[begin + 1:])
    last = begin + int(after[0]) if len(after) else len(rates) - 1
    return float(series["t_s"].iloc[last])


def throughput(series: pd.DataFrame) -> np.ndarray:
    """MB/s of all directions together, or IOPS if there are no MB/s; one number per interval."""
    columns = ([column for column in series if column.endswith("_MB_per_s")]
               or [column for column in series if column.endswith("_iops")])
    return np.asarray(series[columns].fillna(0).sum(axis=1).to_numpy(dtype=float))
