"""Progress of a run, for people."""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Iterator, Optional, Union

Report = Optional[Callable[[float, int], Any]]


@contextlib.contextmanager
def run_progress(progress: Union[bool, Callable[[float, int], Any], None]) -> Iterator[Report]:
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
def _bar() -> Iterator[Report]:
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
