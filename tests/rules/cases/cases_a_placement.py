"""Cases A14 to A21: tiles that may not lie like that."""

from dataclasses import replace

from recorder.domain.board import EMPTY_BOARD
from recorder.domain.game import Played, apply, bag_count, replay
from recorder.domain.laying_faults import LayingFault, loose_squares
from recorder.domain.notices import Manner, Notice, Phase
from recorder.domain.plays import parse_placement
from recorder.domain.rules.core.disclosure import route
from recorder.domain.rules.placement.layings import (
    IllegalKind,
    Laying,
    Treatment,
    illegal_kinds,
    score_until_ruled,
    treatment,
)
from recorder.domain.rules.placement.placement import IllegalPlay, rule_on_placement
from recorder.domain.rules.turn.hold import AfterPlay, Right, right_to_challenge
from tests.boards import board_of
from tests.rules.case_book import HK, NAS, PSA, W1, W4, case
from tests.rules.laid import ENGLISH, QUALM, illegal_play, scored, sq, tiles
from tests.rules.said import said

FIRST = Played(0, parse_placement(*QUALM), 52)
SECOND = Played(1, parse_placement("9F BOY"), 23)
BEFORE = ("8D QUALM", "9F BOY")


def illegal(text: str, *, drawn: int = 0, mixed: bool | None = False) -> IllegalPlay:
    """A play of the first player that touches nothing, after two plays."""
    points = scored(NAS, text, BEFORE)
    return replace(illegal_play(text, points, BEFORE), drawn=drawn, mixed=mixed)


@case("A14")
def _a_gap_in_the_opening() -> None:
    """Three tiles in the row of the centre, one square between them left free."""
    laid = Laying(before=EMPTY_BOARD, tiles=tiles(G8="C", H8="A", J8="T"))
    assert illegal_kinds(laid) == (IllegalKind.GAP,)
    _dealt_with(IllegalKind.GAP)


@case("A15")
def _two_tiles_on_the_slant() -> None:
    """Corner to corner is no line."""
    laid = Laying(before=EMPTY_BOARD, tiles=tiles(H8="A", I9="T"))
    assert illegal_kinds(laid) == (IllegalKind.LINE,)
    _dealt_with(IllegalKind.LINE)


def _dealt_with(kind: IllegalKind) -> None:
    assert [treatment(rules, (kind,)) for rules in (W1, PSA, W4)] == [Treatment.CHALLENGEABLE] * 3
    assert treatment(NAS, (kind,)) is Treatment.MUST_ANNOUNCE
    assert treatment(HK, (kind,)) is Treatment.UNSETTLED


@case("A16")
def _apart_and_answered() -> None:
    """Noticed only after the reply: no points, off into the bag, and the reply stays."""
    play = illegal("2K MATE", drawn=4, mixed=True)
    play = replace(play, played=replace(play.played, score=14), replied=True)
    reply = Played(1, parse_placement("7G AX"), 20)
    record = [FIRST, SECOND, play.played, reply]
    before = replay(ENGLISH, record)
    ruling = rule_on_placement(NAS, play)
    after = replay(ENGLISH, [*record[:2], *ruling.instead, *record[3:]])
    assert after.scores[0] - before.scores[0] == -14
    assert after.scores[1] == before.scores[1] == 23 + 20
    assert (ruling.score, ruling.returned) == (0, 4)
    assert bag_count(ENGLISH, after.board) - bag_count(ENGLISH, before.board) == 4
    assert ruling.events == ()
    assert not ruling.for_director


@case("A17")
def _apart_and_not_yet_mixed() -> None:
    """Three illegal tiles, three new ones beside the rack: both go where they came from."""
    ruling = rule_on_placement(NAS, illegal("2K MAT", drawn=3))
    assert ruling.score == 0
    assert (ruling.revealed, ruling.returned, ruling.surplus) == (3, 3, 0)
    acts = [(step.who, step.tiles) for step in ruling.steps]
    assert acts == [("either", None), ("player", 3), ("player", 3), ("either", None)]
    assert ruling.steps[-2].done_when == "bag+3"
    _withdrawn(ruling_events=ruling.events)


@case("A18")
def _apart_and_mixed() -> None:
    """The new tiles are on the rack: the opponent picks from what was not on the board."""
    ruling = rule_on_placement(NAS, illegal("2K MAT", drawn=3, mixed=True))
    assert (ruling.surplus, ruling.pool, ruling.revealed, ruling.returned) == (3, 7, 5, 3)
    assert ruling.score == 0
    taken_off, mixed, reveal, choose, back, rest, restart = ruling.steps[1:]
    assert "stay apart" in said(taken_off.act)
    assert (mixed.who, mixed.tiles) == ("player", 7)
    assert (reveal.who, reveal.tiles) == ("opponent", 5)
    assert (choose.who, choose.tiles) == ("opponent", 2)
    assert (back.tiles, back.done_when) == (3, "bag+3")
    assert (rest.who, rest.done_when) == ("player", "rack=7")
    assert restart.code == "start_clock"
    assert not ruling.open_questions
    _withdrawn(ruling_events=ruling.events)


def _withdrawn(ruling_events: tuple[object, ...]) -> None:
    play = illegal("2K MAT")
    before = replay(ENGLISH, (FIRST, SECOND, play.played))
    for event in ruling_events:
        after = apply(before, event)  # type: ignore[arg-type]
    assert after.board == board_of(*BEFORE)
    assert after.scores == (52, 23)


@case("A19")
def _apart_but_the_right_is_gone() -> None:
    """The opponent watched the first tile leave the bag; nobody said a word."""
    seen = AfterPlay(press_ms=0, first_tile_out_ms=6000, challenge_ms=8000, bag=60)
    call = right_to_challenge(W1, seen)
    assert call.right is Right.LOST
    play = illegal("2K MATE", drawn=4, mixed=True)
    assert play.kinds == (IllegalKind.DISCONNECTED,)
    points = play.played.score
    assert score_until_ruled(W1, (LayingFault.NOT_TOUCHING,), points) == points > 0
    ruling = rule_on_placement(W1, replace(play, replied=True))
    assert ruling.score == points
    assert not ruling.steps
    assert not ruling.events
    told = route(W1, Notice.ILLEGAL_PLACEMENT, Phase.PLAYING, "not_touching")
    assert not told.players
    assert told.director is not Manner.TELL_PLAYERS


@case("A20")
def _apart_found_nine_seconds_after_the_end() -> None:
    """What is laid once the game is over counts nothing."""
    assert score_until_ruled(NAS, (LayingFault.AFTER_END,), 14) == 0


@case("A21")
def _nobody_knows_whose_they_are() -> None:
    """Two tiles in a corner in the middle of a game."""
    board = board_of(*BEFORE).place(tiles(N2="A", O2="T"))
    assert loose_squares(board.occupied()) == {sq("N2"), sq("O2")}
    assert loose_squares(board_of(*BEFORE).occupied()) == frozenset()
