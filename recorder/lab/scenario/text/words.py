"""The words of one line of a scenario, read one after the other.

Every complaint says what was expected at that place.
"""

from collections.abc import Sequence
from typing import NoReturn

from recorder.domain.errors import NotationError
from recorder.domain.tiles import TileSet


class LineWords:
    """The words of a line; NotationError from any method says what is missing or wrong.

    Tiles are those of ``tile_set``, the longest label read first.
    """

    def __init__(self, text: str, tile_set: TileSet) -> None:
        self.tile_set = tile_set
        self._text, self._rest = text, text.strip()
        self.verb = self._rest.split()[0]

    def fail(self, reason: str) -> NoReturn:
        """Give up on the line."""
        raise NotationError(reason)

    def left(self) -> int:
        """How many words have not been read."""
        return len(self._rest.split())

    def peek_all(self) -> list[str]:
        """The words that have not been read."""
        return self._rest.split()

    def next(self, what: str = "a word") -> str:
        """The next word; ``what`` says what it should be."""
        word, _, rest = self._rest.partition(" ")
        if not word:
            raise NotationError(f"{self.verb}: {what} is missing")
        self._rest = rest.strip()
        return word

    def all(self, what: str) -> list[str]:
        """All words that are left, at least one."""
        words = self._rest.split()
        if not words:
            raise NotationError(f"{self.verb}: {what} is missing")
        self._rest = ""
        return words

    def rest(self) -> str:
        """The line from here on, as it is."""
        rest, self._rest = self._rest, ""
        return rest

    def end(self) -> None:
        """Nothing may follow."""
        if self._rest:
            raise NotationError(f"{self._text!r}: {self._rest!r} is not expected here")

    def one_of(self, allowed: Sequence[str], what: str) -> str:
        """The next word, one of those allowed."""
        word = self.next(f"{what} ({', '.join(allowed)})")
        if word not in allowed:
            raise NotationError(f"{word!r} is not {what}; it can be {', '.join(allowed)}")
        return str(word)

    def player(self) -> int:
        """A player: 1 or 2."""
        return int(self.one_of(("1", "2"), "a player"))

    def whole(self, what: str, *, least: int | None = None, most: int | None = None) -> int:
        """A whole number within bounds."""
        word = self.next(what)
        try:
            number = int(word)
        except ValueError as fault:
            raise NotationError(f"{word!r} is not a number: {what} is needed") from fault
        if (least is not None and number < least) or (most is not None and number > most):
            raise NotationError(f"{number}: {what} is needed, from {least} to {most}")
        return number
