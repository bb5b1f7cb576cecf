"""What mishaps do to the script of a simulated table: light and places, never the play."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tilecast
from devices.lab.demonstration import load_game
from devices.lab.game_script import (
    Expose,
    Happening,
    LiftBag,
    MoveBoard,
    PressClock,
    PutBag,
    Reflect,
    SetRack,
    Show,
    StopClock,
    script,
)
from devices.lab.mishaps.verbs import VERBS, replayed, staged
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from recorder.domain.errors import NotationError
from recorder.domain.game import EndRackPoints, Exchanged, Passed, Played, apply, new_game
from recorder.domain.plays import Fault, placement_faults
from recorder.gcg import GcgGame, read_gcg

pytestmark = pytest.mark.pixels


@pytest.fixture(scope="module")
def game() -> GcgGame:
    """A composed game with a phony taken back."""
    name = "phony_withdrawn_after_a_challenge_bonus.gcg"
    return read_gcg((Path(__file__).parents[2] / "golden" / name).read_bytes())


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
    """Two knocks: the board has moved afterwards."""
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
    """A hand that enters, places, corrects and leaves.

    Rows and cover are reported frame by frame.
    """
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


@pytest.fixture(scope="module")
def demonstration_game() -> GcgGame:
    """The game that comes with the program, blanks and all."""
    return load_game(None)


def test_no_tile_is_made_or_lost_at_the_table(demonstration_game: GcgGame):
    """Board, racks and bag are the whole set whenever the bag lies on its scale."""
    total = demonstration_game.tile_set.total
    racks, bag, on_board, checked = [0, 0], 0, 0, 0
    for happening in script(demonstration_game, 1):
        match happening:
            case SetRack(player=player, tiles=tiles):
                racks[player] = tiles
            case PutBag(tiles=tiles):
                bag = tiles
            case Show(rows=rows):
                on_board = sum(symbol != "." for row in rows for symbol in row)
            case PressClock():
                checked += 1
            case StopClock():
                assert sum(racks) + bag + on_board == total
    assert checked > 20
    assert racks == [0, 4]


def test_a_game_is_played_out_with_legal_plays(game: GcgGame):
    """Every play fits its board and the set; one rack is empty at the end, and so is the bag."""
    played = replayed(["play_out"], game)
    state = new_game(played.tile_set)
    for event in played.events:
        if isinstance(event, Played) and event not in game.events:
            faults = placement_faults(state.board, event.placement, played.tile_set)
            assert faults is Fault.NONE
        state = apply(state, event)
    end = played.events[-1]
    assert isinstance(end, EndRackPoints)
    on_board = len(state.board.occupied())
    assert on_board + len(end.tiles) == played.tile_set.total


@pytest.mark.parametrize("verb", ["illegal_exchange", "phony_challenged", "six_zeros"])
def test_changed_records_can_be_replayed(demonstration_game: GcgGame, verb: str):
    """Turns alternate, and nothing lies on anything."""
    played = replayed([verb], demonstration_game)
    assert played.events != demonstration_game.events
    state = new_game(played.tile_set)
    for event in played.events:
        if isinstance(event, Played | Exchanged | Passed):
            assert event.player == state.on_turn
        state = apply(state, event)


@pytest.mark.parametrize(
    ("verb", "reason"),
    [("illegal_exchange", "play_out"), ("overdraw", "needs 1"), ("draw_out_of_order", "play 5")],
)
def test_a_verb_without_a_place_in_the_game_is_refused(game: GcgGame, verb: str, reason: str):
    """Named, with what it needs; before anything is started."""
    first = replace(game, moves=game.moves[:0])
    with pytest.raises(NotationError, match=f"--mishap {verb}: .*{reason}"):
        list(staged([verb], script(replayed([verb], first), 1)))


def test_too_many_tiles_go_back_and_too_few_are_made_up(demonstration_game: GcgGame):
    """Racks and bags are the same afterwards; in between one differs by one."""

    def counts(verbs: list[str]) -> list[Happening]:
        played = staged(verbs, script(demonstration_game, 1))
        return [one for one in played if isinstance(one, SetRack | PutBag)]

    plain = counts([])
    for verb, more in (("overdraw", 1), ("underdraw", -1)):
        spoiled = counts([verb])
        (at,) = [
            i for i, pair in enumerate(zip(plain, spoiled, strict=False)) if pair[0] != pair[1]
        ][:1]
        rack, bag = plain[at : at + 2]
        assert isinstance(rack, SetRack)
        assert isinstance(bag, PutBag)
        wrong = [SetRack(rack.player, rack.tiles + more), PutBag(bag.tiles - more)]
        assert spoiled == [*plain[:at], *wrong, rack, bag, *plain[at + 2 :]]


def test_a_forgotten_press_comes_after_the_draw(demonstration_game: GcgGame):
    """Tiles, bag, rack, and only then the clock."""
    plain = [type(one) for one in script(demonstration_game, 1)]
    spoiled = list(staged(["forget_to_press"], script(demonstration_game, 1)))
    presses = [at for at, one in enumerate(spoiled) if isinstance(one, PressClock)]
    assert len(presses) == plain.count(PressClock)
    drawn = [at for at, one in enumerate(spoiled) if isinstance(one, LiftBag)]
    before = [sum(draw < press for draw in drawn) for press in presses]
    ordinary = [max(0, number - 1) for number in range(len(presses))]
    assert [
        number for number, (now, usual) in enumerate(zip(before, ordinary, strict=True))
        if now > usual
    ] == [4]  # fmt: skip
