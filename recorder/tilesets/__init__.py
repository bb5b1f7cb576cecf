"""The tile sets that ship with the program, as data, and how they are read.

A new language is a new TOML file beside this module. It knows the domain's ``TileSet`` only.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from recorder.domain.errors import NotationError
from recorder.domain.tiles import TileSet

_KEYS = {"name", "letters", "counts", "values"}


def tile_set_names() -> tuple[str, ...]:
    """The names that ``load_tile_set`` knows, sorted."""
    names = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def load_tile_set(name: str) -> TileSet:
    """The tile set with this name; NotationError names the ones there are."""
    if name not in tile_set_names():
        known = ", ".join(tile_set_names())
        raise NotationError(f"no tile set {name!r}; there are: {known}")
    text = files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return parse_tile_set(text, source=f"{name}.toml")


def parse_tile_set(text: str, *, source: str) -> TileSet:
    """The tile set written in a TOML text; NotationError names ``source`` and what is wrong."""
    try:
        data: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as err:
        raise NotationError(f"{source}: {err}") from err
    if set(data) != _KEYS:
        wrong = ", ".join(sorted(set(data) ^ _KEYS))
        raise NotationError(f"{source}: missing or unknown keys: {wrong}")
    for table in ("counts", "values"):
        pairs = data[table].items() if isinstance(data[table], dict) else ()
        if not pairs or any(type(number) is not int or len(tile) != 1 for tile, number in pairs):
            raise NotationError(f"{source}: [{table}] needs one whole number per tile")
    return TileSet(str(data["name"]), data["counts"], data["values"], str(data["letters"]))
