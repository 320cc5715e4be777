"""Numbers that stand under one another: all of a column have as many digits behind the point."""

from __future__ import annotations

import math
from typing import List, Sequence, SupportsFloat

THIN = "\u2009"
FIGURES = 4  # of the usual number of a column
MOST_DECIMALS = 9


def number_text(value: "int | float", decimals: "int | None" = None) -> str:
    """Thousands apart: 12 345.6. Without `decimals` a number that stands alone: up to seven digits."""
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
    """How many digits behind the point serve a column: none for whole numbers, else so many that its usual number
    shows four and its smallest at least two. None: the numbers reach too far apart for that, each is written alone."""
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
    """Numbers of a column with the same digits, "" for None and NaN, words as they are."""
    numbers = [value for value in values if is_number(value)]
    decimals = decimals_of(numbers)  # type: ignore[arg-type]
    return [number_text(value, decimals) if is_number(value) else _word(value) for value in values]  # type: ignore[arg-type]


def figure_texts(values: Sequence[float]) -> List[str]:
    """Figures that are compared: four digits of the usual one, zeros at the end too, "" for NaN."""
    sizes = sorted(abs(value) for value in values if value == value and value)
    decimals = max(0, FIGURES - 1 - math.floor(math.log10(sizes[(len(sizes) - 1) // 2]))) if sizes else 0
    return [number_text(value, min(decimals, MOST_DECIMALS)) if value == value else "" for value in values]


def is_number(value: object) -> bool:
    return isinstance(value, SupportsFloat) and not isinstance(value, bool) and math.isfinite(float(value))


def _word(value: object) -> str:
    if value is None or (isinstance(value, SupportsFloat) and not isinstance(value, bool) and math.isnan(float(value))):
        return ""
    return number_text(value) if isinstance(value, bool) else str(value)


def _decimals(value: float) -> int:
    """That its shortest writing has."""
    text = f"{value:.7g}"
    mantissa, _, exponent = text.partition("e")
    return max(0, len(mantissa.partition(".")[2]) - int(exponent or 0))
