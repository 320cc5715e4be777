"""The program ftlab as a process that can be ended when its answer is no longer wanted."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import threading
from typing import Any, Callable, Dict, List, Optional

from ftlab.errors import ConfigError
from ftlab.explore.question import Question
from ftlab.program import program_path

_REFUSED, _DRIVE_FAILED, _CHECKS_FAILED, _INTERRUPTED = 2, 3, 4, 130
_WITH_RESULT = (0, _DRIVE_FAILED, _CHECKS_FAILED, _INTERRUPTED)  # a run killed at its limit has none
_NICE = 10
_GRACE_S = 1.5  # for an interrupted run to write what it has
_MOST_SHOWN = 600  # characters of a failure


class Stale(Exception):
    """The process was ended: its question has changed."""


class Process:
    """One command at a time. stop() comes from any thread, and ends the command that runs and all later ones.

    refining: later commands give way to first answers and to the page itself.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: "Optional[subprocess.Popen[str]]" = None
        self._stopped = False
        self.refining = False

    def run(self, words: List[str], limit_s: Optional[float] = None) -> int:
        """The exit status. After limit_s the run is interrupted and keeps what it has (status 130).

        Raises ConfigError for refused input, Stale after stop(), RuntimeError for a failure without a result.
        """
        return self._finished(words, limit_s)[0]

    def answer(self, words: List[str]) -> Dict[str, Any]:
        """What a command with --json prints."""
        return dict(json.loads(self._finished([*words, "--json"], None)[1]))

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            if self._running is not None:
                self._running.kill()

    def _finished(self, words: List[str], limit_s: Optional[float]) -> "tuple[int, str]":
        with self._lock:
            if self._stopped:
                raise Stale
            self._running = subprocess.Popen([program_path(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                             stderr=subprocess.PIPE, text=True, errors="replace")
            if self.refining:
                os.setpriority(os.PRIO_PROCESS, self._running.pid, _NICE)
        out, failure, in_time = _ended(self._running, limit_s)
        status = self._running.returncode if in_time else _INTERRUPTED
        with self._lock:
            self._running = None
            if self._stopped:
                raise Stale
        if status == _REFUSED:
            raise ConfigError(failure.strip().splitlines()[0] if failure.strip() else "was refused")
        if status not in _WITH_RESULT:
            raise RuntimeError(f"ftlab {words[0]} ended with status {status}: {failure.strip()[:_MOST_SHOWN]}")
        return status, out


def _ended(process: "subprocess.Popen[str]", limit_s: Optional[float]) -> "tuple[str, str, bool]":
    """Standard output, standard error, and False if the limit was reached."""
    try:
        return (*process.communicate(timeout=limit_s), True)
    except subprocess.TimeoutExpired:
        process.terminate()
    try:
        return (*process.communicate(timeout=_GRACE_S), False)
    except subprocess.TimeoutExpired:
        process.kill()
        return (*process.communicate(), False)


# One thread that answers the newest question: work on an older one is ended and its answers are dropped.

class Newest:
    """work(question, process) is called in a thread, for one question at a time. A newer question ends the process of the
    older one."""

    def __init__(self, work: Callable[[Question, Process], None]) -> None:
        self._work, self._process, self._thread = work, Process(), threading.Thread(daemon=True)
        self._thread.start()

    def ask(self, question: Question) -> None:
        self.close()
        self._process = Process()
        self._thread = threading.Thread(target=self._answer, args=(question, self._process, self._thread), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the work at hand; the thread ends with it."""
        self._process.stop()

    def idle(self) -> bool:
        """True if no question waits and none is being answered."""
        return not self._thread.is_alive()

    def join(self, timeout_s: float) -> None:
        self._thread.join(timeout_s)

    def _answer(self, question: Question, process: Process, older: threading.Thread) -> None:
        older.join()
        with contextlib.suppress(Stale):
            self._work(question, process)
