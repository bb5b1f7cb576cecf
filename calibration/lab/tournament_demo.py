"""A small tournament played by simulated tables, through everything that a venue has.

Cameras, clocks, broker, recorder and pages are the processes that they are at a venue. What a
director and the players do is done over HTTP, on the pages that they have. The recorder's process
is reported nothing but tables, tile set and rules; who plays, it learns from the event.
"""

import argparse
import http.cookiejar
import json
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from devices.lab.demo_processes import DemoProcesses
from devices.lab.demonstration import load_event_games, load_game, words_option
from devices.lab.game_script import Sensors
from devices.lab.instruments import instruments_at, roles
from devices.lab.scenes.table_scene import demo_scene
from devices.lab.simulated_table import SimulatedTable, table_clock
from devices.lab.table_day import TableDay
from devices.lab.table_files import table_toml
from recorder.bus.broker import start_broker
from recorder.domain.errors import RecorderError
from recorder.domain.event.orders import EnterResult, EventOrder
from recorder.domain.event.placing import placings
from recorder.domain.event.register import register_of
from recorder.domain.record import EventOrdered, GameStarted
from recorder.domain.rules.core.parameters import NO_RULE_SET
from recorder.gcg import GcgGame, GcgPlayer
from recorder.lab.comparison import Comparison, compare, lost_and_doubled, recorded_events
from recorder.lab.venue_files import event_toml
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from recorder.operations.browser import open_page
from recorder.rulesets import rules_of_game
from recorder.service.venue_file import LOG_NAME

QUIET_S = 3.0
LONGEST_S = 180.0
"""So long nothing may change on any page before the demonstration is given up."""
PLAYERS = (
    *("Ashdown, Vera", "Brok, Ilse", "Caro, Mateo", "Dube, Thandi", "Eklund, Saga", "Farouk, Nour"),
    *("Gruber, Toni", "Hoang, Linh", "Ivanova, Rada", "Jensen, Bo", "Kaya, Ece", "Lindt, Uwe"),
)
EVENT = "Harbour Open"
DIVISION = "A"
_STANDING = ("rank", "id", "name", "wins", "losses", "spread", "rating")
"""What the document has of each place: the page knows more.

The keys are those of ``tilecast event standings --json``.
"""


class Director:
    """Somebody at the director's pages."""

    def __init__(self, base: str, key_address: str) -> None:
        self._base = base.rstrip("/")
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(jar)
        self._ids = count(1)
        self._opener.open(key_address, timeout=10).close()

    def see(self, path: str) -> Any:
        """What a page is drawn from."""
        with self._opener.open(f"{self._base}{path}", timeout=30) as answer:
            return json.load(answer)

    def _send(self, path: str, said: dict[str, Any]) -> Any:
        headers = {"Content-Type": "application/json", "Origin": self._base}
        asked = urllib.request.Request(  # noqa: S310 - our own address
            f"{self._base}{path}", json.dumps(said).encode(), headers
        )
        with self._opener.open(asked, timeout=30) as answer:
            return json.load(answer)

    def pairs(self, method: str) -> str:
        """The next round, as the order that publishes it."""
        words: str = self._send("/api/event/pair", {"division": DIVISION, "method": method})[
            "words"
        ]
        return words

    def orders(self, words: str) -> None:
        """An order about the event. RecorderError where it is not applied."""
        self._carried_out("/api/event/order", {"words": words, "agreed": True}, words)

    def rules(self, table: int, game: str, type_name: str, **data: int) -> None:
        """An order about a game, such as a player's signature."""
        said = {"table": table, "game": game, "type": type_name, "data": data}
        self._carried_out("/api/order", said, f"{type_name} at table {table}")

    def _carried_out(self, path: str, said: dict[str, Any], what: str) -> None:
        name = f"demo-{next(self._ids)}"
        while (answer := self._send(path, {"id": name, **said}))["state"] == "waiting":
            time.sleep(0.2)
        if answer["state"] != "accepted":
            raise RecorderError(f"{what}: {answer['reason']}")


@dataclass(slots=True)
class _Seat:
    """A table of the demonstration, and how far it is with the game of the round."""

    number: int
    day: TableDay
    simulated: SimulatedTable
    players: tuple[str, str] = ("", "")
    game: str = ""
    seen: str = ""
    since: float = 0.0
    is_signed: bool = False
    is_done: bool = True
    played: list[tuple[int, str]] = field(default_factory=list)

    def is_quiet(self, frame: Any) -> bool:
        """Whether the frame has not changed for a while."""
        shown = json.dumps([frame["players"], frame.get("last_play"), frame["phase"]])
        if shown != self.seen:
            self.seen, self.since = shown, time.monotonic()
        return time.monotonic() - self.since > QUIET_S


