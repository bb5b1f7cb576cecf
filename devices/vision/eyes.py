"""The eyes: a picture of a table in, a reading of its board out.

Find the field, decide which side is up, read the squares, settle blanks against empty squares.
Keeps no memory: what an earlier picture taught is handed in as the earlier ``BoardReading``.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from devices.pictures import Image
from devices.vision.beside.racks import read_racks
from devices.vision.finding.locate import locate
from devices.vision.finding.markers import (
    SURE_OF_SIDE,
    Marker,
    MarkerPlaces,
    find_markers,
    places_on_board,
    side_up,
    starts,
)
from devices.vision.finding.refine import judge
from devices.vision.finding.shadow import rescored_in_one_light
from devices.vision.geometry.pose import (
    TRUSTED_SCORE,
    Pose,
    corner_errors_any_side_up,
    quarter_turns_between,
)
from devices.vision.look import BoardReading, unread
from devices.vision.mirror import mirror_fault
from devices.vision.orient import Orientation, letters_seen, orient, upright_in_picture
from devices.vision.second_board import the_board
from devices.vision.set_symbols import count_of
from devices.vision.squares.colours import Reference, settle_blanks
from devices.vision.squares.joined_tiles import joined_by_blanks
from devices.vision.squares.net import (
    LETTER_CLASSES,
    Float32s,
    SquareNet,
    shipped_net,
)
from devices.vision.squares.occlusion import out_of_the_shadow, under_the_hand
from devices.vision.squares.plausible import plausible, unreadable
from devices.vision.squares.shadow_rims import read_at_rims
from devices.vision.squares.sheets import under_a_sheet
from devices.vision.squares.squares import SquareReading, read_squares, seen_again
from devices.vision.squares.tile_supply import within_supply
from devices.words import camera_fault
from recorder.domain.observations import BLANK_SYMBOL, Corners, order_for
from recorder.tilesets import load_tile_set

_LEAST_SIDE_PX = 160
_LEAST_SQUARE_PX = 9.0
_BLACK_LEVEL = 6.0
_WHITE_LEVEL = 250.0
_MOST_MOVES = 3
"""How often the grid is moved onto the tiles at most."""
_SURE_TURN = 12.0
_SURE_TURNED = 5.0
"""Nats by which letters must speak against the side that markers or given corners name."""
_FIRST_PLAY = 2
"""Letters that must be surely read for that: the fewest that a first play can have."""
_SURE_LETTER = float(np.log(0.9))
_MAY_BE_LETTER = float(np.log(0.02))
_AS_GIVEN = 0.01
"""Squares within which corners are those that were given before."""
_SOME_LETTER = 0.5
"""Letters on the board, by expectation, below which there is none."""


class Eyes:
    """Reads boards of one tile set. May be shared between threads."""

    def __init__(
        self, tile_set: str, net: SquareNet | None = None, *, hold_supply: bool = True
    ) -> None:
        """``tile_set`` as in ``load_tile_set``; ``net`` defaults to the shipped network.

        Without ``hold_supply`` only the letters of the set matter, not how many it has of each.
        """
        self._tiles = load_tile_set(tile_set)
        self._set = self._tiles if hold_supply else None
        self._order = order_for(self._tiles)
        self.net = (shipped_net() if net is None else net).of_set(self._tiles)

    def read(
        self,
        image: Image,
        *,
        prior: BoardReading | None = None,
        corners: Corners | None = None,
        reference: Reference | None = None,
        near: Pose | None = None,
        racks: bool = False,
    ) -> BoardReading:
        """Read the board in a BGR picture, or say why there is none.

        ``prior`` is an earlier look at the same board by the same camera: it speeds up finding
        and steadies the side and the colours, but puts no tile on the board. ``corners`` (pixels,
        clockwise from the board's top-left as the letters read) replace the search. ``reference``
        is what the empty board looks like, where no prior knows it. ``near`` is about where the
        board lies in a picture that was looked at before, as it was taken: none beside it is looked
        for again. ``racks`` asks for the racks in the picture too, which takes about a second.
        """
        ms: dict[str, float] = {}
        started = time.perf_counter()
        fault = _unfit(image)
        if fault:
            return unread(fault)
        if prior is not None and not prior.found:
            prior = None
        # Where the first look saw no markers there are none: looking for them takes a while.
        wanted = corners is None and (prior is None or prior.markers)
        markers = find_markers(image) if wanted else ()
        same = _seen_again(image, prior, corners)
        if same is not None and prior is not None:
            pose = prior.pose
        else:
            pose = self._place(image, prior, corners, markers, near)
        ms["locate"] = _since(started)
        if pose is not None and corners is None and pose.score < TRUSTED_SCORE:
            pose = rescored_in_one_light(image, pose) or pose
        fault = _untrusted(pose, image, given=corners is not None)
        beside: tuple[Pose, ...] = ()
        is_first = prior is None and corners is None and near is None
        if pose is not None and not fault and is_first:
            pose, beside, fault = the_board(image, pose)
        if fault or pose is None:
            return unread(fault, score=pose.score if pose is not None else 0.0, ms=ms)
        started = time.perf_counter()
        side = side_up(markers, pose)
        is_marked = side is not None
        is_known = corners is not None or is_marked
        turned = (prior.turned or 0) if prior is not None and is_known else 0
        # The pose of an earlier look is upright as it is, unless its markers show another side now.
        quarters = (side or 0) + turned if same is None or is_marked else 0
        if quarters % 4:
            same = None
        pose, reading, up = self._upright(
            image, pose.rotated(quarters), prior, same, firm=is_known, given=corners is not None
        )
        turned = (turned + up.quarter_turns) % 4
        if prior is None and (fault := mirror_fault(image, reading, self.net)):
            return unread(fault, score=pose.score, ms=ms)
        known = prior.reference if prior is not None else reference
        settled, reference = self._settled(image, pose, reading, known)
        ms["read"] = _since(started)
        chances, notes = self._weighed(settled.log_probs, reading, is_first=prior is None)
        look = BoardReading(
            found=True,
            pose=pose,
            score=pose.score,
            turn_margin=up.margin if side is None else SURE_OF_SIDE,
            sides=up.letters,
            turned=_turned(turned, up, reading, prior) if is_known else None,
            log_probs=chances,
            order=self._order,
            lying=reading.lying,
            reference=reference,
            seen=reading,
            beside=beside,
            notes=notes,
            markers=_learned(prior, places_on_board(markers, pose, turned) if is_marked else {}),
            ms=_with_total(ms),
        )
        if corners is None and (reason := unreadable(look)):
            return unread(reason, score=look.score, ms=look.ms)
        return self._with_racks(image, look) if racks else look

    def _with_racks(self, image: Image, look: BoardReading) -> BoardReading:
        started = time.perf_counter()
        seen = read_racks(image, self._tiles, look=look, net=self.net)
        parts = {name: spent for name, spent in look.ms.items() if name != "total"}
        return replace(look, racks=seen, ms=_with_total({**parts, "racks": _since(started)}))

    def _place(
        self,
        image: Image,
        prior: BoardReading | None,
        corners: Corners | None,
        markers: Sequence[Marker],
        near: Pose | None,
    ) -> Pose | None:
        if corners is not None:
            given = Pose.from_corners(corners)
            return given.with_score(judge(cv2.cvtColor(image, cv2.COLOR_BGR2LAB), given).score)
        if prior is not None and prior.pose is not None:
            guesses = starts(markers, prior.pose, prior.markers)
            pose = locate(image, prior.pose, starts=guesses)
            # After a search any side may be first; nothing speaks for another than before.
            return pose and pose.rotated(quarter_turns_between(pose, prior.pose))
        pose = locate(image, starts=[*starts(markers), *([near] if near is not None else [])])
        if pose is None:
            return None
        return pose.rotated(upright_in_picture(pose.homography))

    def _settled(
        self, image: Image, pose: Pose, reading: SquareReading, known: Reference | None
    ) -> tuple[SquareReading, Reference]:
        """The reading after shadows, blanks, hands and sheets; and what the bare board shows."""
        lit = read_at_rims(image, pose, reading, self.net)
        settled, reference = settle_blanks(image, pose, lit, known)
        settled = out_of_the_shadow(image, pose.homography, settled)
        return under_a_sheet(image, under_the_hand(image, settled)), reference

    def _weighed(
        self, chances: Float32s, reading: SquareReading, *, is_first: bool
    ) -> tuple[Float32s, tuple[str, ...]]:
        """Log chances as far as the tile set and the picture allow them, and notes on that."""
        if self._set is not None:
            chances = within_supply(chances, self._set)
            if is_first:
                chances = joined_by_blanks(chances, count_of(self._set, BLANK_SYMBOL))
        return plausible(chances, reading, self._tiles, hold_supply=self._set is not None)

    def _upright(
        self,
        image: Image,
        pose: Pose,
        prior: BoardReading | None,
        same: tuple[npt.NDArray[np.intp], SquareReading] | None = None,
        *,
        firm: bool,
        given: bool = False,
    ) -> tuple[Pose, SquareReading, Orientation]:
        """The pose with its letters upright, read; and how sure that side is.

        Of a board that was seen before under this pose only what has changed is read (``same``). A
        ``firm`` pose is left only when letters speak clearly for another side. The grid is moved
        onto the tiles where they lie beside it, unless its corners are ``given``.
        """
        earlier = prior.symbols if prior is not None else None
        if same is None:
            first = read_squares(image, pose, net=self.net)
        else:
            changed, first = same
            if len(changed):
                first = read_squares(image, pose, squares=changed, known=first, net=self.net)
        for _ in range(0 if given else _MOST_MOVES):
            if (fit := first.fit) is None or not fit.is_better:
                break
            moved = fit.moved(pose)
            again = read_squares(image, moved, net=self.net)
            # Half of a tile shows half of its way: the first move may bring more into sight.
            if (after := again.fit) is None or after.left >= fit.left:
                break
            pose, first = moved, again
        side = orient({0: first}, earlier)
        is_doubtful = side.margin < _SURE_TURN and not (firm and side.quarter_turns == 0)
        if is_doubtful and letters_seen(first) > _SOME_LETTER:
            side = orient({0: first, **self._from_other_sides(image, pose, first)}, earlier)
        there, reading = pose.rotated(side.quarter_turns), first
        if side.quarter_turns:
            reading = read_squares(image, there, net=self.net)
        is_clear = side.margin >= _SURE_TURNED and _surely_read(reading) >= _FIRST_PLAY
        if firm and side.quarter_turns and not is_clear:
            return pose, first, Orientation(0, 0.0)
        return there, reading, side

    def _from_other_sides(
        self, image: Image, pose: Pose, first: SquareReading
    ) -> dict[int, SquareReading]:
        """What squares that may show a letter show after one to three quarter turns."""
        lettered = np.logaddexp.reduce(first.turns, axis=-1) > _MAY_BE_LETTER
        readings = {}
        for turns in (1, 2, 3):
            squares = np.flatnonzero(np.rot90(lettered, turns))
            there = pose.rotated(turns)
            readings[turns] = read_squares(image, there, squares=squares, net=self.net)
        return readings


def _seen_again(
    image: Image, prior: BoardReading | None, corners: Corners | None
) -> tuple[npt.NDArray[np.intp], SquareReading] | None:
    """What has changed on a board that lies where it lay, and what is known of it; else None."""
    if prior is None or prior.pose is None or prior.seen is None:
        return None
    if corners is not None:
        given = Pose.from_corners(corners)
        if corner_errors_any_side_up(prior.pose, given).max() > _AS_GIVEN:
            return None
    return seen_again(image, prior.pose, prior.seen)


def _surely_read(reading: SquareReading) -> int:
    """How many letters are read without doubt: what print and glare pass for is not."""
    letters = reading.log_probs[..., LETTER_CLASSES]
    return int(np.count_nonzero(letters.max(axis=-1) >= _SURE_LETTER))


def _turned(
    quarters: int, up: Orientation, reading: SquareReading, prior: BoardReading | None
) -> int | None:
    """How the letters lie against the board's own top, as far as they say so or have said so."""
    if letters_seen(reading) <= _SOME_LETTER:
        return None
    if up.margin >= _SURE_TURNED:
        return quarters
    return prior.turned if prior is not None else None


def _learned(prior: BoardReading | None, seen: MarkerPlaces) -> MarkerPlaces:
    """Where markers lie: as seen now, the others as known."""
    return {**(prior.markers if prior is not None else {}), **seen}


def _unfit(image: Image) -> str:
    """Why this picture cannot show a readable board at all, or nothing."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        return "not a colour picture"
    height, width = image.shape[:2]
    if min(height, width) < _LEAST_SIDE_PX:
        return f"the picture is too small: {width} x {height} pixels"
    sample = image[:: max(1, height // 64), :: max(1, width // 64)]
    if float(np.percentile(sample, 99)) < _BLACK_LEVEL:
        return camera_fault("black")
    if float(np.percentile(sample, 10)) >= _WHITE_LEVEL:
        return camera_fault("white")
    if float(sample.astype(np.float32).std(axis=(0, 1)).max()) < 2.0:
        return camera_fault("one_colour")
    return ""


def _untrusted(pose: Pose | None, image: Image, *, given: bool) -> str:
    """Why the pose cannot be used, or nothing. Given corners are used whatever they score."""
    if pose is None:
        return "no board found"
    if not pose.is_sane(image.shape[1], image.shape[0]):
        if given:
            return "the corners are not those of a board (clockwise from the top-left, in pixels)"
        return "the board is not wholly in the picture"
    if pose.square_px() < _LEAST_SQUARE_PX:
        return f"the board is too small: {pose.square_px():.0f} pixels for a square"
    if not given and pose.score < TRUSTED_SCORE:
        return f"no board found for sure (the best guess scores {pose.score:.2f})"
    return ""


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000.0, 1)


def _with_total(ms: Mapping[str, float]) -> dict[str, float]:
    return {**ms, "total": round(sum(ms.values()), 1)}
