"""One run of a job file on a device, simulated or measured."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, TypeVar

import pandas as pd

from ftlab import _core
from ftlab.errors import ConfigError
from ftlab.report.reading.facts import Problem, check_facts, problems_of
from ftlab.report.reading.fio_json import JOB_COLUMNS, FioJobs, read_fio, row_of, words_of
from ftlab.report.reading.series import read_series, series_of_logs, whole_intervals
from ftlab.text_file import read_text

@dataclass(frozen=True)
class Run:
    """`name`: in the report. `series` (whole intervals only), `jobs`, `latencies`: as in `series` and `fio_json`.
    `ftlab`: that key of result.json, empty for fio's own results. `folder` may contain more, such as blocks.json; for a
    single file it is that file."""

    name: str
    folder: Path
    measured: bool
    jobs: pd.DataFrame
    latencies: pd.DataFrame
    series: Optional[pd.DataFrame] = None
    ftlab: Dict[str, Any] = field(default_factory=dict)
    started_s: float = 0.0  # within its procedure
    notes: List[str] = field(default_factory=list)
    options: Dict[str, str] = field(default_factory=dict)  # options of its jobs, as `[job] option`
    problems: List[Problem] = field(default_factory=list)
    kept: Dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)  # by kept_with_run()

    def named(self, name: str) -> "Run":
        return dataclasses.replace(self, name=name)


Found = TypeVar("Found")


def kept_with_run(find: Callable[[Run], Found]) -> Callable[[Run], Found]:
    """Of a function of a run that many parts of a page ask: it is computed once for each run."""
    name = f"{find.__module__}.{find.__qualname__}"

    @functools.wraps(find)
    def found(run: Run) -> Found:
        if name not in run.kept:
            run.kept[name] = find(run)
        result: Found = run.kept[name]
        return result
    return found


def read_run_folder(folder: Path, name: str, measured: bool) -> Run:
    """Reads a folder of `ftlab run` or `ftlab-measure` (complete or not), or with a result and logs of fio.

    Raises ConfigError.
    """
    result = folder / "result.json"
    if result.is_file():
        run = read_fio_file(result, name, measured)
    elif (folder / "series.csv").is_file():
        run = _without_result(folder, name)
    else:
        run = _of_fio(folder, name, measured)
    table = folder / "series.csv"
    series = read_series(table) if table.is_file() else series_of_logs(folder)
    series = None if series is None else whole_intervals(series)
    notes = run.notes + _incomplete(folder)
    return dataclasses.replace(run, folder=folder, series=series, notes=notes)


def read_fio_file(path: Path, name: str, measured: bool) -> Run:
    """Reads a file with fio's JSON. Raises ConfigError."""
    read: FioJobs = read_fio(read_text(path), str(path))
    facts = check_facts(read.ftlab, path)
    notes = [f"job {label} ended with an error" for label in read.failed]
    notes += facts.get("notes") or []
    is_measured = measured or not facts or facts.get("kind") == "measured"
    run = Run(name, path, is_measured, read.jobs, read.latencies, ftlab=facts, notes=notes, options=read.options,
              problems=problems_of(facts))
    return _without_times(run) if facts.get("clock") == "untimed" else run


def _without_times(run: Run) -> Run:
    """Removes rates and latencies of an untimed run, where they are zeros."""
    timed = [column for column in run.jobs if column in ("iops", "MB_per_s") or column.startswith("latency_")]
    return dataclasses.replace(run, jobs=run.jobs.assign(**{column: float("nan") for column in timed}),
                               latencies=run.latencies.iloc[:0])


def _without_result(folder: Path, name: str) -> Run:
    """An incomplete measurement: an interrupted `ftlab-measure` leaves a series without a result."""
    return Run(name, folder, True, pd.DataFrame(columns=["job"]), pd.DataFrame(columns=["job"]))


def _of_fio(folder: Path, name: str, measured: bool) -> Run:
    results = sorted(folder.glob("*.json"))
    if len(results) > 1:
        raise ConfigError(
            "holds several JSON files and none of them is result.json: which belongs to the logs?",
            file=str(folder), got=", ".join(path.name for path in results))
    if results:
        return read_fio_file(results[0], name, measured)
    if not any(folder.glob("*.log")):
        raise ConfigError("is not a folder of results", file=str(folder),
                          allowed="result.json, procedure.csv, series.csv, or fio's JSON and logs")
    return Run(name, folder, True, pd.DataFrame(columns=["job"]), pd.DataFrame(columns=["job"]))


def _incomplete(folder: Path) -> List[str]:
    mark = folder / "INCOMPLETE"
    if not mark.is_file():
        return []
    why = mark.read_text(encoding="utf-8", errors="replace").strip()
    return ["the run was cut short" + (f": {why}" if why else "")]


# Published measurements in the format of `validation/measured` (see its README).

def is_figure_file(document: Any) -> bool:
    return isinstance(document, dict) and "what" in document and ("points" in document
                                                                  or "minute" in document)


def read_figures(path: Path, name: str) -> Run:
    """Points become jobs; curves with one value per minute become a series. Raises ConfigError."""
    figures = _core.figures(read_text(path), str(path))
    jobs = pd.DataFrame([_row(point) for point in figures["points"]], columns=JOB_COLUMNS)
    bins = pd.DataFrame({"job": [], "direction": [], "latency_ns": [], "count": []})
    notes = [f"{figures['what']}; {figures['source']}"]
    return Run(name, path, True, jobs, bins, series=_series(figures["curves"]), notes=notes)


def _row(point: Dict[str, Any]) -> Dict[str, Any]:
    row = row_of(point["direction"], point)
    return {"job": f"{row['rw']}, {words_of(row['bs'])}, depth {row['iodepth']:g}, {row['numjobs']:g} jobs", **row}


def _series(curves: List[Dict[str, Any]]) -> Optional[pd.DataFrame]:
    if not curves:
        return None
    rates = {f"{curve['direction']}_iops": curve["iops"] for curve in curves}
    return pd.DataFrame({"t_s": curves[0]["end_s"], "length_s": 60.0, **rates})
