"""How far a sweep has come, for people: a line with the time left on a terminal, nothing in a pipe."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import Callable, Iterator

Report = Callable[[bool], None]  # of each point as it ends: whether it failed
_EVERY_S = 0.5


@contextlib.contextmanager
def point_progress(count: int, shown: bool) -> Iterator[Report]:
    """With tqdm when it is installed."""
    if not shown or count == 0:
        yield lambda failed: None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield _line(count)
        print(file=sys.stderr)
        return
    with tqdm(total=count, unit=" points") as bar:
        failures = 0

        def report(failed: bool) -> None:
            nonlocal failures
            failures += failed
            bar.set_postfix_str(f"{failures} failed" if failures else "", refresh=False)
            bar.update()
        yield report


def _line(count: int) -> Report:
    began, last, ended, failures = time.monotonic(), 0.0, 0, 0

    def report(failed: bool) -> None:
        nonlocal last, ended, failures
        ended, failures, now = ended + 1, failures + failed, time.monotonic()
        if now - last < _EVERY_S and ended < count:
            return
        last, left_s = now, (now - began) / ended * (count - ended)
        print(f"\r{ended} of {count} points, {failures} failed, {left_s:.0f} s left ", end="", file=sys.stderr, flush=True)
    return report
