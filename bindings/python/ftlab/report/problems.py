"""The box at the top of the page: problems that invalidate or weaken figures, and remedies."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

import numpy as np

from ftlab.report import markup
from ftlab.report.corners import corners_problem
from ftlab.report.ending import ending_of, last_phase_from
from ftlab.report.headline import settled_after, time_words
from ftlab.report.reading.facts import Problem
from ftlab.report.reading.run import Run
from ftlab.report.reading.fio_json import bytes_of
from ftlab.report.reading.sources import Sources
from ftlab.report.reading.sweep_table import SweepTable
from ftlab.report.selection import all_runs, pairs

SIZE_RATIO = 2.0  # runs whose address ranges differ by this factor or more are not comparable
MOST_DISTANCES = 4  # runs for which it is said how far they are from steady
POINT_REMEDY = "run such a point with ftlab run to see details"
Entry = Tuple[str, Problem]  # name of the subject, problem


def problem_box(sources: Sources) -> str:
    """Returns HTML, "" without problems. Each problem is listed once, with the names of all subjects that have it."""
    having: Dict[Problem, List[str]] = {}
    for name, problem in _entries(sources):
        having.setdefault(problem, []).append(name)
    items = "".join(_item(problem, names) for problem, names in having.items())
    return f'<ul class="problems">{items}</ul>' if items else ""


def _item(problem: Problem, names: List[str]) -> str:
    remedy = f' <span class="remedy">Remedy: {markup.text(problem.remedy)}</span>' if problem.remedy else ""
    whose = ", ".join(f"<b>{markup.text(name)}</b>" for name in dict.fromkeys(names))
    return f"<li>{whose}: <code>{markup.text(problem.code)}</code>: {markup.text(problem.text)}.{remedy}</li>"


def _entries(sources: Sources) -> Iterator[Entry]:
    runs = all_runs(sources)
    for run in runs:
        shown = run.problems if len(runs) > MOST_DISTANCES else [_with_distance(run, problem) for problem in run.problems]
        yield from ((run.name, problem) for problem in shown)
    for one, other in pairs(sources.runs):
        found = other_size(one, other)
        if found is not None:
            yield f"{one.name} against {other.name}", found
    for procedure in sources.procedures:
        unsteady = corners_problem(procedure)
        if unsteady is not None:
            yield procedure.name, unsteady
    for table in sources.sweeps:
        yield from ((table.name, problem) for problem in _of_points(table))


def _with_distance(run: Run, problem: Problem) -> Problem:
    """The problem of a run that is not steady, with what is missing."""
    far = how_far(run) if problem.code == "not_steady" else ""
    joined = problem.text + far if far.startswith("; ") else f"{problem.text}: {far}"
    return dataclasses.replace(problem, text=joined) if far else problem


def _of_points(table: SweepTable) -> List[Problem]:
    counts: Dict[str, int] = {}
    for codes in table.problems():
        for code in codes:
            counts[code] = counts.get(code, 0) + 1
    points = len(table.points)
    return [Problem(code, f"{count} of {points} points, see their table", POINT_REMEDY) for code, count in counts.items()]


def other_size(one: Run, other: Run) -> Optional[Problem]:
    """For two compared runs: address ranges of different size mean different loads."""
    sizes = [covered_bytes(run) for run in (one, other)]
    if not all(size > 0 for size in sizes) or max(sizes) < SIZE_RATIO * min(sizes):
        return None
    words = " and ".join(f"{run.name} {size / 1e9:.4g} GB" for run, size in zip((one, other), sizes))
    return Problem("other_size", f"the runs access ranges of different size: {words}",
                   "give both the same size= in bytes, or simulate a drive as large as the other")


def covered_bytes(run: Run) -> float:
    """The largest size= or filesize= of the run's jobs, else the size of its device; NaN if neither is known."""
    own = [bytes_of(value) for key, value in run.options.items() if key.endswith(("] size", "] filesize"))]
    device = run.ftlab.get("device") or {}
    of_device = device.get("size_bytes") or (device.get("device") or {}).get("size_bytes")
    whole = (run.ftlab.get("over_provisioning") or {}).get("user_bytes") or of_device
    known = [size for size in own if size == size]
    return max(known) if known else float(whole) if isinstance(whole, (int, float)) else float("nan")


# How far a run that is not steady is from what ftlab demands of a steady one (sim/stats/steady_watch.cpp): two drive writes
# before its second half, and one drive write in it.

BEFORE, WITHIN = 2.0, 1.0  # drive writes before the second half of a run, and in it


def how_far(run: Run) -> str:
    """`0.79 of 2 drive writes stood before its second half, and ...`; "" if nothing was written or sizes are unknown."""
    user = (run.ftlab.get("over_provisioning") or {}).get("user_bytes")
    if not user or run.series is None or "write_MB_per_s" not in run.series or len(run.series) < 2:
        return ""
    ends = run.series["t_s"].to_numpy(dtype=float)
    written = np.cumsum((run.series["write_MB_per_s"] * run.series["length_s"]).fillna(0).to_numpy(dtype=float)) * 1e6 / user
    earlier = float((run.ftlab.get("before") or {}).get("host_write_bytes") or 0) / user
    half = written[len(written) // 2 - 1]
    rate = _rate(run.ftlab) / user
    before, within = earlier + half, written[-1] - half
    if written[-1] <= 0 or (before >= BEFORE and within >= WITHIN):
        return _settled(run)
    words = f"{before:.2g} of {BEFORE:g} drive writes stood before its second half, {within:.2g} of {WITHIN:g} in it"
    return words + _needed(ends, written, earlier, rate) + _settled(run)


def _needed(ends: np.ndarray, written: np.ndarray, earlier: float, rate: float) -> str:
    """The length of a run that would do, at the rate at the end."""
    if rate <= 0:
        return ""
    wanted = max(BEFORE - earlier, 0.0)
    until = float(np.interp(wanted, written, ends)) if wanted <= written[-1] else ends[-1] + (wanted - written[-1]) / rate
    aged = " (less with --precondition, which counts)" if wanted > 0 else ""
    return f"; at the rate at the end, a run of {time_words(max(2 * until, 2 * WITHIN / rate))} would do{aged}"


def _rate(facts: Mapping[str, Any]) -> float:
    return float(((facts.get("rates_at_end") or {}).get("write") or {}).get("bytes_per_s") or 0)


def _settled(run: Run) -> str:
    """Since when throughput has hardly changed, though the run is not called steady."""
    ending = ending_of(run)
    after = None if ending is None else settled_after(run, ending, "write_MB_per_s")
    if after is None or after <= 0 or ending is None:
        return ""
    return f"; throughput has been within 15 % of its mean at the end from {time_words(after + last_phase_from(run))} on"
