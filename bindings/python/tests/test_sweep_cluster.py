"""The same sweep on a Dask cluster of several worker processes: identical rows, also if a worker is killed."""

import contextlib
import os
import signal
import sqlite3
import threading
import time

import pandas as pd
import pytest

import ftlab
from ftlab import ConfigError
from ftlab.sweeps.worker import Outcome
from ftlab.sweeps.worker import _outcome as outcome_of

distributed = pytest.importorskip("distributed")

GRID = {"kind": "wa", "settings": {"blocks": 256, "pages_per_block": 32, "precision": 0.05, "most_batches": 20},
        "axes": [{"policy": ["greedy", "fifo", "random"]}, {"op": [0.1, 0.15, 0.28]}], "seeds": [1, 2]}


@pytest.fixture(scope="module")
def cluster():
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
def test_a_cluster_gives_the_same_rows_also_when_a_worker_is_killed(cluster, here, tmp_path):
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


def test_an_address_where_nobody_answers_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("ftlab.sweeps.worker._CONNECT_S", 1)
    with pytest.raises(ConfigError, match="scheduler: no Dask scheduler answers"):
        ftlab.sweep(GRID, tmp_path, scheduler="tcp://127.0.0.1:1")


class Lost:
    """A future whose machine disappeared after it had finished: the cluster makes it again."""

    key, status = "ftlab-a", "pending"

    def __init__(self, ends_with: "Outcome | Exception") -> None:
        self._ends_with = ends_with

    def exception(self) -> None:
        return None

    def result(self) -> Outcome:
        if isinstance(self._ends_with, Exception):
            raise self._ends_with
        return self._ends_with


def test_an_outcome_whose_machine_disappeared_is_waited_for():
    made = Outcome("a", {"wa": 2.0}, "", 1, 0.1, 0.1, "elsewhere")
    assert outcome_of(Lost(made)) is made
    given_up = outcome_of(Lost(RuntimeError("killed 3 times")))
    assert (given_up.address, given_up.figures, given_up.reason) == ("a", None, "the cluster gave it up: killed 3 times")
