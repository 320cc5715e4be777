"""The results of a sweep in one SQLite file. Each is stored in its own transaction, so a kill at any moment loses only
the points in progress."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import sqlite3
import time
from typing import Any, Dict, Iterator, List, Mapping, Sequence, Tuple, Union

from ftlab.errors import ConfigError
from ftlab.sweeps.plan import Plan
from ftlab.sweeps.worker import Outcome

FILE = "sweep.sqlite"
_FORMAT = 1
_WAIT_S = 60  # for another process that is writing
_TABLES = """
CREATE TABLE about (format INTEGER NOT NULL, identity TEXT NOT NULL, keys TEXT NOT NULL);
CREATE TABLE points (position INTEGER PRIMARY KEY, address TEXT NOT NULL, seed TEXT NOT NULL, choice TEXT NOT NULL);
CREATE TABLE results (address TEXT PRIMARY KEY, figures TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE failures (address TEXT PRIMARY KEY, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE efforts (address TEXT NOT NULL, wall_s REAL NOT NULL, cpu_s REAL, attempts INTEGER NOT NULL, host TEXT NOT NULL,
                      ended_at REAL NOT NULL);
CREATE INDEX of_address ON efforts (address);
"""


class Store:
    """The file in a sweep's folder. Several processes of one machine may write to it at the same time (SQLite's
    write-ahead log needs shared memory)."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self._database = sqlite3.connect(folder / FILE, timeout=_WAIT_S, isolation_level=None)
        try:
            self._use_write_ahead_log()
            self._database.execute("PRAGMA synchronous=NORMAL")
        except sqlite3.DatabaseError as error:
            self._database.close()
            raise ConfigError(f"is not a sweep's file: {error}", file=str(folder / FILE)) from None

    @classmethod
    def open(cls, folder: Union[str, "os.PathLike[str]"]) -> "Store":
        """Opens an existing sweep. Raises ConfigError if the folder has none."""
        place = pathlib.Path(folder)
        if not (place / FILE).is_file():
            raise ConfigError(f"is not a sweep's folder: it has no {FILE}", file=os.fspath(folder))
        store = cls(place)
        if not store._begun():
            store.close()
            raise ConfigError("is the folder of a sweep that was not begun; start it again", file=os.fspath(folder))
        return store

    @classmethod
    def begin(cls, folder: Union[str, "os.PathLike[str]"], plan: Plan) -> "Store":
        """Opens or creates the sweep of this plan. A plan that contains all points with results, and more, replaces the
        earlier one. Raises ConfigError with the difference if the folder belongs to something else."""
        place = pathlib.Path(folder)
        _refuse_foreign(place)
        place.mkdir(parents=True, exist_ok=True)
        store = cls(place)
        try:
            with store._transaction():
                if not store._begun():
                    store._make_tables()
                    store._write_plan(plan)
                elif store.identity != json.loads(json.dumps(plan.identity)):
                    store._refuse_other(plan)
                    store._write_plan(plan)
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """All data are already stored."""
        self._database.close()

    def keep(self, outcome: Outcome) -> None:
        """Stores one outcome completely or not at all. A result is never replaced; it replaces a failure."""
        with self._transaction():
            if outcome.figures is not None:
                self._database.execute("INSERT OR IGNORE INTO results VALUES (?, ?)",
                                       (outcome.address, json.dumps(outcome.figures, allow_nan=False)))
                self._database.execute("DELETE FROM failures WHERE address = ?", (outcome.address,))
            else:
                self._database.execute("INSERT OR REPLACE INTO failures SELECT ?1, ?2 WHERE NOT EXISTS"
                                       " (SELECT 1 FROM results WHERE address = ?1)", (outcome.address, outcome.reason))
            self._database.execute("INSERT INTO efforts VALUES (?, ?, ?, ?, ?, ?)",
                                   (outcome.address, outcome.wall_s, outcome.cpu_s, outcome.attempts, outcome.host,
                                    time.time()))

    @property
    def identity(self) -> Dict[str, Any]:
        """The identity of the sweep's plan."""
        return dict(json.loads(self._database.execute("SELECT identity FROM about").fetchone()[0]))

    @property
    def keys(self) -> List[str]:
        """The keys that the grid varies, in its order."""
        return list(json.loads(self._database.execute("SELECT keys FROM about").fetchone()[0]))

    def points(self) -> List[Tuple[int, str, int, Dict[str, Any]]]:
        """All points of the grid in its order: position, address, seed, choice."""
        rows = self._database.execute("SELECT position, address, seed, choice FROM points ORDER BY position")
        return [(position, address, int(seed), json.loads(choice)) for position, address, seed, choice in rows]

    def results(self) -> Dict[str, Dict[str, Any]]:
        """Figures by address."""
        return {address: json.loads(figures) for address, figures in
                self._database.execute("SELECT address, figures FROM results ORDER BY address")}

    def done(self) -> "set[str]":
        """The addresses of the results."""
        return {address for address, in self._database.execute("SELECT address FROM results")}

    def failures(self) -> Dict[str, str]:
        """Reasons by address."""
        return dict(self._database.execute("SELECT address, reason FROM failures ORDER BY address"))

    def efforts(self) -> List[Tuple[Any, ...]]:
        """address, wall_s, cpu_s, attempts, host, ended_at (seconds since 1970): one row each time a point ended."""
        return list(self._database.execute("SELECT * FROM efforts ORDER BY ended_at, address"))

    def _use_write_ahead_log(self) -> None:
        """Waits for other processes that open the same new file: while one of them makes this change, SQLite refuses it
        immediately, without its timeout."""
        deadline = time.monotonic() + _WAIT_S
        while True:
            try:
                self._database.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)

    def _begun(self) -> bool:
        """True if a plan was written. Raises ConfigError if the file is another program's or has another format."""
        file = str(self.folder / FILE)
        try:
            tables = {name for name, in self._database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if tables and "about" not in tables:
                raise ConfigError("is not a sweep's file: it has other tables", file=file, got=", ".join(sorted(tables)))
            written = self._database.execute("SELECT format FROM about").fetchone()[0] if tables else _FORMAT
        except sqlite3.DatabaseError as error:
            raise ConfigError(f"is not a sweep's file: {error}", file=file) from None
        if written != _FORMAT:
            raise ConfigError("is of another format", file=file, key="format", got=str(written), allowed=str(_FORMAT))
        return bool(tables)

    def _make_tables(self) -> None:
        for statement in filter(str.strip, _TABLES.split(";")):
            self._database.execute(statement)

    def _write_plan(self, plan: Plan) -> None:
        self._database.execute("DELETE FROM about")
        self._database.execute("DELETE FROM points")
        self._database.execute("INSERT INTO about VALUES (?, ?, ?)",
                               (_FORMAT, json.dumps(plan.identity), json.dumps(plan.grid.keys)))
        self._database.executemany("INSERT INTO points VALUES (?, ?, ?, ?)",
                                   ((point.position, point.address, str(point.seed), json.dumps(point.choice))
                                    for point in plan.points))

    def _refuse_other(self, plan: Plan) -> None:
        """Refuses another sweep's plan. A plan may grow: results stay valid through the content of their points."""
        if self.done() <= plan.tasks.keys():
            return
        difference = first_difference(self.identity, json.loads(json.dumps(plan.identity)))
        where, there, here = difference or ("points", "other", "other")
        raise ConfigError(f"belongs to another sweep: there {where} is {there}, here it is {here}",
                          file=str(self.folder), allowed="a new folder, or a grid that has all points with a result there")

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")


def first_difference(there: Any, here: Any, where: Sequence[str] = ()) -> Union[Tuple[str, str, str], None]:
    """The first difference of two documents: its path and both values, shortened; None if they are equal."""
    if isinstance(there, Mapping) and isinstance(here, Mapping):
        pairs = [(key, there.get(key), here.get(key)) for key in dict.fromkeys([*there, *here])]
    elif isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
        pairs = [(str(i), a, b) for i, (a, b) in enumerate(zip(there, here))]
    else:
        return None if there == here else (".".join(where) or "all", _short(there), _short(here))
    differences = (first_difference(a, b, (*where, key)) for key, a, b in pairs)
    return next((difference for difference in differences if difference), None)


def _short(value: Any) -> str:
    text = "missing" if value is None else json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _refuse_foreign(folder: pathlib.Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise ConfigError("is not a folder", file=str(folder))
    # From one listing, because another process may begin the same sweep meanwhile.
    names = {entry.name for entry in folder.iterdir()} if folder.is_dir() else set()
    if names and not any(name.startswith(FILE) for name in names):
        raise ConfigError("is taken: it has files, but no sweep", file=str(folder), allowed="a new or empty folder")
