"""Records in the forms of engines and web sites: GameHistory and CGP; the names of all faults."""

import ast
import json
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recorder.cli import register
from recorder.commands.command_line import CommandParser
from recorder.domain.board import EMPTY_BOARD, Board, Square
from recorder.domain.errors import NotationError
from recorder.domain.game import (
    Conceded,
    Exchanged,
    GameEvent,
    NoPlay,
    Passed,
    Played,
    Withdrawn,
    replay,
)
from recorder.domain.plays import parse_placement
from recorder.domain.tile_text import read_tile
from recorder.domain.tiles import BLANK
from recorder.gcg import GcgGame, GcgMove, read_gcg
from recorder.gcg.cgp import position
from recorder.gcg.history import game_history
from tests.cases import first_of
from tests.documents import document

ROOT = Path(__file__).parents[3]
QUALM = Played(0, parse_placement("8D QUALM"), 52)
BOY = Played(1, parse_placement("9F BOY"), 23)
GOLDEN = sorted((ROOT / "tests" / "golden").glob("*.gcg"))
CORPUS = Path(os.environ.get("TILECAST_SHARED", ROOT.parent / "shared")) / "gcg" / "clean"
HEAD = "#player1 ada Ada Lovely\n#player2 ben Ben\n"
KINDS = [
    "TILE_PLACEMENT_MOVE",
    "PHONY_TILES_RETURNED",
    "PASS",
    "CHALLENGE_BONUS",
    "EXCHANGE",
    "END_RACK_PTS",
    "TIME_PENALTY",
    "END_RACK_PENALTY",
    "UNSUCCESSFUL_CHALLENGE_TURN_LOSS",
]


EVENT_FIELDS = """
note rack type cumulative row column direction position played_tiles exchanged score bonus
end_rack_points lost_score is_bingo words_formed millis_remaining player_index
"""
FIELDS = """
events players version original_gcg lexicon id_auth uid title description last_known_racks
play_state final_scores variant winner board_layout letter_distribution
"""


def records() -> list[Path]:
    """Our own golden records, and real ones where they are at hand."""
    return [*GOLDEN, *sorted(CORPUS.glob("*.gcg"))]


def board_of(line: str) -> Board:
    rows = [
        re.sub(r"\d+", lambda match: "." * int(match[0]), row)
        for row in line.split(" ", maxsplit=1)[0].split("/")
    ]
    assert [len(row) for row in rows] == [15] * 15
    tiles = {Square(n): read_tile(tile) for n, tile in enumerate("".join(rows)) if tile != "."}
    return EMPTY_BOARD.place(tiles)


@pytest.mark.slow
@pytest.mark.parametrize("path", first_of(50, records()), ids=lambda path: path.stem)
def test_a_history_adds_up(path: Path) -> None:
    """Every running total is what the events before it make; plays say what they form."""
    game = read_gcg(path.read_bytes())
    history = game_history(game)
    assert set(history) == set(FIELDS.split())
    totals = [0, 0]
    for event in history["events"]:
        assert set(event) <= set(EVENT_FIELDS.split())
        gained: int = event.get("score", 0) + event.get("bonus", 0)
        gained += event.get("end_rack_points", 0) - event.get("lost_score", 0)
        totals[event["player_index"]] += gained
        assert event["cumulative"] == totals[event["player_index"]]
        if event["type"] == KINDS.index("TILE_PLACEMENT_MOVE"):
            placement = parse_placement(f"{event['position']} {event['played_tiles']}")
            assert divmod(placement.start, 15) == (event["row"], event["column"])
            assert event["position"][0].isdecimal() == (event["direction"] == 0)
            assert len(event["words_formed"][0]) == len(event["played_tiles"])
    assert totals == list(game.final)
    if history["play_state"]:
        assert history["final_scores"] == list(game.final)
    assert json.loads(json.dumps(history)) == history
    assert read_gcg(history["original_gcg"]).final == game.final


@pytest.mark.slow
@pytest.mark.parametrize("path", first_of(50, records()), ids=lambda path: path.stem)
def test_a_position_says_board_scores_and_zeros(path: Path) -> None:
    """After every event of a record, read back by the form's own description."""
    game = read_gcg(path.read_bytes())
    for count in range(len(game.moves) + 1):
        state = replay(game.tile_set, game.events[:count])
        if BLANK in state.board.cells:
            with pytest.raises(NotationError, match="the letter of the blank on"):
                position(game, count)
            continue
        line = position(game, count)
        _, racks, scores, zeros, *operations = line.split(" ")
        assert board_of(line).cells == state.board.cells
        expected = (state.scores[state.on_turn], state.scores[1 - state.on_turn])
        assert scores == f"{expected[0]}/{expected[1]}"
        assert zeros.isdecimal()
        assert racks.count("/") == 1
        assert " ".join(operations).endswith(";")


def kinds(text: str) -> list[str]:
    return [KINDS[event["type"]] for event in game_history(read_gcg(HEAD + text))["events"]]


