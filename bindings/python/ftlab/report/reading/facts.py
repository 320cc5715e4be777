"""The key `ftlab` of a result: the simulator's additions to fio's format, checked before use."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List

from ftlab.errors import ConfigError
from ftlab.problem import failed_checks_of, problems_of as named_problems_of
from ftlab.text_file import shown

NEVER_STEADY = ("unwritten_reads", "not_steady", "window_below_superblock")  # such runs are not called steady
FAILED_CHECK = "failed_check"
CHECK_REMEDY = "do not use these figures; report the run as a fault of ftlab"


@dataclass(frozen=True)
class Problem:
    """`code`: as in docs/figures.md. `text`: one sentence. `remedy`: what the user can do, "" if nothing helps."""

    code: str
    text: str
    remedy: str = ""


def problems_of(facts: Dict[str, Any]) -> List[Problem]:
    """`facts`: the checked key `ftlab`. Failed checks come first."""
    failed = [Problem(FAILED_CHECK, text, CHECK_REMEDY) for text in failed_checks_of(facts)]
    return failed + [Problem(**one) for one in named_problems_of(facts)]


def check_facts(facts: Any, path: Path) -> Dict[str, Any]:
    """The key `ftlab` of the result `path`. Raises ConfigError if a part that a report shows does not have the format of
    this version."""
    _demand(facts, dict, path, "ftlab", "an object")
    for key, (shape, allowed) in _SHAPES.items():
        if facts.get(key) is not None:
            _demand(facts[key], shape, path, f"ftlab.{key}", allowed)
    return dict(facts)


def check_rounds(rounds: Any, path: Path) -> None:
    """`rounds` of a procedure's result. Raises ConfigError."""
    _demand(rounds, list, path, "rounds", "a list")
    for one in rounds:
        judged = isinstance(one, dict) and bool(one.get("first_round_of_window"))
        _demand(one, {**_ROUNDS, **(_WINDOW if judged else {})}, path, "rounds",
                "values, tracked, rule, a window and its average")


def _demand(value: Any, shape: Any, path: Path, key: str, allowed: str) -> None:
    if not fits(value, shape):
        raise ConfigError("is of the wrong kind", file=str(path), key=key, got=shown(value), allowed=allowed)


def fits(value: Any, shape: Any) -> bool:
    """True if a JSON value has a shape: a type; a function that tells it; a list with the shape of each item; or an object
    with the shapes of its keys. A key with ? may be missing or null. The key OTHERS has the shape of all keys not named."""
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(one, shape[0]) for one in value)
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(_key_fits(value, key, of_key) for key, of_key in shape.items())
    return isinstance(value, shape) if isinstance(shape, type) else bool(shape(value))


def _key_fits(value: Dict[str, Any], key: str, shape: Any) -> bool:
    if key.startswith(OTHERS):
        named = key.split()[1:]
        return all(fits(one, shape) for name, one in value.items() if name not in named)
    found = value.get(key.rstrip("?"))
    return key.endswith("?") if found is None else fits(found, shape)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300


def _is_number_or_null(value: Any) -> bool:
    return value is None or is_number(value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2 ** 64


def _are_bounds(value: Any) -> bool:
    return fits(value, [is_number]) and len(value) == 2 and min(value) > 0


def _is_bin(value: Any) -> bool:
    return fits(value, {"from": _is_count, "below": _is_count, "blocks": _is_count}) and value["from"] < value["below"]


OTHERS = "*"  # followed by the keys that it is not for
_NUMBERS, _COUNTS = {OTHERS: _is_number_or_null}, {OTHERS: _is_count}
_PERIOD, _RATES = {"from_s": is_number, "to_s": is_number}, {"iops": is_number, "bytes_per_s": is_number}
_ROUNDS = {"values": lambda value: value != [] and fits(value, [is_number]), "rule?": {OTHERS: is_number}}
_WINDOW = dict.fromkeys(("first_round_of_window", "last_round_of_window", "average", "slope_per_round"), is_number)
_SHAPES: Dict[str, Any] = {
    "wa": (_NUMBERS, "numbers by name"), "latency_parts_ns": (_COUNTS, "whole nanoseconds by name"),
    "latency_parts_by_latency": ([{"from_ns": _is_count, "requests": _is_count, "parts_ns": _COUNTS}],
                                 "a list of from_ns, requests and parts_ns"),
    "buffer_waits": ([{"from_ns": _is_count, "writes": _is_count, "waited_ns": _is_count, "dies_ns": _COUNTS}],
                     "a list of from_ns, writes, waited_ns and dies_ns"),
    "phases": ([{"name": str, **_PERIOD}], "a list of name, from_s and to_s"), "before": (_NUMBERS, "numbers by name"),
    "erases": ({"histogram?": [_is_bin]}, "an object with a histogram of from, below and blocks"),
    "until_steady": ({"steady_from_s": is_number, "at_s": is_number, "iops?": _NUMBERS, "wa?": _NUMBERS},
                     "steady_from_s, at_s and estimates"),
    "wa_at_end": ({"total": is_number, **_PERIOD, "steady": bool, "why_not_steady": str,
                   f"{OTHERS} steady why_not_steady": _is_number_or_null},
                  "total, parts, from_s, to_s, steady and why_not_steady"),
    "rates_at_end": ({**_PERIOD, "iops": is_number, "read?": _RATES, "write?": _RATES, "trim?": _RATES,
                      f"{OTHERS} read write trim": _is_number_or_null}, "from_s, to_s, iops, and rates of each direction"),
    "intervals": ({"level": is_number, "known": str, "wa?": _are_bounds,
                   "jobs": [{"direction": str, "job?": str, "load?": str, f"{OTHERS} direction job load": _are_bounds}]},
                  "known, level, and jobs with bounds"),
    "problems": (lambda value: fits(value, [lambda one: fits(one, str) or fits(
        one, {"code": str, "text": str, "remedy?": str})]), "a list of code, text and remedy"),
    "failed_checks": ([str], "a list of texts"), "notes": ([str], "a list of texts"), "drive": (dict, "an object"),
    "device": ({"device?": dict}, "an object"), "simulated_s": (is_number, "seconds"), "measured_s": (is_number, "seconds"),
}
