"""Pictures as plain JSON values, which the page's scripts in `view/` draw as SVG.

Numbers have seven digits, which is more than a screen can show. Curves that have the same x positions share one list of
them.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional

import numpy as np

from ftlab.report import palette
from ftlab.report.picture import Axis, Band, Cells, Columns, Curve, Guide, Mark, Panel, Part, Picture, Ribbon

DIGITS = 7


def draw(picture: Picture) -> Dict[str, Any]:
    places = _Places()
    panels = [_panel(picture, panel, places) for panel in picture.panels]
    return _filled({"x": _axis(picture.x), "places": places.lists, "panels": panels,
                    "bands": [_band(band) for band in picture.bands]})


class _Places:
    """Lists of x positions, each stored once."""

    def __init__(self) -> None:
        self.lists: List[List[Any]] = []
        self._known: Dict[bytes, int] = {}

    def number_of(self, x: np.ndarray) -> int:
        key = np.asarray(x, dtype=float).tobytes()
        if key not in self._known:
            self._known[key] = len(self.lists)
            self.lists.append(_numbers(x))
        return self._known[key]


def _panel(picture: Picture, panel: Panel, places: _Places) -> Dict[str, Any]:
    marks = [_filled(_mark(picture, mark, places)) for mark in panel.marks]
    return _filled({"y": _axis(panel.y), "title": panel.title, "hue": panel.hue, "categories": list(panel.categories),
                    "bands": [_band(band) for band in panel.bands], "marks": marks})


def _mark(picture: Picture, mark: Mark, places: _Places) -> Dict[str, Any]:
    kinds: Dict[type, Callable[..., Dict[str, Any]]] = {
        Curve: _curve, Ribbon: _ribbon, Columns: _columns, Part: _part, Guide: _guide, Cells: _cells}
    return kinds[type(mark)](picture, mark, places)


def _curve(picture: Picture, curve: Curve, places: _Places) -> Dict[str, Any]:
    return {"kind": "curve", "name": curve.name, "style": curve.style, "hue": curve.hue % len(palette.LIGHT),
            "dash": palette.dash(curve.dash)[0], "symbol": palette.symbol(curve.symbol)[0],
            "x": places.number_of(curve.x), "y": _numbers(curve.y), "words": _words_of(picture.x, curve),
            "half_width": None if curve.half_width is None else _numbers(curve.half_width),
            "links": None if curve.links is None else list(curve.links)}


def _words_of(x: Axis, curve: Curve) -> Optional[List[str]]:
    """The curve's own texts, or the meaning of its x positions."""
    if x.reading is None:
        return None if curve.words is None else list(curve.words)
    return [f"{x.label}: {x.reading(place)} {x.unit}" for place in curve.x]


def _ribbon(picture: Picture, ribbon: Ribbon, places: _Places) -> Dict[str, Any]:
    return {"kind": "ribbon", "name": ribbon.name, "hue": ribbon.hue % len(palette.LIGHT),
            "x": places.number_of(ribbon.x), "low": _numbers(ribbon.low), "high": _numbers(ribbon.high)}


def _columns(picture: Picture, columns: Columns, places: _Places) -> Dict[str, Any]:
    return {"kind": "columns", "name": columns.name, "hue": columns.hue % len(palette.LIGHT),
            "from": _numbers(columns.x_from), "below": _numbers(columns.x_to), "y": _numbers(columns.y)}


def _part(picture: Picture, part: Part, places: _Places) -> Dict[str, Any]:
    return {"kind": "part", "name": part.name, "hue": part.number % len(palette.LIGHT),
            "pattern": part.number // len(palette.LIGHT) % len(palette.PATTERNS), "lengths": _numbers(part.lengths),
            "words": None if part.words is None else list(part.words)}


def _guide(picture: Picture, guide: Guide, places: _Places) -> Dict[str, Any]:
    return {"kind": "guide", "name": guide.name, "place": guide.place, "along": guide.along}


def _cells(picture: Picture, cells: Cells, places: _Places) -> Dict[str, Any]:
    return {"kind": "cells", "name": cells.name, "columns": list(cells.columns), "rows": list(cells.rows),
            "values": [_numbers(row) for row in cells.values],
            "links": None if cells.links is None else [list(row) for row in cells.links]}


def _axis(axis: Axis) -> Dict[str, Any]:
    ticks = [[float(place), text] for place, text in axis.ticks.items()]
    return _filled({"label": axis.label, "unit": axis.unit, "log": axis.log, "from_zero": axis.from_zero,
                    "switch": axis.switch, "ticks": ticks, "reading": axis.reading is not None})


def _band(band: Band) -> Dict[str, Any]:
    return _filled({"name": band.name, "from": _number(band.x_from), "to": _number(band.x_to), "phase": band.phase})


def _filled(entries: Dict[str, Any]) -> Dict[str, Any]:
    """Drops empty entries: the page's scripts treat missing ones as empty."""
    return {key: value for key, value in entries.items() if value is not None and value is not False and value != []
            and value != ""}


def _numbers(values: np.ndarray) -> List[Any]:
    return [_number(value) for value in np.asarray(values, dtype=float).tolist()]


def _number(value: float) -> Any:
    """NaN becomes null, for JSON. Whole numbers have no decimal point."""
    if value != value:
        return None
    short = float(f"{value:.{DIGITS}g}")
    return int(short) if short.is_integer() and abs(short) < 1e15 else short
