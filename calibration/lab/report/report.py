"""How well the eyes read photographs whose truth is known, in counts.

A board that is not found counts all its squares as wrong and as flagged: the eyes said so.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from calibration.lab.report.samples import BoardSample, TileSample, as_symbols
from devices.pictures import Image, decode_picture
from devices.vision.beside.racks import read_racks
from devices.vision.eyes import Eyes
from devices.vision.geometry.pose import (
    Pose,
    corner_errors_any_side_up,
    quarter_turns_between,
)
from devices.vision.look import BoardReading, RackLook, sure_from
from devices.vision.squares.net import CROP_PX, SquareNet, log_softmax
from devices.vision.squares.squares import CROP_SPAN
from recorder.domain.board import SQUARES, Square, name_across
from recorder.domain.errors import DeviceError
from recorder.domain.observations import BLANK_SYMBOL, COVERED_SYMBOL, EMPTY_SYMBOL, SEEN
from recorder.tilesets import load_tile_set

LOCATED_WITHIN = 0.25
"""Squares of error at any corner up to which a board counts as located."""


@dataclass(slots=True)
class Tally:
    """Counts of one group. ``corner_errors`` are in squares, whichever side is up."""

    boards: int = 0
    found: int = 0
    located: int = 0
    upright: int = 0
    with_corners: int = 0
    exact: int = 0
    squares: int = 0
    wrong: int = 0
    wrong_flagged: int = 0
    flagged: int = 0
    tiles: int = 0
    tiles_wrong: int = 0
    blanks: int = 0
    blanks_wrong: int = 0
    """Blanks not read as such, and other squares read as blanks."""
    racks: int = 0
    rack_letters: int = 0
    rack_letters_wrong: int = 0
    corner_errors: list[float] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Take in the counts of another tally."""
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.corner_errors.extend(other.corner_errors)

    def as_json(self) -> dict[str, Any]:
        """The counts, and the median corner error or null."""
        median = round(float(np.median(self.corner_errors)), 3) if self.corner_errors else None
        return {**{name: getattr(self, name) for name in _COUNTS}, "corner_error_median": median}


_COUNTS = tuple(name for name in Tally.__slots__ if name != "corner_errors")


@dataclass(frozen=True, slots=True, eq=False)
class Mistake:
    """One square read wrongly; ``square`` is None for the picture of a single tile."""

    picture: str
    square: Square | None
    truth: str
    read: str
    confidence: float
    crop: Image
    group: str = ""

    @property
    def is_flagged(self) -> bool:
        """Whether the eyes said that they were not sure."""
        return self.confidence < sure_from(self.read) or self.read == COVERED_SYMBOL

    @property
    def place(self) -> str:
        """Which picture, and which square of it."""
        return self.picture if self.square is None else f"{self.picture} {name_across(self.square)}"

    def __str__(self) -> str:
        """One line for the table."""
        return f"{self.place}: {self.truth} read as {self.read} ({self.confidence:.2f})"


@dataclass(slots=True)
class Report:
    """Tallies by group, mistakes, and pictures that could not be read at all with the reason.

    ``racks_wrong`` are (picture, letters on the rack, letters read), gaps left out.
    """

    groups: dict[str, Tally] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)
    racks_wrong: list[tuple[str, str, str]] = field(default_factory=list)
    judged: list[tuple[float, bool]] = field(default_factory=list)
    """Of every square in sight how sure it was, and whether it was right."""

    def total(self) -> Tally:
        """All groups together."""
        total = Tally()
        for tally in self.groups.values():
            total.add(tally)
        return total

    def as_json(self) -> dict[str, Any]:
        """The document that ``eyes report --json`` prints."""
        groups = {name: tally.as_json() for name, tally in sorted(self.groups.items())}
        return {"groups": groups, "total": self.total().as_json()}


def make_report(
    samples: Iterable[BoardSample | TileSample], eyes_for: Callable[[str], Eyes]
) -> Report:
    """Read all samples, each for itself, and count. DeviceError when a picture cannot be read."""
    report = Report()
    for sample in samples:
        tally = report.groups.setdefault(sample.group, Tally())
        image = _picture(sample)
        match sample:
            case BoardSample(rows=None):
                if sample.racks:
                    racks = read_racks(image, load_tile_set(sample.tile_set))
                    _count_racks(sample.path.name, sample.racks, racks, tally, report)
            case BoardSample():
                look = eyes_for(sample.tile_set).read(image, racks=bool(sample.racks))
                _count_board(sample, image, look, tally, report)
                _count_racks(sample.path.name, sample.racks or (), look.racks, tally, report)
            case TileSample():
                _count_tile(sample, image, eyes_for(sample.tile_set), tally, report)
    return report


def _picture(sample: BoardSample | TileSample) -> Image:
    try:
        return decode_picture(sample.path.read_bytes())
    except (OSError, DeviceError) as err:
        raise DeviceError(f"{sample.path}: {err}") from err


