"""How far a sweep has come, for people: a line with the time left on a terminal, in a file or pipe one a minute, so that a
short sweep prints nothing there."""

from __future__ import annotations

import contextlib
import sys
from time import monotonic
from typing import Callable, Iterator, Optional

Report = Callable[[bool], None]  # of each point as it ends: whether it failed
_ON_TERMINAL_EVERY_S, _IN_FILE_EVERY_S = 0.5, 60.0


@contextlib.contextmanager
def point_progress(count: int, shown: Optional[bool]) -> Iterator[Report]:
    """shown: as on a terminal; None: if stderr is one, else a line a minute. On a terminal with tqdm when it is installed."""
    terminal = sys.stderr.isatty() if shown is None else shown
    if shown is False or count == 0:
        yield lambda failed: None
        return
    if not terminal:
        yield _lines(count, "", "\n", _IN_FILE_EVERY_S, monotonic)
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield _lines(count, "\r", " ", _ON_TERMINAL_EVERY_S, monotonic)
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


def _time(seconds: float) -> str:
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def _lines(count: int, before: str, after: str, every_s: float, clock: Callable[[], float]) -> Report:
    began = last = clock()
    ended, failures = 0, 0

    def report(failed: bool) -> None:
        nonlocal last, ended, failures
        ended, failures, now = ended + 1, failures + failed, clock()
        drawn_over = before == "\r"  # then the first and the last point are shown, too
        if now - last < every_s and not (drawn_over and ended in (1, count)):
            return
        last, left_s = now, (now - began) / ended * (count - ended)
        print(f"{before}{100 * ended // count} %, {_time(left_s)} left; {ended} of {count} points, {failures} failed", end=after,
              file=sys.stderr, flush=True)
    return report
