"""The event on paper: what is on each sheet, with every player's own letters."""

import io
import unicodedata
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from pypdf import PdfReader

import tilecast
from recorder.domain.event.divisions import Event
from recorder.domain.event.wanted import Method
from recorder.domain.rules.core.parameters import NO_RULE_SET
from recorder.printing.event_sheets import (
    EventSheet,
    alphabetical,
    code_cards,
    event_sheets,
    newest_round,
)
from recorder.printing.listed import Column, list_sheets
from recorder.printing.page import Page, PageText
from recorder.printing.pdf import pdf
from recorder.printing.pixels import raster
from recorder.printing.typeface import width_mm
from tests.cases import first_of
from tests.event.fields import played, register_after

pytestmark = pytest.mark.slow

DAY = (
    "about name Puchar Łodzi",
    "about rounds 3",
    "player A Żółć, Świętosława 1905",
    "player A Nguyễn, Thị Hương 1840",
    "player A Caro, Mateo 1722",
    "round A 1 7:2-1 bye 3",
    "result A 1 2 380 1 431",
    "penalty A 1 1 -20",
    "round A 2 1:3-1 bye 2",
)

MINUS = "\N{MINUS SIGN}"


@pytest.fixture(scope="module")
def event() -> Event:
    """A round played, the next one paired."""
    return register_after(*DAY).event


def pages_of(event: Event, sheet: EventSheet) -> tuple[Page, ...]:
    division = event.divisions[0]
    return event_sheets(sheet, event, division, newest_round(sheet, division), NO_RULE_SET)


def texts(event: Event, sheet: EventSheet) -> list[str]:
    return [text.text for page in pages_of(event, sheet) for text in page.words]


@pytest.mark.parametrize("sheet", EventSheet)
def test_every_sheet_has_names_in_their_own_letters(event: Event, sheet: EventSheet) -> None:
    """Polish and Vietnamese; everybody who is in it is on it."""
    pages = PdfReader(io.BytesIO(pdf(*pages_of(event, sheet))), strict=True).pages
    text = unicodedata.normalize("NFC", " ".join(page.extract_text() for page in pages))
    text = " ".join(text.split())
    given_first = sheet is not EventSheet.BY_NAME
    assert ("Świętosława Żółć" if given_first else "Żółć, Świętosława") in text
    if sheet is not EventSheet.PRIZES:  # who has the bye has played no game
        assert ("Mateo Caro" if given_first else "Caro, Mateo") in text
    if sheet not in (EventSheet.BY_TABLE, EventSheet.SLIPS):
        assert ("Thị Hương Nguyễn" if given_first else "Nguyễn, Thị Hương") in text


def test_sums_are_those_of_the_standings(event: Event) -> None:
    """Penalties and byes included, on the cards and on the wall."""
    card = texts(event, EventSheet.CARDS)
    chart = texts(event, EventSheet.WALL_CHART)
    standings = texts(event, EventSheet.STANDINGS)
    assert {"+51", "+31", "+50"} <= set(card)
    assert {"1 +31 #2", f"0 {MINUS}51 #3", "1 +50 #1", "2: 431-380"} <= set(chart)
    assert {"+31", f"{MINUS}51", "+50"} <= set(standings)


def test_pairings_say_where_and_who_moves_first(event: Event) -> None:
    """By name for those who look for themselves, with the one who has nobody."""
    found = texts(event, EventSheet.BY_NAME)
    assert "no opponent" in found
    assert found.index("Caro, Mateo") < found.index("Nguyễn, Thị Hương")
    assert {"first", "second", "Division A: round 2 by name"} <= set(found)


def test_a_phone_reads_the_codes_of_the_tables() -> None:
    """Nine tables take two sheets; each code leads to its own table."""
    cv2 = pytest.importorskip("cv2")
    addresses = {
        f"Table {n}": f"http://192.168.1.20:8015/enter/{'k' * 32}?to=/result/{n}"
        for n in range(1, 10)
    }
    pages = code_cards(addresses, ("Your result:", "scan, both confirm"))
    assert len(pages) == 2
    import numpy as np

    read = cv2.QRCodeDetector().detectAndDecode(np.asarray(raster(pages[1], 100)))[0]
    assert read == addresses["Table 9"]


def test_the_command_writes_a_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A round that is not there is named, status 1; no sheet, or another, is wrong usage."""
    feed, out = tmp_path / "a.t", tmp_path / "a.pdf"
    feed.write_text("Brok, Ilse 1500 2; 400\nCaro, Mateo 1400 1; 380\n")
    words = ["event", "print", str(feed), "--output", str(out), "--sheet"]
    assert tilecast.main([*words, "standings"]) == 0
    assert out.read_bytes().startswith(b"%PDF")
    assert tilecast.main([*words, "wall-chart", "--round", "9"]) == 1
    assert "--round 9 is not one" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        tilecast.main([*words, "menu"])


@pytest.mark.parametrize(("players", "rounds"), first_of(2, [(6, 3), (24, 8), (61, 31)]))
def test_the_wall_chart_is_read_from_two_metres(players: int, rounds: int) -> None:
    """Type of 5 mm or more, on as many sheets as it takes; nothing runs into what is beside it."""
    names = [f"Świętosława Żółć-Wiśniewska {n}." for n in range(1, players + 1)]
    field = played(players, Method.ROUND_ROBIN, rounds - 1)
    known = [replace(p, name=name) for p, name in zip(field.players, names, strict=True)]
    division = replace(field, players=tuple(known), last_round=rounds)
    event = Event(divisions=(division,))
    pages = event_sheets(EventSheet.WALL_CHART, event, division, rounds - 1, NO_RULE_SET)
    found = [text for page in pages for text in page.words if text.y > 40]
    assert min(text.size for text in found) >= 5
    cells = {text.text for text in found}
    assert {str(n) for n in range(1, rounds + 1)} <= cells
    assert {f"{n} Świętosława" for n in range(1, players + 1)} <= cells
    for page in pages:
        assert max(text.y for text in page.words) < 297 - 15
        across = sorted((text.y, *_ends(text)) for text in page.words if text.y > 40)
        for (y, _, ends), (below, begins, _) in pairwise(across):
            assert below > y or begins > ends


def _ends(text: PageText) -> tuple[float, float]:
    width = width_mm(text.text, text.size)
    before = {"start": 0.0, "middle": width / 2, "end": width}[text.anchor]
    return text.x - before, text.x - before + width


def test_a_short_list_fills_its_sheet(event: Event) -> None:
    """Large enough to be read from two metres; a long one keeps to its rows, and nothing is cut."""
    names = [text for text in pages_of(event, EventSheet.BY_NAME)[0].words if "Caro" in text.text]
    assert names[0].size > 6
    rows = [(f"Player, {n}", str(n)) for n in range(120)]
    columns = (Column("Player", 15), Column("Table", 100))
    pages = list_sheets("A", "", columns, rows)
    assert len(pages) == 3
    assert {text.size for page in pages for text in page.words if text.text in rows[9]} == {4.0}
    few = list_sheets("A", "", columns, [("A" * 90, "1"), ("Bo", "2")])
    assert any(text.text.endswith("\N{HORIZONTAL ELLIPSIS}") for text in few[0].words)


def test_names_stand_where_readers_look() -> None:
    """Marks and strokes put nobody behind Z."""
    names = ["Zed", "Łukasz", "Lund", "Østby", "Paz", "Éric", "Ernst", "Lucas"]
    found = sorted(names, key=alphabetical)
    assert found == ["Éric", "Ernst", "Lucas", "Łukasz", "Lund", "Østby", "Paz", "Zed"]
