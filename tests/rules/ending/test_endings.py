"""Endings beyond the worked cases: what is open, what cannot be, and what always holds."""

import pytest
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
    PlayOut,
    PlayOutFacts,
    Reaction,
    claimed_play_out,
    out_events,
    rack_points,
    racks_deducted,
    tiles_of_the_other,
)
from recorder.domain.rules.ending.six_zeros import Zero, ZeroState, counts, six_zeros, zero_run
from recorder.domain.tile_text import read_tile, read_tiles
from recorder.domain.tiles import BLANK, Tiles
from recorder.rulesets import RuleSet, load_rule_set
from recorder.tilesets import load_tile_set
from tests.rules.case_book import ALL, HK, NAS, W1, W4
from tests.rules.said import all_said, said

ENGLISH = load_tile_set("english")
BARE_W4 = load_rule_set("wespa4")
RACKS = st.lists(st.sampled_from((*ENGLISH.letters, BLANK)), min_size=1, max_size=7).map(tuple)
TURNS = st.sampled_from(("pass", "exchange", "no play", "phony", "score"))


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


def test_a_choice_of_the_organiser_is_asked_for() -> None:
    """With both outcomes; what a set has not confirmed is asked for too."""
    for rules, words in ((W1, "22 for player 2, or 11"), (BARE_W4, "endgame.out_bonus")):
        open_one = rack_points(rules, out=1, tiles=read_tiles("QI"), tile_set=ENGLISH)
        assert open_one.for_director
        assert open_one.events == ()
        assert words in said(open_one.open_questions[0])


def test_racks_that_nobody_has_seen_are_asked_for() -> None:
    """And nothing is taken off before both are known."""
    found = racks_deducted((read_tiles("AEI"), None), ENGLISH)
    assert all_said(found.open_questions) == ("player 2: which tiles are on the rack?",)
    assert found.events == ()


def facts(**others: object) -> PlayOutFacts:
    """A play-out, stopped a second after the last tile, five seconds ago."""
    known = {"player": 0, "laid_ms": 1000, "stopped_ms": 2000, "now_ms": 7000, **others}
    return PlayOutFacts(**known)  # type: ignore[arg-type]


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_what_the_opponent_does_settles_a_play_out(rules: RuleSet) -> None:
    """In every set: shown is accepted, challenged waits, upheld goes on, failed is accepted."""
    for reaction, upheld, state in (
        (Reaction.REVEALED, None, PlayOut.ACCEPTED),
        (Reaction.HELD, None, PlayOut.HELD),
        (Reaction.CHALLENGED, None, PlayOut.CHALLENGED),
        (Reaction.CHALLENGED, True, PlayOut.TAKEN_BACK),
        (Reaction.CHALLENGED, False, PlayOut.ACCEPTED),
    ):
        found = claimed_play_out(rules, facts(reaction=reaction, upheld=upheld, now_ms=2500))
        assert found.state is state
        assert found.steps


def test_a_set_that_does_not_say_what_silence_means_asks() -> None:
    """However long nobody says anything."""
    found = claimed_play_out(HK, facts(now_ms=10_000_000))
    assert (found.state, found.deadline_ms) == (PlayOut.CLAIMED, None)
    assert len(found.open_questions) == 2


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


def test_an_illegal_play_found_too_late_does_not_count() -> None:
    """NASPA: it breaks the run; a turn lost to a challenge counts there, not in WESPA 1."""
    run = [Zero.PASS] * 3 + [Zero.ILLEGAL_FOUND_LATE] + [Zero.PASS] * 3
    assert (six_zeros(NAS, run).state, six_zeros(NAS, run).counted) == (ZeroState.COUNTING, 3)
    lost = [Zero.LOST_CHALLENGE] + [Zero.PASS] * 5
    assert six_zeros(NAS, lost).state is ZeroState.DECLARABLE
    assert six_zeros(HK, lost).state is ZeroState.OVER
    assert six_zeros(W1, lost).state is ZeroState.DIRECTOR
    assert six_zeros(W1, [*lost, Zero.PASS]).state is ZeroState.OVER


def test_without_confirmation_nothing_ends_by_itself() -> None:
    """Version 4 is known by its headings: the director is asked at the sixth."""
    assert six_zeros(BARE_W4, [Zero.PASS] * 6).state is ZeroState.DIRECTOR
    assert six_zeros(W4, [Zero.PASS] * 6).state is ZeroState.OVER
    assert six_zeros(W1, [Zero.UNDECIDED] * 6).state is ZeroState.OVER


def test_points_for_an_empty_rack_are_nothing() -> None:
    """Both out of tiles at the end: no event of no points for a deduction."""
    assert rack_points(NAS, out=0, tiles=read_tiles(""), tile_set=ENGLISH).events == (
        EndRackPoints(0, 0, read_tiles("")),
    )
    assert racks_deducted((read_tiles(""), read_tiles("A")), ENGLISH).events == (
        EndRackPenalty(1, 1, read_tiles("A")),
    )
