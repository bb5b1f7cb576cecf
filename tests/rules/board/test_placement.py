"""Kinds of illegal placement, what becomes of them, and what must hold for any of them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.board import CENTRE, EMPTY_BOARD, Board, Square
from recorder.domain.game import Passed, Played
from recorder.domain.laying_faults import loose_squares, tile_groups
from recorder.domain.plays import Fault, laying_faults, parse_placement
from recorder.domain.rules.placement.layings import (
    IllegalKind,
    Laying,
    Treatment,
    illegal_kinds,
    treatment,
)
from recorder.domain.rules.placement.placement import IllegalPlay, rule_on_placement
from recorder.domain.tile_text import read_tiles
from recorder.domain.tiles import Tile
from tests.boards import board_of
from tests.rules.case_book import HK, NAS, PSA, W1, W4, in_force
from tests.rules.laid import ENGLISH, laying, sq, tiles

QUALM_BOY = board_of("8D QUALM", "9F BOY")


def kinds(laid: Laying) -> tuple[IllegalKind, ...]:
    return illegal_kinds(laid)


@pytest.mark.parametrize(
    ("laid", "expected"),
    [
        (laying("8H A"), (IllegalKind.ONE,)),
        (laying("7H A"), (IllegalKind.CENTRE, IllegalKind.ONE)),
        (laying("8D QUALM"), ()),
        (Laying(before=QUALM_BOY, tiles=tiles(A1="A")), (IllegalKind.DISCONNECTED,)),
        (
            Laying(before=QUALM_BOY, tiles=tiles(D7="A", I9="E")),
            (IllegalKind.LINE, IllegalKind.TWO),
        ),
        (
            Laying(before=QUALM_BOY, tiles=tiles(D9="I", I9="E", K9="X")),
            (IllegalKind.GAP, IllegalKind.TWO, IllegalKind.DISCONNECTED),
        ),
        (laying("8H AEINRSTE"), (IllegalKind.OVERDRAWN,)),
    ],
    ids=lambda value: "+".join(value) or "legal" if isinstance(value, tuple) else "",
)
def test_what_is_wrong_with_a_laying(laid: Laying, expected: tuple[IllegalKind, ...]) -> None:
    """PLACE-2, kind by kind."""
    assert kinds(laid) == expected


LAYINGS = st.dictionaries(
    st.integers(0, 224).map(Square), st.sampled_from(read_tiles("AEINRST")), min_size=1, max_size=7
)


@given(laid=LAYINGS, near=st.booleans())
def test_kinds_and_faults_agree(laid: dict[Square, Tile], *, near: bool) -> None:
    """Whatever is laid anywhere: no kind means no fault of geometry, and the other way round."""
    before = QUALM_BOY if near else EMPTY_BOARD
    free = {square: tile for square, tile in laid.items() if not before.has_tile(square)}
    if not free:
        return
    found = set(kinds(Laying(before=before, tiles=free)))
    faults = laying_faults(before, free, ENGLISH) & ~Fault.NOT_IN_SUPPLY
    assert bool(faults) == bool(found)
    if Fault.NOT_CONNECTED in faults:
        assert IllegalKind.DISCONNECTED in found


@given(laid=LAYINGS)
def test_strings_are_a_partition(laid: dict[Square, Tile]) -> None:
    """Every new tile is in one group, and no two groups share a line of tiles."""
    groups = tile_groups(frozenset(laid), frozenset(laid))
    assert sorted(square for group in groups for square in group) == sorted(laid)


@given(laid=LAYINGS)
def test_the_body_of_the_game_is_never_loose(laid: dict[Square, Tile]) -> None:
    """What hangs together with the most tiles stays; the rest is loose."""
    board = EMPTY_BOARD.place(laid)
    loose = loose_squares(board.occupied())
    body = set(board.occupied()) - loose
    assert body
    assert not loose_squares(board.remove(loose).occupied())
    assert body | loose == set(laid)


def test_of_two_equal_parts_the_one_on_the_centre_is_the_game() -> None:
    """The others were laid apart."""
    board = EMPTY_BOARD.place(tiles(A1="A", B1="T", H8="N", I8="O"))
    assert CENTRE not in loose_squares(board.occupied()) == {sq("A1"), sq("B1")}
    assert loose_squares(EMPTY_BOARD.occupied()) == frozenset()


TREATMENTS = [  # kind, then naspa and wespa1
    (IllegalKind.CENTRE, Treatment.CHALLENGEABLE, Treatment.CHALLENGEABLE),
    (IllegalKind.ONE, Treatment.CHALLENGEABLE, Treatment.CHALLENGEABLE),
    (IllegalKind.TWO, Treatment.MUST_ANNOUNCE, Treatment.CHALLENGEABLE),
    (IllegalKind.DISCONNECTED, Treatment.MUST_ANNOUNCE, Treatment.CHALLENGEABLE),
    (IllegalKind.MOVED, Treatment.MUST_ANNOUNCE, Treatment.CHALLENGEABLE),
    (IllegalKind.OVERDRAWN, Treatment.MUST_ANNOUNCE, Treatment.OVERDRAW),
]


@pytest.mark.parametrize(("kind", "naspa", "wespa1"), TREATMENTS)
def test_each_kind_is_treated_as_the_table_says(
    kind: IllegalKind, naspa: Treatment, wespa1: Treatment
) -> None:
    """PLACE-2; version 4 inherits once confirmed, the summary says nothing."""
    assert treatment(NAS, (kind,)) is naspa
    assert treatment(W1, (kind,)) is treatment(PSA, (kind,)) is treatment(W4, (kind,)) is wespa1
    assert treatment(HK, (kind,)) is Treatment.UNSETTLED
    bare = in_force("wespa4", confirmed=False)
    assert treatment(bare, (kind,)) is Treatment.UNSETTLED


def play(laid: Laying, *more: IllegalKind, kept: int | None = None) -> IllegalPlay:
    """An illegal play of the first player, of kinds that its shape shows and ``more``."""
    return IllegalPlay(
        played=Played(0, parse_placement("1A AT"), 10),
        laying=laid,
        kinds=(*kinds(laid), *more),
        kept=7 - len(laid.tiles) if kept is None else kept,
    )


APART = Laying(before=QUALM_BOY, tiles=tiles(A1="A", B1="T", C1="E"))


@given(
    kept=st.integers(0, 7),
    drawn=st.integers(0, 7),
    mixed=st.booleans(),
    laid=st.integers(1, 7),
)
def test_no_tile_is_lost_or_won(kept: int, drawn: int, laid: int, *, mixed: bool) -> None:
    """What the player held and laid is on the rack or in the bag, and the rack is not too full."""
    apart = {Square(number): Tile("E") for number in range(laid)}
    facts = replace(
        play(Laying(before=QUALM_BOY, tiles=apart), kept=kept), drawn=drawn, mixed=mixed
    )
    ruling = rule_on_placement(NAS, facts)
    assert kept + drawn + laid - ruling.returned <= 7
    assert ruling.surplus <= ruling.returned
    assert ruling.revealed <= kept + drawn
    assert ruling.surplus <= ruling.pool


def test_only_the_loose_part_leaves_after_the_reply() -> None:
    """Two plays in one: the part that touches the game stays."""
    laid = Laying(before=QUALM_BOY, tiles=tiles(I9="E", A1="A", B1="T"))
    ruling = rule_on_placement(NAS, replace(play(laid), replied=True))
    assert ruling.returned == 2
    (rest,) = ruling.instead
    assert isinstance(rest, Played)
    assert str(rest.placement) == "9F ...E"
    gone = rule_on_placement(NAS, replace(play(APART), replied=True))
    assert gone.instead == (Passed(0),)


def test_what_is_left_may_have_no_notation() -> None:
    """Then the director enters it; nothing is guessed."""
    laid = Laying(before=QUALM_BOY, tiles=tiles(I9="E", D9="I", C7="A", D7="N"))
    ruling = rule_on_placement(NAS, replace(play(laid), replied=True))
    assert ruling.instead == ()
    assert ruling.for_director


def test_a_board_can_be_judged_without_the_laying() -> None:
    """The later board decides which tiles are loose: a reply can have joined them."""
    joined = APART.board.place(tiles(D1="S"))
    bridge: Board = joined.place({Square(3 + 15 * row): Tile("E") for row in range(1, 8)})
    facts = replace(play(APART), replied=True, board=bridge)
    assert rule_on_placement(NAS, facts).returned == 0
