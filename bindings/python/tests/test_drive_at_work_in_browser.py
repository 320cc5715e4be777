"""The view in a real browser: it draws, plays, reacts to mouse and keys, and fits on small screens."""

from __future__ import annotations

import base64
import re
import time
from pathlib import Path
from typing import Any, Callable, Iterator, Tuple

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from ftlab.report.drive_at_work import page, read_recording, section
from recordings import by_hand, record_example, written

LAPTOP, SMALL = (1366, 768), (800, 600)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = record_example(tmp_path_factory.mktemp("at-work") / "result")
    (folder / "page.html").write_text(page(folder), encoding="utf-8")
    return folder


class Shown:
    """A page of the view in the browser."""

    def __init__(self, browser: webdriver.Chrome, file: Path, size: Tuple[int, int] = LAPTOP,
                 as_opened: bool = False) -> None:
        self.browser = browser
        screen = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        browser.get(file.as_uri())
        self.root = browser.find_element(By.CSS_SELECTOR, ".drive-at-work")
        if not as_opened:  # it plays until the reader interacts
            browser.execute_script("document.querySelectorAll('.drive-at-work').forEach(root => { const view ="
                                   " root.driveAtWork; view.byItself = false; if (view.player) view.pauseAt(0); })")

    def part(self, selector: str) -> WebElement:
        return self.root.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        return str(self.part(selector).text)

    def run(self, program: str, *arguments: Any) -> Any:
        """Runs a script in which `view` is the view on the page."""
        start = "const view = document.querySelector('.drive-at-work').driveAtWork;"
        return self.browser.execute_script(start + program, *arguments)

    @property
    def picture(self) -> int:
        return int(self.data("picture"))

    def data(self, name: str) -> str:
        return str(self.root.get_attribute("data-" + name))

    def pixels(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0]).toDataURL()", selector))

    def slide_to(self, picture: int) -> None:
        self.run("const time = document.querySelector('.time'); time.value = arguments[0];"
                 "time.dispatchEvent(new Event('input'));", picture)

    def until(self, holds: Callable[[], bool]) -> None:
        WebDriverWait(self.browser, 10).until(lambda _: holds())

    def complaints(self) -> "list[Any]":
        return list(self.browser.get_log("browser"))  # type: ignore[no-untyped-call]


@pytest.fixture()
def shown(browser: webdriver.Chrome, recorded: Path) -> Iterator[Shown]:
    opened = Shown(browser, recorded / "page.html")
    yield opened
    assert opened.complaints() == []


CANVASES = (".grid", ".whole", ".host", ".life")


def test_it_opens_in_motion_and_stops_when_the_reader_takes_over(browser: webdriver.Chrome, recorded: Path) -> None:
    recording = read_recording(recorded)
    first = int((recording.host["relocated_pages"] > 0).argmax())
    shown = Shown(browser, recorded / "page.html", as_opened=True)
    assert shown.picture >= first
    shown.run("document.querySelector('.stage').scrollIntoView()")
    shown.until(lambda: shown.picture > first + 3)
    shown.part(".play").click()  # its label is Pause
    stopped = shown.picture
    time.sleep(0.4)
    assert shown.picture == stopped and shown.text(".play").endswith("Play") and len(shown.text(".now")) > 30


def test_blocks_stand_by_age_with_the_oldest_first(shown: Shown, recorded: Path) -> None:
    shown.slide_to(200)
    by_number = shown.pixels(".grid")
    Select(shown.part(".order")).select_by_value("age")
    assert shown.pixels(".grid") != by_number
    opened = shown.run("return view.grid.blocks.map(block => view.recording.openedAt[200 * view.recording.blocks + block])")
    held = [picture for picture in opened if picture >= 0]
    assert held == sorted(held) and opened[len(held):] == [-1] * (len(opened) - len(held))
    Select(shown.part(".colouring")).select_by_value("age")
    assert "data of" in shown.text(".legend")


