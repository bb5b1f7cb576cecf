"""What a row says is read once, however many folds and pages want it."""

import queue
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dashboard.auth.access import Role
from dashboard.commentator.analysis import Analysis
from dashboard.live.hub import AUDIENCES, Hub
from dashboard.live.log_follower import Batch, LogFollower
from dashboard.live.messages.channel import Viewer
from recorder.declared.json_objects import canonical_json
from recorder.domain.game import Played
from recorder.domain.instruments import BagWeighed
from recorder.domain.notices import in_words
from recorder.domain.observations import (
    Acted,
    BoardNotSeen,
    ClockPressed,
    DeviceLost,
    RackCounted,
    RackSeen,
    Side,
    TurnAct,
)
from recorder.domain.orders import Banner, Order, TableOrder
from recorder.domain.plays import parse_placement
from recorder.domain.row_kind import Kind
from recorder.domain.tile_text import read_tiles
from recorder.wire import rows
from recorder.wire.events import decode_event
from recorder.wire.observations import decode_observation
from recorder.wire.orders import decode_order, encode_order
from tests.dashboard.table_writer import OPENING, TableWriter, look_at

if TYPE_CHECKING:
    from recorder.log.port import Row

START_MS = 1_800_000_000_000
DELAY_MS = 60_000
DECODERS: dict[str, Callable[..., Any]] = {
    "decode_observation": decode_observation,
    "decode_event": decode_event,
    "decode_order": decode_order,
    "read_row": rows.read_row,
}


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each decoder was given each thing to read, in whatever module calls it."""
    counter: Counter[str] = Counter()

    def counted(name: str, decoder: Callable[..., Any]) -> Callable[..., Any]:
        def decode(*given: Any, **named: Any) -> Any:
            counter[f"{name} {canonical_json({'given': given})}"] += 1
            return decoder(*given, **named)

        return decode

    ours = [one for name, one in sys.modules.items() if name.startswith(("recorder", "dashboard"))]
    for name, decoder in DECODERS.items():
        counting = counted(name, decoder)
        for module in ours:
            if getattr(module, name, None) is decoder:
                monkeypatch.setattr(module, name, counting)
    return counter


def lively(table: TableWriter) -> None:
    """A little of everything that folds listen to."""
    table.start()
    for number, text in enumerate(OPENING[:3]):
        assert table.state is not None
        side = (Side.LEFT, Side.RIGHT)[number % 2]
        table.observe(look_at(table.state, {"1A": "QXZ"[number]}), "board")
        letters = ("RETAINS", "AEIOUQU", "ZEPHYRS")[number]
        table.observe(
            RackSeen(
                side=side, letters=read_tiles(letters), slots=read_tiles(letters), confidence=0.9
            ),
            "rack",
        )
        press = ClockPressed(side=side, left_ms=90_000 - number, right_ms=80_000, running=side)
        table.observe(press, "clock")
        table.play(number % 2, text)
    table.observe(RackCounted(side=Side.LEFT, places="####...", confidence=0.9), "counter")
    table.observe(BagWeighed(grams=200.0, spread_g=0.1, settled=True, taken=None), "bag")
    table.observe(Acted(side=Side.LEFT, act=TurnAct.HOLD), "pad")
    table.observe(BoardNotSeen(frame="f", reason="covered"), "board")
    table.observe(DeviceLost(device="rack", reason=in_words("unplugged")), "recorder")
    first = next(row for row in table.rows if row.type == "game.played")
    table.correct(first.seq, Played(0, parse_placement(OPENING[0]), 99))
    order = Order(id="o1", who="Dora", act=Banner(text="Ten minutes"))
    type_name, data = encode_order(TableOrder(table=1, order=order))
    table.write(Kind.RULED, {"type": type_name, "data": data})


def test_every_row_is_decoded_once(tmp_path: Path, decoded: Counter[str]) -> None:
    """From the file, through a public that is late, three live channels, best plays and pages."""
    table = TableWriter(tmp_path / "log.db", at=START_MS)
    hub = Hub(DELAY_MS, lambda: table.at, analysis=Analysis(show_best=True))
    pages = [Viewer() for _ in AUDIENCES]
    for role, page in zip(AUDIENCES, pages, strict=True):
        hub.channel(1, role).viewers.add(page)
    batches: queue.Queue[Batch] = queue.Queue()
    follower = LogFollower(tmp_path / "log.db", batches.put)
    follower.start()
    lively(table)
    read: list[Row] = []
    while len(read) < len(table.rows):
        batch = batches.get(timeout=60)
        assert not (batch.anew and batch.rows)
        hub.take(Batch((), batch.anew, caught_up=True))
        for row in batch.rows:
            hub.take(Batch((row,), anew=False, caught_up=True))
        read += batch.rows
    follower.stop()
    table.log.close()
    table.at += DELAY_MS
    hub.tick()
    assert all(page.queue.qsize() > 0 for page in pages)
    assert hub.channel(1, Role.VIEWER).seq == hub.channel(1, Role.DIRECTOR).seq
    assert Counter(decoded.values()) == {1: len(decoded)}
    assert sum(name.startswith("read_row") for name in decoded) == len(table.rows)
