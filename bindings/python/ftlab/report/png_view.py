"""Pictures as matplotlib figures, for papers and slides."""

from __future__ import annotations

import io
from typing import Any, Dict, List, Tuple, Union

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.container import Container
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

from ftlab.report import palette
from ftlab.report.digits import figure_texts
from ftlab.report.picture import Axis, Band, Cells, Columns, Curve, Guide, Panel, Part, Picture, Ribbon, is_wide

WIDTH, FIRST_PANEL, NEXT_PANEL, AROUND, CATEGORY = 10.5, 3.6, 2.1, 1.4, 0.5  # inches
STYLE: Dict[Any, Any] = {"text.parse_math": False, "font.family": ["DejaVu Sans"], "font.size": 10,
                         "axes.axisbelow": True,
         "svg.hashsalt": "ftlab"}
Handle = Union[Artist, Container]
Handles = Dict[str, Handle]


def draw(picture: Picture) -> Figure:
    """Returns a figure that the caller owns; does not use pyplot and its global state."""
    heights = _heights(picture)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, sum(heights) + AROUND), layout="constrained")
        FigureCanvasAgg(figure)
        grid = figure.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)
        handles: Handles = {}
        for panel, axes in zip(picture.panels, grid[:, 0]):
            _draw_panel(picture, panel, axes, handles)
        if any(isinstance(mark, Cells) for mark in picture.panels[-1].marks):
            grid[-1, 0].set_xlabel(picture.x.title)
        else:
            _set_axis(grid[-1, 0], "x", picture.x)
        _label(figure, picture, handles)
    return figure


def png(picture: Picture) -> bytes:
    """The same picture gives the same bytes with the same versions of matplotlib and its fonts."""
    figure = draw(picture)
    with matplotlib.rc_context(STYLE), io.BytesIO() as file:
        figure.savefig(file, format="png", dpi=110, metadata={"Software": None})
        return file.getvalue()


def _heights(picture: Picture) -> List[float]:
    first = NEXT_PANEL if picture.panels[0].title and len(picture.panels) > 1 else FIRST_PANEL  # panels of runs are alike
    usual = [first] + [NEXT_PANEL] * (len(picture.panels) - 1)
    return [0.6 + CATEGORY * len(panel.categories) if panel.categories else height
            for panel, height in zip(picture.panels, usual)]


def _draw_panel(picture: Picture, panel: Panel, axes: Axes, handles: Handles) -> None:
    for band in [*picture.bands, *panel.bands]:
        _draw_band(axes, band)
    so_far = np.zeros(len(panel.categories))
    for mark in panel.marks:
        if isinstance(mark, Guide):
            _draw_guide(axes, mark)
        elif isinstance(mark, Cells):
            _draw_cells(axes, mark)
        elif isinstance(mark, Part):
            handles.setdefault(mark.name, _draw_part(axes, mark, so_far))
            so_far = so_far + mark.lengths
        else:
            handles.setdefault(mark.name, _draw_mark(axes, mark))
    if panel.title:
        hue = palette.BLACK if panel.hue is None else panel.hue
        axes.set_title(panel.title, loc="left", fontsize=10, color=palette.hue(hue))
    if any(isinstance(mark, Cells) for mark in panel.marks):
        return
    if panel.categories:
        axes.set_yticks(range(len(panel.categories)), list(panel.categories))
        axes.invert_yaxis()
    else:
        _set_axis(axes, "y", panel.y)
    axes.grid(True, color=palette.GRID, linewidth=0.7)


def _draw_band(axes: Axes, band: Band) -> None:
    if not band.phase:
        axes.axvspan(band.x_from, band.x_to, color=palette.BAND, zorder=0)
        return
    axes.axvline(band.x_from, color=palette.TEXT, linewidth=0.6)
    axes.text(band.x_from, 1.0, f" {band.name}", transform=axes.get_xaxis_transform(), va="top", fontsize=8, clip_on=True)


