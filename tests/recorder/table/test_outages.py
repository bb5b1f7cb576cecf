"""Turns in an outage are recorded rightly, or stand in a hole that is named; nobody is accused.

A sample: ``python tests/bench/run.py outages`` tries all games and lengths.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from recorder.domain.board import EMPTY_BOARD
from recorder.domain.game import Unseen
from recorder.domain.plays import parse_placement
from recorder.domain.scoring import score
from recorder.domain.tiles import face
from recorder.tilesets import load_tile_set
from tests.cases import first_of
from tests.outages import (
    HOLE,
    OWN_GAMES,
    PUBLIC_GAMES,
    RIGHT,
    SHOWN,
    Examined,
    Lost,
    Made,
    Outage,
    PlayedGame,
    Returns,
    played_game,
    words_for,
)

pytestmark = pytest.mark.slow

OWN = next(path for path in OWN_GAMES if path.stem == "demo")
OUTAGES = [
    Outage(Lost.CAMERA, first=15, count=1, returns=Returns.LAID, is_amid=True),
    Outage(Lost.CAMERA, first=9, count=4, returns=Returns.LAID, is_reported=True),
    Outage(Lost.CLOCK, first=6, count=4),
    Outage(Lost.BOTH, first=10, count=3, returns=Returns.LAID),
    Outage(Lost.CAMERA, first=0, count=4),
    Outage(Lost.CAMERA, first=15, count=1, returns=Returns.LAID),
    Outage(Lost.BOTH, first=2, count=6, is_reported=True),
    Outage(Lost.CAMERA, first=3, count=5),
    Outage(Lost.CAMERA, first=5, count=1, returns=Returns.LAID, is_amid=True),
    Outage(Lost.CLOCK, first=7, count=1),
    Outage(Lost.BOTH, first=4, count=1),
    Outage(Lost.CAMERA, first=10, count=1, returns=Returns.LAID),
]


HARD = [
    ("UyNCs9cPuf", Outage(Lost.CLOCK, first=23, count=3)),
    ("EqkdSd4Gcv", Outage(Lost.CAMERA, first=16, count=4, is_reported=True)),
    ("BzAQ3Gifu9", Outage(Lost.CAMERA, first=19, count=2)),
    ("CTDVDRDQkM", Outage(Lost.CAMERA, first=23, count=3, is_reported=True)),
    ("UyNCs9cPuf", Outage(Lost.CAMERA, first=24, count=2, is_amid=True)),
    ("x92DfARyWc", Outage(Lost.CLOCK, first=24, count=8, is_amid=True)),
    ("BzAQ3Gifu9", Outage(Lost.CAMERA, first=11, count=9, returns=Returns.LAID)),
]


@pytest.fixture(scope="module")
def demo() -> Examined:
    """The game of the demonstration, with a play that is challenged off."""
    return _begun(OWN, 19)


@pytest.fixture(scope="module")
def real() -> Examined:
    """A game that was played."""
    return _begun(PUBLIC_GAMES[16], 12)


def _begun(path: Path, count: int) -> Examined:
    game = played_game(path)
    return Examined(replace(game, turns=game.turns[:count]), None)


@pytest.mark.further
def test_the_game_without_an_outage_is_recorded_rightly(demo: Examined) -> None:
    """Else the others would show nothing."""
    assert set(demo.found(Outage(Lost.CAMERA, first=0, count=0)).turns) == {RIGHT}


@pytest.mark.parametrize("outage", first_of(4, OUTAGES), ids=str)
def test_turns_of_an_outage_are_right_or_in_a_hole(demo: Examined, outage: Outage) -> None:
    """No turn is wrong, not even in doubt, and no notice names a player."""
    found = demo.found(outage)
    assert set(found.turns) <= {RIGHT, HOLE, SHOWN}
    assert found.notices == []


@pytest.mark.parametrize(
    "outage",
    [
        *(
            Outage(Lost.CAMERA, first=first, count=count, returns=Returns.LYING, is_reported=said)
            for first, count, said in [(2, 1, True), (6, 1, False), (6, 2, True), (5, 3, False)]
        ),
        Outage(Lost.CAMERA, first=4, count=3, returns=Returns.LYING, is_late=True),
    ],
    ids=str,
)
def test_a_play_that_lies_there_when_the_camera_is_back_is_not_taken_from_its_player(
    demo: Examined, outage: Outage
) -> None:
    """It lies there for long before its press: it may be of the turns before, and it may not."""
    found = demo.found(outage)
    assert set(found.turns) <= {RIGHT, HOLE}
    assert found.notices == []


@pytest.mark.parametrize("lost", first_of(1, Lost))
def test_a_play_laid_where_one_came_off_after_an_outage_is_in_its_hole(lost: Lost) -> None:
    """No look shows which tiles came together: which of them came off, nobody can say."""
    plays = ["8D CATER", "7H BOY", "6J IN", "5K OX", "4L ABS", None, "4L GO", "3M NO"]
    found = _made_of(plays).found(Outage(lost, first=1, count=3, returns=Returns.LAID))
    assert set(found.turns) <= {RIGHT, HOLE}
    assert found.notices == []


def _made_of(plays: Sequence[str | None]) -> Examined:
    """A game of these plays; None: the last one is taken off again."""
    board, turns, player = EMPTY_BOARD, list[Made](), 1
    for play in plays:
        if play is None:
            turns.append(Made(player, turns[-2].board, is_off=True))
        else:
            player = 1 - player
            placement = parse_placement(play)
            laid, points = placement.new_tiles(), score(board, placement, load_tile_set("english"))
            tiles = frozenset((sq, face(tile)) for sq, tile in laid.items())
            turns.append(Made(player, board.place(laid), tiles, points))
        board = turns[-1].board
    return Examined(PlayedGame("made up", load_tile_set("english"), tuple(turns)), None)


@pytest.mark.parametrize("is_amid", [True, False])
def test_a_play_seen_off_before_an_outage_is_not_what_is_laid_there_in_it(*, is_amid: bool) -> None:
    """Most of its letters lie there again: the plays across it count with the new ones."""
    plays = ["8D CATER", "7H BOY", "6J IN", "5K OX", "4L ABS", None]
    game = _made_of([*plays, "8D CATERS", "4L AHS", "3M NO", "2M ON"])
    found = game.found(Outage(Lost.CAMERA, first=6, count=2, is_amid=is_amid))
    assert set(found.turns) <= {RIGHT, HOLE}
    assert found.turns[RIGHT][-2:] == [8, 9]
    assert found.notices == []


@pytest.mark.parametrize(
    "outage",
    [
        Outage(Lost.CAMERA, 3, 1, Returns.LYING, is_reported=True, is_amid=True),
        Outage(Lost.CAMERA, 2, 2, Returns.LYING),
    ],
    ids=str,
)
def test_a_play_taken_off_unseen_gives_its_turn_to_nobody(outage: Outage) -> None:
    """The camera is back after it came off: what it sees first was laid by the next player."""
    plays = ["8D CATER", "7H BOY", "6J IN", "5K OX", None, "5K AX", "4L ABS", "3M NO"]
    found = _made_of(plays).found(outage)
    assert set(found.turns) <= {RIGHT, HOLE}
    assert found.notices == []


@pytest.mark.further
def test_the_end_after_turns_that_nobody_saw() -> None:
    """Who has which tiles then is not known: nobody is said to have played on after the end."""
    game = Examined(played_game(next(path for path in OWN_GAMES if path.stem == "event-9")), None)
    found = game.found(Outage(Lost.CAMERA, first=17, count=10, is_reported=True))
    assert set(found.turns) == {RIGHT, HOLE}
    assert found.notices == []


@pytest.mark.further
@pytest.mark.skipif(not PUBLIC_GAMES, reason="no shared GCG files here (TILECAST_SHARED)")
@pytest.mark.parametrize(("name", "outage"), first_of(1, HARD), ids=str)
def test_what_an_outage_hides_of_a_real_game_is_not_guessed(name: str, outage: Outage) -> None:
    """A play taken back unseen or laid otherwise; a rack that nobody knows; a play nobody saw."""
    path = next(path for path in PUBLIC_GAMES if path.stem.endswith(name))
    found = _begun(path, outage.first + outage.count + 3).found(outage)
    assert set(found.turns) <= {RIGHT, HOLE}
    assert found.notices == []


@pytest.mark.skipif(not PUBLIC_GAMES, reason="no shared GCG files here (TILECAST_SHARED)")
@pytest.mark.parametrize("lost", first_of(1, [Lost.BOTH, Lost.CAMERA, Lost.CLOCK]))
def test_outages_of_a_real_game(real: Examined, lost: Lost) -> None:
    """The same of a game that was played, with 6 turns unseen."""
    found = real.found(Outage(lost, first=3, count=6))
    assert set(found.turns) <= {RIGHT, HOLE, SHOWN}
    assert found.notices == []


@pytest.mark.further
def test_a_hole_names_the_turns_that_it_replaces() -> None:
    """Half of a play was recorded at its press, and nobody saw the rest for ten turns."""
    game = played_game(next(path for path in OWN_GAMES if path.stem == "english"))
    outage = Outage(Lost.CAMERA, first=10, count=10, is_amid=True)
    table, _ = Examined(game, words_for(game)).tried(outage)
    (hole,) = [turn for turn in table.turns if isinstance(turn.events[0], Unseen)]
    said = [str(doubt) for doubt in hole.doubts]
    assert said[-1] == "hole_over_recorded count=1 plays=C9 VA. +10"
