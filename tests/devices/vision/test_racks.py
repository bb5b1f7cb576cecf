"""Racks on rendered pictures: what is read, and what must stay unread."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tilecast
from devices.lab.scenes.rack_art import render_rack
from devices.lab.scenes.styles import demo_style
from devices.pictures import encode_jpeg
from devices.vision.beside.racks import read_racks
from devices.vision.squares.faces import Faces, inked
from recorder.tilesets import load_tile_set
from tests.cases import first_of

pytestmark = pytest.mark.pixels

ENGLISH = load_tile_set("english")
TILES = demo_style().tiles


@pytest.mark.parametrize(
    ("slots", "turn_deg"),
    first_of(1, [("QU.ZA", 90), ("HOBBY", 25), ("FLOW?RS", 200), ("AEINRST", 0), ("RETINAS", 180)]),
)
def test_a_rack_is_read_whichever_way_it_lies(slots: str, turn_deg: int):
    """Letters, gaps and the blank come out in reading order."""
    picture = render_rack(TILES, slots, turn_deg=turn_deg, seed=turn_deg)
    (rack,) = read_racks(picture, ENGLISH)
    assert (rack.slots, rack.letters) == (slots, slots.replace(".", ""))
    assert len(rack.confidence) == len(rack.corners) + len(rack.letters) - 4


@pytest.mark.further
def test_tiles_face_down_count_though_nobody_knows_them():
    """Each is "?", and doubtful: it may be a blank, or any letter lying on its face."""
    (rack,) = read_racks(render_rack(TILES, "#EINR#T", seed=2), ENGLISH)
    assert (rack.letters, rack.count, rack.doubtful) == ("?EINR?T", 7, (1, 6))


@pytest.mark.further
@pytest.mark.parametrize(
    ("place", "turn_deg"),
    first_of(1, [(5, 270.0), (4, 90.0), (0, 90.0), (2, 180.0)]),
)
def test_a_tile_that_lies_turned_is_read_with_doubt(place: int, turn_deg: float):
    """Upside down or sideways, it counts; its letter is flagged, or not said at all."""
    picture = render_rack(TILES, "RETAPEG", seed=6, turns={(0, place): turn_deg})
    (rack,) = read_racks(picture, ENGLISH)
    without = f"{'RETAPEG'[:place]}?{'RETAPEG'[place + 1 :]}"
    assert rack.letters in ("RETAPEG", without)
    assert rack.doubtful == (place + 1,)


@pytest.mark.further
def test_a_blank_with_a_mark_of_its_own_is_told_from_a_tile_face_down():
    """A white sticker on a dark tile is seen at the end of a rack and between letters."""
    tiles = replace(
        TILES,
        face_colour=(60, 50, 130),
        ink=(150, 220, 240),
        mark="sticker",
        mark_colour=(235, 235, 235),
    )
    (rack,) = read_racks(render_rack(tiles, "NP#AEB?", px=70, seed=3), ENGLISH)
    assert (rack.letters, rack.count) == ("NP?AEB?", 7)
    assert rack.confidence[2] < rack.confidence[6]


@pytest.mark.parametrize("slots", first_of(1, ["QU..ZAE", "QUI.Z.E"]))
def test_a_gap_has_a_dot_for_each_tile_that_would_fit(slots: str):
    """Bare places of a rack are counted where they lie between tiles."""
    (rack,) = read_racks(render_rack(TILES, slots, px=70, seed=3), ENGLISH)
    assert rack.slots == slots


def test_print_of_another_colour_than_the_tiles_on_the_board_is_no_rack():
    """Gold letters on a blue lid are not the burgundy tiles that lie on the board."""
    burgundy, navy = np.array([[100.0, 152.0, 142.0]] * 5), np.array([[105.0, 130.0, 132.0]] * 4)
    faces = Faces(letters=burgundy, blanks=np.zeros((0, 3)))
    assert not faces.fit(navy)
    assert faces.fit(burgundy * (1.3, 1.02, 0.98))
    assert Faces(letters=burgundy[:3], blanks=burgundy[:0]).fit(navy)


def test_letters_of_printed_words_come_nearer_each_other_than_those_on_tiles():
    """Around a letter on a tile there is little ink, around one of a word there is much."""
    ground = np.full((1, 40, 40, 3), (120, 60, 30), np.uint8)
    tile, word = ground.copy(), ground.copy()
    tile[:, 13:27, 13:27] = (90, 200, 230)
    word[:, 6:34, [6, 7, 8, 9, 18, 19, 20, 21, 30, 31, 32, 33]] = (90, 200, 230)
    assert inked(tile) < 0.1
    assert inked(word) > 0.3


def test_two_tiles_are_no_rack_unless_a_rack_is_known_to_be_there():
    """Loose tiles beside each other stay unread; a rack camera asks for less."""
    picture = render_rack(TILES, "QI", seed=3)
    assert read_racks(picture, ENGLISH) == ()
    assert [rack.letters for rack in read_racks(picture, ENGLISH, least=2)] == ["QI"]


def test_a_rack_without_a_board_is_read_by_one_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """``tilecast read --rack``: letters and gaps; a picture without a rack is refused."""
    picture, bare = tmp_path / "rack.jpg", tmp_path / "bare.jpg"
    picture.write_bytes(encode_jpeg(render_rack(TILES, "QU.ZA", seed=3)))
    bare.write_bytes(encode_jpeg(np.full((300, 500, 3), 90, np.uint8)))
    assert tilecast.main(["read", "--rack", str(picture), "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert (read["found"], [rack["slots"] for rack in read["racks"]]) == (True, ["QU.ZA"])
    assert tilecast.main(["read", "--rack", str(bare)]) == 1
    assert "no rack found" in capsys.readouterr().err
