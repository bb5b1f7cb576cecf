"""The newest picture of each phone that is a camera, kept in memory and nowhere else.

Where the agent's board camera saw the board on it comes back from the record, so that the phone can
draw the grid. Knows nothing of what is on a picture.
"""

import asyncio
import time
from dataclasses import dataclass, field

from dashboard.live.log_follower import Batch
from recorder.domain.observations import BoardNotSeen, BoardSeen
from recorder.domain.record import Observed
from recorder.frames.phones import CameraAnswer, CameraSaw

FRAME_PREFIX = "phone-"
"""How the frames of such a camera are called in the record, so that no other camera's count."""
_FETCH_S = 1.0
"""So long a request of the agent's waits for a picture."""
_FETCHED_S = 15.0
"""A busy agent reads for some seconds, and fetches nothing meanwhile."""
_MOST_GONE = 100
"""Earlier phones of a table that are remembered; each has said by then that it was replaced."""
_FRESH_S = 2.0
"""A picture that came longer ago is not given as the newest: the phone sleeps."""


@dataclass(slots=True)
class _Phone:
    """What a table's phone sent last; ``taken_ms`` is the phone's own time."""

    boot: str = ""
    gone: set[str] = field(default_factory=set)
    number: int = 0
    picture: bytes = b""
    taken_ms: float = 0.0
    came_s: float = -1e9
    fetched_s: float = -1e9
    saw: CameraSaw | None = None
    waiting: set[asyncio.Event] = field(default_factory=set)


class PhoneCameras:
    """The phones that are cameras now, by table."""

    def __init__(self) -> None:
        self._phones: dict[int, _Phone] = {}

    def _of(self, table: int) -> _Phone:
        return self._phones.setdefault(table, _Phone())

    def put(self, table: int, boot: str, picture: bytes, taken_ms: float) -> CameraAnswer | None:
        """A picture came; what the phone shall know. None: another phone took its place."""
        phone, now_s = self._of(table), time.monotonic()
        if boot in phone.gone:
            return None
        if boot != phone.boot:
            if len(phone.gone) >= _MOST_GONE:
                phone.gone.clear()
            phone.gone.add(phone.boot)
            phone.boot, phone.saw = boot, None
        phone.number += 1
        phone.picture, phone.taken_ms, phone.came_s = picture, taken_ms, now_s
        for event in phone.waiting:
            event.set()
        saw: CameraSaw = phone.saw or {"corners": None, "reason": "", "row": 0}
        return {**saw, "fetched": now_s - phone.fetched_s < _FETCHED_S}

    async def newest(self, table: int, after: int) -> tuple[int, bytes, float] | None:
        """The newest picture unless its number is ``after``: that it waits past, for a second."""
        phone = self._of(table)
        phone.fetched_s = now_s = time.monotonic()
        if phone.number == after or now_s - phone.came_s > _FRESH_S:
            event = asyncio.Event()
            phone.waiting.add(event)
            try:
                await asyncio.wait_for(event.wait(), _FETCH_S)
            except TimeoutError:
                return None
            finally:
                phone.waiting.discard(event)
        return phone.number, phone.picture, phone.taken_ms

    def silent_ms(self, table: int) -> int | None:
        """For how long a table's phone has sent nothing; None: none ever did."""
        phone = self._of(table)
        return round((time.monotonic() - phone.came_s) * 1000) if phone.number else None

    def take(self, batch: Batch) -> None:
        """Rows that followed: where a phone's pictures showed the board, or why they did not."""
        for row in batch.rows:
            phone = self._phones.get(row.table)
            if phone is None or row.type not in ("board.seen", "board.not_seen"):
                continue
            found: list[list[float]] | None = None
            match row.says:
                case Observed(what=BoardSeen(frame=frame, corners=corners)):
                    found, why = [list(corner) for corner in corners], ""
                case Observed(what=BoardNotSeen(frame=frame, reason=reason)):
                    why = reason
                case _:
                    continue
            if frame.startswith(FRAME_PREFIX):
                phone.saw = {"corners": found, "reason": why, "row": row.seq}
