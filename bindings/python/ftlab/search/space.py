"""The space of a design search: for each key of a drive, a list of values or a range."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Dict, List, Mapping, Union

from ftlab.errors import ConfigError, nearest_name

_RANGE_KEYS = ("from", "to", "step", "log")


@dataclasses.dataclass(frozen=True)
class Listed:
    """One of the values, as in a grid: any JSON value."""

    values: List[Any]

    def suggest(self, trial: Any, key: str) -> Any:
        """Optuna stores texts, so values are chosen as JSON."""
        return json.loads(trial.suggest_categorical(key, [json.dumps(value) for value in self.values]))


@dataclasses.dataclass(frozen=True)
class Range:
    """Whole or real numbers, including both ends."""

    first: Union[int, float]
    last: Union[int, float]
    step: Union[int, float, None]
    log: bool

    def suggest(self, trial: Any, key: str) -> Union[int, float]:
        """Returns a whole number if both ends are whole."""
        if isinstance(self.first, int) and isinstance(self.last, int):
            return int(trial.suggest_int(key, self.first, self.last, step=self.step or 1, log=self.log))
        return float(trial.suggest_float(key, self.first, self.last, step=self.step, log=self.log))


Space = Dict[str, Union[Listed, Range]]


def read_space(written: Mapping[str, Any]) -> Space:
    """{"ftl.gc.policy": ["greedy", "fifo"], "user_sectors": {"from": 1000, "to": 2000, "step": 100}}. Raises ConfigError."""
    if not isinstance(written, Mapping) or not written:
        raise ConfigError("must give choices to one key or more", key="space", got=repr(written))
    return {key: _choices(key, value) for key, value in written.items()}


def _choices(key: str, value: Any) -> Union[Listed, Range]:
    if isinstance(value, list) and value:
        return Listed(value)
    if not isinstance(value, Mapping):
        raise ConfigError("must be a list of values or a range", key=key, got=repr(value),
                          allowed='[...] or {"from": A, "to": B, "step": S, "log": true}')
    for name in value:
        if name not in _RANGE_KEYS:
            raise ConfigError("is not a known key of a range", key=f"{key}.{name}", allowed=", ".join(_RANGE_KEYS),
                              nearest=nearest_name(name, _RANGE_KEYS))
    return _range(key, value)


def _range(key: str, value: Mapping[str, Any]) -> Range:
    read = Range(value.get("from", 0), value.get("to", 0), value.get("step"), bool(value.get("log", False)))
    numbers = [read.first, read.last] + ([] if read.step is None else [read.step])
    plain = all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in numbers)
    if not plain or not read.first < read.last or (read.step is not None and (read.step <= 0 or read.log)):
        raise ConfigError("is not a range", key=key, got=json.dumps(dict(value), default=repr),
                          allowed="from < to; step > 0, not with log")
    if read.log and read.first <= 0:
        raise ConfigError("is not a range of positive numbers, as a logarithm needs", key=key, got=json.dumps(dict(value)),
                          allowed="from > 0")
    return read
