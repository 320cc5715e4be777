"""Scatter of a run's figures, by one rule over the intervals of its series.

Runs drift from a fast start to a slow end, and other runs of the job drift alike. Drift is not scatter. The
scatter of a mean is therefore computed from the differences of neighbouring batches of intervals, on which a drift over
many batches has little effect (J. von Neumann, "Distribution of the ratio of the mean square successive difference to the
variance", Annals of Mathematical Statistics 12, 1941). Two runs whose intervals end at the same times are compared interval
by interval: drift or noise that both have in common cancels out. Student's t gives the 95 % intervals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

import numpy as np
import pandas as pd

from ftlab.sweeps.summary import half_width as half_width_of_mean, t_quantile

BATCHES, MOST_BATCHES, LONG_BATCH, FEWEST = 10, 20, 20, 5  # more than 10 batches only if each has 20 intervals
SMALL_DRIFT = 0.02  # as a share of the mean over a period; still counts as steady
FEWEST_SHARED = 0.5  # share of either run's intervals needed to compare interval by interval
NAN = float("nan")


@dataclass(frozen=True)
class Track:
    """A quantity per interval of a period: the end time, the value and its weight in the mean."""

    ends_s: np.ndarray
    values: np.ndarray
    weights: np.ndarray

    def known(self) -> "Track":
        """Only the intervals that have a value and a weight."""
        inside = np.isfinite(self.values) & np.isfinite(self.weights) & (self.weights > 0)
        return Track(self.ends_s[inside], self.values[inside], self.weights[inside])

    def mean(self) -> float:
        return float(np.average(self.values, weights=self.weights)) if len(self.values) else NAN

    def contributions(self) -> np.ndarray:
        """Contribution of each interval to the mean: their unweighted mean is the weighted mean."""
        mean = self.mean()
        return mean + self.weights * (self.values - mean) / self.weights.mean()


def relative_scatter(track: Track) -> float:
    """Half-width of the mean's 95 % interval, corrected for drift, as a share of the mean; NaN if unknown."""
    known = track.known()
    return _half_width(known.contributions()) / known.mean() if len(known.values) >= FEWEST and known.mean() > 0 else NAN


def paired_scatter(first: Track, other: Track) -> Optional[float]:
    """Half-width of the 95 % interval of the difference of two means, as a share of the first mean, from the differences
    per interval. None if too few intervals of the two end at the same times."""
    one, two = first.known(), other.known()
    _, mine, its = np.intersect1d(_milliseconds(one), _milliseconds(two), return_indices=True)
    if len(mine) < max(FEWEST, FEWEST_SHARED * max(len(one.values), len(two.values))) or one.mean() <= 0:
        return None
    return _half_width(two.contributions()[its] - one.contributions()[mine]) / one.mean()


def _milliseconds(track: Track) -> np.ndarray:
    return np.round(track.ends_s * 1e3).astype(np.int64)


def _half_width(values: np.ndarray) -> float:
    """Half-width of the 95 % interval of a series' mean, corrected for drift."""
    count = min(len(values), max(BATCHES, min(MOST_BATCHES, len(values) // LONG_BATCH)))
    means = np.array([part.mean() for part in np.array_split(values, count)])
    variance = float((np.diff(means) ** 2).sum()) / (2 * (count - 1))
    degrees = 2 * (count - 1) ** 2 // (3 * count - 4)  # equivalent degrees of freedom
    return t_quantile(0.975, degrees) * float(np.sqrt(variance / count))


@dataclass(frozen=True)
class Level:
    """A quantity over a period of a run: its mean and the half-width of the mean's 95 % interval."""

    from_s: float
    to_s: float
    mean: float
    half_width: float


def batch_means(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted means of ten batches of neighbours; empty if fewer than five intervals have a value and a weight."""
    known = np.isfinite(values) & (weights > 0)
    if known.sum() < FEWEST:
        return np.zeros(0)
    parts = np.array_split(np.flatnonzero(known), min(BATCHES, int(known.sum())))
    return np.array([np.average(values[part], weights=weights[part]) for part in parts])


def steady_level(series: pd.DataFrame, values: np.ndarray, from_s: float, to_s: float) -> Optional[Level]:
    """The longest tail of a period (all, three quarters, half or a quarter of it) in which the batch means have no drift:
    the slope of the line fitted to them is below what may occur by chance (95 %), or below 2 %. A start unlike the rest
    can mask a drift with its scatter, so a shorter tail is preferred if it halves the interval (after K. White, "An
    effective truncation heuristic for bias reduction in simulation output", Simulation 69, 1997). None if there is no
    such tail, or fewer than ten intervals."""
    length = series["length_s"].to_numpy()
    best: Optional[Level] = None
    for share in (1.0, 0.75, 0.5, 0.25):
        begin = to_s - share * (to_s - from_s)
        inside = within(series, begin, to_s)
        means = batch_means(values[inside], length[inside])
        if inside.sum() < BATCHES or len(means) < BATCHES or _drifts(means):
            continue
        level = Level(begin, to_s, float(means.mean()), half_width_of_mean(list(means)))
        if best is None or level.half_width < best.half_width / 2:
            best = level
    return best


def within(series: pd.DataFrame, from_s: float, to_s: float) -> np.ndarray:
    """Mask of the intervals that lie entirely within a period."""
    t, length = series["t_s"].to_numpy(), series["length_s"].to_numpy()
    return np.asarray((t - length >= from_s - 1e-9) & (t <= to_s + 1e-9))


def _drifts(means: np.ndarray) -> bool:
    place = np.arange(len(means)) - (len(means) - 1) / 2
    slope = float((place * means).sum() / (place ** 2).sum())
    rest = means - means.mean() - slope * place
    error = np.sqrt((rest ** 2).sum() / (len(means) - 2) / (place ** 2).sum())
    small = abs(slope) * (len(means) - 1) <= SMALL_DRIFT * abs(means.mean())
    return not small and abs(slope) > t_quantile(0.975, len(means) - 2) * error
