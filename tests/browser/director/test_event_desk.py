"""A tournament of two divisions at the director's page: eight rounds, and what goes wrong."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import sign_in
from tests.browser.director.director_hall import MARKS, DirectorHall, director_hall
from tests.eventually import eventually

pytestmark = MARKS
ROUNDS = 8
WAITS = """
[[table]]
number = {number}
tiles = "english"
rules = "{rules}"
minutes = 25
check_clock = false
devices = {{ cam-{number} = "board-camera", clock-{number} = "serial-clock"{more} }}
"""
NAMES = [
    "Ashdown",
    "Brok",
    "Caro",
    "Dube",
    "Eklund",
    "Farouk",
    "Gruber",
    "Hoang",
    "Ivanova",
    "Jansen",
    "Kovac",
    "Lund",
]


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectorHall]:
    """One table with devices; the rest plays without."""
    with director_hall(tmp_path_factory.mktemp("hall"), tables=1, table=WAITS) as venue:
        yield venue


class Desk:
    """What a director does at the page, and how many keys it takes."""

    def __init__(self, page: Page) -> None:
        self.page, self.keys = page, 0

    def types(self, words: str, *, asked: bool = False) -> str:
        """Types an order and Enter; Enter again where it asks. What the page answers."""
        self.page.locator("#words").press_sequentially(words)
        self.page.keyboard.press("Enter")
        self.keys += len(words) + 1
        if asked:
            self.page.wait_for_selector(".event-answer:has-text('also')")
            self.page.keyboard.press("Enter")
            self.keys += 1
        self.page.wait_for_function(
            "() => /^(Recorded|Refused)/.test(document.querySelector('.event-answer').innerText)"
            " && !document.querySelector('.event-answer ul')"
            " && document.querySelector('#words').value === ''"
            " || /^Refused/.test(document.querySelector('.event-answer').innerText)"
        )
        return self.page.inner_text(".event-answer")

    def pairs(self, division: str, method: str = "Swiss") -> str:
        """Pairs a division by a button and publishes it."""
        row = self.page.locator(".methods", has_text=f"Pair division {division}:")
        row.get_by_role("button", name=method, exact=True).click()
        self.page.wait_for_selector(".drawn")
        self.page.locator("#words").press("Enter")
        self.page.wait_for_selector(".drawn", state="detached")
        return self.page.inner_text(".event-answer")

    def games(self, division: str) -> list[tuple[int, int]]:
        """The numbers of the pairs of the newest round."""
        section = self.page.locator("section", has_text=f"Division {division}").last
        rows = section.locator(".event-table").first.locator("tbody tr").all_inner_texts()
        found = [re.findall(r"(?:^|\t)(\d+) [A-Z]", row) for row in rows]
        return [(int(pair[0]), int(pair[1])) for pair in found]


def look_by_phone(browser: Browser, hall: DirectorHall, tmp_path: Path) -> None:
    """A player says who they are, and has their seat and their own division."""
    phone = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    phone.goto(hall.server.url("/event"))
    phone.wait_for_selector(".mine select")
    phone.screenshot(path=str(tmp_path / "phone-all.png"), full_page=True)
    phone.select_option(".mine select", "B/1")
    phone.wait_for_selector(".mine-seat:has-text('Round 8')")
    phone.wait_for_function("() => !document.body.innerText.includes('Division A')")
    phone.click("text=All rounds")
    phone.wait_for_selector(".crosstable")
    assert phone.locator("h3", has_text="Gruber, X").count() == 1
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.screenshot(path=str(tmp_path / "phone.png"), full_page=True)
    phone.set_viewport_size({"width": 1440, "height": 900})
    phone.screenshot(path=str(tmp_path / "public.png"), full_page=True)
    phone.context.close()


def test_eight_rounds_of_two_divisions(
    hall: DirectorHall, browser: Browser, tmp_path: Path
) -> None:
    """Late entry, no-show, withdrawal and return, tie, correction, double entry, a round redone."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    sign_in(page, hall.server)
    page.goto(hall.server.url("/director/event"))
    page.wait_for_selector("#words")
    desk, rng = Desk(page), Random(1)
    desk.types("about rounds 8")
    people = [f"{name}, X 1500" for name in NAMES]
    page.fill("#roster", "\n".join([*people[:6], "Division B", *people[6:], people[0]]))
    page.click("text=Look at them")
    page.wait_for_selector("text=left out: plays in division A already")
    page.click("text=Enter 12 players")
    page.wait_for_selector(".event-answer:has-text('12 players entered')")
    assert "double" not in desk.types("player A Ashdown, Y 1400")
    page.locator(".event-answer").get_by_role("button", name="undo").click()
    page.wait_for_selector(".event-answer:has-text('does not count')")
    desk.types("tables B 7-12")
    keys, results = 0, 0
    for round_ in range(1, ROUNDS + 1):
        for division in "AB":
            assert desk.pairs(division, "COP" if round_ > 5 else "Swiss").startswith("Recorded")
        if round_ == 2:
            page.get_by_role("button", name="Redo round 2").first.click()
            page.wait_for_selector(".drawn")
            page.get_by_role("button", name="Pair the rest again").click()
            page.locator("#words").press("Enter")
            page.wait_for_selector(".drawn", state="detached")
        page.wait_for_function(f"() => document.body.innerText.includes('Round {round_}')")
        for division in "AB":
            eventually(lambda name=division: len(desk.games(name)) == 3, "the round is shown")
            page.select_option("[aria-label=Division]", division)
            for place, (first, second) in enumerate(desk.games(division)):
                scores = rng.randint(330, 480), rng.randint(330, 480)
                if (round_, division, place) == (3, "A", 0):
                    scores = 400, 400
                if (round_, division, place) == (3, "B", 2):
                    assert "did not come" in desk.types(f"noshow B 3 {first} 50")
                    continue
                before = desk.keys
                words = f"{first} {scores[0]} {second} {scores[1]}"
                said = desk.types(words)
                assert said.startswith("Recorded"), said
                keys, results = keys + desk.keys - before, results + 1
    assert keys / results <= 14
    assert page.inner_text(".event-answer").count("round 8") == 1
    page.screenshot(path=str(tmp_path / "desk.png"), full_page=True)
    page.locator(".methods", has_text="Pair division A:").get_by_role(
        "button", name="Redo round 8"
    ).click()
    page.wait_for_selector(".drawn")
    page.screenshot(path=str(tmp_path / "redo.png"))
    look_by_phone(browser, hall, tmp_path)
    context.close()
