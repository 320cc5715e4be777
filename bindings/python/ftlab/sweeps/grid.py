"""A grid describes what a sweep computes. This module reads it; nothing is resolved or checked against a drive here."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import os
import pathlib
import re
from typing import Any, Dict, Iterator, List, Mapping, Sequence, Tuple, Union

from ftlab import _core
from ftlab.errors import ConfigError, nearest_name
from ftlab.settings import MOST_SEED, share_word
from ftlab.text_file import read_text

# A JSON document with line numbers of its keys and items.

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


Choice = Dict[str, Any]
_FORMS = '{"KEY": [...]}, {"zip": {"KEY": [...], ...}} or {"list": [{...}, ...]}'


@dataclasses.dataclass(frozen=True)
class Axis:
    """choices: in grid order, all different."""

    choices: Tuple[Choice, ...]

    @property
    def keys(self) -> Tuple[str, ...]:
        """All keys that any choice sets, in order of appearance."""
        return tuple(dict.fromkeys(key for choice in self.choices for key in choice))


def product_of(axes: Sequence[Axis]) -> Iterator[Choice]:
    """All combinations of the axes' choices, with the last axis varying fastest."""
    for combination in itertools.product(*(axis.choices for axis in axes)):
        yield {key: value for choice in combination for key, value in choice.items()}


def read_axes(document: Document) -> Tuple[Axis, ...]:
    """Reads the grid's key `axes`. Raises ConfigError for invalid forms, and for a key on two axes."""
    written = document.value.get("axes", [])
    if not isinstance(written, list):
        raise _refused(document, ("axes",), "must be a list of axes", written, _FORMS)
    axes = tuple(Axis(tuple(_choices(document, i, axis))) for i, axis in enumerate(written))
    _refuse_shared_keys(document, axes)
    return axes


def _choices(document: Document, index: int, axis: Any) -> List[Choice]:
    steps = ("axes", index)
    if not isinstance(axis, dict) or len(axis) != 1:
        raise _refused(document, steps, "must be one of the forms of an axis", axis, _FORMS)
    (form, values), = axis.items()
    if form == "zip":
        choices = _zipped(document, steps, values)
    elif form == "list":
        choices = _listed(document, steps, values)
    else:
        choices = [{form: value} for value in _values(document, (*steps, form), values)]
    _refuse_equal(document, (*steps, form), choices)
    return choices


def _values(document: Document, steps: Sequence[Any], values: Any) -> List[Any]:
    if not isinstance(values, list) or not values:
        raise _refused(document, steps, "must be a list of one value or more", values)
    return values


def _zipped(document: Document, steps: Sequence[Any], columns: Any) -> List[Choice]:
    if not isinstance(columns, dict) or not columns:
        raise _refused(document, (*steps, "zip"), "must give a list to each of its keys", columns)
    lengths = {key: len(_values(document, (*steps, "zip", key), values)) for key, values in columns.items()}
    if len(set(lengths.values())) > 1:
        counts = ", ".join(f"{key}: {length}" for key, length in lengths.items())
        raise _refused(document, (*steps, "zip"), f"must give as many values to each of its keys, not {counts}")
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def _listed(document: Document, steps: Sequence[Any], points: Any) -> List[Choice]:
    for i, point in enumerate(_values(document, (*steps, "list"), points)):
        if not isinstance(point, dict) or not point:
            raise _refused(document, (*steps, "list", i), "must be a list of objects that give values to keys", point)
    return [dict(point) for point in points]


def _refuse_equal(document: Document, steps: Sequence[Any], choices: List[Choice]) -> None:
    seen = set()
    for i, choice in enumerate(choices):
        text = json.dumps(choice, sort_keys=True)
        if text in seen:
            value = json.dumps(next(iter(choice.values())) if len(choice) == 1 else choice)
            raise _refused(document, (*steps, i), "has a value twice", value)
        seen.add(text)


def _refuse_shared_keys(document: Document, axes: Sequence[Axis]) -> None:
    seen: "set[str]" = set()
    for i, axis in enumerate(axes):
        for key in axis.keys:
            if key in seen:
                raise _refused(document, ("axes", i, key), "is on two axes")
        seen.update(axis.keys)


