"""Boards as pictures show them to who has no clock: photographs, and pictures that lay still."""

from dataclasses import dataclass

from recorder.domain.instruments import PictureEdge
from recorder.domain.observations import BoardNotSeen, BoardSeen


@dataclass(frozen=True, slots=True)
class Photo:
    """A photograph as read: its file name, the SHA-256 of its bytes, what was seen, notes on it."""

    name: str
    sha256: str
    seen: BoardSeen | BoardNotSeen
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WatchedLook:
    """A look at a board that lay still.

    ``at_ms`` counts from the first frame, None where nobody knows; ``frames`` are the first of this
    rest and the one that was read, by number. ``reached`` are the edges of the picture from which
    somebody reached over the board since the look before, in order, ``arms`` those from which an
    arm came at all. ``jpeg`` is the picture, where it is wanted.
    """

    name: str
    at_ms: int | None
    frames: tuple[int, int]
    reached: tuple[PictureEdge, ...]
    seen: BoardSeen | BoardNotSeen
    arms: tuple[PictureEdge, ...] = ()
    notes: tuple[str, ...] = ()
    jpeg: bytes = b""
