"""What is kept of every game that the public has: its highest plays, and that it is over.

Pure, and small: a game that is over takes a line here; its turns stay in the log.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from recorder.declared.codec import Json
from recorder.domain.event.seating import Pairing
from recorder.domain.tiles import RACK_SIZE
from recorder.projections.broadcast import Projection
from recorder.projections.high_words import high_words_of, plays_not_taken_back
from recorder.projections.sheet import SheetLine
from recorder.texts import names_shown

if TYPE_CHECKING:
    from recorder.domain.event.highs import HighWord

_Key = tuple[int, str]
"""A table and the name of a game there."""


class PublicGames:
    """The games of one log, as late as everything public."""

    def __init__(self) -> None:
        self._highest: dict[_Key, int] = {}
        self._words: dict[_Key, tuple[HighWord, ...]] = {}
        self._over: dict[_Key, tuple[Json, Pairing | None]] = {}
        self._upto: dict[int, int] = {}
        self.changed: set[_Key] = set()
        """Finished games of which more has become public since another is on at their tables."""
        self.high_words: tuple[HighWord, ...] = ()
        """The highest plays of each game of the event that is over; the same object until then."""

    def take(self, table: int, public: Projection) -> None:
        """A table's game as it is."""
        self._upto[table] = public.seq
        self.take_game(table, public)

    def take_game(self, table: int, public: Projection) -> None:
        """A game of a table as it is; a play that was taken back does not count."""
        if public.started is None:
            return
        key = (table, public.started.game)
        plays = plays_not_taken_back(public)
        self._highest[key] = max((line.score for line in plays), default=0)
        words = high_words_of(public)
        if public.is_over:
            self._over[key] = _told_of(table, public, plays), public.started.pairing
        else:
            self._over.pop(key, None)
        if words != self._words.get(key, ()):
            self._words[key] = words
            self.high_words = tuple(word for found in self._words.values() for word in found)

    def clear(self) -> None:
        """Another log."""
        for kept in (self._highest, self._words, self._over, self._upto, self.changed):
            kept.clear()
        self.high_words = ()

    @property
    def highest(self) -> int | None:
        """Points of all games; None in the first one, where every play would be a record."""
        return max(self._highest.values()) if len(self._highest) > 1 else None

    def over(self, counts: Callable[[Pairing], bool] = lambda _: True) -> list[Json]:
        """The finished games in the order in which they ended; ``counts``: of those of an event."""
        return [
            {**game, "counts": pairing is None or counts(pairing)}
            for game, pairing in self._over.values()
        ]

    def is_over(self, table: int, game: str) -> bool:
        """Whether the public knows that a game is."""
        return (table, game) in self._over

    def upto(self, table: int) -> int:
        """The last row of a table that the public has; 0 before there is one."""
        return self._upto.get(table, 0)


def _told_of(table: int, public: Projection, plays: Sequence[SheetLine]) -> Json:
    """A game that is over; ``plays`` are those that were not taken back."""
    started, state = public.started, public.state
    assert started is not None
    assert state is not None
    return {
        "table": table,
        "game": started.game,
        "round": started.pairing.round if started.pairing is not None else None,
        "division": started.pairing.division if started.pairing is not None else None,
        "bingos": [
            sum(line.player == player and len(line.squares) == RACK_SIZE for line in plays)
            for player in (0, 1)
        ],
        "result": public.result(),
        "highest": _play(max(plays, key=lambda line: line.score, default=None)),
        "players": [
            {"name": name, "score": score}
            for name, score in zip(names_shown(started.players), state.scores, strict=True)
        ],
    }


def _play(line: SheetLine | None) -> Json | None:
    if line is None:
        return None
    word = line.words[0] if line.words else line.word
    return {"player": line.player, "word": word, "score": line.score}
