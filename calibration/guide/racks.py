"""Guided: where the rack of a rack camera stands, so that it reads no neighbour's tiles."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from calibration.guide.checks import (
    Dialogue,
    Kept,
    frames_of,
    now_text,
    point,
    profile_of,
    refusal,
    save_picture,
)
from calibration.guide.words import kept_lines, words
from devices.agent_process.table_file import RackCameraPlan
from devices.cameras.frames import CameraFrame
from devices.cameras.profile import RackProfile, save_profile
from devices.pictures import Image
from devices.ports import Ticks
from devices.vision.beside.racks import read_racks
from devices.vision.look import RackLook
from recorder.tilesets import load_tile_set

if TYPE_CHECKING:
    from recorder.domain.tiles import TileSet

FULL = 7
LEAST_TILE_PX = 16.0
MARGIN = 1.5
"""Tiles around the seven that still belong to the rack: an eighth, and a rack that is pushed."""
_MOST_SHAKE = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class RackWish:
    """What is asked of a calibration. ``letters``: what stands on the rack, where it was said."""

    frames: int = 3
    letters: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class RackFinding:
    """One picture: the racks in it, the surest first, and why they will not do."""

    racks: tuple[RackLook, ...]
    faults: tuple[str, ...]

    def lines(self) -> tuple[str, ...]:
        """What a person wants to know."""
        if not self.racks:
            return ()
        rack = self.racks[0]
        return (
            words("rack_read", tiles=rack.slots, share=f"{min(rack.confidence, default=0.0):.0%}"),
            words("tile_pixels", pixels=f"{tile_px(rack):.0f}", least=f"{LEAST_TILE_PX:.0f}"),
        )


def tile_px(rack: RackLook) -> float:
    """The width of a tile, from the outline of the tiles in their places."""
    left, right = np.asarray(rack.corners[0]), np.asarray(rack.corners[1])
    return float(np.hypot(*(right - left))) / max(1, len(rack.slots))


def judge_racks(racks: tuple[RackLook, ...], letters: str = "") -> RackFinding:
    """The finding of one picture's racks."""
    return RackFinding(racks, tuple(_faults(racks, letters)))


def _faults(racks: tuple[RackLook, ...], letters: str) -> list[str]:
    if not racks:
        return [words("no_rack")]
    if len(racks) > 1:
        seen = ", ".join(rack.letters for rack in racks)
        return [words("racks_seen", count=len(racks), tiles=seen)]
    rack, faults = racks[0], []
    if rack.count != FULL:
        faults.append(words("tiles_seen", count=rack.count, tiles=rack.letters))
    if tile_px(rack) < LEAST_TILE_PX:
        pixels, least = f"{tile_px(rack):.0f}", f"{LEAST_TILE_PX:.0f}"
        faults.append(words("small_tiles", pixels=pixels, least=least))
    if rack.doubtful:
        which = ", ".join(str(place) for place in rack.doubtful)
        faults.append(words("doubtful_tile", places=which, tiles=rack.letters))
    if letters and rack.letters != letters.upper():
        faults.append(words("read_otherwise", tiles=rack.letters, letters=letters.upper()))
    return faults


def draw_racks(image: Image, found: RackFinding) -> Image:
    """The picture with the outlines of the rows of tiles."""
    drawn = image.copy()
    colour = (80, 220, 60) if not found.faults else (60, 60, 235)
    for rack in found.racks:
        outline = np.rint(np.asarray(rack.corners)).astype(np.int32)
        cv2.polylines(drawn, [outline], True, colour, 3, cv2.LINE_AA)  # noqa: FBT003 OpenCV's order
    return drawn


def region_of(racks: Sequence[RackLook], size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Left, top, right, bottom around the tiles with room for more, within the picture."""
    corners = np.concatenate([np.asarray(rack.corners) for rack in racks])
    room = MARGIN * float(np.median([tile_px(rack) for rack in racks]))
    low = np.maximum(np.floor(corners.min(axis=0) - room), 0)
    high = np.minimum(np.ceil(corners.max(axis=0) + room), size)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


class _Reader:
    def __init__(self, tiles: "TileSet", letters: str) -> None:
        self._tiles, self._letters = tiles, letters

    def find(self, frame: CameraFrame) -> RackFinding:
        return judge_racks(read_racks(frame.image, self._tiles, least=2), self._letters)

    def judge(self, frame: CameraFrame) -> tuple[Image, Sequence[str], Sequence[str]]:
        found = self.find(frame)
        return draw_racks(frame.image, found), found.lines(), found.faults


def calibrate_racks(
    plan: RackCameraPlan, table: Path, wish: RackWish, dialogue: Dialogue, ticks: Ticks
) -> Kept:
    """Guide a person through it; see ``calibrate_camera``."""
    path, advice = profile_of(plan.profile, plan.name, table)
    reader = _Reader(load_tile_set(plan.tiles), wish.letters)
    dialogue.tell(words("fill_rack", device=plan.name))
    frames = frames_of(
        plan,
        wish.frames,
        ticks,
        lambda source: point(source, dialogue, words("aim_rack"), reader.judge),
    )
    found = [reader.find(frame) for frame in frames]
    worst = max(range(len(found)), key=lambda n: len(found[n].faults))
    picture = draw_racks(frames[worst].image, found[worst])
    faults = found[worst].faults or _unsteady([finding.racks[0] for finding in found])
    dialogue.show(picture, found[worst].lines(), faults)
    if faults:
        raise refusal(words("refused", device=plan.name, why=faults[0]), path, picture)
    racks = [finding.racks[0] for finding in found]
    height, width = frames[worst].image.shape[:2]
    profile = RackProfile(
        source=plan.source,
        image_size=(width, height),
        region=region_of(racks, (width, height)),
        tile_px=round(float(np.median([tile_px(rack) for rack in racks])), 1),
        device=plan.name,
        table=plan.table,
        made_at=now_text(),
    )
    kept = save_profile(profile, path)
    left, top, right, bottom = profile.region
    picture = np.ascontiguousarray(picture)
    cv2.rectangle(picture, (left, top), (right, bottom), (40, 200, 255), 3)
    save_picture(path.with_suffix(".jpg"), picture)
    return Kept(path, (*kept_lines(path, kept, f"{path.stem}.jpg"), *advice))


def _unsteady(racks: Sequence[RackLook]) -> tuple[str, ...]:
    if len({rack.letters for rack in racks}) > 1:
        seen = ", ".join(sorted({rack.letters for rack in racks}))
        return (words("unsteady", tiles=seen),)
    first = np.asarray(racks[0].corners)
    apart = max(
        float(np.hypot(*(np.asarray(rack.corners) - first).T).max()) / tile_px(racks[0])
        for rack in racks
    )
    if apart > _MOST_SHAKE:
        return (words("rack_shook", by=f"{apart:.1f}"),)
    return ()
