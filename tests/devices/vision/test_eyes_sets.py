"""Tile sets that nobody here had seen: what is misread must be flagged, and little is misread."""

import os
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.lab.report.report import make_report
from calibration.lab.report.samples import find_samples
from devices.lab.scenes.lens import SceneCamera, Sensor
from devices.lab.scenes.lettering import Cut, QTail
from devices.lab.scenes.scene import Scene, render
from devices.lab.scenes.styles import demo_style
from devices.pictures import decode_picture
from devices.vision.eyes import Eyes
from recorder.domain.board import parse_square
from recorder.tilesets import load_tile_set
from tests.cases import first_of

_EYES = cache(Eyes)


def _shared(*folders: str) -> Path:
    default = Path(__file__).resolve().parents[4] / "shared"
    folder = Path(os.environ.get("TILECAST_SHARED", default)).joinpath(*folders)
    if not folder.is_dir():
        pytest.skip(f"no {'/'.join(folders)} (set TILECAST_SHARED)")
    return folder


@pytest.mark.pixels
@pytest.mark.parametrize("size", first_of(1, [0.34, 0.3]))
def test_a_small_value_tucked_beside_a_small_letter_is_no_part_of_it(size: float):
    """I with bars and a 1 at its foot is no L, P with a 3 under its bowl no B, and a Q no O."""
    style = demo_style()
    tail = QTail(((0.2, 0.25), (0.33, 0.36), (0.45, 0.42)), 0.09)
    tiles = replace(
        style.tiles,
        letter_size=size,
        letter_at=(0.42, 0.46),
        digit_size=0.13,
        digit_at=(0.6, 0.46 + size / 2),
        digit_gap=0.02,
        is_tucked=True,
        cut=Cut(i_serifs=0.14, q_tail=tail),
    )
    rows = [*["..............."] * 7, "....PIQUEBLOT..", *["..............."] * 7]
    scene = Scene(
        style=replace(style, tiles=tiles),
        rows=rows,
        camera=SceneCamera(width=1000, height=1000, focal_px=1500.0, distance=30),
        sensor=Sensor(noise=2.0, blur_px=0.8),
        seed=4,
    )
    image, _ = render(scene)
    look = _EYES("english").read(image)
    assert look.found
    assert "".join(look.symbols) == "".join(rows)
    assert not {5, 6} & {square - 105 for square in look.doubtful}


@pytest.mark.pixels
def test_a_large_value_under_the_bowl_of_a_p_makes_no_other_letter_of_it():
    """What touches the letter is looked at without it: P with a 3 is a P, surely."""
    style = demo_style()
    tiles = replace(
        style.tiles,
        ink=(90, 60, 200),
        letter_at=(0.42, 0.44),
        digit_size=0.3,
        digit_at=(0.6, 0.67),
        digit_gap=-0.01,
        is_tucked=True,
        cut=Cut(heft=-0.03, i_serifs=0.1),
    )
    rows = [*["..............."] * 7, "....PUPPETFRY..", *["..............."] * 7]
    scene = Scene(
        style=replace(style, tiles=tiles),
        rows=rows,
        camera=SceneCamera(width=1400, height=1400, focal_px=2100.0, distance=30),
        sensor=Sensor(noise=2.0, blur_px=1.2),
        seed=4,
    )
    image, _ = render(scene)
    look = Eyes("english", hold_supply=False).read(image)
    assert "".join(look.symbols) == "".join(rows)
    assert not {*range(109, 118)} & {*look.doubtful}


@pytest.mark.pixels
def test_the_printed_value_tells_a_q_whose_tail_is_hardly_there():
    """With a 10 beside it a ring is no sure O: O is worth 1."""
    style = demo_style()
    tail = QTail(((0.3, 0.3), (0.32, 0.32), (0.34, 0.34)), 0.05)
    tiles = replace(style.tiles, cut=Cut(q_tail=tail))
    rows = [*["..............."] * 7, ".....QUOTA.....", *["..............."] * 7]
    scene = Scene(style=replace(style, tiles=tiles), rows=rows, seed=4)
    image, _ = render(scene)
    look = _EYES("english").read(image)
    ring = 7 * 15 + 5
    assert look.symbols[ring] == "Q" or ring in look.doubtful
    assert look.symbols[7 * 15 + 7] == "O"
    assert 7 * 15 + 7 not in look.doubtful


@pytest.mark.photos
@pytest.mark.parametrize(
    ("picture", "square", "symbol"),
    first_of(
        2,
        [
            ("mattel_Q.jpeg", "7E", "Q"),
            ("naspa_blanks.png", "3H", "?"),
            ("serif_I.jpeg", "10K", "I"),
            ("purple_180.png", "1B", "Y"),
            ("naspa_blanks.png", "14L", "?"),
            ("purple_180.png", "2B", "O"),
            ("SRDewan__data_hwp_board01.jpeg", "5J", "P"),
            ("SRDewan__data_hwp_board15.jpeg", "5J", "P"),
        ],
    ),
)
def test_a_misread_tile_of_a_foreign_set_is_read_now(picture: str, square: str, symbol: str):
    """Letters and blanks that were read wrongly once, most of them silently."""
    folders = ("photos", "sets") if "__" in picture else ("findings", "inputs", "eyes")
    path = _shared(*folders) / picture
    look = _EYES("english").read(decode_picture(path.read_bytes()))
    assert look.found
    assert look.symbols[parse_square(square)[0]] == symbol


