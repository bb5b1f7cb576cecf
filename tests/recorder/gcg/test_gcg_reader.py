"""What the tolerant reader makes of the dialects of the field, and of what is no game at all."""

import random
from pathlib import Path

import pytest

from recorder.domain.board import EMPTY_BOARD
from recorder.domain.game import (
    ChallengeBonus,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    Passed,
    Played,
    TimePenalty,
    Withdrawn,
    replay,
)
from recorder.domain.tile_text import read_tiles
from recorder.gcg import GcgGame, read_gcg
from recorder.tilesets import load_tile_set

GOLDEN = Path(__file__).parents[2] / "golden"
HEAD = "#character-encoding UTF-8\n#player1 Ada Ada\n#player2 Ben Ben\n"


def golden(name: str) -> GcgGame:
    return read_gcg((GOLDEN / f"{name}.gcg").read_bytes())


def found(text: str) -> list[tuple[int, str, str]]:
    faults = read_gcg(HEAD + text).faults
    return [(fault.line, fault.fault, fault.severity.value) for fault in faults]


@pytest.mark.parametrize(
    ("name", "final", "plays"),
    [
        ("bingo_with_blank_then_exchange_and_pass", (72, 0), 2),
        ("phony_withdrawn_after_a_challenge_bonus", (52, 48), 4),
        ("six_zeros_with_a_phony", (-17, -16), 1),
        ("doubled_end_rack_then_overtime", (56, 13), 2),
        ("end_rack_moved_from_one_to_the_other", (64, 11), 2),
        ("two_turns_of_which_nobody_knows_exchange_or_pass", (52, 23), 2),
        ("umlauts_and_a_blank", (20, 20), 3),
        ("unfinished_with_racks", (52, 23), 2),
        ("dos_line_ends_and_byte_order_mark", (52, 23), 2),
        ("lettered_rows", (52, 23), 2),
    ],
)
def test_a_sound_game_reads_without_a_fault(name: str, final: tuple[int, int], plays: int) -> None:
    """Its scores are those of the fold of its events."""
    game = golden(name)
    assert game.faults == ()
    assert (game.final, game.plays) == (final, plays)
    assert replay(game.tile_set, game.events).scores == final


def test_every_kind_of_event_is_told_from_the_others() -> None:
    """Exchange, pass, withdrawal, bonus, end racks and overtime keep their points and tiles."""
    events = [
        *golden("phony_withdrawn_after_a_challenge_bonus").events,
        *golden("six_zeros_with_a_phony").events,
        *golden("doubled_end_rack_then_overtime").events,
        *golden("bingo_with_blank_then_exchange_and_pass").events,
    ]
    for expected in (
        ChallengeBonus(1, 5),
        Withdrawn(0, 26),
        Exchanged(1, 3, read_tiles(""), read_tiles("AEEIOUU")),
        Exchanged(1, 4, read_tiles("UVVW"), read_tiles("IIUUVVW")),
        Passed(1, read_tiles("ADIIIUU")),
        EndRackPenalty(1, 16, read_tiles("AEIOQUU")),
        EndRackPoints(0, 24, read_tiles("XY")),
        TimePenalty(1, 10),
    ):
        assert expected in events


def test_a_wrong_score_that_was_agreed_is_kept_and_told_once() -> None:
    """With the note it is no news; without the note it is a warning, never a changed score."""
    path = GOLDEN / "wrong_score_agreed.gcg"
    game = read_gcg(path.read_bytes())
    assert game.faults == ()
    assert game.final[1] == 32
    without = path.read_text(encoding="utf-8").replace("#note score agreed 32, computed 23\n", "")
    bare = read_gcg(without)
    assert [(fault.fault, fault.severity) for fault in bare.faults] == [
        ("score_differs", "warning")
    ]
    assert "recorded 32, computed 23" in bare.faults[0].message
    assert bare.final == game.final


