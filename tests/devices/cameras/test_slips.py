"""Slips with a letter circled: drawn, printed, photographed askew, and what is read."""

import random
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.printables.slip_sheet import slip_sheet
from devices.cameras.camera import open_source
from devices.cameras.camera_device import CameraParts
from devices.cameras.evidence import EvidenceFolder
from devices.cameras.slip_camera import SlipCamera
from devices.lab.memory_ports import MemoryOutlet
from devices.lab.scenes.slip_art import Photo, PrintedSlip, photographed, printed
from devices.ports import Ticks
from devices.vision.beside.slip_layout import HEIGHT_MM, WIDTH_MM, alphabet_of
from devices.vision.beside.slips import read_slip
from recorder.domain.instruments import SlipMark, SlipSeen
from recorder.domain.tile_text import read_tile
from recorder.domain.tiles import EMPTY
from recorder.printing.pixels import raster
from recorder.tilesets import load_tile_set
from tests.cases import first_of

pytestmark = pytest.mark.pixels

PHOTOS = {
    "on its side": Photo(size=(1920, 1080), turn_deg=90, slant=0.04),
    "blurred": Photo(blur_px=2.5),
    "hard shadow": Photo(shadow=0.5, slant=0.05),
    "dark": Photo(brightness=0.3),
    "plain": Photo(),
    "slanted": Photo(slant=0.1),
    "upside down": Photo(turn_deg=175, slant=0.05),
}
SETS = ("english", "german", "spanish")
ENGLISH, GERMAN = map(load_tile_set, ("english", "german"))


def _read(slip: PrintedSlip, photo: Photo, seed: int) -> tuple[str, ...]:
    """Per blank: the letter, "." for empty, "!" for unreadable."""
    look = read_slip(photographed(slip, photo, random.Random(seed)), slip.alphabet)
    assert look is not None, "the slip was not found"
    words = {SlipMark.EMPTY: ".", SlipMark.UNREADABLE: "!"}
    return tuple(words.get(entry.mark, entry.letter.label) for entry in look.entries)


@pytest.mark.parametrize(
    ("photo", "tile_set"),
    first_of(1, [(photo, tile_set) for tile_set in SETS for photo in PHOTOS]),
)
def test_the_circled_letter_is_read(photo: str, tile_set: str):
    """Of eight blanks at most one is left to a person, and none is read wrongly."""
    left_open = 0
    for seed in range(2):
        for sloppy in (False, True):
            chance = random.Random(seed)
            first, second = chance.sample(alphabet_of(load_tile_set(tile_set)).letters, 2)
            slip = printed(load_tile_set(tile_set), chance)
            slip.circle(0, first, sloppy=sloppy)
            slip.circle(1, second)
            read = _read(slip, PHOTOS[photo], seed)
            assert read[0] in (first, "!")
            assert read[1] in (second, "!")
            left_open += read.count("!")
    assert left_open <= 1


@pytest.mark.further
@pytest.mark.parametrize(
    ("photo", "seed"), first_of(1, [("slanted", 0), ("blurred", 1), ("blurred", 0), ("slanted", 1)])
)
def test_what_a_person_must_see_is_not_read(photo: str, seed: int):
    """Two circled, crossed out, blackened: unreadable, and the other blank is not touched by it."""
    chance = random.Random(seed)
    first, second = chance.sample(alphabet_of(GERMAN).letters, 2)
    two, crossed, black = (printed(GERMAN, chance) for _ in range(3))
    two.circle(0, first)
    two.circle(0, second)
    crossed.circle(0, first)
    crossed.cross_out(0, first)
    black.circle(0, first)
    black.scribble(0, first)
    for slip in (two, crossed, black):
        assert _read(slip, PHOTOS[photo], seed) == ("!", ".")


def test_a_thumb_on_letters_hides_one_blank_and_not_the_other():
    """What cannot be seen may be circled."""
    for letter, read in (("K", "K"), ("", ".")):
        slip = printed(ENGLISH, random.Random(4))
        slip.circle(0, "A")
        if letter:
            slip.circle(1, letter)
        cv2.ellipse(slip.image, (480, 420), (170, 120), 20, 0, 360, (95, 130, 190), -1)
        assert _read(slip, PHOTOS["slanted"], 4) == ("!", read)