def _refused(document: Document, steps: Sequence[Any], problem: str, got: Any = None, allowed: str = "",
             nearest: str = "") -> ConfigError:
    """An error about the value at this path; of an axis only the last key is named."""
    named = [step for step in steps if isinstance(step, str)]
    key = named[-1] if named[:1] == ["axes"] else ".".join(named)
    shown = "" if got is None else got if isinstance(got, str) else json.dumps(got)
    return ConfigError(problem, file=document.file, line=document.line(*steps), key=key, got=shown, allowed=allowed,
                       nearest=nearest)


GridLike = Union[str, "os.PathLike[str]", Mapping[str, Any]]
MOST_POINTS = 1_000_000
KEYS = {"wa": ("kind", "settings", "axes", "seeds"),
        "run": ("kind", "drive", "host", "job", "settings", "job_settings", "axes", "seeds", "age", "untimed",
                "until_steady")}
AGE_KEYS = ("job", "precondition", "settings", "job_settings", "untimed", "seed")
STATES = ("sequential", "random", "steady")  # of `ftlab run --precondition`
JOB_OPTION = "job:"  # prefix of axis keys that are job options


@dataclasses.dataclass(frozen=True)
class Age:
    """How a drive is aged before the points start: once; all points then start from that state. By a job, or by a state of
    `ftlab run --precondition`; the other of the two is empty."""

    job: str
    precondition: str
    settings: Mapping[str, Any]
    job_settings: Mapping[str, Any]
    untimed: bool
    seed: int


@dataclasses.dataclass(frozen=True)
class Grid:
    """kind: "run", a job on a drive, or "wa", as `ftlab wa`. until_steady: the share as a ratio. All other members as in
    the file (docs/guide.md)."""

    document: Document
    kind: str
    drive: str
    host: str
    job: str
    settings: Mapping[str, Any]
    job_settings: Mapping[str, Any]
    axes: Tuple[Axis, ...]
    seeds: Tuple[int, ...]
    age: Union[Age, None]
    untimed: bool
    until_steady: Union[float, None]

    @property
    def count(self) -> int:
        """Number of points: the product of the axes, times the seeds."""
        return math.prod(len(axis.choices) for axis in self.axes) * len(self.seeds)

    @property
    def keys(self) -> Tuple[str, ...]:
        """All keys that vary, in the order of the axes."""
        return tuple(key for axis in self.axes for key in axis.keys)

    def choices(self) -> Iterator[Choice]:
        """The points without their seeds."""
        return product_of(self.axes)


def read_grid(grid: GridLike) -> Grid:
    """Reads a grid file, or a mapping of the same format. Raises ConfigError."""
    document = document_of(grid, "grid") if isinstance(grid, Mapping) else read_document(grid)
    fields = _object(document, (), document.value)
    kind = fields.get("kind", "run")
    if kind not in tuple(KEYS):
        raise _refused(document, ("kind",), "is not a kind of sweep", kind, ", ".join(KEYS), nearest_name(str(kind), KEYS))
    _refuse_unknown(document, (), fields, KEYS[kind])
    read = Grid(document, kind, _name(document, fields, "drive"), _name(document, fields, "host"),
                _name(document, fields, "job"),
                _object(document, ("settings",), fields.get("settings", {})),
                _object(document, ("job_settings",), fields.get("job_settings", {})), read_axes(document),
                _seeds(document, fields.get("seeds", [1])), _age(document, fields.get("age")),
                _flag(document, ("untimed",), fields.get("untimed", False)), _until_steady(document, fields))
    _refuse_too_many(read)
    _refuse_said_twice(read)
    return read


def _object(document: Document, steps: Sequence[str], value: Any) -> Dict[str, Any]:
    if not isinstance(value, dict):
        raise _refused(document, steps, "must be an object", value)
    return value


def _refuse_unknown(document: Document, steps: Sequence[str], fields: Mapping[str, Any], known: Sequence[str]) -> None:
    for key in fields:
        if key not in known:
            raise _refused(document, (*steps, key), "is not a known key", None, ", ".join(known), nearest_name(key, known))


def _name(document: Document, fields: Mapping[str, Any], key: str) -> str:
    value = fields.get(key, "")
    if not isinstance(value, str) or (key in fields and not value):
        raise _refused(document, (key,), "must be the name of a file", value)
    return value


