"""What is kept from row to row is what would be concluded from all rows again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from recorder.domain.row_kind import Kind
from recorder.lab.memory_log import MemoryEventLog
from recorder.lab.scenario.play import plan_of, play_through
from recorder.lab.scenario.text.grammar import read_scenario
from recorder.log.port import Row
from recorder.table.conclusions import Conclusions
from recorder.table.game_recorder import GameRecorder
from tests.cases import first_of
from tests.scenarios.playing import looks_read_once

pytestmark = pytest.mark.slow
SCENARIOS = Path(__file__).parents[2] / "scenarios"
VARIED = {
    "040_drawn_out_of_order_enough.naspa": "naspa",
    "065_exchange_from_eight.wespa1-wespa3_hk-wespa4-psa": "psa",
    "046_courtesy_tiles_mixed.wespa1-psa": "wespa1",
    "012_from_eight_after_reply.naspa": "naspa",
    "098_changed_before_hand_in.naspa": "naspa",
}
"""Draws gone wrong, an exchange, a play challenged off, an illegal one, orders about turns."""
LATE = "clock-1"
COMPARED = 3
"""After each of so many rows: from the beginning again is slow."""


@pytest.fixture(autouse=True, scope="module")
def _read_once() -> Iterator[None]:
    with looks_read_once():
        yield


@pytest.fixture(
    scope="module",
    params=first_of(3, [(played,) for played in VARIED.items()]),
    ids=lambda played: played[0][:3],
)
def game(request: pytest.FixtureRequest) -> tuple[GameRecorder, list[Row]]:
    """A game recorder to which nothing has been reported yet, and the rows of its game."""
    name, rules = request.param
    scenario, store = read_scenario(SCENARIOS / f"{name}.scn", rules), MemoryEventLog()
    play_through(scenario, store=store)
    (table,) = plan_of(scenario.setup).tables
    return GameRecorder(table), list(store.read_from(1))


def _late(rows: list[Row]) -> list[Row]:
    """The same rows as they come while a clock's cable is out now and then."""
    return sorted(rows, key=lambda row: row.seq + (9 if _is_late(row) else 0))


def _is_late(row: Row) -> bool:
    return row.device == LATE and row.seq // 20 % 2 == 1


def test_after_every_row_nothing_else_follows_than_from_all_rows(
    game: tuple[GameRecorder, list[Row]],
) -> None:
    """Turns, tiles and notices, also where rows come late and where an order changes a turn."""
    recorder, rows = game
    assert any(map(_is_late, rows))
    compared = 0
    for row in _late(rows):
        recorder.take(row)
        if row.kind not in (Kind.OBSERVED, Kind.RULED):
            continue
        kept, read = recorder.concluded, recorder.read
        ruled, watched = kept.ruled(read), kept.watched(read, row.at)
        noticed = kept.noticed(read, watched)
        if row.seq % COMPARED:
            continue
        anew = Conclusions(recorder.rules)
        anew.rulings = list(kept.rulings)
        for report in kept.tiles.heard:
            anew.sense(report)
        assert ruled == anew.ruled(read)
        assert watched == anew.watched(read, row.at)
        assert noticed == anew.noticed(read, watched)
        compared += 1
    assert compared > len(rows) / 3 / COMPARED
