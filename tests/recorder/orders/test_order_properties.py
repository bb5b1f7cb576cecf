"""What must hold for any orders on any record, tried on many made by chance."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder.domain.board import Direction, Square
from recorder.domain.game import (
    ChallengeBonus,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    NoPlay,
    Passed,
    Penalty,
    Played,
    Withdrawn,
    replay,
)
from recorder.domain.observations import Side
from recorder.domain.orders import (
    BEGINNING,
    Absent,
    Accept,
    Act,
    AdjustClock,
    Arrived,
    Banner,
    Challenged,
    Concede,
    Correct,
    Decide,
    EndGame,
    EntryName,
    Insert,
    Note,
    Outcome,
    Remove,
    Seated,
    SetEndRacks,
    SetTimePenalty,
    Split,
    TurnKind,
    Undo,
)
from recorder.domain.plays import Placement
from recorder.domain.rulings.closing import racks_after
from recorder.domain.tile_text import read_tiles
from recorder.gcg import read_gcg
from recorder.projections.broadcast import Projection
from recorder.wire.coded_text import CODED
from tests.recorder.order_game import OrderGame, played

pytestmark = pytest.mark.slow

PLAYERS = st.sampled_from((0, 1))
POINTS = st.sampled_from((0, 5, 50, 5000))
SQUARES = st.sampled_from([Square(n) for n in (96, 97, 110, 111, 112, 113, 114, 115, 126, 127)])
LETTERS = st.sampled_from(read_tiles("ABQZab?Ä"))
WORDS = st.sampled_from(
    [*map(read_tiles, ("HAND", "CAT", "BE", "Qu?", "H...Y", "SIXTEENLETTERS", ".", "Ä"))]
)
PLACEMENTS = st.builds(Placement, SQUARES, st.sampled_from(Direction), WORDS)
CHANGED = st.lists(
    st.tuples(SQUARES, LETTERS), min_size=1, max_size=2, unique_by=lambda pair: pair[0]
).map(tuple)
EVENTS: st.SearchStrategy[GameEvent] = st.one_of(
    st.builds(Played, PLAYERS, PLACEMENTS, st.just(7)),
    st.builds(Exchanged, PLAYERS, st.integers(1, 9)),
    st.builds(Passed, PLAYERS),
    st.builds(NoPlay, PLAYERS),
    st.builds(Withdrawn, PLAYERS, st.just(1)),
    st.builds(ChallengeBonus, PLAYERS, POINTS),
    st.builds(Penalty, PLAYERS, POINTS, st.just("INFR")),
    st.builds(EndRackPoints, PLAYERS, POINTS, st.just(read_tiles("QU"))),
)
RACKS = st.builds(EndRackPoints, PLAYERS, POINTS, st.just(read_tiles("QU"))) | st.builds(
    EndRackPenalty, PLAYERS, POINTS, st.sampled_from((read_tiles("QU"), read_tiles("Ä")))
)


WHICH = st.integers(0, 59)
ENTRY, ORDER = WHICH.map(EntryName), WHICH.map(str)
CORRECTIONS = st.one_of(
    st.builds(Correct, entry=ENTRY, letters=CHANGED),
    st.builds(Correct, entry=ENTRY, score=POINTS),
    st.builds(Correct, entry=ENTRY, player=PLAYERS, score=st.none() | POINTS),
    st.builds(Correct, entry=ENTRY, kind=st.sampled_from(TurnKind), count=st.integers(1, 8)),
    st.builds(Correct, entry=ENTRY, placement=PLACEMENTS),
)
ACTS: st.SearchStrategy[Act] = st.one_of(
    st.builds(Accept, entry=ENTRY, candidate=st.integers(0, 2)),
    CORRECTIONS,
    CORRECTIONS,
    CORRECTIONS,
    st.builds(Insert, after=ENTRY, event=EVENTS, agreed=st.booleans()),
    st.builds(Split, entry=ENTRY, turns=st.lists(EVENTS, max_size=3).map(tuple)),
    st.builds(Remove, entry=ENTRY),
    st.builds(
        Challenged,
        entry=ENTRY,
        outcome=st.sampled_from(Outcome),
        bonus=st.sampled_from((0, 5)),
        penalty=st.sampled_from((0, 5)),
        turn_lost=st.booleans(),
    ),
    st.builds(AdjustClock, player=PLAYERS, left_ms=st.integers(-(10**6), 10**6)),
    st.just(EndGame()),
    st.builds(SetEndRacks, points=st.lists(RACKS, max_size=2).map(tuple)),
    st.builds(SetTimePenalty, player=PLAYERS, points=POINTS),
    st.builds(
        Concede,
        player=PLAYERS,
        margin=POINTS,
        how=st.sampled_from(("forfeit", "resignation", "luck")),
    ),
    st.builds(Absent, player=PLAYERS),
    st.builds(Arrived, player=PLAYERS),
    st.builds(Seated, player=PLAYERS),
    st.builds(Decide, text=st.just("Play on."), entry=st.none() | ENTRY),
    st.just(Banner(text="Adjudication")),
    st.builds(Note, text=st.just("hm"), entry=st.none() | ENTRY),
    st.builds(Undo, order=ORDER),
)
"""Orders about the entry or the order of some number: strategies made once are drawn from fast."""


def about(act: Act, entries: list[EntryName], orders: list[str]) -> Act:
    """The order with what its numbers stand for; most of them name entries that there are."""
    named: dict[str, object] = {}
    if isinstance(act, Insert):
        after = [*entries, BEGINNING]
        named["after"] = after[act.after.row % len(after)]
    elif isinstance(act, Undo):
        given = [*orders, "nobody"]
        named["order"] = given[int(act.order) % len(given)]
    elif isinstance(entry := getattr(act, "entry", None), EntryName):
        known = [*entries, *entries, EntryName(999), EntryName(2)]
        named["entry"] = known[entry.row % len(known)]
    return replace(act, **named)


def give_some(data: st.DataObject, game: OrderGame, most: int = 6) -> list[str]:
    done: list[str] = []
    for _ in range(data.draw(st.integers(1, most))):
        entries = [name for name, _ in game.game_recorder.recorded.entries()]
        act = about(data.draw(ACTS), entries, done)
        supersedes = "" if isinstance(act, Undo) else data.draw(st.sampled_from(["", "", *done]))
        told = game.told(act, supersedes)
        expected = game.game_recorder.preview(told, seq=game.log.head() + 1, at=game.at + 1000)
        reason = game.give(told)
        assert reason == ("" if expected["ok"] else str(CODED.read(expected["reason"])))
        assert totals(game) == tuple(expected["totals"]["after"])
        if not reason:
            done.append(told.order.id)
    return done


def totals(game: OrderGame) -> tuple[int, int]:
    """The scores that the recorded events add up to; they can all have happened."""
    return replay(game.game_recorder.tile_set, game.game_recorder.recorded.events).scores


@settings(max_examples=30)
@given(st.data())
def test_every_order_applies_or_is_refused_and_the_record_stays_whole(data: st.DataObject):
    """No order raises; what is recorded can be played through, written as GCG, and shown."""
    game = played().copied()
    give_some(data, game)
    events = game.game_recorder.recorded.events
    state = replay(game.game_recorder.tile_set, events)
    first, second, bag = racks_after(events, game.game_recorder.tile_set.total)
    assert first + second + bag + len(state.board.occupied()) == game.game_recorder.tile_set.total
    laid = [sq for play in state.standing for sq in play.placement.new_tiles()]
    assert sorted(laid) == list(state.board.occupied())
    assert read_gcg(game.game_recorder.gcg().encode()).tile_set == game.game_recorder.tile_set
    projection = Projection(1)
    for row in game.rows():
        projection.advance(row)
    frame = projection.frame()
    assert tuple(player["score"] for player in frame["players"]) == state.scores
    assert game.log.verify() is None


@settings(max_examples=25)
@given(st.data())
def test_a_restart_folds_to_the_same_record_and_has_nothing_to_add(data: st.DataObject):
    """The same rows give the same events, entries and rulings; no row is written again."""
    game = played().copied()
    give_some(data, game)
    again = game.copied()
    assert again.game_recorder.recorded.events == game.game_recorder.recorded.events
    entries = [list(known.game_recorder.recorded.entries()) for known in (again, game)]
    assert entries[0] == entries[1]
    again.game_recorder._changed = True
    assert again.game_recorder.pending_rows(again.at) == []


@settings(max_examples=25)
@given(st.data())
def test_undoing_the_orders_gives_back_the_record(data: st.DataObject):
    """From the newest to the oldest, each order undone: the events are those before any order."""
    game = played().copied()
    before = game.game_recorder.recorded.events
    for name in reversed(give_some(data, game)):
        game.give(game.told(Undo(order=name)))
        # An order that was superseded or undone meanwhile is in no force and needs no undoing.
    ruled = game.game_recorder.ruled()
    counting = {seq for group in ruled.groups for seq in group.rulings}
    assert not counting
    assert game.game_recorder.recorded.events == before


HANDYS_CAT = """
...............
...............
......HANDYS...
.....CAT.......
"""


@settings(max_examples=15)
@given(st.data())
def test_a_game_goes_on_after_any_orders(data: st.DataObject):
    """A turn is played after them; every ruled turn stays, and a restart still adds nothing."""
    game = played().copied()
    give_some(data, game, most=3)
    ruled = {group.ref: group for group in game.game_recorder.ruled().groups if group.rulings}
    game.turn(Side.RIGHT, HANDYS_CAT)
    after = {group.ref: group for group in game.game_recorder.ruled().groups}
    for ref, group in ruled.items():
        assert without_scores(after[ref].events) == without_scores(group.events)
    give_some(data, game, most=2)
    totals(game)
    again = game.copied()
    again.game_recorder._changed = True
    assert again.game_recorder.pending_rows(again.at) == []
    assert again.game_recorder.recorded.events == game.game_recorder.recorded.events


def without_scores(events: tuple[GameEvent, ...]) -> list[GameEvent]:
    """Events as ruled; what they score depends on the turns before them."""
    return [replace(event, score=0) if isinstance(event, Played) else event for event in events]