def _flag(document: Document, steps: Sequence[str], value: Any) -> bool:
    if not isinstance(value, bool):
        raise _refused(document, steps, "must be true or false", value)
    return value


def _until_steady(document: Document, fields: Mapping[str, Any]) -> Union[float, None]:
    value = fields.get("until_steady")
    if value is None:
        return None
    return _core.share(share_word("until_steady", value), True, document.file, document.line("until_steady"), "until_steady")


def _seed(document: Document, steps: Sequence[Union[str, int]], value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_SEED:
        raise _refused(document, steps, "is not a seed", value, f"0 to {MOST_SEED}")
    return value


def _seeds(document: Document, value: Any) -> Tuple[int, ...]:
    if isinstance(value, dict):
        _refuse_unknown(document, ("seeds",), value, ("first", "count"))
        count = value.get("count")
        if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MOST_POINTS:
            raise _refused(document, ("seeds", "count"), "is out of range", count, f"1 to {MOST_POINTS}")
        first = _seed(document, ("seeds", "first"), value.get("first", 1))
        _seed(document, ("seeds", "count"), first + count - 1)
        return tuple(range(first, first + count))
    if not isinstance(value, list) or not value:
        raise _refused(document, ("seeds",), "must be a list of seeds", value, '[1, 2, 3] or {"first": 1, "count": 3}')
    seeds = tuple(_seed(document, ("seeds", i), seed) for i, seed in enumerate(value))
    for i, seed in enumerate(seeds):
        if seed in seeds[:i]:
            raise _refused(document, ("seeds", i), "has a seed twice", seed)
    return seeds


def _age(document: Document, value: Any) -> Union[Age, None]:
    if value is None:
        return None
    fields = _object(document, ("age",), value)
    _refuse_unknown(document, ("age",), fields, AGE_KEYS)
    if ("job" in fields) == ("precondition" in fields):
        raise _refused(document, ("age",), "must have either a job or a precondition", value, "one of the two")
    job, state = fields.get("job", ""), fields.get("precondition", "")
    if "job" in fields and (not isinstance(job, str) or not job):
        raise _refused(document, ("age", "job"), "must be the name of a job file", job)
    if "precondition" in fields:
        for key in ("job_settings", "untimed"):
            if key in fields:
                raise _refused(document, ("age", key), "applies to a job, and the drive is preconditioned", fields[key])
        if state not in STATES:
            raise _refused(document, ("age", "precondition"), "is not a state that a drive is brought into", state,
                          ", ".join(STATES), nearest_name(str(state), STATES))
    return Age(job, state, _object(document, ("age", "settings"), fields.get("settings", {})),
               _object(document, ("age", "job_settings"), fields.get("job_settings", {})),
               _flag(document, ("age", "untimed"), fields.get("untimed", True)),
               _seed(document, ("age", "seed"), fields.get("seed", 1)))


def _refuse_too_many(grid: Grid) -> None:
    if grid.count <= MOST_POINTS:
        return
    factors = [f"{len(axis.choices)} ({' with '.join(axis.keys)})" for axis in grid.axes] + [f"{len(grid.seeds)} seeds"]
    raise _refused(grid.document, ("axes",), f"has too many points: {' x '.join(factors)} = {grid.count}", None,
                   f"at most {MOST_POINTS}")


def _refuse_said_twice(grid: Grid) -> None:
    for i, axis in enumerate(grid.axes):
        for key in axis.keys:
            elsewhere = _also_fixed(grid, key)
            if elsewhere:
                raise _refused(grid.document, ("axes", i, key), f"is on an axis and in {elsewhere}")
    if grid.kind == "run":
        for key in ("drive", "job"):
            if not getattr(grid, key) and key not in grid.keys:
                raise ConfigError("is missing: a sweep of runs needs one, for all points or on an axis",
                                  file=grid.document.file, key=key)


def _also_fixed(grid: Grid, key: str) -> str:
    if key in ("drive", "host", "job") and getattr(grid, key):
        return "the grid itself"
    if key.startswith(JOB_OPTION):
        return "job_settings" if key[len(JOB_OPTION):] in grid.job_settings else ""
    return "settings" if key in grid.settings else ""