def _draw_guide(axes: Axes, guide: Guide) -> None:
    (axes.axhline if guide.along == "y" else axes.axvline)(guide.place, color=palette.TEXT, linewidth=0.7, linestyle=":")
    if guide.along == "y":
        axes.text(1.0, guide.place, guide.name, transform=axes.get_yaxis_transform(), ha="right", va="bottom", fontsize=8)
    else:
        axes.text(guide.place, 0.01, f" {guide.name}", transform=axes.get_xaxis_transform(), fontsize=8, rotation=90)


def _draw_cells(axes: Axes, cells: Cells) -> None:
    norm = "log" if is_wide(cells.values) else "linear"
    image = axes.imshow(np.ma.masked_invalid(cells.values), aspect="auto", cmap="cividis_r", norm=norm)
    axes.set_xticks(range(len(cells.columns)), list(cells.columns))
    axes.set_yticks(range(len(cells.rows)), list(cells.rows))
    places = np.argwhere(~np.isnan(cells.values))
    texts = figure_texts([float(cells.values[row, column]) for row, column in places])
    for (row, column), text in zip(places, texts):
        red, green, blue, _ = image.to_rgba(cells.values[row, column])
        ink = "black" if 0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2 > 0.18 else "white"
        axes.text(column, row, text, ha="center", va="center", fontsize=8, color=ink)


def _draw_part(axes: Axes, part: Part, so_far: np.ndarray) -> Handle:
    return axes.barh(range(len(part.lengths)), np.nan_to_num(part.lengths), left=so_far, height=0.6,
                     color=palette.hue(part.number), hatch=palette.pattern(part.number), edgecolor="white")


def _draw_mark(axes: Axes, mark: "Curve | Ribbon | Columns") -> Handle:
    if isinstance(mark, Curve):
        return _draw_curve(axes, mark)
    if isinstance(mark, Ribbon):
        return axes.fill_between(mark.x, mark.low, mark.high, color=palette.hue(mark.hue), alpha=0.2, linewidth=0)
    return axes.bar(mark.x_from - 0.5, mark.y, width=mark.x_to - mark.x_from, align="edge", alpha=0.75,
                    color=palette.hue(mark.hue))


def _draw_curve(axes: Axes, curve: Curve) -> Handle:
    marker = palette.symbol(curve.symbol)[1] if curve.style in ("points", "both") else ""
    line = "" if curve.style == "points" else palette.dash(curve.dash)[1]
    return axes.errorbar(
        curve.x, curve.y, yerr=curve.half_width, color=palette.hue(curve.hue), marker=marker, linestyle=line,
        markersize=5 if len(curve.x) < 300 else 2.5, linewidth=1.5, capsize=2,
        drawstyle="steps-post" if curve.style == "steps" else "default")


def _set_axis(axes: Axes, letter: str, axis: Axis) -> None:
    if axis.log:
        axes.set(**{f"{letter}scale": "log"})
    axes.set(**{f"{letter}label": axis.title})
    one = axes.xaxis if letter == "x" else axes.yaxis
    if axis.ticks:
        one.set_major_locator(FixedLocator(list(axis.ticks)))
    elif axis.log:
        one.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=12))
    one.set_major_formatter(FuncFormatter(lambda value, _: axis.ticks.get(value, f"{value:,g}")))
    one.set_minor_locator(NullLocator())
    if axis.from_zero and not axis.log:
        axes.set(**{f"{letter}lim": _from_zero(axes.get_xlim() if letter == "x" else axes.get_ylim())})


def _from_zero(limits: Tuple[float, float]) -> Tuple[float, float]:
    return min(0.0, limits[0]) if limits[0] < -limits[1] / 10 else 0.0, max(limits[1], 1e-9)


def _label(figure: Figure, picture: Picture, handles: Handles) -> None:
    figure.suptitle(picture.title, fontsize=12)
    names: List[str] = [" " + name if name.startswith("_") else name for name in handles]  # else _ hides an entry
    entries: Any = list(handles.values())  # containers are also allowed, although the stubs do not say so
    figure.legend(entries, names, loc="outside lower center", ncols=4, frameon=False)
