"""Which guided calibration a device has, and what it makes of its options."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from calibration.guide.checks import Dialogue, Kept
from devices.agent_process.table_file import (
    BagScalePlan,
    BoardCameraPlan,
    DevicePlan,
    RackCameraPlan,
    SerialClockPlan,
)
from devices.ports import Ticks

Options = Mapping[str, Any]
"""As the command line calls them; one that is not given has its usual value."""
Step = Callable[[Dialogue, Options], Kept]


def step_of(
    device: DevicePlan, table: Path, seconds: float, ticks: Ticks
) -> tuple[str, Step] | None:
    """The name of a device's calibration, and what runs it; None of one that has none."""
    match device:
        case BoardCameraPlan():
            return "camera", partial(_camera, device, table, ticks)
        case RackCameraPlan():
            return "racks", partial(_racks, device, table, ticks)
        case BagScalePlan():
            return "scale", partial(_scale, device, ticks)
        case SerialClockPlan():
            return "clock", partial(_clock, device, seconds, ticks)
        case _:
            return None


def _camera(
    plan: BoardCameraPlan, table: Path, ticks: Ticks, dialogue: Dialogue, options: Options
) -> Kept:
    from calibration.guide.camera import SIDES_UP, CameraWish, calibrate_camera, check_camera

    if options.get("check"):
        return check_camera(plan, table, dialogue, ticks)
    corners, up = options.get("corners"), str(options.get("up", "top"))
    wish = CameraWish(
        frames=options.get("frames", 5),
        fixed=bool(options.get("fixed")),
        up=up if up in SIDES_UP else "top",
        corners=tuple(corners) if corners else None,
    )
    return calibrate_camera(plan, table, wish, dialogue, ticks)


def _racks(
    plan: RackCameraPlan, table: Path, ticks: Ticks, dialogue: Dialogue, options: Options
) -> Kept:
    from calibration.guide.racks import RackWish, calibrate_racks

    wish = RackWish(frames=options.get("frames", 3), letters=str(options.get("letters", "")))
    return calibrate_racks(plan, table, wish, dialogue, ticks)


def _scale(plan: BagScalePlan, ticks: Ticks, dialogue: Dialogue, options: Options) -> Kept:
    from calibration.guide.scale import calibrate_scale
    from devices.sensors.scale_session import Wanted

    wanted = Wanted(tiles=options.get("single", 10), full_set=int(options.get("set", 0)))
    return calibrate_scale(plan, wanted, dialogue, ticks)


def _clock(
    plan: SerialClockPlan, seconds: float, ticks: Ticks, dialogue: Dialogue, _options: Options
) -> Kept:
    from calibration.guide.clock import check_clock

    return check_clock(plan, seconds, dialogue, ticks)
