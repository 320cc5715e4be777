"""Pictures as Vega-Lite specifications. Page, PNG and SVG use the same one.

Colours are those of the light theme; page.js replaces them in the dark theme. Parameters of a specification: x_from and x_to
(visible range), hidden (names of curves), room (panel width in pixels), log_N (log scale of panel N).
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from typing import Any, Dict, Iterable, List, Mapping, Sequence, Tuple

import numpy as np

from ftlab.report import palette
from ftlab.report.digits import figure_texts
from ftlab.report.picture import Axis, Band, Cells, Columns, Curve, Guide, Panel, Part, Picture, Ribbon, is_wide

Spec = Dict[str, Any]
Looks = Mapping[str, Mapping[str, Any]]
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
WIDTH, LEFT, ALONE, USUAL, BAR = 900, 52, 260, 150, 46  # pixels: widths of panel and y axis, heights
DIGITS, SHOWN = 7, ",.6~r"  # of numbers in the data, and number format of tooltips
SYMBOL_AREA, MANY, SMALL_AREA, STRIP = 60, 300, 16, 6
# pixels between names at lines; share that numbers of a heat map spread to use all colours
NAME_HEIGHT, WHOLE_SCALE = 12, 0.25
WORDS = ("name", "words", "link", "category", "row", "column", "text", "ink")  # fields of text
SEEN = "indexof(hidden, datum.name) < 0"  # true if its curve is not hidden
ROOM = "({end} - datum.x) / (x_to - x_from) * room > 7 * length(datum.{text})"  # true if the text fits
CONFIG: Spec = {
    "aria": False, "padding": 5, "font": "sans-serif", "background": palette.PAPER,
    "view": {"stroke": None}, "style": {"cell": {"stroke": None}},
    "axis": {"labelColor": palette.SOFT, "titleColor": palette.TEXT, "gridColor": palette.GRID, "domainColor": palette.TEXT,
             "tickColor": palette.GRID, "labelFontSize": 12, "titleFontSize": 13, "titleFontWeight": "normal"},
    "axisY": {"minExtent": LEFT, "maxExtent": LEFT, "labelLimit": LEFT - 2, "domain": False, "ticks": False},
    "axisX": {"labelFlush": True, "labelOverlap": "greedy", "labelSeparation": 6},
    "title": {"anchor": "start", "frame": "group", "fontSize": 13, "fontWeight": "normal", "color": palette.TEXT,
              "offset": 8, "dx": -LEFT},
    "legend": {"orient": "bottom", "columns": 4, "title": None, "labelLimit": 400, "labelColor": palette.TEXT,
               "symbolSize": 150, "symbolOpacity": 1},
    "concat": {"spacing": 14}, "text": {"color": palette.SOFT, "fontSize": 12},
}


def specification(picture: Picture, page: bool = False) -> Spec:
    """JSON values. `usermeta` tells page.js which controls to offer: legend, log scale, zoom. `page`: with the cursor line
    and its tooltips, without title and legend, which the page has itself."""
    looks = [_looks(panel) for panel in picture.panels]
    together: Dict[str, Dict[str, Any]] = {name: look for one in looks for name, look in one.items()}
    alike = all(together[name] == look for one in looks for name, look in one.items())
    whole = _whole(picture)
    panels = [_panel(picture, n, together if alike else looks[n], page) for n in range(len(picture.panels))]
    zooms = whole is not None and any(isinstance(mark, (Curve, Columns)) for panel in picture.panels for mark in panel.marks)
    ends = tuple(float(f"{end:.{DIGITS}g}") for end in whole or (0.0, 1.0))  # as in the tables: no last point falls outside
    values: Spec = {"x_from": ends[0], "x_to": ends[1], "hidden": [], "room": WIDTH,
                    **{f"log_{n}": panel.y.log for n, panel in enumerate(picture.panels)}}
    params = [{"name": name, "value": value} for name, value in values.items()]
    made: Spec = {"$schema": SCHEMA, "config": {**CONFIG, "legend": {"disable": True}} if page else CONFIG, "params": params,
                  "title": None if page else {"text": picture.title, "fontSize": 16, "dx": 0}, "vconcat": panels,
                  "usermeta": {"zoom": zooms and (picture.x.title if picture.x.label == "Time" else picture.slug),
                               "whole": ends, "log": bool(picture.x.log), "logs": [panel.y.log for panel in picture.panels],
                               "switches": [panel.y.switch for panel in picture.panels],
                               "legend": [[name, look["colour"] if all(one.get(name, look) == look for one in looks)
                                           else palette.TEXT, look["dash"]] for name, look in together.items()]}}
    if not alike:
        made["resolve"] = {"scale": {name: "independent" for name in ("color", "strokeDash", "shape")}}
    return made


def svg(picture: Picture) -> str:
    """Renumbers clip paths from 0: vl-convert counts them across pictures."""
    import vl_convert
    drawn = str(vl_convert.vegalite_to_svg(specification(picture)))
    numbers = {old: new for new, old in enumerate(dict.fromkeys(re.findall(r'id="clip(\d+)"', drawn)))}
    return re.sub(r'(id="|url\(#)clip(\d+)', lambda place: f"{place[1]}clip{numbers.get(place[2], place[2])}", drawn)


def _looks(panel: Panel) -> Dict[str, Dict[str, Any]]:
    """Colour, dash and symbol of each name in the legend; None and "" if a mark has none."""
    looks: Dict[str, Dict[str, Any]] = {}
    for mark in panel.marks:
        colour = palette.hue(mark.number) if isinstance(mark, Part) else palette.of_run(getattr(mark, "hue", 0))
        dash, symbol = None, ""
        if isinstance(mark, Curve):
            dash = None if mark.style == "points" else palette.DASHES[mark.dash % len(palette.DASHES)]
            symbol = palette.SYMBOLS[mark.symbol % len(palette.SYMBOLS)] if mark.style in ("points", "both") else ""
        if not isinstance(mark, (Guide, Cells)):
            looks.setdefault(mark.name, {"colour": colour, "dash": dash, "symbol": symbol})
    return looks


def _panel(picture: Picture, n: int, looks: Looks, page: bool) -> Spec:
    panel = picture.panels[n]
    if any(isinstance(mark, Cells) for mark in panel.marks):
        return _field(picture, panel, next(mark for mark in panel.marks if isinstance(mark, Cells)))
    if panel.categories:
        return _stacks(picture, panel, looks)
    x, y = _axis(picture.x, "x", n == len(picture.panels) - 1), _axis(panel.y, "y")
    x["scale"].update(nice=False, domainMin={"expr": "x_from"}, domainMax={"expr": "x_to"})
    height = ALONE if len(picture.panels) == 1 else USUAL + 50 * (n == 0 and not panel.title)
    layers = [*_bands([*picture.bands, *panel.bands], x), *_lines(picture, n, x, y, looks, page),
              *_bars(picture.x, panel, x, y, looks), *_guides([*picture.bands, *panel.bands, *panel.marks], x, y),
              *_names_at_ends(panel, n, height, x, y, looks)]
    made: Spec = {"width": WIDTH, "height": height, "title": _title(panel), "layer": layers}
    if panel.right is not None or any(map(_in_order, picture.panels)):  # page.js adds the same to every width
        made["width"] = WIDTH - LEFT
    return made if panel.right is None else {**made, "resolve": {"scale": {"y": "independent"}}}


def _title(panel: Panel) -> Spec:
    """Above the panel: a vertical axis title would waste width on narrow screens."""
    run = {} if panel.hue is None else {"color": palette.of_run(panel.hue)}
    said = panel.y.title if panel.right is None else f"{panel.y.unit} left, {panel.right.title} right"
    return {"text": f"{panel.title}: {said}" if panel.title else said, **run}


def _axis(axis: Axis, channel: str, titled: bool = True) -> Spec:
    """Encoding of channel x or y; the field has the same name."""
    upright = channel == "y"
    scale: Spec = ({"type": "log", "nice": False, "padding": 8 * upright} if axis.log else
                   {"zero": axis.from_zero and upright})
    shown: Spec = {"title": axis.title if not upright and titled else None, "grid": True, "tickCount": 5 if upright else 10,
                   "format": ",~g" if axis.log else ",~r"}
    if axis.limit is not None:
        scale["domainMax"] = axis.limit
    if axis.ticks:
        names = {f"{place:.12g}": text for place, text in axis.ticks.items()}
        shown.update(values=list(axis.ticks), labelExpr=f"{json.dumps(names)}['' + datum.value] || ''")
    return {"field": channel, "type": "quantitative", "scale": scale, "axis": shown}


def _lines(picture: Picture, number: int, x: Spec, y: Spec, looks: Looks, page: bool) -> List[Spec]:
    """Curves and ribbons, from one table of all points."""
    panel = picture.panels[number]
    curves = [mark for mark in panel.marks if isinstance(mark, (Curve, Ribbon))]
    if not curves:
        return []
    rows, names = [row for n, mark in enumerate(curves) for row in _rows(picture.x, n, mark)], [mark.name for mark in curves]
    base: Spec = {"data": _table(("k", "x", "y", "low", "high", "words", "link"), rows), "transform": [
        {"calculate": f"{json.dumps(names)}[datum.k]", "as": "name"},
        {"window": [{"op": op, "field": "x", "as": op} for op in ("lag", "lead")], "groupby": ["k"]},
        {"filter": SEEN + " && (datum.x == null || ((datum.lead == null || datum.lead >= x_from) && "
                   "(datum.lag == null || datum.lag <= x_to)))"},  # with a neighbour on each side: lines reach the edges
        {"calculate": "datum.words || ''", "as": "words"},
        {"calculate": "datum.y == null ? NaN : datum.y", "as": "y"},  # a gap
        *({"calculate": f"log_{number} && !(datum.{one} > 0) ? NaN : datum.{one}", "as": one} for one in ("y", "low"))]}
    layers: List[Spec] = []
    plain: Spec = {"x": x, "color": _by_name("color", "colour", looks), "detail": {"field": "k"}}
    low_high = {"y": {**y, "field": "low"}, "y2": {"field": "high"}}

    def add(mark: Spec, chosen: Iterable[int], encoding: Spec, *more: Spec) -> None:
        numbers = list(chosen)
        if numbers:
            shown: Spec = {"clip": True, **mark}
            layers.append({"transform": [{"filter": f"indexof({numbers}, datum.k) >= 0"}, *more], "mark": shown,
                           "encoding": {**plain, **encoding}})
    known = {n: mark for n, mark in enumerate(curves) if isinstance(mark, Curve)}
    add({"type": "area", "opacity": 0.2}, (n for n, mark in enumerate(curves) if isinstance(mark, Ribbon)), low_high)
    bounded = (n for n, mark in known.items() if mark.half_width is not None)
    add({"type": "rule"}, bounded, low_high, {"filter": "datum.low != null"})
    for how in ("linear", "step-after"):
        lines = (n for n, mark in known.items() if mark.style in (("steps",) if how == "step-after" else ("line", "both")))
        add({"type": "line", "strokeWidth": 1.8, "interpolate": how}, lines,
            {"y": y, "strokeDash": _by_name("strokeDash", "dash", looks), "order": {"value": None}})
    points = [n for n, mark in known.items() if mark.style in ("points", "both")]
    many = any(len(mark.x) > MANY for mark in known.values())
    add({"type": "point", "filled": True, "opacity": 1, "size": SMALL_AREA if many else SYMBOL_AREA}, points,
        {"y": y, "shape": _by_name("shape", "symbol", looks),
         "tooltip": _told(("name", "curve"), ("words", "point"), ("x", picture.x.title), ("y", panel.y.title))})
    if page and not any(mark.style == "points" and len(mark.x) for mark in known.values()):
        layers += _reader(picture.x, panel, known, x, f"at_{number}")
    return [{**base, "layer": layers}]


def _in_order(panel: Panel) -> List[Curve]:
    """The lines of runs that differ by one number, one a run: their colours are too close to tell by a legend."""
    lines = {mark.name.partition(":")[0]: mark for mark in reversed(panel.marks)
             if isinstance(mark, Curve) and mark.hue >= palette.RAMP and mark.style in ("line", "steps")}
    return list(lines.values()) if len(lines) > 1 else []


def _names_at_ends(panel: Panel, number: int, height: int, x: Spec, y: Spec, looks: Looks) -> List[Spec]:
    """The names of these lines at their right ends, the outer ones first, as far as they do not overlap; none in a bundle of
    lines, nor after a change of scale."""
    known = [(line, line.y[np.isfinite(line.y) & ((line.y > 0) | (not panel.y.log))]) for line in _in_order(panel)]
    known = [(line, values) for line, values in known if len(values)]
    ends = np.array([np.median(values[-(1 if line.style == "steps" else 1 + len(values) // 10):]) for line, values in known])
    scale, every = np.log if panel.y.log else np.asarray, np.concatenate([values for _, values in known] or [np.ones(1)])
    low, high = float(scale(every.min())) if panel.y.log else 0.0, float(scale(every.max()))
    places, kept = (scale(ends) - low) / ((high - low) or 1.0) * height, []
    for n in sorted(range(len(known)), key=lambda n: -abs(places[n] - np.mean(places))):
        if all(abs(places[n] - places[other]) >= (NAME_HEIGHT if other in kept else NAME_HEIGHT / 3)
               for other in range(len(known)) if other != n):
            kept.append(n)
    rows = [(known[n][0].name, known[n][0].name.partition(":")[0], known[n][0].x[-1], ends[n]) for n in sorted(kept)]
    made: Spec = {"data": _table(("name", "text", "x", "y"), rows),
                  "transform": [{"filter": f"{SEEN} && datum.x <= x_to && log_{number} == {json.dumps(panel.y.log)}"}],
                  "mark": {"type": "text", "align": "left", "dx": 4, "fontSize": 11, "limit": LEFT + 8},
                  "encoding": {"x": x, "y": y, "text": {"field": "text"}, "color": _by_name("color", "colour", looks)}}
    return [made] if rows else []


def _reader(axis: Axis, panel: Panel, curves: Mapping[int, Curve], x: Spec, name: str) -> List[Spec]:
    """Cursor line at the x nearest to the pointer, with a tooltip of every curve's value there."""
    unit = f" {panel.y.unit}" if panel.y.unit else ""
    told = _told(("words" if axis.reading else "x", axis.title), *(
        (f"c{n}", mark.name + unit) for n, mark in curves.items()
        if mark.style == "steps" or (len(mark.x) > 2 and not np.isnan(mark.x).any())))  # no limits and fitted lines
    chosen = {"name": name, "select": {"type": "point", "on": "pointermove", "nearest": True, "encodings": ["x"],
                                         "clear": "pointerout"}}
    return [{"transform": [{"filter": "datum.x != null && isValid(datum.y) && !isNaN(datum.y)"},
                           {"calculate": "'c' + datum.k", "as": "key"},
                           {"pivot": "key", "value": "y", "groupby": ["x", "words"], "op": "max"}],
             "mark": {"type": "rule", "color": palette.SOFT, "clip": True}, "params": [chosen],
             "encoding": {"x": x, "tooltip": told,
                          "opacity": {"condition": {"param": name, "value": 0.7, "empty": False}, "value": 0}}}]


