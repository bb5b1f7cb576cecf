"""Events that the recorder does not have yet, in one file on the flash; numbered for ever.

Runs on MicroPython and on CPython. The first line of the file is the boot (eight hexadecimal
digits, made with the file) and the number before the first event kept; then one event a line, as it
is sent. A line that was cut off by a loss of power was never promised to anybody and is dropped.
"""

import json
import os

TYPE_CHECKING = False  # MicroPython has no module typing; type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

_TIDY_AT = 64


class OutboxFile:
    """The outbox of one device. ``sync`` makes a file's content safe on the flash."""

    def __init__(
        self,
        path: str,
        device: str,
        new_boot: str,
        sync: "Callable[[BinaryIO], object] | None" = None,
    ) -> None:
        self._path, self._device = path, device
        self._sync = sync
        self._lines: list[bytes] = []
        self._gone = 0
        self.acked = 0
        self.boot = new_boot
        self._load()

    @property
    def seq_high(self) -> int:
        """The number of the newest event, 0 before the first."""
        return self.acked + len(self._lines)

    @property
    def depth(self) -> int:
        """How many events wait for the recorder."""
        return len(self._lines)

    def put(self, kind: str, data: "dict[str, object]", t_ms: int) -> int:
        """Number an event and keep it; it is on the flash when this returns."""
        seq = self.seq_high + 1
        envelope = {
            "v": 1,
            "dev": self._device,
            "boot": self.boot,
            "seq": seq,
            "t": t_ms,
            "type": kind,
            "data": data,
        }
        line = json.dumps(envelope).encode()
        with open(self._path, "ab") as file:
            file.write(line + b"\n")
            self._make_safe(file)
        self._lines.append(line)
        return seq

    def pending(self, after_seq: int, limit: int) -> "list[tuple[int, bytes]]":
        """The oldest events with a higher number: number and payload."""
        first = max(0, after_seq - self.acked)
        lines = self._lines[first : first + limit]
        return [(self.acked + first + 1 + place, line) for place, line in enumerate(lines)]

    def ack(self, boot: str, upto: int) -> None:
        """The recorder has everything up to there. Another boot's ack is not ours.

        ValueError for a number that was never given out: the file is an old copy.
        """
        if boot != self.boot or upto <= self.acked:
            return
        if upto > self.seq_high:
            raise ValueError("outbox is an old copy: delete " + self._path)
        count = upto - self.acked
        self._lines = self._lines[count:]
        self.acked = upto
        self._gone += count
        # Flash wears out: the file is written anew now and then, not with every ack.
        if not self._lines or self._gone >= _TIDY_AT:
            self._rewrite()

    def _load(self) -> None:
        try:
            with open(self._path, "rb") as file:
                content = file.read()
        except OSError:  # there is none yet
            self._rewrite()
            return
        lines = content.split(b"\n")
        torn = lines.pop()
        head = lines[0].decode().split(" ") if lines else []
        if len(head) != 2:
            self._rewrite()
            return
        self.boot, self.acked = head[0], int(head[1])
        self._lines = lines[1:]
        if torn:
            self._rewrite()

    def _rewrite(self) -> None:
        fresh = self._path + ".new"
        with open(fresh, "wb") as file:
            file.write(f"{self.boot} {self.acked}\n".encode())
            file.write(b"".join(line + b"\n" for line in self._lines))
            self._make_safe(file)
        os.rename(fresh, self._path)
        self._gone = 0

    def _make_safe(self, file: "BinaryIO") -> None:
        file.flush()
        if self._sync is not None:
            self._sync(file)
