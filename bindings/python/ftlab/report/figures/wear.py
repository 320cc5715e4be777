"""Write amplification and its parts, and the distribution of erases over blocks."""

from __future__ import annotations

import functools
from typing import Any, Dict, List, Mapping, Optional, Sequence

import numpy as np

from ftlab.report import palette
from ftlab.report.picture import Axis, Columns, Panel, Part, Picture
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import all_runs, first_runs

SECTION, PLACE = "Wear", 1
AMPLIFICATION_CAPTION = (
    "Bytes written to flash per byte written by the host, by cause: at the end of each run{since}. Relocation: copies of "
    "collection. Mapping: map writes.")
FEW_RUNS = 4  # with more, no bars since the beginning


def amplification_parts(wa: Mapping[str, Mapping[str, float]], since: str = ", and since its beginning") -> Picture:
    """`wa`: name of a bar -> `ftlab.wa`, whose parts sum to its `total`. `since`: end of the caption."""
    names = list(dict.fromkeys(name for parts in wa.values() for name in parts if name != "total"))
    others: Dict[str, int] = {}
    parts = [Part(name, np.array([float(of_run.get(name) or 0) for of_run in wa.values()]),
                  palette.number_of(name, palette.TRAFFIC_PARTS, others)) for name in names]
    shown = [part for part in parts if part.lengths.any()]
    axis = Axis("Write amplification", "flash bytes per host byte", from_zero=True)
    return Picture("amplification", "Write amplification and its parts", AMPLIFICATION_CAPTION.format(since=since), axis,
                   [Panel(Axis("Run"), shown, list(wa))])


MOST_BINS = 64
ERASES_CAPTION = "Number of blocks by erase count. Even wear shows as one narrow peak."


def erase_histogram(histograms: Mapping[str, Sequence[Mapping[str, Any]]],
                    hues: Optional[Mapping[str, int]] = None) -> Picture:
    """`histograms`: name of a run -> `ftlab.erases.histogram`, a list of bins with from, below (erases) and blocks."""
    bars: List[Columns] = []
    alone = len(histograms) == 1  # several drives may differ in size, so they are compared by shares
    edges = shared_edges([one for bins in histograms.values() for one in bins])
    for number, (run, bins) in enumerate(histograms.items()):
        blocks = blocks_between(edges, bins)
        share = blocks / (1.0 if alone else blocks.sum() / 100)
        bars.append(Columns("blocks" if alone else run, edges[:-1], edges[1:], share, (hues or {}).get(run, number)))
    y = Axis("Blocks", "count" if alone else "% of the drive's", from_zero=True)
    x = Axis("Erases of a block", "count", ticks=_ticks(bars))
    return Picture("erases", "P/E cycles of the blocks", ERASES_CAPTION, x, [Panel(y, bars)])


def shared_edges(bins: Sequence[Mapping[str, Any]]) -> np.ndarray:
    """Edges of common bins, as wide as the widest given bin, or wider so that there are at most 64."""
    first, behind = min(int(one["from"]) for one in bins), max(int(one["below"]) for one in bins)
    widest = max(int(one["below"]) - int(one["from"]) for one in bins)
    width = max(widest, -(-(behind - first) // MOST_BINS))
    return np.arange(first, behind + width, width, dtype=float)


def blocks_between(edges: np.ndarray, bins: Sequence[Mapping[str, Any]]) -> np.ndarray:
    """Redistributes blocks over other bins; blocks of a bin that straddles an edge are split evenly."""
    ascending = sorted(bins, key=lambda one: int(one["from"]))
    places = np.ravel([(float(one["from"]), float(one["below"])) for one in ascending])
    counts = np.ravel([(0.0, float(one["blocks"])) for one in ascending])
    return np.diff(np.interp(edges, places, np.cumsum(counts)))


def _ticks(bars: Sequence[Columns]) -> Dict[float, str]:
    """Whole numbers, if they fit."""
    first = int(min((bar.x_from.min() for bar in bars), default=0))
    behind = int(max((bar.x_to.max() for bar in bars), default=0))
    return {float(n): str(n) for n in range(first, behind)} if behind - first <= 25 else {}


def _amplification(sources: Sources) -> List[Picture]:
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


def figures(sources: Sources) -> List[Picture]:
    bins = {run.name: run.ftlab["erases"]["histogram"] for run in all_runs(sources)
            if (run.ftlab.get("erases") or {}).get("histogram")}
    erases = functools.partial(erase_histogram, hues=sources.hues())
    return _amplification(sources) + ([first_runs(erases, bins)] if bins else [])
