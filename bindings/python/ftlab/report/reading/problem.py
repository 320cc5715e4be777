"""Problems in result.json that invalidate or weaken the figures of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List

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
