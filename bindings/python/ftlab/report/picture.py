"""Pictures independent of a drawing library: axes with units, curves, bars. `vega` draws them.

Every picture of a report is one of these objects, so the page, the PNG and the table show the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import pandas as pd

@dataclass(frozen=True)
class Axis:
    label: str
    unit: str = ""  # "" if dimensionless
    log: bool = False
    from_zero: bool = False
    switch: bool = False  # the reader may switch between linear and log
    ticks: Mapping[float, str] = field(default_factory=dict)
    limit: Optional[float] = None  # upper end of the axis
    reading: Optional[Callable[[float], str]] = None  # text of a position, if it differs from the number

    @property
    def title(self) -> str:
        return f"{self.label} ({self.unit})" if self.unit else self.label


@dataclass(frozen=True)
class Curve:
    """Points with arrays `x` and `y` of equal length; NaN in `y` is a gap. `style`: points, line, steps (each level holds
    until the next x) or both (points on a line). `hue`, `symbol`, `dash`: indices into the palette."""

    name: str
    x: np.ndarray
    y: np.ndarray
    style: str = "points"
    hue: int = 0
    symbol: int = 0
    dash: int = 0
    half_width: Optional[np.ndarray] = None  # half-width of the confidence interval
    words: Optional[Sequence[str]] = None  # tooltip of each point, in addition to its numbers
    links: Optional[Sequence[str]] = None  # link of each point to a place on the page


@dataclass(frozen=True)
class Ribbon:
    """The area between two curves of a run, such as its median and 99th percentile."""

    name: str
    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    hue: int = 0


@dataclass(frozen=True)
class Guide:
    """A line across a panel at one position. `along`: the axis of the position."""

    name: str
    place: float
    along: str = "y"


@dataclass(frozen=True)
class Cells:
    """A heat map over two lists of names: `values[row, column]`, NaN if missing. Light is low, dark is high; logarithmic
    if the values span more than two decades."""

    name: str
    columns: Sequence[str]
    rows: Sequence[str]
    values: np.ndarray
    links: Optional[Sequence[Sequence[str]]] = None


def is_wide(values: np.ndarray) -> bool:
    """True if the values span more than two decades."""
    positive = values[values > 0]
    return len(positive) > 0 and bool(positive.max() > 100 * positive.min())


@dataclass(frozen=True)
class Columns:
    """Vertical bars over [x_from, x_to). `words`: text above each bar. `right`: heights on the panel's right axis."""

    name: str
    x_from: np.ndarray
    x_to: np.ndarray
    y: np.ndarray
    hue: int = 0
    words: Optional[Sequence[str]] = None
    right: bool = False


@dataclass(frozen=True)
class Part:
    """One part of horizontal stacked bars: one length per category of the panel."""

    name: str
    lengths: np.ndarray
    number: int = 0  # index of its colour and pattern
    words: Optional[Sequence[str]] = None


@dataclass(frozen=True)
class Band:
    """A range of the x axis: shaded, or a thin strip in a `lane` at the top of the panel."""

    name: str
    x_from: float
    x_to: float
    lane: Optional[int] = None
    hue: int = 7


Mark = Union[Curve, Ribbon, Columns, Part, Guide, Cells]


@dataclass(frozen=True)
class Panel:
    y: Axis
    marks: Sequence[Mark]
    categories: Sequence[str] = ()  # names along y, if the marks are parts
    title: str = ""  # name of the run that the panel shows
    hue: Optional[int] = None  # colour of that run
    bands: Sequence[Union[Band, Guide]] = ()  # of this panel only
    right: Optional[Axis] = None  # of bars beside those of `y`; the panel then has bars only


