"""The page of `ftlab explore` in a real browser: each control is moved, and the figures are those of the command that is
shown."""

import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest

import ftlab

pytest.importorskip("panel", reason="pip install 'ftlab[explore]'")

from selenium import webdriver
from selenium.webdriver.common.keys import Keys

SMALL = "example-small-and-slow"
WAIT_S = 120
DEEP = ("const found = []; const walk = root => { for (const e of root.querySelectorAll('*')) {"
        " if (e.matches(arguments[0])) found.push(e); if (e.shadowRoot) walk(e.shadowRoot); } };"
        " walk(arguments[1] ? arguments[1].shadowRoot || arguments[1] : document); return found;")

if shutil.which("chromedriver") is None:
    pytest.skip("needs chromium and chromium-driver", allow_module_level=True)


class Seen:
    """The page as a visitor sees it."""

    def __init__(self, browser: webdriver.Chrome) -> None:
        self.browser = browser

    def all(self, selector: str, within: Any = None) -> List[Any]:
        """Elements, also those in shadow roots."""
        return list(self.browser.execute_script(DEEP, selector, within))

    def text(self, selector: str) -> str:
        """All at once, as elements are replaced while answers come."""
        return str(self.browser.execute_script(f"const find = function() {{ {DEEP} }}; const found = find(arguments[0]);"
                                               " return found.length ? found[0].textContent : ''", selector))

    def figure(self, name: str) -> str:
        """With all digits; empty while it is not known."""
        return str(self.browser.execute_script(f"const find = function() {{ {DEEP} }}; const found = find(arguments[0]);"
                                               " return found.length ? found[0].dataset.value : ''", f"[data-fig='{name}']"))

    def until(self, true: Any, what: str) -> None:
        end = time.monotonic() + WAIT_S
        while not true():
            assert time.monotonic() < end, f"{what}: {self.text('[data-busy]')} {self.text('table.figures')[:900]}"
            time.sleep(0.02)

    def settled(self) -> None:
        self.until(lambda: self.all("[data-busy='']"), "answers")

    def command(self, name: str) -> List[str]:
        return shlex.split(self.text(f"[data-command='{name}']"))[1:]

    def choose(self, name: str, value: str) -> None:
        select = self.all("select", self.all(f".{name}")[0])[0]
        self.browser.execute_script("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change', "
                                    "{bubbles: true}))",
                                    select, value)

    def type(self, name: str, text: str, key: str = "") -> None:
        place = self.all("input:not([type=range]), textarea", self.all(f".{name}")[0])[0]
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", place)
        self.until(place.is_displayed, name)
        place.send_keys(Keys.END + Keys.BACKSPACE * len(place.get_attribute("value") or "") + text)
        place.send_keys(key or Keys.ENTER)
        if not key:
            self.browser.execute_script("arguments[0].dispatchEvent(new Event('change', {bubbles: true})); "
                                        "arguments[0].blur()", place)

    def click(self, selector: str) -> None:
        self.browser.execute_script("arguments[0].click()", self.all(selector)[0])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("explore")


@pytest.fixture(scope="module")
def page(browser: webdriver.Chrome, folder: Path) -> Iterator[Seen]:
    server = subprocess.Popen([sys.executable, "-m", "ftlab", "explore", "--no-open", SMALL], stdout=subprocess.PIPE,
                              text=True, cwd=folder)
    assert server.stdout is not None
    browser.get(server.stdout.readline().strip())
    seen = Seen(browser)
    seen.until(lambda: seen.figure("A-run_wa"), "the first run")
    seen.settled()
    yield seen
    server.send_signal(signal.SIGINT)
    server.wait(WAIT_S)


def figure_of(program: str, words: List[str]) -> float:
    return float(json.loads(subprocess.run([program, *words, "--json"], capture_output=True, check=True).stdout)["wa"])


def test_explore_page_loads_nothing_from_elsewhere(page: Seen) -> None:
    messages = [json.loads(entry["message"])["message"] for entry in page.browser.get_log("performance")]
    addresses = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    assert addresses and not [a for a in addresses if not a.startswith(("http://127.0.0.1:", "data:", "blob:"))]
    assert not [entry for entry in page.browser.get_log("browser") if entry["level"] == "SEVERE"]


