"""blocks.json: snapshots of all superblocks of a drive over simulated time.

The format is described at the top of validation/run/traces/block_recording.h. The file is not trusted: a damaged one is
refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, NoReturn, Tuple, Union

import numpy as np

from ftlab.blocks import STATES
from ftlab.errors import ConfigError
from ftlab.report.reading.facts import fits, is_number
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
    for key, (shape, allowed) in _HEADER.items():
        _demand(document, key, shape, allowed, path)
    superblocks, pictures = document["superblocks"], document["pictures"]
    if superblocks * pictures > MOST_CELLS:
        problem = f"are of {superblocks} superblocks: {superblocks * pictures} cells"
        _refuse(path, "pictures", problem, pictures, f"at most {MOST_CELLS} cells")
    decoded = {name: _decoded(document["columns"], name, pictures, superblocks, path) for name in COLUMNS}
    _demand(document, "erases_at_end", lambda value: fits(value, [_COUNT]) and len(value) == superblocks,
            f"{superblocks} counts, one for each superblock", path)
    at_end = np.array(document["erases_at_end"], dtype=np.uint32)
    _check_relations(document, decoded, at_end, path)
    for name in HOST_LISTS:
        _demand(document["host"], name, lambda value: fits(value, [_is_rate]) and len(value) == pictures,
                f"{pictures} numbers from 0 on or null, one for each picture", path, "host.")
    lists = {name: np.array(document["host"][name], dtype=np.float64) for name in HOST_LISTS}
    time_s = (document["from_ns"] + document["every_ns"] * np.arange(pictures, dtype=np.float64)) / 1e9
    return Recording(path, document, time_s, decoded, lists, at_end)


def _refuse(path: Path, key: str, problem: str, got: Any = None, allowed: str = "") -> NoReturn:
    raise ConfigError(problem, file=str(path), key=key, got="" if got is None else shown(got), allowed=allowed)


def _demand(document: Dict[str, Any], key: str, shape: Any, allowed: str, path: Path, front: str = "") -> None:
    if key not in document:
        _refuse(path, front + key, "is missing")
    if not fits(document[key], shape):
        _refuse(path, front + key, "is of the wrong kind", document[key], allowed)


def _read_document(path: Path) -> Dict[str, Any]:
    """Supplies defaults for recordings of earlier versions, which do not name the dies of a superblock."""
    if not path.is_file():
        _refuse(path, "", "is missing: record it with `ftlab run --record-blocks FROM:TO:EVERY`")
    size = path.stat().st_size
    if size > MOST_BYTES:
        _refuse(path, "", "is too large", size, f"at most {MOST_BYTES} bytes")
    document = read_json(path)
    if not isinstance(document, dict):
        _refuse(path, "", "is not a recording: not an object", document)
    return document if "first_dies" in document else {**document, "dies_per_superblock": 1, "first_dies": [0]}


def _whole(least: int, most: int) -> Tuple[Callable[[Any], bool], str]:
    """Whole numbers in a range, and the words for it."""
    return lambda value: type(value) is int and least <= value <= most, f"a whole number, {least} to {most}"


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MOST_TEXT


def _is_rate(value: Any) -> bool:
    return value is None or (is_number(value) and value >= 0)


_COUNT, _TIME = _whole(0, MOST_NUMBER)[0], _whole(0, (1 << 63) - 1)  # fio's own limit
_HEADER: Dict[str, Any] = {
    "format": (FORMAT.__eq__, FORMAT), "version": (lambda value: type(value) is int and value == VERSION, str(VERSION)),
    "superblocks": _whole(1, MOST_CELLS), "pictures": _whole(0, MOST_PICTURES),
    "drive": (_is_text, f"a text of at most {MOST_TEXT} characters"), "superblock_pages": _whole(1, MOST_NUMBER),
    "page_bytes": _whole(1, MOST_NUMBER), "blocks_per_superblock": _whole(1, MOST_NUMBER),
    "user_pages": _whole(0, MOST_NUMBER), "from_ns": _TIME, "to_ns": _TIME, "ended_ns": _TIME,
    "every_ns": _whole(1, (1 << 63) - 1), "states": (list(STATES).__eq__, ", ".join(STATES)),
    "frontiers": ([{"takes": _is_text}], "a list of objects with the text takes"),
    "gc": ({"start_free_superblocks": _COUNT, "stop_free_superblocks": _COUNT},
           "start_free_superblocks and stop_free_superblocks"),
    "dies_per_superblock": _whole(1, MOST_NUMBER),
    "first_dies": (lambda value: value != [] and fits(value, [_COUNT]), "a list of die numbers"),
    "phases": ([{"name": _is_text, "from_s": is_number, "to_s": is_number}], "a list of name, from_s and to_s"),
    "columns": (dict, "an object"), "host": (dict, "an object"),
}


def _decoded(columns: Dict[str, Any], name: str, pictures: int, superblocks: int, path: Path) -> np.ndarray:
    """Decodes one column to an array of shape (pictures, superblocks)."""
    _demand(columns, name, lambda value: isinstance(value, list) and len(value) == pictures,
            f"{pictures} lists, one for each picture", path, "columns.")
    decoded = np.zeros((pictures, superblocks), dtype=np.uint32)
    now = np.zeros(superblocks, dtype=np.int64)
    for picture, runs in enumerate(columns[name]):
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
