"""What mishaps do to the script of a simulated table: light and places, never the play."""

from collections.abc import Callable
from pathlib import Path

import pytest

import tilecast
from devices.sim.mishaps import MISHAPS, STAGED, staged
from devices.sim.scenario import Happening, MoveBoard, PressClock, Reflect, Show, script
from devices.sim.styles import demo_style
from devices.sim.table_scene import TableScene
from recorder.gcg import GcgGame, read_gcg


@pytest.fixture(scope="module")
def game() -> GcgGame:
    """A composed game with a phony taken back."""
    name = "phony_withdrawn_after_a_challenge_bonus.gcg"
    return read_gcg((Path(__file__).parents[1] / "golden" / name).read_bytes())


def test_every_verb_can_be_given():
    """The command line names exactly the mishaps that there are."""
    assert sorted(tilecast.MISHAPS) == sorted([*MISHAPS, *STAGED])


@pytest.mark.parametrize("verbs", [["knock"], ["turn_board"], ["glare"], ["turn_board", "knock"]])
def test_the_same_game_is_played(game: GcgGame, verbs: list[str]):
    """Presses, boards and their order stay; only frames of a board in motion come in between."""

    def play(happenings: list[Happening]) -> list[Happening]:
        kept: list[Happening] = []
        for happening in happenings:
            if isinstance(happening, MoveBoard | Reflect):
                continue
            if isinstance(happening, Show):
                happening = Show(1, happening.rows, happening.hand, happening.target)  # noqa: PLW2901
            if not kept or happening != kept[-1] or not isinstance(happening, Show):
                kept.append(happening)
        return kept

    plain, spoiled = list(script(game, 1)), list(staged(verbs, script(game, 1)))
    presses = [h for h in spoiled if isinstance(h, PressClock)]
    assert presses == [h for h in plain if isinstance(h, PressClock)]
    assert len(play(spoiled)) - len(play(plain)) in range(len(presses) + 1)
    rows = dict.fromkeys(h.rows for h in spoiled if isinstance(h, Show))
    assert list(rows) == list(dict.fromkeys(h.rows for h in plain if isinstance(h, Show)))


def test_the_board_is_turned_half_after_every_press_and_never_quite(game: GcgGame):
    """Upside down every other turn, askew by up to seven degrees, over several frames."""
    at_rest, turn = [], 0.0
    for happening in staged(["turn_board"], script(game, 1)):
        if isinstance(happening, MoveBoard):
            assert 0 < happening.turn_deg - turn < 60
            turn = happening.turn_deg
        if isinstance(happening, PressClock):
            at_rest.append(turn)
    for number, angle in enumerate(at_rest):
        assert abs(angle - 180 * number) <= 7
    assert len({round(angle - 180 * number, 3) for number, angle in enumerate(at_rest)}) > 3


def test_a_knock_moves_the_board_less_than_a_square_and_it_stays(game: GcgGame):
    """Two knocks: the board lies elsewhere afterwards."""
    moves = [h for h in staged(["knock"], script(game, 1)) if isinstance(h, MoveBoard)]
    assert len(moves) == 2
    assert all(0 < abs(move.shift[0]) < 1 and 0 < abs(move.turn_deg) < 5 for move in moves)


@pytest.mark.parametrize("spoil", [
    lambda scene: scene.reflect((0.5, 0.5)),
    lambda scene: setattr(scene, "turn_deg", 12.0),
    lambda scene: setattr(scene, "shift", (0.4, 0.2)),
])  # fmt: skip
def test_the_camera_sees_it(spoil: Callable[[TableScene], None]):
    """Each changes many pixels, and the picture comes back when it is undone."""
    scene = TableScene(demo_style(), 1)
    before = scene.frame(1)
    spoil(scene)
    assert (scene.frame(1) != before).any(axis=2).mean() > 0.01
    scene.reflect(None)
    scene.turn_deg, scene.shift = 0.0, (0.0, 0.0)
    assert (scene.frame(1) == before).all()
