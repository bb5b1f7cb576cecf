"""Rows of the log: what is written is read, old rows stay readable, damaged ones stop nothing."""

from dataclasses import replace
from typing import Any

import pytest

from recorder.domain.errors import DeviceError
from recorder.domain.event.orders import EventOrder, UndoEventOrder
from recorder.domain.game import NoPlay
from recorder.domain.notices import (
    Manner,
    Notice,
    Phase,
    Release,
    Routing,
    TableNotice,
    Why,
    coded,
    in_words,
)
from recorder.domain.observations import DeviceLost
from recorder.domain.orders import AdjustClock, Order, TableOrder
from recorder.domain.record import (
    Alternative,
    Corrected,
    CorrectionReason,
    Doubt,
    EventOrdered,
    LogBegun,
    MessageRefused,
    NoticeGiven,
    NoticeOver,
    Observed,
    OrderAim,
    OrderCarriedOut,
    OrderRefused,
    OrderRepeated,
    ProcedureOver,
    ProcedureStands,
    Recorded,
    RowLost,
    Sender,
    Statement,
    TurnNote,
    Unreadable,
    kind_of,
)
from recorder.domain.row_kind import Kind
from recorder.domain.standing_procedures import StandingProcedure, StandingStep
from recorder.lab.memory_log import MemoryEventLog
from recorder.log.port import NewRow
from recorder.wire.rows import read_row, write_row
from tests.recorder.wire.test_wire_orders import ORDERS
from tests.recorder.wire.wire_samples import BOOT, EVENTS, OBSERVATIONS, STARTED, through_json

TURN = TurnNote(
    group=41,
    log_odds=2.5,
    doubt=Doubt(
        reasons=(coded("weak_letter", square="8D", letter="Z", other="N"), coded("no_such_turn")),
        firm=(coded("no_such_turn"),),
        squares=("8D",),
        alternatives=(Alternative(tuple(EVENTS[:2]), 2.5), Alternative((), -1.0)),
    ),
    ruled=(17, 23),
    facts={"hold_ms": 3000, "announced": 22},
)
UNKNOWN = coded("no_procedure", key="p")
OLD_DOUBT = Doubt(reasons=(in_words("why"),), squares=("8D",))
CONSOLE = Sender(dev="console", boot=BOOT, seq=4, t_ms=1700)
NOTICE = TableNotice(
    ref=41,
    refs=(38, 41),
    code=Notice.OVERDRAW,
    player=1,
    squares=("8D",),
    numbers={"tiles": 1, "level": "alert"},
    evidence=(coded("out_of_bag", source="bag_scale", tiles=8),),
    routing=Routing(
        director=Manner.ALERT,
        players=False,
        commentator=Release.SEALED,
        public=Release.NEVER,
        rule="OVERDRAW-3",
        why=Why.FIRST_SPEAKER_DECIDES,
        later=Phase.OVER,
        open_questions=("INT-2",),
    ),
)
PROCEDURE = StandingProcedure(
    key="overdraw-41-0",
    code="overdraw",
    group=41,
    player=0,
    title=coded("overdraw", surplus=1),
    rule="OVERDRAW-2",
    facts={"tiles": 1, "mixed": True, "found_by": "player"},
    steps=(
        StandingStep(
            code="stop_clock", who="either", act=coded("stop_clock_nobody_draws"), done=True
        ),
        StandingStep(code="choose_to_keep", who="opponent", by=1, tiles=2, seconds=15),
    ),
    questions=(in_words("was the bag low?"),),
)
CLOCK = TableOrder(
    table=1, order=Order(id="o9", who="Dora", act=AdjustClock(player=1, left_ms=-5000))
)
SAID: list[Statement] = [
    *(Observed(one) for one in OBSERVATIONS),
    LogBegun(name="0123456789abcdef" * 2),
    RowLost(file="tilecast.db.damaged-1", rows=12, head="0123456789abcdef" * 4),
    MessageRefused(topic="tc/v1/main/up/x/ev", fault="not JSON", text="{\n\x00" * 80),
    STARTED,
    *(Recorded(event=event, turn=TURN) for event in EVENTS),
    Recorded(event=EVENTS[0]),
    Corrected(
        supersedes=3, events=tuple(EVENTS[:3]), reason=CorrectionReason.READ_AGAIN, turn=TURN
    ),
    Corrected(supersedes=3, events=(), reason=CorrectionReason.GONE),
    NoticeGiven(notice=NOTICE),
    NoticeGiven(notice=replace(NOTICE, routing=replace(NOTICE.routing, later=None))),
    NoticeOver(row=44, group=41),
    ProcedureStands(procedure=PROCEDURE),
    ProcedureStands(procedure=StandingProcedure(key="recount-0", code="recount")),
    ProcedureOver(key="overdraw-41-0"),
    *(OrderCarriedOut(order=order, asked=order) for order in ORDERS),
    OrderCarriedOut(
        order=ORDERS[2],
        asked=ORDERS[1],
        aim=OrderAim(group=41, part=1, basis=tuple(EVENTS[:2]), reading=(NoPlay(1),), doubted=True),
    ),
    OrderCarriedOut(order=ORDERS[4], asked=ORDERS[4], aim=OrderAim(group=0)),
    OrderCarriedOut(order=CLOCK, asked=CLOCK, aim=OrderAim(before_ms=-7000)),
    OrderRefused(order="order.dance", reason=UNKNOWN, asked={"id": 7}, who="Dora"),
    OrderRepeated(id="o1", who="Dora", row=12),
    EventOrdered(order=EventOrder(id="e1", who="Dora", act=UndoEventOrder(order="e0"))),
]


def _name(says: Statement) -> str:
    return type(says).__name__


