"""Two halves, their times, who runs: the clock without display, network or memory.

Runs on MicroPython and on CPython. All times are whole milliseconds; below zero is overtime. The
caller gives the time of everything that happens, taken when the switch closed.
"""

TYPE_CHECKING = False  # MicroPython has no module typing; type checkers know the name
if TYPE_CHECKING:
    Event = tuple[str, dict[str, object]]

DEBOUNCE_MS = 15
_OTHER = {"L": "R", "R": "L"}


class ClockCore:
    """The clock. What happened comes back as ``(type, data)`` of an event, or None."""

    def __init__(self, start_ms: int) -> None:
        self._start_ms = start_ms
        self._times = {"L": start_ms, "R": start_ms}
        self._since_ms = 0
        self._paused = ""
        self._pressed_ms = -DEBOUNCE_MS
        self._flags = ""
        self.running = "N"

    def times(self, now_ms: int) -> "tuple[int, int]":
        """Left and right, as they are."""
        gone = now_ms - self._since_ms
        left = self._times["L"] - (gone if self.running == "L" else 0)
        right = self._times["R"] - (gone if self.running == "R" else 0)
        return left, right

    def press(self, side: str, at_ms: int) -> "Event | None":
        """A player pressed a half. On a stopped clock that starts the opponent."""
        bounced = at_ms - self._pressed_ms < DEBOUNCE_MS
        if bounced or self.running == _OTHER[side] or self._paused:
            return None
        self._pressed_ms = at_ms
        self._run(_OTHER[side], at_ms)
        data = self._told(at_ms)
        data["side"] = side
        return "clock.press", data

    def middle(self, at_ms: int) -> "Event | None":
        """The button between the halves: stop both; again: go on."""
        if self._paused:
            side, self._paused = self._paused, ""
            self._run(side, at_ms)
            return self._change("resume", at_ms)
        if self.running == "N":
            return None
        self._paused = self.running
        self._run("N", at_ms)
        return self._change("pause", at_ms)

    def set(self, left_ms: int, right_ms: int, at_ms: int) -> "Event":
        """Somebody sets both times."""
        self._times = {"L": left_ms, "R": right_ms}
        self._since_ms = at_ms
        self._flags = "".join(side for side in "LR" if self._times[side] <= 0)
        return self._change("adjust", at_ms)

    def run(self, side: str, at_ms: int) -> "Event":
        """Let a half run, or with N stop both."""
        self._paused = ""
        self._run(side, at_ms)
        return self._change("pause" if side == "N" else "resume", at_ms)

    def reset(self, at_ms: int) -> "Event":
        """Back to the starting times, stopped."""
        self._paused = self._flags = ""
        self.running = "N"
        self._times = {"L": self._start_ms, "R": self._start_ms}
        self._since_ms = at_ms
        return self._change("reset", at_ms)

    def tick(self, now_ms: int) -> "Event | None":
        """A flag that falls, once for each half."""
        for side, left_ms in zip("LR", self.times(now_ms)):  # noqa: B905 MicroPython has no strict
            if side == self.running and left_ms <= 0 and side not in self._flags:
                self._flags += side
                return self._change("flag", now_ms)
        return None

    def _run(self, side: str, at_ms: int) -> None:
        left, right = self.times(at_ms)
        self._times = {"L": left, "R": right}
        self._since_ms = at_ms
        self.running = side

    def _change(self, act: str, at_ms: int) -> "Event":
        data = self._told(at_ms)
        data["act"] = act
        return "clock.change", data

    def _told(self, at_ms: int) -> "dict[str, object]":
        left, right = self.times(at_ms)
        return {"left_ms": left, "right_ms": right, "running": self.running}
