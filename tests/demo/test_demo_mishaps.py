"""Whole games at a simulated table on which much goes wrong: what the director hears.

Below the drivers pixels and bytes, above them a broker and the recorder. Three games are played,
each with mishaps that do not get into each other's way; the tests look at what was recorded. The
one played to its end and the one with camera and clock alone are for `make test-all`.
"""

import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from devices.agent import runners_of
from devices.agent_process.device_runner import running
from devices.agent_process.table_file import read_table_file
from devices.agent_process.ticks import agent_ticks
from devices.lab.demonstration import Demonstration
from devices.lab.game_script import Sensors
from devices.lab.mishaps.verbs import begin
from recorder.bus.broker import start_broker
from recorder.bus.mqtt import MqttBus
from recorder.domain.game import (
    ChallengeBonus,
    EndRackPoints,
    GameEvent,
    Played,
    TimePenalty,
    Withdrawn,
    apply,
    new_game,
)
from recorder.domain.notices import TableNotice
from recorder.domain.plays import parse_placement
from recorder.domain.record import NoticeGiven
from recorder.domain.scoring import score
from recorder.gcg import GcgGame, GcgMove, GcgPlayer
from recorder.lab.comparison import Comparison, compare, recorded_events, told_director
from recorder.lab.venue_files import venue_toml
from recorder.log.opening import wall_ms
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from recorder.service.recorder import Recorder
from recorder.service.venue_file import read_record_file
from recorder.tilesets import load_tile_set

pytestmark = pytest.mark.further

ENGLISH = load_tile_set("english")
PLAYS = (
    "8D FABLE", "F8 .RISK", "10E V.EW", "12F .NOW", "I12 .aS", "D8 .IT", "14I .Oe", "K12 AB.E",
)  # fmt: skip
BLANKS = ("13I", "14K")
SPEED = 600.0
PATIENCE_S, QUIET_S = 540.0, 4.0
"""For a whole game on a busy machine, and for what still comes after its end."""

OF_TILES = (
    "overdraw", "underdraw", "spill", "forget_to_press", "draw_out_of_order",
    "blank_designated_late", "slip_missing", "clock_drift",
)  # fmt: skip
OF_BOARD = (
    "hand_over_board", "bump_tile", "misorient_first_play", "press_before_placing", "six_zeros",
)  # fmt: skip
OF_GAME = ("play_out", "illegal_exchange", "overtime", "phony_challenged", "phony_stands")


@dataclass(frozen=True)
class Recorded:
    """One game: what was played, and the rows that came of it."""

    game: GcgGame
    rows: tuple[Row, ...]

    @property
    def compared(self) -> Comparison:
        return compare(self.game.events, self.events, ENGLISH)

    @property
    def events(self) -> tuple[GameEvent, ...]:
        return recorded_events(self.rows)

    @property
    def told(self) -> list[str]:
        """What the director was shown, without the numbers of the rows."""
        return [text.split(": ", 1)[1] for text in told_director(self.rows)]

    @property
    def notices(self) -> dict[int, str]:
        """Everything that was noticed, by row: also what nobody is informed of aloud."""
        return {
            row.seq: short(row.says.notice)
            for row in self.rows
            if isinstance(row.says, NoticeGiven)
        }

    @property
    def standing(self) -> list[str]:
        """The notices that were not taken back."""
        over = {
            row.body["data"]["row"]
            for row in self.rows
            if row.body.get("type") == "table.notice_over"
        }
        return [text for seq, text in self.notices.items() if seq not in over]


def short(one: TableNotice) -> str:
    """A notice in a line: code, whose, squares, values."""
    whose = "" if one.player is None else f" player {one.player + 1}"
    values = "".join(f" {name}={value}" for name, value in one.numbers.items())
    return f"{one.code}{whose}{''.join(f' {name}' for name in one.squares)}{values}"


def composed(count: int) -> GcgGame:
    """The first of the plays above, as a record."""
    state, events = new_game(ENGLISH), []
    for number, text in enumerate(PLAYS[:count]):
        placement = parse_placement(text)
        event = Played(number % 2, placement, score(state.board, placement, ENGLISH))
        state = apply(state, event)
        events.append(event)
    players = (GcgPlayer("Ada", "Ada Example"), GcgPlayer("Ben", "Ben Öst"))
    return GcgGame(players=players, tile_set=ENGLISH, moves=tuple(map(GcgMove, events)))


