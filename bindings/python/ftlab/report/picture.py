"""A picture as its author means it: axes with units, curves, bars. `page_view` and `png_view` draw it.

All pictures of a report are made by functions that take frames and return one of these, so that the page, the
PNG and the table beside them hold the same numbers.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import pandas as pd

from ftlab.report.envelope import thin_out

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_POINTS = 1500  # of one curve on a page: what a browser still moves without delay


@dataclass(frozen=True)
class Axis:
    label: str
    unit: str = ""  # "" of a number without one
    log: bool = False
    from_zero: bool = False
    switch: bool = False  # the reader may change between linear and log
    ticks: Mapping[float, str] = field(default_factory=dict)
    reading: Optional[Callable[[float], str]] = None  # of a place on it, where that is not the place's number

    @property
    def title(self) -> str:
        return f"{self.label} ({self.unit})" if self.unit else self.label


@dataclass(frozen=True)
class Curve:
    """Points of equal length `x` and `y`; NaN in `y` is a gap. `style`: points, line, steps (each level holds
    until the next x) or both (points on a line). `hue`, `symbol`, `dash` are numbers of the palette."""

    name: str
    x: np.ndarray
    y: np.ndarray
    style: str = "points"
    hue: int = 0
    symbol: int = 0
    dash: int = 0
    half_width: Optional[np.ndarray] = None  # of the interval of confidence
    words: Optional[Sequence[str]] = None  # what the pointer shows on a point beside its numbers
    links: Optional[Sequence[str]] = None  # where a point leads, on the same page


@dataclass(frozen=True)
class Ribbon:
    """The room between two curves of one run, as from its median to its 99th percentile."""

    name: str
    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    hue: int = 0


@dataclass(frozen=True)
class Guide:
    """A line across a panel at one place: `along` says of which axis the place is."""

    name: str
    place: float
    along: str = "y"


@dataclass(frozen=True)
class Cells:
    """A field of numbers over two lists of names: `values[row, column]`, NaN where there is none. Drawn from light to
    dark; by logarithms where they reach over more than two decades."""

    name: str
    columns: Sequence[str]
    rows: Sequence[str]
    values: np.ndarray
    links: Optional[Sequence[Sequence[str]]] = None


def is_wide(values: np.ndarray) -> bool:
    """Whether they reach over more than two decades."""
    positive = values[values > 0]
    return len(positive) > 0 and bool(positive.max() > 100 * positive.min())


@dataclass(frozen=True)
class Columns:
    """Upright bars over [x_from, x_to)."""

    name: str
    x_from: np.ndarray
    x_to: np.ndarray
    y: np.ndarray
    hue: int = 0


@dataclass(frozen=True)
class Part:
    """One part of stacked bars that lie: a length for each category of the panel."""

    name: str
    lengths: np.ndarray
    number: int = 0  # of its colour and pattern
    words: Optional[Sequence[str]] = None


@dataclass(frozen=True)
class Band:
    """A stretch of the x axis: shaded, or as a phase of a job between two thin lines under its name."""

    name: str
    x_from: float
    x_to: float
    phase: bool = False


Mark = Union[Curve, Ribbon, Columns, Part, Guide, Cells]


@dataclass(frozen=True)
class Panel:
    y: Axis
    marks: Sequence[Mark]
    categories: Sequence[str] = ()  # names along y, when the marks are parts
    title: str = ""  # of the run that the panel is about
    hue: Optional[int] = None  # of that run
    bands: Sequence[Band] = ()  # of this panel alone


@dataclass(frozen=True)
class Picture:
    """Panels above one another over one x axis. `slug` names its PNG and its place in the page."""

    slug: str
    title: str
    caption: str
    x: Axis
    panels: Sequence[Panel]
    bands: Sequence[Band] = ()

    def curve(self, name: str, panel: int = 0) -> Curve:
        """Raises KeyError."""
        for mark in self.panels[panel].marks:
            if isinstance(mark, Curve) and mark.name == name:
                return mark
        raise KeyError(name)

    def thinned(self, most: int = MOST_POINTS) -> "Picture":
        """The same with at most about `most` points a curve, lows and highs kept; the caption says so."""
        longest = max((len(m.x) for p in self.panels for m in p.marks if isinstance(m, Curve)), default=0)
        if longest <= most:
            return self
        panels = [dataclasses.replace(p, marks=[_thin(m, most) for m in p.marks]) for p in self.panels]
        note = (
            f" Of {longest} points in a curve about {most} are drawn: the first, lowest, highest and last of"
            " each group of neighbours, so no extreme is lost.")
        return dataclasses.replace(self, panels=panels, caption=self.caption + note)

    def table(self) -> pd.DataFrame:
        """Every number of the picture, long: columns panel, curve, x, y, units in their names where one holds
        for all."""
        return pd.concat([_table_of(self, panel) for panel in self.panels], ignore_index=True)

    def drawn(self) -> Dict[str, Any]:
        """What the page's program draws it from, plain values of JSON."""
        from ftlab.report.page_view import draw
        return draw(self)

    def matplotlib(self) -> "Figure":
        from ftlab.report.png_view import draw
        return draw(self)


def _thin(mark: Mark, most: int) -> Mark:
    if isinstance(mark, Ribbon) and len(mark.x) > most:
        kept = np.union1d(thin_out(mark.low, most // 2), thin_out(mark.high, most // 2))
        return dataclasses.replace(mark, x=mark.x[kept], low=mark.low[kept], high=mark.high[kept])
    if not isinstance(mark, Curve) or len(mark.x) <= most:
        return mark
    kept = thin_out(mark.y, most)
    return dataclasses.replace(
        mark, x=mark.x[kept], y=mark.y[kept],
        half_width=None if mark.half_width is None else mark.half_width[kept],
        words=None if mark.words is None else [mark.words[i] for i in kept],
        links=None if mark.links is None else [mark.links[i] for i in kept])


def _table_of(picture: Picture, panel: Panel) -> pd.DataFrame:
    rows: List[pd.DataFrame] = [_rows_of(picture, panel, mark) for mark in panel.marks]
    rows = [table for table in rows if len(table)]
    table = pd.concat(rows, ignore_index=True) if rows else pd.DataFrame(columns=["curve", "x", "y"])
    quantity = panel.y.title or picture.x.title
    table.insert(0, "panel", f"{panel.title}: {quantity}" if panel.title else quantity)
    return table


def _rows_of(picture: Picture, panel: Panel, mark: Mark) -> pd.DataFrame:
    """Ribbons lie between curves that have rows of their own."""
    x, y = _numbers_of(panel, mark)
    if picture.x.reading is not None and isinstance(mark, Curve):
        x = [picture.x.reading(place) for place in mark.x]
    name: object = mark.name
    if isinstance(mark, Cells):
        name = [row for row in mark.rows for _ in mark.columns]
    return pd.DataFrame({"curve": name, "x": x, "y": y}).astype({"x": object})


def _numbers_of(panel: Panel, mark: Mark) -> Tuple[Sequence[object], np.ndarray]:
    if isinstance(mark, Curve):
        return list(mark.x), mark.y
    if isinstance(mark, Columns):
        return list(mark.x_from), mark.y
    if isinstance(mark, Cells):
        return list(mark.columns) * len(mark.rows), mark.values.ravel()
    if isinstance(mark, Part):
        return list(panel.categories), mark.lengths
    return [], np.zeros(0)
