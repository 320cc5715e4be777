"""blocks.json: snapshots of all superblocks of a drive over simulated time.

The format is described at the top of validation/run/traces/block_recording.h. The file is not trusted: a damaged one is
refused.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, NoReturn, Union

import numpy as np

from ftlab.blocks import STATES
from ftlab.errors import ConfigError
from ftlab.text_file import read_json, shown

FILE_NAME = "blocks.json"
FORMAT, VERSION = "ftlab block recording", 1
COLUMNS = ("valid", "written", "state", "erases", "frontier")
HOST_LISTS = ("write_MB_per_s", "read_MB_per_s", "trim_MB_per_s", "wa", "latency_write_us_mean",
              "latency_write_us_p99", "latency_read_us_mean", "latency_read_us_p99", "host_write_pages",
              "relocated_pages", "collected_superblocks", "erased_blocks", "trimmed_pages",
              "free_superblocks", "mapped_pages")
MOST_PICTURES, MOST_CELLS = 2000, 1 << 22  # the recorder's own limits
MOST_BYTES = 256 << 20
MOST_NUMBER = (1 << 32) - 1  # in a column
MOST_TEXT = 1000


@dataclass(frozen=True)
class Recording:
    """A checked blocks.json.

    `columns[name]`: uint32 array of shape (pictures, superblocks); the format describes each column. `host[name]`: float64
    array with one value per picture, NaN for null in the file. `time_s[i]`: time of picture i in seconds of the run.
    `document`: the file's contents, for drawing.
    """

    path: Path
    document: Dict[str, Any]
    time_s: np.ndarray
    columns: Dict[str, np.ndarray]
    host: Dict[str, np.ndarray]
    erases_at_end: np.ndarray

    @property
    def pictures(self) -> int:
        return len(self.time_s)

    @property
    def superblocks(self) -> int:
        return len(self.erases_at_end)


def has_recording(folder: Union[str, Path]) -> bool:
    return (Path(folder) / FILE_NAME).is_file()


def read_recording(folder: Union[str, Path]) -> Recording:
    """Reads the recording of a result folder. Raises ConfigError if it is missing or damaged."""
    path = Path(folder) / FILE_NAME
    document = _read_document(path)
    _check_format(document, path)
    superblocks = _whole(document, "superblocks", path, 1, MOST_CELLS)
    pictures = _whole(document, "pictures", path, 0, MOST_PICTURES)
    if superblocks * pictures > MOST_CELLS:
        problem = f"are of {superblocks} superblocks: {superblocks * pictures} cells"
        _refuse(path, "pictures", problem, pictures, f"at most {MOST_CELLS} cells")
    _check_header(document, path)
    columns = _part(document, "columns", dict, path)
    decoded = {name: _decoded(columns, name, pictures, superblocks, path) for name in COLUMNS}
    at_end = _erases_at_end(document, superblocks, path)
    _check_relations(document, decoded, at_end, path)
    host = _part(document, "host", dict, path)
    lists = {name: _numbers(host, name, pictures, path) for name in HOST_LISTS}
    time_s = (document["from_ns"] + document["every_ns"] * np.arange(pictures, dtype=np.float64)) / 1e9
    return Recording(path, document, time_s, decoded, lists, at_end)


def _refuse(path: Path, key: str, problem: str, got: Any = None, allowed: str = "") -> NoReturn:
    raise ConfigError(problem, file=str(path), key=key, got="" if got is None else shown(got), allowed=allowed)


def _read_document(path: Path) -> Dict[str, Any]:
    if not path.is_file():
        _refuse(path, "", "is missing: record it with `ftlab run --record-blocks FROM:TO:EVERY`")
    size = path.stat().st_size
    if size > MOST_BYTES:
        _refuse(path, "", "is too large", size, f"at most {MOST_BYTES} bytes")
    document = read_json(path)
    if not isinstance(document, dict):
        _refuse(path, "", "is not a recording: not an object", document)
    return document


def _part(document: Dict[str, Any], key: str, kind: type, path: Path) -> Any:
    if key not in document:
        _refuse(path, key, "is missing")
    if not isinstance(document[key], kind):
        words = {"dict": "an object", "list": "a list", "str": "text"}
        _refuse(path, key, "is not " + words[kind.__name__], document[key])
    return document[key]


def _whole(document: Dict[str, Any], key: str, path: Path, least: int, most: int) -> int:
    if key not in document:
        _refuse(path, key, "is missing")
    value = document[key]
    if type(value) is not int or not least <= value <= most:
        _refuse(path, key, "is not a whole number in its range", value, f"{least} to {most}")
    return value


def _text(document: Dict[str, Any], key: str, path: Path) -> str:
    text: str = _part(document, key, str, path)
    if len(text) > MOST_TEXT:
        _refuse(path, key, "is too long", text, f"at most {MOST_TEXT} characters")
    return text


def _check_format(document: Dict[str, Any], path: Path) -> None:
    if document.get("format") != FORMAT:
        _refuse(path, "format", "is not that of a recording", document.get("format"), FORMAT)
    if type(document.get("version")) is not int or document["version"] != VERSION:
        _refuse(path, "version", "is not one that this program reads", document.get("version"), str(VERSION))


def _check_header(document: Dict[str, Any], path: Path) -> None:
    longest = (1 << 63) - 1  # fio's own limit
    _text(document, "drive", path)
    for key in ("superblock_pages", "page_bytes", "blocks_per_superblock"):
        _whole(document, key, path, 1, MOST_NUMBER)
    _whole(document, "user_pages", path, 0, MOST_NUMBER)
    for key in ("from_ns", "to_ns", "ended_ns"):
        _whole(document, key, path, 0, longest)
    _whole(document, "every_ns", path, 1, longest)
    if tuple(_part(document, "states", list, path)) != STATES:
        _refuse(path, "states", "are not those of this version", document["states"], ", ".join(STATES))
    for number, frontier in enumerate(_part(document, "frontiers", list, path)):
        if not isinstance(frontier, dict):
            _refuse(path, f"frontiers[{number}]", "is not an object", frontier)
        _text(frontier, "takes", path)
    gc = _part(document, "gc", dict, path)
    for key in ("start_free_superblocks", "stop_free_superblocks"):
        _whole(gc, key, path, 0, MOST_NUMBER)
    _check_dies(document, path)
    _check_phases(_part(document, "phases", list, path), path)


def _check_dies(document: Dict[str, Any], path: Path) -> None:
    """Supplies defaults for recordings of earlier versions, which do not name the dies of a superblock."""
    if "first_dies" not in document:
        document["dies_per_superblock"], document["first_dies"] = 1, [0]
    _whole(document, "dies_per_superblock", path, 1, MOST_NUMBER)
    dies = _part(document, "first_dies", list, path)
    if not dies or not all(type(die) is int and 0 <= die <= MOST_NUMBER for die in dies):
        _refuse(path, "first_dies", "is not a list of die numbers", dies)


def _check_phases(phases: List[Any], path: Path) -> None:
    for number, phase in enumerate(phases):
        key = f"phases[{number}]"
        if not isinstance(phase, dict):
            _refuse(path, key, "is not an object", phase)
        _text(phase, "name", path)
        for name in ("from_s", "to_s"):
            if not _is_number(phase.get(name)):
                _refuse(path, f"{key}.{name}", "is not a number", phase.get(name))


def _is_number(value: Any) -> bool:
    if type(value) is int:
        return abs(value) < 1 << 63
    return type(value) is float and math.isfinite(value)


def _numbers(lists: Dict[str, Any], name: str, pictures: int, path: Path) -> np.ndarray:
    values = _part(lists, name, list, path)
    if len(values) != pictures:
        _refuse(path, f"host.{name}", "has not one number for each picture", len(values), str(pictures))
    for number, value in enumerate(values):
        if value is not None and (not _is_number(value) or value < 0):
            _refuse(path, f"host.{name}[{number}]", "is neither null nor a number from 0 on", value)
    return np.array([math.nan if value is None else value for value in values], dtype=np.float64)


def _erases_at_end(document: Dict[str, Any], superblocks: int, path: Path) -> np.ndarray:
    values = _part(document, "erases_at_end", list, path)
    if len(values) != superblocks:
        problem = "has not one number for each superblock"
        _refuse(path, "erases_at_end", problem, len(values), str(superblocks))
    for number, value in enumerate(values):
        if type(value) is not int or not 0 <= value <= MOST_NUMBER:
            _refuse(path, f"erases_at_end[{number}]", "is not a count", value)
    return np.array(values, dtype=np.uint32)


def _decoded(columns: Dict[str, Any], name: str, pictures: int, superblocks: int, path: Path) -> np.ndarray:
    """Decodes one column to an array of shape (pictures, superblocks)."""
    lists = _part(columns, name, list, path)
    if len(lists) != pictures:
        _refuse(path, f"columns.{name}", "has not one list for each picture", len(lists), str(pictures))
    decoded = np.zeros((pictures, superblocks), dtype=np.uint32)
    now = np.zeros(superblocks, dtype=np.int64)
    for picture, runs in enumerate(lists):
        key = f"columns.{name}[{picture}]"
        _apply(runs, now, key, path)
        if now.min() < 0 or now.max() > MOST_NUMBER:
            _refuse(path, key, "leaves the range of a count", None, f"0 to {MOST_NUMBER}")
        decoded[picture] = now
    return decoded


def _apply(runs: Any, now: np.ndarray, key: str, path: Path) -> None:
    """Adds the differences of one picture: [unchanged, n, d1, ..., dn, unchanged, n, ...]."""
    if not isinstance(runs, list) or not all(type(v) is int and abs(v) <= MOST_NUMBER for v in runs):
        _refuse(path, key, "is not a list of whole numbers of 32 bits")
    block, i = 0, 0
    while i < len(runs):
        if i + 2 > len(runs) or runs[i] < 0 or runs[i + 1] < 1 or i + 2 + runs[i + 1] > len(runs):
            _refuse(path, key, f"has a broken run at number {i}")
        block, count = block + runs[i], runs[i + 1]
        if block + count > len(now):
            _refuse(path, key, "reaches beyond the last superblock", block + count, f"up to {len(now)}")
        now[block:block + count] += np.array(runs[i + 2:i + 2 + count], dtype=np.int64)
        block, i = block + count, i + 2 + count


def _check_relations(document: Dict[str, Any], columns: Dict[str, np.ndarray], at_end: np.ndarray,
                     path: Path) -> None:
    limits = {"written": document["superblock_pages"], "state": len(STATES) - 1,
              "frontier": len(document["frontiers"])}
    for name, most in limits.items():
        _refuse_where(columns[name] > most, path, f"columns.{name}", f"is above {most}")
    _refuse_where(columns["valid"] > columns["written"], path, "columns.valid", "is above written")
    erases = columns["erases"]
    _refuse_where(erases[1:] < erases[:-1], path, "columns.erases", "falls in the next picture")
    if len(erases) and (erases[-1] > at_end).any():
        block = int(np.flatnonzero(erases[-1] > at_end)[0])
        _refuse(path, f"erases_at_end[{block}]", "is below that of the last picture", int(at_end[block]))


def _refuse_where(wrong: np.ndarray, path: Path, key: str, problem: str) -> None:
    if wrong.any():
        picture, block = (int(number) for number in np.argwhere(wrong)[0])
        _refuse(path, key, f"{problem} in picture {picture}, superblock {block}")
