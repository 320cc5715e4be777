"""How far a run's own figures scatter, by batch means over the intervals of its series.

The whole intervals of a stretch are divided into ten batches of neighbours, or as many as there are from five on. The
means of the batches are nearly independent where the intervals themselves are not, so that Student's t gives the 95 %
interval of their mean (A. Law, "Simulation Modeling and Analysis", on batch means). A drift widens the interval: a run
that is not steady has a large scatter, as it should.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

import numpy as np
import pandas as pd

BATCHES, FEWEST = 10, 5
# Two-sided 95 % points of Student's t by degrees of freedom.
T95 = {4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}
SMALL_DRIFT = 0.02  # of the mean over a whole stretch: steady all the same


@dataclass(frozen=True)
class Level:
    """What a quantity was over a stretch of a run: its mean and the half-width of the 95 % interval of the mean."""

    from_s: float
    to_s: float
    mean: float
    half_width: float


def batch_means(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted means of batches of neighbours; empty when fewer than five intervals have a value and a weight."""
    known = np.isfinite(values) & (weights > 0)
    if known.sum() < FEWEST:
        return np.zeros(0)
    parts = np.array_split(np.flatnonzero(known), min(BATCHES, int(known.sum())))
    return np.array([np.average(values[part], weights=weights[part]) for part in parts])


def half_width(means: np.ndarray) -> float:
    """Of the 95 % interval of the mean of batches; NaN without batches."""
    if len(means) < FEWEST:
        return float("nan")
    return float(T95[len(means) - 1] * means.std(ddof=1) / np.sqrt(len(means)))


def relative_scatter(values: np.ndarray, weights: np.ndarray) -> float:
    """The half-width as a share of the mean; NaN where it is not known."""
    means = batch_means(values, weights)
    mean = float(means.mean()) if len(means) else 0.0
    return half_width(means) / mean if mean > 0 else float("nan")


def steady_level(series: pd.DataFrame, values: np.ndarray, from_s: float, to_s: float) -> Optional[Level]:
    """The longest tail of a stretch, of the whole, three quarters, a half or a quarter of it, in which the batch means
    have no drift: the line fitted to them rises or falls by less than it may by chance (95 %), or by less than 2 %. A
    start unlike the rest hides a drift in the scatter that it makes, so a shorter tail is taken that halves the interval
    (after K. White, "An effective truncation heuristic for bias reduction in simulation output", Simulation 69, 1997).
    None where there is none, or fewer than ten intervals."""
    t, length = series["t_s"].to_numpy(), series["length_s"].to_numpy()
    best: Optional[Level] = None
    for share in (1.0, 0.75, 0.5, 0.25):
        begin = to_s - share * (to_s - from_s)
        inside = (t - length >= begin - 1e-9) & (t <= to_s + 1e-9)
        means = batch_means(values[inside], length[inside])
        if inside.sum() < BATCHES or len(means) < BATCHES or _drifts(means):
            continue
        level = Level(begin, to_s, float(means.mean()), half_width(means))
        if best is None or level.half_width < best.half_width / 2:
            best = level
    return best


def level_within(series: pd.DataFrame, values: np.ndarray, from_s: float, to_s: float) -> Level:
    """The mean over a stretch and its half-width, NaN where it is not known."""
    t, length = series["t_s"].to_numpy(), series["length_s"].to_numpy()
    inside = (t - length >= from_s - 1e-9) & (t <= to_s + 1e-9) & np.isfinite(values)
    mean = float(np.average(values[inside], weights=length[inside])) if inside.any() else float("nan")
    return Level(from_s, to_s, mean, half_width(batch_means(values[inside], length[inside])))


def _drifts(means: np.ndarray) -> bool:
    place = np.arange(len(means)) - (len(means) - 1) / 2
    slope = float((place * means).sum() / (place ** 2).sum())
    rest = means - means.mean() - slope * place
    error = np.sqrt((rest ** 2).sum() / (len(means) - 2) / (place ** 2).sum())
    small = abs(slope) * (len(means) - 1) <= SMALL_DRIFT * abs(means.mean())
    return not small and abs(slope) > T95[len(means) - 2] * error
