"""The points of a sweep: a row for each, what its axes gave and what came of it."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List

import pandas as pd

from ftlab.errors import ConfigError

WA_KEYS = ("policy", "workload", "frontiers", "op")  # that tables of write amplification may vary
DIRECTIONS = ("read", "write", "trim")
SPARE = ("op", "over_provisioning_effective", "over_provisioning")


@dataclass(frozen=True)
class SweepTable:
    """`keys`: the columns that the axes gave and that vary, in the order of the grid. `points`: replicates (seeds) are
    folded to their means; columns of figures are numbers."""

    name: str
    keys: List[str]
    points: pd.DataFrame

    def figures(self) -> Dict[str, str]:
        """Of interest and there: column -> its words, with the unit."""
        known = {"wa": "Write amplification"}
        for direction in DIRECTIONS:
            known[f"{direction}_iops"] = f"Throughput, {direction} (IOPS)"
            known[f"{direction}_latency_us_p99"] = f"p99, {direction} (µs)"
        return {column: words for column, words in known.items()
                if column in self.points and column not in self.keys and self.points[column].notna().any()}

    def spare(self) -> str:
        """The column of over-provisioning, "" without one."""
        return next((column for column in SPARE if column in self.points and self.points[column].notna().any()), "")

    def words(self, row: int) -> str:
        """What tells a point from the others."""
        return ", ".join(f"{key} {self.points[key].iloc[row]}" for key in self.keys) or "the only point"


def read_sweep_table(folder: Path, name: str) -> SweepTable:
    """Of the folder of `ftlab sweep`. Raises ConfigError."""
    sweeps = importlib.import_module("ftlab.sweeps")
    frame: pd.DataFrame = sweeps.Sweep.open(folder).frame()
    if len(frame) == 0:
        raise ConfigError("has no point that is done", file=str(folder))
    return make_sweep_table(frame, [str(key) for key in frame.columns[:list(frame.columns).index("seed")]], name)


def make_sweep_table(frame: pd.DataFrame, keys: List[str], name: str) -> SweepTable:
    varied = [key for key in keys if key in frame and frame[key].nunique() > 1]
    numbers = [column for column in frame if column not in varied and column != "seed"
               and pd.api.types.is_numeric_dtype(frame[column]) and not pd.api.types.is_bool_dtype(frame[column])]
    if not varied:
        return SweepTable(name, varied, frame[numbers].mean().to_frame().T)
    return SweepTable(name, varied, frame.groupby(varied, sort=False, as_index=False, dropna=False)[numbers].mean())
