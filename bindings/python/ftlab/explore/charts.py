"""Drawings of the answers, as Vega-Lite specifications; each is a function of data alone."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional

import pandas as pd

from ftlab.explore.answers import Load, Run, Wa, theory_over_op
from ftlab.explore.question import Question

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
COLOURS = {"A": "#0b62a4", "B": "#c2410c"}
_RATIOS = [0.02, 0.025, 0.03, 0.04, 0.05, 0.06, 0.07, 0.085, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1.0]
_HEIGHT = 230
_COLOUR = {"field": "design", "type": "nominal", "scale": {"domain": list(COLOURS), "range": list(COLOURS.values())},
           "legend": {"title": None, "orient": "top"}}
Spec = Dict[str, Any]


def wa_chart(questions: Mapping[str, Question], answers: Mapping[str, Wa]) -> Spec:
    """Lines: theory over over-provisioning. Points: what `ftlab wa` simulated."""
    lines = [row for design, question in questions.items()
             for row in _rows(theory_over_op(question, _RATIOS), design=design)]
    points = [{"op": questions[design].ratio, "wa": wa.answer["wa"], "design": design}
              for design, wa in answers.items() if wa.answer is not None and design in questions]
    x = _axis("op", "over-provisioning, (flash - user) / user", scale=_log([*lines, *points]), axis={"format": "%", "values": [.02, .05, .1, .2, .5, 1]})
    y = _axis("wa", "write amplification", scale=_log([*lines, *points]))
    return _spec("Steady WA: theory (line), simulated (point)", [
        _layer(lines, "line", x=x, y=y, color=_COLOUR),
        _layer(points, {"type": "point", "filled": True, "size": 110}, x=x, y=y, color=_COLOUR, tooltip=_tooltip("op", "wa"))])


def fresh_chart(runs: Mapping[str, Run], answers: Mapping[str, Wa]) -> Spec:
    """Write amplification over what was written; dashed: the steady state of `ftlab wa`."""
    rules = [{"wa": wa.answer["wa"], "design": design} for design, wa in answers.items() if wa.answer is not None]
    y = _axis("wa", "write amplification")
    return _spec("WA from fresh to steady (dashed: ftlab wa)", [
        _layer(_curves(runs), "line", x=_axis("drive_writes", "drive writes"), y=y, color=_COLOUR),
        _layer(rules, {"type": "rule", "strokeDash": [6, 4]}, y=y, color=_COLOUR)])


def rate_chart(runs: Mapping[str, Run]) -> Spec:
    return _spec("Write rate from fresh to steady", [
        _layer(_curves(runs), "line", x=_axis("drive_writes", "drive writes"), y=_axis("MB_per_s", "MB/s"), color=_COLOUR)])


def load_chart(loads: Mapping[str, Load]) -> Spec:
    """Mean and p99 over requests a second, a point for each queue depth."""
    rows = []
    for design, load in loads.items():
        for row in _rows(load.points, design=design):
            for figure in ("mean", "p99"):
                rows.append({"design": design, "depth": row["depth"], "iops": row["iops"], "us": row[f"{figure}_us"],
                             "curve": f"{row['direction']} {figure}"})
    encoding = {"x": _axis("iops", "requests/s", scale={"zero": False}), "y": _axis("us", "latency, us", scale=_log(rows)), "color": _COLOUR,
                "strokeDash": {"field": "curve", "type": "nominal", "legend": {"title": None, "orient": "top", "columns": 2, "symbolType": "stroke",
                                                                               "symbolSize": 500, "symbolStrokeWidth": 2}},
                "order": {"field": "depth", "type": "quantitative"}, "tooltip": _tooltip("depth", "iops", "us")}
    return _spec("Latency over load, queue depths 1 to 32", [_layer(rows, {"type": "line", "point": True}, **encoding)])


def _curves(runs: Mapping[str, Run]) -> List[Dict[str, Any]]:
    return [row for design, run in runs.items() for row in _rows(run.curve, design=design)]


def _rows(frame: Optional[pd.DataFrame], **more: Any) -> List[Dict[str, Any]]:
    return [] if frame is None else [{**row, **more} for row in frame.to_dict("records")]


def _axis(field: str, title: str, **more: Any) -> Spec:
    return {"field": field, "type": "quantitative", "title": title, **more}


def _log(rows: List[Dict[str, Any]]) -> Spec:
    """A logarithmic scale; without data it would have no ends."""
    return {"type": "log" if rows else "linear"}


def _tooltip(*fields: str) -> List[Spec]:
    return [{"field": field, "type": "quantitative", "format": ".5~g"} for field in fields]


def _layer(rows: List[Dict[str, Any]], mark: Any, **encoding: Any) -> Spec:
    return {"data": {"values": rows}, "mark": mark, "encoding": encoding}


def _spec(title: str, layers: List[Spec]) -> Spec:
    return {"$schema": SCHEMA, "title": {"text": title, "anchor": "start", "fontSize": 13}, "width": "container", "height": _HEIGHT,
            "autosize": {"type": "fit", "contains": "padding"}, "layer": layers,
            "config": {"background": "white", "view": {"stroke": None}, "axis": {"grid": True, "gridColor": "#e5e7eb"}}}
