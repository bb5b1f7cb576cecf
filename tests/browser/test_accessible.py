"""Pages that people work with, held against WCAG 2.2 AA by axe-core, and without any movement.

axe-core is fetched with what checks the scripts' types (``.ci/scripts``), never shipped.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from recorder.domain.observations import RackCounted, Side
from tests.browser.accessible import audit
from tests.browser.conftest import Screen, Server, sign_in
from tests.browser.test_tools import DOUBT
from tests.cases import first_of
from tests.dashboard.table_writer import OPENING, TableWriter

__all__ = ["audit"]
pytestmark = pytest.mark.browser


def by_keys(*keys: str) -> Callable[[Page], None]:
    """What a person types on a page."""

    def act(page: Page) -> None:
        for key in keys:
            page.keyboard.press(key)

    return act


def nothing(_: Page) -> None:
    """The page as it opens."""


STATES: dict[str, tuple[str, str, Callable[[Page], None]]] = {
    "addresses": ("/", "[data-path] a[href^='http']", nothing),
    "sign in": ("/login", "form", nothing),
    "builder": ("/builder", "#slot option", nothing),
    "commentator": ("/commentator?table={}", ".sheet tbody tr", nothing),
    "commentator, an earlier turn": (
        "/commentator?table={}", ".sheet tbody tr", by_keys("ArrowLeft", "ArrowLeft"),
    ),
    "commentator, keys": ("/commentator?table={}", ".sheet tbody tr", by_keys("?")),
    "director": ("/director?table={}", ".entry", nothing),
    "director, evidence": ("/director?table={}", ".entry", by_keys("j", "ArrowLeft")),
    "director, doubt": ("/director?table={}", ".entry.doubtful", by_keys("d", "Enter")),
    "director, keys": ("/director?table={}", ".entry", by_keys("?")),
    "director, procedures": ("/director?table={}", ".entry", by_keys("p")),
    "director, ruling": ("/director?table={}", ".entry", by_keys("r")),
    "director, banner": ("/director?table={}", ".entry", by_keys("b")),
    "director, the event": ("/director/event", "#name", nothing),
    "the event": ("/event", "main h1", nothing),
    "accounts": ("/admin", "#tool h2", nothing),
    "phone, result": ("/result/{}", "body > *", nothing),
    "phone, clock": ("/clock/{}", "#left .name", nothing),
    "phone, pad": ("/pad/{}", "main, body > *", nothing),
    "all tables": ("/director", "[data-number]", nothing),
    "spectators, all games": ("/watch", ".card", nothing),
    "spectators, a game": ("/watch/{}", ".sheet tbody tr", nothing),
    "spectators, an earlier move": ("/watch/{}?theme=paper#3", ".sheet tbody tr", nothing),
}  # fmt: skip

ALIKE = {
    "commentator, an earlier turn", "commentator, keys", "director, evidence", "director, banner",
    "director, procedures", "director, keys", "director, ruling", "spectators, an earlier move",
    "addresses", "spectators, all games", "accounts",
}  # fmt: skip
"""They show nothing of a kind that none of the others has."""


@pytest.fixture
def game(table: TableWriter) -> TableWriter:
    """A game under way with a doubt, and a rack that was counted."""
    table.start(("Anna Lindqvist", "Jürgen Müller"))
    for at, text in enumerate(OPENING):
        table.play(at % 2, text, doubt=DOUBT if at == len(OPENING) - 1 else None)
    table.observe(RackCounted(side=Side.LEFT, places="###....", confidence=1), "rack-1")
    return table


@pytest.mark.parametrize("width", first_of(1, [390, 1440]))
@pytest.mark.parametrize(
    "state",
    [pytest.param(one, marks=pytest.mark.further if one in ALIKE else ()) for one in STATES],
)
def test_a_page_is_for_everybody(
    screen: Screen,
    server: Server,
    game: TableWriter,
    audit: Callable[[Page], list[Any]],
    state: str,
    width: int,
) -> None:
    """Names, contrast, roles and order, on a laptop and on a phone."""
    path, ready, act = STATES[state]
    page = screen.page
    page.set_viewport_size({"width": width, "height": 860})
    page.emulate_media(reduced_motion="reduce")
    if state == "accounts":
        sign_in_as_admin(page, server)
    else:
        sign_in(page, server)
    page.goto(server.url(path.format(game.table)))
    page.wait_for_selector(ready, state="attached")
    act(page)
    page.wait_for_timeout(250)
    assert audit(page) == []
    page.evaluate(LOST)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.getAnimations().length") == 0


def sign_in_as_admin(page: Page, server: Server) -> None:
    """By the password of the first run, as the file of links has it."""
    links = server.log.with_suffix(".links").read_text("utf-8")
    page.goto(server.url("/login"))
    page.fill("[name=name]", "admin")
    page.fill("[type=password]", links.split("password ")[1].split()[0])
    page.press("[type=password]", "Enter")
    page.wait_for_selector("a[href='/admin'], #tool")


LOST = """() => {
    const line = document.querySelector("#line");
    if (line) line.textContent = "no connection, trying again";
}"""
MARK = """() => {
    const all = [...document.querySelectorAll(
        "button, a, summary, input, select, [role=listbox]")];
    const usable = (one) => !one.disabled && one.checkVisibility({ visibilityProperty: true });
    return all.filter(usable).map((one, at) => { one.id ||= `wanted-${at}`; return one.id; });
}"""
REACHED = """() => {
    const one = document.activeElement;
    return [one?.id ?? "", one === document.body || getComputedStyle(one).outlineStyle !== "none"];
}"""


def test_the_keyboard_reaches_what_the_mouse_can(
    screen: Screen, server: Server, game: TableWriter
) -> None:
    """Tab goes through all that is enabled on the director's page, each with a ring around it."""
    sign_in(screen.page, server)
    screen.page.goto(server.url(f"/director?table={game.table}"))
    screen.page.wait_for_selector(".entry.doubtful")
    wanted = set(screen.page.evaluate(MARK))
    reached = set()
    for _ in range(len(wanted) + 20):
        screen.page.keyboard.press("Tab")
        name, ringed = screen.page.evaluate(REACHED)
        assert ringed, name
        reached.add(name)
    assert len(wanted) >= 8
    assert wanted <= reached
