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
from typing import TYPE_CHECKING, Any, Dict, List, Tuple

from ftlab.errors import ConfigError
from ftlab.sweeps.sweep import Sweep, sweep
from ftlab.sweeps.figures import MOST_ROWS, noted, table_of, told

if TYPE_CHECKING:
    import pandas as pd  # at run time where a table is made: it takes half a second

DONE, FAILED, NOT_KEPT, INTERRUPTED = 0, 3, 4, 130
CSV = "sweep.csv"
_MOST_LISTED = 10
_SHORT = {"op": "over_provisioning"}  # of drives; `ftlab wa` itself says op
_OF_RUNS = ("drive", "host", "job", "set_job", "precondition", "until_steady", "untimed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ftlab sweep`."""
    parser.add_argument("grid", nargs="?", metavar="GRID.json", help="file that describes the sweep; see docs/guide.md")
    _add_words(parser)
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
        _refuse_words_beside(arguments)
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


# A grid from words of the command line: `ftlab sweep --drive D --job J --axis KEY=VALUE,VALUE`.

def _add_words(parser: argparse.ArgumentParser) -> None:
    """Adds the options that stand in place of a grid file."""
    parser.add_argument("--drive", metavar="D", help="in place of a grid file: a drive of the library, or a path")
    parser.add_argument("--host", metavar="H", help="the host computer")
    parser.add_argument("--job", metavar="J", help="the job file; without --drive and --job the sweep is of `ftlab wa`")
    parser.add_argument("--axis", action="append", default=[], metavar="KEY=V,V",
                        help="a key that varies and its values, as ftl.gc.policy=greedy,fifo, op=7%%,28%% or "
                             "job:iodepth=1,32")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=V", help="a setting of all points")
    parser.add_argument("--set-job", action="append", default=[], metavar="KEY=V", help="a job option of all points")
    parser.add_argument("--seeds", type=int, metavar="N", help="replicates of each point [1]")
    parser.add_argument("--precondition", metavar="STATE",
                        help="sequential, random or steady: state of each drive, made once")
    parser.add_argument("--until-steady", metavar="SHARE", help="end each point in its steady state, as with ftlab run")
    parser.add_argument("--untimed", action="store_true", help="without a clock")


def grid_of(arguments: argparse.Namespace) -> Dict[str, Any]:
    """A grid as in a file (docs/guide.md). Raises ConfigError."""
    given = [name for name in _OF_RUNS if getattr(arguments, name)]
    if not arguments.axis:
        raise ConfigError("needs a grid file, or axes", file="ftlab sweep", key="--axis", allowed="--axis KEY=VALUE,VALUE")
    is_run = bool(given)
    grid: Dict[str, Any] = {"kind": "run" if is_run else "wa",
                            "axes": [axis_of("--axis", word, is_run) for word in arguments.axis]}
    grid.update({name: getattr(arguments, name)
                 for name in ("drive", "host", "job", "until_steady") if getattr(arguments, name)})
    settings, options = _settings("--set", arguments.set, is_run), _settings("--set-job", arguments.set_job, False)
    grid.update({key: value for key, value in (("settings", settings), ("job_settings", options)) if value})
    if arguments.precondition:
        grid["age"] = {"precondition": arguments.precondition}
    if arguments.untimed:
        grid["untimed"] = True
    if arguments.seeds is not None:
        grid["seeds"] = {"first": 1, "count": arguments.seeds}
    return grid


def _refuse_words_beside(arguments: argparse.Namespace) -> None:
    """Raises ConfigError if a grid file is given together with words that describe a grid."""
    for name in (*_OF_RUNS, "axis", "set", "seeds"):
        if getattr(arguments, name) not in (None, False, []):
            raise ConfigError("describes a sweep, and so does the grid file", file="ftlab sweep",
                              key="--" + name.replace("_", "-"), got=str(arguments.grid), allowed="one of the two")


def axis_of(option: str, word: str, is_run: bool) -> Dict[str, List[Any]]:
    """KEY=VALUE,VALUE as an axis of a grid. is_run: of runs, not of `ftlab wa`. Raises ConfigError, naming the option."""
    key, text = _pair(option, word, is_run)
    whole = _value(text)
    return {key: whole if isinstance(whole, list) else [_value(part) for part in text.split(",")]}


def _settings(option: str, words: List[str], is_run: bool) -> Dict[str, Any]:
    settings: Dict[str, Any] = {}
    for word in words:
        key, text = _pair(option, word, is_run)
        if key in settings:
            raise ConfigError("is set twice", file=option, key=key, got=text)
        settings[key] = _value(text)
    return settings


def _pair(option: str, word: str, is_run: bool) -> Tuple[str, str]:
    key, equals, text = word.partition("=")
    if not key or not equals or not text:
        raise ConfigError("lacks a key or a value", file=option, got=word, allowed="KEY=VALUE")
    return _SHORT.get(key, key) if is_run else key, text


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
