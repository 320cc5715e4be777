"""Averages replicates: means with 95 % confidence intervals by Student's t."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, List, Sequence

if TYPE_CHECKING:
    import pandas as pd  # at run time where a table is made: it takes half a second

CONFIDENCE = 0.95
PROBLEMS = "problems"


def half_width(values: Sequence[float], confidence: float = CONFIDENCE) -> float:
    """Half-width of the confidence interval of the mean of independent values; nan for fewer than two.

    t * s / sqrt(n), t with n - 1 degrees of freedom: "Student", Biometrika 6 (1908).
    """
    count = len(values)
    if count < 2:
        return math.nan
    import numpy as np
    return t_quantile(0.5 + confidence / 2, count - 1) * float(np.std(values, ddof=1)) / math.sqrt(count)


@functools.lru_cache(maxsize=None)
def t_quantile(share: float, degrees: int) -> float:
    """The quantile of Student's t for the probability `share`, 0.5 to 1; degrees: at least 1. To 1e-12, by bisection."""
    if not 0.5 <= share < 1 or degrees < 1:
        raise ValueError(f"no quantile of Student's t for {share!r} and {degrees!r} degrees of freedom")
    low, high = 0.0, 1.0
    while _t_share(high, degrees) < share:
        low, high = high, high * 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _t_share(middle, degrees) < share else (low, middle)
    return (low + high) / 2


def _t_share(t: float, degrees: int) -> float:
    """P(T <= t) for t >= 0, exactly: Abramowitz and Stegun 26.7.3 (odd degrees) and 26.7.4 (even)."""
    angle = math.atan2(t, math.sqrt(degrees))
    square = math.cos(angle) ** 2
    term, total = 1.0, 0.0
    for k in range(2 + degrees % 2, degrees + 1, 2):
        total += term
        term *= square * (k - 1) / k
    if degrees % 2 == 0:
        within = math.sin(angle) * total
    else:
        within = 2 / math.pi * (angle + math.sin(angle) * math.cos(angle) * total)
    return 0.5 + within / 2


def summary(frame: pd.DataFrame, keys: Sequence[str], figures: Sequence[str]) -> pd.DataFrame:
    """One row per choice, in the order of the frame: keys, replicates, and for each numeric figure NAME_mean and
    NAME_ci95 (the half-width; nan with one replicate). Words and flags are kept only if all replicates agree; problems
    are those of all replicates."""
    import pandas as pd
    rows: List[dict] = []
    grouped = frame.groupby([frame[key].map(repr) for key in keys], sort=False) if keys else [((), frame)]
    for _, group in grouped:
        row = {key: group[key].iloc[0] for key in keys}
        row["replicates"] = len(group)
        for figure in figures:
            row.update({figure: _together(group[figure])} if figure == PROBLEMS else _folded(figure, group[figure]))
        rows.append(row)
    return pd.DataFrame(rows)


def _together(codes: "pd.Series") -> str:
    """`a;b` and `b;c` as `a;b;c`."""
    return ";".join(dict.fromkeys(code for row in codes.dropna() for code in row.split(";") if code))


def _folded(figure: str, values: "pd.Series") -> dict:
    import pandas as pd
    if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values):
        known = values.dropna().astype("float64").to_numpy()
        return {f"{figure}_mean": known.mean() if len(known) else math.nan, f"{figure}_ci95": half_width(known)}
    agreed = values.nunique(dropna=False) == 1
    return {figure: values.iloc[0]} if agreed else {}
