"""Guided: where the board camera's board lies, how sure that is, what the bare board looks like.

Also whether a camera still sees its board where the profile says.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from calibration.guide.board_geometry import (
    MOST_SHAKE,
    MOVED,
    BoardFinding,
    draw_grid,
    measure_board,
    moved_by,
    shaken,
)
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
from devices.agent_process.table_file import BoardCameraPlan
from devices.cameras.frames import CameraFrame
from devices.cameras.profile import BOARD_FILE, CalibrationProfile, save_profile
from devices.cameras.readers import kind_colours
from devices.pictures import Image
from devices.ports import Ticks
from devices.vision.eyes import Eyes
from devices.vision.geometry.pose import Pose, quarter_turns_between
from recorder.domain.observations import Corners

if TYPE_CHECKING:
    from devices.vision.look import BoardReading

SIDES_UP = ("top", "right", "bottom", "left")
"""The side of the picture at which the board's top is, by quarter turns clockwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraWish:
    """What is asked of a calibration. ``up`` counts only where the board is ``fixed``."""

    frames: int = 5
    fixed: bool = False
    up: str = "top"
    corners: Corners | None = None


class _Aim:
    """The eyes, and what they made of the last picture."""

    def __init__(self, tiles: str, corners: Corners | None) -> None:
        self._eyes = Eyes(tiles)
        self._corners = corners
        self._prior: BoardReading | None = None

    def measure(self, frame: CameraFrame) -> BoardFinding:
        look = self._eyes.read(frame.image, prior=self._prior, corners=self._corners)
        self._prior = look if look.found else None
        return measure_board(frame.image, look)

    def judge(self, frame: CameraFrame) -> tuple[Image, Sequence[str], Sequence[str]]:
        found = self.measure(frame)
        return draw_grid(frame.image, found), found.lines(), found.faults


def calibrate_camera(
    plan: BoardCameraPlan, table: Path, wish: CameraWish, dialogue: Dialogue, ticks: Ticks
) -> Kept:
    """Guide a person through it; the profile is written only when it is good.

    RefusedError has the reason and the picture; other DeviceErrors when no picture comes.
    """
    path, advice = profile_of(plan.profile, plan.name, table)
    aim = _Aim(plan.tiles, wish.corners)
    dialogue.tell(words("clear_board", device=plan.name))
    frames = frames_of(
        plan,
        wish.frames,
        ticks,
        lambda source: point(source, dialogue, words("aim_board"), aim.judge),
    )
    found = [aim.measure(frame) for frame in frames]
    worst = _worst(found)
    shown = frames[worst]
    picture = draw_grid(shown.image, found[worst])
    dialogue.show(picture, found[worst].lines(), found[worst].faults)
    faults = found[worst].faults
    if not faults and (apart := shaken(found)) > MOST_SHAKE:
        faults = (words("board_shook", by=f"{apart:.2f}"),)
    if faults:
        raise refusal(words("refused", device=plan.name, why=faults[0]), path, picture)
    profile = _profile(plan, wish, found, shown)
    kept = save_profile(profile, path)
    save_picture(path.with_suffix(".jpg"), picture)
    next_step = words("check_rounds", table=str(table))
    return Kept(path, (*kept_lines(path, kept, f"{path.stem}.jpg"), *advice, next_step))


def _worst(found: Sequence[BoardFinding]) -> int:
    return max(range(len(found)), key=lambda n: (len(found[n].faults), found[n].residual))


def _profile(
    plan: BoardCameraPlan, wish: CameraWish, found: Sequence[BoardFinding], shown: CameraFrame
) -> CalibrationProfile:
    """The profile of several good pictures: their middle corners, the worst of their errors."""
    looks = [finding.look for finding in found if finding.look is not None]
    first = found[0].pose
    assert first is not None, "only good findings get here"
    poses = [_alike(finding.pose, first) for finding in found if finding.pose is not None]
    middle = np.median([np.asarray(pose.corners()) for pose in poses], axis=0)
    pose = Pose.from_corners(middle)
    known = looks[0].pose
    if known is not None and (wish.corners is not None or looks[0].markers):
        pose = _alike(pose, known)
    else:
        pose = pose.rotated(SIDES_UP.index(wish.up))
    height, width = shown.image.shape[:2]
    apart_px = shaken(found) * pose.square_px()
    return CalibrationProfile(
        source=plan.source,
        tile_set=plan.tiles,
        image_size=(width, height),
        corners=_rounded(pose.corners()),
        residual_px=round(max(finding.residual_px for finding in found) + apart_px, 2),
        score=round(min(look.score for look in looks), 3),
        fixed=wish.fixed or wish.corners is not None,
        empty=kind_colours(looks[-1].reference),
        device=plan.name,
        table=plan.table,
        made_at=now_text(),
    )


def _alike(pose: Pose, first: Pose) -> Pose:
    """The same field, begun at the same corner."""
    return pose.rotated(quarter_turns_between(pose, first))


def _rounded(corners: Corners) -> Corners:
    tl, tr, br, bl = ((round(x, 2), round(y, 2)) for x, y in corners)
    return tl, tr, br, bl


def check_camera(plan: BoardCameraPlan, table: Path, dialogue: Dialogue, ticks: Ticks) -> Kept:
    """Whether the board lies where the profile says. Tiles may lie on it.

    RefusedError when it has moved, with by how much and a picture of both grids.
    """
    path, _ = profile_of(plan.profile, plan.name, table)
    profile = BOARD_FILE.load(path)
    (frame,) = frames_of(plan, 1, ticks)
    look = Eyes(plan.tiles).read(frame.image)
    height, width = frame.image.shape[:2]
    if not look.found or look.pose is None:
        raise refusal(words("not_found", device=plan.name, why=look.reason), path, frame.image)
    moved = moved_by(profile, look.pose, (width, height))
    picture = draw_grid(frame.image, BoardFinding(pose=look.pose, look=look))
    scale = np.array([[width / profile.image_size[0], height / profile.image_size[1]]])
    then = Pose.from_corners(np.asarray(profile.corners) * scale)
    picture = draw_grid(picture, BoardFinding(pose=then, look=look, faults=("then",)))
    said = words("where_now", score=f"{look.score:.2f}", by=f"{moved:.2f}")
    dialogue.show(picture, (said,))
    if moved > MOVED:
        by, since = f"{moved:.1f}", profile.made_at
        why = words("has_moved", device=plan.name, by=by, since=since, table=str(table))
        raise refusal(why, path, picture)
    return Kept(path, (words("as_it_was", device=plan.name, by=f"{moved:.2f}"),))
