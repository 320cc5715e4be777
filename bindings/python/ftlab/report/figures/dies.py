"""Use of the dies' time: why requests waited for buffer, die or channel."""

from __future__ import annotations

import math
from typing import Any, Dict, List, Mapping

import numpy as np

from ftlab.report import palette
from ftlab.report.picture import Axis, Panel, Part, Picture
from ftlab.report.reading.run import Run
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import all_runs

SECTION, PLACE = "Latency", 2
HOST, COPIES, MAP, ERASES, IDLE = "programs for the host", "copies of collection", "map writes", "erases", "idle"
CAPTION = (
    "Share of the time of all dies since the beginning. A write waits for buffer space while the dies program, copy and"
    " erase for earlier writes. The time of internal programs is split by the bytes they wrote; copies include the reads for"
    " them and for the map.")
OTHERS = {"wear levelling, refresh and parity": ("wear", "refresh", "parity", "fold", "fill", "failed", "padding")}
GEOMETRY = ("channels", "chips_per_channel", "dies_per_chip")


def die_time(uses: Mapping[str, Mapping[str, float]]) -> Picture:
    """`uses`: name of a run -> share of the time of its dies by use, which sum to 1."""
    names = list(dict.fromkeys(name for of_run in uses.values() for name, share in of_run.items() if share > 0.0005))
    parts = [Part(name, np.array([100 * of_run.get(name, 0.0) for of_run in uses.values()]), palette.number_of(name, palette.DIE_USES, {}))
             for name in names]
    return Picture("dies", "How the dies spent their time", CAPTION, Axis("Time of the dies", "%", from_zero=True),
                   [Panel(Axis("Run"), parts, list(uses))])


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


def figures(sources: Sources) -> List[Picture]:
    uses = {run.name: uses_of(run) for run in all_runs(sources)}
    return [die_time({name: one for name, one in uses.items() if one})] if any(uses.values()) else []
