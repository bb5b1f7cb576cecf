"""An earlier game stays in reach: its page, its files and the table at any of its moments."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from recorder.domain.game import Played, apply
from recorder.domain.plays import parse_placement
from recorder.log.sqlite import SqliteEventLog
from recorder.projections.broadcast import Projection
from recorder.projections.timeline import Timeline
from tests.dashboard.table_writer import TableWriter
from tests.eventually import eventually

pytestmark = pytest.mark.slow

KEY = "director-key-1"
SOCKETS = "ws://127.0.0.1:8015/ws"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TableWriter]:
    with SqliteEventLog(tmp_path / "log.db") as log:
        table = TableWriter(log, at=1_000_000)
        table.start(("Ada", "Ben"), game="g1")
        table.play(0, "8D ZEPHYR")
        table.start(("Cy", "Dot"), game="g2")
        table.play(0, "8G HAND")
        yield table


@pytest.fixture
def client(table: TableWriter, tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(
        Settings(
            log=tmp_path / "log.db",
            access=Access(director_token=KEY, commentator_token="commentator-1"),
        )
    )
    with TestClient(app, base_url="http://127.0.0.1:8015") as client:
        client.get(f"/enter/{KEY}")
        eventually(lambda: len(client.get("/api/games").json()) == 2)
        yield client


def test_every_game_has_an_address(client: TestClient, table: TableWriter) -> None:
    """By name: the page, its model with its own players, its files, its moments."""
    listed = client.get("/api/games").json()
    assert [(game["table"], game["game"], game["players"]) for game in listed] == [
        (1, "g1", ["Ada", "Ben"]),
        (1, "g2", ["Cy", "Dot"]),
    ]
    assert 'data-game="g1"' in client.get("/director?table=1&game=g1").text
    assert "ZEPHYR" in client.get("/api/table/1/export/gcg?game=g1").text
    assert "ZEPHYR" not in client.get("/api/table/1/export/gcg").text
    for file in ("sheet.pdf", "slip.pdf", "bundle.zip"):
        assert client.get(f"/api/table/1/export/{file}?game=g1").status_code == 200
    assert client.get("/api/table/1/export/gcg?game=g9").status_code == 422
    moment = client.get("/api/table/1/at/2?game=g1").json()
    assert [line["word"] for line in moment["sheet"]] == ["ZEPHYR"]


def test_an_adjourned_game_that_goes_on_is_there_again(table: TableWriter) -> None:
    """Board, scores and story as they were left, for everybody; then the next play."""
    table.start(("Ada", "Ben"), game="g1")
    assert table.state is not None
    table.state = apply(table.state, Played(0, parse_placement("8D ZEPHYR"), 96))
    table.play(1, "F6 CO.Y")
    public, story = Projection(1), Timeline(1)
    for row in table.log.read_from(1):
        public.advance(row)
        story.advance(row)
    assert [line.as_json()["word"] for line in public.lines] == ["ZEPHYR", "CO.Y"]
    assert public.faults == []
    said = [entry["word"] for item in story.items() for entry in item["entries"]]
    assert said == ["ZEPHYR", "CO.Y"]


def test_what_is_corrected_of_an_adjourned_game_is_there_when_it_goes_on(
    table: TableWriter,
) -> None:
    """Scores on air and the director's story, whatever is played at its table meanwhile."""
    table.game = "g1"
    fixed = table.correct(2, Played(0, parse_placement("8D ZEPHYR"), 99))
    table.start(("Ada", "Ben"), game="g1")
    public, story = Projection(1), Timeline(1)
    for row in table.log.read_from(1):
        public.advance(row)
        story.advance(row)
    assert [line.score for line in public.lines] == [99]
    assert public.faults == []
    assert [(item["seq"], item["superseded_by"]) for item in story.items() if item["entries"]] == [
        (2, fixed.seq),
        (fixed.seq, None),
    ]


def test_a_page_of_an_earlier_game_follows_what_is_ordered_about_it(
    client: TestClient, table: TableWriter
) -> None:
    """A correction after the next game has begun arrives there, and only there."""
    with client.websocket_connect(f"{SOCKETS}/director/1?game=g1") as socket:
        assert json.loads(socket.receive_text())["type"] == "hello"
        model = json.loads(socket.receive_text())["frame"]
        assert [player["name"] for player in model["frame"]["players"]] == ["Ada", "Ben"]
        table.game = "g1"
        table.correct(2)
        patch = json.loads(socket.receive_text())["patch"]
        assert [player["score"] for player in patch["frame"]["players"]] == [0, 0]
    live = client.get("/api/tables").json()
    assert live[0]["needs"] == []
