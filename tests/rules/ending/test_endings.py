"""Endings beyond the worked cases: what is open, what cannot be, and what always holds."""

from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.board import EMPTY_BOARD, Board, Square
from recorder.domain.game import (
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    GameState,
    NoPlay,
    Passed,
    Played,
    Withdrawn,
    replay,
)
from recorder.domain.plays import parse_placement
from recorder.domain.rules.ending.ending import (
    Convention,
    out_events,
    rack_points,
    racks_deducted,
    tiles_of_the_other,
)
from recorder.domain.rules.ending.six_zeros import Zero, ZeroState, counts, six_zeros, zero_run
from recorder.domain.tile_text import read_tile, read_tiles
from recorder.domain.tiles import BLANK, Tiles
from recorder.tilesets import load_tile_set
from tests.rules.case_book import ALL, NAS
from tests.rules.said import all_said

ENGLISH = load_tile_set("english")
RACKS = st.lists(st.sampled_from((*ENGLISH.letters, BLANK)), min_size=1, max_size=7).map(tuple)


def state_without(text: str) -> GameState:
    """A position in which all tiles but these are on the board, wherever they lie."""
    left = [face for face, count in ENGLISH.counts.items() for _ in range(count)]
    for tile in read_tiles(text):
        left.remove(tile)
    board: Board = EMPTY_BOARD.place({Square(n): tile for n, tile in enumerate(left)})
    return GameState(ENGLISH, board)


def turns_of(names: list[str]) -> tuple[GameEvent, ...]:
    """Alternating turns; each scoring play stands on a line of its own, a phony is removed."""
    events: list[GameEvent] = []
    for number, name in enumerate(names):
        player = number % 2
        placement = parse_placement(f"{number % 15 + 1}{'ACEGIKM'[number // 15]} AT")
        match name:
            case "pass":
                events.append(Passed(player))
            case "exchange":
                events.append(Exchanged(player, 3))
            case "no play":
                events.append(NoPlay(player))
            case "score":
                events.append(Played(player, placement, 5))
            case _:
                events += [Played(player, placement, 5), Withdrawn(player, 5)]
    return tuple(events)


def test_the_other_rack_is_what_is_unseen() -> None:
    """All of it, blanks last; more than a rack, or a tile too many, is none."""
    assert tiles_of_the_other(state_without("QI")) == read_tiles("IQ")
    assert tiles_of_the_other(state_without("?A?")) == read_tiles("A??")
    assert tiles_of_the_other(state_without("")) == read_tiles("")
    assert tiles_of_the_other(state_without("AEIOUNRT")) is None
    twice = state_without("Q")
    wrong = GameState(ENGLISH, twice.board.place({Square(220): read_tile("Z")}))
    assert tiles_of_the_other(wrong) is None


@given(RACKS, st.integers(0, 1))
def test_both_conventions_make_the_same_margin(tiles: Tiles, out: int) -> None:
    """Only the totals differ, by the value of the tiles."""
    margins, sums = [], []
    for convention in Convention:
        events = out_events(convention, out=out, tiles=tiles, tile_set=ENGLISH)
        scores = replay(ENGLISH, events).scores
        margins.append(scores[out] - scores[1 - out])
        sums.append(sum(scores))
    assert margins[0] == margins[1] == 2 * ENGLISH.points(tiles)
    assert sums == [2 * ENGLISH.points(tiles), 0]


def test_racks_that_nobody_has_seen_are_asked_for() -> None:
    """And nothing is taken off before both are known."""
    found = racks_deducted((read_tiles("AEI"), None), ENGLISH)
    assert all_said(found.open_questions) == ("player 2: which tiles are on the rack?",)
    assert found.events == ()


@given(st.lists(st.sampled_from(Zero), max_size=9), st.booleans())
def test_fewer_than_six_never_end_a_game(run: list[Zero], declared: bool) -> None:  # noqa: FBT001
    """And a game is over only by six that certainly count."""
    for rules in ALL:
        found = six_zeros(rules, run, declared=declared)
        if len(run) < 6:
            assert found.state is ZeroState.COUNTING
        if found.state is ZeroState.OVER:
            assert all(counts(rules, zero) for zero in run[-6:])
        if found.state is ZeroState.DIRECTOR:
            assert found.open_questions


def test_kinds_that_events_do_not_tell() -> None:
    """A turn lost to a failed challenge looks like a pass, an illegal play like a phony."""
    events = turns_of(["score", "pass", "phony"])
    assert zero_run(events) == (Zero.PASS, Zero.CHALLENGED_OFF)
    said = {1: Zero.LOST_CHALLENGE, 3: Zero.ILLEGAL}
    assert zero_run(events, said) == (Zero.LOST_CHALLENGE, Zero.ILLEGAL)
    nothing = (Played(0, parse_placement("8G ??"), 0),)
    assert zero_run(nothing) == (Zero.NO_POINTS,)


def test_points_for_an_empty_rack_are_nothing() -> None:
    """Both out of tiles at the end: no event of no points for a deduction."""
    assert rack_points(NAS, out=0, tiles=read_tiles(""), tile_set=ENGLISH).events == (
        EndRackPoints(0, 0, read_tiles("")),
    )
    assert racks_deducted((read_tiles(""), read_tiles("A")), ENGLISH).events == (
        EndRackPenalty(1, 1, read_tiles("A")),
    )
