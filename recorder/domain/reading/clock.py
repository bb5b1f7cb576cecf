"""The table's clock as a fold of presses, pauses and adjustments. Time is data here.

The clock device is the authority for time left; between its messages the running side is
extrapolated from the last one. Negative time left is overtime (rulebook END-6).
"""

from dataclasses import dataclass, replace

from recorder.domain.observations import ClockChanged, ClockPressed, Side

TOLERANCE_MS = 1_500
"""Clocks that report whole seconds are wrong by up to one of them."""
LONGEST_RUN_MS = 3600 * 1000
"""So long a clock is believed to run on without a word from it."""


@dataclass(frozen=True, slots=True)
class ClockState:
    """Both times left (milliseconds, player 0 first), who is running, and as of when.

    ``running`` is 0, 1 or ``None`` (stopped). ``at_ms`` is the recorder's estimate of the moment
    of the last message. Until a clock has been ``heard`` no time runs, and ``running`` only says
    who is on turn, where a camera alone shows that.
    """

    remaining_ms: tuple[int, int]
    running: int | None
    at_ms: int
    left_player: int
    heard: bool = True

    def player(self, side: Side) -> int | None:
        """Who sits at a side of the clock."""
        if side is Side.NONE:
            return None
        return self.left_player if side is Side.LEFT else 1 - self.left_player

    def remaining_at(self, now_ms: int) -> tuple[int, int]:
        """Time left at a moment not before ``at_ms``."""
        first, second = self.remaining_ms
        if not self.heard:
            return first, second
        gone = max(0, now_ms - self.at_ms)
        return (
            first - gone if self.running == 0 else first,
            second - gone if self.running == 1 else second,
        )

    def believed_at(self, now_ms: int) -> tuple[int, int]:
        """Time left at a moment, or as last reported when the clock has been silent for an hour."""
        silent = now_ms - self.at_ms > LONGEST_RUN_MS
        return self.remaining_ms if silent else self.remaining_at(now_ms)


def set_clock(starts_ms: tuple[int, int], *, left_player: int) -> ClockState:
    """A stopped clock before the game."""
    return ClockState(starts_ms, None, 0, left_player, heard=False)


def hear(clock: ClockState, said: ClockPressed | ClockChanged, *, at_ms: int) -> ClockState:
    """The clock after a message of the device."""
    mine = (said.left_ms, said.right_ms)
    remaining = mine if clock.left_player == 0 else (mine[1], mine[0])
    return replace(
        clock,
        remaining_ms=remaining,
        running=clock.player(said.running),
        at_ms=at_ms,
        heard=True,
    )


def shows_lost_press(clock: ClockState, said: ClockPressed | ClockChanged, *, at_ms: int) -> bool:
    """Whether a half ran, by the times of a message, that waited as far as presses were heard.

    Both halves fell by no more than the time that has passed: the clock was neither set nor
    restarted, so somebody pressed it unheard.
    """
    if not clock.heard or clock.running is None:
        return False
    now = hear(clock, said, at_ms=at_ms).remaining_ms
    fell = [before - after for before, after in zip(clock.remaining_ms, now, strict=True)]
    is_set = min(fell) < -TOLERANCE_MS or sum(fell) > at_ms - clock.at_ms + 2 * TOLERANCE_MS
    return not is_set and fell[1 - clock.running] > TOLERANCE_MS


def ends_turn(clock: ClockState, pressed: ClockPressed) -> int | None:
    """The player whose turn a press ends (rulebook TURN-3), or ``None`` for a start or a re-press.

    A press by the player whose clock runs ends their turn. A press on a stopped clock starts it,
    and pressing one's own stopped half changes nothing.
    """
    presser = clock.player(pressed.side)
    return presser if presser is not None and presser == clock.running else None
