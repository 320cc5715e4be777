"""Computing on this machine: several processes, each with one point at a time."""

from __future__ import annotations

import os
import queue
import threading
from typing import Any, Dict, Iterable, Iterator, List, Sequence, Union

from ftlab.sweeps.worker import Outcome, Worker

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
