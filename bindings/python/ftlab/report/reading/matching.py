"""Which workloads two results have in common."""

from __future__ import annotations

from typing import Sequence

import pandas as pd

WORKLOAD = ["rw", "direction", "bs", "iodepth", "numjobs"]


def match_points(simulated: pd.DataFrame, measured: pd.DataFrame,
                 keys: Sequence[str] = WORKLOAD) -> pd.DataFrame:
    """Rows of both frames that agree in `keys`, with columns of both, suffixed _simulated and _measured. Rows that occur
    twice in one frame are also matched by the job's name, and dropped if that is ambiguous."""
    if simulated.duplicated(keys).any() or measured.duplicated(keys).any():
        keys = [*keys, "job"] if "job" in simulated and "job" in measured else keys
    once = [frame[~frame.duplicated(keys, keep=False)] for frame in (simulated, measured)]
    return once[0].merge(once[1], on=list(keys), suffixes=("_simulated", "_measured"))