@pytest.mark.further
@pytest.mark.photos
@pytest.mark.parametrize("picture", first_of(1, ["Plateau_biais.jpg", "white_travel.jpg"]))
def test_a_board_that_nobody_can_read_is_not_made_up(picture: str):
    """Another kind of board is refused, or next to none of its tiles are sure."""
    path = _shared("findings", "inputs", "eyes") / picture
    look = _EYES("english").read(decode_picture(path.read_bytes()))
    sure = [n for n, symbol in enumerate(look.symbols) if symbol not in ".#"] if look.found else []
    assert len(set(sure) - set(look.doubtful if look.found else ())) <= 4


@pytest.mark.further
@pytest.mark.photos
@pytest.mark.parametrize("every", first_of(1, [12, 6, 1]))
def test_boards_of_sets_that_took_no_part_in_training(every: int):
    """Few squares are wrong, and nearly all of those are flagged."""
    samples = list(find_samples(_shared("photos", "sets")))[::every]
    total = make_report(samples, _EYES).total()
    assert total.found == len(samples)
    assert total.wrong <= 0.001 * total.squares + 1
    assert total.wrong - total.wrong_flagged <= 3 / every


@pytest.mark.further
@pytest.mark.pixels
@pytest.mark.parametrize(("across", "down"), first_of(1, [(-0.4, 0.7), (0.7, 0.4)]))
def test_a_corner_that_is_most_of_a_square_off_leaves_no_square_sure(across: float, down: float):
    """Tiles near it point to the squares beside their own: what they show is in doubt."""
    words = ("MOUNTAINGLIDERS", "QUIETLYBROWNFOX")
    rows = [*["..............."] * 10, words[0], "...............", words[1], *["." * 15] * 2]
    camera = SceneCamera(width=1000, height=1000, focal_px=1500.0, distance=30)
    scene = Scene(style=demo_style(), rows=rows, camera=camera, sensor=Sensor(noise=2.0), seed=4)
    image, _ = render(scene)
    eyes = Eyes("english", hold_supply=False)
    right = eyes.read(image)
    assert list(right.rows) == rows
    corner = right.pose.project(np.array([[15.0 + across, 15.0 + down]]))[0]
    off = [*right.pose.corners()]
    off[2] = (float(corner[0]), float(corner[1]))
    look = eyes.read(image, corners=tuple(off))
    wrong = [number for number in range(225) if look.symbols[number] != "".join(rows)[number]]
    assert wrong
    assert set(wrong) <= set(look.doubtful)


@pytest.mark.further
@pytest.mark.pixels
@pytest.mark.parametrize(
    "name", first_of(1, ["polish", "spanish", "catalan", "norwegian", "french"])
)
def test_every_letter_of_a_shipped_set_is_read(name: str):
    """Faces with accents and of two letters, of which the set's own count lie there at most."""
    tiles = load_tile_set(name)
    faces = [str(tile) for tile in tiles.letters]
    lines = [faces[at : at + 11] for at in range(0, len(faces), 11)]
    rows = ["." * 15] * 15
    for number, line in enumerate(lines):
        rows[2 + 2 * number] = "." * 2 + "".join(line) + "." * (13 - len(line))
    camera = SceneCamera(width=1200, height=1200, focal_px=1800.0, distance=30, tilt_deg=8)
    scene = Scene(style=demo_style(), rows=rows, camera=camera, sensor=Sensor(noise=2.0), seed=4)
    image, _ = render(scene)
    assert list(_EYES(name).read(image).rows) == rows


@pytest.mark.further
@pytest.mark.pixels
def test_a_smeared_mirror_image_is_called_smeared():
    """Letters that run into each other do not say which way round they are."""
    rows = (
        ["." * 15] * 6 + ["...BRACKETS....", ".....FORGED....", "...JUNGLE......"] + ["." * 15] * 6
    )
    camera = SceneCamera(width=1000, height=1000, focal_px=1500.0, distance=30)
    image, _ = render(Scene(style=demo_style(), rows=rows, camera=camera, seed=4))
    way = np.zeros((13, 13), np.float32)
    way[6] = 1 / 13
    smeared = cv2.filter2D(np.ascontiguousarray(image[:, ::-1]), -1, way)
    look = _EYES("english").read(smeared)
    assert "mirror" not in look.reason
    assert "the picture is blurred by motion" in " ".join((look.reason, *look.notes))


@pytest.mark.pixels
@pytest.mark.parametrize("word", first_of(1, ["ЖЮЯФДЛШ", "ΩΔΣΛΞΨΦ"]))
def test_another_script_is_said_to_be_none_of_the_set(word: str):
    """Cyrillic and Greek letters are read as letters of no set, all in doubt."""
    rows = [*["." * 15] * 7, f"....{word}....", *["." * 15] * 7]
    camera = SceneCamera(width=1000, height=1000, focal_px=1500.0, distance=30)
    image, _ = render(Scene(style=demo_style(), rows=rows, camera=camera, seed=4))
    look = _EYES("english").read(image)
    assert "none of the english set" in " ".join(look.notes)
    assert set(range(109, 116)) <= set(look.doubtful)
