"""The end of a game once the bag is empty: who wins by how much, and with which play.

Both racks are known then, so it is calculated, not estimated: negamax with alpha-beta over all
plays and passes, deeper each time. Words are taken as valid, clocks are left out, and two passes in
a row end the game, for nobody gains by a third.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from recorder.analysis.late_plays import LatePlay, LatePlays, Numbers, Position
from recorder.domain.plays import Placement

_FAR = 10_000
_DEEPEST = 30


@dataclass(frozen=True, slots=True)
class Ending:
    """How the rest of a game goes.

    ``course``: what is played from here on with its points, None a pass. ``gain``: by how many
    points the player on turn ends up better than now. ``solved``: nobody can do better; else it is
    the best that was found, ``depth`` turns deep, and played by points from there.
    """

    course: tuple[tuple[Placement, int] | None, ...] = ()
    gain: int = 0
    solved: bool = False
    depth: int = 0


class LateTurn(NamedTuple):
    """Who is on turn with ``mine``, after a pass or not."""

    position: Position
    mine: Numbers
    theirs: Numbers
    passed: bool

    @property
    def key(self) -> tuple[object, ...]:
        """What the rest of the game depends on."""
        return (self.position.cells, self.position.values, *self[1:])


class _Known(NamedTuple):
    """What was found of a position: ``bound`` 0 the value, 1 at least, -1 at most."""

    depth: int
    value: int
    bound: int
    solved: bool
    play: LatePlay | None


class _OutOfTimeError(Exception):
    pass


class EndgameSolver:
    """Solves ends of one game. ``give_up`` is asked often, and ends a search where it is true."""

    def __init__(self, plays: LatePlays, give_up: Callable[[], bool] = lambda: False) -> None:
        self._plays, self._give_up = plays, give_up
        self._known: dict[object, _Known] = {}
        self.looked_at = 0

    def solve(self, turn: LateTurn, deepest: int = _DEEPEST) -> Ending:
        """The best for both sides, or the best that was found in time."""
        found = Ending()
        for depth in range(deepest):
            try:
                gain, solved = self._search(turn, depth, -_FAR, _FAR)
            except _OutOfTimeError:
                break
            found = Ending(tuple(self._course(turn)), gain, solved, depth)
            if solved:
                break
        return found

    def _search(self, turn: LateTurn, depth: int, low: int, high: int) -> tuple[int, bool]:
        """What the player on turn gains from here, and whether that is solved."""
        known, depth = self._known.get(turn.key), max(depth, 0)
        if known is not None and (known.solved or known.depth >= depth):
            is_enough = known.value >= high if known.bound > 0 else known.value <= low
            if known.bound == 0 or is_enough:
                return known.value, known.solved
        self.looked_at += 1
        if self._give_up():
            raise _OutOfTimeError
        choices = self._choices(turn, known) if depth else [self.obvious(turn)]
        best, best_play, is_whole, bar = -_FAR, choices[0], choices[-1] is None, low
        all_solved = is_whole
        for play in choices:
            value, solved = self._value(turn, play, depth, (bar, high), first=best == -_FAR)
            all_solved = all_solved and solved
            if value > best:
                best, best_play, bar = value, play, max(bar, value)
            if value >= high:
                all_solved = solved and is_whole
                break
        bound = 1 if best >= high else -1 if best <= low else 0
        self._known[turn.key] = _Known(depth, best, bound, all_solved, best_play)
        return best, all_solved

    def obvious(self, turn: LateTurn) -> LatePlay | None:
        """The play that promises most by its points and what stays on the rack."""
        return next(iter(self._promising(turn)), None)

    def _choices(self, turn: LateTurn, known: _Known | None) -> list[LatePlay | None]:
        first = [] if known is None or known.play is None else [known.play]
        return [*first, *self._promising(turn), None]

    def _promising(self, turn: LateTurn) -> list[LatePlay]:
        points = self._plays.points
        out = 2 * points(turn.theirs)
        return sorted(
            self._plays.plays(turn.position, turn.mine),
            key=lambda play: play.score - points(play.left) + (0 if play.left else out),
            reverse=True,
        )

    def _value(
        self,
        turn: LateTurn,
        play: LatePlay | None,
        depth: int,
        window: tuple[int, int],
        *,
        first: bool,
    ) -> tuple[int, bool]:
        """What a choice gains, as far as it matters whether it is within the window."""
        gain, following = self.played(turn, play)
        if following is None:
            return gain, True
        low, high = window
        value, solved = low, False
        # Others are asked first whether they beat the best at all.
        for most in (high,) if first else (low + 1, high):
            value, solved = self._search(following, depth - 1, gain - most, gain - low)
            value = gain - value
            if not low < value < high:
                break
        return value, solved

    def played(self, turn: LateTurn, play: LatePlay | None) -> tuple[int, LateTurn | None]:
        """What a choice scores at once, and the turn after it; None where the game is over."""
        position, mine, theirs, passed = turn
        if play is None:
            if passed:
                return self._plays.points(theirs) - self._plays.points(mine), None
            return 0, LateTurn(position, theirs, mine, passed=True)
        if not play.left:
            return play.score + 2 * self._plays.points(theirs), None
        return play.score, LateTurn(
            self._plays.after(position, play), theirs, play.left, passed=False
        )

    def _course(self, turn: LateTurn | None) -> Iterator[tuple[Placement, int] | None]:
        """What both play, as far as it was looked at."""
        while turn is not None and (known := self._known.get(turn.key)) is not None:
            play = known.play
            yield None if play is None else (self._plays.placement(play), play.score)
            _, turn = self.played(turn, play)