def play(
    folder: Path, record: GcgGame, verbs: tuple[str, ...], sensors: Sensors, seed: int = 1
) -> Recorded:
    demo = Demonstration(record, verbs, sensors, seed)
    broker = start_broker("auto", workdir=folder / "broker")
    try:
        names = [player.name for player in demo.game.players]
        venue = folder / "venue.toml"
        venue.write_text(venue_toml(broker.url, names, "english", demo.more_devices))
        plan = read_record_file(venue).plan
        log = folder / "log.db"
        (folder / "record").mkdir()
        with SqliteEventLog(log) as store, demo.table(SPEED) as table:
            recorder = Recorder(plan, MqttBus(broker.url, "recorder-r1"), store, wall_ms)
            recorder.start()
            devices = folder / "table.toml"
            devices.write_text(demo.table_file(table, broker.url, folder))
            ticks, stop = agent_ticks(), threading.Event()
            runners = runners_of(read_table_file(devices), ticks)
            agent = threading.Thread(target=running, args=(runners, ticks, stop))
            agent.start()
            begin(verbs, table, broker.pid)
            ended = table.finished.wait(PATIENCE_S)
            time.sleep(QUIET_S)
            # The recorder first: what it hears of the agent's end is no part of the game.
            recorder.stop()
            stop.set()
            agent.join()
        assert ended, "the game was not played through in time"
    finally:
        broker.stop()
    with SqliteEventLog.open_reader(log) as reader:
        return Recorded(demo.game, tuple(reader.read_from(1)))


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Recorded]:
    """The three games; each is played when it is asked for first."""

    @cache
    def played(name: str) -> Recorded:
        folder = tmp_path_factory.mktemp(name)
        match name:
            case "tiles":
                return play(folder, composed(len(PLAYS)), OF_TILES, Sensors.ALL)
            case "board":
                return play(folder, composed(5), OF_BOARD, Sensors.CLOCK_CAMERA)
            case _:
                return play(folder, composed(3), OF_GAME, Sensors.ALL)

    return played


@pytest.mark.parametrize("name", ["tiles", "whole", "board"])
def test_every_turn_is_recorded_right(games: Callable[[str], Recorded], name: str) -> None:
    """Whatever the players and the tiles did: also with camera and clock alone."""
    recorded = games(name)
    assert [turn for turn in recorded.compared.turns if not turn["matched"]] == []
    numbers = [row.key for row in recorded.rows if row.key is not None]
    assert len(numbers) == len(set(numbers))


TOLD_OF_TILES = {
    "overdraw": r"^overdraw player 1 .*level=\w+ .*tiles=1\b",
    "underdraw": r"^underdraw player 2 .*level=\w+ .*tiles=1\b",
    "spill": r"^spill player \d .*level=\w+ .*tiles=3\b",
    "forget_to_press": r"^drawn_before_press player 2$",
    "draw_out_of_order": r"^out_of_order player 2 .*level=alert ",
    "blank_designated_late": rf"^blank_unnamed player \d {BLANKS[0]}$",
    "slip_missing": rf"^blank_unnamed player \d {BLANKS[1]}$",
}


@pytest.mark.parametrize("verb", TOLD_OF_TILES)
def test_what_happens_to_tiles_is_noticed(games: Callable[[str], Recorded], verb: str) -> None:
    """Once each, by rack counters, scale and slip together."""
    noticed = "\n".join(dict.fromkeys(games("tiles").notices.values()))
    assert len(matches(TOLD_OF_TILES[verb], noticed)) == 1, noticed


def of_type(rows: Sequence[Row], name: str) -> list[dict[str, Any]]:
    return [dict(row.body["data"]) for row in rows if row.body.get("type") == name]


def matches(pattern: str, text: str) -> list[str]:
    """All lines in which a pattern is found."""
    return [line for line in text.splitlines() if re.search(pattern, line)]


def test_nothing_else_is_noticed_of_tiles(games: Callable[[str], Recorded]) -> None:
    """No sensor is blamed for what players did, and nothing is made up."""
    late = rf"^blank_late player \d {BLANKS[0]}$"
    patterns = [*TOLD_OF_TILES.values(), late, "clock_stopped"]
    rest = [
        text
        for text in games("tiles").notices.values()
        if not any(matches(pattern, text) for pattern in patterns)
    ]
    assert rest == []