def test_blocks_stand_by_the_dies_they_lie_on(browser: webdriver.Chrome, tmp_path: Path) -> None:
    document = {**by_hand(superblocks=10), "dies_per_superblock": 2, "first_dies": [0, 2]}
    (tmp_path / "page.html").write_text(page(written(tmp_path, document)), encoding="utf-8")
    shown = Shown(browser, tmp_path / "page.html")
    Select(shown.part(".order")).select_by_value("die")
    assert shown.run("return view.grid.headings.map(heading => heading.name)") == ["dies 0 to 1", "dies 2 to 3"]
    shown_blocks = [block for block in shown.run("return view.grid.blocks") if block >= 0]
    assert shown_blocks == [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]
    click_block(shown, 7)
    assert shown.data("chosen") == "7" and shown.text(".hover").endswith("dies 2 to 3")


def test_every_canvas_is_drawn_on(shown: Shown) -> None:
    colours = """const canvas = document.querySelector(arguments[0]);
        const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        const seen = new Set();
        for (let i = 0; i < data.length; i += 4) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
        return [seen.has(0x0072b2), seen.has(0xe69f00), seen.size];"""
    shown.slide_to(200)
    for canvas in CANVASES:
        valid, stale, count = shown.run(colours, canvas)
        assert count >= 3 and valid, canvas
        assert stale or canvas == ".host", canvas


def test_the_slider_changes_captions_and_pictures(shown: Shown) -> None:
    captions, pictures = set(), set()
    for moment in (0, 20, 60, 200, 332, 450):
        shown.slide_to(moment)
        assert shown.picture == moment
        captions.add(shown.text(".now"))
        pictures.add(tuple(shown.pixels(canvas) for canvas in CANVASES))
    assert len(captions) == len(pictures) == 6


def test_captions_tell_the_phases_of_the_example(shown: Shown) -> None:
    captions = {}
    for moment in (0, 20, 200, 332, 450):
        shown.slide_to(moment)
        captions[moment] = shown.text(".caption")
    assert "A new drive: all 64 blocks are erased" in captions[0]
    assert "free pages become valid" in captions[20] and "write amplification 1.00" in captions[20]
    assert "become stale where they lie" in captions[200] and "the drive must collect" in captions[200]
    assert "TRIM: the host no longer needs" in captions[332]
    assert captions[450].startswith("write-the-rest:")


def test_buttons_lead_to_what_happens_first(shown: Shown, recorded: Path) -> None:
    recording = read_recording(recorded)
    at = {}
    for button in shown.root.find_elements(By.CSS_SELECTOR, ".moments button"):
        button.click()
        at[button.text] = shown.picture
    assert list(at) == ["writing", "pages go stale", "first collection", "first erase", "TRIM", "end"]
    assert at["first collection"] == int((recording.host["relocated_pages"] > 0).argmax())
    assert at["first erase"] == int((recording.columns["erases"].sum(axis=1) > 0).argmax())
    assert at["TRIM"] == int((recording.host["trimmed_pages"] > 0).argmax())


def test_the_hosts_latency_is_told(shown: Shown) -> None:
    shown.slide_to(200)
    assert re.fullmatch(r"For the host now a write takes [\d.]+ ms \(99 % within [\d.]+ ms\)\.", shown.text(".latency"))
    shown.slide_to(0)
    assert shown.text(".latency") == "Now the host neither reads nor writes."


def test_captions_name_the_victim_and_its_valid_pages(shown: Shown, recorded: Path) -> None:
    recording = read_recording(recorded)
    collecting = recording.columns["state"] == 3
    moment = int(collecting.any(axis=1).nonzero()[0][40])
    victim = int(collecting[moment].nonzero()[0][0])
    shown.slide_to(moment)
    left = int(recording.columns["valid"][moment, victim])
    assert f"Collecting block {victim}: of its 256 pages" in shown.text(".now")
    assert f"{left} of them still have to be copied into block" in shown.text(".now")


def test_the_browser_decodes_what_python_decodes(shown: Shown, recorded: Path) -> None:
    recording = read_recording(recorded)
    for name, column in recording.columns.items():
        assert shown.run("return Array.from(view.recording[arguments[0]])", name) == column.flatten().tolist()


