"""Which of a clock's events are new, which are missing, which were kept already. No I/O.

A clock numbers its events from 1 in each boot and keeps them until they are acknowledged. Lines
get lost on the way in and acknowledgements on the way out; out of here every event comes once and
in order, or its loss is named.
"""

from dataclasses import dataclass, field

from devices.tcc1.framing import TccFrame
from devices.tcc1.messages import Heartbeat

_MOST_HELD = 256
# A clock writes what it is asked for in one go; more would not fit a serial driver's buffer.
_ASK_AT_MOST = 32
_ASK_EVERY_MS = 500
# Only a clock that answers lines but never a RESEND comes to this: the game must go on without.
_ASK_TIMES = 20


@dataclass(frozen=True, slots=True)
class Missing:
    """Ask the clock for these events again."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class GivenUp:
    """These events will never come: the clock no longer has them."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """Tell the clock (again) that everything up to here is kept."""

    upto: int


Step = TccFrame | Missing | GivenUp | Acknowledge


@dataclass(slots=True)
class EventSequencer:
    """The numbering of one boot; ``upto`` is the last event kept."""

    boot: str
    upto: int
    _held: dict[int, TccFrame] = field(default_factory=dict)
    _asked_ms: int | None = None
    _asked: int = 0
    _asked_upto: int = 0
    _seq_high: int = 0

    def event(self, frame: TccFrame, now_ms: int) -> list[Step]:
        """An EV line came: the events to keep now (in order), or what to ask for.

        The caller keeps each frame it is given, then acknowledges it with ``upto``.
        """
        if frame.seq <= self.upto:
            return [Acknowledge(self.upto)]
        self._seq_high = max(self._seq_high, frame.seq)
        if len(self._held) < _MOST_HELD:
            self._held[frame.seq] = frame
        steps = self._go_on()
        is_answered = self.upto >= self._asked_upto
        if not steps or (is_answered and self.upto < self._seq_high):
            steps += self._ask(now_ms)
        return steps

    def heartbeat(self, beat: Heartbeat, now_ms: int) -> list[Step]:
        """A heartbeat reports lost last events, of lost acknowledgements, of lost memory."""
        steps: list[Step] = []
        self._seq_high = max(self._seq_high, beat.seq_high)
        forgotten = beat.seq_high - beat.outbox
        if forgotten > self.upto:
            steps += self._give_up(forgotten)
        if beat.seq_high > self.upto:
            return steps + self._ask(now_ms)
        return [Acknowledge(self.upto)] if beat.outbox else steps

    def _go_on(self) -> list[Step]:
        steps: list[Step] = []
        while (frame := self._held.pop(self.upto + 1, None)) is not None:
            self.upto += 1
            steps.append(frame)
        if steps:
            self._asked, self._asked_ms = 0, None
        return steps

    def _ask(self, now_ms: int) -> list[Step]:
        if self._asked_ms is not None and now_ms - self._asked_ms < _ASK_EVERY_MS:
            return []
        first_held = min(self._held, default=self._seq_high + 1)
        if self._asked >= _ASK_TIMES:
            return self._give_up(first_held - 1)
        self._asked_ms = now_ms
        self._asked += 1
        self._asked_upto = min(first_held - 1, self.upto + _ASK_AT_MOST)
        return [Missing(self.upto + 1, self._asked_upto)]

    def _give_up(self, last: int) -> list[Step]:
        missing = [seq for seq in range(self.upto + 1, last + 1) if seq not in self._held]
        steps: list[Step] = []
        while self.upto < last:
            frame = self._held.pop(self.upto + 1, None)
            self.upto += 1
            if frame is not None:
                steps.append(frame)
        if missing:
            steps.insert(0, GivenUp(missing[0], missing[-1]))
        self._asked, self._asked_ms = 0, None
        return steps + self._go_on()