def _rows(axis: Axis, n: int, mark: "Curve | Ribbon") -> List[Sequence[object]]:
    x = mark.x.tolist()
    if isinstance(mark, Ribbon):
        return [(n, *row[:1], math.nan, *row[1:], "", "") for row in zip(x, mark.low.tolist(), mark.high.tolist())]
    y, half = mark.y.tolist(), [math.nan] * len(x) if mark.half_width is None else mark.half_width.tolist()
    words = [axis.reading(place) for place in x] if axis.reading else mark.words or [""] * len(x)
    links = mark.links or [""] * len(x)
    return [(n, x[i], y[i], y[i] - half[i], y[i] + half[i], words[i], links[i]) for i in range(len(x))]


def _bars(axis: Axis, panel: Panel, x: Spec, y: Spec, looks: Looks) -> List[Spec]:
    """Vertical bars; those of several runs, or of both axes, are side by side."""
    bars, layers = [mark for mark in panel.marks if isinstance(mark, Columns)], []
    for right in (False, True):
        rows, height = [], _axis(panel.right, "y") if right and panel.right else y
        for n, bar in ((n, bar) for n, bar in enumerate(bars) if bar.right == right):
            for place, (start, end, top) in enumerate(zip(bar.x_from.tolist(), bar.x_to.tolist(), bar.y.tolist())):
                wide = (end - start) * (0.8 if panel.right else 0.92) / len(bars)
                left = start - 0.5 + wide * n + 0.1 * (panel.right is not None)
                told = (axis.reading(start) if axis.reading else
                        f"{start:g}" if end == start + 1 else f"{start:g} to {end - 1:g}")
                rows.append((bar.name, left, left + wide, left + wide / 2, top, told, bar.words[place] if bar.words else ""))
            if panel.right:
                height["axis"].update(orient="right" if right else "left", grid=not right)
        if rows:
            layers.append(_side(rows, panel.right if right and panel.right else panel.y, x, height, looks))
    return layers


