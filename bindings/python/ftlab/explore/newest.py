"""One thread that answers the newest question: work on an older one is ended and its answers are dropped."""

from __future__ import annotations

import threading
from typing import Callable, Optional, Tuple

from ftlab.explore.process import Process, Stale
from ftlab.explore.question import Question

Work = Callable[[Question, Process], None]


class Newest:
    """work(question, process) is called in the thread. A newer question ends the process of the older one."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._changed = threading.Condition()
        self._next: Optional[Tuple[Question, Process]] = None
        self._current: Optional[Process] = None
        self._closed = False
        self._thread = threading.Thread(target=self._loop, daemon=True)
        self._thread.start()

    def ask(self, question: Question) -> None:
        with self._changed:
            self._next = question, Process()
            if self._current is not None:
                self._current.stop()
            self._changed.notify_all()

    def drop(self) -> None:
        """Ends the work at hand without a new question."""
        with self._changed:
            self._next = None
            if self._current is not None:
                self._current.stop()

    def idle(self) -> bool:
        """True if no question waits and none is being answered."""
        with self._changed:
            return self._next is None and self._current is None

    def close(self) -> None:
        """Ends the work at hand; the thread ends with it."""
        with self._changed:
            self._closed, self._next = True, None
            if self._current is not None:
                self._current.stop()
            self._changed.notify_all()

    def join(self, timeout_s: float) -> None:
        self._thread.join(timeout_s)

    def _loop(self) -> None:
        while True:
            with self._changed:
                self._current = None
                self._changed.wait_for(lambda: self._closed or self._next is not None)
                if self._closed or self._next is None:
                    return
                (question, self._current), self._next = self._next, None
                process = self._current
            try:
                self._work(question, process)
            except Stale:
                pass