def test_old_programs_letters_coordinates_and_unknown_racks_are_understood() -> None:
    """Play-through letters, 8d, -4, UNKNOWN, unsigned scores, trailing words, +-5."""
    game = golden("old_dialect_letters_played_through")
    event = game.events[2]
    assert isinstance(event, Played)
    assert event.placement.word == read_tiles("..L")
    assert game.events[3] == Exchanged(1, 4, read_tiles(""), read_tiles("EETTTVY"))
    assert {fault.severity.value for fault in game.faults} == {"warning"}
    assert game.final == (60, 18)


def test_latin1_without_a_declaration_gives_umlauts_and_a_german_game() -> None:
    """Undeclared bytes that are no UTF-8 are ISO-8859-1; Ä makes the tile set German."""
    game = golden("latin1_without_declaration")
    assert game.players[0].nick == "Jörg"
    assert game.tile_set.name == "german"
    assert [fault.fault for fault in game.faults] == ["encoding_undeclared"]


def test_a_game_of_more_than_two_is_refused_in_one_sentence() -> None:
    """As some programs write them; not a fault for every event of the others."""
    more = "#player3 Cem Cem\n#player4 Dee Dee\n"
    events = ">Ada: BICEP 8F BICEP +22 22\n>Ben: JO F6 JO. +28 28\n>Cem: FZ G7 F.Z +38 38\n"
    faults = read_gcg((HEAD + more + events + "#rack2 AABLLNS\n").encode()).faults
    assert [(fault.line, fault.fault) for fault in faults] == [(4, "game_unsupported")]
    assert "only games of two" in faults[0].message


def test_a_tile_too_many_is_told_where_it_lies_and_not_of_every_play_after_it() -> None:
    """The second play is over the supply; the third has nothing to do with that."""
    plays = ">Ada: Q 8D QUALM +52 52\n>Ben: Q D8 .Q +20 20\n>Ada: T 7E TA +9 61\n"
    faults = read_gcg((HEAD + plays).encode()).faults
    assert [fault.line for fault in faults if fault.fault == "not_in_supply"] == [5]


def test_a_loss_that_only_the_running_total_shows_is_found() -> None:
    """The old way to write a withdrawn phony; the note's further lines stay in the note."""
    game = golden("loss_only_in_the_running_total")
    assert game.events[-1] == Withdrawn(1, 23)
    assert game.final == (52, 0)
    assert [fault.fault for fault in game.faults] == ["loss_not_written"]
    assert game.moves[-1].notes[0].endswith("part of the note")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (">Ada: QUALM 8D QUALM +51 51\n", [(4, "score_differs", "warning")]),
        (">Ada: QUALM 8D QUALM +52 51\n", [(4, "cumulative_differs", "error")]),
        (">Ada: QUALM 8D QUALM +52\n", [(4, "cumulative_missing", "warning")]),
        (">Ada: QUALM 8P QUALM +52 52\n", [(4, "event_malformed", "error")]),
        (">Ada: QUALM 8D QU4LM +52 52\n", [(4, "event_malformed", "error")]),
        (">Ada: QUALM QUALM +52 52\n", [(4, "event_malformed", "error")]),
        (">Ada: QUALM 8D QUALM fifty 52\n", [(4, "event_malformed", "error")]),
        (">Ada: QUALM\n", [(4, "event_malformed", "error")]),
        (">Ada QUALM 8D QUALM +52 52\n", [(4, "event_malformed", "error")]),
        (">Ada: QUALM -12345678 +0 0\n", [(4, "event_malformed", "error")]),
        (">Ada: QUALM -1X +0 0\n", [(4, "event_malformed", "error")]),
        (">Cyd: QUALM 8D QUALM +52 52\n", [(4, "player_unknown", "error")]),
        (">Ben: QUALM 8D QUALM +52 52\n", [(4, "out_of_turn", "error")]),
        (">Ada: QU4LM 8D QUALM +52 52\n", [(4, "rack_malformed", "error")]),
        (">Ada: AELM 8D QUALM +52 52\n", [(4, "tiles_not_in_rack", "warning")]),
        (">Ada: MQQ - +0 0\n", [(4, "rack_not_in_supply", "warning")]),
        (">Ada: AAEEIILL - +0 0\n", [(4, "rack_too_long", "warning")]),
        (">Ada: QUALM 1A QUALM +51 51\n", [(4, "off_centre", "warning")]),
        (
            ">Ada: QUALM 8M QUALM +0 0\n",
            [(4, "play_off_board", "error"), (4, "off_centre", "warning")],
        ),
        (">Ada: Q -- -10 -10\n", [(4, "withdrawn_without_play", "error")]),
        (">Ada: Q (challenge) +5 5\n", [(4, "bonus_without_play", "error")]),
        (">Ada: (QX) +7 7\n", [(4, "end_rack_points_differ", "warning")]),
        (">Ada: (4) +7 7\n", [(4, "event_malformed", "error")]),
        (">Ada: Q (time) +10 10\n", [(4, "time_not_negative", "error")]),
        ("hello\n", [(1, "no_events", "warning"), (4, "line_unreadable", "error")]),
        ("#sponsor me\n", [(1, "no_events", "warning"), (4, "pragma_unknown", "warning")]),
        ("#note early\n>Ada: A - +0 0\n", [(4, "note_before_events", "warning")]),
        (">Ada: A - +0 0\n#title late\n", [(5, "pragma_after_events", "warning")]),
        ("#rack1 AEI\n>Ada: A - +0 0\n", [(5, "event_after_racks", "warning")]),
        ("#rack1 QQ\n", [(4, "rack_not_in_supply", "warning")]),
        ("#board-layout SuperCrosswordGame\n>Ada: A - +0 0\n", [(4, "game_unsupported", "error")]),
        ("#tile-distribution klingon\n>Ada: A - +0 0\n", [(4, "tile_set_unknown", "error")]),
        ("#player1 Eve Eve\n>Ada: A - +0 0\n", [(4, "player_twice", "error")]),
    ],
)
def test_each_fault_is_named_with_its_line(text: str, expected: list[tuple[int, str, str]]) -> None:
    assert found(text) == expected


