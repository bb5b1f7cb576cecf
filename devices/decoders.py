"""Frames of a clock -> observations. Pure; must not know links, time or the game."""

from devices.framing import Change, Event, Press
from recorder.domain.observations import ClockChanged, ClockPressed


def observation_of(event: Event) -> ClockPressed | ClockChanged:
    """What an EV line says, in the recorder's vocabulary."""
    match event:
        case Press():
            return ClockPressed(
                side=event.side,
                left_ms=event.left_ms,
                right_ms=event.right_ms,
                running=event.running,
            )
        case Change():
            return ClockChanged(
                act=event.act,
                left_ms=event.left_ms,
                right_ms=event.right_ms,
                running=event.running,
            )
