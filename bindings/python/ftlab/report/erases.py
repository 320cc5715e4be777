"""How evenly the blocks were erased."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Sequence

import numpy as np

from ftlab.report.picture import Axis, Columns, Panel, Picture

CAPTION = "How many blocks were erased so often. An even drive has one narrow hill."


def erase_histogram(histograms: Mapping[str, Sequence[Mapping[str, Any]]]) -> Picture:
    """`histograms`: name of a run -> `ftlab.erases.histogram`, whose bins say from, below (erases) and blocks."""
    bars: List[Columns] = []
    for number, (run, bins) in enumerate(histograms.items()):
        columns: Dict[str, np.ndarray] = {
            key: np.array([float(one[key]) for one in bins]) for key in ("from", "below", "blocks")}
        name = "blocks" if len(histograms) == 1 else run
        bars.append(Columns(name, columns["from"], columns["below"], columns["blocks"], number))
    y = Axis("Blocks", "count", from_zero=True, switch=True)
    return Picture("erases", "Erases of the blocks", CAPTION, Axis("Erases of a block", "count"), [Panel(y, bars)])
