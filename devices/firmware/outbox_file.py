"""Events that the recorder does not have yet, in one file on the flash.

Runs on MicroPython and on CPython. One event a line, as it is sent. Every start begins a new boot
and a new numbering, for a clock without a battery does not know how long it was off; events of
earlier boots that still wait keep theirs and go first. A line that was cut off by a loss of power
was never promised to anybody and is dropped.
"""

import json
import os

TYPE_CHECKING = False  # MicroPython has no module typing; type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

_TIDY_AT = 64


class OutboxFile:
    """The outbox of one device; ``boot`` is new, eight hexadecimal digits.

    ``sync`` makes a file's content safe on the flash.
    """

    def __init__(
        self,
        path: str,
        device: str,
        boot: str,
        sync: "Callable[[BinaryIO], object] | None" = None,
    ) -> None:
        self._path, self._device = path, device
        self._sync = sync
        self._kept: list[tuple[str, int, bytes]] = []
        self._gone = 0
        self.boot = boot
        self.seq_high = 0
        self._load()

    @property
    def depth(self) -> int:
        """How many events wait for the recorder, of all boots."""
        return len(self._kept)

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
        self._kept.append((self.boot, seq, line))
        self.seq_high = seq
        return seq

    def pending(self, first: int, limit: int) -> "list[bytes]":
        """What waits, oldest first, from the ``first`` on."""
        return [line for _, _, line in self._kept[first : first + limit]]

    def ack(self, boot: str, upto: int) -> int:
        """The recorder has everything of that boot up to there; how many events that lets go."""
        left = [event for event in self._kept if event[0] != boot or event[1] > upto]
        count = len(self._kept) - len(left)
        if count:
            self._kept = left
            self._gone += count
            # Flash wears out: the file is written anew now and then, not with every ack.
            if not left or self._gone >= _TIDY_AT:
                self._rewrite()
        return count

    def waiting(self) -> "list[tuple[str, int, int]]":
        """For each boot that matters, this one first: its newest number, how many events wait."""
        # A list beside the dict: MicroPython's dicts have no order.
        boots, counts = [self.boot], {self.boot: (self.seq_high, 0)}
        for boot, seq, _ in self._kept:
            if boot not in counts:
                boots.append(boot)
            high, count = counts.get(boot, (0, 0))
            counts[boot] = (max(high, seq), count + 1)
        return [(boot,) + counts[boot] for boot in boots]

    def _load(self) -> None:
        try:
            with open(self._path, "rb") as file:
                content = file.read()
        except OSError:  # there is none yet
            return
        for line in content.split(b"\n"):
            try:
                event = json.loads(line)
                self._kept.append((event["boot"], event["seq"], line))
            except (ValueError, KeyError, TypeError):
                continue
        self._rewrite()

    def _rewrite(self) -> None:
        fresh = self._path + ".new"
        with open(fresh, "wb") as file:
            file.write(b"".join([line + b"\n" for _, _, line in self._kept]))
            self._make_safe(file)
        os.rename(fresh, self._path)
        self._gone = 0

    def _make_safe(self, file: "BinaryIO") -> None:
        file.flush()
        if self._sync is not None:
            self._sync(file)