def test_a_tile_on_a_tile_is_an_error_and_what_follows_is_not_blamed_for_it() -> None:
    """After a play that cannot lie on the board only the sums are followed."""
    text = (
        ">Ada: QUALM 8D QUALM +52 52\n"
        ">Ben: BOXES 8D BOXES +30 30\n"
        ">Ada: AEI 9D BOXES +10 62\n"
        ">Ben: AEI 15O X +10 41\n"
    )
    assert found(text) == [(5, "square_occupied", "error"), (7, "cumulative_differs", "error")]


def test_an_unreadable_line_costs_one_fault_not_one_per_line_after_it() -> None:
    """The running totals after it are taken as they are."""
    text = (
        ">Ada: QUALM 8D QUALM +52 52\n>Ben: BOY BOY +23 23\n>Ada: AEI - +0 52\n>Ben: AEI - +0 23\n"
    )
    assert found(text) == [(5, "event_malformed", "error")]
    assert read_gcg(HEAD + text).final == (52, 23)


def test_a_kept_tile_that_vanishes_from_a_full_rack_is_a_warning() -> None:
    """Annotators guess racks: never an error, and never for a rack that is not full."""
    start = ">Ada: AILMQUZ 8D QUALM +52 52\n>Ben: BOY 9F BOY +23 23\n"
    assert found(start + ">Ada: AEIINST - +0 52\n") == [(6, "rack_contradicts_leave", "warning")]
    assert found(start + ">Ada: AEI - +0 52\n") == []


def test_two_players_with_one_nickname_are_told_apart_by_turns() -> None:
    """The clash is an error; the game is followed all the same."""
    text = HEAD.replace("Ben", "Ada") + ">Ada: QUALM 8D QUALM +52 52\n>Ada: BOY 9F BOY +23 23\n"
    game = read_gcg(text)
    assert [fault.fault for fault in game.faults] == ["nickname_twice"]
    assert game.final == (52, 23)


