"""Aged drives as files in a folder, named by address. Each is made once, by the first process that needs it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pathlib
import tempfile
from typing import Any, Dict, Iterator

from ftlab.drive import Drive
from ftlab.job import Job


class States:
    """folder: where the states are kept. A machine that cannot access the sweep's folder uses a temporary folder of the
    user and makes the same states there again, byte for byte."""

    def __init__(self, folder: str) -> None:
        self._folder = pathlib.Path(folder)
        if not self._folder.parent.is_dir():
            self._folder = pathlib.Path(tempfile.gettempdir()) / f"ftlab-states-{os.getuid()}"

    def obtain(self, task: Dict[str, Any]) -> pathlib.Path:
        """Path of the state's file; makes it if it does not exist. Processes that need the same state wait for the first.

        Raises ConfigError, or RuntimeError if the ageing fails its own checks."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        place = self._folder / f"{task['address']}.state"
        with _one_at_a_time(self._folder / f"{task['address']}.lock"):
            for left_by_a_kill in self._folder.glob(f".{place.name}.partial-*"):
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
        options = dict(word.split("=", 1) for word in content["job_settings"])
        job = Job(content["job"]["text"], str(pathlib.Path(task["folder"]) / task["job_name"]))
        result = drive.run(job, options, seed=content["seed"])
        if result.failed_checks:
            raise RuntimeError("the ageing failed its own checks: " + "; ".join(result.failed_checks))
        drive.save(place)
