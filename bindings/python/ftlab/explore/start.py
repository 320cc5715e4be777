"""What the page starts from: a drive, or the points of a sweep."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Mapping, Optional, Tuple

from ftlab.errors import ConfigError
from ftlab.explore.facts import SECTOR_BYTES, facts_of
from ftlab.explore.question import KINDS, Question, Workload
from ftlab.sweeps.grid import JOB_OPTION, read_document, read_grid

FIRST_DRIVE = "example-25nm-mlc"
_MOST_POINTS = 2000
Points = Dict[str, Question]


def start_of(word: Optional[str]) -> Tuple[Question, Points]:
    """word: a drive, a drive file, or the grid of a sweep. Raises ConfigError."""
    if word is None:
        return Question(FIRST_DRIVE), {}
    if os.path.isdir(word):
        raise ConfigError("is a folder; give the grid of the sweep (.json), a drive or a drive file", key="explore",
                          got=word)
    if word.endswith(".json") and "axes" in _keys(word):
        points = points_of(word)
        return next(iter(points.values())), points
    facts_of(word)
    return Question(word), {}


def points_of(path: str) -> Points:
    """The designs of a grid by what its axes choose. Raises ConfigError."""
    grid, points = read_grid(path), {}  # type: Any, Points
    for choice in grid.choices():
        settings = {**grid.settings, **choice}
        name = ", ".join(f"{key}={value}" for key, value in choice.items()) or "the only point"
        points[name] = _wa_point(settings) if grid.kind == "wa" else _run_point(grid, settings)
        if len(points) >= _MOST_POINTS:
            break
    return points


def _keys(path: str) -> Mapping[str, Any]:
    value = read_document(path).value
    return value if isinstance(value, dict) else {}


def _wa_point(settings: Mapping[str, Any]) -> Question:
    """On the first drive of the page, as a question of `ftlab wa` has none."""
    op = settings.get("op")
    return Question(FIRST_DRIVE, op=None if op is None else _ratio(op), policy=settings.get("policy"),
                    d=int(settings.get("d", 10)),
                    window=_ratio(settings.get("window", 0.1)), frontiers=settings.get("frontiers", "one"),
                    workload=_workload(str(settings.get("workload", "uniform"))))


def _run_point(grid: Any, settings: Mapping[str, Any]) -> Question:
    drive, rest = settings.get("drive", grid.drive), {key: value for key, value in settings.items()
                                                     if key not in ("drive", "job", "host")
                                                     and not key.startswith(JOB_OPTION)}
    place = str(grid.document.folder / drive) if "/" in drive or drive.endswith(".json") else drive
    sectors = rest.pop("user_sectors", None)
    op = facts_of(place).flash_bytes / (int(sectors) * SECTOR_BYTES) - 1 if isinstance(sectors, int) else None
    if sectors is not None and op is None:
        rest["user_sectors"] = sectors
    policy, frontiers = rest.pop("ftl.gc.policy", None), rest.pop("ftl.frontiers", None)
    job = settings.get("job", grid.job)
    return Question(place, op=op, policy=policy, d=int(rest.pop("ftl.gc.d", 10)), frontiers=frontiers,
                    workload=Workload("job file", path=str(grid.document.folder / job)),
                    more=tuple((key, value if isinstance(value, str) else json.dumps(value)) for key, value in rest.items()))


def _workload(word: str) -> Workload:
    kind, _, rest = word.partition(":")
    numbers = [float(part) for part in rest.split(":") if part]
    if kind not in KINDS:
        raise ConfigError("is not a workload of the page", key="workload", got=word, allowed=", ".join(KINDS))
    if kind == "hot-cold":
        return Workload(kind, hot_writes=numbers[0], hot_pages=numbers[1])
    return Workload(kind, skew=numbers[0]) if kind == "zipf" else Workload(kind)


def _ratio(value: Any) -> float:
    return float(value[:-1]) / 100 if isinstance(value, str) and value.endswith("%") else float(value)
