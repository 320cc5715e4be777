"""The server and the page of `ftlab explore` without a browser: token, ports, controls, saving, notebook."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Callable, Iterator, List

import pytest

import ftlab
from ftlab.explore.process import Newest, Process, Stale
from ftlab.explore.question import Question, Workload

pytest.importorskip("panel", reason="pip install 'ftlab[explore]'")

SMALL = "example-small-and-slow"
WAIT_S = 90


def start(*words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-m", "ftlab", "explore", *words], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def status(address: str) -> int:
    try:
        with urllib.request.urlopen(address, timeout=WAIT_S) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = start("--no-open", SMALL)
    assert server.stdout is not None
    yield server.stdout.readline().strip()
    server.send_signal(signal.SIGINT)
    assert server.wait(WAIT_S) == 0


def test_explore_page_needs_the_token(address: str) -> None:
    found = re.fullmatch(r"(http://127\.0\.0\.1:\d+/)([\w-]{32})(/explore)", address)
    assert found
    front, token, page = found.groups()
    assert status(address) == 200
    for wrong in ("", page[1:], "static/js/bokeh.min.js", "favicon.ico", "explore/ws", "x" * len(token) + page,
                  token[:-1] + page):
        assert status(front + wrong) == 404


def test_explore_listens_on_the_loopback_address_alone(address: str) -> None:
    port = int(address.split(":")[2].split("/")[0])
    listening = [line.split()[1] for line in Path("/proc/net/tcp").read_text().splitlines()[1:] if line.split()[3] == "0A"]
    assert [place for place in listening if int(place.split(":")[1], 16) == port] == [f"0100007F:{port:04X}"]


@pytest.mark.parametrize("words, why",
                         [(["no-such-drive"], "unknown drive"), (["wd-5000bpkt"], "is a disk"), (["."], "is a folder"),
                                        (["--port", "70000"], "is not a port"), (["--prt", "1"], "did you mean --port?"),
                          (["--port", "x"], "ftlab explore: argument --port: invalid int value")])
def test_explore_refuses_bad_input(words: list, why: str) -> None:
    server = start("--no-open", *words)
    assert why in server.communicate(timeout=WAIT_S)[1]
    assert server.returncode == 2


def test_explore_refuses_a_port_in_use() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        server = start("--no-open", "--port", str(taken.getsockname()[1]))
        assert "--port: is in use" in server.communicate(timeout=WAIT_S)[1]
    assert server.returncode == 2


def test_explore_without_panel_says_what_to_install() -> None:
    hidden = "import sys, importlib.util as u; f = u.find_spec; " \
             "u.find_spec = lambda n, *p: None if n == 'panel' else f(n, *p); " \
             "from ftlab.__main__ import main; sys.exit(main(['explore']))"
    done = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "pip install 'ftlab[explore]'" in done.stderr


@pytest.mark.parametrize("question", [
    Question(SMALL), Question(SMALL, op=0.4, policy="d-choices", d=4, frontiers="one", erase_limit=3000),
    Question(SMALL, policy="windowed-greedy", window=0.3, workload=Workload("hot-cold", 0.9, 0.1), read_share=0.2),
    Question(SMALL, map_scheme="demand", map_share=0.2, buffer_bytes=2**17, workload=Workload("zipf", skew=0.8)),
    Question("example-nvme-tlc-1tb", slc_share=0.05, map_share=0.2, workload=Workload("trace", path="t.csv"),
             more=(("nand.read_ns", "75us"),))])
def test_explore_controls_give_the_question_that_they_show(question: Question) -> None:
    from ftlab.explore.controls import Controls
    assert Controls("A", question, [SMALL]).question() == question


def test_explore_other_drive_moves_the_controls_to_its_own_values() -> None:
    from ftlab.explore.controls import Controls
    controls = Controls("A", Question(SMALL, op=0.9, workload=Workload("zipf")), [SMALL, "crucial-m4-256"])
    controls.widgets["drive"].value = "crucial-m4-256"
    assert controls.question() == Question("crucial-m4-256", workload=Workload("zipf"))


def test_explore_saves_results_and_a_report_and_ends_its_work(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    from ftlab.explore.page import Page, save
    page = Page(Question(SMALL))
    end = time.monotonic() + WAIT_S
    while not (page.loads and page.idle()):
        assert time.monotonic() < end
        time.sleep(0.05)
    shown = page._status.object
    assert re.search(r"A: WA <b>[\d.]+( ± [\d.]+)?</b> of this drive at the end of its run \(.*?\), [\d.]+ ± [\d.]+ of the "
                     r"policy alone", shown)
    assert "MB/s fresh (phase fill)" in shown and "final" not in shown
    report = save(tmp_path / "saved", page.questions, page.was, page.runs, page.loads)
    assert report.is_file()
    loaded = ftlab.Result({"result.json": (tmp_path / "saved" / "A" / "run" / "result.json").read_text()})
    assert loaded.wa_at_end == page.runs["A"].result.wa_at_end
    assert json.loads((tmp_path / "saved" / "A" / "drive.json").read_text()) == Question(SMALL).document()
    assert len((tmp_path / "saved" / "A" / "commands.txt").read_text().splitlines()) == 3
    with pytest.raises(ftlab.ConfigError, match="must be a new folder"):
        save(tmp_path / "saved", page.questions, page.was, page.runs, page.loads)
    folder = page.runs["A"].folder
    page.close()
    assert not os.path.exists(folder)


@pytest.mark.parametrize("deviation, says", [(0.0042, "more than the 0.3 % to be expected of many blocks; these are 1024 "
                                                      "blocks with frontiers host+gc"),
                                             (0.002, "within the 0.3 % to be expected"),
                                             (-0.004, "within the 0.3 % to be expected and ± 0.2 % of chance")])
def test_explore_deviation_from_theory_says_whether_it_is_expected(deviation: float, says: str) -> None:
    from ftlab.explore.answers import Wa
    from ftlab.explore.table import table
    from ftlab.search.search import Prices
    half = 0.001 if deviation > 0 else 0.004
    answer = {"wa": 2.0, "ci95": half, "drifting": False, "deviation": deviation,
              "question": {"blocks": "1024", "frontiers": "host+gc"}}
    formula = {"wa": 2.0, "kind": "exact", "tolerance": 0.003, "validity": "Exact for infinitely many blocks.",
               "source": "Someone (2010)"}
    shown = table({"A": Question(SMALL)}, {"A": Wa([], answer, formula, refined=True)}, {}, Prices())
    assert says in shown and "should agree" not in shown
    assert ("more than" in shown) == (deviation == 0.0042)


def test_explore_latency_never_folds_back_when_more_requests_in_flight_serve_fewer() -> None:
    import pandas as pd
    from ftlab.explore.answers import Load
    from ftlab.explore.charts import load_chart
    points = pd.DataFrame({"depth": [4, 1, 2], "direction": "write", "iops": [90.0, 50.0, 100.0],
                           "mean_us": [44.0, 20.0, 20.0], "p99_us": 50.0})
    drawn = json.dumps(load_chart({"A": Load([], points=points)}))
    assert re.search(r"0,1,20.*0,2,20.*0,4,44", drawn) and "90 requests/s" in drawn


def test_explore_is_a_widget_of_a_notebook() -> None:
    import panel
    from ftlab.explore import explorer
    view = explorer(SMALL)
    assert view.get_root() is not None
    assert len(view.select(panel.pane.Vega)) == 4 and len(view.select(panel.widgets.Select)) >= 4


# The newest question wins: work on older ones is ended, their answers are dropped.

ENDLESS = ["wa", "--blocks", "65536", "--pages-per-block", "1024", "--op", "0.05", "--precision", "0.00001"]


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
