"""Plays that no look shows by themselves, where no clock speaks: a cut hid them, or an arm."""

from dataclasses import replace

import pytest

from recorder.domain.board import Board
from recorder.domain.observations import SYMBOLS, BoardSeen, SquareCosts
from recorder.domain.pictured import WatchedLook
from recorder.domain.plays import parse_placement
from recorder.tilesets import load_tile_set
from recorder.watched_game import read_watched, watched_json
from tests.boards import board_of
from tests.recorder.watched_game.test_watched_game import (
    ADA,
    BEN,
    PLAYED,
    START,
    look,
    read,
    told,
)

pytestmark = pytest.mark.slow


def test_two_plays_in_one_look_are_told_as_two_and_doubtful():
    """A cut hid the first, of one tile; anyone who laid last is known, which was first is not."""
    laid = parse_placement("10D ZAIL").new_tiles() | parse_placement("D7 E").new_tiles()
    both = START[2][0].place(laid)
    beside = both.place(parse_placement("E5 AXE").new_tiles())
    watched = read(*START, (both, BEN), (beside, ADA))
    assert told(watched)[2:] == ["1 10D ZAIL!", "2 D7 E.!", "1 E5 AXE."]
    doubts = watched_json(watched)["turns"][2]["doubts"]
    assert "two plays in one picture: their order and players are assumed" in doubts


def test_a_play_beside_a_tile_that_nobody_was_seen_to_lay_is_doubtful():
    """Its score was reported without that tile, and without a word."""
    laid = parse_placement("10D ZAIL").new_tiles() | parse_placement("D7 E").new_tiles()
    hidden = START[2][0].place(laid)
    beside = hidden.place(parse_placement("E5 AXE").new_tiles())
    watched = read(*START, (hidden, ADA), (beside, BEN))
    assert told(watched)[2:] == ["1 10D ZAIL!", "2 E5 AXE.!"]
    doubts = watched_json(watched)["turns"][3]["doubts"]
    assert doubts == ["next to a tile that no play explains: 7D"]


def test_squares_that_were_misread_for_a_while_do_not_end_the_game():
    """Shade was taken for tiles beside two plays: all that followed was left out, to the end."""
    first, second = board_of("8D QUALM", "2B TA"), board_of("8D QUALM", "2B TA", "9F BOY", "13M ON")
    plays = ("8D QUALM", "9F BOY", "10D ZAIL", "8D .....Y", "11E HA", "12D OX")
    plain = [(board_of(*plays[:end]), ADA if end % 2 else BEN) for end in range(3, 7)]
    turns = told(read(START[0], (first, ADA), (second, BEN), *plain))
    assert turns[0] == "1 8D QUALM"
    assert "!" in turns[-3]  # the one with which it goes on
    assert turns[-2:] == ["1 11E HA", "2 12D OX"]


def test_a_replay_of_an_earlier_board_is_left_out_however_long_it_is():
    """It misses whole plays; a board of which a square was misread misses parts of them."""
    now = ("8D QUALM", "9F BOY", "10D ZAIL", "8D .....Y")
    boards = [(board_of(*now[:end]), edge) for end, edge in ((3, ADA), (4, BEN))]
    replay = [(board_of(*now[:2]), ADA), (board_of(*now[:2]), ""), (board_of(*now[:2]), BEN)]
    turns = told(read(*START, *boards, *replay, (board_of(*now, "11E .."), ADA)))
    assert turns[:4] == [*PLAYED, "1 10D ZAIL", "2 8D .....Y"]


def _unsure_of(square: int, *looks: tuple[Board, str], nats: float) -> list[WatchedLook]:
    """The looks; from the third on the square looks bare rather than like a blank by so much."""
    made = [look(number, shown, edge) for number, (shown, edge) in enumerate(looks)]
    for at, one in enumerate(made[2:], 2):
        assert isinstance(one.seen, BoardSeen)
        costs = bytearray(one.seen.squares.costs)
        costs[square * len(SYMBOLS) + SYMBOLS.index("?")] = round(nats * 16)
        seen = replace(one.seen, squares=SquareCosts(bytes(costs)))
        made[at] = replace(one, seen=seen)
    return made


def _game(first: str) -> list[tuple[Board, str]]:
    plays = (first, "9F BOY", "10D ZAIL", "8D .....Y")
    return [(board_of(*plays[:end]), ("", ADA, BEN, ADA, BEN)[end]) for end in range(5)]


BEFORE_QUALM, ABOVE_QUALM = 7 * 15 + 2, 6 * 15 + 3


def test_a_play_beside_which_a_blank_may_lie_is_doubtful():
    """A blank of the board's colour, read as bare in look after look.

    The score was reported surely.
    """
    unsure = _unsure_of(BEFORE_QUALM, *_game("8D QUALM"), nats=2.2)
    watched = read_watched(unsure, load_tile_set("english"))
    assert told(watched) == ["1 8D QUALM!", "2 9F BOY", "1 10D ZAIL", "2 8D .....Y"]
    doubts = watched_json(watched)["turns"][0]["doubts"]
    assert doubts == ["8C may hold a blank: it reads as empty, with low confidence"]


@pytest.mark.parametrize(
    ("square", "nats", "first"),
    [
        pytest.param(BEFORE_QUALM, 4.0, "8D QUALM", id="sure"),
        pytest.param(BEFORE_QUALM, 2.2, "8D Q??LM", id="both blanks lie"),
        pytest.param(ABOVE_QUALM, 2.2, "8D QUALM", id="in no word"),
    ],
)
def test_a_bare_square_makes_no_play_doubtful(square: int, nats: float, first: str):
    """Where looks are sure, no blank is left, or none there would have made the word longer."""
    watched = read_watched(_unsure_of(square, *_game(first), nats=nats), load_tile_set("english"))
    assert not watched_json(watched)["turns"][0]["doubtful"]
