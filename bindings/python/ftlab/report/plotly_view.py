"""Pictures as Plotly figures."""

from __future__ import annotations

import html
from typing import Any, Dict, List, Optional, Sequence, Set

import numpy as np
import plotly.graph_objects as go

from ftlab.report import palette
from ftlab.report.picture import Axis, Columns, Curve, Mark, Panel, Part, Picture

FIRST_PANEL, NEXT_PANEL, GAP, AROUND = 330, 190, 26, 120  # pixels
CATEGORY = 54  # pixels of a bar that lies
MODES = {"points": "markers", "line": "lines", "steps": "lines", "both": "lines+markers"}
MOST_TICKS = 8  # of an upright axis; more crowd on a log scale
SEEN_SINGLY = 300  # points; above, markers are small


def draw(picture: Picture) -> go.Figure:
    named: Set[str] = set()
    traces: List[Dict[str, Any]] = []
    for number, panel in enumerate(picture.panels, 1):
        traces += [_trace(picture, panel, mark, number, named) for mark in panel.marks]
    return go.Figure(data=traces, layout=_layout(picture))


def plain(text: str) -> str:
    """A user's text as Plotly shows it literally: it reads a little HTML in names and labels."""
    return html.escape(text, quote=False)


def _trace(picture: Picture, panel: Panel, mark: Mark, number: int, named: Set[str]) -> Dict[str, Any]:
    trace = _shape_of(picture, panel, mark)
    trace.update(name=plain(mark.name), legendgroup=mark.name, showlegend=mark.name not in named,
                 yaxis="y" if number == 1 else f"y{number}", xaxis="x")
    named.add(mark.name)
    return trace


def _shape_of(picture: Picture, panel: Panel, mark: Mark) -> Dict[str, Any]:
    if isinstance(mark, Curve):
        return _curve(picture, panel, mark)
    if isinstance(mark, Columns):
        return _columns(picture, panel, mark)
    return _part(picture, panel, mark)


def _curve(picture: Picture, panel: Panel, curve: Curve) -> Dict[str, Any]:
    colour = palette.hue(curve.hue)
    words = _words_of(picture.x, curve)
    at = "" if picture.x.reading else _value(picture.x, "x") + "<br>"
    trace: Dict[str, Any] = {
        "type": "scatter", "mode": MODES[curve.style], "x": _numbers(curve.x), "y": _numbers(curve.y),
        "marker": {"color": colour, "symbol": palette.symbol(curve.symbol)[0], "size": _marker_size(curve)},
        "line": {"color": colour, "width": 1.8, "dash": palette.dash(curve.dash)[0],
                 "shape": "hv" if curve.style == "steps" else "linear"},
        "hovertemplate": f"{at}{_value(panel.y, 'y')}{_words(words)}",
        "cliponaxis": curve.style not in ("points", "both"),  # a point on an axis is drawn whole
    }
    if words is not None:
        trace["customdata"] = [plain(word) for word in words]
    if curve.half_width is not None:
        trace["error_y"] = {"type": "data", "array": _numbers(curve.half_width), "color": colour,
                            "thickness": 1}
    return trace


def _words_of(x: Axis, curve: Curve) -> Optional[Sequence[str]]:
    """The curve's own, or what the places on the axis mean."""
    if x.reading is None:
        return curve.words
    return [f"{x.label}: {x.reading(place)} {x.unit}" for place in curve.x]


def _columns(picture: Picture, panel: Panel, columns: Columns) -> Dict[str, Any]:
    whole = [f"{start:g} to {end - 1:g}" if end - start > 1 else f"{start:g}"
             for start, end in zip(columns.x_from, columns.x_to)]
    return {
        "type": "bar", "x": _numbers((columns.x_from + columns.x_to - 1) / 2), "y": _numbers(columns.y),
        "width": _numbers((columns.x_to - columns.x_from) * 0.96), "customdata": whole,
        "marker": {"color": palette.hue(columns.hue), "opacity": 0.75},
        "hovertemplate": f"{plain(picture.x.label)}: %{{customdata}}<br>{_value(panel.y, 'y')}",
    }


