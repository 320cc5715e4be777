"""Which sections a report has: those that its sources have data for."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Sequence, Tuple, TypeVar, Union

import pandas as pd

from ftlab.report import markup
from ftlab.report.figures.against import against_over_time, against_points, match_points
from ftlab.report.figures.amplification import amplification_over_spare, amplification_parts, by_workload
from ftlab.report.figures.blame import latency_blame
from ftlab.report.figures.collection import collection_over_time
from ftlab.report.figures.erases import erase_histogram
from ftlab.report.head import drive_numbers, job_table, what_was_run
from ftlab.report.figures.latencies import latencies_over_time
from ftlab.report.figures.nines import nines
from ftlab.report.figures.over_time import Frames, directions_of, has_column
from ftlab.report.picture import Picture
from ftlab.report.figures.point_curves import curves_over_block_size, curves_over_depth, points_of_jobs, varies
from ftlab.report.figures.power import power_over_time
from ftlab.report.reading.procedure import Procedure, points_of
from ftlab.report.figures.rates import rates_over_time
from ftlab.report.reading.run import Run
from ftlab.report.figures.scoreboard import scoreboard
from ftlab.report.reading.series import whole_intervals
from ftlab.report.reading.sources import Sources
from ftlab.report.figures.steady import steady_rounds, steady_run

Subject = TypeVar("Subject", Run, Procedure)
FEW_JOBS = 16
MOST_RUNS = 8  # that are laid over one another in one picture


@dataclass(frozen=True)
class Section:
    """`before` and `after` are HTML around the pictures."""

    title: str
    pictures: Sequence[Picture] = ()
    before: str = ""
    after: str = ""
    heading: bool = True  # False: what stands in it brings its own


def sections_of(sources: Sources) -> List[Section]:
    runs = [*sources.runs, *(step for p in sources.procedures for step in _steps(p))]
    made = [_head(sources), _speed(sources), _tails(runs), _collection(sources), _wear(runs),
            _steady(sources),
            _curves(sources), _spare(sources), _against(sources), _board(sources), _at_work(runs)]
    return [section for section in made if section.pictures or section.before or section.after]


def _head(sources: Sources) -> Section:
    subjects: List[Union[Run, Procedure]] = [*sources.runs, *sources.procedures]
    before = what_was_run(subjects) if subjects else ""
    jobs = job_table(sources.runs)
    after = _job_table(jobs) if len(jobs) else ""
    after += "".join(_procedure_tables(procedure) for procedure in sources.procedures)
    for name, drive in _drives(sources).items():
        after += markup.details(f"Every number of the drive: {name}", markup.table(drive))
    return Section("What was run", (), before, after)


def _job_table(jobs: pd.DataFrame) -> str:
    """Open where it is short."""
    table = markup.table(jobs, "Jobs. MB are 10⁶ bytes.")
    return table if len(jobs) <= FEW_JOBS else markup.details(f"The {len(jobs)} jobs as a table", table)


def _procedure_tables(procedure: Procedure) -> str:
    report = procedure.document.get("report", {})
    header = pd.DataFrame([(k.replace("_", " "), str(v)) for k, v in report.items()],
                          columns=["field", "value"])
    return (markup.details(f"{procedure.name}: what the procedure says of itself", markup.table(header))
            + markup.details(f"{procedure.name}: its {len(procedure.rows)} measured runs",
                             markup.table(procedure.rows)))


def _drives(sources: Sources) -> Dict[str, pd.DataFrame]:
    """Each drive once, by the name of the first that ran it."""
    known: Dict[str, pd.DataFrame] = {}
    subjects: List[Union[Run, Procedure]] = [*sources.runs, *sources.procedures]
    for subject in subjects:
        drive = subject.ftlab.get("drive")
        if isinstance(drive, dict):
            numbers = drive_numbers(drive)
            if not any(numbers.equals(other) for other in known.values()):
                known[f"{drive.get('name', '')} ({subject.name})"] = numbers
    return known


def _speed(sources: Sources) -> Section:
    frames = _series(sources)
    pictures = [rates_over_time(frames)] if directions_of(frames) else []
    latency = [c for frame in frames.values() for c in frame if c.startswith("latency_")]
    if has_column(frames, latency):
        pictures.append(latencies_over_time(frames))
    if has_column(frames, ["power_w"]):
        pictures.append(power_over_time(frames))
    return Section("Over time", [_told(picture, sources) for picture in pictures])


def _tails(runs: List[Run]) -> Section:
    bins = {run.name: run.latencies for run in runs if len(run.latencies)}
    pictures = [_few(nines, bins)] if bins else []
    parts = {run.name: run.ftlab["latency_parts_ns"] for run in runs if any(_parts_ns(run).values())}
    if parts:
        requests = {run.name: int(run.jobs["requests"].sum()) for run in runs if run.name in parts}
        pictures.append(latency_blame(parts, requests))
    return Section("Latency", pictures)


def _collection(sources: Sources) -> Section:
    frames = {n: f for n, f in _series(sources).items()
              if has_column({n: f}, ["block_erases", "relocated_pages"])}
    return Section("Garbage collection", [_told(collection_over_time(frames), sources)] if frames else [])


def _wear(runs: List[Run]) -> Section:
    wa = {run.name: run.ftlab["wa"] for run in runs if (run.ftlab.get("wa") or {}).get("total")}
    pictures = [amplification_parts(wa)] if wa else []
    bins = {run.name: run.ftlab["erases"]["histogram"] for run in runs
            if (run.ftlab.get("erases") or {}).get("histogram")}
    if bins:
        pictures.append(_few(erase_histogram, bins))
    return Section("Wear", pictures)


def _steady(sources: Sources) -> Section:
    pictures: List[Picture] = []
    for run in sources.runs:
        if run.series is not None and run.ftlab.get("until_steady"):
            pictures.append(_of(run.name, steady_run(run.series, run.ftlab["until_steady"],
                                                     f"steady-{len(pictures) + 1}")))
    for procedure in sources.procedures:
        for rounds in procedure.rounds:
            pictures.append(_of(procedure.name, steady_rounds(rounds, f"steady-{len(pictures) + 1}")))
    return Section("Steady state", pictures)


def _curves(sources: Sources) -> Section:
    points = {p.name: points_of(p) for p in sources.procedures if len(p.rows)}
    points.update({run.name: points_of_jobs(run.jobs) for run in sources.runs if len(run.jobs) > 1})
    pictures = []
    for column, draw in (("iodepth", curves_over_depth), ("bs", curves_over_block_size)):
        varying = {name: table for name, table in points.items() if varies(table, column)}
        pictures += [draw(varying)] if varying else []
    return Section("Over queue depth and block size", pictures)


def _spare(sources: Sources) -> Section:
    """A picture for each workload and kind of frontiers, in which policies are compared."""
    pictures: List[Picture] = []
    for name, table in sources.amplification().items():
        for kind, rows in by_workload(table):
            drawn = amplification_over_spare(rows, f"spare-{len(pictures) + 1}")
            pictures.append(_of(f"{name}, {kind}" if kind else name, drawn))
    return Section("Spare space", pictures)


def _against(sources: Sources) -> Section:
    pictures: List[Picture] = []
    for one, other in _pairs(sources.runs):
        title = f"{one.name} against {other.name}"
        if one.series is not None and other.series is not None:
            pictures.append(against_over_time(one.series, other.series, f"against-{len(pictures) + 1}",
                                              f"{title}, over time"))
        if len(one.jobs) and len(other.jobs) and len(match_points(one.jobs, other.jobs)):
            pictures.append(against_points(one.jobs, other.jobs, f"against-{len(pictures) + 1}",
                                           f"{title}, by job"))
    for ours, real in _pairs(sources.procedures):
        keys = ["name", *(v for v in ours.variables if v in real.variables)]
        mine, theirs = points_of(ours), points_of(real)
        if len(match_points(mine, theirs, keys)):
            pictures.append(against_points(mine, theirs, f"against-{len(pictures) + 1}",
                                           f"{ours.name} against {real.name}, by point", keys))
    return Section("Simulated against measured", pictures)


def _pairs(subjects: Sequence[Subject]) -> List[Tuple[Subject, Subject]]:
    """The n-th simulated beside the n-th measured."""
    return list(zip([s for s in subjects if not s.measured], [s for s in subjects if s.measured]))


def _board(sources: Sources) -> Section:
    pictures, after = [], ""
    for number, board in enumerate(sources.boards, 1):
        rows = board.rows
        if (rows["error"].notna() & (rows["error"] > -1)).any():
            pictures.append(_of(board.name,
                                dataclasses.replace(scoreboard(rows), slug=f"scoreboard-{number}")))
        after += _board_table(board.name, rows)
    return Section("Scoreboard", pictures, "", after)


def _board_table(name: str, rows: pd.DataFrame) -> str:
    shown = rows.assign(verdict=rows["holds"].map({True: "holds", False: "MISSES"}),
                        error=(rows["error"] * 100).round(1))
    columns = {"number": "row", "verdict": "verdict", "review": "review", "drive": "drive", "says": "says",
               "published": "published", "simulated": "simulated", "unit": "unit", "error": "error %",
               "believed": "why, it is believed"}
    misses = int((~rows["holds"]).sum())
    return markup.table(shown[list(columns)].rename(columns=columns),
                        f"{name}: {misses} of {len(rows)} rows miss.",
                        most=len(rows))


def _at_work(runs: List[Run]) -> Section:
    """The animated view of drives whose blocks were recorded."""
    recorded = [run for run in runs if (run.folder / "blocks.json").is_file()]
    if not recorded or importlib.util.find_spec("ftlab.report.drive_at_work") is None:
        return Section("A drive at work")
    drive_at_work = importlib.import_module("ftlab.report.drive_at_work")
    views = "".join(drive_at_work.section(run.folder) for run in recorded)
    return Section("A drive at work", (), "", views, heading=False)


def _series(sources: Sources) -> Frames:
    """Of runs, and of procedures that of all their kept steps, one after another with a gap between."""
    frames = {run.name: whole_intervals(run.series) for run in sources.runs if run.series is not None
              and len(run.series)}
    for procedure in sources.procedures:
        steps = [_at_its_time(step) for step in procedure.steps if step.series is not None
                 and len(step.series)]
        if steps:
            frames[procedure.name] = pd.concat(steps, ignore_index=True)
    return dict(list(frames.items())[:MOST_RUNS])


def _at_its_time(step: Run) -> pd.DataFrame:
    assert step.series is not None
    series = whole_intervals(step.series)
    return pd.concat([pd.DataFrame({"t_s": [step.started_s]}),
                      series.assign(t_s=series["t_s"] + step.started_s)])


def _told(picture: Picture, sources: Sources) -> Picture:
    """What a reader must know of the frames: those left out, and procedures whose runs were not all kept."""
    caption = picture.caption + " Intervals shorter than a tenth of the usual one are left out."
    if sources.procedures:
        caption += " Of procedures the runs whose files were kept, at their time in the procedure."
    with_series = [run for run in sources.runs if run.series is not None]
    if len(with_series) + len(sources.procedures) > MOST_RUNS:
        caption += f" The first {MOST_RUNS} are drawn."
    return dataclasses.replace(picture, caption=caption)


def _few(draw: Callable[[Dict[str, Any]], Picture], of_runs: Dict[str, Any]) -> Picture:
    picture = draw(dict(list(of_runs.items())[:MOST_RUNS]))
    if len(of_runs) <= MOST_RUNS:
        return picture
    return dataclasses.replace(picture,
                               caption=f"{picture.caption} The first {MOST_RUNS} of {len(of_runs)} runs.")


def _of(name: str, picture: Picture) -> Picture:
    return dataclasses.replace(picture, title=f"{name}: {picture.title}")


def _steps(procedure: Procedure) -> List[Run]:
    """Those that the procedure measured; preconditioning has no row in its table."""
    folders = set(procedure.rows["folder"]) if "folder" in procedure.rows else set()
    return [step.named(f"{procedure.name}/{step.name}") for step in procedure.steps if step.name in folders]


def _parts_ns(run: Run) -> Dict[str, int]:
    return run.ftlab.get("latency_parts_ns") or {}
