"""Every text that people read, by the code that rows, messages and scripts carry.

Texts are data: one TOML file for each language, in sections; a text names its values in braces. No
program reads a text. The domain knows codes only and must not import this.
"""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any
from unicodedata import bidirectional, category

from recorder.domain.errors import NotationError, TilecastError
from recorder.domain.notices import PlainValue

COMMANDS = "commands.toml"
"""The help of the commands, beside the languages and not one of them."""

ENGLISH = "english"
LANGUAGE = "TILECAST_LANGUAGE"
"""The variable of the environment that chooses the language of a program; English without it."""
_PLAYER = "player"
_ENTRY = "entry"
_SECONDS = "seconds"
_TIME = "time"
_LEFT = "left"
_OTHERS = re.compile(r"\W+")
_FROM_THE_RIGHT = frozenset({"R", "AL"})
_BORROWED = "[English] {}"
"""How a text is shown that a language does not have, so that somebody adds it."""


class Catalogue:
    """The texts of one language, by section and code; English has what is missing.

    ``texts`` and ``fallback`` are sections of texts. A code that neither has, as a later release
    may write it, is shown as it is.
    """

    def __init__(
        self,
        texts: Mapping[str, Mapping[str, str]],
        fallback: Mapping[str, Mapping[str, str]] | None = None,
        players: tuple[str, str] | None = None,
        entries: Mapping[str, str] | None = None,
    ) -> None:
        self._texts = texts
        self._fallback = fallback or {}
        self._players = players
        self._entries = entries or {}

    def of_game(self, players: tuple[str, str]) -> "Catalogue":
        """The same with the names of a game's players; one without a name stays a number."""
        first, second = (
            name if is_shown(name) else self.text("word", "unnamed", number=number)
            for number, name in enumerate(players, start=1)
        )
        return Catalogue(self._texts, self._fallback, (first, second), self._entries)

    def with_entries(self, entries: Mapping[str, str]) -> "Catalogue":
        """The same with entries of the record in words, by their numbers, such as ``14.2``."""
        return Catalogue(self._texts, self._fallback, self._players, entries)

    def player(self, player: int) -> str:
        """A player of the game, 0 or 1, by name where it is known."""
        if self._players is not None and player in (0, 1):
            return self._players[player]
        return self.text("word", "player", number=player + 1)

    def entry(self, number: str) -> str:
        """An entry of the game's record, as what it is where that is known."""
        return self._entries.get(number) or self.text("row", "entry", number=number)

    def has(self, section: str, code: str) -> bool:
        """Whether there is such a text, in this language or in English."""
        return any(code in texts.get(section, {}) for texts in (self._texts, self._fallback))

    def text(self, section: str, code: str, **values: PlainValue) -> str:
        """A text with its values filled in.

        ``{player}`` 0 or 1 becomes "player 1" or "player 2", or the name in a game's catalogue;
        so does ``{number:player}`` 1 or 2, and ``{entry:entry}`` becomes "entry 14" or its words;
        ``{fell_ms:seconds}`` milliseconds become seconds, ``{from_ms:time}`` a time of day here,
        ``{left_ms:left}`` the time left on a clock;
        ``{tiles:tile|tiles}`` a number with its noun; ``{fault:@fault}`` the text of a code, or of
        several with spaces between, from a section, with the same values; ``{fault:@fault;}``
        puts semicolons between several.
        """
        own = self._texts.get(section, {}).get(code)
        if own is not None:
            return _Filling(self, values).vformat(own, (), values)
        borrowed = self._fallback.get(section, {}).get(code)
        if borrowed is not None:
            return _BORROWED.format(_Filling(self, values).vformat(borrowed, (), values))
        return code.replace("_", " ")

    def as_json(self) -> dict[str, dict[str, str]]:
        """All texts by section and code, as a page's scripts get them; values not filled in."""
        sections = {**self._fallback, **self._texts}
        return {
            name: {
                **{k: _BORROWED.format(v) for k, v in self._fallback.get(name, {}).items()},
                **self._texts.get(name, {}),
            }
            for name in sections
        }


