"""What directors say, as ``(type, data)`` for the envelope and the log, and the answers to it.

An order's object holds its head (``id``, ``who``, ``table``, ``game``, ``supersedes``) and its own
fields. The codec checks form only: whether an order can be applied on a game is for
``recorder.domain.rulings.resolve`` to say.
"""

from dataclasses import dataclass
from typing import Annotated

from recorder.declared.codec import Codec, Json, Kinds
from recorder.declared.json_objects import dump_object, parse_object
from recorder.domain.event.orders import EventOrder
from recorder.domain.game import EndRackPenalty, EndRackPoints, GameEvent
from recorder.domain.limits import DirectorName, GameName, Long, OrderId, TableNumber
from recorder.domain.notices import CodedText
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
    Remove,
    Seated,
    SetEndRacks,
    SetTimePenalty,
    Sign,
    Split,
    TableOrder,
    TickStep,
    TimeStep,
    Undo,
)
from recorder.wire.coded_text import CODED
from recorder.wire.envelope import VERSION, check_version
from recorder.wire.event_orders import (
    EVENT_ORDER_TYPES,
    decode_event_order,
    encode_event_order,
)
from recorder.wire.events import BY_SQUARE, END_EVENT, EVENT, PLACEMENT

_MOST_REPLY = 16 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderReply:
    """At ``int/table/<n>/order``: what became of an order.

    ``row`` is the number of its row in the log, of the first one when it came before; ``reason``
    says why it was refused, in a code with its values.
    """

    id: Annotated[str, Long(0, 64)]
    ok: bool
    row: int
    reason: CodedText | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """At ``up/<console>/ask``: what would this order do?"""

    id: OrderId
    type: Annotated[str, Long(0, 64)]
    data: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """What every order says beside what it does."""

    id: OrderId
    who: DirectorName
    table: TableNumber
    game: GameName = ""
    supersedes: OrderId = ""


REPLY: Codec[OrderReply] = Codec(OrderReply, "order reply", types={CodedText: CODED})
_QUESTION: Codec[_Question] = Codec(_Question, "question")
HEAD: Codec[_Head] = Codec(_Head, spared=["game", "supersedes"])


def encode_reply(reply: OrderReply) -> bytes:
    """The payload of an answer."""
    return dump_object({"v": VERSION, **REPLY.write(reply)})


def decode_reply(payload: bytes) -> OrderReply:
    """An answer. Raises DeviceError naming the field at fault."""
    return REPLY.read(_opened(payload, "order reply"))


def encode_question(name: str, given: TableOrder | EventOrder) -> bytes:
    """The payload for ``up/<console>/ask``: what would this order do?"""
    if isinstance(given, EventOrder):
        type_name, data = encode_event_order(given)
    else:
        type_name, data = encode_order(given)
    return dump_object({"v": VERSION, "id": name, "type": type_name, "data": data})


def decode_question(payload: bytes) -> tuple[str, TableOrder | EventOrder]:
    """A question and its name. Raises DeviceError naming the field at fault."""
    asked = _QUESTION.read(_opened(payload, "question"))
    if asked.type in EVENT_ORDER_TYPES:
        return asked.id, decode_event_order(asked.type, asked.data)
    return asked.id, decode_order(asked.type, asked.data)


def _opened(payload: bytes, where: str) -> Json:
    data = parse_object(payload, where, most_bytes=_MOST_REPLY)
    check_version(data, where)
    return data


def encode_answer(name: str, preview: Json) -> bytes:
    """The payload for ``down/<console>/answer``."""
    return dump_object({"v": VERSION, "id": name, **preview})


def is_order(type_name: str) -> bool:
    """Whether an envelope of this type is an order, about a table or about the event."""
    return type_name.startswith("order.") or type_name in EVENT_ORDER_TYPES


def encode_order(given: TableOrder) -> tuple[str, Json]:
    """The type name and the JSON object of an order; what is empty is left out."""
    order = given.order
    head = _Head(
        id=order.id, who=order.who, table=given.table, game=given.game, supersedes=order.supersedes
    )
    name, data = encode_act(order.act)
    return name, {**HEAD.write(head), **data}


def decode_order(type_name: str, data: Json) -> TableOrder:
    """The order of that type. Raises DeviceError naming an unknown type or a bad field."""
    act = decode_act(type_name, data)
    head = HEAD.read(data, type_name)
    order = Order(id=head.id, who=head.who, act=act, supersedes=head.supersedes)
    return TableOrder(table=head.table, order=order, game=head.game)


_ENTRY: Codec[EntryName] = Codec(EntryName, renamed={"row": "entry"}, spared=["part"])
ORDER_TYPES: Kinds[Act] = Kinds(
    "order",
    Codec(Accept, "order.accept", inline={"entry": _ENTRY}),
    Codec(
        Correct,
        "order.correct",
        inline={"entry": _ENTRY, "placement": PLACEMENT},
        spared=["letters", "kind", "count", "score", "player", "laid", "lifted"],
        types=BY_SQUARE,
    ),
    Codec(Insert, "order.insert", inline={"after": _ENTRY}, types={GameEvent: EVENT}),
    Codec(Split, "order.split", inline={"entry": _ENTRY}, types={GameEvent: EVENT}),
    Codec(Remove, "order.remove", inline={"entry": _ENTRY}),
    Codec(Challenged, "order.challenge", inline={"entry": _ENTRY}),
    Codec(AdjustClock, "order.clock"),
    Codec(EndGame, "order.end"),
    Codec(SetEndRacks, "order.end_racks", types={EndRackPoints | EndRackPenalty: END_EVENT}),
    Codec(SetTimePenalty, "order.time_penalty"),
    Codec(Concede, "order.concede"),
    Codec(Absent, "order.absent", spared=["due_s"]),
    Codec(Arrived, "order.arrived"),
    Codec(Seated, "order.seats"),
    Codec(Decide, "order.ruling", inline={"entry": _ENTRY}, spared=["settles"]),
    Codec(Banner, "order.banner"),
    Codec(Note, "order.note", inline={"entry": _ENTRY}),
    Codec(Sign, "order.sign"),
    Codec(
        BeginProcedure,
        "order.procedure.begin",
        spared=["notice", "facts", "way", "steps", "done", "left_out", "text", "rule"],
    ),
    Codec(TickStep, "order.procedure.step", spared=["code"]),
    Codec(TimeStep, "order.procedure.time", spared=["code"]),
    Codec(CloseProcedure, "order.procedure.close"),
    Codec(Undo, "order.undo"),
)
"""Every type of order and how it is read and written."""
encode_act, decode_act = ORDER_TYPES.of, ORDER_TYPES.value
