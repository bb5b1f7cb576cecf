"""TCC1, the line protocol between serial devices and the agent: bytes <-> frames, no I/O.

One line is ``$TCC1,<dev>,<boot>,<seq>,<t_ms>,<KIND>,<args>*<CRC16>`` and CR LF, at most 120
bytes of ASCII. ``docs/tcc1.md`` describes it for builders. This module must not know where
the bytes come from, what a press means for the game, or what time it is.

``$`` and ``*`` never stand inside a line's text, so any ``$`` starts a line afresh: that is how
the reader finds its feet again after noise.
"""

import binascii
import re
from dataclasses import dataclass
from typing import Self

from devices.tcc1.messages import (
    BOOT,
    Body,
    matching,
    natural,
    parser,
    written,
)
from recorder.domain.errors import DeviceError

LINE_LIMIT = 120
"""Longest line in bytes, its CR LF included."""

_DEV = re.compile(r"[A-Za-z0-9-]{1,32}")


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE (polynomial 1021, start FFFF, not reflected).

    >>> hex(crc16(b"123456789"))
    '0x29b1'
    """
    return binascii.crc_hqx(data, 0xFFFF)


@dataclass(frozen=True, slots=True, kw_only=True)
class TccFrame:
    """One line. ``dev`` is the clock's name in both directions, ``boot`` the sender's own.

    ``seq`` counts the clock's EV lines from 1 in each boot and is 0 on every other line;
    ``t_ms`` are the sender's milliseconds since its start.
    """

    dev: str
    boot: str
    seq: int
    t_ms: int
    body: Body

    def to_bytes(self) -> bytes:
        """The line with its checksum and CR LF. What the fields may hold is not checked."""
        head = ("TCC1", self.dev, self.boot, self.seq, self.t_ms)
        text = ",".join(map(str, (*head, *written(self.body)))).encode("ascii")
        return b"$%s*%04X\r\n" % (text, crc16(text))

    @classmethod
    def from_bytes(cls, line: bytes) -> Self:
        """Read one line, with or without its line ending; DeviceError says what is wrong."""
        if len(line) > LINE_LIMIT:
            raise DeviceError(f"line of {len(line)} bytes, {LINE_LIMIT} are allowed")
        whole = re.fullmatch(rb"\$([ -)+-~]*)\*([0-9A-Fa-f]{4})(?:\r?\n)?", line)
        if whole is None:
            raise DeviceError("not a whole line $...*CRC16")
        text, crc = whole.groups()
        if int(crc, 16) != crc16(text):
            raise DeviceError(f"checksum {crc.decode()} is wrong, {crc16(text):04X} expected")
        protocol, *rest = text.decode("ascii").split(",")
        if protocol != "TCC1":
            raise DeviceError(f"protocol {protocol!r} is not TCC1")
        if len(rest) < 5:
            raise DeviceError("a line needs dev, boot, seq, t_ms and a kind")
        dev, boot, seq, t_ms, kind, *args = rest
        frame = cls(
            dev=matching(_DEV, "dev", dev),
            boot=matching(BOOT, "boot", boot),
            seq=natural("seq", seq),
            t_ms=natural("t_ms", t_ms),
            body=parser(kind)(args),
        )
        if (kind == "EV") != (frame.seq > 0):
            raise DeviceError(
                f"seq {frame.seq} on a {kind} line: events count from 1, others say 0"
            )
        return frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """Bytes that were not a line: what they were (at most 120 of them) and why."""

    raw: bytes
    reason: str


class LineReader:
    """Bytes in any portions -> frames and damage, in order. Holds at most one line's bytes."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> list[TccFrame | Damage]:
        """Everything that ``data`` completes. Never raises for what the line says."""
        found: list[TccFrame | Damage] = []
        for byte in data:
            if byte == ord("$") and self._held:
                self._give_up(found, "cut off by the start of another line")
            self._held.append(byte)
            if byte == ord("\n"):
                self._finish(found)
            elif len(self._held) >= LINE_LIMIT:
                self._give_up(found, f"no line end within {LINE_LIMIT} bytes")
        return found

    def _finish(self, found: list[TccFrame | Damage]) -> None:
        line = bytes(self._held)
        self._held.clear()
        if not line.strip():
            return
        try:
            found.append(TccFrame.from_bytes(line))
        except DeviceError as err:
            found.append(Damage(raw=line, reason=str(err)))

    def _give_up(self, found: list[TccFrame | Damage], reason: str) -> None:
        if self._held.strip():
            found.append(Damage(raw=bytes(self._held), reason=reason))
        self._held.clear()
