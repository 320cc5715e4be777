"""Worker processes: the cost of a point that crashes, raises or takes too long."""

import os
import signal
import sys
import threading
import time

import pytest

from ftlab.sweeps.worker import Worker, computed_here

# A worker whose points behave like their names and record every attempt.
PROGRAM = """
import os, pathlib, signal, sys, time
from ftlab.sweeps.worker import serve
def execute(task, states):
    tried = pathlib.Path(states, task["address"])
    tried.write_text(tried.read_text() + "x" if tried.exists() else "x")
    what = task["content"]
    if what == "raise": raise ValueError("this point raises")
    if what == "segv": os.kill(os.getpid(), signal.SIGSEGV)
    if what == "kill once" and len(tried.read_text()) == 1: os.kill(os.getpid(), signal.SIGKILL)
    if what == "exit": print("words before the end", file=sys.stderr); sys.stderr.flush(); os._exit(5)
    if what == "sleep": time.sleep(60)
    print("noise on standard output", flush=True)
    return {"figure": task["number"]}
serve(execute)
"""


def tasks_of(*contents):
    return [{"kind": "test", "address": f"point{i}", "content": content, "number": i} for i, content in enumerate(contents)]


@pytest.fixture
def workers(tmp_path):
    made = [Worker(str(tmp_path), limit_s=5, program=(sys.executable, "-c", PROGRAM)) for _ in range(2)]
    yield made
    for worker in made:
        worker.close()


def tries(tmp_path, number):
    return len((tmp_path / f"point{number}").read_text())


def test_points_that_crash_or_raise_cost_themselves_only(workers, tmp_path):
    tasks = tasks_of("ok", "segv", "ok", "raise", "kill once", "exit", "ok", "ok")
    outcomes = {outcome.address: outcome for outcome in computed_here(tasks, workers)}
    reasons = [outcomes[task["address"]].reason for task in tasks]
    assert reasons == ["", "its process was ended by SIGSEGV, 2 times", "", "ValueError: this point raises", "",
                       "its process ended with status 5 (words before the end), 2 times", "", ""]
    figures = [outcomes[task["address"]].figures for task in tasks]
    assert [row and row["figure"] for row in figures] == [0, None, 2, None, 4, None, 6, 7]
    assert [tries(tmp_path, i) for i in range(8)] == [1, 2, 1, 1, 2, 2, 1, 1]
    assert outcomes["point4"].attempts == 2


def test_a_point_that_takes_too_long_is_ended(tmp_path):
    worker = Worker(str(tmp_path), limit_s=0.5, program=(sys.executable, "-c", PROGRAM))
    ok, slow, after = tasks_of("ok", "sleep", "ok")
    assert worker.execute(ok).figures == {"figure": 0}
    assert worker.execute(slow).reason == "took longer than 0.5 s"
    assert worker.execute(after).figures == {"figure": 2}
    assert tries(tmp_path, 1) == 1
    worker.close()


def test_a_worker_that_cannot_start_ends_the_sweep_with_its_words(tmp_path):
    worker = Worker(str(tmp_path), program=(sys.executable, "-c", "raise SystemExit('no such thing')"))
    with pytest.raises(RuntimeError, match="a worker does not start: its process ended with status 1 .no such thing."):
        list(computed_here(tasks_of("ok", "ok"), [worker]))


def test_leaving_early_ends_the_processes(workers, tmp_path):
    outcomes = computed_here(tasks_of("ok", "sleep", "sleep", "sleep"), workers)
    assert next(outcomes).figures == {"figure": 0}
    processes = [worker._process for worker in workers if worker._process]
    began = time.monotonic()
    outcomes.close()
    assert time.monotonic() - began < 30
    assert all(process.poll() is not None for process in processes)
    assert threading.active_count() < 10


def test_a_process_whose_parent_is_killed_ends_too(tmp_path):
    parent = os.fork()
    if parent == 0:
        worker = Worker(str(tmp_path), program=(sys.executable, "-c", PROGRAM))
        worker._started()
        (tmp_path / "pid").write_text(str(worker._process.pid))
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(parent, 0)
    child = int((tmp_path / "pid").read_text())
    for _ in range(200):
        if not _runs(child):
            return
        time.sleep(0.05)
    pytest.fail("the worker still runs")


def _runs(pid):
    """False also for a zombie, which may have no parent to reap it."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
