"""How far a run that is not steady is from what ftlab demands of a steady one (sim/stats/steady_watch.cpp): two drive writes
before its second half, and one drive write in it."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from ftlab.report.ending import ending_of, last_phase_from
from ftlab.report.headline import settled_after, time_words
from ftlab.report.reading.run import Run

BEFORE, WITHIN = 2.0, 1.0  # drive writes before the second half of a run, and in it


def how_far(run: Run) -> str:
    """`0.79 of 2 drive writes stood before its second half, and ...`; "" if nothing was written or sizes are unknown."""
    user = (run.ftlab.get("over_provisioning") or {}).get("user_bytes")
    if not user or run.series is None or "write_MB_per_s" not in run.series or len(run.series) < 2:
        return ""
    ends = run.series["t_s"].to_numpy(dtype=float)
    written = np.cumsum((run.series["write_MB_per_s"] * run.series["length_s"]).fillna(0).to_numpy(dtype=float)) * 1e6 / user
    earlier = float((run.ftlab.get("before") or {}).get("host_write_bytes") or 0) / user
    half = written[len(written) // 2 - 1]
    rate = _rate(run.ftlab) / user
    before, within = earlier + half, written[-1] - half
    if written[-1] <= 0 or (before >= BEFORE and within >= WITHIN):
        return _settled(run)
    words = f"{before:.2g} of {BEFORE:g} drive writes stood before its second half, {within:.2g} of {WITHIN:g} in it"
    return words + _needed(ends, written, earlier, rate) + _settled(run)


def _needed(ends: np.ndarray, written: np.ndarray, earlier: float, rate: float) -> str:
    """The length of a run that would do, at the rate at the end."""
    if rate <= 0:
        return ""
    wanted = max(BEFORE - earlier, 0.0)
    until = float(np.interp(wanted, written, ends)) if wanted <= written[-1] else ends[-1] + (wanted - written[-1]) / rate
    aged = " (less with --precondition, which counts)" if wanted > 0 else ""
    return f"; at the rate at the end, a run of {time_words(max(2 * until, 2 * WITHIN / rate))} would do{aged}"


def _rate(facts: Mapping[str, Any]) -> float:
    return float(((facts.get("rates_at_end") or {}).get("write") or {}).get("bytes_per_s") or 0)


def _settled(run: Run) -> str:
    """Since when throughput has hardly changed, though the run is not called steady."""
    ending = ending_of(run)
    after = None if ending is None else settled_after(run, ending, "write_MB_per_s")
    if after is None or after <= 0 or ending is None:
        return ""
    return f"; throughput has been within 15 % of its mean at the end from {time_words(after + last_phase_from(run))} on"
