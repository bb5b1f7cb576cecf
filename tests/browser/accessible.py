"""What axe-core holds against a page (WCAG 2.2 AA), for anyone who has one open.

axe-core is fetched with what checks the scripts' types (``.ci/scripts``), never shipped.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "build" / "scripts" / "node_modules" / "axe-core" / "axe.min.js"
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
FAULTS = """async (levels) => (await axe.run(document, { runOnly: levels })).violations.map(
    (one) => [one.id, ...one.nodes.map((node) => node.html.slice(0, 200))])"""


@pytest.fixture
def audit() -> Callable[[Page], list[Any]]:
    """Finds what axe-core holds against a page; skips visibly without it."""
    if not AXE.exists():
        pytest.skip("no axe-core: `.ci/scripts` fetches it, with Node and npm")
    script = AXE.read_text("utf-8")

    def find(page: Page) -> list[Any]:
        page.evaluate(f"{script};0")
        return list(page.evaluate(FAULTS, LEVELS))

    return find
