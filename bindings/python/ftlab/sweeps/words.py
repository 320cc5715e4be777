"""A grid from words of the command line: `ftlab sweep --drive D --job J --axis KEY=VALUE,VALUE`."""

from __future__ import annotations

import argparse
import json
from typing import Any, Dict, List, Tuple

from ftlab.errors import ConfigError

_SHORT = {"op": "over_provisioning"}  # of drives; `ftlab wa` itself says op
_OF_RUNS = ("drive", "host", "job", "set_job", "precondition", "until_steady", "untimed")


def add_words(parser: argparse.ArgumentParser) -> None:
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


def refuse_words_beside(arguments: argparse.Namespace) -> None:
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
