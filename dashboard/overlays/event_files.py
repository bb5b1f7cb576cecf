"""Two optional files that a streamer gives: the tournament's standings, and its look.

Both are read strictly as data (TOML, JSON, CSV), never as code; a fault names file and entry. What
a file does not say is absent, never made up.
"""

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NewType, cast

from dashboard.overlays.faces import Picture, as_small_as_shown, flags, picture_type
from recorder.declared.codec import Json, RuleFault
from recorder.declared.field_types import FieldType, converted, type_of_field
from recorder.declared.json_objects import parse_json
from recorder.declared.settings_file import FileCodec, Settings
from recorder.domain.errors import NotationError
from recorder.domain.limits import AnyText, Like, Wanted, Within
from recorder.frames import public
from recorder.systems import read_file
from recorder.toml_text import toml_of

PANELS = {"studio": "#0d121b", "paper": "#faf8f3", "contrast": "#000000"}
"""The colour on which each theme writes."""
LEAST_CONTRAST = 3.0
"""Of a player's colour on the panel: that of large type and marks (WCAG 1.4.3, 1.4.11)."""
_MOST_BYTES = 2_000_000
_MOST_GIVEN_BYTES, _MOST_GIVEN_PIXELS = 40_000_000, 80_000_000
"""Of a logo as it comes from print: what is too large for a browser is made smaller."""
_MOST_TEXT = 80
_MOST_NUMBER = 100_000


Short = NewType("Short", str)
"""A text of a few words, or a number, in a file."""
Country = NewType("Country", str)
"""An ISO 3166 code of which there is a flag."""
Whole = NewType("Whole", int)
"""A whole number, or its digits as a text."""


def _short(value: str | int) -> Short:
    text = str(value).strip()
    if len(text) > _MOST_TEXT:
        raise NotationError(f"longer than {_MOST_TEXT} characters")
    return Short(text)


def _country(value: str | int) -> Country:
    code = str(value).strip().upper()
    if code not in flags():
        raise NotationError(f"{code[:20]!r} is not a country such as NG, SE or GB-ENG (ISO 3166)")
    return Country(code)


def _whole(value: str | int) -> Whole:
    text = str(value).strip().replace("\N{MINUS SIGN}", "-")
    if not re.fullmatch(r"[+-]?[0-9]{1,6}", text):
        raise NotationError(f"{text[:20]!r} is not a whole number")
    return Whole(max(-_MOST_NUMBER, min(_MOST_NUMBER, int(text))))


