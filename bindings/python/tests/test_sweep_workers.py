"""Worker processes, here and on a Dask cluster: the cost of a point that crashes, raises or takes too long."""

import contextlib
import os
import signal
import sqlite3
import sys
import threading
import time

import pandas as pd
import pytest

import ftlab
from ftlab import ConfigError
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


# The same sweep on a Dask cluster of several worker processes: identical rows, also if a worker is killed.

GRID = {"kind": "wa", "settings": {"blocks": 256, "pages_per_block": 32, "precision": 0.05, "most_batches": 20},
        "axes": [{"policy": ["greedy", "fifo", "random"]}, {"op": [0.1, 0.15, 0.28]}], "seeds": [1, 2]}


@pytest.fixture(scope="module")
def distributed():
    return pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster(distributed):
    with distributed.LocalCluster(n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None) as made:
        yield made


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    return ftlab.sweep(GRID, tmp_path_factory.mktemp("here"), processes=2).frame()


def kill_after(pid, file, points):
    """Kills a process when the file has this number of finished points."""
    kept = 0
    while kept < points:
        time.sleep(0.02)
        with contextlib.suppress(sqlite3.OperationalError), contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro",
                                                                                               uri=True)) as database:
            kept = database.execute("SELECT count(*) FROM results").fetchone()[0]
    os.kill(pid, signal.SIGKILL)


@pytest.mark.long
def test_a_cluster_gives_the_same_rows_also_when_a_worker_is_killed(distributed, cluster, here, tmp_path):
    with distributed.Client(cluster) as client:
        pids = sorted(client.run(os.getpid).values())
        killer = threading.Thread(target=kill_after, args=(pids[0], tmp_path / "sweep.sqlite", 3))
        killer.start()
        found = ftlab.sweep(GRID, tmp_path, scheduler=client)
        killer.join()
        assert pids[0] not in client.run(os.getpid).values()
    assert (found.count.done, found.count.failed, found.count.computed) == (18, 0, 18)
    pd.testing.assert_frame_equal(found.frame(), here)
    assert len(found.efforts()) == 18


@pytest.mark.long
def test_an_address_does_as_well_as_a_client_and_goes_on_from_here(cluster, here, tmp_path):
    first = ftlab.sweep(GRID, tmp_path, processes=2, shard=(1, 2))
    found = ftlab.sweep(GRID, tmp_path, scheduler=cluster.scheduler_address)
    assert (first.count.computed, found.count.kept, found.count.computed) == (9, 9, 9)
    pd.testing.assert_frame_equal(found.frame(), here)


@pytest.mark.long
def test_runs_on_an_aged_drive_are_the_same_on_a_cluster(cluster, tmp_path):
    (tmp_path / "w.fio").write_text("[w]\nfilename=drive\nrw=randwrite\nbs=4k\nsize=90%\nio_size=8m\n")
    (tmp_path / "age.fio").write_text("[a]\nfilename=drive\nrw=randwrite\nbs=64k\nsize=90%\nio_size=1g\n")
    grid = {"drive": "example-25nm-mlc", "job": str(tmp_path / "w.fio"), "age": {"job": str(tmp_path / "age.fio")},
            "axes": [{"ftl.gc.policy": ["greedy", "fifo"]}]}
    there = ftlab.sweep(grid, tmp_path / "there", scheduler=cluster.scheduler_address)
    pd.testing.assert_frame_equal(there.frame(), ftlab.sweep(grid, tmp_path / "here", processes=1).frame())


def test_an_address_where_nobody_answers_is_refused(distributed, tmp_path, monkeypatch):
    monkeypatch.setattr("ftlab.sweeps.cluster._CONNECT_S", 1)
    with pytest.raises(ConfigError, match="scheduler: no Dask scheduler answers"):
        ftlab.sweep(GRID, tmp_path, scheduler="tcp://127.0.0.1:1")
