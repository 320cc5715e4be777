"""Latency by cause, of all requests or the slowest, and buffer wait by what the dies did."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Sequence, Tuple

from ftlab.report.reading.die_uses import IDLE

BUFFER_WAIT = "buffer_wait"
LEAST_USE = 0.005  # share that a part of buffer wait needs
Ranges = Sequence[Mapping[str, Any]]  # ftlab.latency_parts_by_latency


def split(sums: Mapping[str, float], uses: Mapping[str, float]) -> Dict[str, float]:
    """Replaces the wait for buffer space by what the dies did meanwhile; unchanged without `uses`."""
    least = LEAST_USE * sum(uses.values())
    busy = {use: share for use, share in uses.items() if use != IDLE and share > least}
    if not busy or not sums.get(BUFFER_WAIT):
        return dict(sums)
    parts = {f"buffer wait: {use}": sums[BUFFER_WAIT] * share / sum(busy.values()) for use, share in busy.items()}
    return {**parts, **{name: time for name, time in sums.items() if name != BUFFER_WAIT}}


def slowest_parts(ranges: Ranges, share: float) -> Tuple[float, Dict[str, float]]:
    """Number of requests in the slowest `share`, and the sums of their latency parts in nanoseconds."""
    wanted = left = share * sum(one["requests"] for one in ranges)
    sums: Dict[str, float] = {}
    for one in sorted(ranges, key=lambda entry: -int(entry["from_ns"])):
        if left <= 0:
            break
        taken = min(1.0, left / one["requests"]) if one["requests"] else 0.0
        for name, ns in one["parts_ns"].items():
            sums[name] = sums.get(name, 0.0) + taken * ns
        left -= one["requests"]
    return wanted, sums
