"""Racks and laid out tiles, on rendered pictures: what is read, and what must stay unread."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

import tilecast
from devices.sim.rack_art import render_rack, render_tile_grid
from devices.sim.styles import demo_style
from devices.vision.racks import read_racks
from devices.vision.report import letters_wrong
from devices.vision.tilecheck import check_tiles
from recorder.tilesets import load_tile_set

ENGLISH = load_tile_set("english")
TILES = demo_style().tiles
BAG = "".join(face * ENGLISH.count(face) for face in "?" + ENGLISH.letters)


def _laid(tiles: str, seed: int) -> tuple[str, ...]:
    mixed = "".join(np.random.default_rng(seed).permutation(list(tiles))).ljust(100, ".")
    return tuple(mixed[start : start + 10] for start in range(0, 100, 10))


@pytest.mark.parametrize(
    ("slots", "turn_deg"),
    [("AEINRST", 0), ("QU.ZA", 90), ("RETINAS", 180), ("HOBBY", 25), ("FLOW?RS", 200)],
)
def test_a_rack_is_read_whichever_way_it_lies(slots: str, turn_deg: int):
    """Letters, gaps and the blank come out in reading order."""
    picture = render_rack(TILES, slots, turn_deg=turn_deg, seed=turn_deg)
    (rack,) = read_racks(picture, ENGLISH)
    assert (rack.slots, rack.letters) == (slots, slots.replace(".", ""))
    assert len(rack.confidence) == len(rack.corners) + len(rack.letters) - 4


def test_two_tiles_are_no_rack_unless_a_rack_is_known_to_be_there():
    """Loose tiles beside each other stay unread; a rack camera asks for less."""
    picture = render_rack(TILES, "QI", seed=3)
    assert read_racks(picture, ENGLISH) == ()
    assert [rack.letters for rack in read_racks(picture, ENGLISH, least=2)] == ["QI"]


def test_letters_that_no_set_has_are_no_rack():
    """Four of a letter of which there are two are print, not tiles."""
    assert read_racks(render_rack(TILES, "WWWWAB", seed=4), ENGLISH) == ()


def test_a_table_without_tiles_has_no_rack():
    """Noise is not read."""
    noise = np.random.default_rng(5).integers(60, 120, (480, 640, 3), dtype=np.uint8)
    assert read_racks(noise, ENGLISH) == ()


@pytest.mark.parametrize("taken", ["", "E", "Q"])
def test_all_tiles_in_ten_rows_are_counted(taken: str):
    """A whole set is complete; a tile that is gone is named."""
    check = check_tiles(render_tile_grid(TILES, _laid(BAG.replace(taken, "", 1), 1)), ENGLISH)
    assert check.found
    assert check.missing == ({taken: 1} if taken else {})
    assert check.extra == {}
    assert check.total == 100 - len(taken)


def test_a_foreign_tile_shows_in_the_letters_though_the_count_is_right():
    """One alien Z instead of an E: 100 tiles, and still wrong (EQUIP-8, edge)."""
    check = check_tiles(render_tile_grid(TILES, _laid(BAG.replace("E", "Z", 1), 2)), ENGLISH)
    assert (check.total, check.missing, check.extra) == (100, {"E": 1}, {"Z": 1})
    assert not check.is_complete


def test_tiles_in_four_blocks_are_counted():
    """Four blocks of 5 x 5, a tile's width apart."""
    halves = [f"{row[:5]}.{row[5:]}" for row in _laid(BAG, 3)]
    check = check_tiles(render_tile_grid(TILES, (*halves[:5], "." * 11, *halves[5:])), ENGLISH)
    assert (check.total, check.missing, check.extra) == (100, {}, {})


def test_the_command_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """One JSON document; a picture without tiles is refused with the reason."""
    path = tmp_path / "tiles.png"
    cv2.imwrite(str(path), render_tile_grid(TILES, _laid(BAG.replace("J", ""), 6)))
    assert tilecast.main(["tilecheck", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["missing"], document["complete"]) == ({"J": 1}, False)
    cv2.imwrite(str(path), np.full((300, 300, 3), 90, np.uint8))
    assert tilecast.main(["tilecheck", str(path)]) == 1
    assert "no tiles that lie face up" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("truth", "read", "wrong"), [("QUIZ", "QUIZ", 0), ("QUIZ", "QUZ", 1), ("QUIZ", "OUIZE", 2)]
)
def test_wrong_letters_of_a_rack_are_counted(truth: str, read: str, wrong: int):
    """Changed, missing and added letters count one each."""
    assert letters_wrong(truth, read) == wrong
