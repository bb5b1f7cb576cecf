"""Frames of a clock -> observations. Pure; must not know links, time or the game."""

from devices.tcc1.messages import Change, Did, Event, Press, Said
from recorder.domain.observations import Acted, Announced, ClockChanged, ClockPressed
from recorder.domain.tile_text import read_tile
from recorder.domain.tiles import EMPTY


def observation_of(event: Event) -> ClockPressed | ClockChanged | Announced | Acted:
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
        case Did():
            letter = read_tile(event.letter) if event.letter else EMPTY
            return Acted(side=event.side, act=event.act, count=event.count, letter=letter)