_GIVEN = Annotated[str, AnyText()] | Annotated[int, Within(-999_999, 999_999)]
_TYPES: Mapping[Any, FieldType] = {
    Short: converted(type_of_field(Annotated[_GIVEN, Wanted("a text")]), _short, str),
    Country: converted(type_of_field(Annotated[_GIVEN, Wanted("a country")]), _country, str),
    Whole: converted(type_of_field(Annotated[_GIVEN, Wanted("a whole number")]), _whole, int),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerCard:
    """A player's entry: ``[[player]]``, or a line of a CSV file."""

    name: Short
    wins: Whole | None = None
    losses: Whole | None = None
    draws: Whole | None = None
    spread: Whole | None = None
    place: Whole | None = None
    rating: Whole | None = None
    origin: Short = Short("")
    country: Country = Country("")
    photo: Short = Short("")


@dataclass(frozen=True, slots=True, kw_only=True)
class NextGame:
    """Who plays next, when, and in which round."""

    players: tuple[Short, ...] = ()
    at: Short = Short("")
    round: Short = Short("")


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentFile:
    """The standings; ``players`` may be said for ``player``."""

    title: Short = Short("")
    round: Short = Short("")
    next: NextGame | None = None
    player: Annotated[tuple[Mapping[str, Any], ...], Wanted("a list of tables")] = ()
    players: Annotated[tuple[Mapping[str, Any], ...], Wanted("a list of tables")] = ()


def _pair(next_game: NextGame) -> RuleFault | None:
    if len(next_game.players) in (0, 2):
        return None
    return RuleFault("players", "the names of two players", list(next_game.players))


CARD: FileCodec[PlayerCard] = FileCodec(
    PlayerCard,
    renamed={"origin": "from"},
    spared=["wins", "losses", "draws", "spread", "place", "rating", "origin", "country", "photo"],
    types=_TYPES,
)
_NEXT: FileCodec[NextGame] = FileCodec(
    NextGame, spared=["players", "at", "round"], types=_TYPES, rule=_pair
)
TOURNAMENT: FileCodec[TournamentFile] = FileCodec(
    TournamentFile,
    spared=["title", "round", "next", "player", "players"],
    types={**_TYPES, NextGame: _NEXT},
)


@dataclass(frozen=True, slots=True)
class Tournament:
    """Cards of players by their folded names, the event's title and round, and what is next."""

    cards: Mapping[str, public.PlayerCard] = field(default_factory=dict)
    event: public.EventHeadline = field(default_factory=public.EventHeadline)

    def card(self, name: str) -> public.PlayerCard:
        """What the file says of a player; nothing of one whom it does not know."""
        return self.cards.get(_folded(name), {})


Colour = Annotated[str, Like("#[0-9a-fA-F]{6}"), Wanted("a colour like #1a6fd4")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Colours:
    """``[colours]``: those of both players."""

    player_1: Colour
    player_2: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandingFile:
    """The look; ``logo``, ``sponsor`` and ``backdrop`` are files beside this one.

    ``watch`` is where viewers find the games, for the code on air.
    """

    title: Short = Short("")
    logo: Short = Short("")
    sponsor: Short = Short("")
    backdrop: Short = Short("")
    watch: Annotated[str, Like("(https?://[^\\s]{1,200})?"), Wanted("an address with https://")] = (
        ""
    )
    colours: Colours | None = None


BRANDING: Settings[BrandingFile] = Settings(BrandingFile, types=_TYPES)


@dataclass(frozen=True, slots=True)
class Branding:
    """An event's title, its players' colours by theme, and its pictures."""

    title: str = ""
    colours: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    logo: Picture = field(default_factory=Picture)
    sponsor: Picture = field(default_factory=Picture)
    backdrop: Picture = field(default_factory=Picture)
    watch: str = ""
    warnings: tuple[str, ...] = ()

    def picture(self, name: str) -> Picture:
        """``logo``, ``sponsor`` or ``backdrop``."""
        return {"logo": self.logo, "sponsor": self.sponsor, "backdrop": self.backdrop}[name]

    def css(self) -> str:
        """A style sheet with nothing but the players' colours."""
        return "".join(
            f':root[data-theme="{theme}"] {{ --player-0: {first}; --player-1: {second}; }}\n'
            for theme, (first, second) in self.colours.items()
        )


def read_tournament(path: Path) -> Tournament:
    """The standings from a TOML, JSON or CSV file. NotationError names file and entry at fault."""
    text = _text(path)
    if path.suffix.lower() == ".csv":
        return Tournament(_cards(path, _lines(path, text)))
    file = TOURNAMENT.read(_object(path, text), str(path))
    event = {
        name: value
        for name, value in TOURNAMENT.write(file).items()
        if name in ("title", "round", "next")
    }
    cards = _cards(path, file.player or file.players)
    return Tournament(cards, cast("public.EventHeadline", event))


def read_branding(path: Path) -> Branding:
    """The look from a TOML file; pictures are PNG, JPEG, WebP. NotationError says what is wrong."""
    file = BRANDING.read(_object(path, _text(path)), str(path))
    colours, warnings = _fitting(path, file.colours) if file.colours else ({}, ())
    given = {"logo": file.logo, "sponsor": file.sponsor, "backdrop": file.backdrop}
    pictures = {what: _picture(path, what, name) for what, name in given.items() if name}
    return Branding(file.title, colours, warnings=warnings, watch=file.watch, **pictures)


def contrast(colour: str, other: str) -> float:
    """The contrast of two colours (``#rrggbb``) by WCAG 2: 1 to 21."""
    light, dark = sorted((_luminance(colour), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise NotationError(f"{path}: larger than {_MOST_BYTES} bytes")
        text = read_file(path, _MOST_BYTES).decode("utf-8-sig")
        return text.replace("\r\n", "\n").replace("\r", "\n")
    except (OSError, UnicodeDecodeError) as err:
        raise NotationError(f"{path}: cannot be read as text: {err}") from err


def _lines(path: Path, text: str) -> list[dict[str, Any]]:
    try:
        return list(csv.DictReader(text.splitlines()))
    except csv.Error as err:
        raise NotationError(f"{path}: not CSV: {err}") from err


def _object(path: Path, text: str) -> Json:
    if path.suffix.lower() != ".json":
        return toml_of(text, str(path))
    try:
        content = parse_json(text)
    except (ValueError, RecursionError) as err:
        raise NotationError(f"{path}: {err}") from err
    if not isinstance(content, dict):
        raise NotationError(f"{path}: needs names and values, not a {type(content).__name__}")
    return content


def _cards(path: Path, players: Iterable[Mapping[str, Any]]) -> dict[str, public.PlayerCard]:
    cards: dict[str, public.PlayerCard] = {}
    for number, player in enumerate(players, 1):
        said = {key: value for key, value in player.items() if value not in (None, "")}
        if not str(said.get("name", "")).strip():
            raise NotationError(f"{path}: player {number} has no name")
        card = CARD.read(said, f"{path}: player {number}, {str(said['name'])[:_MOST_TEXT]}")
        shown = CARD.write(card)
        cards[_folded(shown.pop("name"))] = cast("public.PlayerCard", shown)
    return cards


def _fitting(path: Path, colours: Colours) -> tuple[dict[str, tuple[str, str]], tuple[str, ...]]:
    """The colours by the theme on whose panel they can be read, and what is said of the others."""
    pair = (colours.player_1, colours.player_2)
    fits: dict[str, tuple[str, str]] = {}
    warnings = []
    for theme, panel in PANELS.items():
        pale = [colour for colour in pair if contrast(colour, panel) < LEAST_CONTRAST]
        if pale:
            warnings.append(
                f"{path}: {' and '.join(pale)} cannot be read on the panels of {theme} (contrast"
                f" below {LEAST_CONTRAST:g}); that theme keeps its own colours"
            )
        else:
            fits[theme] = pair
    return fits, tuple(warnings)


def _picture(path: Path, what: str, name: str) -> Picture:
    file = path.parent / name
    try:
        if file.stat().st_size > _MOST_GIVEN_BYTES:
            most = f"{_MOST_GIVEN_BYTES // 1_000_000} MB"
            raise NotationError(f"{path}: the {what} {file} is larger than {most}")
        content = read_file(file, _MOST_GIVEN_BYTES)
    except OSError as err:
        raise NotationError(f"{path}: the {what} {file} cannot be read: {err.strerror}") from err
    if not picture_type(content, _MOST_GIVEN_PIXELS):
        raise NotationError(
            f"{path}: the {what} {file} is not a whole PNG, JPEG or WebP"
            f" of up to {_MOST_GIVEN_PIXELS // 1_000_000} million pixels"
        )
    if len(content) > _MOST_BYTES or not picture_type(content):
        try:
            content = as_small_as_shown(content)
        except ValueError as err:
            raise NotationError(f"{path}: the {what} {file} cannot be decoded: {err}") from err
    return Picture(content, picture_type(content))


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
