"""fio's JSON results as data frames. `ftlab run` and `ftlab-measure` write the same format."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Tuple

import numpy as np
import pandas as pd

from ftlab import _core

JOB_COLUMNS = ["job", "direction", "rw", "bs", "iodepth", "numjobs", "requests", "iops", "MB_per_s",
               "latency_us_mean", "latency_us_p50", "latency_us_p99", "latency_us_p99.9", "latency_us_max"]


@dataclass(frozen=True)
class FioJobs:
    """`jobs`: one row per job and direction with requests (JOB_COLUMNS; bs in bytes, NaN if sizes vary, MB of 10^6 bytes,
    completion latencies, but the mean of total latency). `latencies`: the bins of json+ (job, direction, latency_ns,
    count), may be empty. `failed`: jobs that ended with an error. `options`: as `[job] option`; options for all jobs as
    `[global] option`. `ftlab`: that key, as it stands."""

    jobs: pd.DataFrame
    latencies: pd.DataFrame
    failed: List[str]
    options: Dict[str, str]
    ftlab: Any


def read_fio(text: str, file: str) -> FioJobs:
    """Raises ConfigError if the text is not in fio's format."""
    read = _core.fio_jobs(text, file)
    jobs = list(_labelled(read["jobs"]))
    figures = [(label, direction, one) for label, job in jobs for direction, one in job["figures"].items()]
    rows = [{"job": label, **row_of(direction, one), "requests": one["requests"]} for label, direction, one in figures]
    none = pd.DataFrame({"job": [], "direction": [], "latency_ns": [], "count": []})
    bins = [_bins(label, direction, one) for label, direction, one in figures if len(one["bins"][0])]
    options = [("global", read["options"]), *((job["name"], job["options"]) for job in read["jobs"])]
    return FioJobs(pd.DataFrame(rows, columns=JOB_COLUMNS), pd.concat(bins or [none], ignore_index=True),
                   [label for label, job in jobs if job["failed"]],
                   {f"[{name}] {key}": value for name, own in options for key, value in own.items()}, read["ftlab"])


def row_of(direction: str, figures: Dict[str, Any]) -> Dict[str, Any]:
    """JOB_COLUMNS but the job and its requests; NaN where a figure is unknown."""
    known = {key: float("nan") if value is None else value for key, value in figures.items()}
    greatest, percentiles = known.get("max_ns", float("nan")), figures["percentiles"]
    # Percentiles are bin edges, which may lie above the greatest latency.
    least = {f"latency_us_p{p:g}": np.fmin(percentiles[p], greatest) / 1e3 for p in (50, 99, 99.9) if p in percentiles}
    return {"direction": direction, "rw": known["rw"], "bs": float(known["block_bytes"]) or float("nan"),
            "iodepth": float(known["depth"]), "numjobs": float(known["jobs"]), "iops": known["iops"],
            "MB_per_s": known["bytes_per_s"] / 1e6, "latency_us_mean": known["mean_ns"] / 1e3, **least,
            "latency_us_max": greatest / 1e3}


def _labelled(jobs: List[Dict[str, Any]]) -> Iterator[Tuple[str, Dict[str, Any]]]:
    """Each job with a unique label."""
    used: Dict[str, int] = {}
    for job in jobs:
        name = job["name"]
        used[name] = used.get(name, 0) + 1
        yield name if used[name] == 1 else f"{name} #{used[name]}", job


def _bins(label: str, direction: str, figures: Dict[str, Any]) -> pd.DataFrame:
    latency, count = (np.asarray(column) for column in figures["bins"])
    greatest = np.nan if figures["max_ns"] is None else figures["max_ns"]
    found = pd.DataFrame({"job": label, "direction": direction, "latency_ns": np.fmin(latency, greatest).astype(np.int64),
                          "count": count.astype(np.int64)})
    return found[found["count"] > 0]


# Sizes in fio's notation: 4k, 1m, 512.

FACTORS = {"": 1, "k": 1024, "m": 1024 ** 2, "g": 1024 ** 3, "t": 1024 ** 4}


def bytes_of(text: str) -> float:
    """Bytes of a size; NaN if it is not a single size. fio's default: k is 1024."""
    found = re.fullmatch(r"(\d+)\s*([kmgt]?)(i?b)?", text.strip().lower())
    return float(int(found.group(1)) * FACTORS[found.group(2)]) if found else float("nan")


def words_of(size_bytes: float) -> str:
    """131072 becomes `128 KiB`: the largest unit that divides the size."""
    for name, factor in (("GiB", 1024 ** 3), ("MiB", 1024 ** 2), ("KiB", 1024)):
        if size_bytes >= factor and size_bytes % factor == 0:
            return f"{size_bytes / factor:g} {name}"
    return f"{size_bytes:g} B"
