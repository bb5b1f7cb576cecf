"""What is kept of every game that the public has: its highest play, and that it is over.

Pure, and small: a game that is over takes a line here; its turns stay in the log.
"""

from recorder.projections import Projection
from recorder.wire import Json

_Key = tuple[int, str]
"""A table and the name of a game there."""


class PublicGames:
    """The games of one log, as late as everything public."""

    def __init__(self) -> None:
        self._highest: dict[_Key, int] = {}
        self._over: dict[_Key, Json] = {}
        self._upto: dict[int, int] = {}

    def take(self, table: int, public: Projection) -> None:
        """A game as it is; a play that was taken back does not count."""
        self._upto[table] = public.seq
        if public.started is None:
            return
        key = (table, public.started.game)
        standing: list[int] = []
        for line in public.lines:
            if line.kind == "play":
                standing.append(line.score)
            elif line.kind == "withdraw" and standing:
                standing.pop()
        self._highest[key] = max(standing, default=0)
        if public.is_over:
            self._over[key] = _told_of(table, public)
        else:
            self._over.pop(key, None)

    def clear(self) -> None:
        """Another log."""
        for kept in (self._highest, self._over, self._upto):
            kept.clear()

    @property
    def highest(self) -> int | None:
        """Points of all games; None in the first one, where every play would be a record."""
        return max(self._highest.values()) if len(self._highest) > 1 else None

    def over(self) -> list[Json]:
        """The finished games in the order in which they ended."""
        return list(self._over.values())

    def is_over(self, table: int, game: str) -> bool:
        """Whether the public knows that a game is."""
        return (table, game) in self._over

    def upto(self, table: int) -> int:
        """The last row of a table that the public has; 0 before there is one."""
        return self._upto.get(table, 0)


def _told_of(table: int, public: Projection) -> Json:
    started, state = public.started, public.state
    assert started is not None
    assert state is not None
    return {
        "table": table,
        "game": started.game,
        "round": started.pairing.round if started.pairing is not None else None,
        "players": [
            {"name": name, "score": score}
            for name, score in zip(started.players, state.scores, strict=True)
        ],
    }
