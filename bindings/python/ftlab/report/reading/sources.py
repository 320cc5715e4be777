"""Recognises and reads each path that the user names."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, Dict, List, Sequence, Set, Union

import pandas as pd

from ftlab.errors import ConfigError, nearest_name
from ftlab.report import palette
from ftlab.report.reading.procedure import Procedure, read_procedure
from ftlab.report.reading.run import Run, is_figure_file, read_figures, read_fio_file, read_run_folder
from ftlab.report.reading.sweep_table import WA_KEYS, SweepTable, make_sweep_table, read_sweep_table
from ftlab.text_file import field, number_or_nan, read_json, read_table, read_text

KINDS = "results of fio and ftlab run, ftlab validate --json, ftlab wa --json, published figures"


@dataclasses.dataclass
class Sources:
    """All sources, in the order given. `answers`: rows of `ftlab wa`; `tables`: name -> sweep."""

    runs: List[Run] = dataclasses.field(default_factory=list)
    procedures: List[Procedure] = dataclasses.field(default_factory=list)
    boards: List[Board] = dataclasses.field(default_factory=list)
    answers: List[Dict[str, Any]] = dataclasses.field(default_factory=list)
    tables: Dict[str, pd.DataFrame] = dataclasses.field(default_factory=dict)
    sweeps: List[SweepTable] = dataclasses.field(default_factory=list)
    ordered: bool = False  # the runs differ by one number and stand in its order

    def hues(self) -> Dict[str, int]:
        """Colour index of each run and procedure, the same in every picture."""
        subjects: List[Union[Run, Procedure]] = [*self.runs, *self.procedures]
        count = len(subjects)
        return {subject.name: palette.ramp(n, count) if self.ordered else n for n, subject in enumerate(subjects)}

    def amplification(self) -> Dict[str, pd.DataFrame]:
        """Tables of write amplification by name; single `ftlab wa` results form one table."""
        of_answers = {"ftlab wa": pd.DataFrame(self.answers)} if self.answers else {}
        return {**self.tables, **of_answers}


def read_sources(paths: Sequence[Path], measured: Sequence[Path] = ()) -> Sources:
    """Raises ConfigError."""
    names = _Names([*paths, *measured])
    sources = Sources()
    for path in paths:
        _read_one(path, names.of(path), False, sources)
    for path in measured:
        before = len(sources.runs), len(sources.procedures)
        _read_one(path, names.of(path), True, sources)
        _refuse_simulated(path, [*sources.runs[before[0]:], *sources.procedures[before[1]:]])
    return sources


def _refuse_simulated(path: Path, read: Sequence[Union[Run, Procedure]]) -> None:
    """A simulated run would be called measured everywhere, and its own errors would vanish from the comparison."""
    if any(isinstance(one.ftlab.get("drive"), dict) for one in read):
        raise ConfigError("was simulated, and --measured is for results of a real device", file=str(path),
                          allowed="among the other DIRs, which compares the runs")


class _Names:
    """A short unique name for each path, with as many parent folders as needed."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._whole = {path: path.resolve() for path in paths}
        self._used: Set[str] = set()

    def of(self, path: Path) -> str:
        parts = self._whole[path].parts
        others = [other.parts for known, other in self._whole.items() if other != self._whole[path]]
        depth = 1
        while depth < len(parts) and any(other[-depth:] == parts[-depth:] for other in others):
            depth += 1
        name = "/".join(parts[-depth:])
        if name in self._used:
            raise ConfigError("is named twice", file=str(path))
        self._used.add(name)
        return name


def _read_one(path: Path, name: str, measured: bool, sources: Sources) -> None:
    if path.is_dir():
        _read_folder(path, name, measured, sources)
    elif path.suffix in (".csv", ".parquet"):
        _add_table(read_amplification_table(path), name, sources)
    else:
        _read_json(path, name, measured, sources)


def _read_folder(path: Path, name: str, measured: bool, sources: Sources) -> None:
    tables = sorted(path.glob("*.parquet"))
    if (path / "procedure.csv").is_file():
        sources.procedures.append(read_procedure(path, name, measured))
    elif (path / "sweep.sqlite").is_file():
        table = read_sweep_table(path, name)
        sources.sweeps.append(table)
        if len(table.over_spare()):
            sources.tables[name] = table.over_spare()
    elif len(tables) == 1:
        _add_table(read_amplification_table(tables[0]), name, sources)
    else:
        for part in _drives(path):
            sources.runs.append(read_run_folder(path / part, f"{name}/{part}" if part else name, measured))


def _drives(path: Path) -> List[str]:
    """Folders of the drives in the result of a run on several; one empty name for any other result."""
    result = path / "result.json"
    document = read_json(result) if result.is_file() else {}
    facts = document.get("ftlab") if isinstance(document, dict) else None
    drives = facts.get("drives") if isinstance(facts, dict) else None
    if drives is None:
        return [""]
    folders = [drive.get("folder") for drive in drives if isinstance(drive, dict)] if isinstance(drives, list) else []
    if not folders or not all(_is_part(path, folder) for folder in folders):
        raise ConfigError("does not name a folder with a result for each drive", file=str(result), key="ftlab.drives")
    return [str(folder) for folder in folders]


