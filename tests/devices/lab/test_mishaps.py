"""What mishaps do to the script of a simulated table: light and places, never the play."""

from dataclasses import replace
from pathlib import Path

import pytest

from devices.lab.demonstration import load_game
from devices.lab.game_script import (
    Expose,
    Happening,
    MoveBoard,
    PressClock,
    PutBag,
    Reflect,
    SetRack,
    Show,
    StopClock,
    script,
)
from devices.lab.mishaps.verbs import replayed, staged
from recorder.domain.errors import NotationError
from recorder.domain.game import EndRackPoints, Played, apply, new_game
from recorder.domain.plays import Fault, placement_faults
from recorder.gcg import GcgGame, read_gcg

pytestmark = pytest.mark.pixels


@pytest.fixture(scope="module")
def game() -> GcgGame:
    """A composed game with a phony taken back."""
    name = "phony_withdrawn_after_a_challenge_bonus.gcg"
    return read_gcg((Path(__file__).parents[2] / "golden" / name).read_bytes())


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


@pytest.mark.parametrize(
    ("verb", "reason"),
    [("illegal_exchange", "play_out"), ("overdraw", "needs 1"), ("draw_out_of_order", "play 5")],
)
def test_a_verb_without_a_place_in_the_game_is_refused(game: GcgGame, verb: str, reason: str):
    """Named, with what it needs; before anything is started."""
    first = replace(game, moves=game.moves[:0])
    with pytest.raises(NotationError, match=f"--mishap {verb}: .*{reason}"):
        list(staged([verb], script(replayed([verb], first), 1)))
