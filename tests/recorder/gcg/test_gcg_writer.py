"""What the strict writer writes, and that reading it back gives the same game."""

from dataclasses import replace
from pathlib import Path

import pytest

from recorder.domain.errors import RecorderError
from recorder.domain.game import ChallengeBonus, GameEvent, Passed, Played, Withdrawn
from recorder.domain.plays import parse_placement
from recorder.gcg import GcgGame, GcgMove, GcgPlayer, read_gcg, write_gcg
from recorder.gcg.model import EXCESS_NOTE
from recorder.tilesets import load_tile_set

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("*.gcg"))
FOREIGN = {
    "latin1_without_declaration",
    "dos_line_ends_and_byte_order_mark",
    "old_dialect_letters_played_through",
    "lettered_rows",
    "loss_only_in_the_running_total",
}
PLAYERS = (GcgPlayer("Ada", "Ada Lovely"), GcgPlayer("Ben", ""))
QUALM = Played(0, parse_placement("8D QUALM"), 52)
BOY = Played(1, parse_placement("9F BOY"), 23)


def written(*events: GameEvent) -> list[str]:
    moves = tuple(GcgMove(event) for event in events)
    game = GcgGame(players=PLAYERS, tile_set=load_tile_set("english"), moves=moves)
    return write_gcg(game).splitlines()[3:]


def without_racks(events: tuple[GameEvent, ...]) -> list[GameEvent]:
    """The events with their racks left out: the writer fills in unknown ones."""
    return [replace(event, rack=()) if hasattr(event, "rack") else event for event in events]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_what_was_written_reads_back_as_the_same_game(path: Path) -> None:
    """Same events, nothing worse than a warning, and a second writing changes nothing."""
    game = read_gcg(path.read_bytes())
    text = write_gcg(game)
    again = read_gcg(text)
    assert without_racks(again.events) == without_racks(game.events)
    assert again.ok
    assert again.racks == game.racks
    assert write_gcg(again) == text


@pytest.mark.parametrize(
    "path", [path for path in GOLDEN if path.stem not in FOREIGN], ids=lambda path: path.stem
)
def test_our_own_files_are_written_again_byte_for_byte(path: Path) -> None:
    """The golden files are in the writer's own form."""
    assert write_gcg(read_gcg(path.read_bytes())).encode() == path.read_bytes()


def test_the_file_starts_with_its_encoding_and_both_names() -> None:
    """A full name is always there; German says its tile distribution, English does not."""
    german = GcgGame(
        players=(GcgPlayer("Ann Lee:", "Ann  Lee"), GcgPlayer("", "")),
        tile_set=load_tile_set("german"),
        pragmata=(("lexicon", "TEST"), ("title", "Round\n1"), ("style", "mine")),
    )
    assert write_gcg(german) == (
        "#character-encoding UTF-8\n#title Round 1\n#lexicon TEST\n#tile-distribution german\n"
        "#player1 Ann_Lee Ann Lee\n#player2 player2 player2\n"
    )


def test_players_of_one_name_get_two_nicknames() -> None:
    """Other programs refuse a file with the same nickname twice."""
    game = GcgGame(players=(PLAYERS[0], PLAYERS[0]), tile_set=load_tile_set("english"))
    assert "#player2 Ada_2 Ada Lovely" in write_gcg(game)


def test_an_unknown_rack_is_written_as_the_tiles_played() -> None:
    assert written(Played(0, parse_placement("8D QUaLM"), 50)) == [">Ada: ?LMQU 8D QUaLM +50 50"]


def test_a_pass_and_a_bonus_show_the_rack_the_player_is_seen_with_next() -> None:
    """What is certain of an unknown rack: the tiles of the next play."""
    lines = written(QUALM, ChallengeBonus(0, 5), Passed(1), Passed(0), BOY)
    assert lines[1:] == [
        ">Ada:  (challenge) +5 57",
        ">Ben: BOY - +0 0",
        ">Ada: UNKNOWN - +0 57",
        ">Ben: BOY 9F BOY +23 23",
    ]


def test_a_withdrawn_play_shows_the_rack_of_the_play_and_the_loss() -> None:
    """The line directly after the play."""
    assert written(QUALM, Withdrawn(0, 52))[1] == ">Ada: ALMQU -- -52 0"


def test_events_that_cannot_follow_each_other_are_refused() -> None:
    """A record that contradicts itself is ours to fix, not to publish."""
    with pytest.raises(RecorderError, match="no last play"):
        written(Withdrawn(0, 5))


def test_letters_side_by_side_are_not_read_back_as_one_tile() -> None:
    """R and R are not the tile RR, C and H not CH: the first stands in brackets."""
    spanish = load_tile_set("spanish")
    laid = Played(0, parse_placement("8D ARRCHE"), 0)
    whole = Played(1, parse_placement("D8 .[RR]"), 0)
    game = GcgGame(players=PLAYERS, tile_set=spanish, moves=(GcgMove(laid), GcgMove(whole)))
    text = write_gcg(game)
    assert "8D A[R]R[C]HE" in text
    again = read_gcg(text)
    assert again.ok
    assert without_racks(again.events) == without_racks(game.events)


def test_tiles_that_the_set_does_not_have_are_noted_and_no_error() -> None:
    """What was read from a board stays as it was read."""
    events = (Played(0, parse_placement("8F JINK"), 48), Played(1, parse_placement("I8 .ICK"), 14))
    lines = written(*events)
    assert lines[-1] == f"#note {EXCESS_NOTE}"
    moves = tuple(GcgMove(event) for event in events)
    game = GcgGame(players=PLAYERS, tile_set=load_tile_set("english"), moves=moves)
    again = read_gcg(write_gcg(game))
    assert again.ok
    assert [fault.fault for fault in again.faults if "supply" in fault.fault]
    assert write_gcg(again) == write_gcg(game)
