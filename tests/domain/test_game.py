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