@pytest.mark.long
def test_explore_figures_are_those_of_the_commands_shown(page: Seen, program: str, tmp_path: Path) -> None:
    assert float(page.figure("A-wa")) == figure_of(program, page.command("A-wa"))
    run = page.command("A-run")
    run[run.index("--out") + 1] = str(tmp_path / "r")
    run[run.index("--save") + 1] = str(tmp_path / "r" / "state")
    subprocess.run([program, *run], capture_output=True, check=True)
    result = ftlab.Result({"result.json": (tmp_path / "r" / "result.json").read_text()})
    assert float(page.figure("A-run_wa")) == result.wa_at_end
    file = json.loads(page.text("[data-file='A']"))
    assert file["user_sectors"] == ftlab.drive_document(SMALL)["user_sectors"]


STEPS: List[Dict[str, str]] = [  # do: choose or type; control, value; command: which one has the text
    {"do": "type", "control": "op", "value": "40", "command": "A-wa", "has": "--op 0.4"},
    {"do": "choose", "control": "policy", "value": "d-choices", "command": "A-wa", "has": "--policy d-choices"},
    {"do": "type", "control": "d", "value": "4", "command": "A-wa", "has": "--d 4"},
    {"do": "choose", "control": "policy", "value": "windowed-greedy", "command": "A-run",
     "has": "ftl.gc.policy=windowed-greedy"},
    {"do": "type", "control": "window", "value": "50", "command": "A-wa", "has": "--window 0.5"},
    {"do": "choose", "control": "frontiers", "value": "one", "command": "A-run", "has": "ftl.frontiers=one"},
    {"do": "type", "control": "block_pages", "value": "32", "command": "A-wa", "has": "--pages-per-block 32"},
    {"do": "choose", "control": "workload", "value": "hot-cold", "command": "A-wa", "has": "--workload hot-cold:0.8:0.2"},
    {"do": "type", "control": "hot_writes", "value": "90", "command": "A-run", "has": "zoned:90/20:10/80"},
    {"do": "type", "control": "hot_pages", "value": "10", "command": "A-run", "has": "zoned:90/10:10/90"},
    {"do": "choose", "control": "workload", "value": "zipf", "command": "A-wa", "has": "--workload zipf:0.99"},
    {"do": "type", "control": "skew", "value": "0.8", "command": "A-run", "has": "zipf:0.8"},
    {"do": "choose", "control": "map", "value": "demand", "command": "A-run", "has": '"scheme": "demand"'},
    {"do": "type", "control": "map_share", "value": "50", "command": "A-run", "has": '"ram_bytes": 23'},
    {"do": "type", "control": "buffer", "value": "0.125", "command": "A-run", "has": "ftl.write_buffer.bytes=131072"},
    {"do": "type", "control": "limit", "value": "3000", "command": "A-run", "has": "endurance.program_erase_limit=3000"},
    {"do": "type", "control": "more", "value": "nand.read_ns=75us", "key": Keys.TAB, "command": "A-run",
     "has": "nand.read_ns=75us"},
    {"do": "type", "control": "reads", "value": "80", "command": "A-load", "has": "--rwmixread=80"},
]


@pytest.mark.long
@pytest.mark.parametrize("step", STEPS, ids=[f"{step['control']}-{step['value']}" for step in STEPS])
def test_explore_control_moves_the_answers(page: Seen, program: str, step: Dict[str, str]) -> None:
    control = f"A-{step['control']}"
    if step["do"] == "choose":
        page.choose(control, step["value"])
    else:
        page.type(control, step["value"], step.get("key", ""))
    page.until(lambda: step["has"] in page.text(f"[data-command='{step['command']}']"), step["has"])
    page.settled()
    assert float(page.figure("A-wa")) == figure_of(program, page.command("A-wa"))
    assert float(page.figure("A-run_wa")) >= 1


