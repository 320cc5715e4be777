"""The figures of a point: numbers and words with units in their names, the headline first, independent of the machine."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Dict, List

from ftlab.problem import sentence
from ftlab.result import DIRECTIONS, Estimate, Result

Figures = Dict[str, Any]
# From the key `ftlab` of result.json: group, key, name of the figure.
_OF_THE_DRIVE = (("over_provisioning", "nominal", "over_provisioning"),
                 ("over_provisioning", "effective_spare", "effective_spare"),
                 ("health", "user_bytes", "user_bytes"), ("health", "flash_bytes", "flash_bytes"),
                 ("mapping", "ram_bytes", "mapping_ram_bytes"),
                 ("traffic", "host_write_bytes", "host_write_bytes"),
                 ("traffic", "media_write_bytes", "media_write_bytes"),
                 ("traffic", "relocated_pages", "relocated_pages"), ("traffic", "block_erases", "block_erases"),
                 ("traffic", "mapping_hits", "mapping_hits"), ("traffic", "mapping_misses", "mapping_misses"),
                 ("traffic", "suspensions", "suspensions"), ("traffic", "array_reads", "array_reads"),
                 ("traffic", "buffered_reads", "buffered_reads"),
                 ("traffic", "array_programs", "array_programs"), ("traffic", "array_erases", "array_erases"))
_NOT_OF_A_JOB = ("job", "direction")
_DRIFTING = {"code": "not_steady", "text": "the batches still drift: the warm-up was too short", "remedy": ""}
PROBLEMS, NOTES = "problems", "notes"


def wa_figures(answer: Dict[str, Any]) -> Figures:
    """Figures of ftlab.wa: wa, wa_halfwidth95 (within the run), theory_wa and deviation (missing without a formula) ..."""
    problems = {PROBLEMS: [dict(_DRIFTING)]} if answer["drifting"] else {}
    return _finite({"wa": answer["wa"], "wa_halfwidth95": answer["ci95"], "theory_wa": answer["theory"]["wa"],
                    "theory_kind": answer["theory"].get("kind"), "deviation": answer.get("deviation"),
                    "batches": answer["batches"], "drifting": answer["drifting"], "mapped_share": answer["mapped_share"],
                    "erases": answer["erases"], "host_writes": answer["simulator"]["host_writes"], **problems})


def run_figures(result: Result, folder: str = "") -> Figures:
    """Figures of a run in this order: the result of --until-steady; wa_at_end, iops_at_end, write_latency_us_p99_at_end; wa
    since the beginning and its parts; drive facts and counters; per job and direction write_iops, write_latency_us_p99 ...,
    with several jobs such as `log:write_iops`. problems and notes are lists; a note that is a problem is only there. folder:
    removed from notes."""
    summary = result.json["ftlab"]
    row = _steady(summary.get("until_steady", {}))
    rates = summary.get("rates_at_end") or {}
    row.update({**_at_end(result.wa_at_end), **_rates_at_end(rates), **_p99_at_end(result, rates)})
    row.update({"wa": result.wa, "signature": summary["signature"], "simulated_s": summary["simulated_s"],
                "failed_requests": result.failed_requests})
    row.update({f"wa_{part}": value for part, value in summary["wa"].items() if part != "total"})
    row.update({name: summary[group][key] for group, key, name in _OF_THE_DRIVE if key in summary.get(group, {})})
    row.update({name: ns for name, ns in summary.get("traffic", {}).items() if name.startswith("die_")})
    jobs = result.jobs.to_dict("records")
    several = len({job["job"] for job in jobs}) > 1
    for job in jobs:
        front = (f"{job['job']}:" if several else "") + job["direction"]
        row.update({f"{front}_{name}": value for name, value in job.items() if name not in _NOT_OF_A_JOB})
    row[PROBLEMS] = result.problems
    notes = [note for note in result.notes if not any(problem["text"] in note for problem in result.problems)]
    row[NOTES] = [note.replace(f"{folder}/", "") if folder else note for note in notes]
    return _finite(row)


def shown(figures: Figures) -> Figures:
    """A row of plain values: problem codes as one text, and notes as one text; both empty if there are none."""
    row = dict(figures)
    if PROBLEMS in row:
        row[PROBLEMS] = ";".join(problem["code"] for problem in row[PROBLEMS])
    if NOTES in row:
        row[NOTES] = " | ".join(row[NOTES])
    return row


def _at_end(wa: Estimate) -> Figures:
    """Empty for a disk and for a run without writes."""
    if math.isnan(wa):
        return {}
    return {"wa_at_end": float(wa), "wa_at_end_halfwidth95": wa.half_width, "wa_at_end_steady": wa.steady}


def _rates_at_end(rates: Dict[str, Any]) -> Figures:
    """Rates over the same part of the run; empty for an untimed run."""
    row = {"iops_at_end": rates.get("iops"), "iops_at_end_halfwidth95": rates.get("iops_half_width_95")}
    row.update({f"{direction}_iops_at_end": rates[direction]["iops"] for direction in DIRECTIONS if direction in rates})
    return row if rates else {}


def _p99_at_end(result: Result, rates: Dict[str, Any]) -> Figures:
    """Mean of the intervals' 99th percentiles over the same part of the run, weighted by requests; as in reports."""
    series = result.series
    if "from_s" not in rates or series.empty:
        return {}
    ends, begins = series["t_s"], series["t_s"] - series["length_s"]
    part = series[(begins >= rates["from_s"] - 1e-9) & (ends <= rates["to_s"] + 1e-9)]
    row = {}
    for direction in (one for one in DIRECTIONS if one in rates and f"latency_{one}_us_p99" in part):
        p99 = part[f"latency_{direction}_us_p99"].clip(upper=part[f"latency_{direction}_us_max"])  # edges of bins lie above
        requests = (part[f"{direction}_iops"] * part["length_s"]).where(p99.notna(), 0.0)
        if requests.sum() > 0:
            row[f"{direction}_latency_us_p99_at_end"] = float((p99 * requests).sum() / requests.sum())
    return row


