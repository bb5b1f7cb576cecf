"""The tiles laid out after a game (EQUIP-8), on rendered pictures: counted, read, named."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

import tilecast
from devices.lab.scenes.lettering import Face
from devices.lab.scenes.rack_art import render_rack, render_tile_grid
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.variety import random_style
from devices.vision.beside.tilecheck import check_tiles
from recorder.tilesets import load_tile_set
from tests.cases import first_of

pytestmark = pytest.mark.pixels

ENGLISH, GERMAN = load_tile_set("english"), load_tile_set("german")
TILES = demo_style().tiles
BAG = "".join(str(face) * count for face, count in ENGLISH.counts.items())


def _laid(tiles: str, seed: int) -> tuple[str, ...]:
    mixed = "".join(np.random.default_rng(seed).permutation(list(tiles))).ljust(100, ".")
    return tuple(mixed[start : start + 10] for start in range(0, 100, 10))


@pytest.mark.further
@pytest.mark.parametrize("taken", first_of(1, ["Q", "", "E"]))
def test_all_tiles_in_ten_rows_are_counted(taken: str):
    """A whole set is complete; a tile that is gone is named."""
    check = check_tiles(render_tile_grid(TILES, _laid(BAG.replace(taken, "", 1), 1)), ENGLISH)
    assert check.found
    assert check.missing == ({taken: 1} if taken else {})
    assert check.extra == {}
    assert check.total == 100 - len(taken)


@pytest.mark.further
def test_a_foreign_tile_shows_in_the_letters_though_the_count_is_right():
    """One alien Z instead of an E: 100 tiles, and still wrong (EQUIP-8, edge)."""
    check = check_tiles(render_tile_grid(TILES, _laid(BAG.replace("E", "Z", 1), 2)), ENGLISH)
    assert (check.total, check.missing, check.extra) == (100, {"E": 1}, {"Z": 1})
    assert not check.is_complete


@pytest.mark.further
def test_tiles_in_four_blocks_are_counted():
    """Four blocks of 5 x 5, a tile's width apart."""
    check = check_tiles(render_tile_grid(TILES, _in_four_blocks(_laid(BAG, 3))), ENGLISH)
    assert (check.total, check.missing, check.extra) == (100, {}, {})


@pytest.mark.further
def test_the_command_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """One JSON document; a picture without tiles is refused with the reason."""
    path = tmp_path / "tiles.png"
    cv2.imwrite(str(path), render_tile_grid(TILES, _laid(BAG.replace("J", ""), 6)))
    assert tilecast.main(["tilecheck", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["missing"], document["complete"]) == ({"J": 1}, False)
    cv2.imwrite(str(path), np.full((300, 300, 3), 90, np.uint8))
    assert tilecast.main(["tilecheck", str(path)]) == 1
    assert "no tiles that lie in rows" in capsys.readouterr().err


def _in_four_blocks(rows: tuple[str, ...]) -> tuple[str, ...]:
    halves = [f"{row[:5]}.{row[5:]}" for row in rows]
    return (*halves[:5], "." * 11, *halves[5:])


@pytest.mark.further
@pytest.mark.parametrize("gone", [3, 0])
def test_tiles_face_down_are_counted(gone: int):
    """No letter is seen, so none is named: the count is all that can be said."""
    rows = _laid("#" * (100 - gone), 4)
    check = check_tiles(render_tile_grid(TILES, rows, turn_deg=12), ENGLISH)
    assert (check.total, check.face_down, check.missing, check.extra) == (100 - gone,) * 2 + (
        {},
        {},
    )
    assert check.count_is_right == (gone == 0)
    assert not check.is_complete


@pytest.mark.further
def test_a_tile_face_down_among_others_may_be_the_one_that_is_missing():
    """Seven E lie face down: they are missed by letter, and the count is right."""
    check = check_tiles(render_tile_grid(TILES, _laid(BAG.replace("E", "#", 7), 5)), ENGLISH)
    assert (check.missing, check.extra, check.face_down) == ({"E": 7}, {}, 7)
    assert check.count_is_right
    assert not check.is_complete


@pytest.mark.further
def test_sets_of_other_looks_are_counted():
    """Colours, ink, wood and wear by lot; the J is gone."""
    style = random_style(np.random.default_rng([5, 8]), [Face("sans", 700)]).tiles
    picture = render_tile_grid(style, _laid(BAG.replace("J", ""), 8), seed=8)
    check = check_tiles(picture, ENGLISH)
    assert (check.total, check.missing.get("J")) == (99, 1)


@pytest.mark.parametrize("what", first_of(2, ["a bare table", "noise", "a rack"]))
def test_what_is_no_block_of_tiles_is_not_counted(what: str):
    match what:
        case "a bare table":
            picture = np.full((400, 500, 3), 90, np.uint8)
        case "noise":
            picture = np.random.default_rng(5).integers(0, 255, (400, 500, 3), dtype=np.uint8)
        case _:
            picture = render_rack(TILES, "RETINAS", seed=3)
    check = check_tiles(picture, ENGLISH)
    assert (check.found, check.total, check.is_complete) == (False, 0, False)
    assert "side by side" in check.reason
