"""Whole games at a server of their interface, turn by turn: both say the same after each."""

import base64
import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import devices.lab
from dashboard.woogles.mirror import Target
from recorder.domain.errors import RecorderError
from recorder.domain.game import (
    ChallengeBonus,
    Conceded,
    EndRackPenalty,
    EndRackPoints,
    GameEvent,
    Passed,
    Played,
    TimePenalty,
    Withdrawn,
    replay,
)
from recorder.domain.plays import parse_placement
from recorder.domain.scoring import score
from recorder.domain.tile_text import read_tiles, write_tiles
from recorder.gcg import read_gcg
from recorder.tilesets import load_tile_set
from tests.cases import crossed, first_of
from tests.woogles.mirroring import Mirrored, phonies_of
from tests.woogles.their_server import TheirServer

pytestmark = pytest.mark.slow

ENGLISH = load_tile_set("english")
SHARED = Path(os.environ.get("TILECAST_SHARED", Path(__file__).parents[3] / "shared")) / "gcg/clean"
GOLDEN = Path(__file__).parents[1] / "golden"
LEXICONS = {"english": "NWL23", "german": "RD29"}


def of_words(*words: str) -> list[GameEvent]:
    """Plays one after the other, scored by the squares; ``-`` is a pass, ``--`` takes back."""
    events: list[GameEvent] = []
    player = 0
    for word in words:
        if word == "-":
            events.append(Passed(player))
        elif word == "--":
            last = events[-1]
            assert isinstance(last, Played)
            events.append(Withdrawn(last.player, last.score))
            player = 1 - last.player
            continue
        else:
            placement = parse_placement(word)
            board = replay(ENGLISH, events).board
            events.append(Played(player, placement, score(board, placement, ENGLISH)))
        player = 1 - player
    return events


OPENING = ("8D ZEPHYR", "F6 CO.Y", "6F .AVE", "I6 .A.N")


@pytest.fixture
def server():
    with TheirServer() as found:
        yield found


@pytest.fixture
def mirrored(server: TheirServer, tmp_path: Path) -> Mirrored:
    return Mirrored(server, tmp_path, ENGLISH)


def events_there(mirrored: Mirrored) -> list[tuple[str, int, int]]:
    return [(e["type"], e["player_index"], e["cumulative"]) for e in mirrored.document["events"]]


def mirror_by_turn(
    server: TheirServer, folder: Path, file: Path, *, with_racks: bool = False
) -> Mirrored:
    game = read_gcg(file.read_bytes())
    server.phonies = phonies_of(game.tile_set, game.events)
    bonus = any(isinstance(event, ChallengeBonus) for event in game.events)
    rule = "FIVE_POINT" if bonus else "DOUBLE"
    lexicon = LEXICONS[game.tile_set.name]
    target = Target(lexicon=lexicon, challenge_rule=rule, with_racks=with_racks)
    mirrored = Mirrored(server, folder, game.tile_set, target)
    for count in range(len(game.events) + 1):
        mirrored.racks = rack_before(game.events[count:]) if with_racks else ("", "")
        stand = mirrored.take(game.events[:count], over=count == len(game.events))
        assert stand.difference is None, (count, stand)
        assert stand.state in ("in_step", "waits"), (count, stand)
        if stand.state == "in_step":
            scores = replay(game.tile_set, game.events[:count]).scores
            assert tuple(mirrored.document["current_scores"]) == scores, (file.name, count)
    assert stand.state == "in_step", stand
    return mirrored


def rack_before(events: Sequence[GameEvent]) -> tuple[str, str]:
    """What a rack camera shows of the player on turn."""
    rack = write_tiles(getattr(events[0], "rack", ())) if events else ""
    return ("", rack) if events and events[0].player else (rack, "")


@pytest.mark.parametrize(
    "name",
    [
        "bingo_with_blank_then_exchange_and_pass",
        "doubled_end_rack_then_overtime",
        "end_rack_moved_from_one_to_the_other",
        "phony_withdrawn_after_a_challenge_bonus",
        "six_zeros_with_a_phony",
        "umlauts_and_a_blank",
        "wrong_score_agreed",
    ],
)
def test_a_record_of_every_kind_of_turn(server: TheirServer, tmp_path: Path, name: str):
    mirror_by_turn(server, tmp_path, GOLDEN / f"{name}.gcg")


@pytest.mark.parametrize(
    ("language", "with_racks"), first_of(2, crossed(["english", "german"], [False, True]))
)
def test_the_game_of_the_demonstration(
    server: TheirServer, tmp_path: Path, language: str, *, with_racks: bool
):
    games = Path(devices.lab.__path__[0]) / "games"
    file = games / f"{language}.gcg"
    mirrored = mirror_by_turn(server, tmp_path, file, with_racks=with_racks)
    assert (mirrored.mirror.stand.uid in server.done) == (language == "english")
    assert_the_log_is_the_record(file, mirrored)
    whole = [event for event in mirrored.document["events"] if len(event["rack"]) == 12]
    assert len(whole) >= 15 if with_racks else len(whole) < 10


