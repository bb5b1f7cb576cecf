"""The firmware of a table clock, in Python: what ``docs/tcc1.md`` asks builders for.

Two halves with switches, times that run below zero, events kept until the host acknowledges
them. Switches and host lines go in, lines come out; must not know wires, threads or the agent.
"""

from collections import OrderedDict
from dataclasses import dataclass

from devices.ports import Ticks
from devices.tcc1.framing import TccFrame
from devices.tcc1.messages import (
    Ack,
    Beep,
    Body,
    Event,
    Heartbeat,
    Hello,
    Resend,
    Run,
    SetTimes,
    Sync,
    SyncReply,
)
from recorder.domain.observations import (
    Acted,
    Announced,
    ClockAct,
    ClockChanged,
    ClockPressed,
    Say,
    Side,
    TurnAct,
)
from recorder.domain.tile_text import read_tile
from recorder.domain.tiles import EMPTY

_START_MS = 25 * 60 * 1000
_HOST_SILENT_MS = 15_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFace:
    """The clock's state: both times (negative = overtime) and the half that runs."""

    left_ms: int = _START_MS
    right_ms: int = _START_MS
    running: Side = Side.NONE

    def after(self, elapsed_ms: int) -> "ClockFace":
        """The face ``elapsed_ms`` later."""
        left = self.left_ms - (elapsed_ms if self.running is Side.LEFT else 0)
        right = self.right_ms - (elapsed_ms if self.running is Side.RIGHT else 0)
        return ClockFace(left_ms=left, right_ms=right, running=self.running)

    def with_running(self, running: Side) -> "ClockFace":
        """The same times with another half running."""
        return ClockFace(left_ms=self.left_ms, right_ms=self.right_ms, running=running)


class ClockFirmware:
    """The clock without its wire: each method gives the lines that the clock then sends.

    ``ticks`` are its milliseconds since its start: real ones, even when the script lets the
    players' time pass faster (``advance``).
    """

    def __init__(self, dev: str, boot: str, face: ClockFace, ticks: Ticks) -> None:
        self.face = face
        self._dev, self._boot = dev, boot
        self._ticks = ticks
        self._seq = 0
        self._paused = Side.NONE
        self._start = face
        self._kept: OrderedDict[int, TccFrame] = OrderedDict()
        self._heard_ms = -_HOST_SILENT_MS
        self.beeps: list[int] = []

    @property
    def outbox(self) -> int:
        """Events that the host has not acknowledged."""
        return len(self._kept)

    @property
    def seq_high(self) -> int:
        """The number of the newest event."""
        return self._seq

    def advance(self, elapsed_ms: int) -> list[TccFrame]:
        """Let the players' time pass; the flag that falls on the way is reported."""
        before, self.face = self.face, self.face.after(elapsed_ms)
        fell = (before.left_ms > 0 >= self.face.left_ms) or (
            before.right_ms > 0 >= self.face.right_ms
        )
        return [self._change(ClockAct.FLAG)] if fell else []

    def press(self, side: Side) -> list[TccFrame]:
        """A player presses a half: the other one runs. A press of a waiting half does nothing.

        On a stopped clock a press starts the opponent (the first press of a game).
        """
        if self.face.running is _other(side) or self._paused is not Side.NONE:
            return []
        self.face = self.face.with_running(_other(side))
        face = self.face
        return [
            self._event(
                ClockPressed(
                    side=side, left_ms=face.left_ms, right_ms=face.right_ms, running=face.running
                )
            )
        ]

    def pause(self) -> list[TccFrame]:
        """The middle button: both halves stop."""
        if self.face.running is Side.NONE:
            return []
        self._paused = self.face.running
        self.face = self.face.with_running(Side.NONE)
        return [self._change(ClockAct.PAUSE)]

    def resume(self) -> list[TccFrame]:
        """The middle button again: the half that was running goes on."""
        if self._paused is Side.NONE:
            return []
        return self._run(self._paused)

    def reset(self) -> list[TccFrame]:
        """Back to the starting times, stopped."""
        self.face, self._paused = self._start, Side.NONE
        return [self._change(ClockAct.RESET)]

    def say(self, side: Side, say: Say, count: int) -> list[TccFrame]:
        """A button of the scorer's box on the clock's line. Stands for itself; stops nothing.

        ValueError for a count that does not go with it: the box has no such button.
        """
        if count not in say.counts or side is Side.NONE:
            raise ValueError(f"no button says {say} {count} for side {side}")
        return [self._event(Announced(side=side, say=say, count=count))]

    def act(self, side: Side, act: TurnAct, count: int = 0, letter: str = "") -> list[TccFrame]:
        """Another button of the box: hold, accept, challenge, the score, a blank's letter.

        ValueError for what does not go together: the box has no such button.
        """
        is_named = bool(letter) == (act is TurnAct.BLANK)
        if count not in act.counts or side is Side.NONE or not is_named:
            raise ValueError(f"no button says {act} {count} {letter!r} for side {side}")
        return [
            self._event(
                Acted(
                    side=side, act=act, count=count, letter=read_tile(letter) if letter else EMPTY
                )
            )
        ]

    def greeting(self) -> list[TccFrame]:
        """What is said once a second: a heartbeat, and HELLO while the host is silent."""
        face = self.face
        beat = Heartbeat(
            left_ms=face.left_ms,
            right_ms=face.right_ms,
            running=face.running,
            seq_high=self._seq,
            outbox=len(self._kept),
            battery_percent=87,
        )
        if self._ticks() - self._heard_ms < _HOST_SILENT_MS:
            return [self._say(beat)]
        return [self._say(Hello(firmware="1.0", model="sim")), self._say(beat)]

    def hear(self, line: TccFrame) -> list[TccFrame]:
        """A line of the host, and what the clock says to it."""
        self._heard_ms = self._ticks()
        match line.body:
            case Ack(boot=boot, upto=upto) if boot == self._boot:
                for seq in [seq for seq in self._kept if seq <= upto]:
                    del self._kept[seq]
            case Resend(first=first, last=last):
                return [kept for seq, kept in self._kept.items() if first <= seq <= last]
            case SetTimes(left_ms=left_ms, right_ms=right_ms):
                running = self.face.running
                self.face = ClockFace(left_ms=left_ms, right_ms=right_ms, running=running)
                return [self._change(ClockAct.ADJUST)]
            case Run(side=Side.NONE):
                return self.pause()
            case Run(side=side):
                return self._run(side)
            case Sync(id=sync_id):
                now_ms = self._ticks()
                return [self._say(SyncReply(id=sync_id, received_ms=now_ms, sent_ms=now_ms))]
            case Beep(duration_ms=duration_ms):
                self.beeps.append(duration_ms)
        return []

    def _run(self, side: Side) -> list[TccFrame]:
        self._paused = Side.NONE
        self.face = self.face.with_running(side)
        return [self._change(ClockAct.RESUME)]

    def _change(self, act: ClockAct) -> TccFrame:
        face = self.face
        return self._event(
            ClockChanged(
                act=act, left_ms=face.left_ms, right_ms=face.right_ms, running=face.running
            )
        )

    def _event(self, event: Event) -> TccFrame:
        self._seq += 1
        frame = self._frame(event, self._seq)
        self._kept[self._seq] = frame
        return frame

    def _say(self, body: Body) -> TccFrame:
        return self._frame(body, 0)

    def _frame(self, body: Body, seq: int) -> TccFrame:
        return TccFrame(dev=self._dev, boot=self._boot, seq=seq, t_ms=self._ticks(), body=body)


def _other(side: Side) -> Side:
    return Side.RIGHT if side is Side.LEFT else Side.LEFT
