"""Snapshots, changes, gaps and delays, as a page meets them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dashboard.auth.access import Role
from dashboard.live.hub import Hub
from dashboard.live.log_follower import Batch
from dashboard.live.messages.channel import Viewer
from dashboard.live.messages.merge_patch import patched, without_nulls
from recorder.domain.game import Played
from recorder.domain.observations import BoardNotSeen
from recorder.domain.plays import parse_placement
from recorder.log.port import Row
from tests.dashboard.table_writer import OPENING, TableWriter

pytestmark = pytest.mark.slow

START_MS = 1_800_000_000_000


@pytest.fixture
def table(write_table: Callable[[int], TableWriter]) -> TableWriter:
    return write_table(START_MS)


def hub_at(table: TableWriter, delay_ms: int = 0) -> Hub:
    """A hub whose clock is that of the table's newest row."""
    return Hub(delay_ms, lambda: table.at)


def take(hub: Hub, *rows: Row, caught_up: bool = True) -> None:
    hub.take(Batch(rows, anew=False, caught_up=caught_up))


def join(hub: Hub, role: Role = Role.VIEWER) -> Viewer:
    viewer = Viewer()
    hub.channel(1, role).viewers.add(viewer)
    return viewer


def messages(viewer: Viewer) -> list[dict[str, Any]]:
    """What the page has been sent since the last look."""
    texts = [viewer.queue.get_nowait() for _ in range(viewer.queue.qsize())]
    return [json.loads(text) for text in texts]


def test_snapshot_and_changes_give_the_frame(table: TableWriter) -> None:
    """A page that applies every change has what a new page is given."""
    hub = hub_at(table)
    viewer = join(hub)
    take(hub, table.start())
    for number, text in enumerate(OPENING):
        take(hub, table.play(number % 2, text))
    first, *changes = messages(viewer)
    frame = first["frame"]
    for change in changes:
        frame = patched(frame, change["patch"])
    assert len(changes) == len(OPENING)
    model = hub.channel(1, Role.VIEWER).model
    assert model is not None
    assert frame == without_nulls(model)


def test_a_new_game_is_told_from_the_beginning(table: TableWriter) -> None:
    """Nothing of the last one moves; letters stand in their alphabet's order, as no patch shows."""
    hub = hub_at(table)
    viewer = join(hub)
    take(hub, table.start(), table.play(0, "8D ZEPHYR"))
    take(hub, table.start(game="g2", tile_set="german"))
    before, after = messages(viewer)
    assert after["type"] == "snapshot"
    assert after["epoch"] == before["epoch"]
    assert list(after["frame"]["tile_set"]["values"])[:3] == ["A", "Ä", "B"]


def test_rows_that_change_nothing_send_nothing(table: TableWriter) -> None:
    """Ten looks a second at an unchanged board are no news."""
    hub = hub_at(table)
    viewer = join(hub)
    take(hub, table.start())
    messages(viewer)
    take(hub, table.observe(BoardNotSeen(frame="f", reason="covered")))
    take(hub, table.play(0, "8D ZEPHYR"))
    (change,) = messages(viewer)
    assert (change["from_seq"], change["seq"]) == (1, 3)


def test_history_is_not_shown_in_fast_motion(table: TableWriter) -> None:
    """While the dashboard reads a long log it stays silent; then one snapshot shows all."""
    hub = hub_at(table)
    viewer = join(hub)
    take(hub, table.start(), caught_up=False)
    take(hub, table.play(0, "8D ZEPHYR"), caught_up=False)
    assert messages(viewer) == []
    take(hub)
    (snapshot,) = messages(viewer)
    assert snapshot["seq"] == 2


def test_a_frame_is_made_once_for_all_who_look(table: TableWriter) -> None:
    """A change is the very same text for every page, and so is what pages get that come later."""
    hub = hub_at(table)
    viewers = [join(hub) for _ in range(300)]
    take(hub, table.start())
    take(hub, table.play(0, "8D ZEPHYR"))
    heard = [[viewer.queue.get_nowait() for _ in range(2)] for viewer in viewers]
    assert {tuple(map(id, texts)) for texts in heard} == {tuple(map(id, heard[0]))}
    channel = hub.channel(1, Role.VIEWER)
    later = [channel.snapshot() for _ in range(300)]
    assert {id(text) for text in later} == {id(later[0])}
    take(hub, table.play(1, "9D AX"))
    assert "AX" in str(channel.snapshot())


def test_a_slow_page_loses_the_oldest_and_sees_the_gap(table: TableWriter) -> None:
    """The queue of a page is bounded; its numbers then do not join, so that it asks again."""
    hub = hub_at(table)
    viewer = join(hub)
    take(hub, table.start())
    for points in range(200):
        take(hub, table.start((f"Anna {points}", "Ben")))
    waiting = messages(viewer)
    assert len(waiting) == 64
    assert waiting[-1]["seq"] == 201
    assert waiting[0]["from_seq"] > 1


