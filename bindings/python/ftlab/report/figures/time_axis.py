"""The time axis of a run, in a unit that suits its length."""

from __future__ import annotations

from typing import Iterable, Tuple

from ftlab.report.picture import Axis

UNITS = ((1.0, "s"), (60.0, "min"), (3600.0, "h"))


def time_axis(ends_s: Iterable[float], label: str = "Time") -> Tuple[Axis, float]:
    """The axis and the seconds per unit: s up to 5 minutes, min up to 12 hours, then h."""
    longest = max(ends_s, default=0.0)
    seconds, unit = UNITS[0] if longest <= 300 else UNITS[1] if longest <= 12 * 3600 else UNITS[2]
    return Axis(label, unit), seconds