def _side(rows: Sequence[Sequence[object]], axis: Axis, x: Spec, y: Spec, looks: Looks) -> Spec:
    """The bars of one axis, and texts above them where there is room."""
    bars: Spec = {"mark": {"type": "rect", "clip": True}, "encoding": {
        "x": x, "x2": {"field": "end"}, "y": y, "y2": {"datum": 0}, "color": _by_name("color", "colour", looks),
        "tooltip": _told(("name", "bar"), ("words", x["axis"]["title"]), ("y", axis.title))}}
    texts: Spec = {"transform": [{"filter": "datum.text && " + ROOM.format(end="datum.end", text="text")}],
                   "mark": {"type": "text", "baseline": "bottom", "dy": -2, "fontSize": 11, "clip": True},
                   "encoding": {"x": {**x, "field": "middle"}, "y": y, "text": {"field": "text"}}}
    return {"data": _table(("name", "x", "end", "middle", "y", "words", "text"), rows), "layer": [bars, texts],
            "transform": [{"filter": SEEN + " && datum.end >= x_from && datum.x <= x_to"}]}


def _guides(marks: Sequence[object], x: Spec, y: Spec) -> List[Spec]:
    """Lines across the panel. On a linear x axis, names that would reach the next line are left out."""
    layers: List[Spec] = []
    for along, axis in (("x", x), ("y", y)):
        guides = sorted((mark.place, mark.name) for mark in marks if isinstance(mark, Guide) and mark.along == along)
        if not guides:
            continue
        ends = [*(place for place, _ in guides[1:]), math.nan]
        data = _table((along, "name", "end"), [(*guide, end) for guide, end in zip(guides, ends)])
        linear = along == "x" and axis["scale"].get("type") != "log"
        text: Spec = ({"align": "left", "dx": 4, "y": 10} if along == "x" else
                      {"align": "right", "dx": -3, "baseline": "bottom", "x": "width"})
        layers += [{"data": data, "mark": {"type": "rule", "color": palette.SOFT, "strokeDash": [4, 3], "clip": True},
                    "encoding": {along: axis}},
                   {"data": data, "mark": {"type": "text", "clip": True, **text},
                    "transform": [{"filter": ROOM.format(end="(datum.end || x_to)", text="name")}] if linear else [],
                    "encoding": {along: axis, "text": {"field": "name"}}}]
    return layers


