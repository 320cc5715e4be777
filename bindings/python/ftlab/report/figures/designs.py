"""Compares designs: two figures against each other with their Pareto front, and heat maps over two axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Sequence, Tuple

import numpy as np

from ftlab.report import palette
from ftlab.report.picture import Axis, Cells, Curve, Panel, Picture, latency_unit
from ftlab.report.markup import point_id, run_id
from ftlab.report.measures import WA, headline, measures_of
from ftlab.report.reading.run import Run
from ftlab.report.reading.sources import Sources
from ftlab.report.reading.sweep_table import DIRECTIONS, SPARE, SweepTable, short, worded

SECTION, PLACE = "Designs against each other", 2
FEWEST = 3  # designs; two are compared at the top of the report
CAPTION = "Each point is a design and links to its row or run. On the line: no other design has both {better}."
ONE_BEST = "Each point is a design and links to its row or run. No other design has {better} than {name}."
WA_BETTER = "less spare space and less write amplification"
Named = Tuple[str, np.ndarray]  # name of an axis, and the numbers
MICROSECONDS = {"s": 1e6, "ms": 1e3, "µs": 1.0}
P99_BETTER = "more requests a second and a lower 99th percentile"


@dataclass(frozen=True)
class Designs:
    """Names, links and colours of designs. `kinds`: what the colours stand for, if not for one design each."""

    names: Sequence[str]
    links: Sequence[str]
    hues: Sequence[int]
    kinds: Sequence[str] = ()


def front(x: np.ndarray, y: np.ndarray, more_x: bool = False) -> np.ndarray:
    """Indices of the Pareto-optimal points, by ascending x. Lower y is better; lower x is better, or higher x with
    `more_x`. Ignores points with NaN."""
    known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    order = known[np.lexsort((y[known], -x[known] if more_x else x[known]))]
    best, kept = np.inf, []
    for index in order:
        if y[index] < best:
            kept.append(index)
            best = y[index]
    return np.array(sorted(kept, key=lambda index: x[index]), dtype=int)


def front_picture(slug: str, title: str, x: np.ndarray, y: np.ndarray, axes: Sequence[Axis], designs: Designs,
                  better: str, more_x: bool = False) -> Picture:
    """`axes`: x and y."""
    known = [int(n) for n in np.flatnonzero(np.isfinite(x) & np.isfinite(y) & (x > 0) & (y > 0))]
    curves: List[Curve] = []
    for hue in sorted(set(designs.hues[n] for n in known)):
        mine = [n for n in known if designs.hues[n] == hue]
        name = designs.kinds[hue] if designs.kinds else designs.names[mine[0]] if len(set(designs.hues)) > 1 else "designs"
        curves.append(Curve(name, x[mine], y[mine], hue=hue, symbol=hue, words=[designs.names[n] for n in mine],
                            links=[designs.links[n] for n in mine]))
    best = front(x, y, more_x)
    if len(best) > 1:
        curves.append(Curve("front", x[best], y[best], style="line", hue=palette.BLACK, dash=1))
    name = designs.names[best[0]] if len(best) == 1 else ""
    caption = ONE_BEST.format(better=better.replace(" and ", " or "), name=name) if name else CAPTION.format(better=better)
    return Picture(slug, title, caption, axes[0], [Panel(axes[1], curves)])


def of_sweep(table: SweepTable, number: int) -> List[Picture]:
    points, pictures = table.points, []
    names = [table.label(row) for row in range(len(points))]
    kinds = list(dict.fromkeys(points[table.choice()])) if table.choice() else []
    hues = [kinds.index(word) for word in points[table.choice()]] if kinds else [0] * len(points)
    designs = Designs(names, [f"#{point_id(number, row)}" for row in range(len(points))], hues, kinds)
    figure = {str(column): points[column].to_numpy(dtype=float) for column in [*table.words, table.spare()] if column}
    spare, wa = table.spare(), table.headline("wa")
    if wa and len(set(figure.get(spare, ()))) > 1 and spare not in table.keys:  # else it is the picture over spare space
        pictures.append(_spare_picture(f"front-wa-{number}", f"{table.name}: ", (SPARE[spare], figure[spare]),
                                       (table.words[wa], figure[wa]), designs))
    for direction in DIRECTIONS:
        rate, tail = table.headline(f"{direction}_iops"), table.headline(f"{direction}_latency_us_p99")
        if not tail.endswith("_first") and f"{direction}_iops" in table.words:
            rate = f"{direction}_iops"  # both since the beginning, in sweeps of earlier versions
        if rate and tail:
            pictures.append(_tail_picture(f"front-{direction}-{number}", f"{table.name}: ", direction,
                                          (table.words[rate], figure[rate]), (table.words[tail], figure[tail]), designs))
    return pictures


def of_runs(runs: Sequence[Run], hues: Sequence[int]) -> List[Picture]:
    measures = measures_of(runs)
    designs = Designs([run.name for run in runs], [f"#{run_id(n)}" for n in range(len(runs))], hues)
    spare = np.array([float((run.ftlab.get("over_provisioning") or {}).get("nominal") or np.nan) for run in runs])
    pictures: List[Picture] = []
    wa = headline(measures, WA, FEWEST)
    if wa is not None and np.isfinite(spare).sum() >= FEWEST and len(set(spare)) > 1:
        pictures.append(_spare_picture("front-runs-wa", "", (SPARE["op"], spare), (wa.title, np.array(wa.values)), designs))
    for direction in DIRECTIONS:
        rate, tail = (headline(measures, f"{name}, {direction}", FEWEST) for name in ("Throughput", "p99"))
        if rate is None or tail is None:
            continue
        rates, tails_us = np.array(rate.values), np.array(tail.values) * MICROSECONDS[tail.unit]
        if np.isfinite(rates * tails_us).sum() >= FEWEST:
            pictures.append(_tail_picture(f"front-runs-{direction}", "", direction, (f"{rate.title} ({rate.unit})", rates),
                                          (tail.title, tails_us), designs))
    return pictures


def _spare_picture(slug: str, of: str, spare: Named, wa: Named, designs: Designs) -> Picture:
    axes = (Axis(spare[0], "%", log=True), Axis(wa[0], "ratio", log=True, switch=True))
    title = _titled(of, "Write amplification against spare space")
    return front_picture(slug, title, spare[1] * 100, wa[1], axes, designs, WA_BETTER)


def _tail_picture(slug: str, of: str, direction: str, rates: Named, tails_us: Named, designs: Designs) -> Picture:
    us, name = latency_unit([tails_us[1]])
    label, _, unit = rates[0].rstrip(")").rpartition(" (")
    axes = (Axis(label, unit), Axis(tails_us[0].partition(" (")[0], name, log=True, switch=True))
    title = f"{of}p99 against throughput, {direction}"
    return front_picture(slug, title, rates[1], tails_us[1] / us, axes, designs, P99_BETTER, more_x=True)


def _titled(of: str, title: str) -> str:
    return of + title[0].lower() + title[1:] if of else title


MOST = 40  # legible rows or columns
FOLDED = "; if other axes vary, it is the mean over them and links to the first point"
HEAT_CAPTION = ("Light is low, dark is high; only a spread of 25 % or more uses all colours. A cell links to the row of its point"
           "{folded}.")


def heat_maps(table: SweepTable, number: int) -> List[Picture]:
    """One heat map per figure of interest, over the two axes with the most values."""
    counts = {key: table.points[key].nunique() for key in table.keys}
    keys = sorted((key for key in counts if 1 < counts[key] <= MOST), key=lambda key: -counts[key])[:2]
    if len(keys) < 2:
        return []
    across, down = keys
    folded = len(table.points) > table.points.groupby(keys).ngroups
    caption = HEAT_CAPTION.format(folded=FOLDED if folded else "")
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
    points = table.points.assign(_figure=table.values(figure), _row=np.arange(len(table.points)))
    cells = points[points["_figure"].notna()].groupby([down[0], across[0]]).agg({"_figure": "mean", "_row": "min"})
    field = cells.unstack().reindex(index=down[1], columns=[(name, key) for name in cells for key in across[1]])
    links = [["" if row != row else f"#{point_id(number, int(row))}" for row in rows] for rows in field["_row"].to_numpy()]
    return field["_figure"].to_numpy(), links


def figures(sources: Sources) -> List[Picture]:
    pictures = [picture for number, table in enumerate(sources.sweeps) for picture in of_sweep(table, number)
                if len(table.points) >= FEWEST]
    hues = sources.hues()
    runs = [run for run in sources.runs if len(run.jobs)]
    heat = [picture for number, table in enumerate(sources.sweeps) for picture in heat_maps(table, number)]
    return (of_runs(runs, [hues[run.name] for run in runs]) if len(runs) >= FEWEST else []) + pictures + heat
