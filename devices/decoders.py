"""Frames of a clock -> observations. Pure; must not know links, time or the game."""

from devices.framing import Change, Event, Press, Said
from recorder.domain.observations import Announced, ClockChanged, ClockPressed


def observation_of(event: Event) -> ClockPressed | ClockChanged | Announced:
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
        case Said():
            return Announced(side=event.side, say=event.say, count=event.count)
