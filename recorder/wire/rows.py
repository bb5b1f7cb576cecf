"""Rows of the log as JSON objects, and back: the one place that knows how a row is spelled.

``read_row`` takes every row that was ever written, and never fails: what it cannot read is
``Unreadable``, with the reason. What rows can say: ``recorder.domain.record``.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recorder.declared.codec import Codec, Json, Kinds
from recorder.domain.errors import DeviceError
from recorder.domain.game import GameEvent
from recorder.domain.limits import FreeText
from recorder.domain.notices import CodedText
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
from recorder.domain.standing_procedures import Settlement, StandingProcedure, StandingStep
from recorder.wire.before_release.orders import modern
from recorder.wire.before_release.reasons import CORRECTION_REASON
from recorder.wire.coded_text import coded_or_words
from recorder.wire.event_orders import (
    EVENT_ORDER_TYPES,
    decode_event_order,
    row_of_order,
)
from recorder.wire.events import BY_SQUARE, EVENT, EVENT_TYPES, STARTED
from recorder.wire.notices import NOTICE_TYPE, decode_notice, encode_notice
from recorder.wire.observations import OBSERVATION_TYPES, decode_observation, encode_observation
from recorder.wire.orders import ORDER_TYPES, decode_order, encode_order
from recorder.wire.row_heads import CORRECTION, ROW_VERSION, type_of

_VERSION_IN_WORDS = 1
NOTICE_OVER_TYPE = "table.notice_over"
MESSAGE_REFUSED_TYPE = "recorder.refused"


@dataclass(frozen=True, slots=True)
class _Typed:
    """A row that has a type; ``group`` is the turn that it is about."""

    type: FreeText
    data: Json
    group: int = 0


@dataclass(frozen=True, slots=True)
class _Row:
    """What a notice that is over says."""

    row: int


_TYPED: Codec[_Typed] = Codec(_Typed, "row", spared=["group"])
_SENDER: Codec[Sender] = Codec(
    Sender, "row", renamed={"t_ms": "t"}, spared=["dev", "boot", "seq", "t_ms"]
)
_ALTERNATIVE: Codec[Alternative] = Codec(Alternative, types={GameEvent: EVENT})
_DOUBT: Codec[Doubt] = Codec(Doubt, types={Alternative: _ALTERNATIVE, CodedText: coded_or_words()})
_NOTE: Codec[TurnNote] = Codec(TurnNote, "row", spared=["ruled", "facts"], types={Doubt: _DOUBT})
_AIM: Codec[OrderAim] = Codec(
    OrderAim,
    "row",
    spared=["group", "part", "basis", "reading", "doubted", "before_ms"],
    types={GameEvent: EVENT},
)
RECORDED: Codec[Recorded] = Codec(Recorded, "row", inline={"event": EVENT, "turn": _NOTE})
CORRECTED: Codec[Corrected] = Codec(
    Corrected,
    CORRECTION,
    inline={"turn": _NOTE},
    types={GameEvent: EVENT, CorrectionReason: CORRECTION_REASON},
)
NOTICE_OVER: Codec[_Row] = Codec(_Row, NOTICE_OVER_TYPE)
_STEP: Codec[StandingStep] = Codec(
    StandingStep, spared=["until_ms"], types={CodedText: coded_or_words()}
)
_SETTLEMENT: Codec[Settlement] = Codec(
    Settlement, spared=["letters", "outcome"], types={GameEvent: EVENT, **BY_SQUARE}
)
ORDER_REFUSED: Codec[OrderRefused] = Codec(
    OrderRefused,
    "order.refused",
    spared=["id", "who"],
    types={CodedText: coded_or_words()},
)
ORDER_REPEATED: Codec[OrderRepeated] = Codec(OrderRepeated, "order.repeated")
MESSAGE_REFUSED: Codec[MessageRefused] = Codec(
    MessageRefused, MESSAGE_REFUSED_TYPE, spared=["code"]
)
_OWN: Mapping[Kind, Kinds[Statement]] = {
    Kind.OBSERVED: Kinds(
        "row",
        MESSAGE_REFUSED,
        Codec(LogBegun, "log.begun"),
        Codec(RowLost, "log.row_lost", spared=["rows", "head"]),
    ),
    Kind.RECORDED: Kinds(
        "row",
        STARTED,
        Codec(
            ProcedureStands,
            "table.procedure",
            inline={
                "procedure": Codec(
                    StandingProcedure,
                    spared=["settlements", "director"],
                    types={
                        Settlement: _SETTLEMENT,
                        StandingStep: _STEP,
                        CodedText: coded_or_words(),
                    },
                )
            },
        ),
        Codec(ProcedureOver, "table.procedure_over", spared=["director"]),
    ),
    Kind.RULED: Kinds("row", ORDER_REFUSED, ORDER_REPEATED),
    Kind.CORRECTED: Kinds("row"),
}
"""By kind, the rows whose data is all that they say."""
_OTHERS: Mapping[Kind, Collection[str]] = {
    Kind.OBSERVED: OBSERVATION_TYPES,
    Kind.RECORDED: {*EVENT_TYPES, NOTICE_TYPE, NOTICE_OVER_TYPE},
    Kind.CORRECTED: {CORRECTION},
    Kind.RULED: {*ORDER_TYPES, *EVENT_ORDER_TYPES},
}


def read_row(
    kind: Kind, body: Mapping[str, Any], refs: Sequence[int] = (), *, v: int = ROW_VERSION
) -> Statement:
    """What a row of version ``v`` says; ``refs`` are the rows that it rests on."""
    try:
        if kind is Kind.CORRECTED:
            return CORRECTED.read(body)
        row = _TYPED.read(body, f"{kind.value} row")
        if row.type in _OWN[kind]:
            return _OWN[kind].value(row.type, row.data)
        if kind is Kind.OBSERVED:
            return Observed(decode_observation(row.type, row.data))
        if kind is Kind.RULED:
            return _ruled(row, body, v)
        return _recorded(row, body, refs)
    except DeviceError as fault:
        name = type_of(kind, body)
        known = name in _OWN[kind] or name in _OTHERS[kind]
        return Unreadable(type=name, fault=str(fault), known=known)


def write_row(says: Statement) -> Json:
    """The body of the row that says this; what is empty is left out. The inverse of ``read_row``.

    What a device observes is stored as it came instead, so that nothing of it is lost.
    ``Unreadable`` is nothing to be written.
    """
    match says:
        case Observed(what=what):
            body = _typed(*encode_observation(what))
        case Recorded():
            body = RECORDED.write(says)
        case Corrected():
            body = CORRECTED.write(says)
        case NoticeGiven(notice=notice):
            body = _typed(NOTICE_TYPE, encode_notice(notice), notice.ref)
        case NoticeOver(row=row, group=group):
            body = _typed(NOTICE_OVER_TYPE, {"row": row}, group)
        case EventOrdered(order=about):
            body = row_of_order(about)
        case OrderCarriedOut(order=order, asked=asked, aim=aim):
            as_it_came = {} if asked == order else {"asked": encode_order(asked)[1]}
            body = _typed(*encode_order(order)) | as_it_came | _AIM.write(aim)
        case Unreadable():
            raise DeviceError(f"{says.type}: cannot be written, because it could not be read")
        case _:
            body = _typed(*_OWN[kind_of(says)].of(says))
    return body


def sender_body(sender: Sender) -> Json:
    """What a row has of its sender, beside what it says."""
    return _SENDER.write(sender)


def _recorded(row: _Typed, body: Mapping[str, Any], refs: Sequence[int]) -> Statement:
    if row.type == NOTICE_TYPE:
        return NoticeGiven(notice=decode_notice(row.data, ref=row.group, refs=tuple(refs)))
    if row.type == NOTICE_OVER_TYPE:
        return NoticeOver(row=NOTICE_OVER.read(row.data).row, group=row.group)
    return RECORDED.read(body)


def _ruled(row: _Typed, body: Mapping[str, Any], v: int) -> Statement:
    if row.type in EVENT_ORDER_TYPES:
        return EventOrdered(order=decode_event_order(row.type, row.data))
    order = decode_order(row.type, row.data)
    asked = decode_order(row.type, body["asked"]) if body.get("asked") else order
    if v == _VERSION_IN_WORDS:
        order, asked = modern(order), modern(asked)
    return OrderCarriedOut(order=order, asked=asked, aim=_AIM.read(body))


def _typed(type_name: str, data: Json, group: int = 0) -> Json:
    return _TYPED.write(_Typed(type_name, data, group))
