"""Computing on a Dask cluster (the package distributed): the same workers as on this machine, one beside each of its
threads, so that a point that crashes costs itself and no process of the cluster."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Any, Dict, Iterator, Sequence

from ftlab.errors import ConfigError
from ftlab.sweeps.worker import Outcome, Worker

Task = Dict[str, Any]
_AHEAD = 4  # tasks that a thread of the cluster has waiting
_CONNECT_S = 30
_beside = threading.local()  # of a thread of the cluster: its worker


@contextlib.contextmanager
def connected(scheduler: Any) -> Iterator[Any]:
    """A distributed.Client: the one given, or one for the address. Raises ConfigError when nobody answers there."""
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
    """The outcomes as they come. Work on a machine that goes away is done on another; a task during which that happens
    again and again (distributed.scheduler.allowed-failures) fails. What waits is cancelled when the caller stops asking."""
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
    """As many as keep every thread busy; the cluster may grow while it works."""
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
