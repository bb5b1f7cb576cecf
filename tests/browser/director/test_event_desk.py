"""A tournament of two divisions at the director's page: five rounds, and what goes wrong."""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, FilePayload, Page, Route
from pypdf import PdfReader

from recorder.domain.observations import Side
from tests.browser.conftest import sign_in
from tests.browser.director.director_hall import MARKS, DirectorHall, SeenTable, director_hall
from tests.eventually import eventually
from tests.recorder.order_game import EMPTY, HAND

pytestmark = MARKS
ROUNDS = 5
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


LISTED = 23
"""Players of a list that is pasted; a director of TSH types 26 keys for each."""


class Desk:
    """What a director does at the page, and how many keys and clicks it takes."""

    def __init__(self, page: Page) -> None:
        self.page, self.keys, self.clicks = page, 0, 0

    def presses(self, *keys: str) -> None:
        """Keys, one after the other; those held together count each."""
        for key in keys:
            self.page.keyboard.press(key)
            self.keys += key.count("+") + 1

    def clicks_on(self, selector: str) -> None:
        self.page.click(selector)
        self.clicks += 1

    def types(self, words: str, *, asked: bool = False) -> str:
        """Types an order and Enter; Enter again where it asks. What the page answers."""
        self.page.locator("#words").press_sequentially(words)
        self.page.keyboard.press("Enter")
        self.keys += len(words) + 1
        if asked:
            self.page.wait_for_selector(".event-answer:has-text('before it counts')")
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
        """Pairs a division by a button, or by the list of other ways, and publishes it."""
        row = self.page.locator(".methods", has_text=f"Pair division {division}:")
        button = row.get_by_role("button", name=method, exact=True)
        if button.count():
            button.click()
        else:
            row.get_by_label("Other ways to pair").select_option(label=method)
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


BEFORE = {
    2: ("player A Late, Y 1300", "absent A 1 8"),
    3: ("left B 6",),
    5: ("returned B 6",),
}
AWAY = (("B", 3), ("B", 4))
"""Orders before a round, and when somebody is away: a late entry, one who leaves and is back."""


def redo(page: Page, division: str, round_: int) -> None:
    """Pairs a published round again, around what has been played."""
    row = page.locator(".methods", has_text=f"Pair division {division}:")
    row.get_by_role("button", name=f"Redo round {round_}").click()
    page.wait_for_selector(".drawn")
    with page.expect_response("**/api/event/pair") as answer:
        page.get_by_role("button", name="Pair the rest again").click()
    assert answer.value.finished() is None
    page.get_by_role("button", name="Publish", exact=True).click()  # said once it is drawn
    page.wait_for_selector(".drawn", state="detached")


def look_by_phone(browser: Browser, hall: DirectorHall, tmp_path: Path) -> None:
    """A player says who they are, and has their seat and their own division."""
    phone = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    phone.goto(hall.server.url("/event"))
    phone.wait_for_selector(".mine select")
    phone.screenshot(path=str(tmp_path / "phone-all.png"), full_page=True)
    phone.select_option(".mine select", "B/1")
    phone.wait_for_selector(f".mine-seat:has-text('Round {ROUNDS}')")
    phone.wait_for_function("() => !document.body.innerText.includes('Division A')")
    phone.click("text=All rounds")
    phone.wait_for_selector(".crosstable")
    assert phone.locator("h3", has_text="X Gruber").count() == 1
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.screenshot(path=str(tmp_path / "phone.png"), full_page=True)
    phone.set_viewport_size({"width": 1440, "height": 900})
    phone.screenshot(path=str(tmp_path / "public.png"), full_page=True)
    phone.context.close()


