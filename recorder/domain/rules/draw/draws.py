"""What a draw should bring, and what it brought (DRAW-2). Numbers of tiles, nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass

from recorder.domain.errors import RecorderError
from recorder.domain.tiles import RACK_SIZE


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """One draw: tiles ``kept`` on the rack and in the ``bag`` before it, and tiles ``drawn``.

    RecorderError when a number is negative or more was drawn than the bag held.

    >>> Draw(kept=4, bag=30, drawn=4).surplus, Draw(kept=2, bag=3, drawn=3).missing
    (1, 0)
    """

    kept: int
    bag: int
    drawn: int = 0

    def __post_init__(self) -> None:
        if min(self.kept, self.bag, self.drawn) < 0 or self.drawn > self.bag:
            raise RecorderError(
                f"{self.drawn} tiles cannot be drawn from {self.bag} onto {self.kept}"
            )

    @property
    def due(self) -> int:
        """How many tiles may be drawn: a full rack, as far as the bag lasts."""
        return max(0, min(RACK_SIZE - self.kept, self.bag))

    @property
    def surplus(self) -> int:
        """How many tiles too many were drawn (OVERDRAW-1)."""
        return max(0, self.drawn - self.due)

    @property
    def missing(self) -> int:
        """How many tiles too few were drawn (UNDERDRAW-1); none when the bag held no more."""
        return max(0, self.due - self.drawn)

    @property
    def held(self) -> int:
        """Tiles on the rack and beside it after the draw."""
        return self.kept + self.drawn

    @property
    def bag_after(self) -> int:
        """Tiles in the bag after the draw."""
        return self.bag - self.drawn

    @property
    def short(self) -> int:
        """How many tiles the player is then short of seven, be it that the bag held no more."""
        return max(0, RACK_SIZE - self.held)


def draw_seen(*, kept: int, bag: int, held: int | None, wrong: int = 0) -> Draw:
    """A draw as the rack is counted after it, else as it should be but for ``wrong`` tiles.

    ``held`` is what a sensor counts on the rack now, None without one; fewer than were ``kept``
    are tiles that do not lie there yet. ``wrong`` is how many too many, below 0 too few.
    """
    due = Draw(kept=kept, bag=bag).due
    drawn = due + wrong if held is None or held < kept else held - kept
    return Draw(kept=kept, bag=bag, drawn=max(0, min(drawn, bag)))


def who_missed(draws: Sequence[tuple[int, Draw]]) -> int | None:
    """The player whose draw first fell short of seven and was not filled up since.

    ``draws`` in their order, each with its player. That player would have drawn the tile that
    was not where it belongs (LOOSE-1, LOOSE-3, BAGEND-1); None when nobody fell short.
    """
    short: dict[int, int] = {}
    for at, (player, draw) in enumerate(draws):
        if draw.short:
            short.setdefault(player, at)
        else:
            short.pop(player, None)
    return min(short, key=lambda player: short[player]) if short else None
