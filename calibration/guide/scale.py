"""Guided: a bag scale's zero, its grams, the bag, and the mass of a tile from ten of them."""

from contextlib import closing
from math import erf, sqrt
from pathlib import Path

from calibration.guide.checks import Dialogue, Kept, RefusedError
from calibration.guide.words import kept_lines, words
from devices.agent_process.table_file import BagScalePlan
from devices.cameras.profile import keep_version
from devices.link.serial_port import SerialLink
from devices.ports import Ticks
from devices.sensors.scale_profile import SCALE_FILE, ScaleProfile
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
    dialogue.tell(words("scale_needs", device=plan.name))
    with closing(SerialLink(plan.port, ticks, plan.baud)) as link:
        profile = ScaleSession(link, ticks, dialogue.tell, dialogue.ask).run(wanted)
    right = share_right(profile, DRAW)
    figures = words(
        "scale_figures",
        grams=f"{profile.tile_g:.3f}",
        spread=f"{profile.tile_spread_g:.3f}",
        again=f"{profile.repeat_g:.2f}",
    )
    if right < LEAST_RIGHT:
        why = words(
            "scale_counts_wrongly",
            figures=figures,
            tiles=DRAW,
            share=f"{right:.0%}",
            least=f"{LEAST_RIGHT:.0%}",
        )
        raise RefusedError(words("refused", device=plan.name, why=why))
    path = Path(plan.profile)
    kept = keep_version(path)
    SCALE_FILE.save(profile, path)
    counts = words("scale_counts", tiles=DRAW, share=f"{right:.1%}")
    return Kept(path, (figures, counts, *kept_lines(path, kept)))
