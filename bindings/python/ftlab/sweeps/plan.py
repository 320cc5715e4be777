"""A plan: a grid with all points resolved, checked and addressed. Nothing has been simulated yet."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import pathlib
import re
from typing import Any, Dict, List, Mapping, Tuple

from ftlab import _core
from ftlab.analysis import drive_document, resolved_question
from ftlab.errors import ConfigError
from ftlab.settings import drive_settings, job_settings
from ftlab.sweeps.grid import JOB_OPTION, Age, Choice, Grid, GridLike, read_grid
from ftlab.text_file import read_text

_INCLUDE = re.compile(r"^\s*include\s+(\S.*?)\s*$")
_VARIABLE = re.compile(r"\$\{([^}]+)\}")
_LOG = re.compile(r"^\s*read_iolog\s*=\s*(\S.*?)\s*$", re.MULTILINE)
_MOST_INCLUDED = 16


@dataclasses.dataclass(frozen=True)
class JobText:
    """text: with included files inserted, and ${VARIABLES} that are set replaced. logs: a digest of each file read by
    read_iolog. folder: where those are; not part of the job's identity."""

    name: str
    text: str
    logs: Dict[str, str]
    folder: str

    @property
    def content(self) -> Dict[str, Any]:
        """The identity of the job."""
        return {"text": self.text, "logs": self.logs}


def read_job_text(path: pathlib.Path) -> JobText:
    """Raises ConfigError for missing files, and for procedures, which sweeps do not support."""
    if path.suffix == ".json":
        raise ConfigError("is a procedure; a sweep takes job files", file=os.fspath(path))
    text = _VARIABLE.sub(lambda found: os.environ.get(found.group(1), found.group()), _with_includes(path, 0))
    folder = path.resolve().parent
    logs = {name: _digest(folder / name) for name in _LOG.findall(text)}
    return JobText(path.name, text, logs, os.fspath(folder))


def _with_includes(path: pathlib.Path, depth: int) -> str:
    if depth > _MOST_INCLUDED:
        raise ConfigError(f"is included more than {_MOST_INCLUDED} deep", file=os.fspath(path))
    lines = []
    for line in read_text(path).splitlines(keepends=True):
        included = _INCLUDE.match(line)
        lines.append(_with_includes(path.parent / included.group(1), depth + 1) + "\n" if included else line)
    return "".join(lines)


