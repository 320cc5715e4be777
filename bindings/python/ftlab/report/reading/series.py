"""series.csv: one row per interval of a run; for plain fio runs the same columns from fio's logs."""

from __future__ import annotations

import re
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
    """Each line counts in the window in which it ends; fio writes the end time, up to a quarter of a window late."""
    single = _of_single_requests(logs)
    window_ms = WINDOW_MS if single else max(_window_ms(log) for read in logs.values() for log in read)
    lines = pd.concat([log.assign(kind=kind, file=number) for kind, read in logs.items() for number, log in enumerate(read)])
    count = max(1, round(int(lines["time_ms"].max()) / window_ms + 0.25))
    ends = np.floor(lines["time_ms"] / window_ms) if single else np.round(lines["time_ms"] / window_ms + 0.25) - 1
    lines["window"] = np.clip(ends, 0, count - 1).astype(int)
    columns: Dict[str, object] = {"t_s": np.arange(1, count + 1) * window_ms / 1e3, "length_s": window_ms / 1e3}
    for number, direction in enumerate(DIRECTIONS):
        mine = {kind: lines[(lines["kind"] == kind) & (lines["direction"] == number)] for kind in logs}
        for kind, column in (("bw", f"{direction}_MB_per_s"), ("iops", f"{direction}_iops")):
            if kind in logs:
                columns[column] = _rates(mine[kind], kind, single, window_ms).reindex(range(count), fill_value=0.0)
        for kind in ("lat", "clat"):
            if kind in logs:
                means = mine[kind].groupby("window")["value"].mean() / 1e3
                columns[f"latency_{direction}_us_mean"] = means.reindex(range(count))
    return pd.DataFrame(columns)


def _rates(lines: pd.DataFrame, kind: str, single: bool, window_ms: int) -> pd.Series:
    """Requests or 10^6 bytes per second of all files, by window. Bandwidth logs are in KiB/s."""
    if single:
        each = lines["bs_bytes"] / 1e6 if kind == "bw" else lines["value"]
        return each.groupby(lines["window"]).sum() * 1000.0 / window_ms
    of_files = lines.groupby(["file", "window"])["value"].mean().groupby("window").sum()
    return of_files * (1024 / 1e6 if kind == "bw" else 1.0)


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
