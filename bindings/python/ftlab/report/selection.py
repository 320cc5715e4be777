"""Selects the sources that a figure draws, and the words that explain the selection."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Dict, Iterable, List, Sequence, Tuple, TypeVar

import pandas as pd

from ftlab.report.picture import Picture
from ftlab.report.reading.procedure import Procedure
from ftlab.report.reading.run import Run
from ftlab.report.reading.sources import Sources

RunOrProcedure = TypeVar("RunOrProcedure", Run, Procedure)
MOST_RUNS = 24  # drawn in one picture


def all_runs(sources: Sources) -> List[Run]:
    """Single runs, and the measured steps of procedures; not preconditioning, which is not in their table."""
    return [*sources.runs, *(step for procedure in sources.procedures for step in _steps(procedure))]


def frames(sources: Sources) -> Dict[str, pd.DataFrame]:
    """The first MOST_RUNS of `all_frames`."""
    return dict(list(all_frames(sources).items())[:MOST_RUNS])


def all_frames(sources: Sources) -> Dict[str, pd.DataFrame]:
    """The series of runs and procedures; that of a procedure joins its kept steps, with gaps between them."""
    found = {run.name: run.series for run in sources.runs if run.series is not None
             and len(run.series)}
    for procedure in sources.procedures:
        steps = [_at_its_time(step) for step in procedure.steps if step.series is not None
                 and len(step.series)]
        if steps:
            found[procedure.name] = pd.concat(steps, ignore_index=True)
    return found


def left_out(names: Iterable[str]) -> str:
    """The part of a caption that names runs left out of a picture."""
    every = list(names)
    if len(every) <= MOST_RUNS:
        return ""
    return f" The first {MOST_RUNS} of {len(every)} are drawn; left out: {', '.join(every[MOST_RUNS:])}."


def pairs(subjects: Sequence[RunOrProcedure]) -> List[Tuple[RunOrProcedure, RunOrProcedure]]:
    """The n-th simulated subject with the n-th measured one."""
    return list(zip([s for s in subjects if not s.measured], [s for s in subjects if s.measured]))


def without_partner(subjects: Sequence[RunOrProcedure]) -> List[str]:
    """The subjects that `pairs` leaves out; empty if there is no pair."""
    found = pairs(subjects)
    paired = {subject.name for pair in found for subject in pair}
    return [subject.name for subject in subjects if subject.name not in paired] if found else []


def with_notes(picture: Picture, sources: Sources) -> Picture:
    """Adds notes on omitted intervals and runs to the caption of a picture of `frames`."""
    caption = picture.caption + " Intervals shorter than half the median are left out."
    if sources.procedures:
        caption += " Procedures: runs whose files were kept, at their time in the procedure."
    return dataclasses.replace(picture, caption=caption + left_out(all_frames(sources)))


def first_runs(draw: Callable[[Dict[str, Any]], Picture], of_runs: Dict[str, Any]) -> Picture:
    picture = draw(dict(list(of_runs.items())[:MOST_RUNS]))
    return dataclasses.replace(picture, caption=picture.caption + left_out(of_runs))


def titled(name: str, picture: Picture) -> Picture:
    return dataclasses.replace(picture, title=f"{name}: {picture.title}")


def _steps(procedure: Procedure) -> List[Run]:
    folders = set(procedure.rows["folder"]) if "folder" in procedure.rows else set()
    return [step.named(f"{procedure.name}/{step.name}") for step in procedure.steps if step.name in folders]


def _at_its_time(step: Run) -> pd.DataFrame:
    assert step.series is not None
    return pd.concat([pd.DataFrame({"t_s": [step.started_s]}),
                      step.series.assign(t_s=step.series["t_s"] + step.started_s)])
