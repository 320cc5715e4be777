"""Chooses the unit in which latencies are drawn."""

from __future__ import annotations

from typing import Iterable, Tuple

import numpy as np

UNITS = ((1e6, "s"), (1e3, "ms"), (1.0, "µs"))


def latency_unit(values_us: Iterable[np.ndarray]) -> Tuple[float, str]:
    """Number of microseconds in the unit, and its name: the largest unit in which the median is at least 1, so that a few
    slow requests do not make the others unreadable. Microseconds if there are no values."""
    arrays = [np.asarray(values, dtype=float).ravel() for values in values_us]
    known = np.concatenate([array[np.isfinite(array)] for array in arrays] or [np.zeros(0)])
    median = float(np.median(known)) if len(known) else 1.0
    return next(((us, name) for us, name in UNITS if median >= us), UNITS[-1])
