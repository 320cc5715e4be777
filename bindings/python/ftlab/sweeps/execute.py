"""Computes the figures of one point, or one aged drive, from its task, in a worker."""

from __future__ import annotations

import contextlib
import json
import pathlib
import tempfile
import warnings
from typing import Any, Dict, Iterator, Optional

from ftlab.analysis import wa
from ftlab.drive import Drive
from ftlab.errors import ConfigError
from ftlab.job import Job
from ftlab.problem import ProblemWarning
from ftlab.sweeps.address import CORE
from ftlab.sweeps.figures import Figures, run_figures, wa_figures
from ftlab.sweeps.states import States


def execute(task: Dict[str, Any], states: str) -> Figures:
    """Simulates a task. The same task gives the same figures on every machine. states: the folder of aged drives.

    Raises ConfigError for errors that only the simulation finds, RuntimeError for a result that fails its own checks."""
    if task["content"]["ftlab"] != CORE:
        raise ConfigError("is not what the sweep was planned with", key="ftlab", got=json.dumps(CORE),
                          allowed=json.dumps(task["content"]["ftlab"]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ProblemWarning)  # the row contains the problems
        if task["kind"] == "wa":
            return _wa(task)
        if task["kind"] == "state":
            return {"state": str(States(states).obtain(task))}
        return _run(task, states)


def _wa(task: Dict[str, Any]) -> Figures:
    return wa_figures(wa(seed=task["content"]["seed"], **task["question"]))


def _run(task: Dict[str, Any], states: str) -> Figures:
    content = task["content"]
    job = Job(content["job"]["text"], str(pathlib.Path(task["folder"]) / task["job_name"]))
    options = dict(word.split("=", 1) for word in content["job_settings"])
    with _drive(task, states) as drive:
        result = drive.run(job, options, seed=content["seed"], until_steady=_per_cent(content["until_steady"]))
    if result.failed_checks:
        raise RuntimeError("the result failed its own checks: " + "; ".join(result.failed_checks))
    return run_figures(result, task["folder"])


def _per_cent(share: Optional[float]) -> Optional[str]:
    """An unambiguous percentage: 0.3 becomes 30%."""
    return None if share is None else f"{share * 100:.12g}%"


@contextlib.contextmanager
def _drive(task: Dict[str, Any], states: str) -> Iterator[Drive]:
    """A new drive, or the aged one with the point's design applied to it."""
    content, timed = task["content"], not task["content"]["untimed"]
    if task["state"] is None:
        with Drive(task["drive"], seed=content["seed"], timed=timed) as drive:
            yield drive
        return
    aged = States(states).obtain(task["state"])
    with tempfile.TemporaryDirectory(prefix="ftlab-design-") as folder:
        design, host = pathlib.Path(folder) / "drive.json", pathlib.Path(folder) / "host.json"
        of_drive = dict(task["drive"])
        of_host = of_drive.pop("host", None)
        design.write_text(json.dumps(of_drive), encoding="utf-8")
        if of_host is not None:
            host.write_text(json.dumps({"kind": "host", "name": "host", **of_host}), encoding="utf-8")
        with Drive.load(aged, design, host=None if of_host is None else host, timed=timed) as drive:
            yield drive