def test_another_log_is_a_new_epoch(table: TableWriter, tmp_path: Path) -> None:
    """A replaced record reaches open pages as a snapshot, whatever its numbers."""
    hub = hub_at(table)
    viewer = join(hub)
    take(hub, table.start(), table.play(0, "8D ZEPHYR"))
    hub.take(Batch((), anew=True, caught_up=False))
    other = TableWriter(tmp_path / "other.db", at=START_MS + 5000)
    take(hub, other.start(("Cleo", "Dan"), game="g2"))
    other.log.close()
    before, after = messages(viewer)
    assert after["type"] == "snapshot"
    assert after["epoch"] != before["epoch"]
    assert after["frame"]["players"][0]["name"] == "Cleo"


def test_a_delayed_channel_sends_no_undelayed_byte(table: TableWriter) -> None:
    """With a delay of a minute the newest minute is on the live channels only."""
    hub = hub_at(table, delay_ms=60_000)
    public, live = join(hub), join(hub, Role.COMMENTATOR)
    take(hub, table.start(("Anna", "SECRETNAME")))
    take(hub, table.play(0, "8D ZEPHYR"))
    assert messages(public) == []
    assert hub.channel(1, Role.VIEWER).model is None
    assert "SECRETNAME" in str(messages(live))
    table.at += 59_000
    hub.tick()
    (snapshot,) = messages(public)
    assert snapshot["frame"]["turns"] == 0
    table.at += 1000
    hub.tick()
    (change,) = messages(public)
    assert change["patch"]["turns"] == 1


def test_a_row_that_the_public_may_not_know_changes_nothing_of_its_frame(
    table: TableWriter, write_table: Callable[..., TableWriter]
) -> None:
    """What another table's game changes on this one's page comes when it is out, not with a row."""
    hub = hub_at(table, delay_ms=60_000)
    public = join(hub)
    started = table.start()
    take(hub, started)
    table.at = started.received + 60_000
    hub.tick()
    other = write_table(table.at)
    other.table = 2
    take(hub, other.start(("Cleo", "Dan"), game="g2"))
    assert messages(public)[-1]["frame"].get("highest") is None
    table.at = other.at + 60_000
    hub.tick()
    (change,) = messages(public)
    assert change["patch"]["highest"] == 0
    other.table = 1
    take(hub, other.observe(BoardNotSeen(frame="f1", reason="covered")))
    other.log.close()
    assert messages(public) == []


def test_the_delayed_channel_lives_in_its_own_time(table: TableWriter) -> None:
    """A clock that runs on a delayed page runs against delayed time."""
    hub = hub_at(table, delay_ms=60_000)
    assert hub.channel_now(Role.VIEWER) == table.at - 60_000
    assert hub.channel_now(Role.DIRECTOR) == table.at


def test_tables_that_are_none_cost_nothing(table: TableWriter) -> None:
    """Anyone who asks for ten times as many as there may be gets no frame, and nothing stays."""
    hub = hub_at(table)
    take(hub, *table.rows)
    known = len(hub._tables)
    for number in range(1000, 1700):
        assert hub.frame(number) is None
        assert hub.setup(number) is None
        assert not hub.is_on(number)
    assert len(hub._tables) == known
    for number in range(1000, 1700):
        assert hub.watched(number).model is None
    assert len(hub._tables) <= known + 65
    viewer = Viewer()
    hub.channel(5000, Role.VIEWER).viewers.add(viewer)
    for number in range(1000, 1700):
        hub.watched(number)
    assert viewer in hub.channel(5000, Role.VIEWER).viewers


def test_the_director_sees_what_is_out_and_what_waits(table: TableWriter) -> None:
    """A correction in time is out with its turn; one of a turn that was out waits for itself."""
    hub = hub_at(table, delay_ms=60_000)

    def air() -> tuple[int, list[int]]:
        model = hub.channel(1, Role.DIRECTOR).model
        assert model is not None
        return model["air"]["seq"], model["air"]["ahead"]

    take(hub, table.start(), table.play(0, "8D ZEPHYR"))
    table.at += 30_000
    take(hub, table.correct(2, Played(0, parse_placement("8D ZEPHYR"), 66)))
    assert air() == (0, [])
    table.at += 31_000
    hub.tick()
    assert air() == (2, [3])
    table.at += 30_000
    take(hub, table.correct(2, Played(0, parse_placement("8D ZEPHYR"), 65)))
    assert air() == (2, [3])
