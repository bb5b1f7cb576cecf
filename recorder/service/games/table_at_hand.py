"""What is at hand of a table: its games by name, and the one that is on there."""

from dataclasses import dataclass, field

from recorder.domain.event.seating import Pairing
from recorder.domain.observations import BoardSeen
from recorder.domain.record import GameStarted
from recorder.table.game_recorder import TablePlan
from recorder.table.guarded import GuardedGameRecorder


@dataclass(slots=True)
class KnownGame:
    """A game in the log: its first row, when it began, and what it was of the event."""

    began_ms: int
    first: int
    pairing: Pairing | None


@dataclass(slots=True)
class TableAtHand:
    """A table, the game that is on there, and all of its games in the order of their beginning.

    ``settled_ms`` is since when nothing is played of the present game, None while it is.
    ``judged`` is the pairing of which that was last asked.
    ``asleep``: the present game's recorder knows its plan and none of its rows.
    """

    setup: TablePlan
    present: GuardedGameRecorder
    games: dict[str, KnownGame] = field(default_factory=dict)
    look: BoardSeen | None = None
    settled_ms: int | None = None
    judged: Pairing | None = None
    asleep: bool = False
    latest: GameStarted | None = None

    @property
    def game(self) -> str:
        """The name of the present game."""
        return self.present.plan.started.game

    @property
    def first(self) -> int:
        """The row with which the present game begins; 1 where the log has none."""
        return self.games[self.game].first if self.game in self.games else 1

    def lie_down(self) -> None:
        """Keep no more of the present game than how it is played; the log has the rest."""
        if not self.asleep:
            self.present = GuardedGameRecorder(self.present.plan)
            self.asleep = True
