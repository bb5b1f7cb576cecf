"""Tile sets as data: those that ship with the program, and how a file of your own is read.

A new language is one TOML file: beside this module, or anywhere, named by its path. Knows the
domain's ``TileSet`` and no game.
"""

import argparse
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

from recorder.domain.errors import NotationError
from recorder.domain.limits import AtMost, Like, Long, Within
from recorder.domain.record import GameStarted, OwnTiles
from recorder.domain.tiles import MOST_FACES, Face, TileSet, fault_of_face
from recorder.systems import read_file
from recorder.toml_text import toml_of

if TYPE_CHECKING:
    from recorder.declared.settings_file import Settings

SUFFIX = ".toml"


class TilesRecorded(TypedDict):
    """The part of a game's beginning that says which tiles are played with."""

    tile_set: str
    own_tiles: OwnTiles | None


_NAME = Annotated[str, Like("[a-z][a-z0-9_-]{0,31}")]
_ENTRY = re.compile(r"\{[^{}]*\}")
_NUMBERED = re.compile(r"^.*? \[\[faces\]\] (\d+): ")


@dataclass(frozen=True, slots=True, kw_only=True)
class _FaceEntry:
    """One line of ``faces``."""

    label: Annotated[str, Long(1, 20)]
    count: Annotated[int, Within(-100, 200)]
    value: Annotated[int, Within(-100, 100)]
    vowel: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _TileSetFile:
    """A file of a tile set."""

    name: _NAME
    blanks: Annotated[int, Within(0, 20)] = 2
    faces: Annotated[tuple[_FaceEntry, ...], AtMost(MOST_FACES)]


@cache
def _file() -> "Settings[_TileSetFile]":
    """How a file is read; made when one is, for a command line names sets and reads none."""
    from recorder.declared.settings_file import Settings

    return Settings(_TileSetFile, types={_FaceEntry: Settings(_FaceEntry)})


def tile_set_names() -> tuple[str, ...]:
    """The names of the sets that ship with the program, sorted."""
    names = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX)))


def tile_set_argument(text: str) -> str:
    """The name of a shipped set or the path of a file, for a command line, which refuses others."""
    if text in tile_set_names():
        return text
    try:
        load_tile_set(text)
    except NotationError as fault:
        raise argparse.ArgumentTypeError(str(fault)) from None
    return text


def tile_set_of(started: "GameStarted") -> TileSet:
    """The tiles that a game is played with, as its beginning records them.

    NotationError for a set that is neither recorded nor shipped.
    """
    own = started.own_tiles
    if own is None:
        return load_tile_set(started.tile_set)
    return _recorded(started.tile_set, own.faces, own.blanks)


@cache
def _recorded(name: str, faces: tuple[Face, ...], blanks: int) -> TileSet:
    return TileSet(name, faces, blanks)


def recorded_tiles(tile_set: TileSet) -> "TilesRecorded":
    """What ``GameStarted`` says of a set: its name, and its faces where no release ships them."""
    shipped = tile_set.name in tile_set_names() and load_tile_set(tile_set.name) == tile_set
    own = None if shipped else OwnTiles(tile_set.faces, tile_set.blanks)
    return {"tile_set": tile_set.name, "own_tiles": own}


def load_tile_set(name: str, folder: Path = Path()) -> TileSet:
    """The tile set with this name, or in the file at this path (it ends in ``.toml``).

    A path is relative to ``folder``. NotationError names the sets there are, or file and line.
    """
    if name.endswith(SUFFIX):
        path = folder / name
        try:
            return parse_tile_set(read_file(path).decode("utf-8-sig"), source=str(path))
        except (OSError, UnicodeDecodeError) as err:
            raise NotationError(f"{path}: this tile set cannot be read: {err}") from err
    return _shipped(name)


@cache
def _shipped(name: str) -> TileSet:
    if name not in tile_set_names():
        from recorder.declared.near_names import meant

        known = ", ".join(tile_set_names())
        near = meant(name, tile_set_names())
        raise NotationError(
            f"no tile set {name!r}{near}; there are: {known}; or give the path of a {SUFFIX} file"
        )
    text = files(__name__).joinpath(f"{name}{SUFFIX}").read_text(encoding="utf-8")
    return parse_tile_set(text, source=f"{name}{SUFFIX}")


def parse_tile_set(text: str, *, source: str) -> TileSet:
    """The tile set written in a TOML text; NotationError names ``source``, line, and the fault."""
    try:
        given = _file().read(toml_of(text, source), source)
    except NotationError as err:
        raise NotationError(_with_line(str(err), text, source)) from None
    known: dict[str, int] = {}
    for number, entry in enumerate(given.faces):
        face = _face(entry)
        if wrong := fault_of_face(face):
            raise NotationError(f"{_line(text, number, source)}: {wrong}")
        if face.label in known:
            first = _line(text, known[face.label], "line").removeprefix("line:")
            raise NotationError(
                f"{_line(text, number, source)}: the label {face.label} is in line {first} already"
            )
        known[face.label] = number
    try:
        return TileSet(given.name, tuple(map(_face, given.faces)), given.blanks)
    except NotationError as err:
        raise NotationError(
            f"{_line(text, 0, source)}: {err}; mark them with vowel = true"
        ) from err


def _face(entry: _FaceEntry) -> Face:
    return Face(entry.label, entry.value, entry.count, entry.vowel)


def _line(text: str, number: int, source: str) -> str:
    """``source`` and the line of the entry with this number, as far as it is found."""
    found = next(islice(_ENTRY.finditer(text), number, None), None)
    return source if found is None else f"{source}:{text.count(chr(10), 0, found.start()) + 1}"


def _with_line(complaint: str, text: str, source: str) -> str:
    """A complaint about an entry with its line in place of its number."""
    numbered = _NUMBERED.match(complaint)
    if numbered is None:
        return complaint
    return f"{_line(text, int(numbered[1]) - 1, source)}: {complaint[numbered.end() :]}"