def _count_board(
    sample: BoardSample, image: Image, look: BoardReading, tally: Tally, report: Report
) -> None:
    assert sample.rows is not None
    tally.boards += 1
    tally.found += look.found
    tally.with_corners += sample.corners is not None
    if not look.found:
        report.unread.append((sample.path.name, look.reason))
    elif sample.corners is not None and look.pose is not None:
        truth_pose = Pose.from_corners(sample.corners)
        errors = corner_errors_any_side_up(look.pose, truth_pose)
        tally.corner_errors.extend(float(error) for error in errors)
        tally.located += bool(errors.max() < LOCATED_WITHIN)
        tally.upright += quarter_turns_between(look.pose, truth_pose) == 0
    truth = as_symbols(sample.rows)
    read = look.symbols if look.found else (COVERED_SYMBOL,) * SQUARES
    doubtful = set(look.doubtful) if look.found else set(range(SQUARES))
    wrong = [number for number in range(SQUARES) if truth[number] != read[number]]
    tally.exact += not wrong
    tally.squares += SQUARES
    tally.wrong += len(wrong)
    tally.flagged += len(doubtful)
    tally.wrong_flagged += sum(number in doubtful for number in wrong)
    tally.tiles += sum(symbol != EMPTY_SYMBOL for symbol in truth)
    tally.tiles_wrong += sum(truth[number] != EMPTY_SYMBOL for number in wrong)
    tally.blanks += truth.count(BLANK_SYMBOL)
    tally.blanks_wrong += sum(BLANK_SYMBOL in (truth[number], read[number]) for number in wrong)
    if look.found:
        sure = look.confidence.ravel().tolist()
        report.judged += [
            (sure[number], truth[number] == read[number])
            for number in range(SQUARES)
            if read[number] != COVERED_SYMBOL
        ]
        report.mistakes += [_mistake(sample, image, look, number, truth) for number in wrong]


def _count_racks(
    picture: str, racks: Sequence[str], seen: Sequence[RackLook], tally: Tally, report: Report
) -> None:
    """Letters wrong, missing or too many; a rack is compared with the one most like it."""
    left = [rack.letters for rack in seen]
    for truth in racks:
        tally.racks += 1
        best = min(left, key=lambda letters: letters_wrong(truth, letters), default="")
        tally.rack_letters += len(truth)
        tally.rack_letters_wrong += letters_wrong(truth, best)
        if best != truth:
            report.racks_wrong.append((picture, truth, best))
        if best:
            left.remove(best)


def letters_wrong(truth: str, read: str) -> int:
    """How many letters must be changed, added or taken away to come from one to the other."""
    row = list(range(len(read) + 1))
    for number, letter in enumerate(truth, start=1):
        before, row = row, [number]
        for place, other in enumerate(read, start=1):
            same = before[place - 1] + (letter != other)
            row.append(min(same, before[place] + 1, row[-1] + 1))
    return row[-1]


def _mistake(
    sample: BoardSample, image: Image, look: BoardReading, number: int, truth: Sequence[str]
) -> Mistake:
    assert look.pose is not None
    row, col = divmod(number, 15)
    side = 2 * CROP_PX
    step = CROP_SPAN / side
    corner = 0.5 - CROP_SPAN / 2
    local = np.array([[step, 0, col + corner], [0, step, row + corner], [0, 0, 1.0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    crop = cv2.warpPerspective(image, look.pose.homography @ local, (side, side), flags=flags)
    read = look.symbols[number]
    confidence = float(look.confidence[row, col])
    where = sample.path.name, Square(number)
    return Mistake(*where, truth[number], read, confidence, crop, sample.group)


def _read_tile(image: Image, net: SquareNet) -> tuple[str, float]:
    """What a picture of one square shows, and how probable that is. It must be upright."""
    size = round(CROP_PX / CROP_SPAN)
    small = cv2.resize(image, (size, size), interpolation=cv2.INTER_AREA)
    before = (CROP_PX - size) // 2
    after = CROP_PX - size - before
    crop = cv2.copyMakeBorder(small, before, after, before, after, cv2.BORDER_REPLICATE)
    opinion = net.judge(np.asarray(crop[None], np.uint8))
    chances = log_softmax(opinion.log_chances[:, : len(SEEN)])[0]
    return SEEN[int(chances.argmax())], float(np.exp(chances.max()))


def _count_tile(sample: TileSample, image: Image, eyes: Eyes, tally: Tally, report: Report) -> None:
    read, confidence = _read_tile(image, eyes.net)
    tally.squares += 1
    tally.tiles += 1
    tally.flagged += confidence < sure_from(read)
    if read != sample.symbol:
        tally.wrong += 1
        tally.tiles_wrong += 1
        tally.wrong_flagged += confidence < sure_from(read)
        shown = cv2.resize(image, (2 * CROP_PX, 2 * CROP_PX), interpolation=cv2.INTER_AREA)
        report.mistakes.append(
            Mistake(sample.path.name, None, sample.symbol, read, confidence, shown, sample.group)
        )
