"""Reads untrusted files; errors name file and line."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any, List, NoReturn, Sequence

import numpy as np
import pandas as pd

from ftlab.errors import ConfigError, nearest_name


def read_text(path: Path) -> str:
    """Raises ConfigError if the file cannot be read or is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", file=str(path)) from None
    except UnicodeDecodeError as error:
        raise ConfigError("is not text in UTF-8", file=str(path),
                          got=repr(error.object[error.start])) from None


def read_json(path: Path) -> Any:
    """The JSON document in a file. Skips text before the first line that begins with { or [, where fio prints warnings.
    Raises ConfigError."""
    text = read_text(path)
    start = re.search(r"^\s*[{\[]", text, re.MULTILINE)
    skipped = start.start() if start else 0
    try:
        return json.loads(text[skipped:], parse_constant=_no_number)
    except json.JSONDecodeError as error:
        line = text.count("\n", 0, skipped) + error.lineno
        raise ConfigError(f"is not JSON: {error.msg}", file=str(path), line=line) from None
    except _NotANumber as error:
        raise ConfigError("is not JSON: not a number", file=str(path), got=str(error)) from None
    except RecursionError:
        raise ConfigError("is nested too deeply", file=str(path)) from None


def read_table(path: Path, required: Sequence[str], words: Sequence[str] = ()) -> pd.DataFrame:
    """A CSV with a header: columns in `words` are text, all others float64 with NaN for an empty cell.

    Raises ConfigError with the line: for missing or duplicate columns, rows of different length, and cells
    that are not finite numbers.
    """
    lines = read_text(path).splitlines()
    names = lines[0].split(",") if lines else []
    _check_header(path, names, required)
    _check_lengths(path, lines, len(names))
    table = pd.read_csv(io.StringIO("\n".join(lines)), dtype=str, keep_default_na=False, quoting=3)
    for name in names:
        if name not in words:
            table[name] = _numbers(path, name, table[name])
    return table


def field(document: Any, key: str, kind: "type | tuple[type, ...]", path: Path) -> Any:
    """`document[key]`, of the required type. Raises ConfigError."""
    if not isinstance(document, dict) or key not in document:
        raise ConfigError("is missing", file=str(path), key=key)
    value = document[key]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ConfigError("is of the wrong kind", file=str(path), key=key, got=shown(value))
    return value


def shown(value: Any) -> str:
    """A value of a document as error messages show it."""
    return json.dumps(value)[:200]


def number_or_nan(value: Any) -> float:
    """A number of a JSON document; NaN if it is null or missing."""
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else float("nan")


class _NotANumber(ValueError):
    pass


def _no_number(text: str) -> NoReturn:
    raise _NotANumber(text)


def _check_header(path: Path, names: List[str], required: Sequence[str]) -> None:
    for name in required:
        if name not in names:
            raise ConfigError("column is missing", file=str(path), line=1, key=name,
                              nearest=nearest_name(name, names))
    double = next((name for name in names if names.count(name) > 1), None)
    if double is not None:
        raise ConfigError("column occurs twice", file=str(path), line=1, key=double)


def _check_lengths(path: Path, lines: List[str], wanted: int) -> None:
    for number, line in enumerate(lines, 1):
        if line.count(",") + 1 != wanted:
            raise ConfigError(f"row length differs from the header ({wanted})", file=str(path),
                              line=number,
                              got=str(line.count(",") + 1))


def _numbers(path: Path, name: str, cells: "pd.Series[str]") -> np.ndarray:
    numbers = np.asarray(pd.to_numeric(cells.where(cells != "", None), errors="coerce"), dtype=float)
    bad = np.flatnonzero(~np.isfinite(numbers) & (cells != "").to_numpy())
    if len(bad):
        raise ConfigError("is not a number", file=str(path), line=int(bad[0]) + 2, key=name,
                          got=str(cells.iloc[int(bad[0])]), allowed="finite numbers, or an empty cell")
    return numbers
