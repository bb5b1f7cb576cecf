"""The events of a game, each with the tiles on both racks and in the bag before it."""

from collections.abc import Iterator
from dataclasses import dataclass

from recorder.domain.board import EMPTY_BOARD, Board
from recorder.domain.game import Exchanged, GameEvent, Laid, Withdrawn
from recorder.domain.rulings.game_as_ruled import RuledGame
from recorder.domain.tiles import RACK_SIZE
from recorder.domain.turns import Turn


@dataclass(frozen=True, slots=True)
class Moment:
    """An event of the record, its turn, and what lay where before it.

    ``racks`` and ``bag`` as they are when everybody draws what they should.
    """

    group: Turn
    event: GameEvent
    board: Board
    racks: tuple[int, int]
    bag: int

    @property
    def used(self) -> int:
        """Tiles that it took off the rack."""
        if isinstance(self.event, Laid):
            return len(self.event.laid)
        return self.event.count if isinstance(self.event, Exchanged) else 0

    @property
    def kept(self) -> int:
        """Tiles that stayed on the player's rack."""
        return max(0, self.racks[self.event.player] - self.used)

    @property
    def due(self) -> int:
        """Tiles that the player may draw after it."""
        return max(0, min(RACK_SIZE - self.kept, self.bag))


def moments(game: RuledGame) -> Iterator[Moment]:
    """The events in order, each with what lay where before it.

    A play that is taken back gives its tiles back.
    """
    total = game.state.tile_set.total
    board, racks, bag = EMPTY_BOARD, (RACK_SIZE, RACK_SIZE), total - 2 * RACK_SIZE
    standing: list[tuple[Laid, tuple[int, int], int]] = []
    for group in game.groups:
        for event in group.events:
            now = Moment(group, event, board, racks, bag)
            yield now
            if isinstance(event, Laid):
                standing.append((event, racks, bag))
                board = board.place(event.lying)
                held = list(racks)
                held[event.player] = now.kept + now.due
                racks, bag = (held[0], held[1]), bag - now.due
            elif isinstance(event, Withdrawn) and standing:
                play, racks, bag = standing.pop()
                drawn, held = min(len(event.left), bag), list(racks)
                held[event.player] += drawn - len(event.left)
                racks, bag = (held[0], held[1]), bag - drawn
                board = board.remove(event.off(play))
