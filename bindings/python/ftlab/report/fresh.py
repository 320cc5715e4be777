"""The fresh period of a run: its beginning, until throughput first leaves its first level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional

import numpy as np
import pandas as pd

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


def comparable_fresh(facts: Mapping[str, Any], series: Optional[pd.DataFrame]) -> Optional[Fresh]:
    """fresh_of() of a run of one phase. None of several: a first phase with other requests says nothing about the last."""
    return None if len(facts.get("phases") or []) > 1 else fresh_of(facts, series)


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
