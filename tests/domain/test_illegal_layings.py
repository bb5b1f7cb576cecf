"""Illegal layings as events: board, totals, withdrawals, rulings and the rule sets' scores."""

import pytest

from recorder.domain.board import Square, parse_square
from recorder.domain.errors import RecorderError
from recorder.domain.game import (
    GameEvent,
    IllegallyPlayed,
    NoPlay,
    Passed,
    Played,
    Withdrawn,
    replay,
)
from recorder.domain.laying_faults import LayingFault
from recorder.domain.plays import parse_placement
from recorder.domain.reading.turn_acts import ANNOUNCED
from recorder.domain.rules.ending.six_zeros import Zero, zero_run
from recorder.domain.rulings.closing import racks_after
from recorder.domain.rulings.replay_turns import replay_turns
from recorder.domain.tile_text import read_tile, read_tiles
from recorder.domain.tiles import Tile
from recorder.domain.turns import Turn
from recorder.rulesets import load_rule_set, rule_set_names
from recorder.tilesets import load_tile_set

ENGLISH = load_tile_set("english")
CATER = Played(0, parse_placement("8F CATER"), 14)


def tiles(text: str) -> tuple[tuple[Square, Tile], ...]:
    """Tiles written as ``K4=L K5=O``."""
    pairs = (one.split("=") for one in text.split())
    return tuple(sorted((parse_square(name)[0], read_tile(tile)) for name, tile in pairs))


def illegal(text: str, score: int = 0, player: int = 1) -> IllegallyPlayed:
    """An illegal laying whose faults are found when it is folded."""
    return IllegallyPlayed(player, tiles(text), (LayingFault.NOT_IN_LINE,), score)


def folded(rules: str, *events: GameEvent) -> tuple[GameEvent, ...]:
    """The events, a turn each, on the boards that they leave and by a rule set."""
    groups = [Turn(at, (at,), (event,), 0.0) for at, event in enumerate(events, 1)]
    return replay_turns(groups, ENGLISH, load_rule_set(rules)).state.events


LOANS_AND_E = "K4=L K5=O K6=A K7=N K8=S C11=E"
WHAT_STANDS = [
    (LOANS_AND_E, 18, 0),
    ("K4=L K5=O K7=N K8=S", 14, 0),
    ("C12=G D12=O E12=O F12=D", 12, 0),
    ("G7=B G9=T K8=S K9=O", 19, 0),
    ("K9=I L10=C M11=E", 0, 0),
]


@pytest.mark.parametrize("rules", rule_set_names())
@pytest.mark.parametrize(("text", "points", "announced"), WHAT_STANDS)
def test_what_a_laying_counts_until_somebody_rules(
    rules: str, text: str, points: int, announced: int
) -> None:
    """Every word that it makes, as if legal; nothing where a player who sees it must say so."""
    event = folded(rules, CATER, illegal(text))[-1]
    assert isinstance(event, IllegallyPlayed)
    assert event.score == (announced if rules == "naspa" else points)


@pytest.mark.parametrize("rules", rule_set_names())
def test_a_first_play_beside_the_centre_stands_and_leaves_it_its_double(rules: str) -> None:
    """7F CAT counts 6 in every set, then H7 .HE covers the centre and is doubled (PLACE-4)."""
    the = Played(1, parse_placement("H7 .HE"), 0)
    first, second = folded(rules, illegal("F7=C G7=A H7=T", player=0), the)
    assert isinstance(first, IllegallyPlayed)
    assert first.faults == (LayingFault.OFF_CENTRE,)
    assert isinstance(second, Played)
    assert (first.score, second.score) == (6, 12)


def test_a_laying_that_is_legal_on_the_board_that_now_holds_is_a_play() -> None:
    """An order about the turn before may have put a word where it touches."""
    (_, event) = folded("wespa1", CATER, illegal("K8=S"))
    assert event == Played(1, parse_placement("8F .....S"), 8)


def test_a_laying_is_on_the_board_and_comes_off_again_as_a_whole() -> None:
    """The turn stays used; its points go."""
    laid = illegal(LOANS_AND_E, 18)
    state = replay(ENGLISH, [CATER, laid])
    assert state.scores == (14, 18)
    assert state.on_turn == 0
    assert state.board[parse_square("C11")[0]] == read_tile("E")
    back = replay(ENGLISH, [CATER, laid, Withdrawn(1, 18)])
    assert back.scores == (14, 0)
    assert back.board == replay(ENGLISH, [CATER]).board
    assert back.on_turn == 0


def test_tiles_that_came_off_after_the_reply_are_in_the_bag_again() -> None:
    """The turn is not taken back: what else lies there stays, and no rack changes (PLACE-2)."""
    gone = tuple(sq for sq, _ in tiles("C12=G D12=O E12=O F12=D"))
    laid = IllegallyPlayed(
        1, tiles("C12=G D12=O E12=O F12=D"), (LayingFault.NOT_TOUCHING,), 0, read_tiles(""), gone
    )
    events = [CATER, laid, Played(0, parse_placement("J8 .OAM"), 8)]
    state = replay(ENGLISH, events)
    assert state.bag_count == 100 - 8 - 14
    assert racks_after(events, 100) == (7, 7, 78)
    assert not state.board.has_tile(gone[0])


def test_what_cannot_lie_there_is_refused_by_name() -> None:
    """A tile on a tile is no laying, whatever the rules say."""
    with pytest.raises(RecorderError, match="8F=X: already occupied: 8F"):
        replay(ENGLISH, [CATER, illegal("F8=X")])


def test_an_illegal_turn_for_nothing_is_a_zero_of_its_kind() -> None:
    """Taken off late it is another kind, of which rule sets speak by themselves (END-4)."""
    nothing = illegal("K9=I L10=C M11=E")
    late = IllegallyPlayed(
        1, nothing.tiles, nothing.faults, 0, read_tiles(""), (nothing.tiles[0][0],)
    )
    assert zero_run([CATER, nothing, Passed(0)]) == (Zero.ILLEGAL, Zero.PASS)
    assert zero_run([CATER, late]) == (Zero.ILLEGAL_FOUND_LATE,)
    assert zero_run([CATER, illegal("K8=S", 9), NoPlay(0)]) == (Zero.UNDECIDED,)


@pytest.mark.parametrize("rules", rule_set_names())
def test_a_play_that_pushed_an_earlier_tile_is_against_the_rules_where_that_must_be_said(
    rules: str,
) -> None:
    """Elsewhere the tile goes back and the play stays (PLACE-2)."""
    pushed = ((parse_square("8J")[0], None),)
    play = Turn(2, (2,), (Played(1, parse_placement("8F .....S"), 8),), 0.0, astray=pushed)
    first = Turn(1, (1,), (CATER,), 0.0)
    event = replay_turns([first, play], ENGLISH, load_rule_set(rules)).state.events[-1]
    if rules == "naspa":
        assert isinstance(event, IllegallyPlayed)
        assert event.faults == (LayingFault.EARLIER_MOVED,)
        assert event.score == 0
    else:
        assert event == Played(1, parse_placement("8F .....S"), 8)


def test_tiles_that_make_no_word_count_what_was_announced() -> None:
    """There is nothing else to go by until the opponent objects or a director rules."""
    first = Turn(1, (1,), (CATER,), 0.0)
    loose = Turn(2, (2,), (illegal("K9=I L10=C M11=E"),), 0.0, facts={ANNOUNCED: 7})
    state = replay_turns([first, loose], ENGLISH, load_rule_set("wespa1")).state
    assert state.scores == (14, 7)
