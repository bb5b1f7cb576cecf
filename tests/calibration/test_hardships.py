"""What makes training hard: seeded, of every kind, and still with exact truth."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from calibration.lab.eyes.eyes_data import gather, generate
from devices.lab.scenes.hardships import harder
from devices.lab.scenes.lens import SceneCamera
from devices.lab.scenes.lettering import Face
from devices.lab.scenes.scene import Scene, render
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.variety import random_scene
from devices.vision.squares.net import CROP_PX
from devices.vision.squares.squares import cut_crops, cut_straightened
from recorder.domain.board import CENTRE, Board
from recorder.domain.tiles import Tile

pytestmark = pytest.mark.pixels

FACES = [Face("sans", 700)]


def _hard(number: int) -> Scene:
    rng = np.random.default_rng([5, number])
    return harder(rng, random_scene(rng, FACES))


def _tiles(scene: Scene) -> tuple[tuple[Tile, ...], ...]:
    return Board.from_rows(scene.rows).lines()


def test_hardships_follow_from_the_seed_and_all_occur():
    """Among sixty scenes there are shadows, darkness, casts, hands, askew tiles and a blank."""
    scenes = [_hard(number) for number in range(60)]
    assert np.array_equal(render(_hard(3))[0], render(scenes[3])[0])
    # A label of several letters is one tile: a blank in the middle must not cut it in two.
    assert all(len(row) == 15 for number in range(400) for row in _tiles(_hard(number)))
    row, col = divmod(int(CENTRE), 15)
    kinds = {
        "a hard shadow": [scene.light.shadows[:1] for scene in scenes],
        "dark": [scene.sensor.gain < 0.3 for scene in scenes],
        "tinted": [min(scene.sensor.cast) < 0.6 for scene in scenes],
        "two hands": [len(scene.arms) > 1 for scene in scenes],
        "askew": [abs(scene.style.turn_deg) > 15 for scene in scenes],
        "a blank in the middle": [scene.rows[row][col] == "?" for scene in scenes],
    }
    assert [name for name, found in kinds.items() if not any(found)] == []
    assert [name for name, found in kinds.items() if all(found)] == []


@pytest.mark.parametrize("turn", [30.0, -25.0])
def test_a_straightened_crop_shows_the_tile_as_if_it_lay_straight(turn: float):
    """Turned back by its own turn, a tile looks as it did, its neighbours aside."""
    style = replace(demo_style(), jitter=0.0, turn_jitter_deg=0.0)
    rows = [*["..............."] * 7, "...R...S...E...", *["..............."] * 7]
    camera = SceneCamera(width=1400, height=1400, focal_px=2200.0, distance=30)
    squares = np.array([7 * 15 + col for col in (3, 7, 11)])
    straight, truth = render(Scene(style=style, rows=rows, camera=camera))
    askew, same = render(Scene(style=replace(style, turn_deg=turn), rows=rows, camera=camera))
    tops = truth.top_homography
    before = cut_crops(straight, tops, squares).astype(int)
    after = cut_straightened(askew, tops, squares, [turn] * 3).astype(int)
    kept = slice(CROP_PX // 4, -CROP_PX // 4)
    assert np.abs(before - after)[:, kept, kept].mean() < 6.0
    assert np.abs(before - cut_crops(askew, tops, squares))[:, kept, kept].mean() > 15.0
    assert {lying.turn_deg for lying in same.lying.values()} == {turn}


def test_spoilt_crops_follow_from_the_seed_and_leave_the_originals():
    """Some crops change, some do not; the shape stays, and so does what was given."""
    torch = pytest.importorskip("torch", reason="training needs torch, the extra 'train'")
    from calibration.lab.eyes.augment import augmented

    def spoilt(seed: int) -> Any:
        return augmented(crops, torch.Generator().manual_seed(seed))

    crops = torch.randint(0, 255, (200, CROP_PX, CROP_PX, 3), dtype=torch.uint8)
    kept = crops.clone()
    assert torch.equal(spoilt(4), spoilt(4))
    assert not torch.equal(spoilt(4), spoilt(6))
    assert torch.equal(crops, kept)
    assert spoilt(4).shape == crops.shape


def test_a_shadow_darkens_one_side_of_a_crop():
    """Of many grey crops about a quarter are darkened on one side, hardly any all over."""
    torch = pytest.importorskip("torch", reason="training needs torch, the extra 'train'")
    from calibration.lab.eyes.augment import augmented

    grey = torch.full((400, CROP_PX, CROP_PX, 3), 120, dtype=torch.uint8)
    spoilt = augmented(grey, torch.Generator().manual_seed(2)).mean(dim=3)
    spread = spoilt.amax(dim=(1, 2)) - spoilt.amin(dim=(1, 2))
    assert 0.15 < float((spread > 15).float().mean()) < 0.45


@pytest.mark.further
def test_several_processes_render_the_same_squares_in_the_same_order():
    """How many processes render changes nothing; typefaces travel by what they are made from."""
    face = pickle.loads(pickle.dumps(FACES[0]))
    assert np.array_equal(face.mask("Q", 40), FACES[0].mask("Q", 40))
    alone = gather(list(generate(FACES, range(10), 3)))
    together = gather(list(generate(FACES, range(10), 3, jobs=2)))
    assert np.array_equal(alone.crops, together.crops)
    assert np.array_equal(alone.labels, together.labels)
    assert np.array_equal(alone.scenes, together.scenes)
