"""Rows of the log as JSON objects, and back: the one place that knows how a row is spelled.

``read_row`` takes every row that was ever written, and never fails: what it cannot read is
``Unreadable``, with the reason. What rows can say: ``recorder.domain.record``.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, assert_never

from recorder.domain.errors import DeviceError
from recorder.domain.game import GameEvent
from recorder.domain.orders import AdjustClock
from recorder.domain.record import (
    Alternative,
    Corrected,
    Doubt,
    GameStarted,
    Kind,
    MessageRefused,
    NoticeGiven,
    NoticeOver,
    Observed,
    OrderCarriedOut,
    OrderRefused,
    OrderRepeated,
    Recorded,
    Sender,
    Statement,
    TurnNote,
    Unreadable,
)
from recorder.wire.events import (
    EVENT_TYPES,
    STARTED_TYPE,
    decode_event,
    decode_started,
    encode_event,
    encode_started,
)
from recorder.wire.fields import Fields, Json
from recorder.wire.notices import NOTICE_TYPE, decode_notice, encode_notice
from recorder.wire.observations import OBSERVATION_TYPES, decode_observation, encode_observation
from recorder.wire.orders import ORDER_TYPES, decode_order, encode_order

NOTICE_OVER_TYPE = "table.notice_over"
ORDER_REFUSED_TYPE = "order.refused"
ORDER_REPEATED_TYPE = "order.repeated"
MESSAGE_REFUSED_TYPE = "recorder.refused"
CORRECTION = "correction"
"""What a *corrected* row is called where types are shown; it bears none itself."""
_MOST_EVENTS = 1000
_LONGEST_MS = 7 * 24 * 3600 * 1000
_KNOWN: Mapping[Kind, Collection[str]] = {
    Kind.OBSERVED: {*OBSERVATION_TYPES, MESSAGE_REFUSED_TYPE},
    Kind.RECORDED: {*EVENT_TYPES, STARTED_TYPE, NOTICE_TYPE, NOTICE_OVER_TYPE},
    Kind.CORRECTED: {CORRECTION},
    Kind.RULED: {*ORDER_TYPES, ORDER_REFUSED_TYPE, ORDER_REPEATED_TYPE},
}


def read_row(kind: Kind, body: Mapping[str, Any], refs: Sequence[int] = ()) -> Statement:
    """What a row says; ``refs`` are the rows that it rests on."""
    try:
        return _read(kind, dict(body), tuple(refs))
    except DeviceError as fault:
        name = type_of(kind, body)
        known = name in _KNOWN[kind]
        return Unreadable(type=name, fault=str(fault), known=known, sender=_sender(body))


def write_row(says: Statement) -> Json:
    """The body of the row that says this; what is empty is left out. The inverse of ``read_row``.

    What a device sends is stored as it came, so that nothing of it is lost; see
    ``recorder.service``. ``Unreadable`` is nothing to be written.
    """
    match says:
        case Observed(what=what, sender=sender):
            body = {**_typed(encode_observation(what)), **_sender_body(sender)}
        case MessageRefused(topic=topic, fault=fault, text=text):
            data = {"topic": topic, "fault": fault, "text": text}
            body = {"type": MESSAGE_REFUSED_TYPE, "data": data}
        case GameStarted():
            body = {**_typed(encode_started(says)), **_note_body(TurnNote())}
        case Recorded(event=event, turn=turn):
            body = {**_typed(encode_event(event)), **_note_body(turn)}
        case Corrected():
            events = _events_body(says.events)
            head = {"supersedes": says.supersedes, "events": events, "reason": says.reason}
            body = {**head, **_note_body(says.turn)}
        case NoticeGiven(notice=notice):
            body = {"type": NOTICE_TYPE, "group": notice.ref, "data": encode_notice(notice)}
        case NoticeOver(row=row, group=group):
            body = {"type": NOTICE_OVER_TYPE, "group": group, "data": {"row": row}}
        case OrderCarriedOut() | OrderRefused() | OrderRepeated():
            body = {**_order_body(says), **_sender_body(says.sender)}
        case Unreadable():
            raise DeviceError(f"{says.type}: cannot be written, for it could not be read")
        case _:
            assert_never(says)
    return body


def type_of(kind: Kind, body: Mapping[str, Any]) -> str:
    """What a row is called, without reading it: looks are large, and few want them."""
    return CORRECTION if kind is Kind.CORRECTED else str(body.get("type", ""))


def device_of(body: Mapping[str, Any]) -> str:
    """The device that a row came from, without reading it; empty where there is none."""
    return str(body.get("dev", ""))


def device_ms_of(body: Mapping[str, Any]) -> int:
    """The device's own time of a row, in its milliseconds; 0 where it did not say."""
    return int(body.get("t", 0))


