"""The scoreboard: output of `ftlab validate --json`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict

import pandas as pd

from ftlab.errors import ConfigError
from ftlab.text_file import field, number_or_nan

WORDS = ("fact", "review", "drive", "kind", "says", "published", "unit", "simulated", "confidence",
         "believed")


@dataclass(frozen=True)
class Board:
    """`rows`: one row per statement, misses first, then in the order of the board. Columns: WORDS (text), `number` (from
    1), `holds`, `fitted` (bool), `error` (simulated / published - 1, NaN for an ordering or a shape), `published_number`
    (NaN unless a single number was published). `summary`: its other keys."""

    name: str
    rows: pd.DataFrame
    summary: Dict[str, Any]


def is_board(document: Any) -> bool:
    return isinstance(document, dict) and "rows" in document and "quantities" in document


def read_board(document: Any, path: Path, name: str) -> Board:
    """Reads the document of a scoreboard. Raises ConfigError."""
    rows = [_row(row, path) for row in field(document, "rows", list, path)]
    columns = [*WORDS, "holds", "fitted", "error", "published_number"]
    table = pd.DataFrame(rows, columns=columns).sort_values("holds", kind="stable", ignore_index=True)
    table.insert(0, "number", range(1, len(table) + 1))
    return Board(name, table, {key: value for key, value in document.items() if key != "rows"})


def _row(row: Any, path: Path) -> Dict[str, Any]:
    if not isinstance(row, dict):
        raise ConfigError("is not an object", file=str(path), key="rows")
    entry: Dict[str, Any] = {word: str(row.get(word, "")) for word in WORDS}
    entry["holds"] = field(row, "holds", bool, path)
    entry["fitted"] = row.get("fitted") is True
    entry["error"] = number_or_nan(row.get("error"))
    entry["published_number"] = _number(entry["published"])
    return entry


def _number(text: str) -> float:
    return float(text) if re.fullmatch(r"-?\d+(\.\d+)?", text) else float("nan")
