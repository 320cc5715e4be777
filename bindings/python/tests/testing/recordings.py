"""Recordings for tests: one made by the program, and small ones made by hand."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Sequence

import numpy as np
import pytest

REPOSITORY = Path(__file__).parents[4]
STATES = ["free", "open", "closed", "collecting", "emptied", "retired"]
HOST = ["write_MB_per_s", "read_MB_per_s", "trim_MB_per_s", "wa", "latency_write_us_mean",
        "latency_write_us_p99", "latency_read_us_mean", "latency_read_us_p99", "host_write_pages",
        "relocated_pages", "collected_superblocks", "erased_blocks", "trimmed_pages", "free_superblocks", "mapped_pages"]


def record_example(folder: Path) -> Path:
    """Records two minutes of the small drive, as documented. Returns the result folder."""
    program = os.environ.get("FTLAB_PROGRAM")
    if not program:
        pytest.fail("set FTLAB_PROGRAM to the ftlab program (build/bin/ftlab): the recording is made by it")
    job = REPOSITORY / "configs/jobs/drive-at-work/fill-overwrite-trim.fio"
    arguments = ["--drive", "example-small-and-slow", "--record-blocks", "0:120:250ms", "--out", str(folder)]
    subprocess.run([program, "run", str(job)] + arguments, check=True, capture_output=True, timeout=120)
    return folder


def runs_of(before: Sequence[int], now: Sequence[int]) -> List[int]:
    """The difference of two pictures as one run from the first changed superblock to the last."""
    changed = [i for i, (a, b) in enumerate(zip(before, now)) if a != b]
    if not changed:
        return []
    first, end = changed[0], changed[-1] + 1
    return [first, end - first] + [int(now[i]) - int(before[i]) for i in range(first, end)]


def column_of(pictures: np.ndarray) -> List[List[int]]:
    """An array of shape (pictures, superblocks) as a column of blocks.json."""
    before = np.zeros((1, pictures.shape[1]), dtype=np.int64)
    rows = np.concatenate([before, pictures.astype(np.int64)])
    return [runs_of(rows[i].tolist(), rows[i + 1].tolist()) for i in range(len(pictures))]


def by_hand(pictures: int = 3, superblocks: int = 4, pages: int = 8) -> Dict[str, Any]:
    """A recording in which superblock 0 repeatedly fills, goes stale and is erased."""
    turn = np.arange(pictures) % 4
    columns = {name: np.zeros((pictures, superblocks), dtype=np.int64)
               for name in ("valid", "written", "state", "erases", "frontier")}
    columns["written"][:, 0] = np.choose(turn, [0, pages, pages, pages])
    columns["valid"][:, 0] = np.choose(turn, [0, pages, pages // 2, pages // 4])
    columns["state"][:, 0] = np.choose(turn, [0, 1, 2, 3])
    columns["frontier"][:, 0] = np.where(turn == 0, 0, 1)
    columns["erases"][:, 0] = np.arange(pictures) // 4
    return {"format": "ftlab block recording", "version": 1, "drive": "by hand", "superblocks": superblocks,
            "superblock_pages": pages, "page_bytes": 4096, "blocks_per_superblock": 2, "user_pages": pages,
            "states": STATES, "frontiers": [{"takes": "host", "pool": 0}, {"takes": "relocation", "pool": 0}],
            "gc": {"start_free_superblocks": 1, "stop_free_superblocks": 2}, "from_ns": 0,
            "to_ns": 10**9 * pictures, "every_ns": 10**9, "pictures": pictures, "ended_ns": 10**9 * pictures,
            "phases": [{"name": "all", "from_s": 0.0, "to_s": float(pictures)}],
            "host": {name: [None] + [1] * (pictures - 1) if pictures else [] for name in HOST},
            "columns": {name: column_of(column) for name, column in columns.items()},
            "erases_at_end": [pictures // 4] + [0] * (superblocks - 1)}


def written(folder: Path, document: Any) -> Path:
    """Writes this document as the folder's blocks.json. Returns the folder."""
    (folder / "blocks.json").write_text(json.dumps(document), encoding="utf-8")
    return folder
