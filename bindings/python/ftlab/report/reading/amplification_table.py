"""Tables of write amplification over spare space: from sweeps, and from results of `ftlab wa --json`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List

import pandas as pd

from ftlab.errors import ConfigError, nearest_name
from ftlab.text_file import field, number_or_nan, read_table, read_text

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
