"""The board against the record, and how it is put right."""

from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.board import EMPTY_BOARD, Square
from recorder.domain.rules.placement.board_check import DifferenceKind, differences, restore
from recorder.domain.tile_text import read_tile, read_tiles
from recorder.domain.tiles import Tile, face
from tests.boards import board_of
from tests.rules.laid import sq, tiles
from tests.rules.said import said

RECORD = board_of("8D QUALM", "9F BOY")
K = DifferenceKind


def test_a_tile_on_the_floor_is_asked_for() -> None:
    """PLACE-6: bag and racks are as before, so it fell."""
    seen = RECORD.remove([sq("F8")])
    (one,) = differences(RECORD, seen)
    assert (one.kind, one.square, one.tile) == (K.MISSING, sq("F8"), read_tile("A"))
    procedure = restore(RECORD, seen, bag_gain=0, rack_gain=0)
    assert [step.done_when for step in procedure.steps] == ["8F=A"]
    assert "on the floor" in said(procedure.open_questions[0])
    for gains, place in (((1, 0), "the bag has 1"), ((0, 1), "the racks have 1")):
        asked = restore(RECORD, seen, bag_gain=gains[0], rack_gain=gains[1]).open_questions
        assert place in said(asked[0])
    assert "none was counted" in said(restore(RECORD, seen).open_questions[0])


def test_a_play_shifted_after_the_press_goes_back() -> None:
    """PLACE-5: the squares of the press are those that count."""
    seen = RECORD.remove([sq("F9"), sq("G9"), sq("H9")]).place(tiles(G9="B", H9="O", I9="Y"))
    procedure = restore(RECORD, seen)
    # Two squares read otherwise, one tile is off its place: the director looks at all of them.
    kinds = [one.kind for one in differences(RECORD, seen)]
    assert kinds == [K.MISSING, K.CHANGED, K.CHANGED, K.ADDED]
    assert procedure.for_director
    bumped = RECORD.remove([sq("H9")]).place(tiles(I9="Y"))
    moved = restore(RECORD, bumped)
    assert [said(step.act) for step in moved.steps] == ["move Y from 9I back to 9H"]
    assert (moved.rule, moved.for_director) == ("PLACE-5", False)


def test_two_equal_tiles_are_not_guessed_to_their_squares() -> None:
    """Which E moved where nobody can see; both are asked about."""
    record = EMPTY_BOARD.place(tiles(H8="E", I8="E"))
    seen = EMPTY_BOARD.place(tiles(H9="E", I9="E"))
    kinds = [one.kind for one in differences(record, seen)]
    assert kinds == [K.MISSING, K.MISSING, K.ADDED, K.ADDED]


def test_a_blank_is_the_same_tile_whatever_its_letter() -> None:
    """What the slip says is no difference on the board."""
    assert differences(board_of("8G aT"), board_of("8G ?T")) == ()
    (one,) = differences(board_of("8G aT"), board_of("8G AT"))
    assert (one.kind, one.seen) == (K.CHANGED, read_tile("A"))


TILES = st.dictionaries(
    st.integers(0, 224).map(Square), st.sampled_from(read_tiles("AEx?T")), max_size=9
)


@given(one=TILES, other=TILES)
def test_every_square_is_accounted_for(one: dict[Square, Tile], other: dict[Square, Tile]) -> None:
    """Each difference names a square that differs, and no square that differs is left out."""
    record, seen = EMPTY_BOARD.place(one), EMPTY_BOARD.place(other)
    named = {diff.square for diff in differences(record, seen)}
    named |= {diff.now for diff in differences(record, seen) if diff.now is not None}
    differ = {
        square
        for square in map(Square, range(225))
        if face(record[square]) is not face(seen[square])
    }
    assert named == differ
    assert bool(restore(record, seen).steps or restore(record, seen).open_questions) == bool(differ)
