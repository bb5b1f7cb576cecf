"""Orders about the event, as ``(type, data)`` for rows of the log and for envelopes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from recorder.declared.codec import Codec, Json, Kinds
from recorder.domain.errors import DeviceError
from recorder.domain.event import orders as acts
from recorder.domain.limits import DirectorName, OrderId


@dataclass(frozen=True, slots=True, kw_only=True)
class _EventHead:
    """What every order about the event says beside what it does."""

    id: OrderId
    who: DirectorName
    agreed: bool = False


EVENT_HEAD: Codec[_EventHead] = Codec(_EventHead, spared=["agreed"])
EVENT_ORDER_TYPES: Kinds[acts.EventAct] = Kinds(
    "order",
    Codec(acts.DescribeEvent, "event.about", spared=["name", "date", "rounds", "spread_cap"]),
    Codec(acts.EnterPlayer, "event.player", spared=["rating", "number", "ident"]),
    Codec(
        acts.ChangePlayer, "event.player_changed", spared=["name", "rating", "prize_class", "ident"]
    ),
    Codec(acts.MovePlayers, "event.players_moved", spared=["numbers", "to", "given"]),
    Codec(acts.LeaveEvent, "event.left"),
    Codec(acts.ReturnToEvent, "event.returned"),
    Codec(acts.CheckIn, "event.checked_in", spared=["here"]),
    Codec(acts.PublishRound, "event.round", spared=["bye", "out", "out_margin", "again"]),
    Codec(acts.EnterResult, "event.result", spared=["second", "second_score", "margin"]),
    Codec(acts.PenaliseSpread, "event.penalty"),
    Codec(acts.MoveGame, "event.moved", spared=["other"]),
    Codec(acts.MovesFirst, "event.first", spared=["other"]),
    Codec(acts.ReplayGame, "event.replay", spared=["other"]),
    Codec(acts.AdjournGame, "event.adjourned", spared=["other"]),
    Codec(acts.ResumeGame, "event.resumed", spared=["other"]),
    Codec(acts.ClaimResult, "event.claimed", spared=["other"]),
    Codec(acts.ForfeitGame, "event.forfeit", spared=["other"]),
    Codec(
        acts.PlayByRules,
        "event.rules",
        spared=["overrides", "confirmed", "minutes", "settings"],
    ),
    Codec(acts.UseWords, "event.words"),
    Codec(
        acts.ArrangeDivision,
        "event.arranged",
        spared=["tables", "fixed", "prizes", "class_prizes", "times"],
    ),
    Codec(acts.AssignDevice, "event.device", spared=["table", "role"]),
    Codec(acts.ExchangeCameras, "event.cameras", spared=["games", "cameras"]),
    Codec(acts.UndoEventOrder, "event.undo"),
)
"""Every type of order about the event and how it is read and written."""


def encode_event_order(order: acts.EventOrder) -> tuple[str, Json]:
    """The type name and the JSON object of an order; what is empty is left out."""
    head = _EventHead(id=order.id, who=order.who, agreed=order.agreed)
    type_name, data = EVENT_ORDER_TYPES.of(order.act)
    return type_name, {**EVENT_HEAD.write(head), **data}


def row_of_order(order: acts.EventOrder) -> Json:
    """The body of the row of the log that holds an order."""
    type_name, data = encode_event_order(order)
    return {"type": type_name, "data": data}


def order_of_row(body: Mapping[str, Any]) -> acts.EventOrder | None:
    """The order that the row with this body holds; None: it holds none, or none that is read."""
    try:
        return decode_event_order(str(body.get("type")), body.get("data") or {})
    except DeviceError:
        return None


def decode_event_order(type_name: str, data: Json) -> acts.EventOrder:
    """The order of that type. Raises DeviceError naming an unknown type or a bad field."""
    act, head = EVENT_ORDER_TYPES.value(type_name, data), EVENT_HEAD.read(data, type_name)
    return acts.EventOrder(id=head.id, who=head.who, act=act, agreed=head.agreed)
