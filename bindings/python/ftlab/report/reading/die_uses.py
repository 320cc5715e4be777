"""Shares of the dies' time by use."""

from __future__ import annotations

import math
from typing import Any, Dict, Mapping

from ftlab.report.reading.run import Run

HOST, COPIES, MAP, ERASES, IDLE = "programs for the host", "copies of collection", "map writes", "erases", "idle"
OTHERS = {"wear levelling, refresh and parity": ("wear", "refresh", "parity", "fold", "fill", "failed", "padding")}
GEOMETRY = ("channels", "chips_per_channel", "dies_per_chip")


def uses_of(run: Run) -> Dict[str, float]:
    """Empty if the result lacks the counters."""
    traffic: Mapping[str, Any] = run.ftlab.get("traffic") or {}
    dies, seconds = _dies(run.ftlab.get("drive")), run.ftlab.get("simulated_s")
    if not dies or not seconds or not isinstance(traffic.get("die_host_program_ns"), (int, float)):
        return {}
    whole = dies * float(seconds) * 1e9

    def share(*names: str) -> float:
        return sum(float(traffic.get(f"die_{name}_ns") or 0) for name in names) / whole
    written = {name: float(traffic.get(f"media_{name}_bytes") or 0)
               for name in ("relocation", "mapping", *(one for names in OTHERS.values() for one in names))}
    each = share("relocation_program") / (sum(written.values()) or 1)
    uses = {"reads for the host": share("host_read"), HOST: share("host_program"),
            COPIES: share("internal_read") + each * written["relocation"], MAP: each * written["mapping"],
            **{name: each * sum(written[one] for one in names) for name, names in OTHERS.items()},
            ERASES: share("erase"), "suspensions": share("suspension")}
    return {**uses, IDLE: max(0.0, 1 - sum(uses.values()))} if any(uses.values()) else {}


def _dies(drive: Any) -> int:
    geometry = drive.get("geometry") if isinstance(drive, dict) else None
    values = [geometry.get(key) if isinstance(geometry, dict) else None for key in GEOMETRY]
    numbers = [value.get("value") if isinstance(value, dict) else value for value in values]
    return math.prod(number for number in numbers if isinstance(number, int)) if all(isinstance(one, int) for one in numbers) else 0