@pytest.mark.long
def test_explore_slider_is_dragged_and_the_answer_follows(page: Seen) -> None:
    before = page.figure("A-op")
    handle = page.all(".noUi-handle", page.all(".A-op")[0])[0]
    page.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", handle)
    handle.send_keys(Keys.ARROW_RIGHT * 3)
    page.until(lambda: page.figure("A-op") != before, "the slider")
    page.settled()
    assert float(page.figure("A-op")) > float(before)


@pytest.mark.long
def test_explore_life_and_cost_follow_limit_and_prices(page: Seen) -> None:
    tbw, usd = float(page.figure("A-tbw")), float(page.figure("A-usd"))
    page.type("fixed_usd", "25")
    page.until(lambda: float(page.figure("A-usd")) > usd, "the price")
    assert float(page.figure("A-usd")) == pytest.approx(usd + 20)
    assert float(page.figure("A-usd_per_tbw")) == pytest.approx((usd + 20) / tbw)


@pytest.mark.long
def test_explore_refusals_and_unknown_figures_say_why(page: Seen) -> None:
    page.type("A-more", "no.such.key=1", Keys.TAB)
    page.until(lambda: "is not a known key" in page.text("[data-fig='A-run_wa']"), "the refusal")
    page.type("A-more", "nonsense", Keys.TAB)
    page.until(lambda: "KEY=VALUE on a line" in page.text(".refused"), "the refusal of a line")
    page.type("A-more", "", Keys.TAB)
    page.type("A-slc_share", "5")
    page.until(lambda: "two bits a cell" in page.text("[data-fig='A-run_wa']"), "the cache")
    page.type("A-slc_share", "0")
    page.settled()


@pytest.mark.long
def test_explore_replays_a_job_file_and_a_trace(page: Seen, folder: Path) -> None:
    job = "[w]\nfilename=drive\nioengine=libaio\ndirect=1\nrw=randwrite\nbs=4k\niodepth=8\nio_size=20m\n"
    (folder / "w.fio").write_text(job)
    (folder / "t.csv").write_text("".join(f"{128166372003061629 + 10_000_000 * i},hm,0,Write,{8192 * (i % 50)},4096,0\n"
                                          for i in range(2000)))
    for kind, name in (("job file", "w.fio"), ("trace", "t.csv")):
        page.choose("A-workload", kind)
        page.type("A-path", str(folder / name))
        page.until(lambda: name in page.text("[data-command='A-run']") and page.figure("A-run_wa"), name)  # noqa: B023
        assert "takes distributions" in page.text("[data-fig='A-wa']")
    page.choose("A-workload", "uniform")
    page.settled()


@pytest.mark.long
def test_explore_two_designs_stand_side_by_side(page: Seen, program: str) -> None:
    page.click(".two input") if page.all(".two input") else page.browser.execute_script(
        "arguments[0].click()", page.all("input", page.all(".two")[0])[0])
    page.until(lambda: page.figure("B-wa"), "the second design")
    page.type("B-op", "60")
    page.until(lambda: "--op 0.6" in page.text("[data-command='B-wa']"), "its over-provisioning")
    page.settled()
    assert float(page.figure("B-wa")) == figure_of(program, page.command("B-wa"))
    assert float(page.figure("B-wa")) < float(page.figure("A-wa"))


@pytest.mark.long
def test_explore_saves_a_result_folder_and_a_report(page: Seen, folder: Path) -> None:
    pytest.importorskip("vl_convert")
    page.type("place", str(folder / "kept"), Keys.TAB)
    page.browser.execute_script("arguments[0].click()", page.all("button", page.all(".save")[0])[0])
    page.until(lambda: page.all("[data-saved]"), "saving")
    assert page.all("[data-saved='yes']"), page.text("[data-saved]")
    assert (folder / "kept" / "report" / "index.html").is_file()
    assert (folder / "kept" / "A" / "run" / "result.json").is_file() and (folder / "kept" / "B" / "drive.json").is_file()


@pytest.mark.long
def test_explore_other_drive_has_its_own_values(page: Seen) -> None:
    page.choose("A-drive", "example-25nm-mlc")
    page.until(lambda: page.figure("A-op").startswith("0.16"), "the other drive")
    page.until(lambda: page.figure("A-run_wa"), "its run")
    assert re.search(r"--drive example-25nm-mlc\b", page.text("[data-command='A-run']"))
