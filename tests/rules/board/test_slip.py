"""Marks on the slip, and which blank each belongs to."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.errors import RecorderError
from recorder.domain.rules.blanks.slip import (
    BlankPlay,
    Designation,
    DesignationStatus,
    Mark,
    match_marks,
)
from recorder.domain.tile_text import read_tile, read_tiles
from recorder.domain.tiles import BLANK, EMPTY
from tests.rules.laid import letter_at, sq

S = DesignationStatus
ONE = BlankPlay(turn=3, squares=(sq("H8"),), began_ms=10_000, pressed_ms=60_000)
TWO = replace(ONE, squares=(sq("E8"), sq("I8")))
LATER = BlankPlay(turn=8, squares=(sq("A1"),), began_ms=200_000, pressed_ms=260_000)


def read(*marks: Mark, play: BlankPlay = ONE) -> tuple[Designation, ...]:
    return match_marks([play], marks)


def mark(letter: str, at_ms: int, *, top: float = 0) -> Mark:
    return Mark(letter=read_tile(letter) if letter else EMPTY, at_ms=at_ms, top=top)


@pytest.mark.parametrize(
    ("at_ms", "pressed_ms", "status"),
    [
        (50_000, 60_000, S.DECLARED),
        (60_000, 60_000, S.DECLARED),
        (63_000, 60_000, S.LATE),
        (50_000, None, S.DECLARED),
    ],
)
def test_the_press_parts_timely_from_late(
    at_ms: int, pressed_ms: int | None, status: DesignationStatus
) -> None:
    """BLANK-1."""
    (one,) = read(mark("E", at_ms), play=replace(ONE, pressed_ms=pressed_ms))
    assert (one.status, one.letter, one.marked_ms) == (status, read_tile("E"), at_ms)


@pytest.mark.parametrize(
    ("play", "marks"),
    [
        (ONE, [mark("", 50_000)]),
        (ONE, [mark("E", 40_000), mark("F", 50_000)]),
        (TWO, [mark("E", 40_000)]),
    ],
)
def test_what_cannot_be_told_is_unclear(play: BlankPlay, marks: list[Mark]) -> None:
    reading = read(*marks, play=play)
    for one in reading:
        assert (one.status, one.letter) == (S.UNCLEAR, read_tile("?"))


def test_a_second_letter_after_the_press_completes_the_first() -> None:
    """Two blanks, one letter in time: both count as late, in the order of the slip."""
    reading = read(mark("E", 40_000, top=9), mark("N", 65_000, top=1), play=TWO)
    assert [one.status for one in reading] == [S.LATE, S.LATE]
    assert (letter_at(reading, "E8"), letter_at(reading, "I8")) == (read_tile("N"), read_tile("E"))


def test_a_square_can_get_a_blank_twice() -> None:
    """The first play was challenged off; its mark stays its own."""
    again = replace(LATER, squares=ONE.squares)
    reading = match_marks([ONE, again], [mark("E", 50_000)])
    assert letter_at(reading, "H8") == read_tile("?")


def test_plays_are_given_in_order_and_have_blanks() -> None:
    """Anything else is a fault of the program."""
    with pytest.raises(RecorderError, match="out of order"):
        match_marks([LATER, ONE], [])
    with pytest.raises(RecorderError, match="without a blank"):
        match_marks([replace(ONE, squares=())], [])


MARKS = st.lists(
    st.builds(
        Mark,
        letter=st.sampled_from((EMPTY, *read_tiles("AEINRST"))),
        at_ms=st.integers(0, 400_000),
        top=st.floats(0, 100, allow_nan=False),
    ),
    max_size=6,
    unique_by=lambda one: one.at_ms,
)


@given(told=MARKS.flatmap(lambda marks: st.tuples(st.just(marks), st.permutations(marks))))
def test_the_order_in_which_marks_are_told_does_not_matter(
    told: tuple[list[Mark], list[Mark]],
) -> None:
    """Cameras may report late."""
    marks, shuffled = told
    assert match_marks([TWO, LATER], shuffled) == match_marks([TWO, LATER], marks)


@given(marks=MARKS, later_ms=st.integers(60_001, 500_000))
def test_what_was_declared_in_time_never_changes(marks: list[Mark], later_ms: int) -> None:
    """BLANK-9, whatever else comes onto the slip after the press."""
    before = match_marks([TWO, LATER], marks)
    if any(one.at_ms == later_ms for one in marks):
        return
    after = match_marks([TWO, LATER], [*marks, mark("Z", later_ms)])
    for one in before:
        if one.turn == TWO.turn and one.status is S.DECLARED:
            assert one in after


@given(marks=MARKS, old=MARKS)
def test_no_letter_of_an_earlier_game_is_ever_used(marks: list[Mark], old: list[Mark]) -> None:
    """BLANK-8: and every blank has one designation, come what may."""
    reading = match_marks([TWO, LATER], [*marks, *old], before_game=old)
    assert [one.square for one in reading] == [*TWO.squares, *LATER.squares]
    fresh = {one.letter for one in marks if one not in old} | {BLANK}
    assert {one.letter for one in reading} <= fresh
