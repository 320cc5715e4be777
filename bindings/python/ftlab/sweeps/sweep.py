"""Sweeps: compute a grid of points with many processes, and read the results."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import pathlib
import sqlite3
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from ftlab.errors import ConfigError
from ftlab.notebook import panel
from ftlab.sweeps.worker import Outcome, Worker, computed_here, computed_on, connected, processors
from ftlab.sweeps.figures import PROBLEMS, shown, table_of, told
from ftlab.sweeps.grid import GridLike
from ftlab.sweeps.plan import Plan, Point, Task, make_plan
from ftlab.progress import point_progress
from ftlab.sweeps.store import Store, first_difference
from ftlab.sweeps.summary import summary

if TYPE_CHECKING:
    import pandas as pd  # at run time where a table is made: it takes half a second

Path = Union[str, "os.PathLike[str]"]
SEED = "seed"
_MOST_PROCESSES = 1024
_STATES = "states"


@dataclasses.dataclass(frozen=True)
class Count:
    """Numbers of points of a grid or shard. computed: by the last call. kept: already done before it."""

    points: int
    done: int
    failed: int
    computed: int = 0
    kept: int = 0

    @property
    def open(self) -> int:
        """Neither done nor failed."""
        return self.points - self.done - self.failed


class Sweep:
    """The results of a sweep, in one folder or in the folders of its shards. The folders may grow meanwhile: every method
    reads them again."""

    def __init__(self, folders: Sequence[pathlib.Path], count: Count, points: Optional[Sequence[Point]] = None) -> None:
        self.folders = tuple(folders)
        self.count = count
        self._names = None if points is None else frozenset(_name(point.choice, point.seed) for point in points)

    @classmethod
    def open(cls, *folders: Path) -> "Sweep":
        """Opens the folders of one sweep, with the same grid, files and ftlab. Raises ConfigError if they differ."""
        if not folders:
            raise TypeError("open takes one folder or more")
        places = [pathlib.Path(folder) for folder in folders]
        with _stores(places) as stores:
            _refuse_mixture(stores)
        opened = cls(places, Count(0, 0, 0))
        opened.count = opened._counted()
        return opened

    def frame(self) -> pd.DataFrame:
        """One row per finished point, in grid order: values from its axes, seed, address, and its figures
        (sweeps/figures.py), first the steady ones and those at the end. The rows do not depend on who computed them,
        when, where and in which order."""
        import pandas as pd
        points, results, _, keys = self._read()
        rows = [{**_shown(choice), SEED: seed, "address": address, **shown(results[address])}
                for _, address, seed, choice in points if address in results]
        return pd.DataFrame(rows, columns=_ordered([*keys, SEED, "address"], rows))

    @property
    def failures(self) -> pd.DataFrame:
        """One row per failed point: position in the grid, values from its axes, seed, reason."""
        import pandas as pd
        points, results, failures, keys = self._read()
        rows = [{"position": position, **_shown(choice), SEED: seed, "reason": failures[address]}
                for position, address, seed, choice in points if address in failures and address not in results]
        return pd.DataFrame(rows, columns=["position", *keys, SEED, "reason"])

    @property
    def problems(self) -> pd.DataFrame:
        """One row per problem of each finished point: values from its axes, seed, code, text, remedy. frame() has only
        the codes."""
        import pandas as pd
        points, results, _, keys = self._read()
        rows = [{**_shown(choice), SEED: seed, **problem} for _, address, seed, choice in points
                for problem in results.get(address, {}).get(PROBLEMS) or []]
        return pd.DataFrame(rows, columns=[*keys, SEED, "code", "text", "remedy"])

    def summary(self) -> pd.DataFrame:
        """The replicates of each choice as means with 95 % confidence intervals; see sweeps/summary.py."""
        frame, keys = self.frame(), self._read()[3]
        figures = [name for name in frame.columns if name not in (*keys, SEED, "address")]
        return summary(frame, keys, figures)

    def efforts(self) -> pd.DataFrame:
        """The cost of the results, one row each time a point ended: address, wall_s, cpu_s, attempts, host, ended_at."""
        import pandas as pd
        columns = ["address", "wall_s", "cpu_s", "attempts", "host", "ended_at"]
        with _stores(self.folders) as stores:
            rows = [row for store in stores for row in store.efforts()]
        frame = pd.DataFrame(rows, columns=columns)
        return frame.assign(ended_at=pd.to_datetime(frame["ended_at"], unit="s", utc=True))

    def export(self, path: Path) -> None:
        """Writes the frame as a Parquet file for DuckDB, pandas and others, completely or not at all. Needs pyarrow."""
        partial = pathlib.Path(f"{os.fspath(path)}.partial-{os.getpid()}")
        try:
            self.frame().to_parquet(partial, index=False)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)

    def __repr__(self) -> str:
        if not hasattr(self, "_names"):
            return "<ftlab.Sweep, not made>"
        return f"<ftlab.Sweep of {self.count.points} points, {self.count.done} done, {self.count.failed} failed>"

    def _repr_html_(self) -> str:
        try:
            frame, problems = self.frame(), self.problems
        except (AttributeError, ConfigError, OSError, sqlite3.Error):
            return panel(repr(self), [])
        return panel(repr(self)[1:-1], [], told(problems)) + table_of(frame).to_html(index=False, escape=True, border=0)

    def _read(self) -> Tuple[List[Tuple[int, str, int, Dict[str, Any]]], Dict[str, Any], Dict[str, str], List[str]]:
        with _stores(self.folders) as stores:
            points, keys = stores[0].points(), stores[0].keys
            results = {address: figures for store in stores for address, figures in store.results().items()}
            failures = {address: reason for store in stores for address, reason in store.failures().items()}
        if self._names is not None:
            points = [point for point in points if _name(point[3], point[2]) in self._names]
        return points, results, failures, keys

    def _counted(self, computed: int = 0, kept: int = 0) -> Count:
        points, results, failures, _ = self._read()
        done = sum(address in results for _, address, _, _ in points)
        failed = sum(address in failures and address not in results for _, address, _, _ in points)
        return Count(len(points), done, failed, computed, kept)


def sweep(grid: GridLike, out: Path, *, processes: Optional[int] = None, scheduler: Any = None,
          shard: Tuple[int, int] = (1, 1), retry_failed: bool = False, limit_s: float = 0,
          progress: Optional[bool] = None) -> Sweep:
    """Computes the points of a grid that are not yet in the folder `out`. A second call resumes the first, even if that was
    killed. A grid with additional points also works: existing points are found by their content.

    grid: a grid file (docs/guide.md), or a mapping of the same format. File names in it are relative to the folder of the
        grid file, or to the working folder.
    processes: number on this machine; None: one per processor.
    scheduler: instead of processes, the address of a Dask scheduler, or a distributed.Client. The results are the same.
    shard: (i, n): the i-th of n shards, from 1. Shards may share a folder on one machine, or have one each: Sweep.open.
    retry_failed: True also tries points that failed before.
    limit_s: longest time for a point, in seconds of wall time; 0: no limit.
    progress: True for a line on stderr; None: a line if that is a terminal, otherwise one line per minute.

    A point that fails (an exception, two crashes of its process, the time limit) is in `failures`; the others continue.
    Raises ConfigError before anything is computed if any point is invalid. Ctrl-C ends the call in order and keeps the
    results.
    """
    _refuse_bad_options(processes, scheduler, shard, limit_s)
    plan = make_plan(grid)
    points = plan.shard(*shard)
    with contextlib.closing(Store.begin(out, plan)) as store:
        done = store.done()
        failed = set() if retry_failed else set(store.failures())
        missing = {point.address: plan.tasks[point.address] for point in points
                   if point.address not in done and point.address not in failed}
        with _computer(store, len(missing), processes, scheduler, limit_s) as compute:
            _compute(store, plan, list(missing.values()), compute, progress)
    return _made(store.folder, points, len(missing), done)


def _made(folder: pathlib.Path, points: Sequence[Point], computed: int, done: "set[str]") -> Sweep:
    made = Sweep([folder], Count(0, 0, 0), points)
    made.count = made._counted(computed, sum(point.address in done for point in points))
    return made


def _compute(store: Store, plan: Plan, tasks: Sequence[Task], compute: Any,
             progress: Optional[bool]) -> None:
    """Computes the aged drives, then the points. Points whose drive could not be aged fail with that reason."""
    needed = {task["state"]["address"] for task in tasks if task.get("state")}
    unmade = {outcome.address: outcome for outcome in compute([plan.states[address] for address in sorted(needed)])
              if outcome.figures is None}
    with point_progress(len(tasks), progress) as count:
        for task in tasks:
            if task.get("state") and task["state"]["address"] in unmade:
                store.keep(_without_state(task, unmade[task["state"]["address"]]))
                count(True)
        for outcome in compute([task for task in tasks if not task.get("state")
                                or task["state"]["address"] not in unmade]):
            store.keep(outcome)
            count(outcome.figures is None)


def _without_state(task: Task, ageing: Outcome) -> Outcome:
    return dataclasses.replace(ageing, address=task["address"], reason=f"its drive could not be aged: {ageing.reason}")


@contextlib.contextmanager
def _computer(store: Store, count: int, processes: Optional[int], scheduler: Any, limit_s: float) -> Iterator[Any]:
    """A function from tasks to their outcomes, as they arrive."""
    states = str((store.folder / _STATES).resolve())
    if count == 0:
        yield lambda tasks: iter(())
    elif scheduler is not None:
        with connected(scheduler) as client:
            yield lambda tasks: computed_on(client, tasks, states, limit_s)
    else:
        workers = [Worker(states, limit_s) for _ in range(min(processes or processors(), count))]
        try:
            yield lambda tasks: computed_here(tasks, workers)
        finally:
            for worker in workers:
                worker.close()


def _refuse_bad_options(processes: Optional[int], scheduler: Any, shard: Any, limit_s: float) -> None:
    if scheduler is not None and processes is not None:
        raise ConfigError("has no meaning beside scheduler: the cluster has processes of its own", key="processes",
                          got=str(processes))
    if processes is not None and not (_is_whole(processes) and 1 <= processes <= _MOST_PROCESSES):
        raise ConfigError("is out of range", key="processes", got=repr(processes), allowed=f"1 to {_MOST_PROCESSES}")
    if not (isinstance(shard, (tuple, list)) and len(shard) == 2 and all(map(_is_whole, shard))
            and 1 <= shard[0] <= shard[1]):
        raise ConfigError("is not a shard", key="shard", got=repr(shard), allowed="(i, n): the i-th of n, from 1")
    if isinstance(limit_s, bool) or not isinstance(limit_s, (int, float)) or not 0 <= limit_s < float("inf"):
        raise ConfigError("is out of range", key="limit_s", got=repr(limit_s), allowed="seconds; 0: no limit")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


@contextlib.contextmanager
def _stores(folders: Sequence[pathlib.Path]) -> Iterator[List[Store]]:
    with contextlib.ExitStack() as opened:
        yield [opened.enter_context(contextlib.closing(Store.open(folder))) for folder in folders]


def _refuse_mixture(stores: Sequence[Store]) -> None:
    for store in stores[1:]:
        difference = first_difference(stores[0].identity, store.identity)
        if difference:
            where, there, here = difference
            raise ConfigError(f"belongs to another sweep than {stores[0].folder}: there {where} is {there}, "
                              f"here it is {here}", file=str(store.folder))


def _name(choice: Mapping[str, Any], seed: int) -> Tuple[str, int]:
    """Identity of a point, independent of its grid."""
    return json.dumps(choice, sort_keys=True), seed


def _shown(choice: Mapping[str, Any]) -> Dict[str, Any]:
    """Converts lists and objects to JSON, so that columns have plain values."""
    return {key: json.dumps(value) if isinstance(value, (list, dict)) else value for key, value in choice.items()}


def _ordered(first: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> List[str]:
    """Columns: `first`, then all others in order of appearance."""
    return list(dict.fromkeys([*first, *(name for row in rows for name in row)]))
