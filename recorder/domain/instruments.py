"""What a bag scale and the camera over the blank slip can say: counts of tiles, named blanks.

Claims of one device each, like all observations (``recorder.domain.observations``).
"""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class CountEstimate:
    """How many, with its probability, and the other counts that are not out of the question.

    ``alternatives`` are ``(count, probability)``, the likeliest first. Probabilities are those
    of the measuring model alone; that the model is right (right tiles, calibrated) is not in them.
    """

    count: int
    probability: float
    alternatives: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BagWeighed:
    """The bag lay still on its scale.

    ``grams`` is what is in it (the bag itself taken off), ``spread_g`` between the lowest and the
    highest sample of the time that it was read in; ``settled`` is False when it never came to
    rest and was read all the same. ``taken`` are tiles that went out since the weight before
    (negative: put in), ``tiles`` those in it; None while nothing is known to compare with.
    A weight may ask for a count of tiles; alone it proves no overdraw (rulebook OVERDRAW-3).
    """

    grams: float
    spread_g: float
    settled: bool
    taken: CountEstimate | None = None
    tiles: CountEstimate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BagLifted:
    """The bag left its scale; ``grams`` was in it when it last lay still, None if never."""

    grams: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BagReturned:
    """The bag is back on its scale after ``away_ms``; its weight follows when it lies still."""

    away_ms: int


class SlipMark(StrEnum):
    """What a slip says of one blank."""

    EMPTY = "empty"
    LETTER = "letter"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipEntry:
    """One row of the slip; ``letter`` only with a LETTER.

    ``marked`` are the letters that bear ink, the most first, also when none of them counts.
    """

    mark: SlipMark
    letter: str = ""
    confidence: float = 1.0
    marked: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipSeen:
    """A slip in sight of its camera: the circled letter of each blank, in the order played.

    ``picture`` is the SHA-256 of the JPEG of the slip that the device keeps, ``challenge`` that of
    its region for challenged words, or empty when nothing is written there. Words are not read.
    """

    entries: tuple[SlipEntry, ...]
    picture: str = ""
    challenge: str = ""
