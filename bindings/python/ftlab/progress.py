"""Progress for people: of a run, a bar with the simulated time; of a sweep, a line with the remaining time on a terminal, or
one line per minute in a file or pipe, where a short sweep therefore prints nothing."""

from __future__ import annotations

import contextlib
import sys
from time import monotonic
from typing import Any, Callable, Iterator, Optional, Union

RunReport = Optional[Callable[[float, int], Any]]


@contextlib.contextmanager
def run_progress(progress: Union[bool, Callable[[float, int], Any], None]) -> Iterator[RunReport]:
    """The callback that the core reports progress to. True: a tqdm bar that counts requests, if tqdm is installed."""
    if progress is None or progress is False:
        yield None
    elif progress is not True:
        if not callable(progress):
            raise TypeError(f"progress is True or a function of simulated seconds and requests, not {progress!r}")
        yield progress
    else:
        with _bar() as report:
            yield report


@contextlib.contextmanager
def _bar() -> Iterator[RunReport]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    with tqdm(unit=" requests", unit_scale=True) as bar:
        def report(simulated_s: float, requests: int) -> None:
            bar.set_postfix_str(f"simulated {simulated_s:.1f} s", refresh=False)
            bar.update(requests - bar.n)
        yield report


PointReport = Callable[[bool], None]  # called for each point that ends; True: it failed
_ON_TERMINAL_EVERY_S, _IN_FILE_EVERY_S = 0.5, 60.0


@contextlib.contextmanager
def point_progress(count: int, shown: Optional[bool]) -> Iterator[PointReport]:
    """shown: True as on a terminal; None depends on whether stderr is one."""
    terminal = sys.stderr.isatty() if shown is None else shown
    if shown is False or count == 0:
        yield lambda failed: None
        return
    if not terminal:
        yield _lines(count, "", "\n", _IN_FILE_EVERY_S, monotonic)
    else:
        yield _lines(count, "\r", " ", _ON_TERMINAL_EVERY_S, monotonic)
        print(file=sys.stderr)


def _time(seconds: float) -> str:
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def _lines(count: int, before: str, after: str, every_s: float, clock: Callable[[], float]) -> PointReport:
    began = last = clock()
    ended, failures = 0, 0

    def report(failed: bool) -> None:
        nonlocal last, ended, failures
        ended, failures, now = ended + 1, failures + failed, clock()
        drawn_over = before == "\r"  # the first and last point are then always shown
        if now - last < every_s and not (drawn_over and ended in (1, count)):
            return
        last, left_s = now, (now - began) / ended * (count - ended)
        print(f"{before}{100 * ended // count} %, {_time(left_s)} left; {ended} of {count} points, {failures} failed",
              end=after, file=sys.stderr, flush=True)
    return report
