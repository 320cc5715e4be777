"""Shared by the tests: a small drive, and jobs that run on it in a fraction of a second."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Iterator

import pytest
from hypothesis import settings

import ftlab

if TYPE_CHECKING:
    from selenium import webdriver

# Hypothesis draws the same examples in every run, so that a commit is judged by its changes and not by new draws.
settings.register_profile("same-examples", derandomize=True)
settings.load_profile("same-examples")

os.environ["FTLAB_CACHE_LIMIT"] = "0"  # neither reads nor writes the states that the user keeps

SMALL = {
    "user_sectors": 98304, "geometry.channels": 2, "geometry.blocks_per_plane": 64, "geometry.pages_per_block": 32,
    "geometry.planes_per_die": 1, "geometry.page_bytes": 16384, "geometry.page_spare_bytes": 1024,
}
"""Laid over the library's example: 64 MiB of flash, 48 MiB for the user, 64 superblocks of 1 MiB."""


def small_drive(settings: dict | None = None, **options: object) -> ftlab.Drive:
    return ftlab.Drive("example-25nm-mlc", {**SMALL, **(settings or {})}, **options)  # type: ignore[arg-type]


def writes(amount: str = "200m", **options: object) -> ftlab.Job:
    """Random writes of 4 KiB to the whole drive."""
    lines = {"filename": "drive", "rw": "randwrite", "bs": "4k", "iodepth": 8, "norandommap": 1, "io_size": amount,
             **options}
    return ftlab.Job("[writes]\n" + "".join(f"{key}={value}\n" for key, value in lines.items()))


@pytest.fixture
def program() -> str:
    """Path of this build's program ftlab. Fails if it is missing, because it is under test."""
    path = os.environ.get("FTLAB_PROGRAM", "")
    assert os.access(path, os.X_OK), "FTLAB_PROGRAM must name the program ftlab (ctest sets it)"
    return path


@pytest.fixture(scope="module")
def browser() -> "Iterator[webdriver.Chrome]":
    """Chromium without a window, which logs its messages and requests."""
    from selenium import webdriver
    programs = [shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")]
    program, driver = next(filter(None, programs), None), shutil.which("chromedriver")
    assert program and driver, "chromium and chromedriver are needed (packages chromium and chromium-driver)"
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--window-size=1400,1200"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    made = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield made
    made.quit()
