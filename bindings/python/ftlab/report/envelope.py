"""Reduces the points of long curves without losing outliers."""

from __future__ import annotations

import numpy as np


def thin_out(y: np.ndarray, most: int) -> np.ndarray:
    """Indices of the points to draw, ascending: the first, lowest, highest and last of each group of neighbours.

    Shape (n,) float in, (m,) int out with m <= max(most, 4). Gaps (NaN) are never extremes, but a group that
    contains gaps keeps its first one, so that a line still breaks there.
    """
    if len(y) <= most:
        return np.arange(len(y))
    groups = max(1, most // 5)
    bounds = np.linspace(0, len(y), groups + 1).astype(int)
    kept = [_of_group(y[start:end]) + start for start, end in zip(bounds[:-1], bounds[1:])]
    return np.unique(np.concatenate(kept))


def _of_group(y: np.ndarray) -> np.ndarray:
    gaps = np.flatnonzero(np.isnan(y))
    chosen = [0, len(y) - 1, *gaps[:1]]
    if len(gaps) < len(y):
        chosen += [int(np.nanargmin(y)), int(np.nanargmax(y))]
    return np.array(chosen)
