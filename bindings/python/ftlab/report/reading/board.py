"""The scoreboard: output of `ftlab validate --json`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict

import pandas as pd

from ftlab.errors import ConfigError
from ftlab.text_file import field, number_or_nan

WORDS = ("review", "drive", "says", "published", "unit", "simulated", "believed")


@dataclass(frozen=True)
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