@dataclass(frozen=True)
class Picture:
    """Panels stacked over one x axis. `slug`: name of its PNG and its anchor in the page."""

    slug: str
    title: str
    caption: str
    x: Axis
    panels: Sequence[Panel]
    bands: Sequence[Union[Band, Guide]] = ()

    def curve(self, name: str, panel: int = 0) -> Curve:
        """The first curve with that name. Raises KeyError."""
        for mark in self.panels[panel].marks:
            if isinstance(mark, Curve) and mark.name == name:
                return mark
        raise KeyError(name)

    def table(self) -> pd.DataFrame:
        """Every number of the picture in long format: columns panel, curve, x, y. Column names contain the unit if it is
        the same for all rows."""
        return pd.concat([_table_of(self, panel) for panel in self.panels], ignore_index=True)

    def specification(self) -> Dict[str, Any]:
        """The Vega-Lite specification, as JSON values."""
        from ftlab.report.vega import specification
        return specification(self)

    def png(self) -> bytes:
        """Reproducible with the same version of vl-convert, which has its own fonts."""
        import vl_convert
        return bytes(vl_convert.vegalite_to_png(self.specification(), scale=1.5))

    def svg(self) -> str:
        from ftlab.report.vega import svg
        return svg(self)

    _repr_svg_ = svg


def _table_of(picture: Picture, panel: Panel) -> pd.DataFrame:
    rows: List[pd.DataFrame] = [_rows_of(picture, panel, mark) for mark in panel.marks]
    rows = [table for table in rows if len(table)]
    table = pd.concat(rows, ignore_index=True) if rows else pd.DataFrame(columns=["curve", "x", "y"])
    quantity = panel.y.title or picture.x.title
    one = panel.title and panel.right is None
    table.insert(0, "panel", f"{panel.title}: {quantity}" if one else panel.title or quantity)
    return table


def _rows_of(picture: Picture, panel: Panel, mark: Mark) -> pd.DataFrame:
    """No rows for ribbons and guides: they lie between curves that have rows, or are named on the page."""
    name, x, y = mark.name, [], []  # type: Any, Any, Any
    if isinstance(mark, Cells):
        name, x = [row for row in mark.rows for _ in mark.columns], list(mark.columns) * len(mark.rows)
        y = mark.values.ravel()
    elif isinstance(mark, Part):
        x, y = list(panel.categories), mark.lengths
    elif isinstance(mark, (Curve, Columns)):
        x, y = list(mark.x if isinstance(mark, Curve) else mark.x_from), mark.y
        x = x if picture.x.reading is None else [picture.x.reading(place) for place in x]
    return pd.DataFrame({"curve": name, "x": x, "y": y}).astype({"x": object})


# Units in which times are drawn, so that most numbers of a picture are easy to read.

LATENCIES = ((1e6, "s"), (1e3, "ms"), (1.0, "µs"))
TIMES = ((1.0, "s"), (60.0, "min"), (3600.0, "h"))


def latency_unit(values_us: Iterable[np.ndarray]) -> Tuple[float, str]:
    """Number of microseconds in the unit, and its name: the largest unit in which the median is at least 1, so that a few
    slow requests do not make the others unreadable. Microseconds if there are no values."""
    arrays = [np.asarray(values, dtype=float).ravel() for values in values_us]
    known = np.concatenate([array[np.isfinite(array)] for array in arrays] or [np.zeros(0)])
    median = float(np.median(known)) if len(known) else 1.0
    return next(((us, name) for us, name in LATENCIES if median >= us), LATENCIES[-1])


def unit_of_points(points: Iterable[pd.DataFrame]) -> Tuple[float, str]:
    """One unit for all latencies of a procedure's page: that of its 99th percentiles, or of its means if it has none."""
    columns = [table["latency_us_p99" if "latency_us_p99" in table else "latency_us_mean"] for table in points]
    return latency_unit([column.to_numpy(dtype=float) for column in columns])


def time_axis(ends_s: Iterable[float], label: str = "Time") -> Tuple[Axis, float]:
    """The axis and the seconds per unit: s up to 5 minutes, min up to 12 hours, then h."""
    longest = max(ends_s, default=0.0)
    seconds, unit = TIMES[0] if longest <= 300 else TIMES[1] if longest <= 12 * 3600 else TIMES[2]
    return Axis(label, unit), seconds
