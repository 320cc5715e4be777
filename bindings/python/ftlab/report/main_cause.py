"""The main cause of latency in a few words, from the figures of "Where requests spend their time"."""

from __future__ import annotations

from typing import Optional, Sequence, Tuple

from ftlab.report import markup
from ftlab.report.reading.die_uses import COPIES, ERASES, HOST, MAP, uses_of, waits_of
from ftlab.report.reading.latency_parts import slowest_parts, split
from ftlab.report.reading.run import Run

WORDS = {f"buffer wait: {COPIES}": "waiting for garbage collection copies",
         f"buffer wait: {HOST}": "waiting for flash programs of host data",
         f"buffer wait: {MAP}": "waiting for map writes", f"buffer wait: {ERASES}": "waiting for erases",
         "buffer_wait": "waiting for buffer space", "die": "flash operations of the requests",
         "die_wait": "waiting for busy dies", "link": "transfer over the link",
         "link_wait": "waiting for the link", "queue_wait": "waiting in the queue",
         "channel": "transfer over the channels", "controller": "work of the controller", "mapping": "map reads"}


def cause_words(runs: Sequence[Run]) -> str:
    """HTML: `74 % of write latency is waiting for garbage collection copies, over the whole run`; of several runs the range,
    if all have the same main cause. "" if they differ or a run has no such figures."""
    causes = [main_cause(run) for run in runs]
    names = {None if cause is None else cause[0] for cause in causes}
    if len(names) != 1 or None in names:
        return ""
    shares = [100 * share for _, share in filter(None, causes)]
    low, high = f"{min(shares):.0f}", f"{max(shares):.0f}"
    told = f"{low if low == high else f'{low} to {high}'}\u00a0%"
    written = all(set(run.jobs["direction"]) - {"trim"} == {"write"} for run in runs)
    return f"{told} of {'write ' * written}latency is {_words(next(iter(names)) or '')}, over the whole run"


def tail_words(run: Run, share: float) -> str:
    """HTML: `the slowest 0.1 % spend 95 % waiting for map writes`, over the whole run; "" without parts by latency."""
    cause = main_cause(run, share) if run.ftlab.get("latency_parts_by_latency") else None
    if cause is None:
        return ""
    return f"the slowest {100 * share:g}\u00a0% spend {100 * cause[1]:.0f}\u00a0% of it on {_words(cause[0])}"


def _words(name: str) -> str:
    return markup.text(WORDS.get(name, name.replace("buffer wait: ", "waiting for ").replace("_", " ")))


def main_cause(run: Run, share: float = 1.0) -> Optional[Tuple[str, float]]:
    """The part with the largest share of the latency of the slowest `share` of requests, buffer wait split by what the dies
    did; None if the result has no parts."""
    ranges, parts = run.ftlab.get("latency_parts_by_latency"), run.ftlab.get("latency_parts_ns") or {}
    sums = slowest_parts(ranges, share)[1] if ranges else {name: float(ns) for name, ns in parts.items()}
    waits = waits_of(run)
    sums = split(sums, (slowest_parts(waits, share)[1] if waits else {}) or uses_of(run))
    if not any(sums.values()) or "direction" not in run.jobs:
        return None
    name = max(sums, key=lambda one: sums[one])
    return name, sums[name] / sum(sums.values())
