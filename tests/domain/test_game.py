"""A game as the fold of its events, and corrections that supersede."""

import pytest

from recorder.domain.errors import RecorderError
from recorder.domain.game import (
    ChallengeBonus,
    EndRackPenalty,
    EndRackPoints,
    GameEvent,
    Passed,
    Played,
    TimePenalty,
    Withdrawn,
    apply,
    new_game,
    replay,
)
from recorder.domain.plays import parse_placement
from recorder.domain.tile_text import read_tile, read_tiles
from recorder.tilesets import load_tile_set

ENGLISH = load_tile_set("english")
QUALM = Played(0, parse_placement("8D QUALM"), 52)
BOY = Played(1, parse_placement("9F BOY"), 23)


def test_a_game_is_the_fold_of_its_events() -> None:
    """Scores, turn, board and bag after two plays, a bonus and the end."""
    state = replay(ENGLISH, [QUALM, ChallengeBonus(0, 5), BOY])
    assert (state.scores, state.on_turn, state.bag_count) == ((57, 23), 0, 100 - 8 - 14)
    assert state.board.rows()[8] == ".....BOY......."
    assert state.unseen[read_tile("Q")] == 0
    ending = [
        EndRackPoints(0, 8, read_tiles("QI")),
        EndRackPenalty(1, 4, read_tiles("QI")),
        TimePenalty(1, 10),
    ]
    assert replay(ENGLISH, [QUALM, *ending]).scores == (60, -14)


def test_a_withdrawn_phony_leaves_board_and_score_as_before_and_the_turn_passes() -> None:
    """The challenger was on turn already and stays so."""
    state = replay(ENGLISH, [QUALM, BOY, Withdrawn(1, 23)])
    assert state.board == replay(ENGLISH, [QUALM]).board
    assert (state.scores, state.on_turn) == ((52, 0), 0)


def test_two_plays_can_be_taken_back_one_after_the_other() -> None:
    """After the last play is gone, the one before it is the last one on the board."""
    state = replay(ENGLISH, [QUALM, BOY, Withdrawn(1, 23), Withdrawn(0, 52)])
    assert state.board.is_empty
    assert state.scores == (0, 0)


@pytest.mark.parametrize(
    ("before", "event", "message"),
    [
        ([], Withdrawn(0, 10), "player 1 has no last play"),
        ([QUALM], Withdrawn(1, 52), "player 2 has no last play"),
        ([QUALM], Played(1, parse_placement("8D BOY"), 1), "occupied: 8D, 8E, 8F"),
        ([], Played(0, parse_placement("8M FISH"), 1), "off the board"),
        ([QUALM], Played(1, parse_placement("8D ....."), 0), "no new tile"),
        ([], Passed(2), "player is 0 or 1"),
    ],
)
def test_what_cannot_have_happened_is_refused_and_named(
    before: list[GameEvent], event: GameEvent, message: str
) -> None:
    """RecorderError, and the state before it is untouched."""
    state = replay(ENGLISH, before)
    with pytest.raises(RecorderError, match=message):
        apply(state, event)


def test_a_play_with_a_gap_stands_because_only_a_challenge_removes_it() -> None:
    """PLACE-2: a wrong placement is recorded as it lies."""
    state = replay(ENGLISH, [Played(0, parse_placement("8G CA.T"), 10)])
    assert state.board.rows()[7] == "......CA.T....."


def test_a_new_game_has_an_empty_board_and_a_bag_of_86() -> None:
    """Both racks are drawn."""
    state = new_game(ENGLISH)
    assert (state.bag_count, state.on_turn, state.scores) == (86, 0, (0, 0))
