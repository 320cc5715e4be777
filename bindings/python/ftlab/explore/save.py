"""Saves what the page shows: result folders, drive files, commands, a report."""

from __future__ import annotations

import json
import pathlib
import shutil
import tempfile
from typing import Mapping

from ftlab.errors import ConfigError
from ftlab.explore.answers import SAVED, Load, Run, Wa, kept_in
from ftlab.explore.question import Question, command_line
from ftlab.report.command import report

COMMANDS, DRIVE, REPORT = "commands.txt", "drive.json", "report"


def save(folder: pathlib.Path, questions: Mapping[str, Question], was: Mapping[str, Wa], runs: Mapping[str, Run],
         loads: Mapping[str, Load]) -> pathlib.Path:
    """Writes a new folder, whole or not at all, and returns the page of its report.

    Raises ConfigError for a place that is taken and when there is nothing to save yet, OSError when the disk refuses.
    """
    if not str(folder) or folder.exists():
        raise ConfigError("must be a new folder", key="folder", got=str(folder))
    if not any(run.result is not None for run in runs.values()):
        raise ConfigError("there is no result to save yet")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as partial:
        made = pathlib.Path(partial) / folder.name
        made.mkdir()
        sources = []
        for letter, question in questions.items():
            sources += _save_design(made, letter, question, was.get(letter), runs.get(letter), loads.get(letter))
        report(sources, made / REPORT, title="ftlab explore: " + ", ".join(q.drive for q in questions.values()))
        made.rename(folder)
    return folder / REPORT / "index.html"


def _save_design(made: pathlib.Path, letter: str, question: Question, wa: "Wa | None", run: "Run | None",
                 load: "Load | None") -> "list[pathlib.Path]":
    """Returns the folders that the report is made of."""
    place, sources, lines = made / letter, [], []
    place.mkdir()
    (place / DRIVE).write_text(json.dumps(question.document(), indent=2) + "\n", encoding="utf-8")
    if wa is not None and wa.answer is not None:
        (place / "wa.json").write_text(json.dumps(wa.answer, indent=2) + "\n", encoding="utf-8")
        lines.append(command_line(wa.words))
    for name, answer in (("run", run), ("load", load)):
        if answer is not None and answer.folder is not None and (answer.folder / "result.json").is_file():
            shutil.copytree(answer.folder, place / name)
            lines.append(command_line(kept_in(answer.words, SAVED) if isinstance(answer, Run) else answer.words))
            sources.append(place / name)
    (place / COMMANDS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return sources
