"""Orders on the wire: every kind goes there and back, what is wrong is named, the page says all."""

import re

import pytest

from recorder.declared.codec import Json
from recorder.domain.board import Square, parse_square
from recorder.domain.errors import DeviceError
from recorder.domain.game import ChallengeBonus, EndRackPenalty, EndRackPoints, Passed, Played
from recorder.domain.notices import coded
from recorder.domain.orders import (
    Absent,
    Accept,
    Act,
    AdjustClock,
    Arrived,
    Banner,
    BeginProcedure,
    Challenged,
    CloseProcedure,
    Concede,
    Correct,
    Decide,
    EndGame,
    EntryName,
    Insert,
    Note,
    Order,
    Outcome,
    Remove,
    Seated,
    SetEndRacks,
    SetTimePenalty,
    Sign,
    Split,
    TableOrder,
    TickStep,
    TimeStep,
    TurnKind,
    Undo,
)
from recorder.domain.plays import parse_placement
from recorder.domain.tile_text import read_tile, read_tiles
from recorder.wire.orders import (
    ORDER_TYPES,
    OrderReply,
    decode_order,
    decode_question,
    decode_reply,
    encode_order,
    encode_question,
    encode_reply,
)
from tests.documents import document

DOCS = document("wire")
HERE = EntryName(17, 1)
ACTS: list[Act] = [
    Accept(entry=HERE, candidate=1),
    Correct(
        entry=HERE,
        letters=((parse_square("8H")[0], read_tile("b")), (parse_square("8I")[0], read_tile("?"))),
        score=24,
        player=1,
    ),
    Correct(entry=HERE, placement=parse_placement("H8 FI.NS")),
    Correct(entry=HERE, kind=TurnKind.EXCHANGE, count=3),
    Correct(entry=HERE, laid=((Square(55), read_tile("L")), (Square(152), read_tile("?")))),
    Correct(entry=HERE, lifted=(Square(152), Square(153)), score=0),
    Insert(after=HERE, event=Played(0, parse_placement("8D FINS"), 24), agreed=True),
    Insert(after=EntryName(0), event=ChallengeBonus(1, 5)),
    Split(entry=HERE, turns=(Played(0, parse_placement("8D FINS"), 0), Passed(1))),
    Remove(entry=EntryName(17)),
    Challenged(entry=HERE, outcome=Outcome.STANDS, bonus=5, penalty=1, turn_lost=True),
    Challenged(entry=HERE, outcome=Outcome.WITHDRAWN),
    AdjustClock(player=1, left_ms=-5000),
    EndGame(),
    SetEndRacks(
        points=(EndRackPoints(0, 9, read_tiles("XA")), EndRackPenalty(1, 9, read_tiles("XA")))
    ),
    SetTimePenalty(player=0, points=10),
    Concede(player=1, margin=90, how="resignation"),
    Absent(player=1),
    Absent(player=0, due_s=240),
    Arrived(player=1),
    Seated(player=1),
    Decide(text="The clock was left running.", rule="END-8", entry=HERE),
    Decide(text="Play on.", rule=""),
    Decide(text="Compared with the sheet.", settles=40),
    Banner(text="Adjudication"),
    Banner(text=""),
    Note(text="ask again", entry=HERE),
    Sign(player=1),
    BeginProcedure(key="p-1", code="overdraw"),
    BeginProcedure(
        key="p-1",
        code="overdraw",
        notice=41,
        facts={"player": "0", "mixed": False, "tiles": 2},
        way=1,
        steps=4,
        done=(0, 2),
        left_out=(1,),
        text="Two tiles went back",
        rule="OVERDRAW-3",
    ),
    TickStep(key="p-1", step=3, code="show_rack"),
    TickStep(key="p-1", step=3, done=False),
    TimeStep(key="p-1", step=3, code="show_rack"),
    CloseProcedure(key="p-1", carried_out=False),
    Undo(order="o-1"),
]
ORDERS = [
    TableOrder(
        table=3,
        order=Order(id=f"o-{number}", who="Dora", act=act, supersedes="o-0" if number else ""),
        game="g1" if number % 2 else "",
    )
    for number, act in enumerate(ACTS)
]


def name(told: TableOrder) -> str:
    return encode_order(told)[0]


def test_there_is_an_example_of_every_order():
    """No kind of order goes untested."""
    assert {name(told) for told in ORDERS} == set(ORDER_TYPES)


@pytest.mark.parametrize("told", ORDERS, ids=name)
def test_every_field_of_every_order_is_described(told: TableOrder):
    """Each kind has a section that names each field of its own."""
    type_name, data = encode_order(told)
    found = re.search(
        rf"^### `{re.escape(type_name)}`$(.*?)(?=^#|\Z)", DOCS, re.MULTILINE | re.DOTALL
    )
    assert found, f"docs/wire.md has no section for {type_name}"
    own = set(data) - {"id", "who", "table", "game", "supersedes", "part"}
    assert [field for field in sorted(own) if f"`{field}`" not in found[1]] == []


def test_a_question_and_an_answer_come_back():
    """The reply of the recorder and the question of a console, field by field."""
    reply = OrderReply(id="o-1", ok=False, row=17, reason=coded("no_such_entry", entry="3"))
    assert decode_reply(encode_reply(reply)) == reply
    assert decode_question(encode_question("q1", ORDERS[0])) == ("q1", ORDERS[0])


BROKEN = [
    ("order.dance", {}, "unknown order 'order.dance'"),
    ("order.correct", {"entry": -1}, "entry"),
    ("order.correct", {"entry": 3, "letters": {"8P": "A"}}, "letters"),
    ("order.correct", {"entry": 3, "letters": {"8H": "AB"}}, "8H"),
    ("order.correct", {"entry": 3, "position": "8D", "word": "F I"}, "word"),
    ("order.insert", {"entry": 3, "event": {"type": "game.flown", "data": {}}}, "game.flown"),
    ("order.end_racks", {"points": [{"type": "game.passed", "data": {"player": 0}}]}, "points"),
    ("order.note", {"text": ""}, "text"),
    ("order.sign", {"player": 2}, "player"),
    ("order.procedure.begin", {"key": "p", "code": "Over draw"}, "code"),
    ("order.procedure.begin", {"key": "p", "code": "x", "facts": {"a": [1]}}, "a"),
    ("order.procedure.begin", {"key": "p", "code": "x", "done": [-1]}, "done"),
    ("order.procedure.step", {"key": "p", "step": 100}, "step"),
    ("order.undo", {"order": "a b"}, "order"),
]


@pytest.mark.parametrize(("type_name", "data", "named"), BROKEN, ids=[str(b[1]) for b in BROKEN])
def test_a_malformed_order_is_refused_by_its_field(type_name: str, data: Json, named: str):
    """The message names what is wrong."""
    head = {"id": "o", "who": "Dora", "table": 1}
    with pytest.raises(DeviceError, match=re.escape(named)):
        decode_order(type_name, {**head, **data})
