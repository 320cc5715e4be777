"""Names runs by the settings that differ, such as `greedy` and `fifo`, not by their folders, and puts those that differ by
one number in its order."""

from __future__ import annotations

import dataclasses
from typing import List, Sequence, Tuple

import numpy as np

from ftlab.report.answer import differences
from ftlab.report.price import words_of
from ftlab.report.reading.run import Run
from ftlab.report.reading.fio_json import bytes_of
from ftlab.report.reading.sources import Sources
from ftlab.report.reading.sweep_table import is_choice

MOST_KEYS, MOST_LETTERS = 3, 40  # in a name
FEWEST_ORDERED = 3  # runs; two have colours of their own
NO_DESIGN = ("seed", "version", "clock", "kind", "host", "state", "device", "drive: name", "drive: about", "drive: notes")


def named_by_difference(sources: Sources) -> Sources:
    """Names runs by the keys of drive and job that differ, if at most three and if the names are unique. Otherwise, and if
    any run is measured, they keep their names. Three or more runs that differ by one number are sorted by it."""
    runs = sources.runs
    if len(runs) < 2 or any(run.measured for run in runs) or sources.procedures:
        return sources
    rows = [_as_spare(runs, key, values) for key, values in differences(runs) if not key.startswith(NO_DESIGN)]
    if not 0 < len(rows) <= MOST_KEYS:
        return sources
    values = [_number(value) for value in rows[0][1]]
    if len(rows) == 1 and len(runs) >= FEWEST_ORDERED and len(set(values)) == len(runs) and np.isfinite(values).all():
        order = [int(n) for n in np.argsort(values)]
        runs, rows = [runs[n] for n in order], [(rows[0][0], [rows[0][1][n] for n in order])]
        sources = dataclasses.replace(sources, runs=runs, ordered=True)
    names = [", ".join(_words(key, values[n]) for key, values in rows) for n in range(len(runs))]
    seeds = [str(run.ftlab.get("seed", "")) for run in runs]
    if len(set(names)) < len(names):
        names = [f"{name}, seed {seed}" for name, seed in zip(names, seeds)]
    if len(set(names)) < len(names) or max(map(len, names)) > MOST_LETTERS:
        return sources
    return dataclasses.replace(sources, runs=[run.named(name) for name, run in zip(names, runs)])


def _as_spare(runs: Sequence[Run], key: str, values: List[str]) -> Tuple[str, List[str]]:
    """The user capacity as over-provisioning, if all runs state it."""
    known = [(run.ftlab.get("over_provisioning") or {}).get("nominal") for run in runs]
    shares = [float(share) for share in known if isinstance(share, (int, float))]
    if key != "drive: user_sectors" or len(shares) < len(runs):
        return key, values
    return "OP", [words_of(share) for share in shares]


def _number(value: str) -> float:
    """Of 7.34 %, 32 or 4k; NaN for a word."""
    try:
        return float(value.replace(" %", ""))
    except ValueError:
        return bytes_of(value)


def _words(key: str, value: str) -> str:
    """A word stands alone; numbers and booleans follow the last part of the key."""
    last = key.rpartition("] ")[2].rpartition(".")[2].rpartition(": ")[2].replace("_", " ")
    return value if is_choice(value) else f"{last} {value}"
