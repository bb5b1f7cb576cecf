"""Orders about the event through a recorder that runs: console, bus, log, restart."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from recorder.bus.outbox import Outbox
from recorder.declared.codec import Json
from recorder.domain.event.orders import (
    EnterPlayer,
    EnterResult,
    EventAct,
    EventOrder,
    PublishRound,
    TableGame,
    UndoEventOrder,
)
from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from recorder.orders.client import OrderClient
from recorder.orders.event_record import event_register
from tests.recorder.session_table import VENUE, Table, recorded, run


class EventConsole:
    """A director's console on the bus of a recorder that runs."""

    def __init__(self, client: OrderClient) -> None:
        self.client = client

    def gives(self, name: str, act: EventAct) -> Json:
        order = EventOrder(id=name, who="Dora", act=act)
        reply = self.client.give_event(order, timeout_s=60)
        assert reply is not None, "no recorder has answered"
        return reply

    def asks(self, act: EventAct) -> Json:
        order = EventOrder(id="ask", who="Dora", act=act)
        found = self.client.preview(order, timeout_s=60)
        assert found is not None, "no recorder has answered"
        return found


@contextmanager
def console(folder: Path, broker: MemoryBroker, name: str = "console") -> Iterator[EventConsole]:
    with ExitStack() as running:
        outbox = Outbox(folder / f"{name}.orders", name)
        running.callback(outbox.close)
        bus = MemoryBus(broker)
        client = running.enter_context(OrderClient(outbox, bus, VENUE))
        bus.start()
        running.callback(bus.stop)
        yield EventConsole(client)


@pytest.fixture
def table() -> Table:
    """A table whose devices say nothing."""
    return Table()


def test_the_event_is_kept_while_games_are_recorded(tmp_path: Path, table: Table) -> None:
    """Players, a round, a result and its correction, asked about first; a restart goes on."""
    recorder, store = run(tmp_path, table)
    result = EnterResult(
        division="A", round=1, first=1, first_score=400, second=2, second_score=390
    )
    with console(tmp_path, table.broker) as desk:
        for number, name in enumerate(("Ashdown, Vera", "Brok, Ilse"), start=1):
            assert desk.gives(f"p{number}", EnterPlayer(division="A", name=name))["ok"]
        games = (TableGame(table=1, first=1, second=2),)
        assert desk.gives("r1", PublishRound(division="A", round=1, games=games))["ok"]
        first = desk.gives("s1", result)
        assert first["ok"]
        again = desk.gives("s1", result)
        assert again["ok"]
        refused = desk.gives("r2", PublishRound(division="A", round=1, games=games))
        assert (refused["ok"], refused["reason"]["code"]) == (False, "event_round_begun")
        found = desk.asks(UndoEventOrder(order="s1"))
        assert found["ok"]
        assert {change["id"] for change in found["ranks"]} == {1, 2}
    recorder.stop()
    store.close()
    recorder, store = run(tmp_path, table)
    with console(tmp_path, table.broker) as desk:
        assert desk.gives("u1", UndoEventOrder(order="s1"))["ok"]
        assert not desk.gives("u2", UndoEventOrder(order="nothing"))["ok"]
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    ruled = [row.type for row in rows if row.table == 0 and row.type.startswith(("event", "order"))]
    assert ruled == [
        *("event.player", "event.player", "event.round", "event.result", "order.repeated"),
        *("order.refused", "event.undo", "order.refused"),
    ]
    (division,) = event_register(rows).event.divisions
    assert (division.paired_rounds, division.scored_rounds) == (1, 0)


def test_only_consoles_give_orders_about_the_event(tmp_path: Path, table: Table) -> None:
    """A device that is no console of the recorder is refused, and the event stays as it is."""
    recorder, store = run(tmp_path, table)
    order = EventOrder(id="x", who="Eve", act=EnterPlayer(division="A", name="Eve"))
    with console(tmp_path, table.broker, "stranger") as desk:
        assert desk.client.give_event(order, timeout_s=0.3) is None
    recorder.stop()
    store.close()
    assert event_register(recorded(tmp_path)).orders == ()
