"""Latency by cause, of all requests or the slowest, and buffer wait by what the dies did."""

from __future__ import annotations

import math
from typing import Any, Dict, List, Mapping, Sequence, Tuple

from ftlab.report.reading.run import Run

HOST, COPIES, MAP, ERASES, IDLE = "programs for the host", "copies of collection", "map writes", "erases", "idle"
OTHERS = {"wear levelling, refresh and parity": ("wear", "refresh", "parity", "fold", "fill", "failed", "padding")}
COUNTED = ("host_read", "internal_read", "host_program", "relocation_program", "erase", "suspension")
GEOMETRY = ("channels", "chips_per_channel", "dies_per_chip")


def uses_of(run: Run) -> Dict[str, float]:
    """Empty if the result lacks the counters."""
    traffic: Mapping[str, Any] = run.ftlab.get("traffic") or {}
    dies, seconds = _dies(run.ftlab.get("drive")), run.ftlab.get("simulated_s")
    if not dies or not seconds or not isinstance(traffic.get("die_host_program_ns"), (int, float)):
        return {}
    whole = dies * float(seconds) * 1e9
    uses = _named(traffic, {name: float(traffic.get(f"die_{name}_ns") or 0) / whole for name in COUNTED})
    return {**uses, IDLE: max(0.0, 1 - sum(uses.values()))} if any(uses.values()) else {}


def waits_of(run: Run) -> List[Dict[str, Any]]:
    """Ranges of `ftlab.buffer_waits`, as those of latency: from_ns, requests, and as parts_ns the waiting time by what the
    dies began to do meanwhile. A wait during which they began nothing is for programs of the host."""
    traffic: Mapping[str, Any] = run.ftlab.get("traffic") or {}
    ranges = []
    for one in run.ftlab.get("buffer_waits") or []:
        uses = _named(traffic, {name: float(one["dies_ns"].get(name) or 0) for name in COUNTED})
        whole = sum(uses.values())
        parts = {use: one["waited_ns"] * time / whole for use, time in uses.items()} if whole else {HOST: one["waited_ns"]}
        ranges.append({"from_ns": one["from_ns"], "requests": one["writes"], "parts_ns": parts})
    return ranges


def _named(traffic: Mapping[str, Any], spent: Mapping[str, float]) -> Dict[str, float]:
    """Counted times by use. Internal programs are split by the bytes that they wrote during the run."""
    written = {name: float(traffic.get(f"media_{name}_bytes") or 0)
               for name in ("relocation", "mapping", *(one for names in OTHERS.values() for one in names))}
    each = spent["relocation_program"] / (sum(written.values()) or 1)
    return {"reads for the host": spent["host_read"], HOST: spent["host_program"],
            COPIES: spent["internal_read"] + each * written["relocation"], MAP: each * written["mapping"],
            **{name: each * sum(written[one] for one in names) for name, names in OTHERS.items()},
            ERASES: spent["erase"], "suspensions": spent["suspension"]}


def _dies(drive: Any) -> int:
    geometry = drive.get("geometry") if isinstance(drive, dict) else None
    values = [geometry.get(key) if isinstance(geometry, dict) else None for key in GEOMETRY]
    numbers = [value.get("value") if isinstance(value, dict) else value for value in values]
    return math.prod(number for number in numbers if isinstance(number, int)) if all(isinstance(one, int)
                                                                                     for one in numbers) else 0


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
