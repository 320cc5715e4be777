"""A procedure: a sequence of runs, and a table with one row per measured run."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np
import pandas as pd

from ftlab.errors import ConfigError
from ftlab.report.reading.facts import check_facts, check_rounds
from ftlab.report.reading.run import Run, read_run_folder
from ftlab.report.reading.fio_json import bytes_of
from ftlab.text_file import field, read_json, read_table, read_text

BEFORE_VARIABLES = ("step", "folder", "name", "round")
FIGURES = ("started_s", "measured_s", "iops", "MB_per_s", "read_iops", "write_iops", "latency_us_mean", "latency_us_p99",
           "latency_us_p99.9", "latency_us_max", "wa", "wa_at_end", "steady_at_end", "power_w")


@dataclass(frozen=True)
class Procedure:
    """`rows`: procedure.csv, its variables (`variables`) as text and everything else as numbers. `steps`: runs whose
    files were kept. `document`: result.json. `options`: fio option -> the variable that sets it. `depths`: name of a step ->
    the iodepth that its lines state as a number."""

    name: str
    folder: Path
    measured: bool
    rows: pd.DataFrame
    variables: List[str]
    document: Dict[str, Any]
    steps: List[Run]
    options: Dict[str, str]
    depths: Dict[str, float] = dataclasses.field(default_factory=dict)

    @property
    def ftlab(self) -> Dict[str, Any]:
        return dict(self.document["ftlab"])

    @property
    def rounds(self) -> List[Dict[str, Any]]:
        return list(self.document["rounds"])

    @property
    def notes(self) -> List[str]:
        return [str(note) for note in self.document["notes"]]

    def named(self, name: str) -> "Procedure":
        return dataclasses.replace(self, name=name)


def read_procedure(folder: Path, name: str, measured: bool) -> Procedure:
    """Reads the folder of a procedure. Raises ConfigError."""
    rows, variables = _read_rows(folder / "procedure.csv")
    document = read_json(folder / "result.json")
    steps = _check_document(document, folder / "result.json")
    is_measured = measured or document["ftlab"].get("kind") == "measured"
    kept = [_read_step(folder, step, is_measured) for step in steps if step.get("folder")]
    path = folder / "procedure.json"
    given = read_json(path) if path.is_file() else {}
    return Procedure(name, folder, is_measured, rows, variables, document, kept, _options_given(given), _depths_given(given))


def points_of(procedure: Procedure) -> pd.DataFrame:
    """The rows as points of curves: columns of `rows` plus iodepth and bs (bytes), NaN if no variable sets them, and
    `group`: the values of the other varying variables. Rounds are averaged over the judged window, or over all rounds if
    there is none."""
    rows = _of_window(procedure)
    points = rows.assign(iodepth=_option(procedure, rows, "iodepth"), bs=_option(procedure, rows, "bs"))
    taken = {procedure.options.get("iodepth"), procedure.options.get("bs")}
    others = [v for v in procedure.variables if v not in taken and rows[v].nunique() > 1]
    points["group"] = [_group(row, others, rows["name"].nunique() > 1) for _, row in rows.iterrows()]
    return points


def _check_document(document: Any, path: Path) -> List[Dict[str, Any]]:
    """Returns the steps. Raises ConfigError if parts that a report shows are not in the right format."""
    steps: List[Dict[str, Any]] = field(document, "steps", list, path)
    if not all(isinstance(step, dict) for step in steps):
        raise ConfigError("is not a list of objects", file=str(path), key="steps")
    document["ftlab"] = check_facts(document.get("ftlab", {}), path)
    check_rounds(document.setdefault("rounds", []), path)
    for key, kind in (("report", dict), ("notes", list)):
        field(document, key, kind, path) if key in document else document.setdefault(key, kind())
    return steps


def _read_rows(path: Path) -> "tuple[pd.DataFrame, List[str]]":
    header = read_text(path).split("\n", 1)[0].strip().split(",")
    variables = [name for name in header if name not in BEFORE_VARIABLES + FIGURES]
    rows = read_table(path, ("step", "name", "iops", "MB_per_s", "latency_us_mean"),
                      words=[*variables, "name", "folder"])
    return rows, variables


def _read_step(folder: Path, step: Dict[str, Any], measured: bool) -> Run:
    path = folder / "result.json"
    name = str(step["folder"])
    if Path(name).name != name or name in (".", ".."):
        raise ConfigError("is not a folder next to it", file=str(path), key="steps.folder", got=name)
    run = read_run_folder(folder / name, name, measured)
    return dataclasses.replace(run, started_s=float(field(step, "started_s", (int, float), path)))


def _options_given(document: Any) -> Dict[str, str]:
    """The variables that set iodepth and bs: from the job lines, or by their usual names if the jobs are in separate
    files."""
    known = document.get("variables") if isinstance(document, dict) else None
    text = " ".join(lines for _, lines in _jobs(document))
    given = {}
    for option, names in (("iodepth", ("iodepth", "depth", "queue_depth")),
                          ("bs", ("bs", "blocksize", "block"))):
        found = re.search(rf"\b(?:{'|'.join(names)})=\$\{{(\w+)\}}(?:\s|$)", text)
        usual = next((name for name in names if isinstance(known, dict) and name in known), None)
        if found or usual:
            given[option] = found.group(1) if found else str(usual)
    return given


def _depths_given(document: Any) -> Dict[str, float]:
    depths = {name: re.search(r"\biodepth=(\d+)(?:\s|$)", text) for name, text in _jobs(document)}
    return {name: float(found.group(1)) for name, found in depths.items() if found and name}


def _jobs(document: Any) -> Iterator[Tuple[str, str]]:
    """Name and lines of every job in the document, in order."""
    lines = document.get("lines") if isinstance(document, dict) else None
    if isinstance(lines, list):
        yield str(document.get("name", "")), " ".join(line for line in lines if isinstance(line, str))
    inner = document.values() if isinstance(document, dict) else document if isinstance(document, list) else ()
    for value in inner:
        yield from _jobs(value)


def _option(procedure: Procedure, rows: pd.DataFrame, option: str) -> np.ndarray:
    variable = procedure.options.get(option)
    if variable not in rows.columns:
        return np.full(len(rows), np.nan)
    return np.array([bytes_of(text) for text in rows[variable]], dtype=float)


def _of_window(procedure: Procedure) -> pd.DataFrame:
    rows = procedure.rows
    if "round" not in rows or rows["round"].isna().all():
        return rows
    window = _judged_window(procedure)
    chosen = rows if window is None else rows[rows["round"].between(*window)]
    figures = [name for name in FIGURES if name in rows and name != "started_s"]
    keys = ["name", *procedure.variables]
    return chosen.groupby(keys, sort=False, as_index=False)[figures].mean()


def _judged_window(procedure: Procedure) -> "Optional[tuple[float, float]]":
    for rounds in procedure.rounds:
        if rounds.get("first_round_of_window"):
            return float(rounds["first_round_of_window"]), float(rounds["last_round_of_window"])
    return None


def _group(row: pd.Series, others: List[str], tell_name: bool) -> str:
    words = [str(row["name"])] if tell_name else []
    given = [(name, str(row[name])) for name in others if str(row[name]) not in ("", "nan")]
    # a word tells what it is
    words += [value if value.isalpha() else f"{name.replace('_', ' ')} {value}" for name, value in given]
    return ", ".join(words)
