"""Published and simulated figures."""

from __future__ import annotations

import dataclasses
from typing import List

import numpy as np
import pandas as pd

from ftlab.report.picture import Axis, Curve, Panel, Picture
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import titled

SECTION, PLACE = "Scoreboard", 1
CAPTION = (
    "Simulated / published, by row of the table below. On the line both are equal; misses, the first rows, are"
    " crosses. A simulated 0 is not drawn.")
CIRCLE, CROSS = 0, 4  # symbols of the palette


def scoreboard(rows: pd.DataFrame) -> Picture:
    """simulated / published of every quantity, with one colour per review. `rows`: as in `board.Board`."""
    drawn = rows[rows["error"].notna() & (rows["error"] > -1)]
    curves: List[Curve] = []
    for number, (review, mine) in enumerate(drawn.groupby("review", sort=True)):
        for holds, symbol, word in ((True, CIRCLE, "holds"), (False, CROSS, "misses")):
            part = mine[mine["holds"] == holds]
            if len(part):
                curves.append(Curve(f"{review}, {word}", part["number"].to_numpy(dtype=float),
                                    part["error"].to_numpy() + 1, hue=number, symbol=symbol,
                                    words=[_words(row) for _, row in part.iterrows()]))
    ends = np.array([drawn["number"].min(), drawn["number"].max()], dtype=float)
    curves.append(Curve("equal", ends, np.ones(2), style="line", hue=7, dash=1))
    y = Axis("Simulated / published", "ratio", log=True, switch=True)
    return Picture("scoreboard", "Scoreboard", CAPTION, Axis("Row", "number"), [Panel(y, curves)])


def _words(row: "pd.Series") -> str:
    figures = f"published {row['published']} {row['unit']}, simulated {row['simulated']}"
    return f"{row['drive']}: {row['says']}; {figures}"


def figures(sources: Sources) -> List[Picture]:
    return [titled(board.name, dataclasses.replace(scoreboard(board.rows), slug=f"scoreboard-{number}"))
            for number, board in enumerate(sources.boards, 1)
            if (board.rows["error"].notna() & (board.rows["error"] > -1)).any()]
