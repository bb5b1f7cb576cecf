"""Cameras that see another table's game are named; those at quick and slow tables are not."""

import pytest

from recorder.domain.observations import BoardNotSeen, Observation
from recorder.domain.row_kind import Kind
from recorder.log.port import Row
from recorder.projections.needs import needs
from recorder.projections.timeline import Timeline
from recorder.service.camera_places import CameraPlaces
from recorder.wire.observations import encode_observation
from tests.cases import first_of
from tests.recorder.hall import Hall
from tests.simulated_tables import (
    RAPID,
    SLOW,
    USUAL,
    Game,
    Players,
    Said,
    hall_of,
    play_evenly,
    said_in,
    seen,
)

pytestmark = pytest.mark.slow


def _rows(said: list[Said]) -> list[Row]:
    return [_row(number + 1, *each) for number, each in enumerate(said)]


def _row(number: int, at: int, table: int, device: str, what: Observation) -> Row:
    name, data = encode_observation(what)
    return Row(
        seq=number, table=table, game=f"g{table}", kind=Kind.OBSERVED, v=1, at=at,
        body={"type": name, "data": data, "t": at, "dev": device}, refs=(),
        key=(device, "0000abcd", number), prev_hash="", hash="",
    )  # fmt: skip


def _found(games: dict[int, Game], sees: dict[int, int]) -> dict[str, tuple[int, int]]:
    """By camera the table that it is said to see, and after how many turns of the slower table."""
    places, found = CameraPlaces(), {}
    for row in _rows(said_in(games, sees)):
        for doubt in places.take(row):
            turns = min(game.turns(row.at) for game in games.values())
            found[doubt.device] = (doubt.sees, turns)
    return found


@pytest.mark.further
@pytest.mark.parametrize(("players", "least"), first_of(1, [(USUAL, 29), (SLOW, 27), (RAPID, 24)]))
def test_two_cameras_that_are_exchanged_are_named(players: Players, least: int):
    """All of them, and nearly all after four turns."""
    after = []
    for seed in range(30):
        found = _found(hall_of(players, seed), {1: 2, 2: 1})
        assert {camera: sees for camera, (sees, _) in found.items()} == {"cam-1": 2, "cam-2": 1}
        after.append(max(turns for _, turns in found.values()))
    assert sum(turns <= 4 for turns in after) >= least, sorted(after)


@pytest.mark.further
@pytest.mark.parametrize("players", first_of(2, [USUAL, RAPID, SLOW]))
def test_cameras_at_their_own_tables_are_not_named(players: Players):
    """Pairs of tables, for whole games; and a hall of six."""
    for seed in range(12):
        assert _found(hall_of(players, seed), {1: 1, 2: 2}) == {}
    hall = hall_of(players, 0, tables=6)
    assert _found(hall, {table: table for table in hall}) == {}


@pytest.mark.parametrize(("turn_s", "gap_s"), [(9, 3), (11, 8), (15, 8), (25, 12), (40, 12)])
def test_players_who_always_wait_as_long_before_the_press_accuse_no_camera(
    turn_s: float, gap_s: float
):
    """Two tables in step: the plays of each come shortly before the other's presses, too."""
    for begin_s in (1, 3, 5, 7):
        one, other = (play_evenly(turn_s, gap_s, s, f"{s} {turn_s}") for s in (0, begin_s))
        assert _found({1: one, 2: other}, {1: 1, 2: 2}) == {}


def test_cameras_are_named_after_a_restart_unless_the_log_has_it():
    """What was seen before the recorder stopped counts; what it has said it does not repeat."""
    *before, last = _rows(said_in(hall_of(USUAL, 0), {1: 2, 2: 1}))[:60]
    places = CameraPlaces()
    for row in before:
        places.recall(row)
    found = places.take(last)
    assert {(doubt.device, doubt.sees) for doubt in found} == {("cam-1", 2), ("cam-2", 1)}
    places = CameraPlaces()
    stored = [_row(100 + number, last.at, 1, "r1", doubt) for number, doubt in enumerate(found)]
    for row in (*before, *stored):
        places.recall(row)
    assert places.take(last) == []


def test_a_camera_that_was_out_is_not_named():
    """Plays that come all at once after minutes without a picture accuse no camera."""
    games = hall_of(USUAL, 3)
    begun, ended = games[1].presses[2][0], games[1].presses[8][0]
    missed = [look for look in games[1].looks if begun < look[0] < ended]
    said = [
        each
        for each in said_in(games, {1: 1, 2: 2})
        if each[2] != "cam-1" or not begun < each[0] - 50 < ended
    ]
    said.append((begun + 1, 1, "cam-1", BoardNotSeen(frame="f", reason="no frame came")))
    said.append((ended + 500, 1, "cam-1", seen(missed[0][1], missed[-1][2])))
    places = CameraPlaces()
    rows = _rows(sorted(said, key=lambda each: each[0]))
    assert [doubt for row in rows for doubt in places.take(row)] == []


@pytest.mark.further
def test_the_director_hears_which_table_a_camera_sees(hall: Hall):
    """In the log, once for each of the two, and as something that needs the director."""
    for at, _, device, what in said_in(hall_of(USUAL, 0), {1: 2, 2: 1}):
        hall.now_ms = 1_000_000 + at
        hall.say(device, what)
    hall.settle()
    doubts = [row for row in hall.log.read_from(1) if row.type == "camera.doubt"]
    said = {row.body["data"]["device"]: row.body["data"]["sees"] for row in doubts}
    assert said == {"cam-1": 2, "cam-2": 1}
    assert len(doubts) == 2
    story = Timeline(2)
    for row in hall.log.read_from(1):
        story.advance(row)
    (need,) = [need for need in needs(story.items(), [], [], {}) if need["code"] == "camera.doubt"]
    assert (
        need["text"]
        == "cam-2 seems to see the game of table 1: its new tiles match the clock presses there"
    )
