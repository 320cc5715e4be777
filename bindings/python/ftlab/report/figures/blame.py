"""Where the time of a request went."""

from __future__ import annotations

from typing import Dict, List, Mapping

import numpy as np

from ftlab.report.figures.latency_unit import latency_unit
from ftlab.report.picture import Axis, Panel, Part, Picture
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import all_runs

SECTION, PLACE = "Latency", 2
CAPTION = (
    "Mean time of a request in each part of the way. The parts are counted in whole nanoseconds and sum"
    " exactly to the latency of all requests. Parts without time are left out.")
NS_PER_US = 1000.0


def latency_blame(parts_ns: Mapping[str, Mapping[str, int]], requests: Mapping[str, int]) -> Picture:
    """A bar for each run. `parts_ns`: name of a run -> `ftlab.latency_parts_ns`, sums over all requests in
    nanoseconds; `requests`: name of a run -> how many there were."""
    runs = [run for run in parts_ns if requests.get(run, 0) > 0]
    totals = {run: sum(parts_ns[run].values()) for run in runs}
    us, unit = latency_unit([np.array([totals[run] / requests[run] / NS_PER_US for run in runs])])
    parts: List[Part] = []
    for number, name in enumerate(_names(parts_ns)):
        sums = [int(parts_ns[run].get(name, 0)) for run in runs]
        if any(sums):
            lengths = [total / requests[run] / NS_PER_US / us for total, run in zip(sums, runs)]
            words = [_share(part, totals[run]) for part, run in zip(sums, runs)]
            parts.append(Part(name.replace("_", " "), np.array(lengths), number, words))
    axis = Axis("Mean time of a request", unit, from_zero=True)
    return Picture("blame", "Where the time goes", CAPTION, axis, [Panel(Axis("Run"), parts, runs)])


def _names(parts_ns: Mapping[str, Mapping[str, int]]) -> List[str]:
    """In the order of the results; dict keeps it."""
    names: Dict[str, None] = {}
    for parts in parts_ns.values():
        names.update(dict.fromkeys(parts))
    return list(names)


def _share(part: int, total: int) -> str:
    return f"{part} ns of {total} ns ({100 * part / total:.3g} %)" if total else ""


def figures(sources: Sources) -> List[Picture]:
    runs = [run for run in all_runs(sources) if any((run.ftlab.get("latency_parts_ns") or {}).values())]
    parts = {run.name: run.ftlab["latency_parts_ns"] for run in runs}
    return [latency_blame(parts, {run.name: int(run.jobs["requests"].sum()) for run in runs})] if parts else []
