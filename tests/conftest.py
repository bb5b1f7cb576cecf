"""How the suite is run: by how many processes, and how patient its properties are."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, sync_playwright

from tests.chromium import find_chromium

# How long an example takes says how busy the machine is, and nothing about the program.
settings.register_profile("tilecast", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tilecast")


def pytest_xdist_auto_num_workers() -> int:
    """As many as there are cores; two at least, for most of the long tests wait for something."""
    return max(2, os.cpu_count() or 1)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One headless Chromium for all tests of a process; skips visibly where there is none."""
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium found: install one, or name it in TILECAST_CHROMIUM")
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()