def test_play_goes_on_and_pause_stops(shown: Shown) -> None:
    Select(shown.part(".speed")).select_by_value("32")
    shown.part(".play").click()
    shown.until(lambda: shown.picture > 5)
    assert shown.text(".play").endswith("Pause")
    shown.part(".play").click()
    stopped = shown.picture
    time.sleep(0.3)
    assert shown.picture == stopped and shown.text(".play").endswith("Play")


def test_play_stops_at_the_end_and_begins_anew(shown: Shown) -> None:
    Select(shown.part(".speed")).select_by_value("32")
    shown.slide_to(478)
    shown.part(".play").click()
    shown.until(lambda: shown.data("playing") == "false")
    assert shown.picture == 480
    shown.part(".play").click()
    shown.until(lambda: 0 < shown.picture < 100)


def click_block(shown: Shown, block: int) -> None:
    x, y = shown.run("const middle = view.grid.middle(arguments[0]), box = view.grid.canvas;"
                     "return [middle.x - box.clientWidth / 2, middle.y - box.clientHeight / 2]", block)
    to_block = ActionChains(shown.browser).move_to_element_with_offset(shown.part(".grid"), int(x), int(y))
    to_block.click().perform()


def test_a_click_on_a_block_shows_its_history(shown: Shown, recorded: Path) -> None:
    recording = read_recording(recorded)
    shown.slide_to(300)
    before = shown.pixels(".life")
    click_block(shown, 41)
    assert shown.data("chosen") == "41"
    valid = recording.columns["valid"][300, 41]
    assert shown.text(".block").startswith("Block 41 is ")
    assert f": {valid} pages valid," in shown.text(".block")
    for word in ("Opened at", "full at", "erased by"):
        assert word in shown.text(".block")
    assert shown.text(".hover").startswith("block 41: ")
    assert shown.pixels(".life") != before


def test_a_click_on_a_curve_goes_to_that_moment(shown: Shown) -> None:
    ActionChains(shown.browser).move_to_element(shown.part(".host")).click().perform()
    assert 200 < shown.picture < 280
    ActionChains(shown.browser).move_to_element_with_offset(shown.part(".life"), -100, 0).click().perform()
    assert 100 < shown.picture < 200


def test_wear_colours_the_blocks_and_the_legend(shown: Shown) -> None:
    shown.slide_to(480)
    pages, legend = shown.pixels(".grid"), shown.text(".legend")
    Select(shown.part(".colouring")).select_by_value("wear")
    assert shown.pixels(".grid") != pages
    assert "erased 0×" in shown.text(".legend") and "erased 0×" not in legend
    Select(shown.part(".colouring")).select_by_value("pages")
    assert (shown.pixels(".grid"), shown.text(".legend")) == (pages, legend)


def test_everything_goes_without_a_mouse(shown: Shown) -> None:
    grid = shown.part(".grid")
    grid.send_keys(Keys.END)
    assert shown.picture == 480
    grid.send_keys(Keys.HOME)
    assert shown.picture == 0
    shown.run("view.choose(9)")
    grid.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    assert int(shown.data("chosen")) == 10 + shown.run("return view.grid.columns")
    grid.send_keys("w")
    assert Select(shown.part(".colouring")).first_selected_option.get_attribute("value") == "wear"
    shown.part(".time").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert shown.picture == 2
    shown.part(".play").send_keys(Keys.SPACE)
    shown.until(lambda: shown.picture > 3)
    grid.send_keys(Keys.SPACE)
    assert shown.data("playing") == "false"


BEYOND = """return [...document.querySelectorAll('.drive-at-work *')]
    .filter(part => part.getBoundingClientRect().right > innerWidth + 0.5)
    .map(part => part.className || part.tagName)"""