def test_every_kind_of_event_has_a_name() -> None:
    """In the words of the protocol; a lost challenge is told from a pass by its note."""
    text = (
        ">ada: CAT 8G CAT +10 10\n>ben: SXQ 7I XS +20 20\n>ben: SXQ -- -20 0\n"
        ">ada: S 8J S +6 16\n>ada: ABC (challenge) +5 21\n"
        ">ben: SXQ - +0 0\n#note #unsuccessful-challenge\n>ada: ABC - +0 21\n"
        ">ben: SXQ -SX +0 0\n>ada: (Q) +20 41\n>ben: Q (Q) -10 -10\n>ada:  (time) -10 31\n"
    )
    assert kinds(text) == [
        "TILE_PLACEMENT_MOVE", "TILE_PLACEMENT_MOVE", "PHONY_TILES_RETURNED",
        "TILE_PLACEMENT_MOVE", "CHALLENGE_BONUS", "UNSUCCESSFUL_CHALLENGE_TURN_LOSS", "PASS",
        "EXCHANGE", "END_RACK_PTS", "END_RACK_PENALTY", "TIME_PENALTY",
    ]  # fmt: skip


def test_the_one_who_conceded_has_lost() -> None:
    """Whatever the score says; times left are written where they are known."""
    game = read_gcg(HEAD + ">ada: CAT 8G CAT +10 10\n>ben: - +0 0\n")
    assert game_history(game)["play_state"] == 0
    given_up = GcgGame(
        players=game.players,
        tile_set=game.tile_set,
        moves=(*game.moves, GcgMove(Conceded(0, 50, "resignation"))),
    )
    history = game_history(given_up, millis={0: 1_499_000})
    assert (history["winner"], history["play_state"]) == (1, 2)
    assert [event.get("millis_remaining") for event in history["events"]] == [1_499_000, None]


def test_a_position_in_the_middle() -> None:
    """The rack of the player who moves next, the list, the last play."""
    game = read_gcg(HEAD + "#lexicon CSW24 x\n>ada: CAT 8G CAT +10 10\n>ben: SQI 8J S +6 6\n")
    line = position(game, 1)
    assert line == f"{'15/' * 7}6CAT6{'/15' * 7} SQI/ 0/10 0 lex CSW24; ld english; lm 8G CAT;"


@pytest.mark.parametrize(
    ("events", "zeros"),
    [
        ([], "0"),
        ([QUALM, NoPlay(1), Exchanged(0, 3), Passed(1)], "3"),
        ([QUALM, BOY, Withdrawn(1, 23), Passed(0)], "2"),
        ([Passed(0), QUALM, Withdrawn(0, 52), Passed(1)], "3"),
        ([Passed(0), Played(1, parse_placement("8G at"), 0)], "0"),
    ],
    ids=["start", "unplayed turns", "phony", "phony between passes", "zero by two blanks"],
)
def test_zeros_in_a_row_are_counted_over_withdrawn_plays(
    events: list[GameEvent], zeros: str
) -> None:
    """END-4: a withdrawn play counts, a play that scored 0 and stands does not."""
    empty = read_gcg(HEAD)
    game = replace(empty, moves=tuple(GcgMove(event) for event in events))
    assert position(game).split(" ")[3] == zeros


def run(*words: str) -> int:
    parser = CommandParser()
    register(parser.add_subparsers(required=True))
    args = parser.parse_args(["gcg", "show", *words])
    status: int = args.run(args)
    return status


def test_the_command_prints_both_forms(capsys: pytest.CaptureFixture[str]) -> None:
    """And says which square keeps it from writing one."""
    sound = str(ROOT / "tests" / "golden" / "umlauts_and_a_blank.gcg")
    assert run(sound, "--format", "history") == 0
    assert json.loads(capsys.readouterr().out)["letter_distribution"] == "german"
    assert run(sound, "--format", "cgp") == 0
    assert capsys.readouterr().out.count("/") == 16
    unknown = str(ROOT / "tests" / "golden" / "blank_of_unknown_letter.gcg")
    assert run(unknown, "--format", "cgp") == 1
    assert "the letter of the blank on" in capsys.readouterr().err


def fault_names() -> Iterator[tuple[str, str]]:
    """Every fault that the reader's source names, with its severity."""
    sources = [*(ROOT / "recorder" / "gcg").glob("*.py")]
    for node in (one for path in sources for one in ast.walk(ast.parse(path.read_text()))):
        if isinstance(node, ast.Call) and len(node.args) > 1:
            called: Any = node.func
            name = getattr(called, "attr", getattr(called, "id", ""))
            given = node.args[1]
            if name in {"fault", "warn", "_warn", "GcgFault"} and isinstance(given, ast.Constant):
                yield str(given.value), "error" if name in {"fault", "GcgFault"} else "warning"
        if isinstance(node, ast.Tuple) and len(node.elts) == 3:
            first, last = node.elts[0], node.elts[2]
            if isinstance(first, ast.Constant) and isinstance(last, ast.Attribute):
                yield str(first.value), last.attr.lower()


def test_every_fault_is_described() -> None:
    """docs/commands.md lists the faults of ``gcg check``, all of them and no others."""
    page = document("commands")
    section = page.partition("## gcg check")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)` \| (error|warning) \|", section, re.MULTILINE)
    assert dict(listed) == {**dict(fault_names()), "unreadable": "error"}
    assert len(listed) == len(dict(listed))
