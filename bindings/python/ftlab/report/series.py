"""series.csv: what happened in each interval of a run. Of a plain fio run the same columns from its logs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Dict, List, Optional

import numpy as np
import pandas as pd

from ftlab.errors import ConfigError
from ftlab.report.text_file import read_text, read_table

DIRECTIONS = ("read", "write", "trim")
LOG_NAME = re.compile(r"_(bw|iops|lat|clat)(?:\.\d+)?\.log$")
WINDOW_MS = 1000  # into which logs of single requests are gathered


def read_series(path: Path) -> pd.DataFrame:
    """One row an interval that ends at `t_s` and is `length_s` long; all columns float64, NaN: nothing to say.

    Raises ConfigError; times must ascend.
    """
    table = read_table(path, required=("t_s", "length_s"))
    _check_ascending(path, table["t_s"].to_numpy())
    return table


def whole_intervals(series: pd.DataFrame) -> pd.DataFrame:
    """Without those shorter than a tenth of the usual one: the last of a run may be microseconds long, and its
    rates mean nothing."""
    return series[series["length_s"] >= series["length_s"].median() / 10]


def series_of_logs(folder: Path) -> Optional[pd.DataFrame]:
    """The same columns from fio's *_bw, *_iops, *_lat and *_clat logs; jobs are added up, of latencies the mean
    over the logs' windows. None without such logs. Logs of single requests are gathered in windows of 1 s.

    Raises ConfigError.
    """
    logs: Dict[str, List[pd.DataFrame]] = {}
    for path in sorted(folder.glob("*.log")):
        found = LOG_NAME.search(path.name)
        if found:
            logs.setdefault(found.group(1), []).append(_read_log(path))
    if "lat" in logs:  # of the whole request, as in series.csv
        logs.pop("clat", None)
    logs = {kind: read for kind, read in logs.items() if any(len(log) for log in read)}
    return _gather(logs) if logs else None


def _check_ascending(path: Path, t_s: np.ndarray) -> None:
    wrong = np.flatnonzero(~(np.diff(t_s) > 0))
    if len(wrong):
        raise ConfigError("does not ascend", file=str(path), line=int(wrong[0]) + 3, key="t_s",
                          got=f"{t_s[wrong[0] + 1]:g} after {t_s[wrong[0]]:g}")


def _read_log(path: Path) -> pd.DataFrame:
    """Columns ms, value, direction, bytes."""
    rows = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        cells = line.split(",")
        try:
            row = [int(cell) for cell in cells[:4]]
        except ValueError:
            row = []
        if len(row) < 4 or not 0 <= row[2] < len(DIRECTIONS) or row[0] < 0:
            raise ConfigError("is no line of a fio log", file=str(path), line=number, got=line,
                              allowed="milliseconds, value, direction (0, 1, 2), bytes")
        rows.append(row)
    return pd.DataFrame(rows, columns=["ms", "value", "direction", "bytes"])


def _gather(logs: Dict[str, List[pd.DataFrame]]) -> pd.DataFrame:
    window_ms = max(_window_ms(log) for read in logs.values() for log in read)
    every = pd.concat([log for read in logs.values() for log in read])
    ends = np.arange(1, int(np.ceil(every["ms"].max() / window_ms)) + 1) * window_ms
    table = pd.DataFrame({"t_s": ends / 1e3, "length_s": window_ms / 1e3})
    for number, direction in enumerate(DIRECTIONS):
        for kind, column in (("bw", f"{direction}_MB_per_s"), ("iops", f"{direction}_iops")):
            if kind in logs:
                table[column] = sum(_rates(log, kind, number, window_ms, len(ends)) for log in logs[kind])
        for kind in ("lat", "clat"):
            if kind in logs:
                table[f"latency_{direction}_us_mean"] = _mean_us(pd.concat(logs[kind]), number, window_ms, len(ends))
    return table


def _window_ms(log: pd.DataFrame) -> int:
    """The log's own averaging window; of single requests WINDOW_MS."""
    steps = np.diff(np.unique(log["ms"].to_numpy()))
    usual = int(np.median(steps)) if len(steps) else WINDOW_MS
    return usual if usual >= 100 and not _of_single_requests(log) else WINDOW_MS


def _of_single_requests(log: pd.DataFrame) -> bool:
    return len(log) > 3 * len(DIRECTIONS) * len(np.unique(log["ms"]))


def _place(log: pd.DataFrame, window_ms: int, count: int) -> np.ndarray:
    """fio stamps a window by its end, some milliseconds late at times: the nearest end counts."""
    late = window_ms // 4
    return np.clip(np.ceil((log["ms"].to_numpy() - late) / window_ms).astype(int) - 1, 0, count - 1)


def _rates(log: pd.DataFrame, kind: str, direction: int, window_ms: int, count: int) -> np.ndarray:
    """Requests or 10^6 bytes a second in each window. A window without a line had no request: 0."""
    mine = log[log["direction"] == direction]
    place = _place(mine, window_ms, count)
    if _of_single_requests(log):
        each = mine["bytes"].to_numpy() / 1e6 if kind == "bw" else np.ones(len(mine))
        return np.bincount(place, weights=each, minlength=count) * 1000.0 / window_ms
    lines = np.maximum(np.bincount(place, minlength=count), 1)
    unit = 1024 / 1e6 if kind == "bw" else 1.0  # bandwidth logs are in KiB/s
    return np.bincount(place, weights=mine["value"].to_numpy() * unit, minlength=count) / lines


def _mean_us(log: pd.DataFrame, direction: int, window_ms: int, count: int) -> np.ndarray:
    mine = log[log["direction"] == direction]
    place = _place(mine, window_ms, count)
    lines = np.bincount(place, minlength=count).astype(float)
    lines[lines == 0] = np.nan
    return np.bincount(place, weights=mine["value"].to_numpy() / 1e3, minlength=count) / lines
