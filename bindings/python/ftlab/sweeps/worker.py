"""A process that computes points in sequence: reads a line of JSON per task and writes a line of JSON per result."""

from __future__ import annotations

import contextlib
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
from typing import IO, Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Union

from ftlab.errors import ConfigError

_PROGRAM = (sys.executable, "-c", "from ftlab.sweeps.worker import main; main()")
_MOST_TOLD = 2000  # last characters of a dead process's output that are reported
_PATIENCE_S = 10  # for a dying process to be gone: it may write a core dump first
ATTEMPTS = 2


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The outcome of one task. figures: None if it failed, for the reason in reason. The rest describes the machine."""

    address: str
    figures: Optional[Dict[str, Any]]
    reason: str
    attempts: int
    wall_s: float
    cpu_s: Optional[float]
    host: str


class Died(Exception):
    """The process ended before it answered; the message says how. status: as in subprocess."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class Worker:
    """Starts and controls the process. It is started when there is work, and again after it died. A process that dies costs
    at most its current point, which is tried a second time. One thread at a time may use it.

    states: the folder of aged drives. limit_s: longest time for a point in seconds; 0: no limit.
    """

    def __init__(self, states: str, limit_s: float = 0, program: Sequence[str] = _PROGRAM) -> None:
        self._states, self._limit_s, self._program = states, limit_s, program
        self._process: Optional["subprocess.Popen[str]"] = None
        self._said = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        self._closed = False

    def execute(self, task: Dict[str, Any]) -> Outcome:
        """Waits for the answer. Raises RuntimeError if the process does not start at all, Died after close()."""
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
        """Ends the process at once. Callable from any thread; a call that waits for an answer raises Died."""
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
                if death.status > 0:  # it would end like this every time
                    raise RuntimeError(f"a worker does not start: {death}") from None
                raise
            return process
        return self._process

    def _begin(self) -> "subprocess.Popen[str]":
        self._said.seek(0)
        self._said.truncate()
        process = subprocess.Popen(self._program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said,
                                   text=True, encoding="utf-8", env=_environment(),
                                   start_new_session=True)  # the parent handles Ctrl-C
        self._process = process
        if self._closed:  # meanwhile, by another thread
            self._end(0)
            raise Died("closed", 0)
        return process

    def _death(self) -> Died:
        """A description of how the process ended; waits until it is gone."""
        status = self._end(_PATIENCE_S)
        self._said.seek(0)
        said = self._said.read()[-_MOST_TOLD:].strip()
        how = f"was ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
        return Died(f"its process {how}" + (f" ({said.splitlines()[-1]})" if said else ""), status)

    def _end(self, patience_s: float) -> int:
        """Returns the exit status. Closes its input, on which it ends by itself, and kills it after `patience_s`."""
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
    """This process's environment, extended so that the worker finds the same package."""
    import ftlab
    package = str(pathlib.Path(ftlab.__file__).parent.parent)
    others = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": package + (os.pathsep + others if others else "")}


def main() -> None:
    """Entry point of the worker process."""
    from ftlab.sweeps.execute import execute
    serve(execute)


def serve(execute: Callable[[Dict[str, Any], str], Dict[str, Any]]) -> None:
    """Answers until the parent is gone, for whatever reason; then ends this process, even in the middle of work."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # keeps other output out of the answers
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
    except Exception as error:  # an exception is a failure of the point, not of the sweep
        return {"reason": f"{type(error).__name__}: {error}"}
    return {"figures": figures, "cpu_s": time.process_time() - began}


# Computing on this machine: several processes, each with one point at a time.

Task = Dict[str, Any]


def processors() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def computed_here(tasks: Sequence[Task], workers: Sequence[Worker]) -> Iterator[Outcome]:
    """Yields outcomes as they arrive. Ends the workers when the caller stops iterating, also because of an exception."""
    waiting: "queue.SimpleQueue[Task]" = queue.SimpleQueue()
    for task in tasks:
        waiting.put(task)
    done: "queue.SimpleQueue[Union[Outcome, BaseException]]" = queue.SimpleQueue()
    threads = [threading.Thread(target=_work, args=(worker, waiting, done), daemon=True) for worker in workers[:len(tasks)]]
    try:
        for thread in threads:
            thread.start()
        for _ in tasks:
            outcome = done.get()
            if isinstance(outcome, BaseException):
                raise outcome
            yield outcome
    except BaseException:
        _close(workers, threads)
        raise


def _work(worker: Worker, waiting: "queue.SimpleQueue[Task]",
          done: "queue.SimpleQueue[Union[Outcome, BaseException]]") -> None:
    try:
        while True:
            done.put(worker.execute(waiting.get_nowait()))
    except queue.Empty:
        pass
    except BaseException as error:  # raised in the waiting thread
        done.put(error)


def _close(workers: Iterable[Worker], threads: List[threading.Thread]) -> None:
    for worker in workers:
        worker.close()
    for thread in threads:
        thread.join()


# Computing on a Dask cluster (the package distributed). Each cluster thread has a worker process of its own, the same as on
# this machine, so a crash costs only its point and no process of the cluster.

_AHEAD = 4  # queued tasks per thread of the cluster
_CONNECT_S = 30
_beside = threading.local()  # per thread of the cluster: its worker


@contextlib.contextmanager
def connected(scheduler: Any) -> Iterator[Any]:
    """The distributed.Client given, or a new one for the address. Raises ConfigError if no scheduler answers there."""
    from distributed import Client
    if isinstance(scheduler, Client):
        yield scheduler
        return
    try:
        client = Client(scheduler, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise ConfigError(f"no Dask scheduler answers: {error}", key="scheduler", got=str(scheduler)) from None
    with client:
        yield client


def computed_on(client: Any, tasks: Sequence[Task], states: str, limit_s: float) -> Iterator[Outcome]:
    """Yields outcomes as they arrive. If a machine disappears, its tasks run on another one; a task to which this happens
    repeatedly (distributed.scheduler.allowed-failures) fails. Queued tasks are cancelled when the caller stops iterating."""
    from distributed import as_completed
    waiting = iter(tasks)
    futures = as_completed(loop=client.loop)
    try:
        _submit(client, waiting, futures, states, limit_s)
        for future in futures:
            yield _outcome(future)
            _submit(client, waiting, futures, states, limit_s)
    finally:
        client.cancel(list(futures.futures), force=True)


def _submit(client: Any, waiting: Iterator[Task], futures: Any, states: str, limit_s: float) -> None:
    """Submits enough tasks to keep every thread busy; the cluster may grow meanwhile."""
    threads = sum(client.nthreads().values())
    while futures.count() < max(threads, 1) * _AHEAD:
        task = next(waiting, None)
        if task is None:
            return
        future = client.submit(_execute, task, states, limit_s, key=f"ftlab-{task['address']}", pure=False)
        futures.add(future)


def _execute(task: Task, states: str, limit_s: float) -> Outcome:
    made_for = (states, limit_s)
    if getattr(_beside, "made_for", None) != made_for:
        if hasattr(_beside, "worker"):
            _beside.worker.close()
        _beside.worker, _beside.made_for = Worker(states, limit_s), made_for
    return _beside.worker.execute(task)


def _outcome(future: Any) -> Outcome:
    """Waits if a machine disappeared with the outcome, which is then made again on another one."""
    try:
        outcome: Outcome = future.result()
        return outcome
    except Exception as error:  # of the cluster, or the worker does not start
        address = future.key[len("ftlab-"):]
        return Outcome(address, None, f"the cluster gave it up: {error}", 1, 0.0, None, socket.gethostname())
