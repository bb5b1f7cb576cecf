"""What mishaps do to the script of a simulated table: light and places, never the play."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tilecast
from devices.sim.mishaps import VERBS, staged
from devices.sim.scenario import Expose, Happening, MoveBoard, PressClock, Reflect, Show, script
from devices.sim.styles import demo_style
from devices.sim.table_scene import TableScene
from recorder.gcg import GcgGame, read_gcg


@pytest.fixture(scope="module")
def game() -> GcgGame:
    """A composed game with a phony taken back."""
    name = "phony_withdrawn_after_a_challenge_bonus.gcg"
    return read_gcg((Path(__file__).parents[1] / "golden" / name).read_bytes())


def test_every_verb_can_be_given(capsys: pytest.CaptureFixture[str]):
    """The command line names the mishaps that there are."""
    with pytest.raises(SystemExit):
        tilecast.main(["demo", "--help"])
    told = capsys.readouterr().out
    assert all(name in told and verb.words for name, verb in VERBS.items())


@pytest.mark.parametrize(
    "verbs", [["knock"], ["turn_board"], ["glare"], ["exposure"], ["turn_board", "knock"]]
)
def test_the_same_game_is_played(game: GcgGame, verbs: list[str]):
    """Presses, boards and their order stay; only frames of a board in motion come in between."""

    def play(happenings: list[Happening]) -> list[Happening]:
        kept: list[Happening] = []
        for happening in happenings:
            if isinstance(happening, MoveBoard | Reflect | Expose):
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


def test_a_tile_on_a_wrong_square_is_put_right_before_the_press(game: GcgGame):
    """It lies there still and without a hand; at each press the boards are those of the record."""

    def boards(happenings: list[Happening]) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
        at_press, at_rest = [], []
        for happening in happenings:
            if isinstance(happening, Show):
                rows = happening.rows
                if happening.hand is None and happening.frames > 1:
                    at_rest.append(rows)
            if isinstance(happening, PressClock):
                at_press.append(rows)
        return at_press, at_rest

    plain = boards(list(script(game, 1)))
    spoiled = boards(list(staged(["correct"], script(game, 1))))
    assert spoiled[0] == plain[0]
    wrong = [rows for rows in spoiled[1] if rows not in plain[1]]
    assert len(wrong) >= 2
    tiles = [sum(symbol != "." for row in rows for symbol in row) for rows in wrong]
    assert all(
        count in {sum(s != "." for r in rows for s in r) for rows in plain[0]} for count in tiles
    )
    again = boards(list(staged(["correct"], script(game, 1))))
    assert again == spoiled


def test_the_exposure_jumps_and_the_truth_does_not():
    """Every frame has its exact truth; a step changes the light of all of it, and is no motion."""
    scene = TableScene(demo_style(), seed=4)
    before, truth = scene.frame_with_truth(1)
    scene.expose(0.72)
    after, still = scene.frame_with_truth(2)
    assert after.mean() < 0.8 * before.mean()
    assert still.rows == truth.rows
    assert np.array_equal(still.corners, truth.corners)


def test_the_truth_of_each_frame_is_that_of_the_frame(game: GcgGame):
    """A hand that enters, places, corrects and leaves: rows and cover are told frame by frame."""
    scene = TableScene(demo_style(), seed=4)
    covered, seen = [], []
    shows = [h for h in staged(["correct"], script(game, 1)) if isinstance(h, Show)]
    for number, show in enumerate(shows[3:16]):
        scene.board = show.rows
        scene.hand = None if show.hand is None else (show.hand, show.target, (90, 60, 40))
        _, truth = scene.frame_with_truth(number)
        assert truth.rows == show.rows
        assert bool(truth.cover.any()) <= (show.hand is not None)
        covered.append(len(truth.covered))
        seen.append(show.hand)
    assert max(covered) > 3
    assert all(not count for count, hand in zip(covered, seen, strict=True) if hand is None)
