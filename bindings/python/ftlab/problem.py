"""Problems that make the figures of a run worthless or weak (sim/core/problem.h)."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any, Dict, List

Problem = Dict[str, str]  # code, text, remedy: as in `ftlab.problems` of result.json


class ProblemWarning(UserWarning):
    """A problem of a run, with its text and remedy. Every run warns of each of its problems."""


# Appended after the user's own filters, and replaces Python's default of one warning per line of code.
warnings.simplefilter("always", ProblemWarning, append=True)


def problems_of(facts: Mapping[str, Any]) -> List[Problem]:
    """Problems in the key `ftlab` of a result.json. Up to version 0.2 that key has failed checks there, which are texts."""
    return [{key: str(one.get(key, "")) for key in ("code", "text", "remedy")} for one in _list(facts, "problems")
            if isinstance(one, Mapping)]


def failed_checks_of(facts: Mapping[str, Any]) -> List[str]:
    """Failed checks in the key `ftlab` of a result.json."""
    earlier = [one for one in _list(facts, "problems") if isinstance(one, str)]
    return [str(one) for one in _list(facts, "failed_checks")] or earlier


def _list(facts: Mapping[str, Any], key: str) -> List[Any]:
    value = facts.get(key)
    return value if isinstance(value, list) else []


def sentence(problem: Mapping[str, str]) -> str:
    """`code: text; remedy`, as the command line prints it."""
    return f"{problem['code']}: {problem['text']}" + (f"; remedy: {problem['remedy']}" if problem["remedy"] else "")


def warn_of(problems: Iterable[Problem], stacklevel: int) -> None:
    """Issues a ProblemWarning per problem. stacklevel: 1 is the caller's line."""
    for problem in problems:
        warnings.warn(sentence(problem), ProblemWarning, stacklevel=stacklevel + 1)
