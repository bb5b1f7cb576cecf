"""What a profile says, whatever device it is of, and what its older versions said."""

import json
from pathlib import Path
from typing import Any

from calibration.guide.scale import DRAW, share_right
from devices.cameras.profile import kept_versions, load_profile, load_rack_profile
from devices.sensors.scale_profile import load_scale
from recorder.domain.errors import NotationError


def document(path: Path) -> dict[str, Any]:
    """The profile as a JSON document. NotationError when it is none."""
    older = [{"version": number, **_facts(file)} for number, file in kept_versions(path)]
    return {**_facts(path), "version": len(older) + 1 if older else 1, "older": older}


def _facts(path: Path) -> dict[str, Any]:
    kind = _kind(path)
    facts: dict[str, Any]
    if kind == "scale":
        scale = load_scale(path)
        facts = {
            "tile_g": round(scale.tile_g, 3),
            "tile_spread_g": round(scale.tile_spread_g, 3),
            "bag_g": round(scale.bag_g, 1),
            "repeat_g": round(scale.repeat_g, 3),
            f"right_of_{DRAW}": round(share_right(scale, DRAW), 4),
        }
    elif kind == "rack":
        rack = load_rack_profile(path)
        facts = {
            "device": rack.device,
            "made_at": rack.made_at,
            "source": rack.source,
            "image_size": list(rack.image_size),
            "region": list(rack.region),
            "tile_px": rack.tile_px,
        }
    else:
        board = load_profile(path)
        facts = {
            "device": board.device,
            "made_at": board.made_at,
            "source": board.source,
            "tiles": board.tile_set,
            "image_size": list(board.image_size),
            "corners": [list(corner) for corner in board.corners],
            "residual_px": board.residual_px,
            "score": board.score,
            "fixed": board.fixed,
            "kinds_of_squares_known": sorted(board.empty),
        }
    return {"file": str(path), "kind": kind, **facts}


def _kind(path: Path) -> str:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NotationError(f"{path}: no such profile") from None
    except (OSError, ValueError) as err:
        raise NotationError(f"{path}: not a profile ({err})") from err
    if not isinstance(found, dict):
        raise NotationError(f"{path}: not a profile")
    return "scale" if "counts_per_g" in found else str(found.get("kind", "board"))


def text(found: dict[str, Any]) -> str:
    """The document for a person: the newest version in full, the older ones in a line each."""
    lines = [
        f"{name.replace('_', ' ')}: {_words(value)}"
        for name, value in found.items()
        if name != "older"
    ]
    for older in found["older"]:
        figure = next(
            f"{name.replace('_', ' ')} {older[name]}"
            for name in ("residual_px", "tile_px", "tile_g")
            if name in older
        )
        when = older.get("made_at", "")
        lines.append(f"older: version {older['version']}, {when} {figure}, {older['file']}")
    return "\n".join(lines)


def _words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_words(part) for part in value)
    return str(value)