def picture_of(body: Mapping[str, Any]) -> str:
    """The SHA-256 of the picture that a row's device keeps as evidence; empty without one."""
    data = body.get("data")
    return str(data.get("picture") or "") if isinstance(data, Mapping) else ""


def _read(kind: Kind, body: Json, refs: tuple[int, ...]) -> Statement:
    if kind is Kind.CORRECTED:
        return _corrected(body)
    fields = Fields(body, f"{kind.value} row")
    type_name, data = fields.text("type"), fields.object("data")
    if kind is Kind.OBSERVED:
        return _observed(body, type_name, data)
    if kind is Kind.RULED:
        return _ruled(body, type_name, data)
    return _recorded(body, type_name, data, refs)


def _recorded(body: Json, type_name: str, data: Json, refs: tuple[int, ...]) -> Statement:
    if type_name == STARTED_TYPE:
        return decode_started(data)
    if type_name == NOTICE_TYPE:
        return NoticeGiven(notice=decode_notice(data, ref=_group(body), refs=refs))
    if type_name == NOTICE_OVER_TYPE:
        return NoticeOver(row=Fields(data, type_name).integer("row"), group=_group(body))
    return Recorded(event=decode_event(type_name, data), turn=_note(body))


def _observed(body: Json, type_name: str, data: Json) -> Statement:
    if type_name == MESSAGE_REFUSED_TYPE:
        topic, fault = _any_text(data, "topic"), _any_text(data, "fault")
        return MessageRefused(topic=topic, fault=fault, text=_any_text(data, "text"))
    what = decode_observation(type_name, data)
    return Observed(what=what, sender=_sender(body) or Sender(dev=""))


def _corrected(body: Json) -> Corrected:
    fields = Fields(body, CORRECTION)
    return Corrected(
        supersedes=fields.integer("supersedes"),
        events=_events(fields.objects("events", most=_MOST_EVENTS), CORRECTION),
        reason=_any_text(body, "reason"),
        turn=_note(body),
    )


def _ruled(body: Json, type_name: str, data: Json) -> Statement:
    fields = Fields(data, type_name)
    sender = _sender(body)
    if type_name == ORDER_REFUSED_TYPE:
        return OrderRefused(
            order=_any_text(data, "order"),
            reason=_any_text(data, "reason"),
            asked=fields.object("asked") if fields.has("asked") else {},
            id=_any_text(data, "id"),
            who=_any_text(data, "who"),
            sender=sender,
        )
    if type_name == ORDER_REPEATED_TYPE:
        name, who = _any_text(data, "id"), _any_text(data, "who")
        return OrderRepeated(id=name, who=who, row=fields.integer("row"), sender=sender)
    return _carried_out(body, type_name, data, sender)


def _carried_out(body: Json, type_name: str, data: Json, sender: Sender | None) -> OrderCarriedOut:
    fields = Fields(body, f"{type_name} row")
    order = decode_order(type_name, data)
    return OrderCarriedOut(
        order=order,
        asked=decode_order(type_name, body["asked"]) if fields.has("asked") else order,
        group=fields.integer("group") if fields.has("group") else None,
        part=fields.integer("part") if fields.has("part") else 0,
        basis=_maybe_events(fields, "basis"),
        reading=_maybe_events(fields, "reading"),
        doubted=fields.flag("doubted") if fields.has("doubted") else False,
        before_ms=_before_ms(fields),
        sender=sender,
    )


def _before_ms(fields: Fields) -> int:
    if not fields.has("before_ms"):
        return 0
    return fields.integer("before_ms", -_LONGEST_MS, _LONGEST_MS)


def _note(body: Json) -> TurnNote:
    fields = Fields(body, "row")
    return TurnNote(
        group=_group(body),
        log_odds=fields.number("log_odds") if fields.has("log_odds") else None,
        doubt=_doubt(fields.object("doubt")) if body.get("doubt") else None,
        ruled=fields.integers("ruled") if fields.has("ruled") else (),
        facts=fields.object("facts") if fields.has("facts") else {},
    )


