"""What a recorder adds to an order about the event before it is stored."""

from pathlib import Path

from recorder.domain.event.orders import EventOrder
from recorder.domain.notices import CodedText
from recorder.log.port import EventLog
from recorder.orders.event_rules import with_settings
from recorder.orders.exchanged_cameras import with_cameras


def filled_in(
    order: EventOrder, folder: Path | None, log: EventLog
) -> tuple[EventOrder, CodedText | None]:
    """An order with the values of its rules, or the cameras of its tables; or why it has none."""
    order, no_rules = with_settings(order, folder)
    order, no_cameras = with_cameras(order, log)
    return order, no_rules or no_cameras
