"""Computes the points of a grid: many processes or a Dask cluster, results kept one by one.

Resumed by the same command: points that are done are not computed again. Exit status: 0 all points done, 2 the grid was
refused, 3 some points failed, 4 a result could not be written, 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import sqlite3
import sys
from typing import TYPE_CHECKING, Any, Dict, Tuple

from ftlab.errors import ConfigError
from ftlab.sweeps.sweep import Sweep, sweep
from ftlab.sweeps.figures import MOST_ROWS, noted, table_of, told
from ftlab.sweeps.words import add_words, grid_of, refuse_words_beside

if TYPE_CHECKING:
    import pandas as pd  # at run time where a table is made: it takes half a second

DONE, FAILED, NOT_KEPT, INTERRUPTED = 0, 3, 4, 130
CSV = "sweep.csv"
_MOST_LISTED = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ftlab sweep`."""
    parser.add_argument("grid", nargs="?", metavar="GRID.json", help="file that describes the sweep; see docs/guide.md")
    add_words(parser)
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder of the results: new, or of the same sweep")
    parser.add_argument("--processes", type=int, metavar="N", help="on this machine (default: one for each processor)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="compute on the Dask cluster of this scheduler")
    parser.add_argument("--shard", default="1/1", metavar="i/n", help="the i-th of n shares of the points")
    parser.add_argument("--retry-failed", action="store_true", help="try points that failed before again")
    parser.add_argument("--no-cache", action="store_true",
                        help="make states of drives without ftlab's cache (see ftlab cache)")
    parser.add_argument("--limit-s", type=float, default=0, metavar="S", help="how long a point may take, in seconds")
    parser.add_argument("--parquet", metavar="FILE", help="write the rows to this file as well, at the end")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Returns the exit status."""
    if arguments.parquet:
        import pyarrow  # noqa: F401  if it is missing, say so before the work
    if arguments.no_cache:
        os.environ["FTLAB_CACHE_LIMIT"] = "0"  # also of the processes that compute the points
    if arguments.grid is not None:
        refuse_words_beside(arguments)
    try:
        made = sweep(arguments.grid or grid_of(arguments), arguments.out, processes=arguments.processes,
                     scheduler=arguments.scheduler,
                     shard=_shard(arguments.shard), retry_failed=arguments.retry_failed, limit_s=arguments.limit_s)
    except KeyboardInterrupt:
        print(f"interrupted; finished points are kept in {arguments.out}, and the same command continues", file=sys.stderr)
        return INTERRUPTED
    except sqlite3.OperationalError as error:  # a full disk, or the folder was removed
        print(f"{arguments.out}: {error}; finished points are kept, and the same command continues", file=sys.stderr)
        return NOT_KEPT
    if arguments.parquet:
        made.export(arguments.parquet)
    frame = made.frame()
    _write_csv(frame, pathlib.Path(arguments.out) / CSV)
    print(json.dumps(_told(made)) if arguments.json else _sentence(made, arguments.out) + _table(frame, made.problems))
    return FAILED if made.count.failed else DONE


def _write_csv(frame: pd.DataFrame, path: pathlib.Path) -> None:
    """Writes the finished rows completely or not at all; other shards may write the file at the same time."""
    partial = path.with_name(f"{path.name}.partial-{os.getpid()}")
    frame.to_csv(partial, index=False)
    os.replace(partial, path)


def _table(frame: pd.DataFrame, problems: pd.DataFrame) -> str:
    """The first rows, followed by problems that make figures worthless."""
    if frame.empty:
        return ""
    lines = [table_of(frame).to_string(index=False, float_format=lambda value: f"{value:.5g}")]
    lines += [f"{len(frame) - MOST_ROWS} more rows in {CSV}"] if len(frame) > MOST_ROWS else []
    lines += [f"problem: {line}" for line in told(problems)] + [f"note: {note}" for note in noted(frame)]
    return "\n\n" + "\n".join(lines)


def _shard(word: str) -> Tuple[int, int]:
    index, slash, count = word.partition("/")
    if slash and index.isdecimal() and count.isdecimal():
        return int(index), int(count)
    raise ConfigError("is not a shard", key="--shard", got=word, allowed="i/n: the i-th of n, from 1")


def _told(made: Sweep) -> Dict[str, Any]:
    count = made.count
    return {"points": count.points, "done": count.done, "failed": count.failed, "computed": count.computed,
            "kept": count.kept, "failures": json.loads(made.failures.to_json(orient="records")),
            "problems": json.loads(made.problems.to_json(orient="records"))}


def _sentence(made: Sweep, out: str) -> str:
    count = made.count
    lines = [f"{count.points} points: {count.kept} were done before, {count.computed} computed now, "
             f"{count.failed} failed; results in {out}"]
    failures = made.failures.to_dict("records")
    lines += [f"  failed: {row}" for row in failures[:_MOST_LISTED]]
    if len(failures) > _MOST_LISTED:
        lines.append(f"  and {len(failures) - _MOST_LISTED} more")
    return "\n".join(lines)
