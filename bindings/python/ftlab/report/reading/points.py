"""Points over queue depth and block size, of procedures, of runs of several jobs and of sweeps."""

from __future__ import annotations

from typing import Dict, List, Mapping, Sequence

import numpy as np
import pandas as pd

from ftlab.report.reading.procedure import points_of
from ftlab.report.reading.fio_json import words_of
from ftlab.report.reading.sources import Sources

MOST_PANELS, MOST_DEPTHS = 8, 12  # of bars over the depth
Points = Dict[str, pd.DataFrame]  # name of a source -> points


def points_in(sources: Sources, column: str) -> Points:
    """The points of every source that has a curve over the column."""
    points = {p.name: points_of(p) for p in sources.procedures if len(p.rows)}
    points.update({run.name: points_of_jobs(run.jobs) for run in sources.runs if len(run.jobs) > 1})
    points.update({table.name: _of_directions(table.over_depth()) for table in sources.sweeps if table.over_depth()})
    return {name: table for name, table in points.items() if varies(table, column)}


def _of_directions(found: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The points of all directions, which are named if there are several."""
    named = [points.assign(group=points["group"].map(lambda group, of=direction: f"{group}, {of}" if group else of))
             for direction, points in found.items()]
    return pd.concat(named, ignore_index=True) if len(found) > 1 else next(iter(found.values()))


def varies(points: pd.DataFrame, column: str) -> bool:
    """True if any curve over this column would have at least two points."""
    known, other = _known(points, column)
    return bool((known.groupby(["group", known[other].fillna(-1)])[column].nunique() > 1).any())


def workloads_of(points: pd.DataFrame, x: str) -> "List[tuple[str, pd.DataFrame]]":
    """The name of each workload with two values of x or more, and its points."""
    other = "bs" if x == "iodepth" else "iodepth"
    return [(", ".join(word for word in (str(group), _fixed_words(points, other, fixed)) if word), rows)
            for (group, fixed), rows in _curves_of(points, x) if len(rows) > 1]


def few_enough(points: Points) -> bool:
    """True if bars over the depth are readable: one source, up to MOST_PANELS workloads and MOST_DEPTHS depths."""
    found = [rows for table in points.values() for _, rows in workloads_of(table, "iodepth")]
    depths = {depth for rows in found for depth in rows["iodepth"]}
    return len(points) == 1 and len(found) <= MOST_PANELS and len(depths) <= MOST_DEPTHS


def points_of_jobs(jobs: pd.DataFrame) -> pd.DataFrame:
    """The jobs of a run as points; jobs of one kind (rw, direction, number of jobs) form a group."""
    kind = jobs["rw"] + np.where(jobs["rw"].isin(["randrw", "rw", "readwrite"]), ", " + jobs["direction"], "")
    clones = jobs["numjobs"].map(lambda n: "" if n == 1 else f", {n:g} jobs")
    return jobs.assign(group=kind + clones)


def _curves_of(points: pd.DataFrame, x: str) -> "List[tuple[tuple[object, float], pd.DataFrame]]":
    """The points of each group and other parameter (block size or depth), one per x in ascending order; replicates are
    averaged."""
    known, other = _known(points, x)
    known = known.assign(fixed=known[other].fillna(-1))
    figures = [c for c in ("iops", "MB_per_s", "latency_us_mean") if c in known]
    return [(key, rows.groupby(x, as_index=False)[figures].mean())
            for key, rows in known.groupby(["group", "fixed"], sort=False)]


def _known(points: pd.DataFrame, x: str) -> "tuple[pd.DataFrame, str]":
    """The points that have x, and the name of the other parameter."""
    return points[points[x] > 0], "bs" if x == "iodepth" else "iodepth"


def _fixed_words(table: pd.DataFrame, other: str, fixed: float) -> str:
    if fixed < 0 or table[other].nunique() < 2:
        return ""
    return words_of(fixed) if other == "bs" else f"depth {fixed:g}"


# Which workloads two results have in common.

WORKLOAD = ["rw", "direction", "bs", "iodepth", "numjobs"]


def match_points(simulated: pd.DataFrame, measured: pd.DataFrame,
                 keys: Sequence[str] = WORKLOAD) -> pd.DataFrame:
    """Rows of both frames that agree in `keys`, with columns of both, suffixed _simulated and _measured. Rows that occur
    twice in one frame are also matched by the job's name, and dropped if that is ambiguous."""
    if simulated.duplicated(keys).any() or measured.duplicated(keys).any():
        keys = [*keys, "job"] if "job" in simulated and "job" in measured else keys
    once = [frame[~frame.duplicated(keys, keep=False)] for frame in (simulated, measured)]
    return once[0].merge(once[1], on=list(keys), suffixes=("_simulated", "_measured"))