def _steady(summary: Dict[str, Any]) -> Figures:
    """Figures of a run until steady state: whether it was reached, and the means since then with their 95 % half-widths."""
    row = {**_mean(summary, "wa"), "steady_reached": summary.get("reached"), **_mean(summary, "iops"),
           "steady_from_s": summary.get("steady_from_s"), "steady_from_bytes": summary.get("steady_from_bytes")}
    return row if summary else {}


def _mean(summary: Dict[str, Any], name: str) -> Figures:
    estimate = summary.get(name)
    return {f"steady_{name}": estimate["mean"], f"steady_{name}_halfwidth95": estimate["half_width_95"]} if estimate else {}


def _finite(row: Figures) -> Figures:
    """Values that are not finite (such as 0 / 0) become None."""
    return {name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in row.items()}


# The display of a sweep on a terminal and in a notebook: the first rows, the headline, and its problems.

if TYPE_CHECKING:
    import pandas as pd  # at run time where a table is made: it takes half a second

MOST_ROWS, _MOST_FIGURES = 20, 6
_MOST_LISTED = 10
_NOT_SHOWN = (PROBLEMS, NOTES, "signature")  # among the first figures


def table_of(frame: pd.DataFrame) -> pd.DataFrame:
    """The first rows: what varies, the first figures, and problem codes if there are any."""
    if frame.empty:
        return frame
    shown = frame.drop(columns="address")
    first = list(shown.columns[:shown.columns.get_loc("seed") + 1])
    figures = [name for name in shown.columns[len(first):] if name not in _NOT_SHOWN][:_MOST_FIGURES]
    codes = [PROBLEMS] if PROBLEMS in shown and shown[PROBLEMS].fillna("").any() else []
    return shown[[*first, *figures, *codes]].head(MOST_ROWS)


def told(problems: pd.DataFrame) -> List[str]:
    """One line per problem with the number of points that have it, limited in number."""
    lines = [f"{sentence(points.iloc[0])} ({len(points)} {'point' if len(points) == 1 else 'points'})"
             for _, points in problems.groupby(["code", "text"], sort=False)]
    return lines[:_MOST_LISTED] + ([f"and {len(lines) - _MOST_LISTED} more"] if len(lines) > _MOST_LISTED else [])


def noted(frame: pd.DataFrame) -> List[str]:
    """The distinct notes of all points, limited in number."""
    texts = frame[NOTES].dropna() if NOTES in frame else []
    notes = list(dict.fromkeys(note for text in texts for note in text.split(" | ") if note))
    more = [f"and {len(notes) - _MOST_LISTED} more"] if len(notes) > _MOST_LISTED else []
    return notes[:_MOST_LISTED] + more
