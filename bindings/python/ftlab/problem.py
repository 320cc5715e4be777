"""What makes the figures of a run worthless or weak (sim/core/problem.h)."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any, Dict, List

Problem = Dict[str, str]  # code, text, remedy: as in `ftlab.problems` of result.json


class ProblemWarning(UserWarning):
    """A run has a problem: its text and its remedy. Each run warns of each of its problems."""


# Behind the user's own filters, and instead of Python's "once for each line".
warnings.simplefilter("always", ProblemWarning, append=True)


def problems_of(facts: Mapping[str, Any]) -> List[Problem]:
    """Of the key `ftlab` of a result.json. Results of version 0.2 and before have failed checks there, which are texts."""
    return [{key: str(one.get(key, "")) for key in ("code", "text", "remedy")} for one in _list(facts, "problems")
            if isinstance(one, Mapping)]


def failed_checks_of(facts: Mapping[str, Any]) -> List[str]:
    """The same, of the checks."""
    earlier = [one for one in _list(facts, "problems") if isinstance(one, str)]
    return [str(one) for one in _list(facts, "failed_checks")] or earlier


def _list(facts: Mapping[str, Any], key: str) -> List[Any]:
    value = facts.get(key)
    return value if isinstance(value, list) else []


def sentence(problem: Mapping[str, str]) -> str:
    """`code: text; remedy`, as the command line prints it."""
    return f"{problem['code']}: {problem['text']}" + (f"; remedy: {problem['remedy']}" if problem["remedy"] else "")


def warn_of(problems: Iterable[Problem], stacklevel: int) -> None:
    """stacklevel: 1 is the caller's line."""
    for problem in problems:
        warnings.warn(sentence(problem), ProblemWarning, stacklevel=stacklevel + 1)
