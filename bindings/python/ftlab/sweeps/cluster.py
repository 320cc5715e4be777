"""Computing on a Dask cluster (the package distributed). Each cluster thread has a worker process of its own, the same as
on this machine, so a crash costs only its point and no process of the cluster."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Any, Dict, Iterator, Sequence

from ftlab.errors import ConfigError
from ftlab.sweeps.worker import Outcome, Worker

Task = Dict[str, Any]
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
    if future.status == "finished":
        outcome: Outcome = future.result()
        return outcome
    address = future.key[len("ftlab-"):]
    return Outcome(address, None, f"the cluster gave it up: {future.exception()}", 1, 0.0, None, socket.gethostname())
