"""What a table's fold tells: presses that ended turns, and groups of events with their doubts."""

from dataclasses import dataclass

from recorder.domain.game import GameEvent
from recorder.domain.reconstruct import Alternative


@dataclass(frozen=True, slots=True)
class Press:
    """A press that ended a turn."""

    seq: int
    at_ms: int
    player: int


@dataclass(frozen=True, slots=True)
class Group:
    """Events that one row of the log gave rise to, with the doubts about them."""

    ref: int
    refs: tuple[int, ...]
    events: tuple[GameEvent, ...]
    log_odds: float
    doubts: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
