"""The axes of a sweep. Each is a list of choices; a choice sets one key or several."""

from __future__ import annotations

import dataclasses
import itertools
import json
from typing import Any, Dict, Iterator, List, Sequence, Tuple

from ftlab.errors import ConfigError
from ftlab.sweeps.document import Document

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
        raise ConfigError(f"must give as many values to each of its keys, not {counts}", file=document.file,
                          line=document.line(*steps, "zip"), key="zip")
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
                raise ConfigError("is on two axes", file=document.file, line=document.line("axes", i), key=key)
        seen.update(axis.keys)


def _refused(document: Document, steps: Sequence[Any], problem: str, got: Any, allowed: str = "") -> ConfigError:
    named = [step for step in steps if isinstance(step, str)]
    shown = got if isinstance(got, str) else json.dumps(got)
    return ConfigError(problem, file=document.file, line=document.line(*steps), key=named[-1], got=shown, allowed=allowed)
