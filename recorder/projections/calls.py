"""What is on around the end of a turn: a hold, a challenge, the time to react to a play-out.

Who called it, since when, and until when it may last.

The scorer's button starts it. A hold ends with words of acceptance, a challenge or the next press
(HOLD-3), a challenge with what it comes to, or the next press. The time after a play-out is that
of its procedure (END-2). Facts of the game, for everybody.
"""

from recorder.domain.observations import Acted, Side, TurnAct
from recorder.domain.record import ProcedureOver, ProcedureStands
from recorder.frames.public import Call

_SOLVED = frozenset({"challenge", "withdraw", "penalty"})


class Calls:
    """A fold over acts, presses and events; times in milliseconds since 1970."""

    def __init__(self) -> None:
        self._left = 0
        self._hold_ms: int | None = None
        self._call: Call | None = None
        self._out: Call | None = None
        self._out_key = ""

    def begin(self, left_player: int, hold_s: int | None) -> None:
        """Another game: who sits on the left, and the longest hold (None: no limit)."""
        self._left = left_player
        self._hold_ms = None if hold_s is None else hold_s * 1000
        self._call = self._out = None

    def sit(self, left_player: int) -> None:
        """Another player sits on the left than was held; who has called is the other one."""
        self._left = left_player
        if self._call is not None:
            self._call = {**self._call, "player": 1 - self._call["player"]}

    def act(self, acted: Acted, at: int) -> None:
        """A button was pressed; what says nothing of holds changes nothing."""
        if acted.side is Side.NONE:
            return
        player = self._left if acted.side is Side.LEFT else 1 - self._left
        match acted.act:
            case TurnAct.HOLD:
                ends = None if self._hold_ms is None else at + self._hold_ms
                self._call = {"player": player, "kind": "hold", "since": at, "ends": ends}
            case TurnAct.CHALLENGE:
                self._call = {"player": player, "kind": "challenge", "since": at, "ends": None}
            case TurnAct.ACCEPT:
                self._call = None

    def pressed(self) -> None:
        """A clock was pressed: the next turn is complete."""
        self._call = None

    def procedure(self, stated: ProcedureStands | ProcedureOver, at: int) -> None:
        """A procedure opens, goes on or is over; only a play-out is a fact of the game."""
        if isinstance(stated, ProcedureOver):
            self._out = None if stated.key == self._out_key else self._out
            return
        stands = stated.procedure
        if stands.code != "play_out" or stands.player is None:
            return
        since, ends = at if self._out is None else self._out["since"], stands.until_ms
        out: Call = {"player": stands.player, "kind": "play_out", "since": since, "ends": ends}
        self._out_key, self._out = stands.key, None if ends is None else out

    def recorded(self, kind: str) -> None:
        """A line of that kind was recorded."""
        if kind in _SOLVED:
            self._call = None

    def as_json(self) -> Call | None:
        """``player, kind, since, ends`` of what is on, None when nothing is."""
        return self._call or self._out
