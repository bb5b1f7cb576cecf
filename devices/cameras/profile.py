"""What calibration found out about the cameras over one table: versioned JSON files.

A board camera's profile holds where the field lay, how sure that was, and what the empty board
looks like; a rack camera's, where its rack stands. Old ones are kept beside the newest. Must not
know how any of it was measured.
"""

import json
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from recorder.domain.board import Premium
from recorder.domain.errors import NotationError
from recorder.domain.observations import Corners

VERSION = 2
"""1 knew corners only, and was for boards that never move."""

MeanColour = tuple[float, float, float]
_P = TypeVar("_P")


@dataclass(frozen=True, slots=True, kw_only=True)
class KindColour:
    """How empty squares of one kind look: the middle Lab colour as the eyes have it, its spread."""

    lab: MeanColour
    spread: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationProfile:
    """``corners`` as in ``BoardSeen``, for pictures of ``image_size`` (width, height) pixels.

    ``residual_px`` is how wrong the worst corner may be. ``fixed``: the board never moves nor
    turns, so the eyes look there only; else they search, as boards on turntables need it.
    ``empty`` is what the bare board looked like, by the name of the kind of square. ``made_at`` is
    the UTC time, ISO 8601.
    """

    source: str
    tile_set: str
    image_size: tuple[int, int]
    corners: Corners
    residual_px: float
    score: float = 0.0
    fixed: bool = True
    empty: Mapping[str, KindColour] = field(default_factory=dict)
    device: str = ""
    table: int = 0
    made_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RackProfile:
    """Where the one rack of a rack camera stands: left, top, right, bottom in pixels.

    For pictures of ``image_size``; tiles are ``tile_px`` wide there.
    """

    source: str
    image_size: tuple[int, int]
    region: tuple[int, int, int, int]
    tile_px: float
    device: str = ""
    table: int = 0
    made_at: str = ""


def save_profile(profile: CalibrationProfile | RackProfile, path: Path) -> Path | None:
    """Write the file anew; a reader sees the old one or the new one, never half of it.

    The one that was there is kept, under the name that is given back.
    """
    kind = "rack" if isinstance(profile, RackProfile) else "board"
    kept = keep_version(path)
    fresh = path.with_suffix(".new")
    document = {"version": VERSION, "kind": kind, **asdict(profile)}
    fresh.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    fresh.replace(path)
    return kept


def keep_version(path: Path) -> Path | None:
    """Copy a profile to ``name.v0001.json`` and so on, before it is written anew; None: no file.

    The name without a number is always the newest.
    """
    if not path.exists():
        return None
    numbers = [number for number, _ in kept_versions(path)]
    kept = path.with_name(f"{path.stem}.v{max(numbers, default=0) + 1:04d}{path.suffix}")
    shutil.copy2(path, kept)
    return kept


def kept_versions(path: Path) -> list[tuple[int, Path]]:
    """The older versions of a profile, the oldest first."""
    form = re.compile(re.escape(path.stem) + r"\.v([0-9]{4,})" + re.escape(path.suffix))
    found = ((form.fullmatch(file.name), file) for file in path.parent.glob(f"*{path.suffix}"))
    return sorted((int(match[1]), file) for match, file in found if match)


def load_profile(path: Path) -> CalibrationProfile:
    """Read a board camera's file. NotationError names what is wrong and how to get a good one."""
    return _load(path, "camera", _board)


def load_rack_profile(path: Path) -> RackProfile:
    """Read a rack camera's file. NotationError names what is wrong and how to get a good one."""
    return _load(path, "racks", _rack)


def _load(path: Path, step: str, read: Callable[[Any], _P]) -> _P:
    remedy = f"make it with: tilecast calibrate {step} TABLE.toml"
    try:
        return read(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise NotationError(f"{path}: no such profile; {remedy}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as err:
        raise NotationError(f"{path}: not a calibration profile ({err}); {remedy}") from err


def _board(document: Any) -> CalibrationProfile:
    if document["version"] not in (1, VERSION):
        raise ValueError(f"version {document['version']}, 1 and {VERSION} are read")
    if document.get("kind", "board") != "board":
        raise ValueError(f"it is of a {document['kind']} camera")
    width, height = document["image_size"]
    first, second, third, fourth = ((float(x), float(y)) for x, y in document["corners"])
    return CalibrationProfile(
        source=str(document["source"]),
        tile_set=str(document["tile_set"]),
        image_size=(int(width), int(height)),
        corners=(first, second, third, fourth),
        residual_px=float(document["residual_px"]),
        score=float(document.get("score", 0.0)),
        fixed=bool(document.get("fixed", True)),
        empty=_empty(document.get("empty", {})),
        device=str(document.get("device", "")),
        table=int(document.get("table", 0)),
        made_at=str(document.get("made_at", "")),
    )


def _empty(kinds: Any) -> dict[str, KindColour]:
    known = {premium.name for premium in Premium}
    if strange := set(kinds) - known:
        raise ValueError(f"squares of kind {', '.join(sorted(strange))}")
    result = {}
    for name, kind in kinds.items():
        light, red, yellow = (float(part) for part in kind["lab"])
        result[name] = KindColour(lab=(light, red, yellow), spread=float(kind["spread"]))
    return result


def _rack(document: Any) -> RackProfile:
    if document.get("kind") != "rack" or document["version"] != VERSION:
        raise ValueError("it is not of a rack camera")
    width, height = document["image_size"]
    left, top, right, bottom = (int(edge) for edge in document["region"])
    if not (0 <= left < right <= width and 0 <= top < bottom <= height):
        raise ValueError(f"the region {left}, {top}, {right}, {bottom} is not in the picture")
    return RackProfile(
        source=str(document["source"]),
        image_size=(int(width), int(height)),
        region=(left, top, right, bottom),
        tile_px=float(document["tile_px"]),
        device=str(document.get("device", "")),
        table=int(document.get("table", 0)),
        made_at=str(document.get("made_at", "")),
    )
