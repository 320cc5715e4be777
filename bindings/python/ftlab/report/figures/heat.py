"""Heat maps of a sweep over two of its axes."""

from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np

from ftlab.report.markup import point_id
from ftlab.report.picture import Axis, Cells, Panel, Picture
from ftlab.report.reading.sources import Sources
from ftlab.report.reading.sweep_table import SweepTable, short, worded

SECTION, PLACE = "Designs against each other", 3
MOST = 40  # legible rows or columns
FOLDED = "; if other axes vary, it is the mean over them and links to the first point"
CAPTION = ("Light is low, dark is high; only a spread of 25 % or more uses all colours. A cell links to the row of its point"
           "{folded}.")


def heat_maps(table: SweepTable, number: int) -> List[Picture]:
    """One heat map per figure of interest, over the two axes with the most values."""
    counts = {key: table.points[key].nunique() for key in table.keys}
    keys = sorted((key for key in counts if 1 < counts[key] <= MOST), key=lambda key: -counts[key])[:2]
    if len(keys) < 2:
        return []
    across, down = keys
    folded = len(table.points) > table.points.groupby(keys).ngroups
    caption = CAPTION.format(folded=FOLDED if folded else "")
    pictures = []
    for place, (figure, words) in enumerate(table.figures().items()):
        columns, rows = _values(table, across), _values(table, down)
        values, links = _field(table, number, figure, (across, columns), (down, rows))
        label, _, unit = words.partition(" (")
        shown = label if label.startswith("p99") else label[0].lower() + label[1:]
        cells = Cells(words, [worded(across, value) for value in columns], [worded(down, value) for value in rows], values,
                      links)
        title = f"{table.name}: {shown}{',' if ',' in shown else ''} over {short(across)} and {short(down)}"
        pictures.append(Picture(f"heat-{number}-{place}", title, caption, Axis(short(across)),
                                [Panel(Axis(label, unit.rstrip(")")), [cells])]))
    return pictures


def _values(table: SweepTable, key: str) -> List[Any]:
    """Numbers ascending, words in grid order."""
    values = list(dict.fromkeys(table.points[key]))
    return sorted(values) if all(isinstance(value, (int, float)) for value in values) else values


def _field(table: SweepTable, number: int, figure: str, across: Tuple[str, List[Any]],
           down: Tuple[str, List[Any]]) -> Tuple[np.ndarray, List[List[str]]]:
    points = table.points
    values = np.full((len(down[1]), len(across[1])), np.nan)
    links = [["" for _ in across[1]] for _ in down[1]]
    for r, row in enumerate(down[1]):
        for c, column in enumerate(across[1]):
            here = np.flatnonzero(((points[down[0]] == row) & (points[across[0]] == column)).to_numpy())
            known = table.values(figure)[here]
            if len(here) and not np.isnan(known).all():
                values[r, c] = np.nanmean(known)
                links[r][c] = f"#{point_id(number, int(here[0]))}"
    return values, links


def figures(sources: Sources) -> List[Picture]:
    return [picture for number, table in enumerate(sources.sweeps) for picture in heat_maps(table, number)]
