"""fio's JSON results as data frames. `ftlab run` and `ftlab-measure` write the same format."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import numpy as np
import pandas as pd

from ftlab.errors import ConfigError
from ftlab.report.reading.size import bytes_of
from ftlab.report.reading.text_file import field, number_or_nan, shown

DIRECTIONS = ("read", "write", "trim", "mixed")
JOB_COLUMNS = ["job", "direction", "rw", "bs", "iodepth", "numjobs", "requests", "iops", "MB_per_s",
               "latency_us_mean", "latency_us_p50", "latency_us_p99", "latency_us_p99.9", "latency_us_max"]


@dataclass(frozen=True)
class FioJobs:
    """`jobs`: one row per job and direction with requests (JOB_COLUMNS; bs in bytes, MB of 10^6 bytes, completion
    latencies, but the mean of total latency). `latencies`: the bins of json+ (job, direction, latency_ns, count), may be
    empty. `failed`: jobs that ended with an error. `options`: as `[job] option`; options for all jobs as `[global]
    option`."""

    jobs: pd.DataFrame
    latencies: pd.DataFrame
    failed: List[str]
    options: Dict[str, str]


def read_fio(document: Any, path: Path) -> FioJobs:
    """Raises ConfigError if the document is not in fio's format."""
    rows: List[Dict[str, Any]] = []
    bins: List[pd.DataFrame] = []
    failed = []
    for label, job, options in _jobs(document, path):
        if job.get("error"):
            failed.append(label)
        for direction in DIRECTIONS:
            part = job.get(direction)
            if isinstance(part, dict) and part.get("total_ios"):
                rows.append(_row(label, direction, part, options, path))
                bins.append(_bins(label, direction, part, path))
    none = pd.DataFrame({"job": [], "direction": [], "latency_ns": [], "count": []})
    latencies = pd.concat([b for b in bins if len(b)] or [none], ignore_index=True)
    return FioJobs(pd.DataFrame(rows, columns=JOB_COLUMNS), latencies, failed, _all_options(document))


def _jobs(document: Any, path: Path) -> Iterator[Tuple[str, Dict[str, Any], Dict[str, str]]]:
    """Each job with a unique label and the options that apply to it."""
    common = document.get("global options", {}) if isinstance(document, dict) else {}
    used: Dict[str, int] = {}
    for job in field(document, "jobs", list, path):
        name = field(job, "jobname", str, path)
        used[name] = used.get(name, 0) + 1
        label = name if used[name] == 1 else f"{name} #{used[name]}"
        options = {**_options(common), **_options(job.get("job options", {}))}
        yield label, job, options


def _all_options(document: Any) -> Dict[str, str]:
    own = [("global", document.get("global options"))]
    own += [(str(job["jobname"]), job.get("job options")) for job in document["jobs"]]
    return {f"[{name}] {key}": value for name, options in own for key, value in _options(options).items()}


def _options(options: Any) -> Dict[str, str]:
    return {str(key): str(value) for key, value in options.items()} if isinstance(options, dict) else {}


def _row(label: str, direction: str, part: Dict[str, Any], options: Dict[str, str],
         path: Path) -> Dict[str, Any]:
    completion = _object(part, "clat_ns", path) or _object(part, "lat_ns", path)
    greatest = number_or_nan(completion.get("max"))
    percentiles = _object(completion, "percentile", path)
    whole = _object(part, "lat_ns", path) or completion
    synchronous = options.get("ioengine", "psync") in ("sync", "psync", "vsync", "pvsync", "pvsync2")
    return {
        "job": label, "direction": direction, "rw": options.get("rw", options.get("readwrite", "read")),
        "bs": bytes_of(_block(options, direction)), "numjobs": bytes_of(options.get("numjobs", "1")),
        "iodepth": 1.0 if synchronous else bytes_of(options.get("iodepth", "1")),
        "requests": field(part, "total_ios", int, path),
        "iops": float(field(part, "iops", (int, float), path)),
        "MB_per_s": float(field(part, "bw_bytes", (int, float), path)) / 1e6,
        "latency_us_mean": number_or_nan(whole.get("mean")) / 1e3,
        **{f"latency_us_p{percent:g}": _at_most(percentiles.get(f"{percent:.6f}"), greatest) / 1e3 for percent in (50, 99, 99.9)},
        "latency_us_max": greatest / 1e3,
    }


def _at_most(percentile: Any, greatest: float) -> float:
    """Limits a percentile to the maximum: percentiles are bin edges, which may lie above the greatest latency."""
    known = number_or_nan(percentile)
    return greatest if known > greatest else known


def _object(part: Dict[str, Any], key: str, path: Path) -> Dict[str, Any]:
    """The object under `key`, {} if missing."""
    return dict(field(part, key, dict, path)) if part.get(key) is not None else {}


def _block(options: Dict[str, str], direction: str) -> str:
    """fio's bs=READ,WRITE,TRIM; the last size given applies to the rest."""
    sizes = options.get("bs", options.get("blocksize", "4096")).split(",")
    return sizes[min(DIRECTIONS.index(direction), len(sizes) - 1)]


def _bins(label: str, direction: str, part: Dict[str, Any], path: Path) -> pd.DataFrame:
    sources = (_object(part, key, path) for key in ("clat_ns", "lat_ns"))
    source = next((found for found in sources if found.get("bins")), {})
    bins, greatest = _object(source, "bins", path), number_or_nan(source.get("max"))
    for ns, count in bins.items():
        if not re.fullmatch(r"\d{1,18}", ns) or type(count) is not int or not 0 <= count < 2 ** 62:
            raise ConfigError("is not a histogram of latencies", file=str(path), key=f"{label}.{direction}.bins",
                              got=shown({ns: count}), allowed="whole nanoseconds: whole counts")
    pairs = sorted((int(ns), count) for ns, count in bins.items() if count)
    latency, count = zip(*pairs) if pairs else ((), ())
    return pd.DataFrame({"job": label, "direction": direction,
                         "latency_ns": np.fmin(np.array(latency, dtype=float), greatest).astype(np.int64),
                         "count": np.array(count, dtype=np.int64)})
