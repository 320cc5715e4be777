"""A JSON document with line numbers of its keys and items."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
from typing import Any, Dict, List, Mapping, Tuple, Union

from ftlab import _core
from ftlab.errors import ConfigError
from ftlab.text_file import read_text

Steps = Tuple[Union[str, int], ...]
_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/|[{}\[\],:]|[^\s{}\[\],:"/]+', re.DOTALL)


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
    return parse_document(read_text(path), os.fspath(path))


def parse_document(text: str, file: str) -> Document:
    """Like read_document, for a text."""
    return Document(_core.json(text, file), file, _lines(text))


def document_of(mapping: Mapping[str, Any], file: str) -> Document:
    """Converts a Python mapping to a document; NumPy numbers become plain ones. Raises ConfigError."""
    try:
        return Document(json.loads(json.dumps(mapping, allow_nan=False, default=lambda value: value.tolist())), file)
    except (AttributeError, TypeError, ValueError, RecursionError) as error:
        raise ConfigError("has what JSON has not", file=file, got=str(error)) from None


def _lines(text: str) -> Dict[Steps, int]:
    """Line numbers of valid JSON: walks its tokens and tracks the current key or index."""
    lines: Dict[Steps, int] = {}
    steps: List[Any] = []
    within: List[str] = []
    line, end, key_comes = 1, 0, False
    for found in _TOKEN.finditer(text):
        token = found.group()
        line += text.count("\n", end, found.start())
        end = found.start()
        if token.startswith("/"):
            continue
        if token in "}]":
            within.pop()
            steps.pop()
        elif token == ",":
            key_comes = within[-1] == "{"
            steps[-1] = steps[-1] if key_comes else steps[-1] + 1
        elif key_comes and token.startswith('"'):
            steps[-1], key_comes = json.loads(token), False
            lines[tuple(steps)] = line
        elif token != ":":
            lines.setdefault(tuple(steps), line)
            if token in "{[":
                within.append(token)
                steps.append(None if token == "{" else 0)
            key_comes = token == "{"
    return lines
