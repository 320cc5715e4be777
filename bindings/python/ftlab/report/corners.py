"""A procedure with fresh and steady steps, as of `ftlab bench`: the corners of a drive and what became of them."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np
import pandas as pd

from ftlab.report import markup
from ftlab.report.picture import unit_of_points
from ftlab.report.headline import best_depth, figure_words, rate_words
from ftlab.report.reading.facts import Problem
from ftlab.report.reading.procedure import Procedure, points_of
from ftlab.report.reading.fio_json import words_of

FRESH, STEADY = "fresh", "steady"
LAST_PART = "last part"  # of the steps named steady, if one of them is not
SECTOR_BYTES = 512
Corner = Tuple[str, pd.DataFrame, pd.DataFrame]  # workload; its points on the fresh and on the steady drive
NOTE = ("Each at the queue depth that is fastest, or the least within 3 % of it; depth, WA and p99 are those of the column "
        "{column}. WA: at the end of the step.{unsteady}")
UNSTEADY = " ?: not steady, as {why}."
REMEDY = "run such a step longer, or with ftlab run --precondition steady"


def corners_of(procedure: Procedure) -> List[Corner]:
    """Pairs of groups named alike but for fresh and steady."""
    points = points_of(procedure)
    groups = {str(name): rows for name, rows in points[points["iops"] > 0].groupby("group", sort=False)}
    pairs = [(name, groups.get(name.replace(STEADY, FRESH, 1)), rows)
             for name, rows in groups.items() if name.startswith(STEADY)]
    return [(f"{name.rpartition(', ')[2]} {_size(rows)}", fresh, rows) for name, fresh, rows in pairs if fresh is not None]


def corners_words(procedure: Procedure, subject: str) -> str:
    """HTML: a sentence on steady against fresh, and a table of the corners; "" without such steps."""
    corners = corners_of(procedure)
    if not corners:
        return ""
    rows = [_row(procedure, *corner) for corner in corners]
    us, unit = unit_of_points([points_of(procedure)])
    kept = {kind: [100 * row["share"] for row in rows if bool(row["wa"] == row["wa"]) == (kind == "writes")]
            for kind in ("writes", "reads")}
    told = [" and ".join(f"{kind} keep <b>{_range(shares, 0)}\u00a0%</b>" for kind, shares in kept.items() if shares) +
            " of their fresh speed"]
    wa = [row["wa"] for row in rows if row["wa"] == row["wa"]]
    unsteady = ", <b>not steady</b>" if _not_steady(rows) else ""
    told += [f"WA at the end {_range(wa, 2)}{unsteady}"] if wa else []
    p99 = [(row["p99_us"] / us, row["workload"])
           for row in rows if row["p99_us"] == row["p99_us"] and "rand" in str(row["workload"])]
    told += [f"p99 of {', '.join(f'{name} {figure_words(value, unit)}' for value, name in p99)}"] if p99 else []
    return f'<p class="answer">{subject}: {"; ".join(told)}.</p>' + _table(rows, us, unit, _why(procedure))


def corners_problem(procedure: Procedure) -> Optional[Problem]:
    """The steps named steady that are not; None if there are none."""
    rows = [_row(procedure, *corner) for corner in corners_of(procedure)]
    names = _not_steady(rows)
    if not names:
        return None
    return Problem("not_steady", f"{', '.join(names)}: {_why(procedure)}; their figures are those of the last part", REMEDY)


def _not_steady(rows: List[Dict[str, Any]]) -> List[str]:
    return [str(row["workload"]) for row in rows if row["wa"] == row["wa"] and not row["is_steady"]]


def _row(procedure: Procedure, workload: str, fresh: pd.DataFrame, steady: pd.DataFrame) -> Dict[str, Any]:
    best, first = best_depth(steady), best_depth(fresh)
    depth = float(best["iodepth"])
    depth = depth if depth == depth else procedure.depths.get(str(best["name"]), np.nan)
    return {"workload": workload, "fresh": rate_words(first), "steady": rate_words(best),
            "share": float(best["iops"] / first["iops"]), "depth": depth, "wa": float(best.get("wa_at_end", np.nan)),
            "is_steady": best.get("steady_at_end") == 1, "p99_us": float(best.get("latency_us_p99", np.nan))}


def _table(rows: List[Dict[str, Any]], us: float, unit: str, why: str) -> str:
    frame = pd.DataFrame(rows)
    last = LAST_PART if _not_steady(rows) else STEADY
    shown = pd.DataFrame({"workload": frame["workload"], "fresh": frame["fresh"], last: frame["steady"],
                          f"{last} / fresh": [f"{100 * share:.0f} %" for share in frame["share"]],
                          "depth": [f"{depth:g}" if depth == depth else "" for depth in frame["depth"]],
                          "WA": [f"{wa:.2f}{'' if steady else ' ?'}" if wa == wa else ""
                                 for wa, steady in zip(frame["wa"], frame["is_steady"])],
                          f"p99, {last} ({unit})": [figure_words(value, "") if value == value else ""
                                                    for value in frame["p99_us"] / us]})
    shown = shown[[name for name in shown if shown[name].ne("").any()]]
    note = markup.text(NOTE.format(column=last, unsteady=UNSTEADY.format(why=why) if why else ""))
    return f'{markup.table(shown, matrix=True)}<p class="small">{note}</p>'


def _why(procedure: Procedure) -> str:
    """Why the first step with such a figure is not steady."""
    ends = [step.get("wa_at_end") or {}
            for step in procedure.document["steps"] if str(step.get("name", "")).startswith(STEADY)]
    return next((str(end["why_not_steady"]) for end in ends if isinstance(end, dict) and end.get("why_not_steady")), "")


def _size(rows: pd.DataFrame) -> str:
    """The size of the requests, from bytes and requests a second."""
    known = rows[rows["iops"] > 0]
    sizes = {int(round(mb * 1e6 / iops / SECTOR_BYTES)) * SECTOR_BYTES for mb, iops in zip(known["MB_per_s"], known["iops"])}
    return words_of(next(iter(sizes))) if len(sizes) == 1 else ""


def _range(values: List[float], decimals: int) -> str:
    low, high = f"{min(values):.{decimals}f}", f"{max(values):.{decimals}f}"
    return low if low == high else f"{low} to {high}"