def _part(picture: Picture, panel: Panel, part: Part) -> Dict[str, Any]:
    trace: Dict[str, Any] = {
        "type": "bar", "orientation": "h", "x": _numbers(part.lengths),
        "y": [plain(category) for category in panel.categories],
        "marker": {"color": palette.hue(part.number), "line": {"color": "white", "width": 1},
                   "pattern": {"shape": palette.pattern(part.number)[0], "fgcolor": "white",
                               "bgcolor": palette.hue(part.number)}},
        "hovertemplate": f"%{{y}}<br>{_value(picture.x, 'x')}{_words(part.words)}",
    }
    if part.words is not None:
        trace["customdata"] = [plain(word) for word in part.words]
    return trace


def _numbers(values: np.ndarray) -> List[Any]:
    """Plain numbers, None for NaN: what JSON knows."""
    return [None if value != value else value for value in np.asarray(values).tolist()]


def _marker_size(curve: Curve) -> int:
    return 8 if curve.style == "both" else 6 if len(curve.x) <= SEEN_SINGLY else 4


def _value(axis: Axis, letter: str) -> str:
    return f"{plain(axis.label)}: %{{{letter}:,.6~g}} {plain(axis.unit)}".rstrip()


def _words(words: object) -> str:
    return "" if words is None else "<br>%{customdata}"


def _layout(picture: Picture) -> Dict[str, Any]:
    heights = _heights(picture.panels)
    inner = sum(heights) + GAP * (len(heights) - 1)
    layout: Dict[str, Any] = {
        "template": {}, "height": inner + AROUND, "margin": {"l": 76, "r": 46, "t": 44, "b": 56},
        "font": {"family": "system-ui, sans-serif", "size": 13, "color": palette.TEXT},
        "paper_bgcolor": "white", "plot_bgcolor": "white", "hovermode": "closest",
        "barmode": _barmode(picture),
        "hoverlabel": {"bgcolor": "white", "font": {"size": 13}, "namelength": -1, "align": "left"},
        "legend": {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "traceorder": "normal"},
        "modebar": {"orientation": "v", "color": "#767676", "activecolor": palette.TEXT},
        "showlegend": True, "xaxis": {**_axis(picture.x), "anchor": _y_name(len(heights), "y")},
        "shapes": [_band(band) for band in picture.bands],
        "annotations": [_band_name(band, picture.x) for band in picture.bands],
    }
    top = float(inner)
    for number, (panel, height) in enumerate(zip(picture.panels, heights), 1):
        domain = [max(0.0, (top - height) / inner), top / inner]
        layout[_y_name(number, "yaxis")] = {**_y_axis(panel), "domain": domain}
        top -= height + GAP
    return layout


def _heights(panels: Sequence[Panel]) -> List[int]:
    wanted = [FIRST_PANEL] + [NEXT_PANEL] * (len(panels) - 1)
    return [40 + CATEGORY * len(panel.categories) if panel.categories else height
            for panel, height in zip(panels, wanted)]


def _barmode(picture: Picture) -> str:
    return "stack" if any(panel.categories for panel in picture.panels) else "overlay"


def _y_name(number: int, word: str) -> str:
    return word if number == 1 else f"{word}{number}"


def _y_axis(panel: Panel) -> Dict[str, Any]:
    if panel.categories:
        return {"type": "category", "autorange": "reversed", "automargin": True, "ticks": ""}
    return {**_axis(panel.y), "nticks": MOST_TICKS}


def _axis(axis: Axis) -> Dict[str, Any]:
    shown: Dict[str, Any] = {
        "title": {"text": plain(axis.title), "standoff": 8}, "type": "log" if axis.log else "linear",
        "gridcolor": palette.GRID, "linecolor": palette.TEXT, "showline": True, "ticks": "outside",
        "automargin": True, "zeroline": False, "exponentformat": "none", "separatethousands": True,
        "rangemode": "tozero" if axis.from_zero else "normal",
    }
    if axis.ticks:
        shown.update(tickvals=list(axis.ticks), ticktext=[plain(t) for t in axis.ticks.values()])
    return shown


def _band(band: Any) -> Dict[str, Any]:
    return {"type": "rect", "xref": "x", "yref": "paper", "x0": band.x_from, "x1": band.x_to, "y0": 0,
            "y1": 1,
            "fillcolor": palette.BAND, "line": {"width": 0}, "layer": "below"}


def _band_name(band: Any, x: Axis) -> Dict[str, Any]:
    middle = (band.x_from + band.x_to) / 2
    return {"x": middle, "xref": "x", "y": 1, "yref": "paper", "yanchor": "top", "showarrow": False,
            "text": plain(band.name), "font": {"size": 12}, "bgcolor": "rgba(255,255,255,0.7)"}
