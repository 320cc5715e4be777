"""The display of a sweep on a terminal and in a notebook: the first rows, the headline, and its problems."""

from __future__ import annotations

from typing import List

import pandas as pd

from ftlab.problem import sentence
from ftlab.sweeps.figures import NOTES, PROBLEMS

MOST_ROWS, _MOST_FIGURES = 20, 6
_MOST_LISTED = 10
_NOT_SHOWN = (PROBLEMS, NOTES, "signature")  # among the first figures


def table_of(frame: pd.DataFrame) -> pd.DataFrame:
    """The first rows: what varies, the first figures, and problem codes if there are any."""
    if frame.empty:
        return frame
    shown = frame.drop(columns="address")
    first = list(shown.columns[:shown.columns.get_loc("seed") + 1])
    figures = [name for name in shown.columns[len(first):] if name not in _NOT_SHOWN][:_MOST_FIGURES]
    codes = [PROBLEMS] if PROBLEMS in shown and shown[PROBLEMS].fillna("").any() else []
    return shown[[*first, *figures, *codes]].head(MOST_ROWS)


def told(problems: pd.DataFrame) -> List[str]:
    """One line per problem with the number of points that have it, limited in number."""
    lines = [f"{sentence(points.iloc[0])} ({len(points)} {'point' if len(points) == 1 else 'points'})"
             for _, points in problems.groupby(["code", "text"], sort=False)]
    return lines[:_MOST_LISTED] + ([f"and {len(lines) - _MOST_LISTED} more"] if len(lines) > _MOST_LISTED else [])


def noted(frame: pd.DataFrame) -> List[str]:
    """The distinct notes of all points, limited in number."""
    texts = frame[NOTES].dropna() if NOTES in frame else []
    notes = list(dict.fromkeys(note for text in texts for note in text.split(" | ") if note))
    more = [f"and {len(notes) - _MOST_LISTED} more"] if len(notes) > _MOST_LISTED else []
    return notes[:_MOST_LISTED] + more
