"""Computes the figures of one point, or one aged drive, from its task, in a worker."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pathlib
import tempfile
import warnings
from typing import Any, Dict, Iterator

from ftlab.analysis import wa
from ftlab.drive import Drive
from ftlab.errors import ConfigError
from ftlab.job import Job
from ftlab.problem import ProblemWarning
from ftlab.result import Result
from ftlab.sweeps.plan import CORE
from ftlab.sweeps.figures import Figures, run_figures, wa_figures


def state_of(task: Dict[str, Any], states: str) -> pathlib.Path:
    """Path of the state's file in the folder `states`; makes it if it does not exist. Processes that need the same state
    wait for the first. A machine that cannot access the sweep's folder uses a temporary folder of the user and makes the
    same states there again, byte for byte.

    Raises ConfigError, or RuntimeError if the ageing fails its own checks."""
    folder = pathlib.Path(states)
    if not folder.parent.is_dir():
        folder = pathlib.Path(tempfile.gettempdir()) / f"ftlab-states-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    place = folder / f"{task['address']}.state"
    with _one_at_a_time(folder / f"{task['address']}.lock"):
        for left_by_a_kill in folder.glob(f".{place.name}.partial-*"):
            left_by_a_kill.unlink()
        if not place.exists():
            _make(task, place)
    return place


@contextlib.contextmanager
def _one_at_a_time(lock: pathlib.Path) -> Iterator[None]:
    """Holds a file lock. The system releases it when the process ends, for whatever reason."""
    with open(lock, "w", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make(task: Dict[str, Any], place: pathlib.Path) -> None:
    content = task["content"]
    with Drive(task["drive"], seed=content["seed"], timed=not content["untimed"]) as drive:
        if "precondition" in content:
            drive.precondition(content["precondition"], seed=content["seed"])
            drive.save(place)
            return
        _checked_run(drive, task, "ageing")
        drive.save(place)


def execute(task: Dict[str, Any], states: str) -> Figures:
    """Simulates a task. The same task gives the same figures on every machine. states: the folder of aged drives.

    Raises ConfigError for errors that only the simulation finds, RuntimeError for a result that fails its own checks."""
    if task["content"]["ftlab"] != CORE:
        raise ConfigError("is not what the sweep was planned with", key="ftlab", got=json.dumps(CORE),
                          allowed=json.dumps(task["content"]["ftlab"]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ProblemWarning)  # the row contains the problems
        if task["kind"] == "wa":
            return wa_figures(wa(seed=task["content"]["seed"], **task["question"]))
        if task["kind"] == "state":
            return {"state": str(state_of(task, states))}
        return _run(task, states)


def _run(task: Dict[str, Any], states: str) -> Figures:
    share = task["content"]["until_steady"]  # as a percentage, which is not ambiguous
    with _drive(task, states) as drive:
        result = _checked_run(drive, task, "result", until_steady=None if share is None else f"{share * 100:.12g}%")
    return run_figures(result, task["folder"])


def _checked_run(drive: Drive, task: Dict[str, Any], what: str, **run_options: Any) -> Result:
    """Runs the job of a task. Raises RuntimeError if the result fails its own checks."""
    content = task["content"]
    job = Job(content["job"]["text"], str(pathlib.Path(task["folder"]) / task["job_name"]))
    options = dict(word.split("=", 1) for word in content["job_settings"])
    result = drive.run(job, options, seed=content["seed"], **run_options)
    if result.failed_checks:
        raise RuntimeError(f"the {what} failed its own checks: " + "; ".join(result.failed_checks))
    return result


@contextlib.contextmanager
def _drive(task: Dict[str, Any], states: str) -> Iterator[Drive]:
    """A new drive, or the aged one with the point's design applied to it."""
    content, timed = task["content"], not task["content"]["untimed"]
    if task["state"] is None:
        with Drive(task["drive"], seed=content["seed"], timed=timed) as drive:
            yield drive
        return
    aged = state_of(task["state"], states)
    with tempfile.TemporaryDirectory(prefix="ftlab-design-") as folder:
        design, host = pathlib.Path(folder) / "drive.json", pathlib.Path(folder) / "host.json"
        of_drive = dict(task["drive"])
        of_host = of_drive.pop("host", None)
        design.write_text(json.dumps(of_drive), encoding="utf-8")
        if of_host is not None:
            host.write_text(json.dumps({"kind": "host", "name": "host", **of_host}), encoding="utf-8")
        with Drive.load(aged, design, host=None if of_host is None else host, timed=timed) as drive:
            yield drive
