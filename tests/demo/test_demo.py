"""``tilecast demo --once``: every process real, a short game that nobody has seen before."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from recorder.domain.game import (
    EndRackPoints,
    Exchanged,
    GameEvent,
    Passed,
    Played,
    TimePenalty,
    Withdrawn,
    apply,
    new_game,
)
from recorder.domain.plays import parse_placement
from recorder.domain.scoring import score
from recorder.gcg import GcgGame, GcgMove, GcgPlayer, read_gcg, write_gcg
from recorder.log.sqlite import SqliteEventLog
from recorder.tilesets import load_tile_set
from tests.cases import first_of

pytestmark = pytest.mark.slow

ENGLISH = load_tile_set("english")
PLAYED = ("8D FABLE", "F8 .RISK", "exchange 3", "10E V.EW", "12F .NOX", "withdrawn", "12F .NOW")
SIX_ZEROS = (PLAYED[0], *("pass",) * 6)


def short_game(turns: Sequence[str] = PLAYED) -> GcgGame:
    """A few turns with an exchange, a phony taken back, and nothing at the end; or others."""
    state, events = new_game(ENGLISH), []
    player = 0
    for text in turns:
        event: GameEvent
        if text == "withdrawn":
            player = 1 - player
            event = Withdrawn(player, state.standing[-1].score)
        elif text == "pass":
            event = Passed(player)
        elif text.startswith("exchange"):
            event = Exchanged(player, int(text.split()[1]))
        else:
            placement = parse_placement(text)
            event = Played(player, placement, score(state.board, placement, ENGLISH))
        state = apply(state, event)
        events.append(event)
        player = 1 - player
    players = (GcgPlayer("Ada", "Łukasz Öst"), GcgPlayer("Ben", "Łukasz Öst"))  # as found
    return GcgGame(players=players, tile_set=ENGLISH, moves=tuple(map(GcgMove, events)))


def demo(folder: Path, *options: str, game: GcgGame | None = None) -> dict:
    """Run the demo on the short game, or another; its JSON document."""
    record = folder / "short.gcg"
    record.write_text(write_gcg(game or short_game()), encoding="utf-8")
    command = [sys.executable, "-m", "tilecast", "demo", "--once", "--json", "--port", "0"]
    command += ["--gcg", str(record), "--folder", str(folder / "demo")]
    # Cameras at the racks cost as much as the rest: who wants them names them.
    command += options if "--sensors" in options else ("--sensors", "box", *options)
    done = subprocess.run(command, capture_output=True, text=True, timeout=540, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def check(document: dict, turns: int = len(PLAYED)) -> None:
    """Every turn as played, one score everywhere, nothing lost, nothing doubled."""
    assert [turn for turn in document["turns"] if not turn["matched"]] == []
    assert len(document["turns"]) == turns
    assert document["final"] == document["expected_final"] == document["overlay_final"]
    assert (document["lost"], document["doubled"]) == (0, 0)
    game = read_gcg(Path(document["gcg"]).read_bytes())
    assert game.ok
    assert list(game.final) == document["final"]
    assert [player.name for player in game.players] == ["Ada", "Ben"]


def rules_of(document: dict) -> str:
    """The rule set under which the demo's recorder began its game."""
    with SqliteEventLog.open_reader(Path(document["gcg"]).with_name("tilecast.db")) as log:
        return next(log.beginnings()).says.rules


@pytest.mark.parametrize("sensors", first_of(1, ["box", "racks"]))
def test_a_game_goes_from_pixels_and_bytes_to_the_overlay(tmp_path: Path, sensors: str) -> None:
    """By the broker that comes with the program, as on a machine without Mosquitto.

    Six turns without points end it, after a player has used more than the whole overtime: whether
    the game is lost is for the director.
    """
    ended = short_game(SIX_ZEROS)
    ended = replace(ended, moves=(*ended.moves, GcgMove(TimePenalty(1, 10))))
    document = demo(
        tmp_path,
        *("--broker", "amqtt", "--rules", "psa", "--mishap", "overtime", "--sensors", sensors),
        *("--speed", "600"),
        game=ended,
    )
    check(document, turns=len(SIX_ZEROS))
    assert rules_of(document) == "psa"
    assert document["final"][1] <= -100
    told = " ".join(document["told_director"])
    assert "close to the overtime limit" in told
    assert "passed the overtime limit" in told
    with SqliteEventLog.open_reader(Path(document["gcg"]).with_name("tilecast.db")) as log:
        seen = {row.device for row in log.read_from(1) if row.type == "rack.seen"}
    assert seen == ({"rack-1-1", "rack-1-2"} if sensors == "racks" else set())


@pytest.mark.skipif(
    shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin") is None,
    reason="Mosquitto is not installed",
)
@pytest.mark.broker
@pytest.mark.further
def test_what_happens_to_cables_broker_board_and_light_costs_nothing(tmp_path: Path) -> None:
    """Noise on a line, a pulled cable, a killed broker, a turned and pushed board, a lamp.

    The director hears of the cable, and perhaps that a mirrored lamp left a doubt for a while, of
    stopped clocks, and that a turn became what was announced.
    """
    verbs = ("serial_noise", "unplug", "broker_killed", "turn_board", "knock", "glare")
    mishaps = [part for verb in verbs for part in ("--mishap", verb)]
    document = demo(tmp_path, "--rules", "naspa", *mishaps)
    check(document)
    assert rules_of(document) == "naspa"
    told = document["told_director"]
    assert [text for text in told if "device.lost {'device': 'clock-1'" in text]
    may_be = (
        "device.(lost|back) |both clocks were stopped"
        "|another reading is nearly|a later picture settled the doubt"
        "|corrects [0-9]+: it was announced at the table"
    )
    assert [text for text in told if not re.search(may_be, text)] == []
    begun, settled = (sum(word in text for text in told) for word in ("another reading", "settled"))
    assert begun == settled, told


def test_points_at_the_end_are_twice_the_opponents_tiles() -> None:
    """The games that come with the program end as the rules say."""
    import devices.lab

    record = Path(devices.lab.__path__[0]) / "games" / "english.gcg"
    game = read_gcg(record.read_bytes())
    assert isinstance(game.events[-1], EndRackPoints)


def test_a_record_that_cannot_be_played_is_refused_with_its_line(tmp_path: Path) -> None:
    """The file and the line are named; nothing starts."""
    broken = tmp_path / "broken.gcg"
    broken.write_text("#player1 a A\n#player2 b B\n>a: CAT 8G CAT +10 10\n>b: DOG 8H DOG +9 9\n")
    command = [sys.executable, "-m", "tilecast", "demo", "--once", "--gcg", str(broken)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert f"{broken}:4" in done.stderr