def test_a_correction_is_read_but_not_for_sure():
    """One letter crossed out, another circled: the second, for a person to confirm."""
    slip = printed(ENGLISH, random.Random(3))
    slip.circle(0, "E")
    slip.cross_out(0, "E")
    slip.circle(0, "S")
    look = read_slip(photographed(slip, Photo(), random.Random(3)))
    entry = look.entries[0]
    assert (entry.mark, entry.letter, set(entry.marked)) == (
        SlipMark.LETTER,
        read_tile("S"),
        {read_tile("E"), read_tile("S")},
    )
    assert entry.confidence < 0.7


def test_a_slip_too_far_away_says_so():
    slip = printed(ENGLISH, random.Random(2))
    slip.circle(0, "E")
    look = read_slip(photographed(slip, Photo(size=(640, 480)), random.Random(2)))
    assert "pixels a millimetre" in look.fault
    assert {entry.mark for entry in look.entries} == {SlipMark.UNREADABLE}


def test_a_thumb_on_one_marker_is_no_harm_and_two_are_no_slip():
    """Three of four markers tell where it lies."""
    slip = printed(ENGLISH, random.Random(5))
    slip.circle(0, "K")
    cv2.circle(slip.image, (70, 70), 130, (90, 120, 180), -1)
    assert _read(slip, Photo(), 5)[0] == "K"
    cv2.circle(slip.image, (1000, 70), 130, (90, 120, 180), -1)
    assert read_slip(photographed(slip, Photo(), random.Random(5))) is None


@pytest.mark.further
@pytest.mark.parametrize("tile_set", first_of(1, reversed(SETS)))
def test_the_printed_sheet_is_what_is_read(tile_set: str):
    """Two of the four slips of the sheet that ``tilecast printables --slip`` writes, at 300 dpi."""
    sheet = cv2.cvtColor(
        np.asarray(raster(slip_sheet(load_tile_set(tile_set)))), cv2.COLOR_GRAY2BGR
    )
    alphabet = alphabet_of(load_tile_set(tile_set))
    wide, high = (round(mm * 300 / 25.4) for mm in (WIDTH_MM, HEIGHT_MM))
    for number, (across, down) in enumerate([(0, 0), (1, 1)]):
        part = sheet[down * high : down * high + high, across * wide : across * wide + wide]
        slip = PrintedSlip(np.asarray(part, np.uint8), alphabet, random.Random(number))
        letter = alphabet.letters[-1 - 5 * number]
        slip.circle(1, letter)
        assert _read(slip, Photo(slant=0.05), number) == (".", letter)


def test_a_slip_camera_keeps_the_pictures(tmp_path: Path, ticks: Ticks):
    """A folder of photographs: each slip is an observation with its evidence, no slip is none."""
    folder = tmp_path / "photos"
    folder.mkdir()
    slip = printed(ENGLISH, random.Random(8))
    slip.circle(0, "R")
    slip.write_words("ZA")
    cv2.imwrite(str(folder / "1.png"), photographed(slip, Photo(), random.Random(8)))
    cv2.imwrite(str(folder / "2.png"), np.full((480, 640, 3), 90, np.uint8))
    evidence, outlet = EvidenceFolder(tmp_path / "evidence"), MemoryOutlet()
    parts = CameraParts("slip-1", open_source(str(folder), ticks), evidence, outlet, ticks)
    camera = SlipCamera(parts, read_slip)
    for _ in range(4):
        camera.step(0)
    ((_, seen),) = outlet.observed
    assert isinstance(seen, SlipSeen)
    assert [(entry.mark, entry.letter) for entry in seen.entries] == [
        (SlipMark.LETTER, read_tile("R")),
        (SlipMark.EMPTY, EMPTY),
    ]
    assert evidence.find(seen.picture)
    assert evidence.find(seen.challenge)