def test_a_clock_that_drifts_is_told_in_figures(games: Callable[[str], Recorded]) -> None:
    """2800 ppm, within a tenth: it need not be known better to be reported."""
    recorded = games("tiles")
    assert any(
        "a clock reading cannot be right: clock-1: its time gains" in text
        for text in told_director(recorded.rows)
    )
    doubts = of_type(recorded.rows, "clock.doubt")
    assert doubts
    assert {doubt["fault"] for doubt in doubts} == {"drift"}
    assert 2_300 < doubts[-1]["detail"]["values"]["ppm"] < 3_300


def test_a_pushed_tile_is_told_with_its_square_until_it_lies_there_again(
    games: Callable[[str], Recorded],
) -> None:
    """The notice names the square of the record, and is over once the tile lies there again."""
    recorded = games("board")
    (moved,) = [text for text in recorded.notices.values() if text.startswith("tile_moved")]
    assert moved == "tile_moved 8D"
    assert moved not in recorded.standing


def test_a_hand_is_no_news_and_an_early_press_is_asked_about(
    games: Callable[[str], Recorded],
) -> None:
    """Of a hand in the way nothing; the first of the passes that end the game is asked about once.

    It comes back within seconds. So does the press before the tiles were laid, but after a blank
    without a letter: that may have been sent back for the letter (BLANK-2), and is no accident.
    A camera and a clock cannot tell an exchange from a pass, which is said of each.
    """
    patterns = [
        "settled the doubt", "another reading", "Tiles have moved", "scoreless turns",
        "Both clocks are stopped", "rotated by 90°", "an exchange or a pass",
        "no picture shows the board at the press",  # where the machine is busy
    ]  # fmt: skip
    told = games("board").told
    rest = [text for text in told if not any(pattern in text for pattern in patterns)]
    assert rest == ["Player 2 seems to have pressed by accident"]


def test_a_whole_game_with_all_sensors_raises_no_false_alarm(
    games: Callable[[str], Recorded],
) -> None:
    """What is reported: clocks that were stopped for challenges and run again, and the overtime."""
    recorded = games("whole")
    over = ("close to the overtime limit", "passed the overtime limit", "is the game lost?")
    assert [part for part in over if not any(part in text for text in recorded.told)] == []
    # A counter says after 0.6 s what it saw: on a busy machine players so quick have pressed.
    patterns = ("Both clocks are stopped", "it was announced at the table", *over)
    assert [text for text in recorded.told if not any(part in text for part in patterns)] == []
    exchange, out = (text for text in recorded.standing if not text.startswith("overtime"))
    assert "exchange" in exchange
    assert out.startswith("play_out player ")


def test_an_exchange_from_too_small_a_bag_is_noticed(games: Callable[[str], Recorded]) -> None:
    """With the number of tiles that the bag holds by the account."""
    text = games("whole").standing[0]
    assert text.startswith("illegal_exchange player ")
    (bag,) = re.findall(r"\bbag=(\d+)", text)
    assert int(bag) < 7


def test_a_game_is_closed_by_its_rule_set(games: Callable[[str], Recorded]) -> None:
    """Twice the opponent's tiles, and 10 points a minute begun beyond the time."""
    recorded = games("whole")
    points, minus = recorded.events[-2:]
    expected = recorded.game.events[-1]
    assert isinstance(points, EndRackPoints)
    assert isinstance(expected, EndRackPoints)
    assert (points.player, points.points) == (expected.player, expected.points)
    assert sorted(points.tiles) == sorted(expected.tiles)
    assert isinstance(minus, TimePenalty)
    clocks = of_type(recorded.rows, "clock.change")
    left_ms = clocks[-1]["left_ms" if minus.player == 0 else "right_ms"]
    over_s = -left_ms // 1000
    assert left_ms < -60_000
    assert minus.points == 10 * -(-over_s // 60)


def test_a_challenge_takes_the_play_off_or_brings_points(
    games: Callable[[str], Recorded],
) -> None:
    """Both are recorded, and neither upsets the account of tiles."""
    events = games("whole").events
    assert [event for event in events if isinstance(event, ChallengeBonus)] == [
        ChallengeBonus(0, 5)
    ]
    (withdrawn,) = [event for event in events if isinstance(event, Withdrawn)]
    before = events[events.index(withdrawn) - 1]
    assert isinstance(before, Played)
    assert (before.player, before.score) == (withdrawn.player, withdrawn.score)
