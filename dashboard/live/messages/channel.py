"""A channel of live updates: a snapshot, then what changed, numbered, so that a gap shows."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dashboard.live.messages.merge_patch import merge_patch, without_nulls
from recorder.declared.codec import Json

_QUEUE = 64


@dataclass(eq=False, slots=True)
class Viewer:
    """One open page.

    A page that does not keep up loses the oldest messages, sees the gap in their numbers and asks
    for a snapshot. ``health`` is what the page says of itself (``dashboard.live.health``).
    """

    queue: asyncio.Queue[str] = field(default_factory=lambda: asyncio.Queue(_QUEUE))
    health: Json = field(default_factory=dict)

    def send(self, message: str) -> None:
        """Put a message into the queue; the oldest one makes room."""
        if self.queue.full():
            self.queue.get_nowait()
        self.queue.put_nowait(message)


class Channel:
    """What one audience of one table sees: the model last published, and its viewers.

    Each message is made once, for however many viewers: they are sent the very same text.
    """

    def __init__(self) -> None:
        self._first = ""
        self.viewers: set[Viewer] = set()
        self.model: Mapping[str, Any] | None = None
        self._epoch = ""
        self.seq = 0

    def publish(self, epoch: str, seq: int, model: Mapping[str, Any] | None) -> None:
        """Send what has changed.

        A first model, a new epoch, another game or tile set go out as a snapshot: they begin again,
        and a patch does not tell in which order the letters stand.
        """
        before = self.model
        if model is None:
            return
        anew = before is None or epoch != self._epoch or seq < self.seq
        if not anew and model == before:
            return
        self._first = ""
        if before is None or anew or _game_of(before) != _game_of(model):
            self.model, self._epoch, self.seq = model, epoch, seq
            self._send(self.first())
            return
        patch = merge_patch(before, model) if self.viewers else {}
        if self.viewers and not patch.keys() - {"seq"}:
            return
        head = {"type": "patch", "epoch": epoch, "seq": seq, "from_seq": self.seq}
        self.model, self.seq = model, seq
        self._send(as_text({**head, "patch": patch}))

    def _send(self, message: str) -> None:
        for viewer in self.viewers:
            viewer.send(message)

    def snapshot(self) -> str | None:
        """The model as a message; None while there is nothing to show."""
        return None if self.model is None else self.first()

    def first(self) -> str:
        """What a page gets that comes from another table: what there is here, or an empty frame."""
        if not self._first:
            frame = None if self.model is None else without_nulls(self.model)
            head = {"type": "snapshot", "epoch": self._epoch, "seq": self.seq}
            self._first = as_text({**head, "frame": frame})
        return self._first


def _game_of(model: Mapping[str, Any]) -> tuple[object, object]:
    """The game that a model is of, and its tiles."""
    frame = model.get("frame", model) or {}
    return frame.get("game"), frame.get("tile_set")


def as_text(message: Json) -> str:
    """JSON as it is sent."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)


def pong(message: Json, now: int) -> str:
    """The answer to a ping: its own time mark and the channel's time."""
    mark = message.get("t")
    return as_text({"type": "pong", "t": mark if isinstance(mark, int | float) else 0, "now": now})


def hello(assets: str, now: int) -> str:
    """The first message to a page: which files this server serves, and its time."""
    return as_text({"type": "hello", "assets": assets, "now": now})
