"""How far the figures of a run scatter: one rule, over the intervals of its series.

A run drifts: it is the mean of a fast start and a slow end, and a run of the same job drifts alike. The drift is no scatter.
The scatter of a mean is therefore taken from the differences of neighbouring batches of intervals, in which a drift over many
batches counts little (J. von Neumann, "Distribution of the ratio of the mean square successive difference to the variance",
Annals of Mathematical Statistics 12, 1941). Two runs whose intervals end at the same times are compared interval by interval:
what both have in common, drift or noise, falls out of the differences. Student's t gives the 95 % intervals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

import numpy as np
import pandas as pd

from ftlab.sweeps.summary import half_width as half_width_of_mean, t_quantile

BATCHES, MOST_BATCHES, LONG_BATCH, FEWEST = 10, 20, 20, 5  # more than ten batches where each has twenty intervals
SMALL_DRIFT = 0.02  # of the mean over a whole stretch: steady all the same
FEWEST_SHARED = 0.5  # of the intervals of either run, for a comparison interval by interval
NAN = float("nan")


@dataclass(frozen=True)
class Track:
    """A quantity in each interval of a stretch: when it ended, the value and what it weighs in the mean."""

    ends_s: np.ndarray
    values: np.ndarray
    weights: np.ndarray

    def known(self) -> "Track":
        """The intervals that have a value and a weight."""
        inside = np.isfinite(self.values) & np.isfinite(self.weights) & (self.weights > 0)
        return Track(self.ends_s[inside], self.values[inside], self.weights[inside])

    def mean(self) -> float:
        return float(np.average(self.values, weights=self.weights)) if len(self.values) else NAN

    def contributions(self) -> np.ndarray:
        """Of each interval to the mean: their plain mean is the weighted one."""
        mean = self.mean()
        return mean + self.weights * (self.values - mean) / self.weights.mean()


def relative_scatter(track: Track) -> float:
    """The half-width of the 95 % interval of the mean about its drift, as a share of it; NaN where it is not known."""
    known = track.known()
    return _half_width(known.contributions()) / known.mean() if len(known.values) >= FEWEST and known.mean() > 0 else NAN


def paired_scatter(first: Track, other: Track) -> Optional[float]:
    """The half-width of the 95 % interval of the difference of two means, as a share of the first, from the differences
    interval by interval. None where too few intervals of the two end at the same times."""
    one, two = first.known(), other.known()
    _, mine, its = np.intersect1d(_milliseconds(one), _milliseconds(two), return_indices=True)
    if len(mine) < max(FEWEST, FEWEST_SHARED * max(len(one.values), len(two.values))) or one.mean() <= 0:
        return None
    return _half_width(two.contributions()[its] - one.contributions()[mine]) / one.mean()


def _milliseconds(track: Track) -> np.ndarray:
    return np.round(track.ends_s * 1e3).astype(np.int64)


def _half_width(values: np.ndarray) -> float:
    """Of the 95 % interval of the mean of a series, whatever its drift."""
    count = min(len(values), max(BATCHES, min(MOST_BATCHES, len(values) // LONG_BATCH)))
    means = np.array([part.mean() for part in np.array_split(values, count)])
    variance = float((np.diff(means) ** 2).sum()) / (2 * (count - 1))
    degrees = 2 * (count - 1) ** 2 // (3 * count - 4)  # those of an estimate by n - 1 degrees that varies as much
    return t_quantile(0.975, degrees) * float(np.sqrt(variance / count))


@dataclass(frozen=True)
class Level:
    """What a quantity was over a stretch of a run: its mean and the half-width of the 95 % interval of the mean."""

    from_s: float
    to_s: float
    mean: float
    half_width: float


def batch_means(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted means of ten batches of neighbours; empty when fewer than five intervals have a value and a weight."""
    known = np.isfinite(values) & (weights > 0)
    if known.sum() < FEWEST:
        return np.zeros(0)
    parts = np.array_split(np.flatnonzero(known), min(BATCHES, int(known.sum())))
    return np.array([np.average(values[part], weights=weights[part]) for part in parts])


def steady_level(series: pd.DataFrame, values: np.ndarray, from_s: float, to_s: float) -> Optional[Level]:
    """The longest tail of a stretch, of the whole, three quarters, a half or a quarter of it, in which the batch means
    have no drift: the line fitted to them rises or falls by less than it may by chance (95 %), or by less than 2 %. A
    start unlike the rest hides a drift in the scatter that it makes, so a shorter tail is taken that halves the interval
    (after K. White, "An effective truncation heuristic for bias reduction in simulation output", Simulation 69, 1997).
    None where there is none, or fewer than ten intervals."""
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


def level_within(series: pd.DataFrame, values: np.ndarray, from_s: float, to_s: float) -> Level:
    """The mean over a stretch and its half-width, NaN where it is not known."""
    inside = within(series, from_s, to_s)
    part = Track(series["t_s"][inside].to_numpy(), values[inside], series["length_s"][inside].to_numpy()).known()
    return Level(from_s, to_s, part.mean(), relative_scatter(part) * part.mean())


def within(series: pd.DataFrame, from_s: float, to_s: float) -> np.ndarray:
    """Which intervals lie in a stretch altogether."""
    t, length = series["t_s"].to_numpy(), series["length_s"].to_numpy()
    return np.asarray((t - length >= from_s - 1e-9) & (t <= to_s + 1e-9))


def _drifts(means: np.ndarray) -> bool:
    place = np.arange(len(means)) - (len(means) - 1) / 2
    slope = float((place * means).sum() / (place ** 2).sum())
    rest = means - means.mean() - slope * place
    error = np.sqrt((rest ** 2).sum() / (len(means) - 2) / (place ** 2).sum())
    small = abs(slope) * (len(means) - 1) <= SMALL_DRIFT * abs(means.mean())
    return not small and abs(slope) > t_quantile(0.975, len(means) - 2) * error
