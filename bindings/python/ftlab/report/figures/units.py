"""Units in which times are drawn, so that most numbers of a picture are easy to read."""

from __future__ import annotations

from typing import Iterable, Tuple

import numpy as np
import pandas as pd

from ftlab.report.picture import Axis

LATENCIES = ((1e6, "s"), (1e3, "ms"), (1.0, "µs"))
TIMES = ((1.0, "s"), (60.0, "min"), (3600.0, "h"))


def latency_unit(values_us: Iterable[np.ndarray]) -> Tuple[float, str]:
    """Number of microseconds in the unit, and its name: the largest unit in which the median is at least 1, so that a few
    slow requests do not make the others unreadable. Microseconds if there are no values."""
    arrays = [np.asarray(values, dtype=float).ravel() for values in values_us]
    known = np.concatenate([array[np.isfinite(array)] for array in arrays] or [np.zeros(0)])
    median = float(np.median(known)) if len(known) else 1.0
    return next(((us, name) for us, name in LATENCIES if median >= us), LATENCIES[-1])


def unit_of_points(points: Iterable[pd.DataFrame]) -> Tuple[float, str]:
    """One unit for all latencies of a procedure's page: that of its 99th percentiles, or of its means if it has none."""
    columns = [table["latency_us_p99" if "latency_us_p99" in table else "latency_us_mean"] for table in points]
    return latency_unit([column.to_numpy(dtype=float) for column in columns])


def time_axis(ends_s: Iterable[float], label: str = "Time") -> Tuple[Axis, float]:
    """The axis and the seconds per unit: s up to 5 minutes, min up to 12 hours, then h."""
    longest = max(ends_s, default=0.0)
    seconds, unit = TIMES[0] if longest <= 300 else TIMES[1] if longest <= 12 * 3600 else TIMES[2]
    return Axis(label, unit), seconds
