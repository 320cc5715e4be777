"""The page in a real browser without a network: curves, pointer, legend, scales, keys, themes, printing, small screens."""

import io
import json
from pathlib import Path
from typing import Any, Iterator

import pytest
from PIL import Image
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

import report_folders as folders
from ftlab.report.page import LIBRARY, library, page
from ftlab.report.reading.sources import read_sources
from ftlab.report.sections import sections_of

WAIT_S = 60
MOST_BYTES = 1_000_000  # size limit for the page of a usual run
OPENS_WITHIN_MS = 5000  # best of three on a busy machine; an idle one needs a tenth of that
WIDE, NARROW = 1366, 400


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with two runs, a procedure, a sweep and a scoreboard."""
    home = tmp_path_factory.mktemp("page")
    table = home / "sweep.csv"
    table.write_text("op,wa,policy\n" +
                     "".join(f"{op},{1 / op},{policy}\n" for op in (0.07, 0.15, 0.28) for policy in ("greedy", "fifo")))
    problem = {"code": "unwritten_reads", "text": "98 % of the bytes read were never written",
               "remedy": "write the drive first"}
    other = {**folders.ftlab_key(), "seed": 8, "problems": [problem]}
    sources = [folders.write_run(home / "run"), folders.write_run(home / "other", ftlab=other),
               folders.write_procedure(home / "ramp"), folders.write_board(home / "board.json"), table]
    index = home / "index.html"  # without the pictures as files, which take most of the time of a report
    index.write_text(page("A page for the browser", sections_of(read_sources(sources))))
    (home / LIBRARY).write_text(library())
    return index


@pytest.fixture(scope="module")
def opened(browser: webdriver.Chrome, file: Path) -> webdriver.Chrome:
    """The page, opened with the network off."""
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.emulateNetworkConditions",
                            {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})
    resize(browser, WIDE, 768)
    browser.get(file.as_uri())
    draw_all(browser)
    return browser


@pytest.fixture
def narrow(opened: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    resize(opened, NARROW, 800)
    drawn_for(opened, NARROW)
    yield opened
    resize(opened, WIDE, 768)
    drawn_for(opened, WIDE)


@pytest.fixture(params=["light", "dark"])
def theme(opened: webdriver.Chrome, request: pytest.FixtureRequest) -> Iterator[str]:
    emulate(opened, scheme=request.param)
    yield request.param
    emulate(opened)


def resize(browser: webdriver.Chrome, width: int, height: int) -> None:
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def emulate(browser: webdriver.Chrome, media: str = "", scheme: str = "light") -> None:
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                            {"media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]})


def draw_all(browser: webdriver.Chrome) -> None:
    """Also draws figures outside the viewport."""
    browser.set_script_timeout(WAIT_S)
    assert browser.execute_async_script(
        "const done = arguments[0]; Promise.all(Array.from(document.querySelectorAll('.plot')).map(p => p.chart.draw()))"
        ".then(() => done(''), error => done(String(error)))") == ""


def drawn_for(browser: webdriver.Chrome, width: int) -> None:
    """Waits until every figure has been redrawn for this window width."""
    WebDriverWait(browser, WAIT_S).until(lambda b: b.execute_script(
        "return Array.from(document.querySelectorAll('.plot')).every(p => Number(p.dataset.drawn) <= arguments[0]"
        " && Number(p.dataset.drawn) > arguments[0] / 2)", width))


def chart(browser: webdriver.Chrome, slug: str, expression: str) -> Any:
    """Value of a JavaScript expression that may use `chart` (page.js's object of the figure) and `element`."""
    return browser.execute_script(
        f"const element = document.getElementById('plot-{slug}'), chart = element.chart; return {expression};")


def centre(browser: webdriver.Chrome, element: Any) -> Any:
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    return element


def element_of(browser: webdriver.Chrome, slug: str) -> Any:
    return centre(browser, browser.find_element(By.ID, f"plot-{slug}"))


def lines_in(browser: webdriver.Chrome, slug: str) -> int:
    return int(chart(browser, slug, "element.querySelectorAll('.mark-line path').length"))


def test_every_figure_is_drawn_and_nothing_is_complained_of(opened: webdriver.Chrome) -> None:
    figures = opened.find_elements(By.CSS_SELECTOR, "figure .plot")
    assert len(figures) > 10
    for figure in figures:
        drawn = figure.find_elements(By.CSS_SELECTOR, ".mark-line path, .mark-symbol path, .mark-rect path")
        assert len(drawn) >= 1, figure.get_attribute("id")
    assert [entry for entry in opened.get_log("browser") if entry["level"] != "INFO"] == []


def test_nothing_is_asked_of_a_network(opened: webdriver.Chrome) -> None:
    urls = set()
    for entry in opened.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            urls.add(message["params"]["request"]["url"].split(":")[0])
    assert urls <= {"file", "data", "blob"} and "file" in urls


def test_the_page_of_a_usual_run_is_small(file: Path) -> None:
    assert file.stat().st_size < MOST_BYTES


def test_the_page_opens_fast(opened: webdriver.Chrome, file: Path) -> None:
    times = []
    for _ in range(3):
        opened.get(file.as_uri())
        times.append(opened.execute_script("return performance.getEntriesByType('navigation')[0].loadEventEnd"))
    assert 0 < min(times) < OPENS_WITHIN_MS, times
    draw_all(opened)


def test_the_answer_stands_on_the_first_screen(opened: webdriver.Chrome) -> None:
    opened.execute_script("scrollTo(0, 0)")
    cards = opened.find_elements(By.CSS_SELECTOR, ".card")
    assert [card.find_element(By.TAG_NAME, "h3").text for card in cards] == [
        "WA at the end", "Throughput, write, at the end (IOPS)", "p50, write, at the end (µs)",
        "p99, write, at the end (µs)",
        "p99.9, write, at the end (µs)",
        "Erases, since the beginning (blocks for each GB written)"]
    boxed = opened.find_element(By.CSS_SELECTOR, "#problems li")
    sentence, first = opened.find_element(By.CSS_SELECTOR, ".answer"), opened.find_element(By.ID, "plot-rates")
    assert boxed.rect["y"] < sentence.rect["y"] < first.rect["y"] < cards[0].rect["y"]
    assert "Remedy: write the drive first" in boxed.text and first.rect["y"] + first.rect["height"] / 2 <= 768
    assert sentence.text.startswith("A drive of tests, randwrite 4 KiB, depth 4, at the end (last 2 s): no difference "
                                    "beyond the scatter. run 1,200 IOPS")
    assert "seed" in opened.find_element(By.CSS_SELECTOR, ".differs").text


def test_a_pointer_shows_the_numbers_with_units(opened: webdriver.Chrome) -> None:
    element = element_of(opened, "latencies")
    size = element.size
    ActionChains(opened).move_to_element_with_offset(element, 0, -int(size["height"] / 2) + 80).perform()
    tip = WebDriverWait(opened, WAIT_S).until(lambda b: b.find_element(By.CSS_SELECTOR, "#vg-tooltip-element.visible"))
    assert {"Time (s)", "run µs", "other µs"} <= set(tip.text.replace("\t", "\n").splitlines()) or "run µs" in tip.text


def test_a_button_of_the_legend_hides_a_curve_and_shows_it_again(opened: webdriver.Chrome) -> None:
    button = opened.find_element(By.XPATH, "//figure[.//*[@id='plot-latencies']]//button[contains(., 'other')]")
    before = lines_in(opened, "latencies")
    assert before == 4  # median and 99th percentile of two runs
    centre(opened, button).click()
    WebDriverWait(opened, WAIT_S).until(lambda b: lines_in(b, "latencies") < before)
    assert button.get_attribute("aria-pressed") == "false"
    button.send_keys(Keys.ENTER)
    WebDriverWait(opened, WAIT_S).until(lambda b: lines_in(b, "latencies") == before)


def test_the_scale_is_switched_to_log_and_back(opened: webdriver.Chrome) -> None:
    button = centre(opened, opened.find_element(By.XPATH, "//figure[.//*[@id='plot-rates']]//button[@class='scale']"))
    kinds = [chart(opened, "rates", "chart.drawn.view.scale('concat_0_y').type")]
    for _ in range(2):
        button.click()
        WebDriverWait(opened, WAIT_S).until(
            lambda b: chart(b, "rates", "chart.drawn.view.scale('concat_0_y').type") != kinds[-1])
        kinds.append(chart(opened, "rates", "chart.drawn.view.scale('concat_0_y').type"))
    assert kinds == ["linear", "log", "linear"]


def test_figures_with_the_same_axis_are_zoomed_together(opened: webdriver.Chrome) -> None:
    element_of(opened, "latencies").send_keys("+")
    assert chart(opened, "latencies", "chart.span") == chart(opened, "rates", "chart.span") == [5, 15]
    WebDriverWait(opened,
                  WAIT_S).until(lambda b: chart(b, "rates", "chart.drawn.view.scale('concat_0_x').domain()") == [5, 15])
    button = opened.find_element(By.XPATH, "//figure[.//*[@id='plot-rates']]//button[@class='whole']")
    centre(opened, button).send_keys(Keys.ENTER)
    assert chart(opened, "latencies", "chart.span") == [0, 20] and not button.is_displayed()


def test_a_drag_zooms(opened: webdriver.Chrome) -> None:
    element = element_of(opened, "rates")
    ActionChains(opened).move_to_element(element).click_and_hold().move_by_offset(200, 0).release().perform()
    low, high = chart(opened, "rates", "chart.span")
    assert 9 < low < 11 and 12 < high < 14.5
    ActionChains(opened).double_click(element).perform()
    assert chart(opened, "rates", "chart.span") == [0, 20]


def test_everything_that_acts_is_reached_by_the_tabulator_and_shows_it(opened: webdriver.Chrome) -> None:
    opened.execute_script("scrollTo(0, 0); document.activeElement.blur()")
    reached = set()
    for _ in range(400):
        ActionChains(opened).send_keys(Keys.TAB).perform()
        kind, outline = opened.execute_script(
            "const e = document.activeElement; return [e.tagName + '.' + e.className.split(' ')[0], "
            "getComputedStyle(e).outlineStyle]")
        if kind == "BODY.":
            break
        reached.add(kind)
        assert outline != "none", kind
    assert {"A.", "SUMMARY.", "DIV.wide", "DIV.plot", "BUTTON.scale", "BUTTON."} <= reached


def test_a_point_leads_to_its_row(opened: webdriver.Chrome) -> None:
    centre(opened, opened.find_element(By.CSS_SELECTOR, "#plot-heat-0-0 .mark-rect path")).click()
    row = opened.find_element(By.ID, "point-0-0")
    WebDriverWait(opened, WAIT_S).until(lambda b: row.is_displayed())
    assert "greedy" in row.text
    opened.execute_script("history.replaceState(null, '', ' '); document.querySelectorAll('details').forEach(d => { d.open "
                          "= false; })")


OVERFLOW = """return Array.from(document.querySelectorAll('main *')).filter(e => e.getClientRects().length > 0 &&
    e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.wide') && !e.closest('svg *'))
    .map(e => e.tagName + '.' + e.className)"""


@pytest.mark.parametrize("width", [1366, 800, 400])
def test_nothing_overflows_sideways(opened: webdriver.Chrome, width: int) -> None:
    resize(opened, width, 768)
    drawn_for(opened, width)
    assert opened.execute_script("return innerWidth") == width
    assert opened.execute_script("return document.documentElement.scrollWidth") <= width
    assert opened.execute_script(OVERFLOW) == []
    texts = opened.execute_script("return Array.from(document.querySelectorAll('.plot svg text')).filter(t => {"
                                  " const box = t.getBoundingClientRect();"
                                  " return !t.closest('[clip-path]') && t.textContent && box.width && (box.right > "
                                  "innerWidth + 1 || box.left < -1); })"
                                  ".map(t => t.textContent)")
    assert texts == []
    resize(opened, WIDE, 768)
    drawn_for(opened, WIDE)


def test_only_tables_that_compare_are_cut_on_a_narrow_screen_and_say_so(narrow: webdriver.Chrome) -> None:
    narrow.execute_script("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    told = ("return Array.from(document.querySelectorAll('.wide')).filter(w => w.scrollWidth > w.clientWidth + 1)"
            ".map(w => [w.querySelector('table').className.includes('matrix'), w.classList.contains('cut'),"
            " getComputedStyle(w, '::before').content])")
    assert all(matrix for matrix, _, _ in narrow.execute_script(told))
    width = "document.querySelectorAll('.wide:has(.matrix)').forEach(w => { w.style.width = arguments[0]; })"
    narrow.execute_script(width, "150px")
    WebDriverWait(narrow, WAIT_S).until(lambda b: all(marked for _, marked, _ in b.execute_script(told)))
    cut = narrow.execute_script(told)
    narrow.execute_script(width, "")
    narrow.execute_script("document.querySelectorAll('details').forEach(d => { d.open = false; })")
    assert cut and all(matrix and "scroll" in note for matrix, _, note in cut)


# The text of every visible element with its colour and the background colour.
COLOURS = """const shown = [];
    document.querySelectorAll('body *').forEach(element => {
      if (element.getClientRects().length === 0 || element.closest('script, style, [id^=plot-heat] .mark-text')) return;
      const own = Array.from(element.childNodes).some(node => node.nodeType === 3 && node.textContent.trim());
      if (!own) return;
      const style = getComputedStyle(element), svg = element.namespaceURI.endsWith('svg');
      let around = element, behind = 'rgba(0, 0, 0, 0)';
      while (around && behind === 'rgba(0, 0, 0, 0)') {
        behind = getComputedStyle(around).backgroundColor; around = around.parentElement; }
      if (behind === 'rgba(0, 0, 0, 0)') behind = getComputedStyle(document.documentElement).backgroundColor;
      shown.push([element.tagName + '.' + element.getAttribute('class') + ': ' + element.textContent.slice(0, 30),
                  svg ? style.fill : style.color, behind]);
    });
    return shown;"""
MARKS = """const paper = getComputedStyle(document.documentElement).backgroundColor;
    return Array.from({length: 8}, (_, n) => {
      const probe = document.createElement('i');
      probe.style.color = 'var(--hue' + n + ')';
      document.body.append(probe);
      const colour = getComputedStyle(probe).color;
      probe.remove();
      return ['hue' + n, colour, paper];
    });"""


def luminance(colour: str) -> float:
    """WCAG 2.1's relative luminance of rgb(r, g, b)."""
    parts = [int(part) / 255 for part in colour[colour.index("(") + 1:-1].split(",")[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_wcag_aa(opened: webdriver.Chrome, theme: str) -> None:
    texts = opened.execute_script(COLOURS)
    assert len(texts) > 100
    weak = [entry for entry in texts if contrast(entry[1], entry[2]) < 4.5]
    assert weak == []
    assert [entry for entry in opened.execute_script(MARKS) if contrast(entry[1], entry[2]) < 3] == []


def test_the_dark_page_is_dark_and_the_light_one_light(opened: webdriver.Chrome, theme: str) -> None:
    element = element_of(opened, "rates")
    with Image.open(io.BytesIO(element.screenshot_as_png)) as image:
        colours = {colour: count for count, colour in image.convert("RGB").getcolors(1 << 24)}
    paper, hue = {"light": ((255, 255, 255), (0, 0x72, 0xB2)), "dark": ((0x16, 0x19, 0x1D), (0x5A, 0xB4, 0xF0))}[theme]
    assert colours[paper] > sum(colours.values()) / 6  # the steady part is shaded
    assert colours[hue] > 50  # the first run


def test_a_printed_page_is_light_and_has_its_figures_within_the_paper(opened: webdriver.Chrome) -> None:
    resize(opened, 718, 1000)  # A4 with margins of 1 cm
    emulate(opened, "print", "dark")
    opened.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    WebDriverWait(opened, WAIT_S).until(lambda b: chart(b, "rates", "element.dataset.drawn && chart.room") == 690 - 76)
    assert opened.execute_script("return document.documentElement.scrollWidth") <= 718
    assert not opened.find_element(By.CSS_SELECTOR, "button.scale").is_displayed()
    assert opened.execute_script("return getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    emulate(opened)
    resize(opened, WIDE, 768)
    opened.execute_script("window.dispatchEvent(new Event('afterprint'))")
    drawn_for(opened, WIDE)


def test_the_same_thing_has_the_same_colour_in_every_figure(opened: webdriver.Chrome) -> None:
    legends = {slug: {name: colour for name, colour, _ in chart(opened, slug, "chart.meta.legend")}
               for slug in ("nines", "rates")}
    assert legends["nines"] == {"run: write": "#0072B2", "other: write": "#D55E00"}
    assert legends["rates"] == {"run": "#0072B2", "other": "#D55E00"}
