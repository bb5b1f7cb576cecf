"""The highest plays of the recorded games of an event; a play that was taken back is none."""

from collections.abc import Callable, Iterable
from heapq import nlargest

from recorder.domain.event.highs import HighWord
from recorder.domain.record import GameStarted
from recorder.log.port import Row
from recorder.projections.broadcast import Projection
from recorder.projections.sheet import LAID_KINDS, SheetLine

_MOST_WORDS = 8
"""Plays that are kept of a game."""


def plays_not_taken_back(game: Projection) -> list[SheetLine]:
    """The plays of a game that have not been withdrawn."""
    standing: list[SheetLine] = []
    for line in game.lines:
        if line.kind in LAID_KINDS:
            standing.append(line)
        elif line.kind == "withdraw":
            standing.pop()
    return [line for line in standing if line.kind == "play"]


def high_words_of(game: Projection) -> tuple[HighWord, ...]:
    """The highest plays of a game that is over; none of a game that is no game of the event."""
    pairing = game.started.pairing if game.started is not None else None
    if pairing is None or not game.is_over:
        return ()
    numbers = (pairing.first, pairing.second)
    return tuple(
        HighWord(
            pairing.division, pairing.round, numbers[line.player],
            line.words[0] if line.words else line.word, line.score,
            numbers[1 - line.player], pairing.attempt,
        )
        for line in nlargest(_MOST_WORDS, plays_not_taken_back(game), key=lambda line: line.score)
    )  # fmt: skip


def fold_games(rows: Iterable[Row], ended: Callable[[Projection], None]) -> dict[int, Projection]:
    """The game that is on at each table; ``ended`` gets every game after its last row.

    Each is folded for itself: an earlier game is corrected while another is on at its table.
    """
    games: dict[tuple[int, str], Projection] = {}
    tables: dict[int, Projection] = {}
    for row in rows:
        key = row.table, row.game
        if isinstance(row.says, GameStarted):
            tables[row.table] = games.setdefault(key, Projection(row.table))
        if key in games:
            games[key].advance(row)
    for game in games.values():
        ended(game)
    return tables


def recorded_high_words(rows: Iterable[Row]) -> tuple[HighWord, ...]:
    """The highest plays of each game that a log has."""
    found: list[HighWord] = []
    fold_games(rows, lambda game: found.extend(high_words_of(game)))
    return tuple(found)
