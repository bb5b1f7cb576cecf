"""Photographs with a known truth, as folders keep them: what to read and what should come out.

Three kinds of folder are known: one JSON beside each picture (``rows``, ``corners_tl_tr_br_bl``,
``racks``, ``group``), a ``truth.json`` with ``frames`` (``image``, ``board``, ``board_visible``),
and a ``truth.json`` with ``boards`` of single tiles cut out (``rows``, ``crops``).
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recorder.domain.errors import NotationError
from recorder.domain.observations import Corners
from recorder.domain.tile_text import tile_parts

_LANGUAGES = {"de": "german", "en": "english"}
_TRUTH = "truth.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSample:
    """A photograph of a board. ``rows`` is None where only the racks are known."""

    path: Path
    group: str
    tile_set: str
    rows: tuple[str, ...] | None
    corners: Corners | None = None
    racks: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TileSample:
    """A picture of a single tile, about one square wide, and its symbol."""

    path: Path
    group: str
    tile_set: str
    symbol: str


def find_samples(folder: Path, tile_set: str | None = None) -> Iterator[BoardSample | TileSample]:
    """All samples of a folder in the order of names; NotationError when there is no truth in it.

    ``tile_set`` overrules what the files say of the language; english where they say nothing.
    """
    if not folder.is_dir():
        raise NotationError(f"{folder}: not a folder")
    truth_path = folder / _TRUTH
    if truth_path.exists():
        truth = _load(truth_path)
        chosen = tile_set or str(truth.get("tile_set", "english"))
        if "frames" in truth:
            yield from _from_frames(folder, truth, chosen)
        elif "boards" in truth:
            yield from _from_crops(folder, truth, chosen)
        else:
            raise NotationError(f"{truth_path}: has neither frames nor boards")
        return
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise NotationError(f"{folder}: no truth.json and no JSON beside the pictures")
    for path in paths:
        yield _from_json(path, _load(path), tile_set)


def as_symbols(rows: tuple[str, ...]) -> tuple[str, ...]:
    """The 225 symbols that eyes should see: a blank's letter cannot be seen, so it is "?"."""
    parts = tile_parts("".join(rows))
    return tuple("?" if part.strip("[]").islower() else part for part in parts)


def _load(path: Path) -> dict[str, Any]:
    try:
        loaded = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as err:
        raise NotationError(f"{path}: {err}") from err
    if not isinstance(loaded, dict):
        raise NotationError(f"{path}: not a JSON object")
    return loaded


def _from_frames(folder: Path, truth: Mapping[str, Any], tile_set: str) -> Iterator[BoardSample]:
    group = str(truth.get("game", folder.name))
    for frame in truth["frames"]:
        if frame.get("image"):
            rows = _rows(frame.get("board_visible") or frame["board"], folder / _TRUTH)
            path = folder / str(frame["image"])
            yield BoardSample(path=path, group=group, tile_set=tile_set, rows=rows)


def _from_crops(folder: Path, truth: Mapping[str, Any], tile_set: str) -> Iterator[TileSample]:
    for group, board in truth["boards"].items():
        rows = _rows(board["rows"], folder / _TRUTH)
        for place, name in board["crops"].items():
            row, col = (int(number) for number in str(place).split(","))
            symbol = as_symbols(rows)[row * 15 + col]
            path = folder / str(name)
            yield TileSample(path=path, group=str(group), tile_set=tile_set, symbol=symbol)


def _from_json(path: Path, truth: Mapping[str, Any], tile_set: str | None) -> BoardSample:
    corners = truth.get("corners_tl_tr_br_bl")
    racks = truth.get("racks")
    rows = truth.get("rows")
    language = _LANGUAGES.get(str(truth.get("language")), "english")
    return BoardSample(
        path=path.with_name(str(truth["image"])) if "image" in truth else path.with_suffix(".jpg"),
        group=str(truth.get("group", path.parent.name)),
        tile_set=tile_set or str(truth.get("tile_set", language)),
        rows=None if rows is None else _rows(rows, path),
        corners=None if corners is None else _corners(corners, path),
        racks=None if racks is None else tuple(_rack(rack) for rack in racks),
    )


def _rack(rack: object) -> str:
    return str(rack["letters"]) if isinstance(rack, dict) else str(rack)


def _rows(rows: object, path: Path) -> tuple[str, ...]:
    if not isinstance(rows, list) or [len(str(row)) for row in rows] != [15] * 15:
        raise NotationError(f"{path}: a board needs 15 rows of 15 characters")
    return tuple(str(row) for row in rows)


def _corners(corners: object, path: Path) -> Corners:
    if not isinstance(corners, list) or len(corners) != 4:
        raise NotationError(f"{path}: corners_tl_tr_br_bl needs four points")
    tl, tr, br, bl = ((float(x), float(y)) for x, y in corners)
    return tl, tr, br, bl
