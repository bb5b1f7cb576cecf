"""A play that was ordered off, of which tiles stayed on the board (CHAL-9)."""

from dataclasses import replace

from recorder.domain.board import parse_square
from recorder.domain.game import Played, Withdrawn, replay
from recorder.domain.plays import parse_placement
from recorder.domain.rulings.closing import racks_after
from recorder.domain.rulings.tiles_left_on_board import with_left_lying
from recorder.domain.turns import Turn
from recorder.tilesets import load_tile_set

F9, G9, H9, H8 = (parse_square(name)[0] for name in ("9F", "9G", "9H", "8H"))
BOY = Played(1, parse_placement("9F BOY"), 15)
OFF = Turn(12, (12, 21), (BOY, Withdrawn(1, 15)), 0.0, rulings=(21,))
DREAMY = Played(0, parse_placement("H4 DREA.."), 14)
BUILT_ON = Turn(32, (32,), (DREAMY,), 0.0, astray=((F9, None), (G9, None)))
BACK = Turn(41, (41,), (Withdrawn(0, 14),), 0.0, astray=((H9, None),))


def test_what_lies_when_the_next_play_is_made_was_left() -> None:
    """The forgotten tile is on the board, and those that came off no longer count."""
    off, built_on = with_left_lying((OFF, BUILT_ON))
    assert off.events[-1] == Withdrawn(1, 15, left=(H9,))
    assert built_on == replace(BUILT_ON, astray=())


def test_an_earlier_tile_that_went_too_is_still_astray() -> None:
    """Only the tiles of the play that came off are explained by it."""
    _, built_on = with_left_lying((OFF, replace(BUILT_ON, astray=((F9, None), (H8, None)))))
    assert built_on.astray == ((H8, None),)


def test_a_turn_taken_again_on_the_right_board_was_none() -> None:
    """The play and the forgotten tile came off together: neither is in the record."""
    again = replace(BUILT_ON, ref=53, astray=())
    off, taken_again = with_left_lying((OFF, BUILT_ON, BACK, again))
    assert off == OFF
    assert taken_again == again


def test_a_play_ordered_off_after_the_reply_leaves_nothing_lying() -> None:
    """The looks before an order cannot show what was done upon it."""
    late = replace(OFF, rulings=(40,))
    assert with_left_lying((late, BUILT_ON)) == (late, BUILT_ON)


def test_a_removal_that_the_eyes_have_seen_is_left_as_it_is() -> None:
    """All tiles are gone, or none and nothing is built on them."""
    gone = ((F9, None), (G9, None), (H9, None))
    beside = replace(BUILT_ON, events=(replace(DREAMY, placement=parse_placement("H4 DREA.")),))
    for after in (replace(BUILT_ON, astray=gone), replace(beside, astray=())):
        assert with_left_lying((OFF, after)) == (OFF, after)


def test_a_play_that_nobody_has_taken_off_lies_under_one_that_is_built_on_it() -> None:
    """No look shows a tile of it gone, and the next play goes through them."""
    off, _ = with_left_lying((OFF, replace(BUILT_ON, astray=())))
    assert off.events[-1] == Withdrawn(1, 15, left=(F9, G9, H9))


def test_tiles_left_lying_are_on_the_board_of_the_next_play() -> None:
    """The withdrawal takes off the points, and the tiles that were removed; another is drawn."""
    events = (BOY, Withdrawn(1, 15, left=(H9,)))
    state = replay(load_tile_set("english"), events)
    assert state.scores == (0, 0)
    assert set(state.board.occupied()) == {H9}
    assert racks_after(events, 100) == (7, 7, 85)
