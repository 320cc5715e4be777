"""Published measurements in the format of `validation/measured` (see its README)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List

import numpy as np
import pandas as pd

from ftlab.errors import ConfigError
from ftlab.report.reading.facts import is_number
from ftlab.report.reading.fio_json import JOB_COLUMNS
from ftlab.report.reading.run import Run
from ftlab.report.reading.size import bytes_of, words_of
from ftlab.report.reading.text_file import field, number_or_nan, shown


def is_figure_file(document: Any) -> bool:
    return isinstance(document, dict) and "what" in document and ("points" in document
                                                                  or "minute" in document)


def read_figures(document: Dict[str, Any], path: Path, name: str) -> Run:
    """Points become jobs; curves with one value per minute become a series. Raises ConfigError."""
    rows = [_row(point, path) for point in document.get("points", [])]
    series = _series(document, path) if "minute" in document else None
    notes = [f"{document['what']}; {document.get('source', 'no source')}"]
    bins = pd.DataFrame({"job": [], "direction": [], "latency_ns": [], "count": []})
    return Run(name, path, True, pd.DataFrame(rows, columns=JOB_COLUMNS), bins, series=series, notes=notes)


def _row(point: Any, path: Path) -> Dict[str, Any]:
    block = bytes_of(field(point, "bs", str, path))
    depth, jobs = float(field(point, "iodepth", int, path)), float(field(point, "numjobs", int, path))
    rw = field(point, "rw", str, path)
    return {"job": f"{rw}, {words_of(block)}, depth {depth:g}, {jobs:g} jobs", "rw": rw, "bs": block,
            "direction": field(point, "direction", str, path), "iodepth": depth, "numjobs": jobs,
            "requests": np.nan,
            "iops": float(field(point, "iops", (int, float), path)),
            "MB_per_s": number_or_nan(point.get("bw_bytes")) / 1e6,
            "latency_us_mean": number_or_nan(point.get("clat_mean_us")),
            "latency_us_p99": number_or_nan(point.get("p99_us")),
            "latency_us_p99.9": number_or_nan(point.get("p99_9_us"))}


def _series(document: Dict[str, Any], path: Path) -> pd.DataFrame:
    minutes = _column(document, "minute", path)
    table = pd.DataFrame({"t_s": (minutes + 1) * 60.0, "length_s": 60.0})
    for direction in ("read", "write"):
        if f"{direction}_iops_mean" in document:
            table[f"{direction}_iops"] = _column(document, f"{direction}_iops_mean", path)
    if len(table) and not (np.diff(table["t_s"]) > 0).all():
        raise ConfigError("does not ascend", file=str(path), key="minute")
    return table


def _column(document: Dict[str, Any], key: str, path: Path) -> np.ndarray:
    values: List[Any] = field(document, key, list, path)
    wrong = [value for value in values if not is_number(value)]
    if wrong or len(values) != len(document["minute"]):
        raise ConfigError("is not a list of numbers, one for each minute", file=str(path), key=key,
                          got=shown(wrong[0]) if wrong else str(len(values)))
    return np.array(values, dtype=float)