def assert_the_log_is_the_record(file: Path, mirrored: Mirrored) -> None:
    """The mirror's log has every line of the record, in its order; printed beside it."""
    record = re.findall(r"^>\S+: (.*)$", file.read_text("utf-8"), re.MULTILINE)
    for ours, sent in zip(record, mirrored.journal[1:], strict=True):
        print(f"{ours:32} | {sent}")
        play = re.search(r"\w+ [\w.]+ [+]\d+ ", ours)
        assert play[0].strip() in sent if play else re.search("exchange|final pass", sent), sent


PUBLIC = sorted(SHARED.glob("*.gcg")) if SHARED.is_dir() else []
WHOLE = [
    "macondo__gcgio_vs_frentz",  # the one that ends by a challenge that failed
    *("cgpbot__testgen_gcg_MAB7htzZTf", "cgpbot__testgen_gcg_UnG2czsnXH"),
    *("cgpbot__testgen_gcg_CTDVDRDQkM", "cgpbot__testgen_gcg_kndkkpabfb"),
    *("cgpbot__testgen_gcg_x92DfARyWc", "cgpbot__testgen_gcg_h3c2z3Uykv"),
    *("liwords__puzzles_r10_james", "liwords__puzzles_r6_betty", "liwords__puzzles_r9_randi"),
    *("liwords__stats_every_e", "liwords__stats_noah_vs_mishu", "liwords__stats_phonies_formed"),
    *("liwords__stats_many_challenges", "liwords__stats_josh_nationals_round_12"),
    *("liwords__stats_josh_nationals_round_7", "macondo__puzzles_well_played_game"),
    *("quackle__test_positions_boys3", "quackle__test_positions_fivepoint"),
    "liwords__omgwords_vs_josh",
]


@pytest.mark.skipif(not PUBLIC, reason="no shared GCG files here (TILECAST_SHARED)")
@pytest.mark.parametrize(("name", "with_racks"), first_of(4, crossed(WHOLE, [False, True])))
def test_public_games_with_no_difference_left(
    server: TheirServer, tmp_path: Path, name: str, *, with_racks: bool
):
    mirrored = mirror_by_turn(server, tmp_path, SHARED / f"{name}.gcg", with_racks=with_racks)
    assert mirrored.document["play_state"] == "GAME_OVER"
    assert mirrored.mirror.stand.uid in server.done


def test_tiles_of_two_letters_are_one_byte_there(server: TheirServer, tmp_path: Path):
    spanish = load_tile_set("spanish")
    mirrored = Mirrored(server, tmp_path, spanish, Target(lexicon="FILE2017"))
    placement = parse_placement("8E [CH]A[ll]O")
    points = score(replay(spanish, []).board, placement, spanish)
    assert mirrored.take([Played(0, placement, points)]).state == "in_step"
    (event,) = mirrored.document["events"]
    assert base64.b64decode(event["played_tiles"]) == bytes([4, 1, 0x80 | 13, 17])
    assert event["score"] == points


def test_a_phony_is_challenged_off_there(server: TheirServer, mirrored: Mirrored):
    events = of_words(*OPENING, "9I .OBLEX", "--", "9I .OBLE")
    server.phonies = {"NOBLEX"}
    for count in range(len(events) + 1):
        stand = mirrored.take(events[:count])
        assert stand.state == "in_step"
    assert [kind for kind, *_ in events_there(mirrored)][-3:] == [
        *("TILE_PLACEMENT_MOVE", "PHONY_TILES_RETURNED", "TILE_PLACEMENT_MOVE"),
    ]


def test_nothing_but_what_was_played_is_on_a_rack_there(mirrored: Mirrored):
    for count in range(len(OPENING) + 1):
        mirrored.take(of_words(*OPENING[:count]))
        assert mirrored.document["racks"] == ["", ""]
    racks = [event["rack"] for event in mirrored.document["events"]]
    assert [len(base64.b64decode(rack)) for rack in racks] == [6, 3, 3, 2]


def test_a_game_sent_as_a_whole_has_the_same_racks(mirrored: Mirrored):
    mirrored.take(of_words(*OPENING))
    racks = [event["rack"] for event in mirrored.document["events"]]
    assert [len(base64.b64decode(rack)) for rack in racks] == [6, 3, 3, 2]


def test_a_resignation(server: TheirServer, mirrored: Mirrored):
    stand = mirrored.take([*of_words(*OPENING), Conceded(0, 50, "resignation")], over=True)
    assert stand.state == "in_step"
    assert mirrored.document["end_reason"] == "RESIGNED"
    assert mirrored.mirror.stand.uid in server.done


def test_an_agreed_misscore_replaces_the_game_and_is_named(mirrored: Mirrored):
    *before, last = of_words(*OPENING)
    assert isinstance(last, Played)
    wrong = Played(last.player, last.placement, last.score + 10)
    mirrored.take(before)
    stand = mirrored.take([*before, wrong])
    assert stand.state == "in_step"
    assert mirrored.document["current_scores"][1] == replay(ENGLISH, [*before, wrong]).scores[1]
    assert f"the score agreed is {wrong.score}, they count {last.score}" in mirrored.journal[-1]