def _is_part(path: Path, folder: Any) -> bool:
    return isinstance(folder, str) and Path(folder).name == folder and (path / folder / "result.json").is_file()


def _add_table(table: pd.DataFrame, name: str, sources: Sources) -> None:
    sources.tables[name] = table
    sources.sweeps.append(make_sweep_table(table, [key for key in WA_KEYS if key in table], name))


def _read_json(path: Path, name: str, measured: bool, sources: Sources) -> None:
    document = read_json(path)
    if is_board(document):
        sources.boards.append(read_board(document, path, name))
    elif is_wa_answer(document):
        sources.answers.append(row_of_answer(document, path))
    elif is_figure_file(document):
        sources.runs.append(read_figures(path, name))
    elif isinstance(document, dict) and "jobs" in document:
        sources.runs.append(read_fio_file(path, name, measured))
    else:
        raise ConfigError("is not a result that a report can show", file=str(path), allowed=KINDS)


# The scoreboard: output of `ftlab validate --json`.

WORDS = ("review", "drive", "says", "published", "unit", "simulated", "believed")


@dataclasses.dataclass(frozen=True)
class Board:
    """`rows`: one row per statement, misses first, then in the order of the board. Columns: WORDS (text), `number` (from
    1), `holds` (bool), `error` (simulated / published - 1, NaN for an ordering or a shape)."""

    name: str
    rows: pd.DataFrame


def is_board(document: Any) -> bool:
    return isinstance(document, dict) and {"rows", "predicted"} <= set(document)


def read_board(document: Any, path: Path, name: str) -> Board:
    """Reads the document of a scoreboard. Raises ConfigError."""
    rows = [_row(row, path) for row in field(document, "rows", list, path)]
    table = pd.DataFrame(rows, columns=[*WORDS, "holds", "error"]).sort_values("holds", kind="stable", ignore_index=True)
    table.insert(0, "number", range(1, len(table) + 1))
    return Board(name, table)


def _row(row: Any, path: Path) -> Dict[str, Any]:
    if not isinstance(row, dict):
        raise ConfigError("is not an object", file=str(path), key="rows")
    return {**{word: str(row.get(word, "")) for word in WORDS}, "holds": field(row, "holds", bool, path),
            "error": number_or_nan(row.get("error"))}


# Tables of write amplification over spare space: from sweeps, and from results of `ftlab wa --json`.

REQUIRED = ("op", "wa")
# Column names in the frames of `ftlab.sweep` -> names used here.
NAMES = {"theory_wa": "theory", "wa_halfwidth95": "half_width"}
NUMBERS = ("op", "wa", "theory", "half_width", *NAMES)  # numeric columns of a CSV; the others are text


def is_wa_answer(document: Any) -> bool:
    return isinstance(document, dict) and "wa" in document and isinstance(document.get("question"), dict)


def row_of_answer(document: Dict[str, Any], path: Path) -> Dict[str, Any]:
    """One row with columns op, wa, half_width, theory, policy, workload. Raises ConfigError."""
    question = document["question"]
    try:
        op = float(question["op"])
    except (KeyError, TypeError, ValueError):
        raise ConfigError("is not a number", file=str(path), key="question.op") from None
    theory = document.get("theory") or {}
    return {"op": op, "wa": float(field(document, "wa", (int, float), path)),
            "half_width": number_or_nan(document.get("ci95")), "theory": number_or_nan(theory.get("wa")),
            "policy": _policy(question), "workload": str(question.get("workload", ""))}


def read_amplification_table(path: Path) -> pd.DataFrame:
    """A CSV or Parquet file with the columns op and wa. Raises ConfigError."""
    table = _read_parquet(path) if path.suffix == ".parquet" else _read_csv(path)
    check_amplification_table(table, str(path))
    return table


def check_amplification_table(table: pd.DataFrame, file: str = "") -> None:
    """Raises ConfigError if a required column is missing or has no positive number."""
    names: List[str] = [str(name) for name in table.columns]
    for name in REQUIRED:
        if name not in names:
            raise ConfigError("column is missing", file=file, key=name, nearest=nearest_name(name, names))
        if not pd.api.types.is_numeric_dtype(table[name]) or not (table[name] > 0).any():
            raise ConfigError("column holds no number above 0", file=file, key=name)


def _policy(question: Dict[str, Any]) -> str:
    policy = str(question.get("policy", ""))
    extra = {"d-choices": f", d = {question.get('d')}",
             "windowed-greedy": f", window {question.get('window')}"}
    return policy + extra.get(policy, "")


def _read_csv(path: Path) -> pd.DataFrame:
    names = read_text(path).split("\n", 1)[0].strip().split(",")
    return read_table(path, REQUIRED, words=[name for name in names if name not in NUMBERS])


def _read_parquet(path: Path) -> pd.DataFrame:
    try:
        return pd.read_parquet(path)
    except ImportError:
        raise ConfigError("needs pyarrow (pip install 'ftlab[sweep]')", file=str(path)) from None
    except Exception as error:  # pyarrow has no common exception class for invalid files
        raise ConfigError(f"is not a Parquet file: {error}", file=str(path)) from None
