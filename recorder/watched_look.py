"""A look at a board that lay still, of a game that is watched without a clock: a value."""

from dataclasses import dataclass

from recorder.domain.instruments import PictureEdge
from recorder.domain.observations import BoardNotSeen, BoardSeen


@dataclass(frozen=True, slots=True)
class WatchedLook:
    """A look, as ``devices.watching.settled_looks`` gives it.

    ``at_ms`` counts from the start, None where nobody knows; ``frames`` are the first and the last
    of its rest; ``reached`` the edges from which somebody reached in since the look before,
    ``arms`` those from which an arm came at all.
    """

    name: str
    at_ms: int | None
    frames: tuple[int, int]
    reached: tuple[PictureEdge, ...]
    seen: BoardSeen | BoardNotSeen
    arms: tuple[PictureEdge, ...] = ()
    notes: tuple[str, ...] = ()
