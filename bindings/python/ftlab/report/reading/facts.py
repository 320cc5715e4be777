"""The key `ftlab` of a result: the simulator's additions to fio's format, checked before use."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, Sequence

from ftlab.errors import ConfigError
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
    """`facts`: the checked key `ftlab`. Earlier versions wrote their failed checks, as texts, to `ftlab.problems`."""
    named: List[Any] = facts.get("problems") or []
    checks = [*(facts.get("failed_checks") or []), *(one for one in named if isinstance(one, str))]
    failed = [Problem(FAILED_CHECK, text, CHECK_REMEDY) for text in checks]
    return failed + [Problem(one["code"], one["text"], one.get("remedy", "")) for one in named if isinstance(one, dict)]


def are_problems(value: Any) -> bool:
    """True if `problems_of` can read the value."""
    return isinstance(value, list) and all(isinstance(one, str) or _is_problem(one) for one in value)


def _is_problem(value: Any) -> bool:
    return (isinstance(value, dict) and {"code", "text"} <= set(value)
            and all(isinstance(value.get(key, ""), str) for key in ("code", "text", "remedy")))


Facts = Dict[str, Any]


def check_facts(facts: Any, path: Path) -> Facts:
    """The key `ftlab` of the result `path`. Raises ConfigError if a part that a report shows does not have the format of
    this version."""
    _demand(isinstance(facts, dict), path, "ftlab", facts, "an object")
    for key, (holds, allowed) in _SHAPES.items():
        value = facts.get(key)
        _demand(value is None or holds(value), path, f"ftlab.{key}", value, allowed)
    return dict(facts)


def check_rounds(rounds: Any, path: Path) -> None:
    """`rounds` of a procedure's result. Raises ConfigError."""
    _demand(isinstance(rounds, list), path, "rounds", rounds, "a list")
    for one in rounds:
        _demand(_is_rounds(one), path, "rounds", one, "values, tracked, rule, a window and its average")


def _demand(holds: bool, path: Path, key: str, value: Any, allowed: str) -> None:
    if not holds:
        raise ConfigError("is of the wrong kind", file=str(path), key=key, got=shown(value), allowed=allowed)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2 ** 64


def _are_numbers(value: Any) -> bool:
    return isinstance(value, dict) and all(is_number(v) or v is None for v in value.values())


def _is_amplification_at_end(value: Any) -> bool:
    words = ("steady", "why_not_steady")
    return (_has_numbers(value, ("total", "from_s", "to_s")) and isinstance(value.get("steady"), bool)
            and isinstance(value.get("why_not_steady"), str)
            and _are_numbers({key: one for key, one in value.items() if key not in words}))


def _are_rates_at_end(value: Any) -> bool:
    directions = ("read", "write", "trim")
    return (_has_numbers(value, ("from_s", "to_s", "iops"))
            and all(_has_numbers(value[one], ("iops", "bytes_per_s")) for one in directions if one in value)
            and _are_numbers({key: one for key, one in value.items() if key not in directions}))


def _has_numbers(value: Any, keys: Sequence[str]) -> bool:
    return isinstance(value, dict) and all(is_number(value.get(key)) for key in keys)


def _are_counts(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_count, value.values()))


def _are_erases(value: Any) -> bool:
    bins = value.get("histogram", []) if isinstance(value, dict) else None
    return isinstance(bins, list) and all(
        isinstance(one, dict) and all(_is_count(one.get(key)) for key in ("from", "below", "blocks"))
        and one["from"] < one["below"] for one in bins)


def _is_verdict(value: Any) -> bool:
    return (isinstance(value, dict) and is_number(value.get("steady_from_s")) and is_number(value.get("at_s"))
            and all(value.get(key) is None or _are_numbers(value[key]) for key in ("iops", "wa")))


def _is_rounds(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("values"), list) or not value["values"]:
        return False
    window = ("first_round_of_window", "last_round_of_window")
    judged = bool(value.get(window[0]))
    wanted = (*window, "average", "slope_per_round") if judged else ()
    return (all(map(is_number, value["values"])) and all(is_number(value.get(key)) for key in wanted)
            and _is_rule(value.get("rule", {})))


def _is_rule(value: Any) -> bool:
    return isinstance(value, dict) and all(map(is_number, value.values()))


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_device(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("device", {}), dict)


def _are_phases(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, dict) and isinstance(one.get("name"), str) and is_number(one.get("from_s"))
        and is_number(one.get("to_s")) for one in value)


def _are_ranges(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, dict) and _is_count(one.get("from_ns")) and _is_count(one.get("requests"))
        and _are_counts(one.get("parts_ns")) for one in value)


def _are_waits(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, dict) and all(_is_count(one.get(key)) for key in ("from_ns", "writes", "waited_ns"))
        and _are_counts(one.get("dies_ns")) for one in value)


def _is_bounds(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(is_number(end) and end > 0 for end in value)


def _are_intervals(value: Any) -> bool:
    def is_job(one: Any) -> bool:
        return isinstance(one, dict) and all(isinstance(bound, str) if key in ("job", "direction", "load") else _is_bounds(bound)
                                             for key, bound in one.items()) and "direction" in one
    return (isinstance(value, dict) and is_number(value.get("level")) and isinstance(value.get("known"), str)
            and ("wa" not in value or _is_bounds(value["wa"])) and isinstance(value.get("jobs"), list)
            and all(map(is_job, value["jobs"])))


_Shape = Callable[[Any], bool]
_SHAPES: "Dict[str, tuple[_Shape, str]]" = {
    "wa": (_are_numbers, "numbers by name"), "latency_parts_ns": (_are_counts, "whole nanoseconds by name"),
    "latency_parts_by_latency": (_are_ranges, "a list of from_ns, requests and parts_ns"),
    "buffer_waits": (_are_waits, "a list of from_ns, writes, waited_ns and dies_ns"),
    "phases": (_are_phases, "a list of name, from_s and to_s"), "before": (_are_numbers, "numbers by name"),
    "erases": (_are_erases, "an object with a histogram of from, below and blocks"),
    "until_steady": (_is_verdict, "steady_from_s, at_s and estimates"),
    "wa_at_end": (_is_amplification_at_end, "total, parts, from_s, to_s, steady and why_not_steady"),
    "rates_at_end": (_are_rates_at_end, "from_s, to_s, iops, and rates of each direction"),
    "intervals": (_are_intervals, "known, level, and jobs with bounds"),
    "problems": (are_problems, "a list of code, text and remedy"), "failed_checks": (_are_texts, "a list of texts"),
    "notes": (_are_texts, "a list of texts"), "drive": (lambda value: isinstance(value, dict), "an object"),
    "device": (_is_device, "an object"), "simulated_s": (is_number, "seconds"),
    "measured_s": (is_number, "seconds"),
}