def _bands(bands: Sequence[object], x: Spec) -> List[Spec]:
    """Shaded ranges and strips, with their names."""
    layers: List[Spec] = []
    for band in (band for band in bands if isinstance(band, Band)):
        data = _table(("name", "x", "end"), [(band.name, band.x_from, band.x_to)])
        look: Spec = {"color": palette.BAND} if band.lane is None else {
            "color": palette.of_run(band.hue), "y": STRIP * band.lane, "y2": STRIP * band.lane + 4}
        layers.append({"data": data, "mark": {"type": "rect", "clip": True, **look},
                       "encoding": {"x": x, "x2": {"field": "end"}}})
        if band.name:
            layers.append({"data": data, "mark": {"type": "text", "clip": True, "align": "right", "dx": -4,
                                                  "y": 12 + STRIP * (band.lane is not None)},
                           "encoding": {"x": {**x, "field": "end"}, "text": {"field": "name"}}})
    return layers


def _stacks(picture: Picture, panel: Panel, looks: Looks) -> Spec:
    """One bar per category, below its name."""
    parts = [mark for mark in panel.marks if isinstance(mark, Part)]
    rows = [(n, part.name, place, category, part.lengths[place], part.words[place] if part.words else "")
            for n, part in enumerate(parts) for place, category in enumerate(panel.categories)]
    told = _told(("category", "bar"), ("name", "part"), ("x", picture.x.title), ("words", "share"))
    y = {"field": "place", "type": "ordinal", "axis": None, "scale": {"paddingInner": 0.52, "paddingOuter": 0.3}}
    names = _table(("place", "category"), list(enumerate(panel.categories)))
    bars = {"data": _table(("k", "name", "place", "category", "x", "words"), rows), "mark": {"type": "bar"},
            "transform": [{"filter": "indexof(hidden, datum.name) < 0 && datum.x > 0"}],
            "encoding": {"x": {**_axis(picture.x, "x"), "stack": "zero", "scale": {"nice": False}}, "y": y,
                         "order": {"field": "k"}, "tooltip": told, "color": _by_name("color", "colour", looks)}}
    text = {"data": names, "mark": {"type": "text", "align": "left", "baseline": "bottom", "x": 0, "dy": -13, "fontSize": 13,
                                    "color": palette.TEXT},
            "encoding": {"y": y, "text": {"field": "category"}}}
    return {"width": WIDTH + LEFT, "height": BAR * len(panel.categories) + 10, "layer": [bars, text]}


