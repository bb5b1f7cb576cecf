"""Who can still reach which place: clinched, out of it, locked in (gibsonized).

Wins count twice, so that a game moves its two players two apart. What a player can
still make up on spread in the rounds left is an allowance, as directors set it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

GIBSON_SPREADS = (250, 200)
"""Points a game that can be made up, the last round first; the last entry holds for all before."""


@dataclass(frozen=True, slots=True, order=True)
class Tally:
    """Twice the wins of a player, and the spread: a win moves two players two apart."""

    twice_wins: int
    spread: int

    def moved(self, games: int, points: int) -> "Tally":
        """After so many games more of a lead, with so many points made up."""
        return Tally(self.twice_wins + 2 * games, self.spread + points)


def gibson_spread(left: int) -> int:
    """The points a game that can be made up with so many rounds left."""
    return GIBSON_SPREADS[min(max(left, 1), len(GIBSON_SPREADS)) - 1]


def can_catch(above: Tally, below: Tally, left: int, allowance: int) -> bool:
    """Whether the lower player can still end above the higher one."""
    return above <= below.moved(left, allowance)


def locked_places(rows: Sequence[Tally], places: int, left: int, spread: int) -> list[bool]:
    """Of players in the order of the standings, who is sure of exactly their place.

    Only the first ``places`` are; ``spread`` is the points a game that can be made up.
    """
    allowance = spread * left * 2

    def apart(above: int) -> bool:
        inside = 0 <= above < len(rows) - 1
        return not inside or not can_catch(rows[above], rows[above + 1], left, allowance)

    return [
        left > 0 and place < places and apart(place - 1) and apart(place)
        for place in range(len(rows))
    ]


def locked_groups(locked: Sequence[bool]) -> list[int]:
    """The group of each place, who meet each other alone: 1, 2, ...; 0 for everybody else.

    Between two locked places an even number meet each other; with the lower of the two where they
    are odd. A locked player left over is in group 0, and free for the bye or somebody far below.
    """
    groups, start, number = [0] * len(locked), 0, 0
    for place, is_locked in enumerate(locked):
        if not is_locked:
            continue
        above = place - start
        if above:
            number += 1
            end = place + above % 2
            groups[start:end] = [number] * (end - start)
        start = place + 1
    return groups


def reachable(rows: Sequence[Tally], left: int, spread: int) -> list[tuple[int, int]]:
    """For players in the order of the standings the best and the worst place still possible.

    Each pair of players is looked at for itself: nobody who is said to be out can get there, and
    a few who cannot any more may be said to be in.
    """
    allowance = spread * left * 2
    worst_first = sorted(rows)
    return [
        (
            len(rows) - bisect_right(worst_first, row.moved(left, allowance)) + 1,
            len(rows) - bisect_left(worst_first, row.moved(-left, -allowance)),
        )
        for row in rows
    ]
