"""What phones at a table and administrators are answered, and the messages of a page's link."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from recorder.frames.kinds import Maybe
from recorder.frames.public import Player, Prices


class Hello(TypedDict):
    type: Literal["hello"]
    assets: str
    now: int


class Pong(TypedDict):
    type: Literal["pong"]
    t: float
    now: int


MergePatch = dict[str, Any]
"""A JSON Merge Patch, RFC 7396: null takes a key away (dashboard/live/messages/merge_patch.py)."""


class Patch(TypedDict):
    type: Literal["patch"]
    epoch: str
    seq: int
    from_seq: int
    patch: MergePatch


class CameraSaw(TypedDict):
    """What was read of a picture that a phone took (dashboard/phone_camera)."""

    corners: Annotated[list[list[float]] | None, "[number, number][] | null"]
    reason: str
    row: int
    """The row of the record that says so, 0: none yet."""


class CameraAnswer(CameraSaw):
    """What a phone that is a camera hears for each picture."""

    fetched: bool


class CameraCode(TypedDict):
    """A code for a phone as camera."""

    address: str
    source: str
    squares: Annotated[list[list[int]], "[number, number, number][]"]
    """x, y and side of the dark ones in 100."""


class ClockHeard(TypedDict):
    """What the clock of a table said last."""

    left_ms: int
    right_ms: int
    running: Literal["L", "R", "N"]
    ago_ms: int
    """So long ago; what runs has run since."""


class Setup(TypedDict):
    game: str
    players: list[str]
    left_player: Player
    starts_ms: list[int]
    clock: Maybe[ClockHeard]
    """Not before a clock was heard in this game."""
    overtime: Prices | None
    letters: list[str]


class Slot(TypedDict):
    """A slot of an overlay (dashboard/overlays/slots.py)."""

    name: str
    table: int | None
    follow: str
    rule: str
    racks: bool
    shows: int | None
    """The table that it shows now."""
    streaming: int
    """How many pages show it."""


class User(TypedDict):
    name: str
    role: str
    table: NotRequired[int]


class SignIn(TypedDict):
    id: str
    name: str
    role: str
    since: int
    seen: int


class LockedOut(TypedDict):
    who: str
    wait_s: float


class Access(TypedDict):
    """What an administrator sees (dashboard/web/sign_in.py)."""

    users: list[User]
    roles: list[str]
    sessions: list[SignIn]
    locked: list[LockedOut]


class Token(TypedDict):
    id: str
    label: str
    scope: str
    since: int