def qr_text(pdf: bytes) -> str:
    """What a phone reads on a printed sheet: boxes, each point of them three pixels."""
    sheet = PdfReader(io.BytesIO(pdf)).pages[0]
    contents = sheet.get_contents()
    paper = np.full((3 * 842, 3 * 596), 255, np.uint8)
    for box in re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re", contents.get_data()):
        left, low, width, height = (3 * float(part) for part in box)
        top = len(paper) - low - height
        paper[round(top) : round(top + height), round(left) : round(left + width)] = 0
    return str(cv2.QRCodeDetector().detectAndDecode(paper)[0])


def check_in(browser: Browser, hall: DirectorHall, page: Page, tmp_path: Path) -> None:
    """All but one of A tap their names on a phone that came in by the code at the door."""
    printed = page.request.post(hall.server.url("/api/event/check-in-code"), data={})
    key = qr_text(printed.body()).partition("/enter/")[2]
    phone = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    phone.goto(hall.server.url(f"/enter/{key}"))
    for name in NAMES[:5]:
        phone.fill("[aria-label='Find a name']", name)
        phone.click(f".check-in button:has-text('{name}')")
        phone.wait_for_selector(f".check-in button[aria-pressed=true]:has-text('{name}')")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.screenshot(path=str(tmp_path / "check-in.png"), full_page=True)
    phone.context.close()
    page.wait_for_selector("text=5 of 6 have checked in. Missing: 6 X Farouk")
    page.screenshot(path=str(tmp_path / "checked-in.png"))


def enter(desk: Desk) -> None:
    """Twelve players by one list, one entered twice and taken back, tables of their own."""
    page = desk.page
    desk.types(f"about rounds {ROUNDS}")
    people = [f"{name}, X 1500" for name in NAMES]
    page.fill("#roster", "\n".join([*people[:6], "Division B", *people[6:], people[0]]))
    page.click("text=Look at them")
    page.wait_for_selector("text=left out: plays in division A already")
    page.click("text=Enter 12 players")
    page.wait_for_selector(".event-answer:has-text('12 players entered')")
    assert "double" not in desk.types("player A Ashdown, Y 1400")
    page.locator(".event-answer").get_by_role("button", name="undo").click()
    page.wait_for_selector(".event-answer:has-text('no longer counts')")
    desk.types("tables B 7-12")


