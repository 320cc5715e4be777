"""Write amplification and its parts."""

from __future__ import annotations

from typing import Dict, List, Mapping

import numpy as np

from ftlab.report import palette
from ftlab.report.picture import Axis, Panel, Part, Picture
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import all_runs

SECTION, PLACE = "Wear", 1
CAPTION = (
    "Bytes written to flash per byte written by the host, by cause: at the end of each run{since}. Relocation: copies of "
    "collection."
    " Mapping: map writes.")
FEW_RUNS = 4  # with more, no bars since the beginning


def amplification_parts(wa: Mapping[str, Mapping[str, float]], since: str = ", and since its beginning") -> Picture:
    """`wa`: name of a bar -> `ftlab.wa`, whose parts sum to its `total`. `since`: end of the caption."""
    names = list(dict.fromkeys(name for parts in wa.values() for name in parts if name != "total"))
    others: Dict[str, int] = {}
    parts = [Part(name, np.array([float(of_run.get(name) or 0) for of_run in wa.values()]),
                  palette.number_of(name, palette.TRAFFIC_PARTS, others)) for name in names]
    shown = [part for part in parts if part.lengths.any()]
    axis = Axis("Write amplification", "flash bytes per host byte", from_zero=True)
    return Picture("amplification", "Write amplification and its parts", CAPTION.format(since=since), axis,
                   [Panel(Axis("Run"), shown, list(wa))])


def figures(sources: Sources) -> List[Picture]:
    runs = [run for run in all_runs(sources) if (run.ftlab.get("wa") or {}).get("total")]
    wa: Dict[str, Mapping[str, float]] = {}
    for run in runs:
        of = f"{run.name}, " if len(runs) > 1 else ""
        at_end = run.ftlab.get("wa_at_end") or {}
        wa.update({f"{of}at the end": {name: at_end[name] for name in run.ftlab["wa"] if name in at_end}} if at_end else {})
        if len(runs) <= FEW_RUNS or not at_end:
            wa[f"{of}since the beginning"] = run.ftlab["wa"]
    since = ", and since its beginning" if len(runs) <= FEW_RUNS else ", or since its beginning"
    return [amplification_parts(wa, since)] if wa else []
