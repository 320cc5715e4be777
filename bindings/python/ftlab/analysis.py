"""Steady-state write amplification, and the library of drives."""

from __future__ import annotations

import json
import numbers
import re
from typing import Any, Dict, List, Mapping, Optional, Union

from ftlab import _core
from ftlab.errors import ConfigError, nearest_name
from ftlab.settings import checked_seed, drive_settings, plain, share_word

Number = Union[int, float]
_QUESTION = ("policy", "d", "window", "op", "blocks", "pages_per_block", "workload", "frontiers", "trim", "compression",
             "parameters")


def wa(*, seed: int = 1, precision: Union[float, str] = 0.0005, most_batches: int = 200,
       **question: Union[str, Number]) -> Dict[str, Any]:
    """Steady-state write amplification from an untimed simulation, compared with a formula: like `ftlab wa --json`.

    question: keyword arguments, each with the default of `ftlab wa`:
        policy: greedy, random, d-choices, fifo, windowed-greedy, cost-benefit, cost-benefit-kawaguchi, or one of
        ftl/gc/policies d: number of draws (d-choices).  window: share of the oldest blocks (windowed-greedy).
        parameters: {key: number} for a policy of your own
        op: over-provisioning (T - U) / U, where T is the number of blocks that hold data when a victim is chosen and U the
            number of blocks of user data; 0.07 or "7%", as for all shares
        blocks: T.  pages_per_block.  workload: uniform, sequential, hot-cold:R:F, zipf:S
        frontiers: one, host+gc, hot+cold.  trim: Q:mapped or Q:any.  compression: stored size / host size
    precision: the run stops when the 95 % half-width is below this share of the mean, 1e-5 to 0.1, as 0.0005 or "0.05%" ...
    most_batches: ... or after this many batches of one drive write each, at least 20.

    Returns wa, ci95 (half-width), deviation (from theory, a share; absent without a formula), theory {wa, kind, source ...},
    question, simulator {host_writes, cpu_s}. Raises ConfigError. The GIL is released; Ctrl-C works.
    """
    return json.loads(_core.wa(_words(question), checked_seed(seed), _precision(precision), _batches(most_batches)))


def theory(**question: Union[str, Number]) -> Dict[str, Any]:
    """Only the formula, for the same question as wa(): wa, kind (exact, finite-blocks, approximate), tolerance, source,
    validity. Without a formula, wa is None and why_none says why. Raises ConfigError."""
    return json.loads(_core.theory(_words(question)))


def resolved_question(*, precision: Union[float, str] = 0.0005, most_batches: int = 200,
                      **question: Union[str, Number]) -> Dict[str, Any]:
    """The question as wa() takes it, with all defaults filled in, as a key for keeping results. Raises ConfigError."""
    effort = {"precision": _precision(precision), "most_batches": _batches(most_batches)}
    return {**theory(**question)["question"], **effort}


def drives() -> List[str]:
    """Names of the drives in the library."""
    return list(_core.drive_names())


def gc_policies() -> List[str]:
    """Names of the policies of garbage collection, your own included."""
    return list(_core.gc_policy_names())


def choices(key: str) -> List[str]:
    """The words that a key of drive files takes, such as ftl.mapping.scheme, or `frontiers` of wa(): those that the program
    names when it refuses another. Words with parameters, such as pools:SHARE, are left out. Raises ConfigError for a key
    that is no choice."""
    try:
        theory(frontiers="?") if key == "frontiers" else _core.check_drive(drives()[0], [f'{key}="?"'], "")
    except ConfigError as refusal:
        found = re.search(r"not a known name .*allowed: ([^;)]+)", str(refusal))
        if found:
            return [word for word in found[1].split(", ") if ":" not in word]
    raise ConfigError("has no list of words", key=key)


def hosts() -> List[str]:
    """Names of the hosts in the library."""
    return list(_core.host_names())


def drive_document(drive: str, settings: Optional[Mapping[str, Any]] = None, host: Optional[str] = None) -> Dict[str, Any]:
    """The resolved drive file with the source of each physical number, and its host, if any, under "host". Checked as for
    a run. Raises ConfigError."""
    words = drive_settings(settings)
    _core.check_drive(drive, words, host or "")
    return json.loads(_core.drive_document(drive, words, host or ""))


def _precision(value: Union[float, str]) -> float:
    return _core.share(share_word("precision", value), False, "", 0, "precision")


def _batches(most_batches: int) -> int:
    is_number = isinstance(most_batches, numbers.Real) and not isinstance(most_batches, bool)
    if not is_number or not 20 <= most_batches <= 100_000 or int(most_batches) != most_batches:
        raise ConfigError("is out of range", key="most_batches", got=repr(most_batches), allowed="20 to 100000")
    return int(most_batches)


def _words(question: Mapping[str, Any]) -> Dict[str, str]:
    for key in question:
        if key not in _QUESTION:
            raise ConfigError("is not part of the question", key=key, allowed=", ".join(_QUESTION),
                              nearest=nearest_name(key, _QUESTION))
    return {key: _word(key, value) for key, value in question.items()}


def _word(key: str, value: Any) -> str:
    if key == "parameters":  # a result has a list of "key=number"
        return ",".join([f"{name}={plain(number)}" for name, number in value.items()] if isinstance(value, Mapping)
                        else value)
    value = plain(value)
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ConfigError("must be a number or a word", key=key, got=repr(value))
    return value if isinstance(value, str) else repr(value)
