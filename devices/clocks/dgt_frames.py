"""The serial messages of a DGT e-board with a clock: bytes <-> values, no I/O.

Written from published facts about the protocol, not from anybody's code. The clock hangs on the
board; the board says the times (``BWTIME``) with whole seconds and no negative ones. A message is
an identifier with its top bit set, its length in two bytes of seven bits (these three included),
and a body without top bits, so any top bit begins a message again.
"""

from dataclasses import dataclass

from recorder.domain.observations import Side

ASK_CLOCK = b"\x41"
"""Host: say the clock's times once."""
UPDATE_NICE = b"\x4b"
"""Host: from now on say what changes, and the clock only when a time does."""
BWTIME = 0x8D
_LONGEST = 2048
_HEAD = 3
_ACK_MARK = 0x0A


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockTimes:
    """What the clock shows. Seconds from 0; ``turn`` is the half whose time it is, running or not.

    ``lever_right`` shows the lever's position: it changes with every press. ``flag`` is the half
    whose flag has fallen with the clock stopped at zero.
    """

    left_s: int
    right_s: int
    is_running: bool
    turn: Side
    lever_right: bool
    flag: Side = Side.NONE
    battery_low: bool = False

    @property
    def running(self) -> Side:
        """The half that runs."""
        return self.turn if self.is_running else Side.NONE


@dataclass(frozen=True, slots=True)
class NoClock:
    """The board answers, but no clock is on it."""


@dataclass(frozen=True, slots=True)
class OtherMessage:
    """A message that says nothing about times: a board, an acknowledgement of the clock."""

    id: int


Told = ClockTimes | NoClock | OtherMessage


class DgtReader:
    """Bytes in any portions -> messages in order. What is damaged is left out and counted."""

    def __init__(self) -> None:
        self.damaged = 0
        self._held = bytearray()

    def feed(self, data: bytes) -> list[Told]:
        """Everything that ``data`` completes. Never raises for what a message says."""
        found: list[Told] = []
        for byte in data:
            if byte & 0x80:
                self.damaged += bool(self._held)
                self._held[:] = bytes([byte])
            elif self._held:
                self._held.append(byte)
            else:
                self.damaged += 1
            if len(self._held) >= _HEAD:
                self._finish(found)
        return found

    def _finish(self, found: list[Told]) -> None:
        length = self._held[1] << 7 | self._held[2]
        if not _HEAD <= length <= _LONGEST:
            self.damaged += 1
            self._held.clear()
        elif len(self._held) == length:
            message = bytes(self._held)
            self._held.clear()
            said = _told(message)
            if said is None:
                self.damaged += 1
            else:
                found.append(said)


def _told(message: bytes) -> Told | None:
    identifier, body = message[0], message[_HEAD:]
    if identifier != BWTIME:
        return OtherMessage(identifier)
    if len(body) != 7:
        return None
    if _ACK_MARK in (body[0] & 0x0F, body[3] & 0x0F) or not any(body):
        return OtherMessage(identifier)
    status = body[6]
    if status & 0x20:
        return NoClock()
    right_s, left_s = _seconds(body[0:3]), _seconds(body[3:6])
    if right_s is None or left_s is None:
        return None
    turn = {0x08: Side.RIGHT, 0x10: Side.LEFT}.get(status & 0x18, Side.NONE)
    flag = Side.RIGHT if body[0] & 0x10 else Side.LEFT if body[3] & 0x10 else Side.NONE
    return ClockTimes(
        left_s=left_s,
        right_s=right_s,
        is_running=bool(status & 0x01) and turn is not Side.NONE,
        turn=turn,
        lever_right=bool(status & 0x02),
        flag=flag,
        battery_low=bool(status & 0x04),
    )


def _seconds(part: bytes) -> int | None:
    """Hours in the low four bits, minutes and seconds in tens and ones; None when it is no time."""
    hours, minutes, seconds = part[0] & 0x0F, _tens_and_ones(part[1]), _tens_and_ones(part[2])
    if hours > 9 or minutes is None or seconds is None or minutes > 59 or seconds > 59:
        return None
    return hours * 3600 + minutes * 60 + seconds


def _tens_and_ones(byte: int) -> int | None:
    tens, ones = byte >> 4, byte & 0x0F
    return None if ones > 9 or tens > 9 else 10 * tens + ones
