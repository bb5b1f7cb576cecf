"""An event of 64 tables and 24 rounds: how long every page of it takes, and what it keeps.

The log holds what a recorder would: players, pairings and results as orders. The pages are asked
for in the dashboard's own process, without a network between. Memory is that of the whole process
after a quarter of the rounds and after all.
"""

import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from fastapi.testclient import TestClient

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from recorder.domain.event.next_round import pair_round
from recorder.domain.event.orders import (
    EnterPlayer,
    EnterResult,
    EventAct,
    EventOrder,
    PublishRound,
    TableGame,
)
from recorder.domain.event.register import Register, extended, register_of
from recorder.domain.event.wanted import Method, WantedRound
from recorder.domain.rules.core.parameters import NO_RULE_SET
from recorder.log.sqlite import SqliteEventLog
from recorder.matching import least_cost_pairs
from recorder.orders.event_record import judged_row
from tests.bench.figures import Figure, Figures, figure_of

PLAYERS, ROUNDS, EARLY = 128, 24, 6
PAGES = {
    "page": "/event",
    "model for everybody": "/event/data.json",
    "feed": "/event/tourney.js",
    "model for directors": "/api/event",
    "pairings on paper": "/director/event/print/pairings-by-name.pdf?division=A",
    "standings on paper": "/director/event/print/standings.pdf?division=A",
}
ASKED = 7


def run() -> Figures:
    """By page the time of an answer after the last round; memory early and late."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.db"
        keys = Access(director_token="director-key-1", commentator_token="commentator-1")
        app = create_app(Settings(log=log, access=keys))
        with (
            SqliteEventLog(log) as store,
            TestClient(app, base_url="http://127.0.0.1:8015") as client,
        ):
            client.get("/enter/director-key-1")
            event = _Event(store)
            event.give(EnterPlayer(division="A", name=f"Player, {n}") for n in range(PLAYERS))
            for round_ in range(1, ROUNDS + 1):
                event.play(round_)
                if round_ == EARLY:
                    early = _kept(client, event)
            late = _kept(client, event)
            figures = {f"event, {name}": _timed(client, address) for name, address in PAGES.items()}
    figures["event, memory after a quarter of the rounds"] = Figure("MB", early)
    figures["event, memory after all rounds"] = Figure("MB", late)
    return figures


class _Event:
    """Pairs and plays an event into a log."""

    def __init__(self, store: SqliteEventLog) -> None:
        self._store, self._chance = store, random.Random(1)
        self.register: Register = register_of(())

    def give(self, acts: Iterator[EventAct]) -> None:
        rows = []
        for act in acts:
            order = EventOrder(id=f"o{len(self.register.orders)}", who="Dora", act=act)
            rows.append(judged_row(self.register, order, time.time_ns() // 1_000_000)[0])
            self.register = extended(self.register, order)
        self._store.append(rows)

    def play(self, round_: int) -> None:
        (division,) = self.register.event.divisions
        order = sorted(division.by_number)
        wanted = WantedRound(round=round_, method=Method.SWISS, order=order)
        pairs = pair_round(NO_RULE_SET, division, wanted, least_cost_pairs).pairs
        games = tuple(TableGame(table=p.table, first=p.first, second=p.second) for p in pairs)
        self.give(iter([PublishRound(division="A", round=round_, games=games)]))
        self.give(
            EnterResult(
                division="A", round=round_, first=game.first, second=game.second,
                first_score=self._chance.randint(280, 520),
                second_score=self._chance.randint(280, 520),
            )
            for game in games
        )  # fmt: skip


def _kept(client: TestClient, event: _Event) -> float:
    after = event.register.event.divisions[0].scored_rounds
    while True:
        divisions = client.get("/event/data.json").json()["divisions"]
        if divisions and divisions[0]["after"] == after and len(divisions[0]["games"]) > 0:
            break
        time.sleep(0.05)
    for address in PAGES.values():
        client.get(address)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return round(pages * 4096 / 1e6, 1)


def _timed(client: TestClient, address: str) -> Figure:
    took = []
    for _ in range(ASKED):
        began = time.perf_counter()
        client.get(address).raise_for_status()
        took.append((time.perf_counter() - began) * 1000)
    return figure_of("ms", took)
