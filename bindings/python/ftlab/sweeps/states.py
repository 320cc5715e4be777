"""Aged drives as files in a folder, by their addresses: each is made once, whoever asks first."""

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
    """folder: where they are kept. On a machine that does not see the sweep's folder, a temporary one of the user takes its
    place: the same state is made there again, byte for byte."""

    def __init__(self, folder: str) -> None:
        self._folder = pathlib.Path(folder)
        if not self._folder.parent.is_dir():
            self._folder = pathlib.Path(tempfile.gettempdir()) / f"ftlab-states-{os.getuid()}"

    def obtain(self, task: Dict[str, Any]) -> pathlib.Path:
        """The state's file, made now if it is not there. Processes that ask at the same time wait for the first.

        Raises ConfigError, or RuntimeError when the ageing fails its own checks."""
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
    """The lock goes with the process that holds it, however that ends."""
    with open(lock, "w", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make(task: Dict[str, Any], place: pathlib.Path) -> None:
    content = task["content"]
    options = dict(word.split("=", 1) for word in content["job_settings"])
    with Drive(task["drive"], seed=content["seed"], timed=not content["untimed"]) as drive:
        job = Job(content["job"]["text"], str(pathlib.Path(task["folder"]) / task["job_name"]))
        result = drive.run(job, options, seed=content["seed"])
        if result.failed_checks:
            raise RuntimeError("the ageing failed its own checks: " + "; ".join(result.failed_checks))
        drive.save(place)