class Hand:
    """Types every result of a round; ``results`` counts them, ``keys`` what they took.

    Nothing is clicked: with both divisions under way the first result of each names it.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk, self.rng, self.keys, self.results = desk, Random(1), 0, 0
        self.corrected = ""

    def enters(self, division: str, round_: int) -> None:
        """All results of a division, in short; a tie and a no-show among them."""
        desk, count = self.desk, 2 if (division, round_) in AWAY else 3
        eventually(lambda: len(desk.games(division)) == count, "the round is shown")
        desk.page.focus("#words")
        done: list[set[int]] = []
        while games := [pair for pair in desk.games(division) if {*pair} not in done]:
            self._enters(division, round_, len(done), games[0])
            done.append({*games[0]})

    def _enters(self, division: str, round_: int, place: int, pair: tuple[int, int]) -> None:
        scores = self.rng.randint(330, 480), self.rng.randint(330, 480)
        match (round_, division, place):
            case (2, "A", 0):
                scores = 400, 400
            case (2, "B", 2):
                assert "did not come" in self.desk.types(f"noshow B 2 {pair[0]} 50")
                return
            case (4, "A", 1):
                assert "came too late" in self.desk.types(f"late A 4 {pair[0]} 50")
                return
            case (3, "A", 0):
                self.corrected = f"result A 3 {pair[0]} 410 {pair[1]} 300"
        before = self.desk.keys
        which = "" if place else f"{division.lower()} "
        said = self.desk.types(f"{which}{pair[0]} {scores[0]} {pair[1]} {scores[1]}")
        assert said.startswith("Recorded"), said
        self.keys, self.results = self.keys + self.desk.keys - before, self.results + 1
        if (round_, division, place) == (5, "A", 0):
            redo(self.desk.page, division, round_)


@pytest.fixture
def desk(hall: DirectorHall, browser: Browser) -> Iterator[Desk]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=hall.server.url("/"))
    page = context.new_page()
    page.set_default_timeout(30_000)
    sign_in(page, hall.server)
    page.goto(hall.server.url("/director/event"))
    page.wait_for_selector("#words")
    yield Desk(page)
    context.close()


@pytest.mark.further
def test_a_list_of_players_is_pasted(desk: Desk) -> None:
    """23 players, with ids of three federations, in a tenth of the keys of one order each."""
    page = desk.page
    idents = ("AA0000{}", "XT0060{}", "")
    people = [
        f"Player{chr(65 + n)}, Pat {idents[n % 3].format(10 + n)} {1900 - n}" for n in range(LISTED)
    ]
    text = "\n".join(("Division P", *people))
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    desk.clicks_on("#roster")
    desk.presses("Control+v", "Tab", "Tab", "Enter")
    page.wait_for_selector(f"text=Enter {LISTED} players")
    desk.presses("Tab", "Enter")
    page.wait_for_selector(f".event-answer:has-text('{LISTED} players entered')")
    assert (desk.keys, desk.clicks) == (7, 1)
    page.wait_for_selector("text=23 Pat PlayerW")
    assert desk.types("remove P all", asked=True).startswith("Recorded")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_a_spreadsheets_file_keeps_its_letters(desk: Desk, encoding: str) -> None:
    """Whichever bytes it writes."""
    text = "name;rating\nMüller, Zoë;1500"
    file: FilePayload = {"name": "l.csv", "mimeType": "text/csv", "buffer": text.encode(encoding)}
    desk.page.set_input_files("#roster-file", file)
    eventually(lambda: desk.page.input_value("#roster") == text, "the list is read")
    desk.page.fill("#roster", "")


def test_a_tick_of_a_phone_is_there_when_it_asks_next(desk: Desk, hall: DirectorHall) -> None:
    """Each time: the recorder answers before its log is followed, the dashboard after."""
    asked, address = desk.page.request, hall.server.url("/api/check-in")
    desk.types("player C Hassan")
    for here in [True, False] * 10:
        given = {"division": "C", "number": 1, "here": here}
        assert asked.post(address, data=given).json()["state"] == "accepted"
        divisions = asked.get(address).json()["divisions"]
        (shown,) = [division for division in divisions if division["name"] == "C"]
        assert [player["here"] for player in shown["players"]] == [here]
    assert desk.types("remove C all", asked=True).startswith("Recorded")


@pytest.mark.further
def test_all_rounds_of_two_divisions(
    hall: DirectorHall, desk: Desk, browser: Browser, tmp_path: Path
) -> None:
    """Late entry, no-show, forfeit, withdrawal and return, tie, correction, double entry, redo."""
    page = desk.page
    enter(desk)
    check_in(browser, hall, page, tmp_path)
    hand = Hand(desk)
    for round_ in range(1, ROUNDS + 1):
        for words in BEFORE.get(round_, ()):
            assert desk.types(words).startswith("Recorded")
        for division in "AB":
            method = {1: "Australian draw", 2: "Swiss", 3: "Swiss"}.get(round_, "COP")
            assert desk.pairs(division, method).startswith("Recorded")
        if round_ == 2:
            redo(page, "A", round_)
        if round_ == 4:  # what was paired from the result that is corrected is named
            assert desk.types(hand.corrected, asked=True).startswith("Recorded")
        page.wait_for_function(f"() => document.body.innerText.includes('Round {round_}')")
        clicks = desk.clicks
        for division in "AB":
            hand.enters(division, round_)
        assert desk.clicks == clicks
    assert hand.keys / hand.results <= 13
    assert page.inner_text(".event-answer").count(f"round {ROUNDS}") == 1
    page.screenshot(path=str(tmp_path / "desk.png"), full_page=True)
    page.locator(".methods", has_text="Pair division A:").get_by_role(
        "button", name=f"Redo round {ROUNDS}"
    ).click()
    page.wait_for_selector(".drawn")
    page.screenshot(path=str(tmp_path / "redo.png"))
    look_by_phone(browser, hall, tmp_path)


@pytest.mark.further
def test_a_result_that_differs_from_the_record_is_asked_about(
    browser: Browser, tmp_path: Path
) -> None:
    """What the table has recorded is shown, and what has no picture; a second Enter confirms."""
    with director_hall(tmp_path, tables=1, table=WAITS) as hall:
        page = browser.new_page()
        sign_in(page, hall.server)
        page.goto(hall.server.url("/director/event"))
        page.wait_for_selector("#words")
        desk = Desk(page)
        for words in ("about rounds 3", "player A Ada, X 1500", "player A Ben, X 1400"):
            desk.types(words)
        desk.pairs("A")
        first, second = desk.games("A")[0]
        seen = SeenTable(1, hall.bus, hall.log)
        seen.show(EMPTY)
        seen.press(Side.RIGHT)
        eventually(lambda: "game.started" in seen.types(), "the game begins")
        seen.show(HAND)
        seen.press(Side.LEFT)
        seen.show(HAND)
        eventually(lambda: "game.played" in seen.types(), "the play is recorded")
        seen.press(Side.RIGHT)
        page.locator("#words").press_sequentially(f"result A 1 {first} 400 {second} 380")
        page.keyboard.press("Enter")
        page.wait_for_selector(".event-answer:has-text('table 1 recorded 16')")
        assert "has no picture yet of its last 1 turn" in page.inner_text(".event-answer")
        page.keyboard.press("Enter")
        page.wait_for_selector(".event-answer:has-text('Recorded')")
        page.wait_for_selector(".event-need:has-text('end it at the table too')")
        page.click("button:has-text('End the game at table 1')")
        eventually(lambda: "order.end" in seen.types(), "the game is over at its table, too")
        page.wait_for_selector(".event-need:has-text('table too')", state="detached")
        page.context.close()


@pytest.mark.further
def test_what_is_said_to_be_recorded_can_be_seen(browser: Browser, tmp_path: Path) -> None:
    """The recorder answers sooner than its log is followed, and a look may end late.

    Who asks after an accepted order is shown it; what an earlier look saw is not shown any more.
    """
    with director_hall(tmp_path, tables=1, table=WAITS) as hall:
        page = browser.new_page()
        sign_in(page, hall.server)
        for count in range(1, 7):
            order = {"id": f"late-entry-{count}", "words": f"player A Number{count}, X 1300"}
            given = page.request.post(hall.server.url("/api/event/order"), data=order).json()
            assert given["state"] == "accepted", str(given)
            shown = page.request.get(hall.server.url("/api/event")).json()["divisions"][0]
            assert len(shown["standings"]) == count
        page.goto(hall.server.url("/director/event"))
        page.wait_for_selector("#words")
        desk = Desk(page)
        desk.types("about rounds 2")
        desk.pairs("A")
        first, second = desk.games("A")[0]
        held: list[Route] = []
        page.route("**/api/event", lambda route: held.append(route))  # noqa: PLW0108 Playwright marks it
        eventually(lambda: page.wait_for_timeout(20) or held, "the page looks by itself")
        early = held.pop()
        seen = early.fetch()
        page.locator("#words").fill(f"{first} 400 {second} 300")
        page.keyboard.press("Enter")
        eventually(lambda: page.wait_for_timeout(20) or held, "the page looks after the order")
        early.fulfill(response=seen)
        page.wait_for_timeout(300)
        assert "400" not in page.inner_text(".event-answer")
        for route in held:
            route.continue_()
        page.unroute("**/api/event")
        page.wait_for_selector(".event-answer:has-text('400')")
        assert "400" in page.locator(".event-table").first.inner_text()
        page.context.close()