def _digest(path: pathlib.Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""  # the check of the job reports the error


# Identity of the simulator: results of another version or behaviour must not be reused. figures: to be incremented when the
# figures of a row (sweeps/figures.py) change their names or meanings.
CORE = {"version": _core.version, "signature": _core.signature, "figures": 2}
_DIGITS = 32


def address_of(content: Any) -> str:
    """128 bits in hexadecimal, computed over the content as JSON with sorted keys."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


# Keys that a new design cannot change on flash that was already written (ftl/recovery/redesign.cpp): points that differ in
# them need separately aged drives.
_OF_THE_MEDIUM = ("user_sectors", "over_provisioning", "geometry", "cells", "endurance", "ftl.mapping.page_bytes",
                  "ftl.mapping.scheme",
                  "ftl.superblock", "ftl.compression", "ftl.slc_cache", "ftl.placement", "ftl.deduplication")
Task = Dict[str, Any]  # everything that a worker needs, as JSON values; the key `kind` says what to compute


@dataclasses.dataclass(frozen=True)
class Point:
    """position: in the grid, from 0. choice: the values from its axes. address: of its result; equal points share one."""

    position: int
    choice: Choice
    seed: int
    address: str


@dataclasses.dataclass(frozen=True)
class Plan:
    """tasks and states: by address. identity: decides whether a folder belongs to this plan, so that it can be resumed."""

    grid: Grid
    points: Tuple[Point, ...]
    tasks: Mapping[str, Task]
    states: Mapping[str, Task]
    identity: Mapping[str, Any]

    def shard(self, index: int, count: int) -> Tuple[Point, ...]:
        """Every count-th point, starting with the index-th (counted from 1)."""
        return self.points[index - 1::count]


def make_plan(grid: GridLike) -> Plan:
    """Reads a grid and checks all its points. Raises ConfigError with the grid, the line and the point."""
    return _Planning(read_grid(grid)).plan()


class _Planning:
    """Reads each drive and job only once, however many points share it."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._designs: Dict[str, Tuple[Dict[str, Any], str]] = {}
        self._jobs: Dict[str, JobText] = {}
        self._checked: Dict[str, None] = {}
        self._states: Dict[str, Task] = {}
        self._files: Dict[str, str] = {}

    def plan(self) -> Plan:
        points: List[Point] = []
        tasks: Dict[str, Task] = {}
        for choice in self._grid.choices():
            task = self._task(len(points), choice)
            for seed in self._grid.seeds:
                content = {**task["content"], "seed": seed}
                address = address_of(content)
                tasks.setdefault(address, {**task, "content": content, "address": address})
                points.append(Point(len(points), choice, seed, address))
        identity = {"ftlab": CORE, "grid": self._grid.document.value, "files": self._files}
        return Plan(self._grid, tuple(points), tasks, self._states, identity)

    def _task(self, position: int, choice: Choice) -> Task:
        try:
            return self._wa_task(choice) if self._grid.kind == "wa" else self._run_task(choice)
        except ConfigError as error:
            raise self._refused(position, choice, error) from None

    def _wa_task(self, choice: Choice) -> Task:
        arguments = {**self._grid.settings, **choice}
        if "seed" in arguments:
            raise ConfigError("stands in the grid's key seeds", key="seed")
        question = resolved_question(**arguments)
        same = {name: _number(value) for name, value in question.items()}
        return {"kind": "wa", "content": {"kind": "wa", "ftlab": CORE, "question": same}, "question": question}

    def _run_task(self, choice: Choice) -> Task:
        grid = self._grid
        drive, job_name, host = (choice.get(key, getattr(grid, key)) for key in ("drive", "job", "host"))
        on_drive = {key: value for key, value in choice.items()
                    if key not in ("drive", "host", "job") and not key.startswith(JOB_OPTION)}
        on_job = {key[len(JOB_OPTION):]: value for key, value in choice.items() if key.startswith(JOB_OPTION)}
        settings, options = {**grid.settings, **on_drive}, {**grid.job_settings, **on_job}
        document, design = self._design(drive, host, settings)
        job = self._checked_job(job_name, options, drive, host, settings, grid.untimed, grid.until_steady is not None)
        state = self._state(drive, host, on_drive, grid.age) if grid.age else None
        content = {"kind": "run", "ftlab": CORE, "drive": design, "job": job.content, "job_settings": job_settings(options),
                   "untimed": grid.untimed, "until_steady": grid.until_steady, "state": state and state["address"]}
        return {"kind": "run", "content": content, "drive": document, "job_name": job.name, "folder": job.folder,
                "state": state}

    def _state(self, drive: str, host: str, on_drive: Mapping[str, Any], age: Age) -> Task:
        """The task that ages the drive of all points on the same medium; their other settings apply after ageing."""
        of_the_medium = {key: value for key, value in on_drive.items() if _is_of_the_medium(key)}
        settings = {**self._grid.settings, **of_the_medium, **age.settings}
        document, design = self._design(drive, host, settings)
        if document.get("kind", "ssd") != "ssd":
            raise ConfigError("is for drives whose state can be kept; a disk has none", key="age", got=drive)
        content = {"kind": "state", "ftlab": CORE, "drive": design, "untimed": age.untimed, "seed": age.seed}
        task: Task = {"kind": "state", "content": content, "drive": document}
        if age.precondition:
            content["precondition"] = age.precondition
        else:
            job = self._checked_job(age.job, age.job_settings, drive, host, settings, age.untimed, False)
            content.update(job=job.content, job_settings=job_settings(age.job_settings))
            task.update(job_name=job.name, folder=job.folder)
        task["address"] = address_of(content)
        return self._states.setdefault(task["address"], task)

    def _design(self, drive: Any, host: Any, settings: Mapping[str, Any]) -> Tuple[Dict[str, Any], str]:
        """The resolved drive file with its host, and its address."""
        place, of_host = self._file_place(drive, "drive"), self._host_place(host)
        key = place + "\n" + of_host + "\n" + "\n".join(drive_settings(settings))
        if key not in self._designs:
            self._files.setdefault(f"drive {drive}", address_of(drive_document(place)))
            document = drive_document(place, settings, of_host)
            self._designs[key] = document, address_of(document)
        return self._designs[key]

    def _file_place(self, name: Any, key: str) -> str:
        if not isinstance(name, str) or not name:
            raise ConfigError(f"must be the name of a {key}", key=key, got=json.dumps(name))
        is_file = "/" in name or name.endswith(".json")
        return str(self._grid.document.folder / name) if is_file else name

    def _host_place(self, host: Any) -> str:
        return "" if host == "" else self._file_place(host, "host")

    def _checked_job(self, name: Any, options: Mapping[str, Any], drive: str, host: str,
                     settings: Mapping[str, Any], untimed: bool, until_steady: bool) -> JobText:
        if not isinstance(name, str) or not name:
            raise ConfigError("must be the name of a job file", key="job", got=json.dumps(name))
        if name not in self._jobs:
            self._jobs[name] = read_job_text(self._grid.document.folder / name)
            self._files[f"job {name}"] = address_of(self._jobs[name].content)
        job, words = self._jobs[name], job_settings(options)
        place, of_host = self._file_place(drive, "drive"), self._host_place(host)
        key = json.dumps([name, words, place, of_host, drive_settings(settings), untimed, until_steady])
        if key not in self._checked:
            _core.check_job(job.text, str(pathlib.Path(job.folder) / job.name), words, place, of_host,
                            drive_settings(settings), not untimed, until_steady)
            self._checked[key] = None
        return job

    def _refused(self, position: int, choice: Choice, error: ConfigError) -> ConfigError:
        """The error with the grid, the line and the point prepended."""
        document = self._grid.document
        message = str(error).replace("--set: ", "", 1)
        line = self._line_named_by(message)
        place = document.file + (f":{line}" if line else "")
        point = position // len(self._grid.seeds) + 1
        of = self._grid.count // len(self._grid.seeds)
        chosen = f" ({', '.join(f'{key}={json.dumps(value)}' for key, value in choice.items())})" if choice else ""
        return ConfigError(f"{place}: point {point} of {of}{chosen}: {message}")

    def _line_named_by(self, message: str) -> int:
        """The line of the longest grid key that the message names; 0 if it names none. The part in brackets is ignored,
        since it lists received or allowed values."""
        message = message.split(" (", 1)[0]
        places: Dict[str, Tuple[Any, ...]] = {key: ("axes", i) for i, axis in enumerate(self._grid.axes)
                                              for key in axis.keys}
        places.update({key: ("settings", key) for key in self._grid.settings})
        places.update({key: ("job_settings", key) for key in self._grid.job_settings})
        named = [key for key in places if key.split(JOB_OPTION, 1)[-1] in message]
        return self._grid.document.line(*places[max(named, key=len)]) if named else 0


def _is_of_the_medium(key: str) -> bool:
    return any(key == own or key.startswith(own + ".") or own.startswith(key + ".") for own in _OF_THE_MEDIUM)


def _number(value: Any) -> Any:
    """Converts a numeric word, so that 0.10, 0.1 and 10% give the same address. The core has validated it."""
    try:
        return float(value[:-1] + "e-2") if isinstance(value, str) and value.endswith("%") else float(value)
    except (TypeError, ValueError):
        return value
