"""The games that the simulated table plays: complete, exact, and in our own form."""

from pathlib import Path

import pytest

from recorder.domain.game import EndRackPoints, Exchanged, Played, replay
from recorder.domain.plays import Fault, placement_faults
from recorder.gcg import read_gcg, write_gcg

GAMES = Path(__file__).parents[3] / "devices" / "lab" / "games"


@pytest.mark.parametrize(
    ("name", "final", "plays"), [("english", (331, 357), 22), ("german", (114, 180), 15)]
)
def test_a_simulated_game_is_sound(name: str, final: tuple[int, int], plays: int) -> None:
    """No fault of any kind, every placement legal, written in the writer's own form."""
    data = (GAMES / f"{name}.gcg").read_bytes()
    game = read_gcg(data)
    assert game.faults == ()
    assert (game.final, game.plays, game.tile_set.name) == (final, plays, name)
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


def test_the_english_game_shows_what_a_game_can_have() -> None:
    """Two bingos, a blank, an exchange, and a play-out on the last tiles."""
    game = read_gcg((GAMES / "english.gcg").read_bytes())
    laid = [event.placement.new_tiles() for event in game.events if isinstance(event, Played)]
    assert sum(len(tiles) == 7 for tiles in laid) == 2
    assert any(tile.is_blank for tiles in laid for tile in tiles.values())
    assert any(isinstance(event, Exchanged) for event in game.events)
    last = game.events[-1]
    assert isinstance(last, EndRackPoints)
    unseen = replay(game.tile_set, game.events).unseen
    assert tuple(tile for tile, count in unseen.items() for _ in range(count)) == last.tiles
