"""What calibration found out about one bag scale: a versioned JSON file.

Written by ``tilecast calibrate scale``; the agent's scale does nothing without it. Must not know
how any of it was measured.
"""

from dataclasses import dataclass
from typing import Annotated

from recorder.declared.codec import RuleFault
from recorder.declared.settings_file import FileCodec, ProgramFile
from recorder.domain.limits import Above

VERSION = 1
Grams = Annotated[float, Above(0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleProfile:
    """One scale, one bag, one set of tiles, as calibrated; grams, and counts of the converter.

    ``tile_spread_g`` is the standard deviation from tile to tile, ``tile_error_g`` that of the
    mean itself, ``repeat_g`` that of putting the same thing on the scale once more.
    """

    zero_counts: float
    counts_per_g: float
    bag_g: Grams
    tile_g: Grams
    tile_spread_g: Grams
    tile_error_g: float = 0.0
    repeat_g: Grams = 0.1
    still_g: Grams = 0.1

    def grams(self, counts: float) -> float:
        """What lies on the scale, the bag included."""
        return (counts - self.zero_counts) / self.counts_per_g


def _turns_at_all(profile: ScaleProfile) -> RuleFault | None:
    counts = profile.counts_per_g
    return None if counts else RuleFault("counts_per_g", "a number other than 0", counts)


SCALE: FileCodec[ScaleProfile] = FileCodec(ScaleProfile, "scale profile", rule=_turns_at_all)
SCALE_FILE = ProgramFile(
    codec=SCALE,
    what="scale profile",
    remedy="make it with: tilecast calibrate scale TABLE.toml",
    version=VERSION,
    readable=(VERSION,),
)
