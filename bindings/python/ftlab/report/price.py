"""What over-provisioning buys and costs: each step to more of it, and the knee of the curve.

More spare space always makes writes faster, so the largest is no answer to "how much". It costs capacity: of the same flash
the user gets 1 / (1 + OP). A choice is a step: so much more throughput for so much less capacity.
"""

from __future__ import annotations

from typing import Callable, List, Optional, Sequence

import numpy as np

from ftlab.report.reading.run import Run

FEWEST = 3  # designs on a curve


def spares_of(runs: Sequence[Run]) -> List[float]:
    """Nominal over-provisioning of each run; empty if the runs are not named by it, so that other settings differ, too."""
    known = [(run.ftlab.get("over_provisioning") or {}).get("nominal") for run in runs]
    alone = all(isinstance(share, float) and run.name == f"OP {words_of(share)}" for share, run in zip(known, runs))
    return [float(share) for share in known if share is not None] if alone and len(runs) >= FEWEST else []


def words_of(share: float) -> str:
    return f"{100 * share:.3g} %"


def capacity_change(one: float, other: float) -> float:
    """Relative change of the user's capacity from one share of spare space to another."""
    return (1 + one) / (1 + other) - 1


def knee(shares: Sequence[float], gains: Sequence[float]) -> Optional[int]:
    """Index of the point with the largest product of capacity and `gains` (more is better): a step up to it buys more per
    cent than it costs, a step beyond it less. So the range that was tried does not move it, only the steps in it. None if
    it is the first or the last point, where the range may hide a larger product."""
    if len(shares) < FEWEST or min(gains) <= 0:
        return None
    place = int(np.argmax(np.asarray(gains, dtype=float) / (1 + np.asarray(shares, dtype=float))))
    return place if 0 < place < len(shares) - 1 else None


def no_knee_words(shares: Sequence[float], gains: Sequence[float]) -> str:
    pays = gains[-1] / gains[0] > (1 + shares[-1]) / (1 + shares[0])
    return f"no knee: {'even the last step' if pays else 'no step'} of over-provisioning buys more per cent than it costs"


def step_words(shares: Sequence[float], gains: Sequence[float], n: int, figure: str,
               differs: Callable[[int, int], bool]) -> str:
    """The step from point n - 1 to point n: `+14 % IOPS, −6.7 % capacity`. `differs`: whether two points differ by more than
    the scatter."""
    gain = f"{percent(gains[n] / gains[n - 1] - 1)} {figure}" if differs(n - 1, n) else "no gain beyond the scatter"
    return f"{gain}, {percent(capacity_change(shares[n - 1], shares[n]))} capacity"


def percent(share: float) -> str:
    """With its sign and two or three digits: `+14 %`, `−6.7 %`."""
    digits = 0 if abs(share) >= 0.0995 else 1
    return f"{100 * share:+.{digits}f}\u00a0%".replace("-", "−")


def choice_words(shares: Sequence[float], gains: Sequence[float], figure: str, differs: Callable[[int, int], bool]) -> str:
    """The steps around the knee and the last one: `OP 20 % -> 28 %: +31 % IOPS, −6.2 % capacity`. Without a knee: the first
    and the last."""
    place = knee(shares, gains)
    around = [1] if place is None else [place, place + 1]
    steps = [f"{words_of(shares[n - 1])} → {words_of(shares[n])}: {step_words(shares, gains, n, figure, differs)}"
             for n in dict.fromkeys([*around, len(shares) - 1])]
    return f"OP {'; '.join(steps)}".replace(" %", "\u00a0%")
