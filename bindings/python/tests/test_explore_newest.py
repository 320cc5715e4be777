"""The newest question wins: work on older ones is ended, their answers are dropped."""

import threading
import time
from typing import Callable, List

import pytest

import ftlab
from ftlab.explore.newest import Newest
from ftlab.explore.process import Process, Stale
from ftlab.explore.question import Question

SMALL = "example-small-and-slow"
ENDLESS = ["wa", "--blocks", "65536", "--pages-per-block", "1024", "--op", "0.05", "--precision", "0.00001"]
WAIT_S = 30


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not true():
        assert time.monotonic() < end, "took too long"
        time.sleep(0.01)


def test_explore_newest_question_wins() -> None:
    started, answered = threading.Event(), []  # type: threading.Event, List[float]

    def work(question: Question, process: Process) -> None:
        if question.op == 0.1:
            started.set()
            process.answer(ENDLESS)
        answered.append(question.ratio)
    newest = Newest(work)
    newest.ask(Question(SMALL, op=0.1))
    assert started.wait(WAIT_S)
    for op in (0.2, 0.3, 0.4):
        newest.ask(Question(SMALL, op=op))
    until(newest.idle)
    newest.close()
    newest.join(WAIT_S)
    assert answered[-1] == 0.4 and 0.1 not in answered


def test_explore_closing_ends_the_process() -> None:
    ended = []

    def work(_: Question, process: Process) -> None:
        try:
            process.answer(ENDLESS)
        except Stale:
            ended.append(True)
            raise
    newest = Newest(work)
    newest.ask(Question(SMALL))
    time.sleep(0.3)
    began = time.monotonic()
    newest.close()
    newest.join(WAIT_S)
    assert ended and time.monotonic() - began < 5


def test_explore_process_refuses_bad_words_and_ends_when_stopped() -> None:
    with pytest.raises(ftlab.ConfigError, match="did you mean greedy"):
        Process().run(["wa", "--policy", "gredy"])
    stopped = Process()
    stopped.stop()
    with pytest.raises(Stale):
        stopped.run(["wa"])
