"""What calibration found out about the cameras over one table: versioned JSON files.

A board camera's profile holds where the field lay, how sure that was, and what the empty board
looks like; a rack camera's, where its rack stands. Old ones are kept beside the newest. Must not
know how any of it was measured.
"""

import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from recorder.declared.codec import RuleFault
from recorder.declared.settings_file import FileCodec, ProgramFile
from recorder.domain.board import Premium
from recorder.domain.limits import FreeText, OneOf
from recorder.domain.observations import Corners

VERSION = 2
"""1 knew corners only, and was for boards that never move."""

MeanColour = tuple[float, float, float]
_KINDS = tuple(premium.name for premium in Premium)
KindOfSquare = Annotated[str, OneOf(_KINDS, " or ".join(_KINDS))]


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

    kind: Literal["board"] = "board"
    source: FreeText
    tile_set: str
    image_size: tuple[int, int]
    corners: Corners
    residual_px: float
    score: float = 0.0
    fixed: bool = True
    empty: Mapping[KindOfSquare, KindColour] = field(default_factory=dict)
    device: str = ""
    table: int = 0
    made_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RackProfile:
    """Where the one rack of a rack camera stands: left, top, right, bottom in pixels.

    For pictures of ``image_size``; tiles are ``tile_px`` wide there.
    """

    kind: Literal["rack"] = "rack"
    source: FreeText
    image_size: tuple[int, int]
    region: tuple[int, int, int, int]
    tile_px: float
    device: str = ""
    table: int = 0
    made_at: str = ""


def _in_the_picture(profile: RackProfile) -> RuleFault | None:
    (left, top, right, bottom), (width, height) = profile.region, profile.image_size
    if 0 <= left < right <= width and 0 <= top < bottom <= height:
        return None
    wanted = f"left, top, right and bottom within the picture of {width} by {height}"
    return RuleFault("region", wanted, profile.region)


BOARD: FileCodec[CalibrationProfile] = FileCodec(CalibrationProfile)
RACK: FileCodec[RackProfile] = FileCodec(RackProfile, rule=_in_the_picture)
BOARD_FILE = ProgramFile(
    codec=BOARD,
    what="calibration profile",
    remedy="make it with: tilecast calibrate camera TABLE.toml",
    version=VERSION,
    readable=(1, VERSION),
)
RACK_FILE = ProgramFile(
    codec=RACK,
    what="calibration profile",
    remedy="make it with: tilecast calibrate racks TABLE.toml",
    version=VERSION,
    readable=(VERSION,),
)


def save_profile(profile: CalibrationProfile | RackProfile, path: Path) -> Path | None:
    """Write the file again; a reader sees the old one or the new one, never half of it.

    The one that was there is kept, under the name that is given back.
    """
    kept = keep_version(path)
    if isinstance(profile, RackProfile):
        RACK_FILE.save(profile, path)
    else:
        BOARD_FILE.save(profile, path)
    return kept


def keep_version(path: Path) -> Path | None:
    """Copy a profile to ``name.v0001.json`` and so on, before it is written again; None: no file.

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