def _group(body: Json) -> int:
    fields = Fields(body, "row")
    return fields.integer("group") if fields.has("group") else 0


def _doubt(told: Json) -> Doubt:
    fields = Fields(told, "doubt")
    others = fields.objects("alternatives", most=_MOST_EVENTS) if fields.has("alternatives") else ()
    return Doubt(
        reasons=_any_texts(told, "reasons"),
        firm=_any_texts(told, "firm"),
        squares=_any_texts(told, "squares"),
        alternatives=tuple(_alternative(Fields(one, "alternative")) for one in others),
    )


def _alternative(fields: Fields) -> Alternative:
    events = _events(fields.objects("events", most=_MOST_EVENTS), "alternative")
    return Alternative(events, fields.number("log_odds"))


def _maybe_events(fields: Fields, name: str) -> tuple[GameEvent, ...]:
    return _events(fields.objects(name, most=_MOST_EVENTS), name) if fields.has(name) else ()


def _events(told: Iterable[Json], where: str) -> tuple[GameEvent, ...]:
    fields = [Fields(one, where) for one in told]
    return tuple(decode_event(one.text("type"), one.object("data")) for one in fields)


def _any_text(told: Json, name: str) -> str:
    """A text of any length and with any characters; empty where there is none."""
    return str(told.get(name) or "")


def _any_texts(told: Json, name: str) -> tuple[str, ...]:
    return tuple(map(str, told.get(name) or ()))


def _sender(body: Mapping[str, Any]) -> Sender | None:
    """Whoever sent it, as far as the row says so in the right form."""
    dev, boot, seq, t_ms = (body.get(name) for name in ("dev", "boot", "seq", "t"))
    if not isinstance(dev, str):
        return None
    return Sender(
        dev=dev,
        boot=boot if isinstance(boot, str) else "",
        seq=seq if isinstance(seq, int) else 0,
        t_ms=t_ms if isinstance(t_ms, int) else None,
    )


def _sender_body(sender: Sender | None) -> Json:
    if sender is None:
        return {}
    told = {"dev": sender.dev, "boot": sender.boot, "seq": sender.seq}
    times = {} if sender.t_ms is None else {"t": sender.t_ms}
    return {name: value for name, value in told.items() if value} | times


def _typed(encoded: tuple[str, Json]) -> Json:
    return {"type": encoded[0], "data": encoded[1]}


def _note_body(turn: TurnNote) -> Json:
    more: Json = {"ruled": list(turn.ruled), "facts": dict(turn.facts)}
    doubt = None if turn.doubt is None else _doubt_body(turn.doubt)
    about: Json = {"log_odds": turn.log_odds, "doubt": doubt, "group": turn.group}
    return about | {name: value for name, value in more.items() if value}


def _doubt_body(doubt: Doubt) -> Json:
    return {
        "reasons": list(doubt.reasons),
        "firm": list(doubt.firm),
        "squares": list(doubt.squares),
        "alternatives": [
            {"events": _events_body(other.events), "log_odds": other.log_odds}
            for other in doubt.alternatives
        ],
    }


def _events_body(events: Iterable[GameEvent]) -> list[Json]:
    return [_typed(encode_event(event)) for event in events]


def _order_body(says: OrderCarriedOut | OrderRefused | OrderRepeated) -> Json:
    match says:
        case OrderRefused():
            named = {name: text for name, text in (("id", says.id), ("who", says.who)) if text}
            told = {"order": says.order, "reason": says.reason, "asked": dict(says.asked)}
            body: Json = {"type": ORDER_REFUSED_TYPE, "data": {**told, **named}}
        case OrderRepeated():
            data = {"id": says.id, "who": says.who, "row": says.row}
            body = {"type": ORDER_REPEATED_TYPE, "data": data}
        case OrderCarriedOut():
            body = _carried_out_body(says)
    return body


def _carried_out_body(says: OrderCarriedOut) -> Json:
    body = _typed(encode_order(says.order))
    if says.asked != says.order:
        body["asked"] = encode_order(says.asked)[1]
    if says.group is not None:
        body |= {"group": says.group, "part": says.part}
        body |= {"basis": _events_body(says.basis), "doubted": says.doubted}
    if says.reading:
        body["reading"] = _events_body(says.reading)
    if isinstance(says.order.order.act, AdjustClock):
        body["before_ms"] = says.before_ms
    return body
