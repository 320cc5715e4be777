"""The sections of a report for which its sources have data.

A figure is a module of `ftlab.report.figures` with `SECTION`, its position there (`PLACE`) and `figures(sources)`, which
returns the pictures that the sources have data for. Sections missing from ORDER follow in alphabetical order.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from types import ModuleType
from typing import Dict, List, Sequence, Union

import pandas as pd

import ftlab.report.figures
from ftlab.report import drive_at_work, markup
from ftlab.report.agreement import against_words
from ftlab.report.markup import point_id
from ftlab.report.answer import in_short
from ftlab.report.best_point import best_point
from ftlab.report.corners import corners_words
from ftlab.report.headline import procedure_subject, procedure_words
from ftlab.report.head import drive_numbers, job_table, what_was_run
from ftlab.report.names import named_by_difference
from ftlab.report.picture import Picture
from ftlab.report.problems import problem_box
from ftlab.report.reading.procedure import Procedure
from ftlab.report.reading.run import Run
from ftlab.report.reading.sources import Sources
from ftlab.report.reading.sweep_table import SweepTable
from ftlab.report.selection import all_runs, pairs, without_partner

FEW_ROWS, FEW_DRIVES = 16, 2  # shown without a click
AGAINST, DESIGNS = "Simulated against measured", "Designs against each other"
ORDER = ("Spare space", DESIGNS, "Over time", "Latency", "Garbage collection", "Wear", "Steady state",
         "Over queue depth and block size", AGAINST, "Scoreboard")

LEADING = (AGAINST, "Over time", "Spare space", "Over queue depth and block size")  # the first picture leads the page


@dataclass(frozen=True)
class Section:
    """`before` and `after` are HTML around the pictures."""

    title: str
    pictures: Sequence[Picture] = ()
    before: str = ""
    after: str = ""
    heading: bool = True  # False: the section's contents have their own heading


def sections_of(sources: Sources) -> List[Section]:
    sources = named_by_difference(sources)
    compared = bool(pairs(sources.runs) or pairs(sources.procedures))
    order = [AGAINST, *(title for title in ORDER if title != AGAINST)] if compared else ORDER
    pictures: Dict[str, List[Picture]] = {title: [] for title in order}
    for figure in _figures():
        pictures.setdefault(figure.SECTION, []).extend(figure.figures(sources))
    after = {DESIGNS: "".join(_points_table(table, n) for n, table in enumerate(sources.sweeps)),
             "Scoreboard": "".join(_board_table(board.name, board.rows) for board in sources.boards)}
    before = {AGAINST: _unpaired(sources)}
    leads = [one for title in LEADING for one in pictures[title]][:1]
    answer = _answer(sources, leads, compared)
    pictures = {title: [one for one in found if all(one is not lead for lead in leads)] for title, found in pictures.items()}
    drawn = [Section(title, found, before.get(title, ""), after.get(title, "")) for title, found in pictures.items()]
    made = [Section("Problems", (), problem_box(sources)), answer, *drawn, _head(sources), _at_work(all_runs(sources))]
    return [section for section in made if section.pictures or section.before or section.after]


def _figures() -> List[ModuleType]:
    """The modules that draw figures, in page order. The folder also has helper modules."""
    path = ftlab.report.figures.__path__
    found = [importlib.import_module(f"ftlab.report.figures.{module.name}") for module in pkgutil.iter_modules(path)]
    return sorted((module for module in found if hasattr(module, "SECTION")),
                  key=lambda module: (module.SECTION, module.PLACE))


def _answer(sources: Sources, pictures: Sequence[Picture], compared: bool) -> Section:
    runs = [run for run in sources.runs if len(run.jobs) or run.series is not None]
    named = {run.name for run in runs}
    empty = [run.name for run in sources.runs if run.name not in named]
    without = f'<p class="small">No figures: {markup.text(", ".join(empty))}.</p>' if empty else ""
    best = "".join(best_point(table, number) for number, table in enumerate(sources.sweeps))
    before, after = in_short(runs, sources.hues(), compared) if runs else ("", "")
    shown = "".join(corners_words(one, procedure_subject(one)) or procedure_words(one) for one in sources.procedures)
    return Section("In short", pictures, against_words(sources) + before + shown + best, after + without)


def _unpaired(sources: Sources) -> str:
    names = [*without_partner(sources.runs), *without_partner(sources.procedures)]
    return f'<p class="small">Without a counterpart, and not compared: {markup.text(", ".join(names))}.</p>' if names else ""


def _head(sources: Sources) -> Section:
    subjects: List[Union[Run, Procedure]] = [*sources.runs, *sources.procedures]
    before = what_was_run(subjects) if subjects else ""
    jobs = job_table(sources.runs)
    after = _job_table(jobs) if len(jobs) else ""
    after += "".join(_procedure_tables(procedure) for procedure in sources.procedures)
    drives = [markup.details(f"All parameters of the drive: {name}", markup.table(drive))
              for name, drive in _drives(sources).items()]
    after += "".join(drives) if len(drives) <= FEW_DRIVES else markup.details(f"All parameters of the {len(drives)} drives",
                                                                              "".join(drives))
    return Section("Workload and drive", (), before, after)


def _job_table(jobs: pd.DataFrame) -> str:
    """Expanded if short. Columns with one value for several runs are a line above."""
    alike = [name for name in jobs if "run" in jobs and jobs[name].astype(str).nunique() == 1]
    folded = markup.same_for_all([(name, jobs[name].iloc[0]) for name in alike], len(jobs))
    caption = "Each job since its beginning. MB are 10⁶ bytes."
    table = folded + markup.table(jobs.drop(columns=alike), caption, matrix="run" in jobs, figures=3)
    return table if len(jobs) <= FEW_ROWS else markup.details(f"The {len(jobs)} jobs as a table", table)


def _procedure_tables(procedure: Procedure) -> str:
    report = procedure.document.get("report", {})
    header = pd.DataFrame([(k.replace("_", " "), str(v)) for k, v in report.items()],
                          columns=["field", "value"])
    return (markup.details(f"{procedure.name}: description of the procedure", markup.table(header))
            + markup.details(f"{procedure.name}: {len(procedure.rows)} runs",
                             markup.table(procedure.rows)))


def _drives(sources: Sources) -> Dict[str, pd.DataFrame]:
    """Each drive once, under the name of the first subject that used it."""
    known: Dict[str, pd.DataFrame] = {}
    subjects: List[Union[Run, Procedure]] = [*sources.runs, *sources.procedures]
    for subject in subjects:
        drive = subject.ftlab.get("drive")
        if isinstance(drive, dict):
            numbers = drive_numbers(drive)
            if not any(numbers.equals(other) for other in known.values()):
                known[f"{drive.get('name', '')} ({subject.name})"] = numbers
    return known


def _board_table(name: str, rows: pd.DataFrame) -> str:
    shown = rows.assign(verdict=rows["holds"].map({True: "holds", False: "MISSES"}),
                        error=(rows["error"] * 100).round(1))
    columns = {"number": "row", "verdict": "verdict", "review": "review", "drive": "drive", "says": "statement",
               "published": "published", "simulated": "simulated", "unit": "unit", "error": "error %",
               "believed": "presumed reason"}
    misses = int((~rows["holds"]).sum())
    return markup.table(shown[list(columns)].rename(columns=columns),
                        f"{name}: {misses} of {len(rows)} rows miss.", most=len(rows))


def _points_table(table: SweepTable, number: int) -> str:
    """The table that points in pictures link to."""
    shown = table.shown()
    ids = [point_id(number, row) for row in range(len(shown))]
    return markup.details(f"The {len(shown)} points of {table.name}",
                          markup.table(shown, most=len(shown), ids=ids, matrix=True, figures=3),
                          is_open=len(shown) <= FEW_ROWS)


def _at_work(runs: List[Run]) -> Section:
    """Animations of the drives whose block states were recorded."""
    views = "".join(drive_at_work.section(run.folder) for run in runs if drive_at_work.has_recording(run.folder))
    return Section("A drive at work", (), "", views, heading=False)
