"""Tile sets as data: those that ship with the program, and how a file of your own is read.

A new language is one TOML file: beside this module, or anywhere, named by its path. Knows the
domain's ``TileSet`` and no game.
"""

import argparse
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from recorder.domain.errors import NotationError
from recorder.domain.limits import Long, Within
from recorder.domain.tiles import Face, TileSet, fault_of_face

if TYPE_CHECKING:
    from recorder.declared.settings_file import Settings

SUFFIX = ".toml"
_NAME = Annotated[str, Long(1, 40)]
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
    faces: tuple[_FaceEntry, ...]


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


def load_tile_set(name: str, folder: Path = Path()) -> TileSet:
    """The tile set with this name, or in the file at this path (it ends in ``.toml``).

    A path is relative to ``folder``. NotationError names the sets there are, or file and line.
    """
    if name.endswith(SUFFIX):
        path = folder / name
        try:
            return parse_tile_set(path.read_text(encoding="utf-8-sig"), source=str(path))
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
        given = _file().read(tomllib.loads(text), source)
    except tomllib.TOMLDecodeError as err:
        raise NotationError(f"{source}: not TOML: {err}") from err
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
        raise NotationError(f"{source}: {err}; mark them with vowel = true") from err


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
