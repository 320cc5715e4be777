"""The answers as pictures of a report, drawn for one pane each; each is a function of data alone."""

from __future__ import annotations

import html
import math
from typing import Any, Dict, List, Mapping, Optional

import numpy as np

from ftlab.explore.answers import DEPTHS, Load, Run, Wa, theory_over_op
from ftlab.explore.question import Question
from ftlab.report.digits import number_text
from ftlab.report.picture import Axis, Curve, Mark, Panel, Picture, latency_unit
from ftlab.report.vega import Spec, specification

HUES, RUN_HUES = {"A": 0, "B": 1}, {"A": 2, "B": 3}  # of the designs, and of the write amplification of their runs
_RATIOS = [0.02, 0.025, 0.03, 0.04, 0.05, 0.06, 0.07, 0.085, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1.0]
_HEIGHT = 230
_WRITES = Axis("Drive writes", "times the user space")
_WA = Axis("Write amplification", "ratio", log=True)


def wa_chart(questions: Mapping[str, Question], answers: Mapping[str, Wa], runs: Mapping[str, Run]) -> Spec:
    """Lines: theory over over-provisioning. Points: what `ftlab wa` simulated, and the run at its end."""
    curves: List[Curve] = []
    for design, question in questions.items():
        theory, wa = theory_over_op(question, _RATIOS), answers.get(design)
        curves.append(Curve(f"{design}: theory", 100 * theory["op"].to_numpy(float), theory["wa"].to_numpy(float), "line",
                            HUES[design]))
        if wa is not None and wa.answer is not None:
            curves.append(Curve(f"{design}: ftlab wa", np.array([100 * question.ratio]), np.array([wa.answer["wa"]]),
                                "points", HUES[design]))
        at_end = runs[design].at_end if design in runs else math.nan
        if at_end == at_end:
            curves.append(Curve(f"{design}: this drive", np.array([100 * question.ratio]), np.array([at_end]), "points",
                                RUN_HUES[design], 1))
    ticks = {float(place): f"{place}" for place in (2, 5, 10, 20, 50, 100)}
    return _drawn("WA in steady state, over over-provisioning", Axis("Over-provisioning", "%", log=True, ticks=ticks), _WA,
                  curves)


def fresh_chart(runs: Mapping[str, Run], answers: Mapping[str, Wa]) -> Spec:
    """Write amplification over what was written, and the steady state of `ftlab wa`."""
    curves = _curves(runs, "wa")
    ends = np.array([0.0, max((float(curve.x[-1]) for curve in curves if len(curve.x)), default=1.0)])
    known = {design: wa.answer["wa"] for design, wa in answers.items() if wa.answer is not None}
    curves += [Curve(f"{design}: ftlab wa", ends, np.full(2, wa), "line", HUES[design], dash=1)
               for design, wa in known.items()]
    return _drawn("WA from fresh to steady", _WRITES, Axis("Write amplification", "ratio", from_zero=True), curves)


def rate_chart(runs: Mapping[str, Run]) -> Spec:
    return _drawn("Write rate from fresh to steady", _WRITES, Axis("Throughput", "MB/s", from_zero=True),
                  _curves(runs, "MB_per_s"))


def load_chart(loads: Mapping[str, Load]) -> Spec:
    """Mean latency and p99 of each direction over the requests in flight; a point names the requests a second."""
    known = {design: load.points.sort_values("depth") for design, load in loads.items() if load.points is not None}
    us, unit = latency_unit(points[f"{figure}_us"].to_numpy(float) for points in known.values()
                            for figure in ("mean", "p99"))
    curves: List[Curve] = []
    for design, points in known.items():
        for number, (direction, rows) in enumerate(points.groupby("direction")):
            for dash, figure in enumerate(("mean", "p99")):
                curves.append(Curve(f"{design}: {direction} {figure}", rows["depth"].to_numpy(float),
                                    rows[f"{figure}_us"].to_numpy(float) / us,
                                    "both", HUES[design], number, 2 * number + dash,
                                    words=[f"{number_text(iops, 0)} requests/s" for iops in rows["iops"]]))
    axis = Axis("Queue depth", "requests in flight", log=True, ticks={float(depth): str(depth) for depth in DEPTHS})
    return _drawn("Latency over load", axis, Axis("Latency", unit, log=True), curves)


def _curves(runs: Mapping[str, Run], figure: str) -> List[Curve]:
    return [Curve(design, run.curve["drive_writes"].to_numpy(float), run.curve[figure].to_numpy(float), "line", HUES[design])
            for design, run in runs.items() if run.curve is not None]


def _drawn(title: str, x: Axis, y: Axis, marks: List[Any]) -> Spec:
    """The picture's one panel, as wide as its pane."""
    shown: List[Mark] = [mark for mark in marks if len(mark.x)]
    made = specification(Picture("explore", title, "", x, [Panel(y, shown)]))
    (panel,) = made.pop("vconcat")
    heading: Dict[str, Any] = {**made["title"], "fontSize": 13, "subtitle": panel["title"]["text"], "dx": 0}
    return {**made, **panel, "width": "container", "height": _HEIGHT, "title": heading,
            "autosize": {"type": "fit", "contains": "padding"}, "config": {**made["config"], "legend": {"disable": True}}}


def legend(spec: Spec) -> str:
    """HTML: the names of the curves, each behind a sample of its line or point. The drawing library's own legend shows
    either the symbol or the dash."""
    return " ".join(f"<span class='entry'><svg width='34' height='10' aria-hidden='true'>{_sample(colour, dash)}</svg>"
                    f" {html.escape(name)}</span>" for name, colour, dash in spec["usermeta"]["legend"])


def _sample(colour: str, dash: Optional[List[int]]) -> str:
    if dash is None:
        return f"<circle cx='17' cy='5' r='4.5' fill='{colour}'/>"
    dashes = " ".join(map(str, dash))
    return f"<line x1='1' y1='5' x2='33' y2='5' stroke='{colour}' stroke-width='2.5' stroke-dasharray='{dashes}'/>"
