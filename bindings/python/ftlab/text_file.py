"""Reads untrusted files; errors name file and line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Sequence

from ftlab import _core
from ftlab.errors import ConfigError

if TYPE_CHECKING:
    import pandas as pd  # at run time where a table is made: it takes half a second


def read_text(path: "str | os.PathLike[str]") -> str:
    """Raises ConfigError if the file cannot be read or is not UTF-8."""
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise ConfigError("does not exist", file=os.fspath(path)) from None
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", file=os.fspath(path)) from None
    except UnicodeDecodeError as error:
        raise ConfigError("is not text in UTF-8", file=os.fspath(path), got=repr(error.object[error.start])) from None


def read_json(path: Path) -> Any:
    """The JSON document in a file, without the notes that fio prints before it. Raises ConfigError."""
    return _core.json(read_text(path), str(path))


def read_table(path: Path, required: Sequence[str], words: Sequence[str] = ()) -> pd.DataFrame:
    """A CSV with a header: columns in `words` are text, all others float64 with NaN for an empty cell.

    Raises ConfigError with the line.
    """
    import pandas as pd
    return pd.DataFrame(_core.table(read_text(path), str(path), list(required), list(words)))


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
