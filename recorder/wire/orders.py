"""Orders of a director as ``(type, data)`` for the envelope and the log, and back.

An order travels like an observation: in an envelope of the console that gives it, under the
console's own ``(dev, boot, seq)``, so that it is stored once and acknowledged. The codec checks
form; whether an order can be carried out, ``recorder.domain.rulings.resolve`` says.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import assert_never

from recorder.domain.board import name_across
from recorder.domain.errors import DeviceError, NotationError
from recorder.domain.game import EndRackPenalty, EndRackPoints
from recorder.domain.orders import (
    Accept,
    Act,
    AdjustClock,
    Banner,
    Challenged,
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
    SetEndRacks,
    SetTimePenalty,
    TableOrder,
    TurnKind,
    Undo,
)
from recorder.domain.plays import Placement, parse_placement
from recorder.wire.envelope import VERSION, check_version
from recorder.wire.events import decode_event, encode_event, read_squares, read_tiles
from recorder.wire.fields import LONGEST_MS, Fields, Json, dump_object, parse_object
from recorder.wire.topics import MOST_TABLES

MOST_TEXT = 400
_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_GAME = re.compile(r"[A-Za-z0-9._-]{1,64}")
_TILE = re.compile(r"[^\W\d_]|\?")
_RULE = re.compile(r"[A-Za-z0-9 ().,;/-]{0,80}")
_MOST_REPLY = 16 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderReply:
    """At ``int/table/<n>/order``: what became of an order.

    ``row`` is the number of its row in the log, of the first one when it came before; ``reason``
    says why it was refused.
    """

    id: str
    ok: bool
    row: int
    reason: str = ""


def encode_reply(reply: OrderReply) -> bytes:
    """The payload of an answer."""
    told: Json = {"v": VERSION, "id": reply.id, "ok": reply.ok, "row": reply.row}
    return dump_object({**told, "reason": reply.reason})


def decode_reply(payload: bytes) -> OrderReply:
    """An answer. Raises DeviceError naming the field at fault."""
    fields = Fields(parse_object(payload, "order reply", most_bytes=_MOST_REPLY), "order reply")
    check_version(fields)
    return OrderReply(
        id=fields.text("id", most=64),
        ok=fields.flag("ok"),
        row=fields.integer("row"),
        reason=fields.text("reason", most=2000) if fields.has("reason") else "",
    )


def encode_question(name: str, told: TableOrder) -> bytes:
    """The payload for ``up/<console>/ask``: what would this order do?"""
    type_name, data = encode_order(told)
    return dump_object({"v": VERSION, "id": name, "type": type_name, "data": data})


def decode_question(payload: bytes) -> tuple[str, TableOrder]:
    """A question and its name. Raises DeviceError naming the field at fault."""
    fields = Fields(parse_object(payload, "question", most_bytes=_MOST_REPLY), "question")
    check_version(fields)
    name = fields.matching("id", _ID)
    return name, decode_order(fields.text("type", most=64), fields.object("data"))


def encode_answer(name: str, preview: Json) -> bytes:
    """The payload for ``down/<console>/answer``."""
    return dump_object({"v": VERSION, "id": name, **preview})


def is_order(type_name: str) -> bool:
    """Whether an envelope of this type is an order."""
    return type_name.startswith("order.")


def encode_order(told: TableOrder) -> tuple[str, Json]:
    """The type name and the JSON object of an order; what is empty is left out."""
    name, data = encode_act(told.order.act)
    head: Json = {"id": told.order.id, "who": told.order.who, "table": told.table}
    more = {"game": told.game, "supersedes": told.order.supersedes}
    return name, {**head, **{key: text for key, text in more.items() if text}, **data}


def decode_order(type_name: str, data: Json) -> TableOrder:
    """The order of that type. Raises DeviceError naming an unknown type or a bad field."""
    fields = Fields(data, type_name)
    order = Order(
        id=fields.matching("id", _ID),
        who=fields.text("who", least=1, most=80),
        act=decode_act(type_name, data),
        supersedes=fields.matching("supersedes", _ID) if fields.has("supersedes") else "",
    )
    return TableOrder(
        table=fields.integer("table", 1, MOST_TABLES),
        order=order,
        game=fields.matching("game", _GAME) if fields.has("game") else "",
    )


def encode_act(act: Act) -> tuple[str, Json]:
    """The type name of what an order says, and its own fields."""
    match act:
        case Accept(entry=entry, candidate=candidate):
            name, data = "accept", {**_entry_data(entry), "candidate": candidate}
        case Correct():
            name, data = "correct", _correct_data(act)
        case Insert(after=after, event=event, agreed=agreed):
            kind, fields = encode_event(event)
            what: Json = {"type": kind, "data": fields}
            name, data = "insert", {**_entry_data(after), "event": what, "agreed": agreed}
        case Remove(entry=entry):
            name, data = "remove", _entry_data(entry)
        case Challenged():
            name, data = "challenge", _challenge_data(act)
        case Decide(text=text, rule=rule, entry=about):
            name, data = "ruling", {"text": text, "rule": rule, **_about_data(about)}
        case Banner(text=text):
            name, data = "banner", {"text": text}
        case Note(text=text, entry=about):
            name, data = "note", {"text": text, **_about_data(about)}
        case Undo(order=order):
            name, data = "undo", {"order": order}
        case _:
            name, data = _encode_end(act)
    return f"order.{name}", data


def _encode_end(
    act: AdjustClock | EndGame | SetEndRacks | SetTimePenalty | Concede,
) -> tuple[str, Json]:
    match act:
        case AdjustClock(player=player, left_ms=left_ms):
            return "clock", {"player": player, "left_ms": left_ms}
        case EndGame():
            return "end", {}
        case SetEndRacks(points=points):
            events = [dict(zip(("type", "data"), encode_event(one), strict=True)) for one in points]
            return "end_racks", {"points": events}
        case SetTimePenalty(player=player, points=minus):
            return "time_penalty", {"player": player, "points": minus}
        case Concede(player=player, margin=margin, how=how):
            return "concede", {"player": player, "margin": margin, "how": how}
        case _:
            assert_never(act)


def _entry_data(entry: EntryName) -> Json:
    return {"entry": entry.row, **({"part": entry.part} if entry.part else {})}


def _about_data(entry: EntryName | None) -> Json:
    return {} if entry is None else _entry_data(entry)


def _correct_data(act: Correct) -> Json:
    data = _entry_data(act.entry)
    if act.letters:
        data["letters"] = {name_across(sq): tile for sq, tile in act.letters}
    if act.laid:
        data["laid"] = {name_across(sq): tile for sq, tile in act.laid}
    if act.lifted:
        data["lifted"] = [*map(name_across, act.lifted)]
    if act.placement is not None:
        data |= {"position": act.placement.position, "word": act.placement.word}
    if act.kind is not None:
        data["kind"] = act.kind.value
    if act.count:
        data["count"] = act.count
    rest = {"score": act.score, "player": act.player}
    return data | {name: value for name, value in rest.items() if value is not None}


def _challenge_data(act: Challenged) -> Json:
    return {
        **_entry_data(act.entry),
        "outcome": act.outcome.value,
        "bonus": act.bonus,
        "penalty": act.penalty,
        "turn_lost": act.turn_lost,
    }


def decode_act(type_name: str, data: Json) -> Act:
    """What an order says. Raises DeviceError naming an unknown type or a bad field."""
    decode = ORDER_TYPES.get(type_name)
    if decode is None:
        raise DeviceError(f"unknown order {type_name!r}")
    return decode(Fields(data, type_name))


def _entry(fields: Fields) -> EntryName:
    part = fields.integer("part", 0, 99) if fields.has("part") else 0
    return EntryName(fields.integer("entry"), part)


def _about(fields: Fields) -> EntryName | None:
    return _entry(fields) if fields.has("entry") else None


def _player(fields: Fields) -> int:
    return fields.integer("player", 0, 1)


def _optional(fields: Fields, name: str, high: int) -> int | None:
    return fields.integer(name, 0, high) if fields.has(name) else None


def _placement(fields: Fields) -> Placement | None:
    if not fields.has("position") and not fields.has("word"):
        return None
    text = f"{fields.text('position', most=3)} {fields.text('word', least=1, most=15)}"
    try:
        return parse_placement(text)
    except NotationError as err:
        raise fields.fault("word", f"a word at a square as 8D FI.NS ({err})") from err


def _correct(fields: Fields) -> Correct:
    return Correct(
        entry=_entry(fields),
        letters=read_tiles(fields, "letters"),
        placement=_placement(fields),
        kind=fields.choice("kind", TurnKind) if fields.has("kind") else None,
        count=_optional(fields, "count", 100) or 0,
        score=_optional(fields, "score", 100_000),
        player=_optional(fields, "player", 1),
        laid=read_tiles(fields, "laid"),
        lifted=read_squares(fields, "lifted"),
    )


def _insert(fields: Fields) -> Insert:
    told = Fields(fields.object("event"), "order.insert event")
    event = decode_event(told.text("type"), told.object("data"))
    return Insert(
        after=_entry(fields),
        event=event,
        agreed=fields.flag("agreed") if fields.has("agreed") else False,
    )


def _challenge(fields: Fields) -> Challenged:
    return Challenged(
        entry=_entry(fields),
        outcome=fields.choice("outcome", Outcome),
        bonus=_optional(fields, "bonus", 100_000) or 0,
        penalty=_optional(fields, "penalty", 100_000) or 0,
        turn_lost=fields.flag("turn_lost") if fields.has("turn_lost") else False,
    )


def _end_racks(fields: Fields) -> SetEndRacks:
    points: list[EndRackPoints | EndRackPenalty] = []
    for one in fields.objects("points", most=4):
        told = Fields(one, "order.end_racks points")
        event = decode_event(told.text("type"), told.object("data"))
        if not isinstance(event, EndRackPoints | EndRackPenalty):
            raise fields.fault("points", "game.end_rack_points or game.end_rack_penalty")
        points.append(event)
    return SetEndRacks(points=tuple(points))


def _text(fields: Fields, least: int = 1) -> str:
    return fields.text("text", least=least, most=MOST_TEXT)


def _decide(fields: Fields) -> Decide:
    rule = fields.matching("rule", _RULE) if fields.has("rule") else ""
    return Decide(text=_text(fields), rule=rule, entry=_about(fields))


ORDER_TYPES: Mapping[str, Callable[[Fields], Act]] = {
    "order.accept": lambda f: Accept(entry=_entry(f), candidate=_optional(f, "candidate", 99) or 0),
    "order.correct": _correct,
    "order.insert": _insert,
    "order.remove": lambda f: Remove(entry=_entry(f)),
    "order.challenge": _challenge,
    "order.clock": lambda f: AdjustClock(
        player=_player(f), left_ms=f.integer("left_ms", -LONGEST_MS, LONGEST_MS)
    ),
    "order.end": lambda _: EndGame(),
    "order.end_racks": _end_racks,
    "order.time_penalty": lambda f: SetTimePenalty(
        player=_player(f), points=f.integer("points", 0, 100_000)
    ),
    "order.concede": lambda f: Concede(
        player=_player(f), margin=f.integer("margin", 0, 100_000), how=f.text("how", most=20)
    ),
    "order.ruling": _decide,
    "order.banner": lambda f: Banner(text=_text(f, least=0)),
    "order.note": lambda f: Note(text=_text(f), entry=_about(f)),
    "order.undo": lambda f: Undo(order=f.matching("order", _ID)),
}
"""Every type of order and how it is read."""