@pytest.mark.slow
@pytest.mark.parametrize("says", SAID, ids=_name)
def test_what_a_row_says_is_read_as_it_was_written(says: Statement):
    """Through the canonical JSON of the log, and no field is lost."""
    log = MemoryEventLog()
    for _ in range(41):
        log.append([NewRow.saying(NoticeOver(row=1), table=1, game="g", at=1)])
    refs = says.notice.refs if isinstance(says, NoticeGiven) else ()
    (row,) = log.append([NewRow.saying(says, table=1, game="g", at=1, refs=refs)])
    assert row.kind is kind_of(says)
    assert row.says == says
    assert row.says is row.says


def test_there_is_a_row_of_every_statement():
    """The list above leaves none out."""
    told = {type(says) for says in SAID} | {Unreadable}
    assert told == set(Statement.__args__)


PLAY = {"player": 0, "position": "8D", "word": "FI", "score": 10}
OLD: list[tuple[Kind, dict[str, Any], Statement]] = [
    (
        Kind.RECORDED,
        {"type": "game.no_play", "data": {"player": 1}, "log_odds": None, "doubt": None},
        Recorded(event=NoPlay(1)),
    ),
    (
        Kind.RECORDED,
        {
            "type": "game.no_play",
            "data": {"player": 1},
            "log_odds": 3.0,
            "doubt": {"reasons": ["why"], "squares": ["8D"], "alternatives": []},
            "group": 5,
        },
        Recorded(
            event=NoPlay(1),
            turn=TurnNote(group=5, log_odds=3.0, doubt=OLD_DOUBT),
        ),
    ),
    (
        Kind.CORRECTED,
        {
            "supersedes": 3,
            "events": [],
            "reason": "later looks read this turn differently",
            "doubt": None,
        },
        Corrected(supersedes=3, events=(), reason=CorrectionReason.READ_AGAIN),
    ),
    (
        Kind.OBSERVED,
        {"type": "device.lost", "data": {"device": "cam", "reason": ""}, "dev": "recorder"},
        Observed(DeviceLost(device="cam", reason=in_words(""))),
    ),
    (
        Kind.RULED,
        {"type": "order.refused", "data": {"order": "order.x", "reason": "no", "asked": {}}},
        OrderRefused(order="order.x", reason=in_words("no"), asked={}),
    ),
]


@pytest.mark.parametrize(("kind", "body", "says"), OLD, ids=[str(one[1]) for one in OLD])
def test_rows_of_earlier_versions_are_read(kind: Kind, body: dict[str, Any], says: Statement):
    """What they did not say yet is empty."""
    assert read_row(kind, body) == says


LATER, BROKEN = "later", "broken"
DAMAGED: list[tuple[Kind, dict[str, Any], str, str]] = [
    (Kind.OBSERVED, {"type": "clock.prss", "data": {}}, "clock.prss", LATER),
    (Kind.OBSERVED, {"type": "game.no_play", "data": {"player": 1}}, "game.no_play", LATER),
    (Kind.OBSERVED, {"type": "clock.press", "data": {}}, "clock.press: side is missing", BROKEN),
    (Kind.OBSERVED, {"type": 7, "data": {}}, "type must be", LATER),
    (Kind.RECORDED, {"type": "game.no_play", "data": []}, "data must be an object", BROKEN),
    (Kind.RECORDED, {"type": "clock.press", "data": {}}, "must be a type of event", LATER),
    (Kind.RECORDED, {"type": "table.notice", "data": {"notice": "?"}}, "is missing", BROKEN),
    (Kind.CORRECTED, {"supersedes": 3}, "events", BROKEN),
    (Kind.CORRECTED, {"supersedes": 3, "events": [{"type": "x", "data": {}}]}, "'x'", BROKEN),
    (Kind.RULED, {"type": "order.dance", "data": {"id": "o", "who": "D"}}, "order.dance", LATER),
    (Kind.RULED, {"type": "order.undo", "data": {"order": "o"}}, "id is missing", BROKEN),
]


@pytest.mark.parametrize(
    ("kind", "body", "fault", "why"), DAMAGED, ids=[str(one[1]) for one in DAMAGED]
)
def test_a_row_that_cannot_be_read_says_why(kind: Kind, body: dict[str, Any], fault: str, why: str):
    """A later version's row, and a damaged one: told apart, and neither stops a fold."""
    says = read_row(kind, body)
    assert isinstance(says, Unreadable)
    assert fault in says.fault
    assert says.known is (why == BROKEN)


def test_a_sensor_cannot_say_what_the_recorder_says():
    """An event of the game in a device's envelope is no event of the game."""
    body = write_row(Recorded(event=NoPlay(1)))
    assert isinstance(read_row(Kind.RECORDED, through_json(body)), Recorded)
    assert isinstance(read_row(Kind.OBSERVED, through_json(body)), Unreadable)


def test_what_could_not_be_read_is_not_written():
    """It is in the log already, as it came."""
    with pytest.raises(DeviceError, match="cannot be written"):
        write_row(Unreadable(type="x", fault="y", known=False))


def test_a_row_bears_its_sender_and_is_stored_once():
    """A device's number makes it unique; what the recorder says itself has none."""
    said = NewRow.saying(NoticeOver(row=1), table=1, game="g", at=1)
    log = MemoryEventLog()
    sent = said.sent_by(CONSOLE)
    first, second = log.append([sent, sent])
    assert second is None
    assert (first.device, first.device_ms, first.key) == ("console", 1700, ("console", BOOT, 4))
    assert first.says == NoticeOver(row=1)
    own = said.sent_by(Sender(dev="recorder-1"))
    assert own.key is None
    assert own.body["dev"] == "recorder-1"
