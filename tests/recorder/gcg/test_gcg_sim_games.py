"""The games that the simulated table plays: complete, exact, and in our own form."""

from pathlib import Path

import pytest

from recorder.domain.game import EndRackPoints, Played, apply, new_game, replay
from recorder.domain.plays import Fault, placement_faults
from recorder.domain.scoring import words_formed
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import unnamed
from recorder.gcg import GcgGame, read_gcg, write_gcg
from recorder.word_lists import load_word_list
from tests.cases import first_of

pytestmark = pytest.mark.slow

GAMES = Path(__file__).parents[3] / "devices" / "lab" / "games"


@pytest.mark.parametrize(
    ("name", "final", "plays"),
    [("demo", (365, 372), 23), ("english", (331, 357), 22), ("german", (114, 180), 15)],
)
def test_a_simulated_game_is_sound(name: str, final: tuple[int, int], plays: int) -> None:
    """No fault of any kind, every placement legal, written in the writer's own form."""
    data = (GAMES / f"{name}.gcg").read_bytes()
    game = read_gcg(data)
    assert game.faults == ()
    assert (game.final, game.plays) == (final, plays)
    assert write_gcg(game).encode() == data
    for number, event in enumerate(game.events):
        if isinstance(event, Played):
            board = replay(game.tile_set, game.events[:number]).board
            assert placement_faults(board, event.placement, game.tile_set) is Fault.NONE


def test_tables_of_an_event_play_games_of_their_own() -> None:
    """Nine that differ, each sound to the last tile, with a bingo, and played out."""
    files = sorted(GAMES.glob("event-*.gcg"))
    games = [read_gcg(file.read_bytes()) for file in files]
    assert [game.faults for game in games] == [()] * 9
    assert [write_gcg(game).encode() for game in games] == [file.read_bytes() for file in files]
    assert len({game.final for game in games}) == 9
    for game in games:
        assert isinstance(game.events[-1], EndRackPoints)
        plays = [event for event in game.events if isinstance(event, Played)]
        assert any(len(play.placement.new_tiles()) == 7 for play in plays)
        for number, event in enumerate(game.events):
            if isinstance(event, Played):
                board = replay(game.tile_set, game.events[:number]).board
                assert placement_faults(board, event.placement, game.tile_set) is Fault.NONE


def words_of(game: GcgGame) -> list[list[str]]:
    state, found = new_game(game.tile_set), []
    for event in game.events:
        if isinstance(event, Played):
            formed = words_formed(state.board, event.placement)
            found.append([write_tiles(map(unnamed, word.tiles)) for word in formed])
        state = apply(state, event)
    return found


@pytest.mark.parametrize(
    "name", first_of(4, ["demo", *(f"event-{number}" for number in range(1, 10))])
)
def test_only_the_phony_is_in_no_list(name: str) -> None:
    """The free list has every word of our games but the one that is challenged off."""
    game = read_gcg((GAMES / f"{name}.gcg").read_bytes())
    listed = load_word_list(GAMES.parent / "words" / "english.txt", game.tile_set).words
    unknown = [word for words in words_of(game) for word in words if word not in listed]
    assert unknown == (["REPLAIN"] if name == "demo" else [])
