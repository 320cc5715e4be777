"""The first sentence of a sweep: its best steady design, or what over-provisioning buys."""

from __future__ import annotations

from typing import Tuple

import numpy as np
import pandas as pd

from ftlab.report import markup
from ftlab.report.markup import point_id
from ftlab.report.headline import ALIKE, MOST_NAMED, figure_words
from ftlab.report.price import FEWEST, choice_words, knee, no_knee_words
from ftlab.report.reading.sweep_table import SweepTable


def best_point(table: SweepTable, number: int) -> str:
    """HTML: the best steady design of a sweep, or what over-provisioning buys if it is an axis. "" without a comparison."""
    figures = [(name, lower) for name, lower in (("wa", True), ("write_iops", False), ("read_iops", False), ("iops", False))
               if table.headline(name)][:2]
    if len(table.points) < 2 or not figures:
        return ""
    steady = table.steady()
    count, designs = int(steady.sum()), f"{len(table.points)} designs of {markup.text(table.name)}"
    price = _price(table, number, steady) if count else ""
    if price or not count:
        ranges = [_range_words(table, number, *one, steady) for one in figures]
        items = [price or f"no best, as none of the {designs} is <b>steady</b>", *ranges]
        lead = (f"{designs}, {count} of them steady: " if count < len(steady) else f"{designs}: ") if price else ""
    else:
        items = [_best_by(table, number, *one, steady) for one in figures]
        lead = f"best of the {designs}: " if count == len(steady) else f"best of the {count} steady ones of the {designs}: "
    about = f'<p class="small">All points: {markup.text(table.about)}.</p>' if table.about else ""
    words = [lead + price, "; ".join(filter(None, items[1:]))] if price else [lead + "; ".join(filter(None, items))]
    sentences = " ".join(f"{one[:1].upper()}{one[1:]}." for one in words if one)
    return (f'<p class="answer">{sentences}</p>' if any(items) else "") + about


def _figures_of(table: SweepTable, name: str, lower: bool, chosen: np.ndarray) -> "Tuple[np.ndarray, int, int, str, str]":
    """The values of a quantity, NaN where not chosen, the rows of the best and the worst, its words and its unit."""
    column = table.headline(name)
    values = np.where(chosen, table.points[column].to_numpy(dtype=float), np.nan)
    if np.isfinite(values).sum() < 2:
        return values, -1, -1, "", ""
    best, worst = (int(np.nanargmin(values)), int(np.nanargmax(values)))[::1 if lower else -1]
    label, _, unit = table.words[column].partition(" (")
    return values, best, worst, markup.text(label[0].lower() + label[1:]), unit.rstrip(")")


def _linked(table: SweepTable, number: int, row: int) -> str:
    return f'<a href="#{point_id(number, row)}">{markup.text(table.axes(row))}</a>'


def _range_words(table: SweepTable, number: int, name: str, lower: bool, steady: np.ndarray) -> str:
    """From the best to the worst, of the steady points if there are any; without calling one the best."""
    values, best, worst, quantity, unit = _figures_of(table, name, lower, steady if steady.any() else ~steady)
    ends = (f"{figure_words(values[row], unit)} ({_linked(table, number, row)})" for row in (best, worst))
    return f"{quantity} {' to '.join(ends)}" if quantity else ""


def _best_by(table: SweepTable, number: int, name: str, lower: bool, steady: np.ndarray) -> str:
    """The best steady point by one figure, those alike, and the worst."""
    values, row, other, quantity, unit = _figures_of(table, name, lower, steady)
    if not quantity:
        return ""
    best, worst = figure_words(values[row], unit), figure_words(values[other], unit)
    if max(values[row], values[other]) < (1 + ALIKE) * min(values[row], values[other]):
        return f"{quantity} <b>{best}</b> with any, within {100 * ALIKE:.0f} %"
    return (f'{"lowest" if lower else "highest"} {quantity}: <b>{best}</b> with {_linked(table, number, row)}'
            f"{_near(table, values, row)} (worst: {worst}, {markup.text(table.axes(other))})")


def _near(table: SweepTable, values: np.ndarray, row: int) -> str:
    """The points whose value is about that of a row."""
    near = np.flatnonzero(np.maximum(values, values[row]) < (1 + ALIKE) * np.minimum(values, values[row]))
    names = [markup.text(table.axes(int(n))) for n in near[near != row]]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f", alike within {100 * ALIKE:.0f} %: {'; '.join(names[:MOST_NAMED])}{more}" if names else ""


def _price(table: SweepTable, number: int, steady: np.ndarray) -> str:
    """What the steps of over-provisioning buy and cost, each with its best steady design; "" if it is no axis."""
    key = next((key for key in table.keys if key in ("op", "over_provisioning")), "")
    name = next((name for name in ("write_iops", "wa") if table.headline(name)), "")
    if not key or not name:
        return ""
    lower = name == "wa"
    values = table.points[table.headline(name)].where(pd.Series(steady, table.points.index))
    gains = 1 / values if lower else values
    known = gains.dropna()
    rows = known.groupby(table.points[key][known.index].astype(float)).idxmax()
    if len(rows) < FEWEST:
        return ""
    shares, best = rows.index.tolist(), gains[rows].tolist()
    place = knee(shares, best)
    steps = choice_words(shares, best, "1 / WA" if lower else "IOPS",
                         lambda one, other: best[other] > (1 + ALIKE) * best[one])
    if place is None:
        return f"{no_knee_words(shares, best)}; {steps}"
    row = int(rows.iloc[place])
    alike = _near(table, values.to_numpy(dtype=float), row)
    figure = figure_words(values[row], "WA" if lower else "IOPS")
    return f"knee: {_linked(table, number, row)} with <b>{figure}</b>{alike}; {steps}"
