"""Two optional files that a streamer gives: the tournament's standings, and its look.

Both are read strictly as data (TOML, JSON, CSV), never as code; a fault names file and entry. What
a file does not say is absent, never made up.
"""

import csv
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from recorder.domain.errors import NotationError
from recorder.wire import Json

PANELS = {"studio": "#0d121b", "paper": "#faf8f3", "contrast": "#000000"}
"""The colour on which each theme writes."""
LEAST_CONTRAST = 3.0
"""Of a player's colour on the panel: that of large type and marks (WCAG 1.4.3, 1.4.11)."""
_MOST_BYTES = 2_000_000
_MOST_TEXT = 80
_MOST_NUMBER = 100_000
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_NUMBERS = ("wins", "losses", "draws", "spread", "place", "rating")
_LOGO_TYPES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"RIFF": "image/webp",
}


@dataclass(frozen=True, slots=True)
class Tournament:
    """Cards of players by their folded names, the event's title and round, and what is next."""

    cards: Mapping[str, Json] = field(default_factory=dict)
    event: Json = field(default_factory=dict)

    def dress(self, frame: Json) -> Json:
        """The frame with ``cards`` of both players and ``event``, where the file has any."""
        cards = [self.cards.get(_folded(player["name"])) for player in frame["players"]]
        told = {**frame, "cards": cards} if any(cards) else frame
        return {**told, "event": self._event()} if self.event else told

    def _event(self) -> Json:
        """The event, with the cards of those who play next."""
        pair = self.event.get("next", {}).get("players")
        if not pair:
            return self.event
        cards = [self.cards.get(_folded(name)) for name in pair]
        return {**self.event, "next": {**self.event["next"], "cards": cards}}


@dataclass(frozen=True, slots=True)
class Branding:
    """An event's title, its players' colours by theme, and its logo with the logo's media type."""

    title: str = ""
    colours: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    logo: bytes = b""
    logo_type: str = ""
    warnings: tuple[str, ...] = ()

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
        return Tournament(_cards(path, list(csv.DictReader(text.splitlines()))))
    told = _object(path, text)
    players = told.get("player", told.get("players", []))
    if not isinstance(players, list):
        raise NotationError(f"{path}: player must be a list of tables")
    event: Json = {
        name: _short(path, name, told[name]) for name in ("title", "round") if name in told
    }
    if "next" in told:
        event["next"] = _next(path, told["next"])
    return Tournament(_cards(path, players), event)


def read_branding(path: Path) -> Branding:
    """The look from a TOML file. NotationError names what is wrong; a logo is PNG, JPEG or WebP."""
    told = _object(path, _text(path))
    unknown = told.keys() - {"title", "logo", "colours"}
    if unknown:
        raise NotationError(
            f"{path}: unknown {', '.join(sorted(unknown))}; there are: title, logo, colours"
        )
    colours, warnings = _colours(path, told.get("colours", {}))
    logo, logo_type = b"", ""
    if "logo" in told:
        logo, logo_type = _logo(path, _short(path, "logo", told["logo"]))
    title = _short(path, "title", told["title"]) if "title" in told else ""
    return Branding(title, colours, logo, logo_type, warnings)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours (``#rrggbb``) by WCAG 2: 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise NotationError(f"{path}: larger than {_MOST_BYTES} bytes")
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as err:
        raise NotationError(f"{path}: cannot be read as text: {err}") from err


def _object(path: Path, text: str) -> Json:
    try:
        told = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as err:
        raise NotationError(f"{path}: {err}") from err
    if not isinstance(told, dict):
        raise NotationError(f"{path}: needs names and values, not a {type(told).__name__}")
    return told


def _cards(path: Path, players: list[Any]) -> dict[str, Json]:
    cards: dict[str, Json] = {}
    for number, player in enumerate(players, 1):
        if not isinstance(player, Mapping) or not str(player.get("name") or "").strip():
            raise NotationError(f"{path}: player {number} has no name")
        name = _short(path, f"name of player {number}", player["name"])
        card: Json = {
            key: _number(path, f"{key} of {name}", player[key])
            for key in _NUMBERS
            if player.get(key) not in (None, "")
        }
        if player.get("from"):
            card["from"] = _short(path, f"from of {name}", player["from"])
        cards[_folded(name)] = card
    return cards


def _next(path: Path, told: object) -> Json:
    if not isinstance(told, Mapping):
        raise NotationError(f"{path}: next must be a table with players, at, round")
    pair = told.get("players", [])
    if not isinstance(pair, list) or len(pair) not in (0, 2):
        raise NotationError(f"{path}: next.players must name two players")
    names = [_short(path, "next.players", name) for name in pair]
    texts = {key: _short(path, f"next.{key}", told[key]) for key in ("at", "round") if key in told}
    return {**texts, **({"players": names} if names else {})}


def _short(path: Path, name: str, value: object) -> str:
    if not isinstance(value, str | int) or len(str(value)) > _MOST_TEXT:
        raise NotationError(f"{path}: {name} must be a text of {_MOST_TEXT} characters at most")
    return str(value).strip()


def _number(path: Path, name: str, value: object) -> int:
    text = str(value).strip().replace("\N{MINUS SIGN}", "-")
    if isinstance(value, bool) or not re.fullmatch(r"[+-]?[0-9]{1,6}", text):
        raise NotationError(f"{path}: {name} must be a whole number, not {str(value)[:20]!r}")
    return max(-_MOST_NUMBER, min(_MOST_NUMBER, int(text)))


def _colours(path: Path, told: object) -> tuple[dict[str, tuple[str, str]], tuple[str, ...]]:
    if not isinstance(told, Mapping) or told.keys() - {"player_1", "player_2"}:
        raise NotationError(f"{path}: colours may name player_1 and player_2")
    if not told:
        return {}, ()
    pair = (str(told.get("player_1", "")), str(told.get("player_2", "")))
    for number, colour in enumerate(pair, 1):
        if not _COLOUR.fullmatch(colour):
            raise NotationError(
                f"{path}: colours.player_{number} must look like #1a6fd4, not {colour[:20]!r}"
            )
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


def _logo(path: Path, name: str) -> tuple[bytes, str]:
    file = path.parent / name
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise NotationError(f"{path}: the logo {file} is larger than {_MOST_BYTES} bytes")
        content = file.read_bytes()
    except OSError as err:
        raise NotationError(f"{path}: the logo {file} cannot be read: {err.strerror}") from err
    for start, media in _LOGO_TYPES.items():
        if content.startswith(start) and (media != "image/webp" or content[8:12] == b"WEBP"):
            return content, media
    raise NotationError(f"{path}: the logo {file} is no PNG, JPEG or WebP")


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
