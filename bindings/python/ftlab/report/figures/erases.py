"""How evenly the blocks were erased."""

from __future__ import annotations

import functools
from typing import Any, Dict, List, Mapping, Optional, Sequence

import numpy as np

from ftlab.report.picture import Axis, Columns, Panel, Picture
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import all_runs, first_runs

SECTION, PLACE = "Wear", 2
CAPTION = "How many blocks were erased so often. An even drive has one narrow hill."


def erase_histogram(histograms: Mapping[str, Sequence[Mapping[str, Any]]],
                    hues: Optional[Mapping[str, int]] = None) -> Picture:
    """`histograms`: name of a run -> `ftlab.erases.histogram`, whose bins say from, below (erases) and
    blocks."""
    bars: List[Columns] = []
    alone = len(histograms) == 1  # drives of different size are compared by shares
    for number, (run, bins) in enumerate(histograms.items()):
        columns: Dict[str, np.ndarray] = {
            key: np.array([float(one[key]) for one in bins]) for key in ("from", "below", "blocks")}
        name = "blocks" if alone else run
        share = columns["blocks"] / (1.0 if alone else columns["blocks"].sum() / 100)
        bars.append(Columns(name, columns["from"], columns["below"], share, (hues or {}).get(run, number)))
    y = Axis("Blocks", "count" if alone else "% of the drive's", from_zero=True, switch=True)
    x = Axis("Erases of a block", "count", ticks=_ticks(bars))
    return Picture("erases", "Erases of the blocks", CAPTION, x, [Panel(y, bars)])


def _ticks(bars: Sequence[Columns]) -> Dict[float, str]:
    """Whole numbers, where they are few enough to stand side by side."""
    first = int(min((bar.x_from.min() for bar in bars), default=0))
    behind = int(max((bar.x_to.max() for bar in bars), default=0))
    return {float(n): str(n) for n in range(first, behind)} if behind - first <= 25 else {}


def figures(sources: Sources) -> List[Picture]:
    bins = {run.name: run.ftlab["erases"]["histogram"] for run in all_runs(sources)
            if (run.ftlab.get("erases") or {}).get("histogram")}
    return [first_runs(functools.partial(erase_histogram, hues=sources.hues()), bins)] if bins else []