def test_no_bytes_at_all_make_the_reader_fail() -> None:
    """Damaged, shuffled and unrelated bytes give faults, never a traceback."""
    dice = random.Random(8)
    sources = [path.read_bytes() for path in sorted(GOLDEN.glob("*.gcg"))]
    assert sources
    for _ in range(400):
        data = bytearray(dice.choice(sources))
        for _ in range(dice.randrange(1, 20)):
            place = dice.randrange(len(data))
            noise = bytes(
                dice.choices(b"?.-+()#>:\n 0189AaQq\xc3\xa4\xff\x00", k=dice.randrange(6))
            )
            data[place : place + dice.randrange(6)] = noise
        game = read_gcg(bytes(data))
        lines = len(data) + 1
        assert all(1 <= fault.line <= lines for fault in game.faults)
        state = replay(game.tile_set, game.events)
        assert not game.ok or state.scores == game.final
    for data in (b"", b"\x00" * 99, "#player1 A A".encode("utf-16"), bytes(range(256))):
        assert replay(load_tile_set("english"), read_gcg(data).events).board == EMPTY_BOARD


def test_an_umlaut_in_a_name_does_not_make_the_tiles_german() -> None:
    """Only tiles tell the tile set: Ben Öst may play in English."""
    text = "#player1 Öst Ben Öst\n#player2 b B\n>Öst: ABEFL 8D FABLE +30 30\n"
    game = read_gcg(text)
    assert game.tile_set.name == "english"


def test_letters_played_through_may_stand_in_brackets() -> None:
    """As annotators write them in notes; a warning says how the field's programs want it."""
    game = read_gcg(HEAD + ">Ada: CAT 8G CAT +10 10\n>Ben: S 8G (CAT)S +6 6\n")
    assert [fault.fault for fault in game.faults] == ["letters_in_brackets"]
    assert str(replay(game.tile_set, game.events).standing[-1].placement) == "8G ...S"
    broken = read_gcg(HEAD + ">Ada: CAT 8G CAT +10 10\n>Ben: S 8G (CATS +6 6\n")
    assert not broken.ok


@pytest.mark.parametrize(
    ("text", "final", "warns"),
    [
        (
            (
                "#player1 Quist, Ada Quist, Ada\n#player2 Rowe, Ben Rowe, Ben\n"
                ">Quist, Ada: AEINRST 8D RETAINS +66 66\n>Rowe, Ben: EGHLMOU - +0 0\n"
            ),
            (66, 0),
            {"nickname_with_blank"},
        ),
        (
            "#player1 ada Ada\n#player2 ben Ben\n>Ada: AEINRST 8D RETAINS +66 66\n>BEN: - +0 0\n",
            (66, 0),
            {"nickname_case"},
        ),
        (
            (
                "#player1 A Ada\n#player2 B Ben\n>A: AEINRST 08D RETAINS +66 66\n>B: (pass) +0 0\n"
                ">A: DGO (exch 2) +0 66\n>B: (exchange DO) +0 0\n>A: (overtime) -10 56\n"
            ),
            (56, 0),
            {"tiles_not_in_rack"},
        ),
        (
            (
                "#player1 A Ada\n#player2 B Ben\n>A: AEINRST 8D RETAINS +66 66\n#note and then\n"
                "#player2 challenged\n#more of it\n>B: - +0 0\n"
            ),
            (66, 0),
            {"pragma_in_note", "pragma_after_events"},
        ),
    ],
)
def test_dialects_of_other_programs(text: str, final: tuple[int, int], warns: set[str]) -> None:
    """They are read, with a warning where other programs would not."""
    game = read_gcg(text)
    assert game.ok, game.faults
    assert game.final == final
    assert {fault.fault for fault in game.faults} <= warns


def test_a_file_in_utf_16() -> None:
    """As editors of Windows may save it."""
    text = "#character-encoding UTF-8\n#player1 Jürg Jürg\n#player2 B Ben\n>Jürg: - +0 0\n"
    for codec in ("utf-16", "utf-16-be"):
        data = text.encode(codec)
        game = read_gcg(data if codec == "utf-16" else b"\xfe\xff" + data)
        assert game.ok
        assert game.players[0].nick == "Jürg"