COVERED = """const all = [...document.querySelectorAll('.stage canvas, .stage p, .keys')];
    const parts = all.filter(part => part.clientHeight > 0);
    return parts.filter(a => parts.some(b => {
        if (a === b) return false;
        const x = a.getBoundingClientRect(), y = b.getBoundingClientRect();
        const beside = x.right <= y.left + 1 || y.right <= x.left + 1;
        return !beside && x.top < y.bottom - 1 && y.top < x.bottom - 1;
    })).map(part => part.className)"""


@pytest.mark.parametrize("size", [LAPTOP, SMALL], ids=["laptop", "small"])
def test_nothing_reaches_beyond_the_screen(browser: webdriver.Chrome, recorded: Path,
                                           size: Tuple[int, int]) -> None:
    shown = Shown(browser, recorded / "page.html", size)
    for moment in (0, 200, 332, 450):
        shown.slide_to(moment)
        assert shown.run("return document.documentElement.scrollWidth") == size[0]
        assert shown.run(BEYOND) == []
        assert shown.run(COVERED) == []
    assert min(shown.run("return [view.grid.cellWidth, view.grid.cellHeight]")) >= 26
    assert shown.complaints() == []


def test_the_picture_of_the_page_is_not_empty(shown: Shown, tmp_path: Path) -> None:
    shown.slide_to(200)
    picture = base64.b64decode(shown.browser.get_screenshot_as_base64())
    (tmp_path / "drive-at-work.png").write_bytes(picture)
    assert picture.startswith(b"\x89PNG") and len(picture) > 30_000


def speed_of(shown: Shown) -> str:
    return str(Select(shown.part(".speed")).first_selected_option.text)


def test_whoever_wants_less_motion_gets_one_picture_a_second(browser: webdriver.Chrome,
                                                             recorded: Path) -> None:
    wanted = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wanted})
    try:
        assert speed_of(Shown(browser, recorded / "page.html")) == "1 picture/s"
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert speed_of(Shown(browser, recorded / "page.html")) == "8 pictures/s"


def test_4096_superblocks_are_drawn_and_found_by_a_click(browser: webdriver.Chrome, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(page(written(tmp_path, by_hand(pictures=9, superblocks=4096))), encoding="utf-8")
    shown = Shown(browser, file)
    for block in (4095, 1234):
        click_block(shown, block)
        assert shown.data("chosen") == str(block)
    start = shown.pixels(".grid")
    shown.slide_to(7)
    assert shown.pixels(".grid") != start
    assert shown.complaints() == []


def test_two_sections_on_one_page_do_not_disturb_one_another(browser: webdriver.Chrome,
                                                             tmp_path: Path) -> None:
    text = section(written(tmp_path, by_hand(pictures=9)))
    both = f"<!DOCTYPE html><html><body>{text}{text}</body></html>"
    (tmp_path / "page.html").write_text(both, encoding="utf-8")
    shown = Shown(browser, tmp_path / "page.html")
    shown.slide_to(5)
    second = browser.find_elements(By.CSS_SELECTOR, ".drive-at-work")[1]
    assert (shown.picture, second.get_attribute("data-picture")) == (5, "0")
    assert shown.complaints() == []


def test_texts_of_the_file_are_shown_as_they_are(browser: webdriver.Chrome, tmp_path: Path) -> None:
    hostile = "</script><script>document.hacked = 1</script><img src=x onerror='document.hacked = 1'>&amp;"
    document = by_hand()
    document["drive"] = document["phases"][0]["name"] = hostile
    (tmp_path / "page.html").write_text(page(written(tmp_path, document)), encoding="utf-8")
    shown = Shown(browser, tmp_path / "page.html")
    assert shown.text(".now").startswith(hostile) and shown.text("h2 small") == hostile
    assert shown.run("return document.hacked === undefined")
    assert shown.complaints() == []


def test_a_recording_without_pictures_says_so(browser: webdriver.Chrome, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(page(written(tmp_path, by_hand(pictures=0))), encoding="utf-8")
    shown = Shown(browser, tmp_path / "page.html")
    assert shown.text(".now") == "The run ended before the first picture was taken."
    assert shown.root.find_elements(By.CSS_SELECTOR, "canvas, button") == []
    assert shown.complaints() == []
