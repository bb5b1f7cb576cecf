"""64 tables mirrored with one key: from the record to their server, and after an outage.

Run: ``python tests/bench/run.py woogles``. The outage is played ten times
as fast as it would be: 60 s of it, ten times the calls a second, a turn every 6 s at each table.
"""

import json
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dashboard.live.log_follower import LogFollower, now_ms
from dashboard.woogles.client import ApiKey, Pace, Woogles
from dashboard.woogles.following import PublicTables
from dashboard.woogles.kept import SUFFIX, Kept
from dashboard.woogles.mirror import Target
from dashboard.woogles.running import Mirrors, MirrorSettings
from recorder.backoff import Backoff
from recorder.domain.event.seating import Pairing
from recorder.domain.game import Passed
from recorder.log.sqlite import SqliteEventLog
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.eventually import eventually
from tests.woogles.mirroring import KEY
from tests.woogles.their_server import TheirServer

TABLES = 64
CALLS_A_SECOND = 5.0
TURN_S = 64.0
FASTER = 10
P95_MS, OUTAGE_S, DRAINED_S = 500.0, 600.0, 120.0


def feed() -> str:
    """A round of 64 tables as their feed has it."""
    players = [None]
    for number in range(1, 2 * TABLES + 1):
        table, first = (number + 1) // 2, number % 2 == 1
        etc = {"board": [table], "p12": [1 if first else 2]}
        other = number + 1 if first else number - 1
        name = f"Player {number}"
        players.append(
            {"id": number, "name": name, "pairings": [other], "scores": [], "etc": etc}  # type: ignore[arg-type]
        )
    return f"newt={json.dumps({'divisions': [{'name': 'A', 'players': players}]})};"


class Hall:
    """A log of 64 tables, its mirrors and their server."""

    def __init__(self, server: TheirServer, folder: Path) -> None:
        server.users[KEY] = "ann"
        server.add_broadcast("hall", feed())
        self.server = server
        self.log = SqliteEventLog(folder / "tilecast.db")
        self.tables = [
            TableWriter(self.log, at=now_ms() - 10**6, table=number)
            for number in range(1, TABLES + 1)
        ]
        self.turns = [0] * TABLES
        self.written: dict[tuple[int, int], float] = {}
        for table in self.tables:
            first = 2 * table.table - 1
            names = (f"Player {first}", f"Player {first + 1}")
            pairing = Pairing(division="A", round=1, first=first, second=first + 1)
            table.start(names, game=f"g{table.table}", pairing=pairing)
        self.pace = Pace(1000)
        self.kept = Kept(folder / f"tilecast{SUFFIX}")
        tables = PublicTables(0, now_ms, frozenset())
        settings = MirrorSettings(Target(slug="hall"), print, now_ms, Backoff(0.1, 6.0))
        woogles = Woogles(server.url, ApiKey(KEY), self.pace, 5.0)
        self.mirrors = Mirrors(woogles, self.kept, tables, settings)
        self.follower = LogFollower(folder / "tilecast.db", self.mirrors.deliver)

    def open(self) -> None:
        """Begin, and wait until every table is claimed."""
        self.follower.start()
        self.mirrors.start()
        eventually(lambda: len(self.server.documents) == TABLES, within_s=120)
        eventually(lambda: self.states() == {"in_step"}, within_s=120)

    def close(self) -> None:
        """End everything."""
        self.follower.stop()
        self.mirrors.stop()
        self.kept.close()
        self.log.close()

    def states(self) -> set[str]:
        """How the mirrors are."""
        return {stand.state for stand in self.kept.states()}

    def set_rate(self, a_second: float) -> None:
        """So many calls a second from now on."""
        self.pace._gap = 1.0 / a_second

    def turn(self, at: int) -> None:
        """The next turn of a table."""
        count = self.turns[at]
        self.turns[at] += 1
        self.written[at + 1, count + 1] = time.monotonic()
        if count < len(OPENING):
            self.tables[at].play(count % 2, OPENING[count])
        else:
            self.tables[at].record(Passed(count % 2))

    def play(self, seconds: float, between_s: float) -> None:
        """Turns of all tables one after the other, evenly."""
        ends, number = time.monotonic() + seconds, 0
        begun = time.monotonic()
        while time.monotonic() < ends:
            self.turn(number % TABLES)
            number += 1
            time.sleep(max(0.0, begun + number * between_s - time.monotonic()))

    def latencies(self) -> list[float]:
        """Seconds from the row to what their server accepted."""
        uids = {stand.table: stand.uid for stand in self.kept.states()}
        return sorted(
            self.server.accepted[uids[table], count] - at
            for (table, count), at in self.written.items()
            if (uids[table], count) in self.server.accepted
        )

    def are_there(self, turns: Sequence[int]) -> bool:
        """Whether so many turns of each table are there, at least."""
        uids = {stand.table: stand.uid for stand in self.kept.states()}
        return all(
            len(self.server.documents[uids[at + 1]]["events"]) >= count
            for at, count in enumerate(turns)
        )


def measured(folder: Path, say: Callable[[str], object]) -> dict[str, float]:
    """The figures of one run, about three minutes."""
    with TheirServer() as server:
        hall = Hall(server, folder)
        hall.open()
        try:
            hall.set_rate(CALLS_A_SECOND)
            before = len(server.calls)
            hall.play(60.0, TURN_S / TABLES)
            eventually(lambda: hall.are_there(hall.turns), within_s=60)
            found = hall.latencies()
            p95, median = found[int(len(found) * 0.95)], found[len(found) // 2]
            calls = (len(server.calls) - before) / len(found)
            say(
                f"{len(found)} turns at {TABLES} tables: p95 {p95 * 1000:.0f} ms, {calls:.1f} calls"
            )
            eventually(lambda: hall.states() == {"in_step"}, within_s=120)
            hall.set_rate(CALLS_A_SECOND * FASTER)
            server.faults = lambda *_: "drop"
            hall.play(OUTAGE_S / FASTER, TURN_S / TABLES / FASTER)
            server.faults = lambda *_: None
            back, backlog = time.monotonic(), list(hall.turns)
            going = threading.Thread(
                target=hall.play, args=(DRAINED_S / FASTER, TURN_S / TABLES / FASTER)
            )
            going.start()
            eventually(lambda: hall.are_there(backlog), within_s=120)
            drained = (time.monotonic() - back) * FASTER
            going.join()
            eventually(lambda: hall.are_there(hall.turns), within_s=120)
            say(
                f"{sum(backlog)} turns there {drained:.0f} s after an outage of {OUTAGE_S:g} s,"
                " with play going on"
            )
            return {
                "p95_ms": round(p95 * 1000),
                "median_ms": round(median * 1000),
                "calls_a_turn": calls,
                "drained_s": round(drained),
            }
        finally:
            hall.close()


def run() -> dict[str, dict[str, Any]]:
    """The figures, by name."""
    with tempfile.TemporaryDirectory() as folder:
        found = measured(Path(folder), print)
    drained = found["drained_s"]
    return {
        "woogles: row to accepted, 64 tables": figure(
            "ms", found["median_ms"], found["p95_ms"], P95_MS
        ),
        "woogles: drained after 10 minutes": figure("s", drained, drained, DRAINED_S),
    }


def figure(unit: str, median: float, p95: float, goal: float) -> dict[str, Any]:
    """One figure, held against the goal that it has."""
    ratio = round(p95 / goal, 3)
    return {"unit": unit, "median": median, "p95": p95, "baseline": goal, "ratio": ratio}


if __name__ == "__main__":
    run()
