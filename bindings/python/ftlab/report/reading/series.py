"""series.csv: one row per interval of a run; for plain fio runs the same columns from fio's logs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional

import numpy as np
import pandas as pd

from ftlab import _core
from ftlab.text_file import read_text

DIRECTIONS = ("read", "write", "trim")
LOG_NAME = re.compile(r"_(bw|iops|lat|clat)(?:\.\d+)?\.log$")
WINDOW_MS = 1000  # for logs of single requests


def read_series(path: Path) -> pd.DataFrame:
    """One row per interval, which ends at `t_s` and is `length_s` long; all columns float64, NaN for no data.

    Raises ConfigError; intervals must not overlap.
    """
    return _clipped(pd.DataFrame(_core.series(read_text(path), str(path))))


def _clipped(table: pd.DataFrame) -> pd.DataFrame:
    """Limits percentiles to the maximum: they are upper edges of bins, which may lie above it."""
    for name in [column for column in table if re.fullmatch(r"latency_\w+_us_p[\d.]+", column)]:
        greatest = re.sub(r"p[\d.]+$", "max", name)
        if greatest in table:
            table[name] = table[name].where(~(table[name] > table[greatest]), table[greatest])
    return table


def whole_intervals(series: pd.DataFrame) -> pd.DataFrame:
    """Drops intervals shorter than half the median: the last interval of a run may last only microseconds, so its rates
    and percentiles are not comparable."""
    return series[series["length_s"] >= series["length_s"].median() / 2].reset_index(drop=True)


def series_of_logs(folder: Path) -> Optional[pd.DataFrame]:
    """The same columns from fio's *_bw, *_iops, *_lat and *_clat logs. Rates are summed over jobs, latencies averaged over
    the windows of the logs. None without such logs. Logs of single requests are aggregated in windows of 1 s.

    Raises ConfigError.
    """
    logs: Dict[str, List[pd.DataFrame]] = {}
    for path in sorted(folder.glob("*.log")):
        found = LOG_NAME.search(path.name)
        if found:
            logs.setdefault(found.group(1), []).append(_read_log(path))
    if "lat" in logs:  # total latency, as in series.csv
        logs.pop("clat", None)
    logs = {kind: read for kind, read in logs.items() if any(len(log) for log in read)}
    return _gather(logs) if logs else None


def _read_log(path: Path) -> pd.DataFrame:
    """Columns time_ms, value, direction, bs_bytes."""
    return pd.DataFrame(_core.fio_log(read_text(path), str(path)))


def _gather(logs: Dict[str, List[pd.DataFrame]]) -> pd.DataFrame:
    single = _of_single_requests(logs)
    every = [log for read in logs.values() for log in read]
    window_ms = WINDOW_MS if single else max(_window_ms(log) for log in every)
    last_ms = max(int(log["time_ms"].max()) for log in every if len(log))
    windows = _Windows(window_ms, max(1, round(last_ms / window_ms + 0.25)), single)
    ends = np.arange(1, windows.count + 1) * window_ms
    columns: Dict[str, object] = {"t_s": ends / 1e3, "length_s": window_ms / 1e3}
    for number, direction in enumerate(DIRECTIONS):
        for kind, column in (("bw", f"{direction}_MB_per_s"), ("iops", f"{direction}_iops")):
            if kind in logs:
                columns[column] = sum(windows.rates(log[log["direction"] == number], kind)
                                      for log in logs[kind])
        for kind in ("lat", "clat"):
            if kind in logs:
                log = pd.concat(logs[kind])
                columns[f"latency_{direction}_us_mean"] = windows.mean_us(log[log["direction"] == number])
    return pd.DataFrame(columns)


def _of_single_requests(logs: Dict[str, List[pd.DataFrame]]) -> bool:
    """True if log_avg_msec was 0: each line is one request, with value 1 in IOPS logs."""
    if "iops" in logs:
        return all((log["value"] == 1).all() for log in logs["iops"])
    return all(_window_ms(log) < 100 for read in logs.values() for log in read)


def _window_ms(log: pd.DataFrame) -> int:
    """Median distance between lines; fio is sometimes a millisecond or two late."""
    steps = np.diff(np.unique(log["time_ms"].to_numpy()))
    usual = float(np.median(steps)) if len(steps) else float(WINDOW_MS)
    return max(10, round(usual / 10) * 10)


@dataclass(frozen=True)
class _Windows:
    """A grid of `count` windows of `ms` milliseconds, in which the lines of logs are aggregated."""

    ms: int
    count: int
    single: bool  # lines are requests, not means over windows

    def place(self, log: pd.DataFrame) -> np.ndarray:
        """Index of each line's window. fio writes the end time, up to a quarter of a window late."""
        ends = np.floor(log["time_ms"] / self.ms) if self.single else np.round(log["time_ms"] / self.ms + 0.25) - 1
        return np.asarray(np.clip(ends, 0, self.count - 1), dtype=int)

    def gathered(self, log: pd.DataFrame, weights: np.ndarray) -> np.ndarray:
        return np.bincount(self.place(log), weights=weights, minlength=self.count).astype(float)

    def rates(self, log: pd.DataFrame, kind: str) -> np.ndarray:
        """Requests or 10^6 bytes per second. A window without lines had no requests: 0."""
        if self.single:
            each = log["bs_bytes"].to_numpy() / 1e6 if kind == "bw" else np.ones(len(log))
            return np.asarray(self.gathered(log, each) * 1000.0 / self.ms)
        unit = 1024 / 1e6 if kind == "bw" else 1.0  # bandwidth logs are in KiB/s
        lines = self.gathered(log, np.ones(len(log)))
        return np.asarray(self.gathered(log, log["value"].to_numpy() * unit) / np.maximum(lines, 1))

    def mean_us(self, log: pd.DataFrame) -> np.ndarray:
        lines = self.gathered(log, np.ones(len(log)))
        lines[lines == 0] = np.nan
        return np.asarray(self.gathered(log, log["value"].to_numpy() / 1e3) / lines)
