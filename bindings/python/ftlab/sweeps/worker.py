"""A process that computes points one after the other: a line of JSON in, a line of JSON out."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import queue
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from typing import IO, Any, Callable, Dict, Optional, Sequence

from ftlab.errors import ConfigError

_PROGRAM = (sys.executable, "-c", "from ftlab.sweeps.worker import main; main()")
_MOST_TOLD = 2000  # characters of what a dead process printed last
_PATIENCE_S = 10  # for a process that died to be gone: it may write its memory to a file before
ATTEMPTS = 2


@dataclasses.dataclass(frozen=True)
class Outcome:
    """Of one task. figures: none when it failed; then reason says why. The rest is about the machine, not the result."""

    address: str
    figures: Optional[Dict[str, Any]]
    reason: str
    attempts: int
    wall_s: float
    cpu_s: Optional[float]
    host: str


class Died(Exception):
    """The process ended before its answer; the message says how. status: as subprocess has it."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class Worker:
    """The process, seen from outside. It is started when there is work, and again after it has died; a process that dies
    costs no point but the one it was at, and that one is tried a second time. One thread at a time may use it.

    states: the folder of aged drives. limit_s: how long a point may take; 0: as long as it wants.
    """

    def __init__(self, states: str, limit_s: float = 0, program: Sequence[str] = _PROGRAM) -> None:
        self._states, self._limit_s, self._program = states, limit_s, program
        self._process: Optional["subprocess.Popen[str]"] = None
        self._said = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        self._closed = False

    def execute(self, task: Dict[str, Any]) -> Outcome:
        """Waits for the answer. Raises RuntimeError when the process does not even start, Died after close()."""
        began = time.perf_counter()
        for attempt in range(1, ATTEMPTS + 1):
            try:
                answer = self._asked(task)
                break
            except TimeoutError as error:
                answer = {"reason": str(error)}
                break
            except Died as error:
                if self._closed:
                    raise
                answer = {"reason": f"{error}, {attempt} times" if attempt > 1 else str(error)}
        return Outcome(task["address"], answer.get("figures"), answer.get("reason", ""), attempt,
                       time.perf_counter() - began, answer.get("cpu_s"), socket.gethostname())

    def close(self) -> None:
        """Ends the process at once, from whatever thread; what waits for its answer gets Died."""
        self._closed = True
        self._end(0)

    def _asked(self, task: Dict[str, Any]) -> Dict[str, Any]:
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps({"task": task, "states": self._states}) + "\n")
            process.stdin.flush()
        except OSError:
            raise self._death() from None
        limit_s = self._limit_s if task["kind"] != "state" else 0
        if not select.select([process.stdout], [], [], limit_s or None)[0]:
            self._end(0)
            raise TimeoutError(f"took longer than {limit_s:g} s")
        return self._line(process.stdout)

    def _line(self, lines: IO[str]) -> Dict[str, Any]:
        line = lines.readline()
        if not line.endswith("\n"):
            raise self._death()
        answer: Dict[str, Any] = json.loads(line)
        return answer

    def _started(self) -> "subprocess.Popen[str]":
        if self._closed:
            raise Died("closed", 0)
        if self._process is None:
            process = self._begin()
            assert process.stdout is not None
            try:
                self._line(process.stdout)
            except Died as death:
                if death.status > 0:  # it would end so every time
                    raise RuntimeError(f"a worker does not start: {death}") from None
                raise
            return process
        return self._process

    def _begin(self) -> "subprocess.Popen[str]":
        self._said.seek(0)
        self._said.truncate()
        process = subprocess.Popen(self._program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said,
                                   text=True, encoding="utf-8", env=_environment(),
                                   start_new_session=True)  # Ctrl-C is the parent's to handle
        self._process = process
        if self._closed:  # meanwhile, in another thread
            self._end(0)
            raise Died("closed", 0)
        return process

    def _death(self) -> Died:
        """What is known of the end of the process; it is gone then."""
        status = self._end(_PATIENCE_S)
        self._said.seek(0)
        said = self._said.read()[-_MOST_TOLD:].strip()
        how = f"was ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
        return Died(f"its process {how}" + (f" ({said.splitlines()[-1]})" if said else ""), status)

    def _end(self, patience_s: float) -> int:
        """The process's status, after it had so long to go by itself, as it does when nobody speaks to it any more."""
        process, self._process = self._process, None
        if process is None:
            return 0
        if process.stdin is not None:
            try:
                process.stdin.close()
            except OSError:
                pass
        try:
            status = process.wait(timeout=patience_s)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        return status


def _environment() -> Dict[str, str]:
    """That of this process, in which the package is found where this process found it."""
    import ftlab
    package = str(pathlib.Path(ftlab.__file__).parent.parent)
    others = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": package + (os.pathsep + others if others else "")}


def main() -> None:
    """The process, from inside."""
    from ftlab.sweeps.execute import execute
    serve(execute)


def serve(execute: Callable[[Dict[str, Any], str], Dict[str, Any]]) -> None:
    """Answers until the parent goes away, however that ends; then this process ends too, in the midst of its work."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else prints shall not stand among the answers
    asked: "queue.Queue[str]" = queue.Queue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    print(json.dumps({"ready": True}), file=answers, flush=True)
    while True:
        asked_for = json.loads(asked.get())
        print(json.dumps(_answer(execute, asked_for)), file=answers, flush=True)


def _listen(asked: "queue.Queue[str]") -> None:
    for line in sys.stdin:
        asked.put(line)
    os._exit(0)


def _answer(execute: Callable[[Dict[str, Any], str], Dict[str, Any]], asked: Dict[str, Any]) -> Dict[str, Any]:
    began = time.process_time()
    try:
        figures = execute(asked["task"], asked["states"])
    except (ConfigError, MemoryError) as error:
        return {"reason": str(error) or type(error).__name__}
    except Exception as error:  # whatever a point raises is the point's failure, not the sweep's
        return {"reason": f"{type(error).__name__}: {error}"}
    return {"figures": figures, "cpu_s": time.process_time() - began}
