"""Guided: a bag scale's zero, its grams, the bag, and the mass of a tile from ten of them."""

from math import erf, sqrt
from pathlib import Path

from calibration.guide.checks import Dialogue, Kept, RefusedError
from devices.agent_process.table_file import BagScalePlan
from devices.cameras.profile import keep_version
from devices.link.serial_port import PortSettings, SerialLink
from devices.ports import Ticks
from devices.sensors.scale_profile import ScaleProfile, save_scale
from devices.sensors.scale_session import ScaleSession, Wanted

LEAST_RIGHT = 0.95
"""A scale that counts seven tiles wrongly more often than that asks for more than it answers."""
DRAW = 7


def share_right(profile: ScaleProfile, tiles: int) -> float:
    """The share of draws of so many tiles that are counted rightly.

    A draw is counted rightly when its error stays below half a tile. Its variance is that of
    ``devices.sensors.weighing``: the tiles' spread, two weighings, and the mean's own error.
    """
    variance = (
        tiles * profile.tile_spread_g**2
        + 2 * profile.repeat_g**2
        + (tiles * profile.tile_error_g) ** 2
    )
    return erf(profile.tile_g / 2 / sqrt(2 * variance)) if variance else 1.0


def calibrate_scale(plan: BagScalePlan, wanted: Wanted, dialogue: Dialogue, ticks: Ticks) -> Kept:
    """Guide a person through it. DeviceError or RefusedError: nothing is written."""
    dialogue.tell(f"{plan.name}: a known mass, the empty bag and the tiles are needed at hand")
    link = SerialLink(PortSettings(url=plan.port, baud=plan.baud), ticks)
    try:
        profile = ScaleSession(link, ticks, dialogue.tell, dialogue.ask).run(wanted)
    finally:
        link.close()
    right = share_right(profile, DRAW)
    figures = (
        f"a tile {profile.tile_g:.3f} g, spread {profile.tile_spread_g:.3f} g,"
        f" put down again {profile.repeat_g:.2f} g"
    )
    if right < LEAST_RIGHT:
        raise RefusedError(
            f"{plan.name}: refused: {figures}: a draw of {DRAW} tiles would be counted rightly"
            f" {right:.0%} of the time, {LEAST_RIGHT:.0%} is needed. Put the scale on firm ground,"
            " out of draughts, and let the bag lie wholly on it"
        )
    path = Path(plan.profile)
    kept = keep_version(path)
    save_scale(profile, path)
    was = (f"the one before is {kept}",) if kept else ()
    return Kept(
        path,
        (
            figures,
            f"a draw of {DRAW} tiles is counted rightly {right:.1%} of the time",
            f"{path}: kept",
            *was,
        ),
    )
