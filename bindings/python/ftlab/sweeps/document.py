"""A JSON document with line numbers, like the simulator's own JSON (sim/config/document.h)."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import pathlib
import re
from typing import Any, Dict, List, Mapping, Tuple, Union

from ftlab.errors import ConfigError

Steps = Tuple[Union[str, int], ...]
_TEXT = r'"(?:\\.|[^"\\\n])*"'
_TEXT_OR_COMMENT = re.compile(_TEXT + r"|//[^\n]*|/\*.*?\*/", re.DOTALL)
_TOKEN = re.compile(_TEXT + r"|[{}\[\],:]|[^\s{}\[\],:\"]+")


@dataclasses.dataclass(frozen=True)
class Document:
    """value: as json parses it. file: for messages. lines: the line of every key and item, by its path."""

    value: Any
    file: str
    lines: Mapping[Steps, int] = dataclasses.field(default_factory=dict)

    def line(self, *steps: Union[str, int]) -> int:
        """Line of the innermost part of the path that has one; 0 if the line is unknown."""
        while steps and steps not in self.lines:
            steps = steps[:-1]
        return self.lines.get(steps, 0)

    @property
    def folder(self) -> pathlib.Path:
        """The folder that file names in the document are relative to."""
        return pathlib.Path(self.file).parent if self.lines else pathlib.Path()


def read_document(path: Union[str, "os.PathLike[str]"]) -> Document:
    """Reads a JSON file; // and /* */ comments are allowed.

    Raises ConfigError if the file is missing, not JSON, or has a key twice."""
    file = os.fspath(path)
    try:
        text = pathlib.Path(file).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise ConfigError("does not exist", file=file) from None
    except UnicodeDecodeError:
        raise ConfigError("is not UTF-8 text", file=file) from None
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", file=file) from None
    return parse_document(text, file)


def parse_document(text: str, file: str) -> Document:
    """Like read_document, for a text."""
    text = _TEXT_OR_COMMENT.sub(_blank_comment, text)
    try:
        value = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise ConfigError("is not JSON: " + error.msg, file=file, line=error.lineno) from None
    except RecursionError:
        raise ConfigError("is not JSON: too deeply nested", file=file) from None
    except ValueError as error:
        raise ConfigError("is not JSON: " + str(error), file=file) from None
    return Document(value, file, _lines(text, file))


def document_of(mapping: Mapping[str, Any], file: str) -> Document:
    """Converts a Python mapping to a document; NumPy numbers become plain ones. Raises ConfigError."""
    try:
        return Document(json.loads(json.dumps(mapping, allow_nan=False, default=lambda value: value.tolist())), file)
    except (AttributeError, TypeError, ValueError, RecursionError) as error:
        raise ConfigError("has what JSON has not", file=file, got=str(error)) from None


def _blank_comment(found: "re.Match[str]") -> str:
    whole = found.group()
    return whole if whole.startswith('"') else re.sub(r"[^\n]", " ", whole)


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is not a number")


def _finite(word: str) -> float:
    if math.isinf(float(word)):
        raise ValueError(f"{word} is larger than any number here")
    return float(word)


def _lines(text: str, file: str) -> Dict[Steps, int]:
    """Line numbers of valid JSON: walks its tokens and tracks the current key or index."""
    lines: Dict[Steps, int] = {}
    steps: List[Any] = []
    within: List[str] = []
    line, end, key_comes = 1, 0, False
    for found in _TOKEN.finditer(text):
        token = found.group()
        line += text.count("\n", end, found.start())
        end = found.start()
        if token in "}]":
            within.pop()
            steps.pop()
        elif token == ",":
            key_comes = within[-1] == "{"
            steps[-1] = steps[-1] if key_comes else steps[-1] + 1
        elif key_comes and token.startswith('"'):
            steps[-1], key_comes = json.loads(token), False
            if tuple(steps) in lines:
                raise ConfigError("stands here twice", file=file, line=line, key=steps[-1])
            lines[tuple(steps)] = line
        elif token != ":":
            lines.setdefault(tuple(steps), line)
            if token in "{[":
                within.append(token)
                steps.append(None if token == "{" else 0)
            key_comes = token == "{"
    return lines
