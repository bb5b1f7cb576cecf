"""High words: from the games that tables have recorded, on pages, in a site and on paper."""

import io
import json
from pathlib import Path

import pytest
from pypdf import PdfReader

import tilecast
from dashboard.event.view import EventView, event_model
from dashboard.live.hub import Hub
from dashboard.live.log_follower import Batch
from recorder.domain.board import parse_square
from recorder.domain.event.highs import HighWord
from recorder.domain.event.seating import Pairing
from recorder.domain.game import EndRackPoints, IllegallyPlayed, Withdrawn
from recorder.domain.laying_faults import LayingFault
from recorder.domain.observations import Side
from recorder.domain.orders import EndGame
from recorder.domain.rules.core.parameters import NO_RULE_SET
from recorder.domain.tile_text import read_tiles
from recorder.log.sqlite import SqliteEventLog
from recorder.printing.event_sheets import EventSheet, event_sheets
from recorder.printing.pdf import pdf
from tests.dashboard.table_writer import TableWriter
from tests.event.event_hall import EventHall
from tests.event.fields import register_after

pytestmark = pytest.mark.slow


def test_high_words_come_from_the_recorded_games(tmp_path: Path) -> None:
    """Of games that are over, by the player who laid them; a running game is not looked at."""
    store = SqliteEventLog(tmp_path / "hall.db")
    hall = EventHall(tmp_path, store, tables=2)
    for name in ("Ashdown, Vera", "Brok, Ilse", "Caro, Mateo", "Dube, Thandi"):
        hall.orders(f"player A {name}")
    hall.orders("round A 1 1:1-2 2:3-4")
    hub = Hub(0, lambda: hall.now_ms)
    event = EventView(0, lambda: hall.now_ms, lambda: hub.games.high_words)
    seen = 0

    def follow() -> None:
        nonlocal seen
        rows = hall.rows()
        batch = Batch(rows=tuple(rows[seen:]), anew=False, caught_up=True)
        seen = len(rows)
        hub.take(batch)
        event.take(batch)

    for table in (1, 2):
        hall.show(table)
        hall.start(table)
        hall.show(table, "8G HANDY")
        hall.press(table, Side.LEFT)
        follow()
        before = event.model_of(event.on_air)["divisions"][0]["high_words"]
        hall.show(table, "8G HANDY", "9F CAT")
        hall.press(table, Side.RIGHT)
        hall.show(table, "8G HANDY", "9F CAT")
        hall.stop(table)
        hall.rules(table, EndGame())
        hall.sign(table)
        follow()
    (division,) = event.model_of(event.on_air)["divisions"]
    assert [word["name"] for word in before] == ["Vera Ashdown", "Ilse Brok"]
    assert [(word["word"], word["name"], word["score"]) for word in division["high_words"]] == [
        ("HANDY", "Vera Ashdown", 24), ("HANDY", "Mateo Caro", 24),
        ("CAT", "Ilse Brok", 14), ("CAT", "Thandi Dube", 14),
    ]  # fmt: skip
    whole = event.rounds_of(event.on_air, event.on_air.event.divisions[0])
    assert b"HANDY" in whole.plain
    (found,) = event.register.event.divisions
    pages = event_sheets(
        EventSheet.PRIZES, event.register.event, found, 1, NO_RULE_SET, event.words
    )
    printed = PdfReader(io.BytesIO(pdf(*pages))).pages[0].extract_text()
    assert "HANDY for 24, round 1" in printed
    hall.recorder.stop()
    store.close()
    log, sheet = str(tmp_path / "hall.db"), tmp_path / "prizes.pdf"
    wanted = ["--sheet", "prizes", "--output", str(sheet)]
    assert tilecast.main(["event", "print", log, *wanted]) == 0
    assert "HANDY for 24, round 1" in PdfReader(sheet).pages[0].extract_text()
    assert tilecast.main(["export", "site", log, str(tmp_path / "site")]) == 0
    standings = json.loads((tmp_path / "site" / "standings.json").read_text("utf-8"))
    assert standings["divisions"][0]["high_words"] == division["high_words"]


def test_a_sheet_of_an_earlier_round_has_no_later_games() -> None:
    """High games and words of the sheet of prizes are those up to its round."""
    day = (
        *(f"player A P{n}" for n in (1, 2)),
        *("round A 1 1:1-2", "result A 1 1 401 2 300", "round A 2 1:1-2", "result A 2 1 602 2 300"),
    )
    event = register_after(*day).event
    words = [HighWord("A", n, 1, word, 24 * n, 2, 1) for n, word in ((1, "HANDY"), (2, "QUIZ"))]

    def printed(round_: int) -> str:
        (found,) = event.divisions
        pages = event_sheets(EventSheet.PRIZES, event, found, round_, NO_RULE_SET, words)
        return PdfReader(io.BytesIO(pdf(*pages))).pages[0].extract_text()

    assert ["602" in printed(round_) for round_ in (1, 2)] == [False, True]
    assert ["QUIZ" in printed(round_) for round_ in (1, 2)] == [False, True]


def test_words_of_a_game_that_does_not_count_are_none() -> None:
    """Replayed, forfeited, or of two who were paired otherwise; entered over it, it counts."""
    day = [*(f"player A P{n}" for n in range(1, 5)), "round A 1 1:1-2 2:3-4"]
    words = [HighWord("A", 1, number, "HANDY", 24, other, 1) for number, other in ((1, 2), (3, 4))]

    def names(*said: str) -> list[str]:
        (found,) = event_model(register_after(*day, *said), words)["divisions"]
        return [word["name"] for word in found["high_words"]]

    assert names() == ["P1", "P3"]
    assert names("replay A 1 1") == ["P3"]
    assert names("noshow A 1 3 50") == ["P1"]
    assert names("noshow A 1 3 50", "result A 1 3 400 4 350") == ["P1", "P3"]
    assert names("round A 1 1:1-3 2:2-4") == []


def test_a_laying_that_was_ruled_off_takes_no_other_play_along(tmp_path: Path) -> None:
    """Illegal tiles that went back leave the play before them in the lists of high words."""
    with SqliteEventLog(tmp_path / "log.db") as log:
        table = TableWriter(log, at=1_800_000_000_000)
        table.start(pairing=Pairing(division="A", round=1, first=1, second=2))
        table.play(0, "8D ZEPHYR")
        table.play(1, "F6 CO.Y")
        stray = ((parse_square("1A")[0], read_tiles("O")[0]),)
        table.record(IllegallyPlayed(0, stray, (LayingFault.NOT_TOUCHING,), 5))
        table.record(Withdrawn(0, 5))
        table.record(EndRackPoints(1, 2))
        hub = Hub(0, lambda: table.at)
        hub.take(Batch(rows=tuple(table.rows), anew=False, caught_up=True))
    assert [word.word for word in hub.games.high_words] == ["ZEPHYR", "COPY"]