@pytest.mark.parametrize(("rule", "points"), [("DOUBLE", 5), ("TEN_POINT", 20), ("SINGLE", 5)])
def test_points_that_their_challenge_rule_never_gives_replace_the_game(
    server: TheirServer, tmp_path: Path, rule: str, points: int
):
    target = Target(lexicon="NWL23", challenge_rule=rule)
    mirrored = Mirrored(server, tmp_path, ENGLISH, target)
    first, second, *_ = of_words(*OPENING)
    mirrored.take([first])
    assert mirrored.take([first, ChallengeBonus(0, points)]).state == "in_step"
    assert f"{rule} there gives other points for a challenge" in mirrored.journal[-1]
    assert mirrored.take([first, ChallengeBonus(0, points), second]).state == "in_step"
    kinds = [kind for kind, *_ in events_there(mirrored)]
    assert kinds == ["TILE_PLACEMENT_MOVE", "CHALLENGE_BONUS", "TILE_PLACEMENT_MOVE"]


def test_a_correction_of_a_play_replaces_the_game(mirrored: Mirrored):
    mirrored.take(of_words("8D ZEPHYR", "F6 CO.Y", "6F .AVE"))
    stand = mirrored.take(of_words("8D ZEPHYR", "F6 CO.T", "6F .AVE"))
    assert stand.state == "in_step"
    assert mirrored.document["events"][1]["words_formed_friendly"][0] == "COPT"


def test_a_turn_that_came_to_light_late_is_inserted(server: TheirServer, mirrored: Mirrored):
    mirrored.take(of_words("8D ZEPHYR", "F6 CO.Y"))
    events = of_words("8D ZEPHYR", "-", "-", "F6 CO.Y")
    assert mirrored.take(events).state == "in_step"
    assert [kind for kind, *_ in events_there(mirrored)] == [
        *("TILE_PLACEMENT_MOVE", "PASS", "PASS", "TILE_PLACEMENT_MOVE"),
    ]


def test_a_turn_that_never_was_is_taken_out(mirrored: Mirrored):
    mirrored.take(of_words(*OPENING))
    assert mirrored.take(of_words(*OPENING[:2])).state == "in_step"
    assert len(mirrored.document["events"]) == 2


def test_a_game_that_is_many_turns_ahead_is_sent_as_a_whole(
    server: TheirServer, mirrored: Mirrored
):
    events = of_words(*OPENING, "9I .OBLE", "M9 .LF", "11K OA.", "K11 .TTEr", "15H STI.")
    assert mirrored.take(events).state == "in_step"
    assert [method for _, method, *_ in server.calls].count("SendGameEvent") == 0
    assert tuple(mirrored.document["current_scores"]) == replay(ENGLISH, events).scores
    more = of_words(*OPENING, "9I .OBLE", "M9 .LF", "11K OA.", "K11 .TTEr", "15H STI.", "H12 GNU.")
    assert mirrored.take(more).state == "in_step", "their rules go on from what we sent"


def test_overtime_comes_last_and_is_not_sent_twice(server: TheirServer, tmp_path: Path):
    file = GOLDEN / "doubled_end_rack_then_overtime.gcg"
    mirrored = mirror_by_turn(server, tmp_path, file)
    events = read_gcg(file.read_bytes()).events
    assert [event for event in events if isinstance(event, TimePenalty)]
    kinds = [kind for kind, *_ in events_there(mirrored)]
    assert kinds[-1] == "TIME_PENALTY"
    calls = len(server.calls)
    assert mirrored.take(events, over=True).state == "in_step"
    assert len(server.calls) == calls


def test_an_unnamed_blank_waits_and_goes_when_it_is_named(mirrored: Mirrored):
    stand = mirrored.take([Played(0, parse_placement("8D QU?LM"), 50)])
    assert stand.state == "waits"
    assert "Name it" in stand.text
    assert mirrored.document["events"] == []
    assert mirrored.take([Played(0, parse_placement("8D QUaLM"), 50)]).state == "in_step"


def test_racks_go_only_where_the_director_lets_them_out(server: TheirServer, tmp_path: Path):
    target = Target(lexicon="NWL23", with_racks=True)
    mirrored = Mirrored(server, tmp_path, ENGLISH, target)
    mirrored.racks = ("AEHPRYZ", "")
    mirrored.take([])
    assert mirrored.document["racks"] == ["AQUIEBIZGg==", ""]


def test_a_game_that_ends_before_the_record_says_so_waits(mirrored: Mirrored):
    zeros: list[GameEvent] = [Passed(number % 2) for number in range(6)]
    for count in range(7):
        stand = mirrored.take(zeros[:count])
    assert stand.state == "waits"
    ends = [EndRackPenalty(1, 8, read_tiles("ABCAAAA")), EndRackPenalty(0, 10, read_tiles("EEEEZ"))]
    with pytest.raises(RecorderError):
        replay(ENGLISH, [EndRackPoints(2, 1)])
    stand = mirrored.take([*zeros, *ends], over=True)
    assert stand.state == "in_step"
    assert mirrored.document["current_scores"] == [-10, -8]
