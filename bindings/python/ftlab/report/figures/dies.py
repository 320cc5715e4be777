"""Use of the dies' time: why requests waited for buffer, die or channel."""

from __future__ import annotations

from typing import List, Mapping

import numpy as np

from ftlab.report import palette
from ftlab.report.picture import Axis, Panel, Part, Picture
from ftlab.report.reading.latency_parts import uses_of
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import all_runs

SECTION, PLACE = "Latency", 2
CAPTION = (
    "Share of the time of all dies since the beginning. A write waits for buffer space while the dies program, copy and"
    " erase for earlier writes. The time of internal programs is split by the bytes they wrote; copies include the reads for"
    " them and for the map.")


def die_time(uses: Mapping[str, Mapping[str, float]]) -> Picture:
    """`uses`: name of a run -> share of the time of its dies by use, which sum to 1."""
    names = list(dict.fromkeys(name for of_run in uses.values() for name, share in of_run.items() if share > 0.0005))
    parts = [Part(name, np.array([100 * of_run.get(name, 0.0) for of_run in uses.values()]),
                  palette.number_of(name, palette.DIE_USES, {}))
             for name in names]
    return Picture("dies", "How the dies spent their time", CAPTION, Axis("Time of the dies", "%", from_zero=True),
                   [Panel(Axis("Run"), parts, list(uses))])


def figures(sources: Sources) -> List[Picture]:
    uses = {run.name: uses_of(run) for run in all_runs(sources)}
    return [die_time({name: one for name, one in uses.items() if one})] if any(uses.values()) else []
