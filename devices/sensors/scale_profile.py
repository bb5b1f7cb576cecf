"""What calibration found out about one bag scale: a versioned JSON file.

Written by ``tilecast scale``; the agent's scale does nothing without it. Must not know how any of
it was measured.
"""

import json
from dataclasses import asdict, dataclass, fields
from math import isfinite
from pathlib import Path
from typing import Any

from recorder.domain.errors import NotationError

VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleProfile:
    """One scale, one bag, one set of tiles, as calibrated; grams, and counts of the converter.

    ``tile_spread_g`` is the standard deviation from tile to tile, ``tile_error_g`` that of the
    mean itself, ``repeat_g`` that of putting the same thing on the scale once more.
    """

    zero_counts: float
    counts_per_g: float
    bag_g: float
    tile_g: float
    tile_spread_g: float
    tile_error_g: float = 0.0
    repeat_g: float = 0.1
    still_g: float = 0.1

    def grams(self, counts: float) -> float:
        """What lies on the scale, the bag included."""
        return (counts - self.zero_counts) / self.counts_per_g


def save_scale(profile: ScaleProfile, path: Path) -> None:
    """Write the file anew; a reader sees the old one or the new one, never half of it."""
    fresh = path.with_suffix(".new")
    document = {"version": VERSION, **asdict(profile)}
    fresh.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    fresh.replace(path)


def load_scale(path: Path) -> ScaleProfile:
    """Read the file. NotationError names what is wrong and how to get a good one."""
    remedy = "make it with: tilecast scale PORT --out FILE"
    try:
        return _profile(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise NotationError(f"{path}: no such scale profile; {remedy}") from None
    except (ValueError, KeyError, TypeError) as err:
        raise NotationError(f"{path}: not a scale profile ({err}); {remedy}") from err


def _profile(document: Any) -> ScaleProfile:
    if document["version"] != VERSION:
        raise ValueError(f"version {document['version']}, {VERSION} is read")
    values = {field.name: float(document[field.name]) for field in fields(ScaleProfile)}
    for name, value in values.items():
        is_mass = name not in ("zero_counts", "counts_per_g", "tile_error_g")
        if not isfinite(value) or (is_mass and value <= 0) or values["counts_per_g"] == 0:
            raise ValueError(f"{name} is {value}")
    return ScaleProfile(**values)