class _Filling(Formatter):
    """Fills values in; one that is missing leaves its name, for a person is to read something."""

    def __init__(self, catalogue: Catalogue, values: Mapping[str, PlainValue]) -> None:
        self._catalogue = catalogue
        self._values = values

    def get_value(self, key: int | str, args: Any, kwargs: Mapping[str, Any]) -> Any:  # noqa: ARG002 - as Formatter has it
        value = kwargs.get(str(key), f"{{{key}}}")
        if key == _PLAYER and isinstance(value, int):
            return self._catalogue.player(value)
        return value

    def _codes(self, section: str, value: str) -> list[str]:
        """The codes of a value: a single one, whatever stands in it, or several with spaces."""
        whole = plain_code(value)
        known = [whole] if self._catalogue.has(section, whole) else value.split()
        return [code if self._catalogue.has(section, code) else plain_code(code) for code in known]

    def format_field(self, value: Any, format_spec: str) -> Any:
        if format_spec.startswith("@"):
            section, sep = (
                format_spec[1:].removesuffix(";"),
                "; " if format_spec[-1] == ";" else ", ",
            )
            codes = self._codes(section, str(value))
            return sep.join(self._catalogue.text(section, code, **self._values) for code in codes)
        if format_spec in (_ENTRY, _PLAYER):
            return self._of_game(str(value), format_spec)
        if format_spec in (_SECONDS, _TIME, _LEFT) and isinstance(value, int | float):
            return self._of_milliseconds(value, format_spec)
        if "|" in format_spec:
            single, many = format_spec.split("|")
            shown = figure(str(value)) if isinstance(value, int | float) else value
            return f"{shown} {single if value == 1 else many}"
        if format_spec == _SECONDS:
            return str(value)
        shown = super().format_field(value, format_spec)
        return figure(shown) if isinstance(value, int | float) else apart(shown)

    def _of_game(self, value: str, format_spec: str) -> str:
        if format_spec == _ENTRY:
            return ", ".join(map(self._catalogue.entry, value.split(", ")))
        return self._catalogue.player(int(value) - 1) if value.isdecimal() else value

    def _of_milliseconds(self, value: float, format_spec: str) -> str:
        if format_spec == _TIME:
            return datetime.fromtimestamp(value / 1000, UTC).astimezone().strftime("%H:%M")
        if format_spec == _LEFT:
            return time_left(int(value))
        return self._catalogue.text("word", _SECONDS, number=figure(f"{value / 1000:.1f}"))


class WordedError(TilecastError):
    """An error by the code of its text: in the program's language, or in that of who reads it."""

    section = "request_fault"

    def __init__(self, code: str, **values: PlainValue) -> None:
        super().__init__(load_catalogue().text(self.section, code, **values))
        self._code, self._values = code, values

    def text(self, texts: Catalogue) -> str:
        """What is wrong, in another language."""
        return texts.text(self.section, self._code, **self._values)


class TextError(WordedError, NotationError):
    """What is wrong in what a person asked for."""


def plain_code(value: str) -> str:
    """A value as texts are named for it: with an underscore for all but letters and digits.

    >>> plain_code("P-GAP"), plain_code("out claimed")
    ('P_GAP', 'out_claimed')
    """
    return _OTHERS.sub("_", value).strip("_")


def apart(name: str) -> str:
    """A name that is written from the right, kept apart from the figures beside it.

    >>> apart("Anna"), len(apart("\N{HEBREW LETTER ALEF}"))
    ('Anna', 3)
    """
    from_the_right = any(bidirectional(letter) in _FROM_THE_RIGHT for letter in name)
    return f"\u2068{name}\u2069" if from_the_right else name


def figure(number: str) -> str:
    """A number as people read it, with a minus where it is one."""
    return number.replace("-", "\N{MINUS SIGN}")


def time_left(ms: int) -> str:
    """Minutes and seconds on a clock, with a minus in overtime."""
    seconds = abs(ms) // 1000
    return figure(f"{'-' if ms < 0 else ''}{seconds // 60}:{seconds % 60:02}")


def signed(points: int) -> str:
    """Points with their sign."""
    return figure(f"{points:+d}")


def values_of(text: str) -> set[str]:
    """The values that a text names."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def load_catalogue(language: str = "") -> Catalogue:
    """The catalogue of a language that ships; without a name, of the program's.

    NotationError names the languages there are.
    """
    return _catalogue(language or os.environ.get(LANGUAGE, "") or ENGLISH)


def is_shown(name: str) -> bool:
    """Whether there is anything to see of a name.

    >>> is_shown("Anna"), is_shown("\N{GRINNING FACE}"), is_shown(" \N{ZERO WIDTH SPACE}")
    (True, True, False)
    """
    return any(category(letter)[0] in "LNPS" for letter in name)


def names_shown(players: tuple[str, str]) -> tuple[str, str]:
    """The names of a game's players as people see them: who has none is "Player 1" or 2."""
    texts = load_catalogue().of_game(players)
    return texts.player(0), texts.player(1)


def say_printed(code: str, **values: PlainValue) -> str:
    """A text of a printed sheet in the program's language."""
    return load_catalogue().text("print", code, **values)


@cache
def _catalogue(language: str) -> Catalogue:
    english = _load(ENGLISH)
    if language == ENGLISH:
        return Catalogue(english)
    if language not in languages():
        raise NotationError(f"no texts in {language!r}; there are: {', '.join(languages())}")
    return Catalogue(_load(language), fallback=english)


def languages() -> tuple[str, ...]:
    """The languages that ship, English first."""
    return tuple(sorted(_names(), key=lambda name: (name != ENGLISH, name)))


def _names() -> Iterator[str]:
    for file in files(__name__).iterdir():
        if file.name.endswith(".toml") and file.name != COMMANDS:
            yield file.name.removesuffix(".toml")


def _load(language: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((files(__name__) / f"{language}.toml").read_text(encoding="utf-8"))
