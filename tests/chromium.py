"""The browser of this machine: the build without windows first, which draws for less work."""

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

_NAMES = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
)


def find_chromium() -> str | None:
    """The browser named by TILECAST_CHROMIUM, else the first one on the path."""
    given = os.environ.get("TILECAST_CHROMIUM")
    return given or next((found for name in _NAMES if (found := shutil.which(name))), None)


@contextmanager
def open_chromium() -> "Iterator[Browser]":
    """The browser, without windows, until the block ends; an error where none is found."""
    from playwright.sync_api import sync_playwright

    words = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=words)
        yield browser
        browser.close()