class TournamentDemo:
    """So many tables and rounds, each a game of its own with the players that were paired.

    With ``--gcg`` all of them play that one.
    """

    def __init__(self, args: argparse.Namespace, say: Callable[[str], None]) -> None:
        self._args, self._say = args, say
        self._records = [load_game(args.gcg)] if args.gcg else load_event_games()
        self._folder: Path = args.folder or Path(tempfile.mkdtemp(prefix="tilecast-demo-"))
        self._log = self._folder / "record" / LOG_NAME

    def start(self, running: ExitStack) -> None:
        """Start everything; ``running`` ends it in the right order."""
        self._folder.mkdir(parents=True, exist_ok=True)
        broker = start_broker(self._args.broker, workdir=self._folder / "broker")
        running.callback(broker.stop)
        self._processes = DemoProcesses(self._folder, running)
        output = self._processes.start(
            "dashboard", "--log", self._log, "--port", self._args.port, "--broker", broker.url,
            *words_option(self._records[0]),
        )  # fmt: skip
        tiles = self._records[0].tile_set.name
        roles_of = partial(roles, self._args.sensors)
        venue = event_toml(broker.url, self._args.tables, tiles, roles_of, self._args.rules)
        self._processes.start("record", _file(self._folder / "venue.toml", venue))
        self._director = self._signed_in(output)
        self._seats = [
            self._seat(number, broker.url, running) for number in range(1, self._args.tables + 1)
        ]

    def _seat(self, number: int, broker_url: str, running: ExitStack) -> _Seat:
        tiles, sensors = self._records[0].tile_set, self._args.sensors
        seed = 100 * number + self._args.seed
        day = TableDay(seed, announced=sensors is not Sensors.CLOCK_CAMERA)
        table = SimulatedTable(
            day.script(),
            demo_scene(tiles.name, self._args.seed + number),
            speed=self._args.speed,
            clock=table_clock(),
            instruments=instruments_at(number, tiles, seed, sensors),
        )
        running.callback(table.close)
        folder = self._folder / f"table-{number}"
        folder.mkdir(parents=True, exist_ok=True)
        text = table_toml(broker_url, table.camera_url, table.clock.path, tiles.name, number=number)
        file = _file(folder / "table.toml", text + table.more_devices_toml(folder))
        self._processes.start("agent", file, name=f"agent-{number}")
        return _Seat(number, day, table)

    def _signed_in(self, output: Path) -> Director:
        """Wait for the dashboard, print its addresses, sign in with the director's key."""
        while "links  " not in output.read_text(encoding="utf-8"):
            self._processes.check()
            time.sleep(0.05)
        text = self._log.with_suffix(".links").read_text(encoding="utf-8")
        for line in text.splitlines():
            self._say(line)
        if self._args.open:
            open_page(text.split("overview")[1].split()[0])
        base, key = (text.split(page)[1].split()[0] for page in ("all pages", "director "))
        return Director(base, key)

    def finish(self) -> dict[str, Any]:
        """All rounds; what was played beside what was recorded."""
        self._director.orders(f"about name {EVENT}")
        self._director.orders(f"about rounds {max(self._args.rounds, 1)}")
        for name in PLAYERS[: 2 * self._args.tables]:
            self._director.orders(f"player {DIVISION} {name}")
        for number in range(1, max(self._args.rounds, 1) + 1):
            self._await_page(2 * self._args.tables, number - 1)
            self._director.orders(self._director.pairs("swiss"))
            self._await_page(2 * self._args.tables, number - 1, paired=number)
            self._say(f"round {number} is paired")
            for _ in self._until(lambda: all(seat.is_done for seat in self._seats)):
                self._go_on(number)
        return self._document()

    def _await_page(self, players: int, scored: int, paired: int = 0) -> None:
        """Wait until the director's page shows so many players, results and pairings."""
        while True:
            divisions = self._director.see("/api/event")["divisions"]
            shown = [(len(division["standings"]), division["after"]) for division in divisions]
            if shown == [(players, scored)] and divisions[0]["round"] >= paired:
                return
            self._processes.check()
            time.sleep(0.1)

    def _until(self, holds: Callable[[], bool]) -> Iterator[None]:
        """Go round until it holds. RecorderError where nothing changes any more."""
        for seat in self._seats:
            seat.is_done = seat.is_signed = False
            seat.game, seat.since = "", time.monotonic()
        while not holds():
            self._processes.check()
            if time.monotonic() - max(seat.since for seat in self._seats) > LONGEST_S:
                raise RecorderError(f"nothing has changed for {LONGEST_S:g} s")
            yield
            time.sleep(0.3)

    def _go_on(self, round_: int) -> None:
        """Whatever is next at each table: play, end, sign, clear."""
        (division,) = self._director.see("/event/data.json")["divisions"]
        names = {row["id"]: row["name"] for row in division["standings"]}
        for found in division["games"]:
            seat = self._seats[found["table"] - 1]
            players = tuple(names[number] for number in found["players"])
            frame = self._director.see(f"/api/table/{seat.number}/frame")
            if seat.is_done or frame is None:
                continue
            if not seat.game:
                self._begin(seat, frame, (players[0], players[1]), round_)
            elif seat.is_signed and found["scores"] is not None:
                seat.day.clear()
                seat.is_done = True
                self._say(f"table {seat.number}: {found['scores'][0]}-{found['scores'][1]}")
            elif seat.is_quiet(frame) and seat.day.idle.is_set() and not seat.is_signed:
                self._end(seat, frame)

    def _begin(self, seat: _Seat, frame: Any, players: tuple[str, str], round_: int) -> None:
        """The table shows who plays, by itself: so they play."""
        shown = tuple(player["name"] for player in frame["players"])
        if shown == players and frame["game"] not in {game for _, game in seat.played}:
            seat.game, seat.players = frame["game"], players
            seat.played.append((round_, seat.game))
            seat.day.play(_with_names(self._record_of(round_, seat), players))

    def _record_of(self, round_: int, seat: _Seat) -> GcgGame:
        """What is played in a round at a table: another game at each, as long as there are some."""
        at: int = (round_ - 1) * self._args.tables + seat.number - 1 + self._args.seed - 1
        return self._records[at % len(self._records)]

    def _end(self, seat: _Seat, frame: Any) -> None:
        """Who has stopped the clocks signs; a record without an end is ended by the director."""
        if frame["phase"] != "over":
            self._director.rules(seat.number, seat.game, "order.end")
        for player in (0, 1):
            self._director.rules(seat.number, seat.game, "order.sign", player=player)
        seat.is_signed = True

    def _document(self) -> dict[str, Any]:
        with SqliteEventLog.open_reader(self._log) as reader:
            rows = list(reader.read_from(1))
        games = [self._game(rows, seat, *played) for seat in self._seats for played in seat.played]
        lost, doubled = lost_and_doubled(rows)
        for seat in self._seats:
            heard = sum(
                row.device == f"clock-{seat.number}" and row.key is not None for row in rows
            )
            lost += max(0, seat.simulated.clock.seq_high - heard)
        (division,) = self._director.see("/event/data.json")["divisions"]
        return {
            "games": sorted(games, key=lambda game: (game["round"], game["table"])),
            "standings": [{key: row[key] for key in _STANDING} for row in division["standings"]],
            "expected_standings": _expected(rows, games),
            "lost": lost,
            "doubled": doubled,
        }

    def _game(self, rows: Sequence[Row], seat: _Seat, round_: int, game: str) -> dict[str, Any]:
        mine = [row for row in rows if row.game == game]
        (*_, started) = (row.says for row in mine if isinstance(row.says, GameStarted))
        record = self._record_of(round_, seat)
        found: Comparison = compare(
            record.events,
            recorded_events(mine),
            record.tile_set,
            rules=rules_of_game(started),
        )
        assert started.pairing is not None
        return {
            "round": round_,
            "table": seat.number,
            "game": game,
            "players": list(started.players),
            "ids": [started.pairing.first, started.pairing.second],
            "turns": len(found.turns),
            "matched": found.matched,
            "final": list(found.final),
            "expected_final": list(found.expected_final),
        }


def _with_names(record: GcgGame, names: tuple[str, str]) -> GcgGame:
    first, second = (GcgPlayer(nick=name.split(",")[0], name=name) for name in names)
    return replace(record, players=(first, second))


def _expected(rows: Sequence[Row], games: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The standings from what was really played, beside what nobody at the tables said."""
    given = [row.says.order for row in rows if isinstance(row.says, EventOrdered)]
    orders = [order for order in given if not isinstance(order.act, EnterResult)]
    for number, game in enumerate(games):
        act = EnterResult(
            division=DIVISION,
            round=game["round"],
            first=game["ids"][0],
            first_score=game["expected_final"][0],
            second=game["ids"][1],
            second_score=game["expected_final"][1],
        )
        orders.append(EventOrder(id=f"expected-{number}", who="demo", act=act))
    (division,) = register_of(orders).event.divisions
    return [
        {
            "rank": row.rank,
            "id": row.number,
            "name": division.player(row.number).spoken,
            "wins": float(row.wins),
            "losses": float(row.losses),
            "spread": row.spread,
            "rating": row.rating,
        }
        for row in placings(NO_RULE_SET, division, division.scored_rounds)
    ]


def _file(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
