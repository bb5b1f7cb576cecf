"""A game with one or two tiles in the bag: how often each play wins, over every draw that can be.

The player's own rack is known, all else unseen: each way to deal it between the bag and the other
rack is tried and played to its end. With one tile in the bag the ends are searched as deep as time
allows, else both play what promises most; neither knows what the other draws.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from recorder.analysis.endgame import EndgameSolver, LateTurn
from recorder.analysis.late_plays import LatePlay, LatePlays, Numbers
from recorder.domain.plays import Placement

_DEEPEST = 3


@dataclass(frozen=True, slots=True)
class DrawOdds:
    """A play, how often it wins (0 to 1, ties halved) and the mean spread at the end of the game.

    ``depth``: how many turns from the empty bag on are searched, 0 where both play by points.
    """

    placement: Placement
    win: float
    spread: float
    depth: int


class LastDraws:
    """Weighs plays before the last draws. ``give_up`` is asked often; see ``odds``."""

    def __init__(
        self,
        plays: LatePlays,
        give_up: Callable[[], bool] = lambda: False,
        deepest: int = _DEEPEST,
    ) -> None:
        self._plays, self._give_up, self._deepest = plays, give_up, deepest
        self._solver = EndgameSolver(plays, give_up)

    def odds(
        self,
        rack: Numbers,
        unseen: Numbers,
        bag: int,
        lead: int,
        among: Sequence[Placement],
    ) -> list[DrawOdds]:
        """The plays of ``among`` that a rack makes, the most likely to win first.

        ``unseen``: the tiles of the other rack and of the bag, which has so many; ``lead`` from the
        player's side. What could not be weighed in time is left out, so it may be empty.
        """
        found: list[DrawOdds] = []
        start = self._plays.start
        known = {self._plays.placement(play): play for play in self._plays.plays(start, rack)}
        for depth in range(self._deepest if bag == 1 else 1):
            weighed: list[DrawOdds] = []
            for placement in among:
                if (play := known.get(placement)) is not None:
                    ends = [
                        (lead + gain, ways) for gain, ways in self._gains(play, unseen, bag, depth)
                    ]
                    total = sum(ways for _, ways in ends)
                    wins = sum(ways * ((end > 0) + 0.5 * (end == 0)) for end, ways in ends)
                    mean = sum(ways * end for end, ways in ends) / total
                    weighed.append(DrawOdds(placement, wins / total, mean, depth))
                if self._give_up():
                    return found or sorted(weighed[:-1], key=_best_first)
            found = sorted(weighed, key=_best_first)
        return found

    def _gains(
        self, play: LatePlay, unseen: Numbers, bag: int, depth: int
    ) -> Iterator[tuple[int, int]]:
        """What a play gains to the end for each bag there can be, and how many ways it comes."""
        for order, ways in Counter(permutations(unseen, bag)).items():
            theirs = tuple(sorted((Counter(unseen) - Counter(order)).elements()))
            drawn, rest = order[: len(play.laid)], order[len(play.laid) :]
            mine = tuple(sorted(play.left + drawn))
            after = self._plays.after(self._plays.start, play)
            gain = play.score - self._rest(LateTurn(after, theirs, mine, passed=False), rest, depth)
            yield gain, ways

    def _rest(self, turn: LateTurn, bag: Numbers, depth: int) -> int:
        """What the player on turn gains from here to the end."""
        if not bag:
            return self._solver.solve(turn, depth + 1).gain
        play = self._solver.obvious(turn)
        if play is None:
            gain, following = self._solver.played(turn, None)
            return gain if following is None else gain - self._rest(following, bag, depth)
        drawn, rest = bag[: len(play.laid)], bag[len(play.laid) :]
        left = tuple(sorted(play.left + drawn))
        after = LateTurn(self._plays.after(turn.position, play), turn.theirs, left, passed=False)
        return play.score - self._rest(after, rest, depth)


def _best_first(odds: DrawOdds) -> tuple[float, float]:
    return -odds.win, -odds.spread