def _field(picture: Picture, panel: Panel, cells: Cells) -> Spec:
    """Heat map. Only numbers that spread by WHOLE_SCALE of the highest use all colours; closer ones are pale."""
    known = cells.values[np.isfinite(cells.values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    log = is_wide(known) and low > 0
    top = high if log else max(high, low + WHOLE_SCALE * abs(high))
    places = [(int(r), int(c)) for r, c in np.argwhere(np.isfinite(cells.values))]
    values = [float(cells.values[place]) for place in places]
    shares = [math.log(one / low) / math.log(top / low) if log else (one - low) / ((top - low) or 1) for one in values]
    rows = [(cells.rows[r], cells.columns[c], value, text, "#ffffff" if share > 0.45 else "#000000",
             cells.links[r][c] if cells.links else "")
            for (r, c), value, text, share in zip(places, values, figure_texts(values), shares)]
    x = {"field": "column", "type": "nominal", "sort": list(cells.columns),
         "axis": {"title": picture.x.title, "labelAngle": 0}}
    y = {"field": "row", "type": "nominal", "sort": list(cells.rows),
         "axis": {"title": None, "minExtent": 2 * LEFT, "maxExtent": 2 * LEFT, "labelLimit": 2 * LEFT - 6}}
    scale = {"type": "log" if log else "linear", "scheme": "cividis", "reverse": True, "domain": [low, top], "nice": False}
    told = _told(("row", "row"), ("column", picture.x.title), ("text", panel.y.title))
    colour = {"field": "value", "type": "quantitative", "scale": scale, "legend": None}
    return {"width": WIDTH - LEFT, "height": min(44, max(26, 300 // max(len(cells.rows), 1))) * len(cells.rows),
            "title": {"text": panel.y.title, "dx": -2 * LEFT},
            "data": _table(("row", "column", "value", "text", "ink", "link"), rows),
            "encoding": {"x": x, "y": y, "tooltip": told},
            "layer": [{"mark": {"type": "rect", "stroke": palette.PAPER}, "encoding": {"color": colour}},
                      {"mark": {"type": "text", "color": {"expr": "datum.ink"}}, "encoding": {"text": {"field": "text"}}}]}


def _by_name(channel: str, look: str, looks: Looks) -> Spec:
    """Encoding that gives each name the colour, dash or symbol of its mark."""
    usual: Any = {"colour": palette.TEXT, "dash": [1, 0], "symbol": "stroke"}[look]
    legend: Spec = {} if len(looks) > 1 else {"legend": None}
    scale = {"domain": list(looks), "range": [one[look] or usual for one in looks.values()]}
    return {"field": "name", "type": "nominal", "scale": scale, **legend}


def _told(*fields: Tuple[str, str]) -> List[Spec]:
    """A tooltip of fields and their titles."""
    kinds: Tuple[Spec, Spec] = {"type": "quantitative", "format": SHOWN}, {"type": "nominal"}
    return [{"field": name, "title": title, **kinds[name in WORDS]} for name, title in fields]


def _table(names: Tuple[str, ...], rows: Iterable[Sequence[object]]) -> Spec:
    """CSV, half as large as JSON rows, with seven digits, more than a screen resolves. Empty cells are null."""
    columns = [_texts(column) for column in zip(*rows)]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([names, *zip(*columns)])  # a data frame takes ten times as long
    parse = {name: "string" if name in WORDS else "number" for name in names}
    return {"values": text.getvalue(), "format": {"type": "csv", "parse": parse}}


def _texts(column: Sequence[Any]) -> List[Any]:
    """A column of words or whole numbers as it is; of others with DIGITS digits, "" for those that are not finite."""
    if not any(isinstance(value, float) for value in column):
        return ["" if value is None else value for value in column]
    return [value if isinstance(value, str) else "" if value is None or not math.isfinite(value) else f"{value:.{DIGITS}g}"
            for value in column]


def _whole(picture: Picture) -> "Tuple[float, float] | None":
    """The ends of the x axis: a margin for points, none for lines."""
    marks = [mark for panel in picture.panels for mark in panel.marks]
    edges = [places for mark in marks for places in _places(mark)]
    known = np.concatenate(edges or [np.zeros(0)])
    known = known[np.isfinite(known) & ((known > 0) | (not picture.x.log))]
    if len(known) == 0:
        return None
    low, high = float(known.min()), float(known.max())
    if picture.x.label == "Time":
        return min(0.0, low), high if high > 0 else 1.0
    points = low == high or any(isinstance(mark, Curve) and mark.style in ("points", "both") for mark in marks)
    if picture.x.log:
        room = max((high / low) ** 0.05, 1.05) if points else 1.0
        return low / room, high * room
    margin = ((high - low) * 0.05 or abs(high) * 0.1 or 1.0) if points else 0.0
    return low - margin, high + margin


def _places(mark: object) -> List[np.ndarray]:
    if isinstance(mark, Columns):
        return [mark.x_from - 0.5, mark.x_to - 0.5]
    return [np.asarray(mark.x, dtype=float)] if isinstance(mark, (Curve, Ribbon)) else []
