"""The window in which a run or procedure was judged steady."""

from __future__ import annotations

from typing import Any, List, Mapping

import numpy as np
import pandas as pd

from ftlab.report.ending import why_never_steady
from ftlab.report.picture import Axis, Band, Curve, Mark, Panel, Picture, time_axis
from ftlab.report.figures.over_time import group_note, grouped, places
from ftlab.report.reading.run import Run
from ftlab.report.reading.sources import Sources
from ftlab.report.selection import titled

SECTION, PLACE = "Steady state", 1
RUN_CAPTION = (
    "Shaded: the second half of the run, in which steadiness is judged. Lines: its mean and the 95 % confidence interval. ")
ROUNDS_CAPTION = (
    "Shaded: the judged window. Lines: its average, the allowed range around it"
    " ({range} % in total), and the fitted straight line (at most {slope} % up or down). ")


def steady_run(series: pd.DataFrame, verdict: Mapping[str, Any], slug: str = "steady") -> Picture:
    """`series` with the columns t_s, *_iops, wa; `verdict`: `ftlab.until_steady` of result.json."""
    axis, seconds = time_axis([float(series["t_s"].max())])
    t = places(series, seconds)
    rates = [column for column in series if column.endswith("_iops")]
    iops = grouped(series[rates].sum(axis=1).to_numpy())
    window = (verdict["steady_from_s"] / seconds, verdict["at_s"] / seconds)
    panels = [Panel(Axis("Requests", "IOPS", from_zero=True, switch=True),
                    [Curve("requests", t, iops, style="line"), *_estimate(verdict.get("iops"), window)])]
    if "wa" in series and series["wa"].notna().any():
        wa = Curve("write amplification", t, grouped(series["wa"].to_numpy()), style="line", hue=1)
        panels.append(Panel(Axis("Write amplification", "ratio", from_zero=True, switch=True),
                            [wa, *_estimate(verdict.get("wa"), window)]))
    band = "judged steady" if verdict.get("reached") else "judged, not steady"
    return Picture(slug, f"Steady state: {_verdict(verdict)}", RUN_CAPTION + group_note({"": series}), axis, panels,
                   [Band(band, *window)])


def steady_rounds(rounds: Mapping[str, Any], slug: str = "rounds") -> Picture:
    """`rounds`: one entry of `rounds` in a procedure's result.json (SNIA's rule)."""
    values = np.array(rounds["values"], dtype=float)
    name, unit = _tracked(str(rounds.get("tracked", "")))
    marks: List[Mark] = [Curve("rounds", np.arange(1.0, len(values) + 1), values, style="both")]
    bands = []
    first, last = rounds.get("first_round_of_window", 0), rounds.get("last_round_of_window", 0)
    if first:
        marks += _judged(rounds, float(first), float(last))
        bands = [Band("window", first - 0.5, last + 0.5)]
    reached = "reached" if rounds.get("reached") else "not reached"
    rule = rounds.get("rule") or {}
    caption = ROUNDS_CAPTION.format(range=rule.get("range_percent", "?"),
                                    slope=rule.get("slope_percent", "?"))
    title = f"Steady state of rounds: {reached} after {len(values)}"
    x = Axis("Round", "number", ticks={float(n): str(n) for n in range(1, len(values) + 1)})
    return Picture(slug, title, caption, x, [Panel(Axis(name, unit, switch=True), marks)], bands)


def _own_verdict(run: Run) -> Mapping[str, Any]:
    """The verdict of --until-steady, overruled by a problem in NEVER_STEADY."""
    verdict: Mapping[str, Any] = run.ftlab["until_steady"]
    why = why_never_steady(run)
    return {**verdict, "reached": False, "why_not": why} if why and verdict.get("reached") else verdict


def _verdict(verdict: Mapping[str, Any]) -> str:
    """The verdict in words, with the means if steady."""
    means = [_mean_words(word, verdict.get(key)) for key, word in (("iops", "IOPS"), ("wa", "write amplification"))]
    told = "; ".join(word for word in means if word)
    if verdict.get("reached"):
        return f"reached at {verdict['at_s']:,.6g} s" + (f", {told}" if told else "")
    return "not reached" + (f", {verdict['why_not']}" if verdict.get("why_not") else "")


def _mean_words(word: str, estimate: "Mapping[str, Any] | None") -> str:
    if not estimate or not isinstance(estimate.get("mean"), (int, float)):
        return ""
    half = estimate.get("half_width_95")
    return f"{word} {estimate['mean']:,.4g}" + (f" ± {half:,.2g}" if isinstance(half, (int, float)) else "")


def _estimate(estimate: "Mapping[str, Any] | None", window: "tuple[float, float]") -> List[Mark]:
    if not estimate or not isinstance(estimate.get("mean"), (int, float)):
        return []
    x, mean, half = np.array(window), float(estimate["mean"]), estimate.get("half_width_95")
    marks: List[Mark] = [Curve("mean", x, np.full(2, mean), style="line", hue=7)]
    if isinstance(half, (int, float)):
        marks += [Curve("95 % confidence", np.array([*window, np.nan, *window]),
                        np.array([mean - half, mean - half, np.nan, mean + half, mean + half]), style="line", hue=7, dash=2)]
    return marks


def _judged(rounds: Mapping[str, Any], first: float, last: float) -> List[Mark]:
    x = np.array([first, last])
    average, slope = float(rounds["average"]), float(rounds["slope_per_round"])
    share = (rounds.get("rule") or {}).get("range_percent", 20) / 200
    middle = (first + last) / 2  # a least-squares line passes through the means of both axes
    low, high = average * (1 - share), average * (1 + share)
    return [Curve("average", x, np.full(2, average), style="line", hue=7),
            Curve("allowed range", np.array([first, last, np.nan, first, last]),
                  np.array([low, low, np.nan, high, high]), style="line", hue=7, dash=2),
            Curve("fitted line", x, average + slope * (x - middle), style="line", hue=1, dash=1)]


def _tracked(name: str) -> "tuple[str, str]":
    known = {"iops": ("Requests", "IOPS"), "mb_per_s": ("Throughput", "MB/s"),
             "latency_mean_ns": ("Mean latency", "ns")}
    return known.get(name, (name, ""))


def figures(sources: Sources) -> List[Picture]:
    pictures: List[Picture] = []
    for run in sources.runs:
        if run.series is not None and run.ftlab.get("until_steady"):
            pictures.append(titled(run.name, steady_run(run.series, _own_verdict(run), f"steady-{len(pictures) + 1}")))
    for procedure in sources.procedures:
        for rounds in procedure.rounds:
            pictures.append(titled(procedure.name, steady_rounds(rounds, f"steady-{len(pictures) + 1}")))
    return pictures
