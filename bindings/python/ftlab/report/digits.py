"""Formats numbers of a column with the same number of decimals."""

from __future__ import annotations

import math
from typing import List, Sequence, SupportsFloat

THIN = "\u2009"
FIGURES = 4  # significant digits of a column's typical number
MOST_DECIMALS = 9


def number_text(value: "int | float", decimals: "int | None" = None) -> str:
    """With thousands separators: 12 345.6. `decimals` None: up to seven digits, for a number outside of a column."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if decimals is not None:
        return f"{value:,.{decimals}f}".replace(",", THIN)
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value):,}".replace(",", THIN) if abs(value) < 1e15 else f"{value:.6g}"
    if abs(value) < 1e-3 or abs(value) >= 1e15:
        return f"{value:.4g}"
    whole, _, rest = f"{value:,.{max(0, 6 - len(str(int(abs(value)))))}f}".partition(".")
    rest = rest.rstrip("0")
    return whole.replace(",", THIN) + ("." + rest if rest else "")


def decimals_of(values: Sequence[float]) -> "int | None":
    """Number of decimals for a column: 0 for whole numbers, otherwise enough to show four digits of the median number and
    at least two of the smallest. None: the magnitudes differ too much, so each number is formatted separately."""
    known = [float(value) for value in values if value is not None and math.isfinite(value)]
    sizes = sorted(abs(value) for value in known if value)
    if all(value.is_integer() for value in known):
        return 0 if not sizes or sizes[-1] < 1e15 else None
    usual, smallest = sizes[(len(sizes) - 1) // 2], sizes[0]
    wanted = max(FIGURES - 1 - math.floor(math.log10(usual)), 1 - math.floor(math.log10(smallest)), 0)
    exact = max(_decimals(value) for value in known)
    decimals = min(wanted, exact)
    return decimals if decimals <= MOST_DECIMALS and sizes[-1] < 1e15 else None


def column_texts(values: Sequence[object]) -> List[str]:
    """The numbers of a column with the same decimals, "" for None and NaN, words unchanged."""
    numbers = [value for value in values if is_number(value)]
    decimals = decimals_of(numbers)  # type: ignore[arg-type]
    return [number_text(value, decimals) if is_number(value) else _word(value) for value in values]  # type: ignore[arg-type]


def figure_texts(values: Sequence[float], figures: int = FIGURES) -> List[str]:
    """Texts of figures to be compared: so many digits of the median one, with trailing zeros, "" for NaN."""
    sizes = sorted(abs(value) for value in values if value == value and value)
    decimals = max(0, figures - 1 - math.floor(math.log10(sizes[(len(sizes) - 1) // 2]))) if sizes else 0
    return [number_text(value, min(decimals, MOST_DECIMALS)) if value == value else "" for value in values]


def is_number(value: object) -> bool:
    return isinstance(value, SupportsFloat) and not isinstance(value, bool) and math.isfinite(float(value))


def _word(value: object) -> str:
    if value is None or (isinstance(value, SupportsFloat) and not isinstance(value, bool) and math.isnan(float(value))):
        return ""
    return number_text(value) if isinstance(value, bool) else str(value)


def _decimals(value: float) -> int:
    """Number of decimals in the shortest text of the number."""
    text = f"{value:.7g}"
    mantissa, _, exponent = text.partition("e")
    return max(0, len(mantissa.partition(".")[2]) - int(exponent or 0))
