"""What calibration found out about one camera over one table: a versioned JSON file.

Written by calibration; a board camera that is given one reads there and does not search. Must not
know how any of it was measured.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from recorder.domain.errors import NotationError
from recorder.domain.observations import Corners

VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationProfile:
    """``corners`` as in ``BoardSeen``, for pictures of ``image_size`` (width, height) pixels.

    ``residual_px`` is how far the found grid was from the fitted one, at its worst corner.
    """

    source: str
    tile_set: str
    image_size: tuple[int, int]
    corners: Corners
    residual_px: float


def save_profile(profile: CalibrationProfile, path: Path) -> None:
    """Write the file anew; a reader sees the old one or the new one, never half of it."""
    fresh = path.with_suffix(".new")
    document = {"version": VERSION, **asdict(profile)}
    fresh.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    fresh.replace(path)


def load_profile(path: Path) -> CalibrationProfile:
    """Read the file. NotationError names what is wrong and how to get a good one."""
    try:
        return _profile(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise NotationError(f"{path}: no such profile; run tilecast calibrate") from None
    except (ValueError, KeyError, TypeError) as err:
        raise NotationError(
            f"{path}: not a calibration profile ({err}); run tilecast calibrate"
        ) from err


def _profile(document: Any) -> CalibrationProfile:
    if document["version"] != VERSION:
        raise ValueError(f"version {document['version']}, {VERSION} is read")
    width, height = document["image_size"]
    first, second, third, fourth = ((float(x), float(y)) for x, y in document["corners"])
    return CalibrationProfile(
        source=str(document["source"]),
        tile_set=str(document["tile_set"]),
        image_size=(int(width), int(height)),
        corners=(first, second, third, fourth),
        residual_px=float(document["residual_px"]),
    )
