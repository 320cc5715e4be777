"""The page in a real browser, without a network: curves, pointer, legend, scales, layout."""

import json
from pathlib import Path
from typing import Any, Iterator

import pytest
from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

import report_folders as folders
from ftlab.report.page import page
from ftlab.report.sections import sections_of
from ftlab.report.reading.sources import read_sources

BROWSER, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
WAIT_S = 30


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    for program in (BROWSER, DRIVER):
        assert Path(program).exists(), f"{program} is missing: install chromium and chromium-driver"
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1366,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def opened(browser: webdriver.Chrome, tmp_path_factory: pytest.TempPathFactory) -> webdriver.Chrome:
    """A page of a run, a procedure and a board, open with the network off."""
    home = tmp_path_factory.mktemp("page")
    sources = [folders.write_run(home / "run"), folders.write_procedure(home / "ramp"),
               folders.write_board(home / "board.json")]
    file = home / "index.html"
    file.write_text(page("A page for the browser", sections_of(read_sources(sources))))
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.emulateNetworkConditions",
                            {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})
    resize(browser, 1366, 768)
    browser.get(file.as_uri())
    drawing = ".plot:not([data-drawn])"
    WebDriverWait(browser, WAIT_S).until(lambda b: not b.find_elements(By.CSS_SELECTOR, drawing))
    return browser


def resize(browser: webdriver.Chrome, width: int, height: int) -> None:
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def plot(browser: webdriver.Chrome, slug: str, expression: str) -> Any:
    """The value of a JavaScript expression over `plot`, the element of a figure."""
    return browser.execute_script(
        f"const plot = document.getElementById('plot-{slug}'); return {expression};")


def test_every_figure_is_drawn_and_nothing_is_complained_of(opened: webdriver.Chrome) -> None:
    figures = opened.find_elements(By.CSS_SELECTOR, "figure .plot")
    assert len(figures) == 10
    for figure in figures:
        drawn = figure.find_elements(By.CSS_SELECTOR, ".scatterlayer .trace, .barlayer .trace")
        assert len(drawn) >= 1, figure.get_attribute("id")
    assert [entry for entry in opened.get_log("browser") if entry["level"] != "INFO"] == []


def test_nothing_is_asked_of_a_network(opened: webdriver.Chrome) -> None:
    urls = set()
    for entry in opened.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            urls.add(message["params"]["request"]["url"].split(":")[0])
    assert urls <= {"file", "data", "blob"} and "file" in urls
    assert not opened.find_elements(By.CSS_SELECTOR, "[data-title*='hare']")  # Plotly's upload of charts
    assert plot(opened, "rates", "plot._context.showSendToCloud") is False


def test_the_curves_hold_the_numbers_of_the_series(opened: webdriver.Chrome) -> None:
    drawn = plot(opened, "rates", "plot.data.find(t => t.name === 'write').y")
    assert drawn == [1000 + 37 * (second % 11) for second in range(1, 21)]
    assert len(plot(opened, "rates", "Array.from(plot.querySelectorAll('.scatterlayer .point'))")) == 40


def test_a_pointer_on_a_point_is_told_its_numbers_with_units(opened: webdriver.Chrome) -> None:
    element = opened.find_element(By.ID, "plot-rates")
    opened.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    point = element.find_elements(By.CSS_SELECTOR, ".scatterlayer .trace:first-child .point")[6]
    ActionChains(opened).move_to_element(point).perform()
    label = "#plot-rates .hoverlayer text"
    WebDriverWait(opened, WAIT_S).until(lambda b: b.find_elements(By.CSS_SELECTOR, label))
    told = opened.find_element(By.CSS_SELECTOR, "#plot-rates .hoverlayer").text
    assert "Time: 7 s" in told and "Requests: 1,259 IOPS" in told  # 1000 + 37 * 7
    assert "write" in told


def test_a_click_in_the_legend_hides_a_curve_and_another_shows_it(opened: webdriver.Chrome) -> None:
    def shown() -> Any:
        return plot(opened, "latencies", "plot._fullData.map(t => t.visible)")
    entry = opened.find_element(By.CSS_SELECTOR, "#plot-latencies .legendtoggle")
    opened.execute_script("arguments[0].scrollIntoView({block: 'center'})", entry)
    assert shown() == [True, True, True]
    entry.click()
    WebDriverWait(opened, WAIT_S).until(lambda b: shown() == ["legendonly", True, True])
    opened.find_element(By.CSS_SELECTOR, "#plot-latencies .legendtoggle").click()
    WebDriverWait(opened, WAIT_S).until(lambda b: shown() == [True, True, True])


def test_the_scale_is_switched_to_log_and_back(opened: webdriver.Chrome) -> None:
    button = opened.find_element(By.CSS_SELECTOR, "button.scale[data-plot='plot-rates']")
    opened.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
    types = "[plot._fullLayout.yaxis.type, plot._fullLayout.yaxis2.type]"
    assert plot(opened, "rates", types) == ["linear", "linear"]
    assert button.get_attribute("aria-pressed") == "false"
    button.click()
    WebDriverWait(opened, WAIT_S).until(lambda b: plot(b, "rates", types) == ["log", "log"])
    assert button.get_attribute("aria-pressed") == "true"
    button.click()
    WebDriverWait(opened, WAIT_S).until(lambda b: plot(b, "rates", types) == ["linear", "linear"])


@pytest.mark.parametrize("width, height", [(1366, 768), (800, 600)])
def test_nothing_overflows_sideways(opened: webdriver.Chrome, width: int, height: int) -> None:
    resize(opened, width, height)
    WebDriverWait(opened, WAIT_S).until(lambda b: b.execute_script(
        "return Array.from(document.querySelectorAll('.plot')).every(p =>"
        " p._fullLayout.width <= p.clientWidth + 1)"))
    assert opened.execute_script("return innerWidth") == width
    assert opened.execute_script("return document.documentElement.scrollWidth") <= width
    wide = opened.execute_script("return Array.from(document.querySelectorAll('.plot svg')).filter(s =>"
                                 " s.getBoundingClientRect().right > innerWidth + 1).length")
    assert wide == 0
    resize(opened, 1366, 768)


def test_a_printed_page_has_its_figures_within_the_paper(opened: webdriver.Chrome) -> None:
    resize(opened, 718, 1000)  # A4 between margins of 1 cm
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    opened.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    WebDriverWait(opened, WAIT_S).until(lambda b: plot(b, "rates", "plot._fullLayout.width") == 690)
    assert opened.execute_script("return document.documentElement.scrollWidth") <= 718
    assert not opened.find_element(By.CSS_SELECTOR, "button.scale").is_displayed()
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    resize(opened, 1366, 768)
    opened.execute_script("window.dispatchEvent(new Event('afterprint'))")
    WebDriverWait(opened, WAIT_S).until(lambda b: plot(b, "rates", "plot._fullLayout.width") > 1000)


def test_a_screenshot_shows_the_colours_of_the_curves(opened: webdriver.Chrome, tmp_path: Path) -> None:
    element = opened.find_element(By.ID, "plot-rates")
    opened.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    assert element.screenshot(str(tmp_path / "rates.png"))
    with Image.open(tmp_path / "rates.png") as image:
        colours = dict((colour, count) for count, colour in image.convert("RGB").getcolors(1 << 24))
    assert colours[(0xD5, 0x5E, 0)] > 100  # Okabe and Ito's vermillion: writes
    assert colours[(255, 255, 255)] > sum(colours.values()) / 2
