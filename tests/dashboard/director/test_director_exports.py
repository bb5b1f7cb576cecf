"""What directors take away: every file is read back by somebody else's rules."""

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient
from pypdf import PdfReader

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from recorder.domain.game import EndRackPoints, Passed
from recorder.domain.orders import Order, Sign, Undo
from recorder.domain.row_kind import Kind
from recorder.domain.tile_text import read_tiles
from recorder.gcg import read_gcg
from recorder.log.sqlite import SqliteEventLog
from recorder.projections.timeline import Timeline
from recorder.wire.orders import TableOrder, encode_order
from tests.dashboard.table_writer import OPENING, TableWriter, look_at
from tests.eventually import eventually

pytestmark = pytest.mark.slow

KEY = "director-key-1"
BASE = "http://127.0.0.1:8015"
PICTURE = b"\xff\xd8 not much of a picture \xff\xd9"
SHA = hashlib.sha256(PICTURE).hexdigest()
GONE = "0" * 64

Fetch = Callable[..., Any]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TableWriter]:
    folder = tmp_path / "pictures" / "cam-1" / SHA[:2]
    folder.mkdir(parents=True)
    (folder / f"{SHA}.jpg").write_bytes(PICTURE)
    with SqliteEventLog(tmp_path / "log.db") as log:
        table = TableWriter(log, at=1_000_000)
        other = TableWriter(log, at=1_000_000, table=2)
        table.start(("Zoë (1)", "Łukasz Şimşek Nguyễn\\"), rules="naspa")
        other.start(game="g2")
        assert table.state is not None
        table.observe(look_at(table.state, {"8D": "Z"}, picture=SHA))
        table.observe(look_at(table.state, {"8D": "Z"}, picture=GONE))
        for number, text in enumerate(OPENING):
            table.play(number % 2, text)
        table.record(Passed(0))
        table.record(EndRackPoints(1, 6, read_tiles("Q")))
        yield table


@pytest.fixture
def fetch(table: TableWriter, tmp_path: Path) -> Iterator[Fetch]:
    access = Access(director_token=KEY, commentator_token="commentator-1")
    log, pictures = tmp_path / "log.db", tmp_path / "pictures"
    app = create_app(Settings(log=log, access=access, pictures=pictures))
    with TestClient(app, base_url=BASE) as client:
        client.get(f"/enter/{KEY}")

        def get(path: str) -> Any:
            return client.get(path)

        yield get


def exported(fetch: Fetch, file: str) -> Any:
    answer = fetch(f"/api/table/1/export/{file}")
    assert answer.status_code == 200, answer.text
    return answer


def pages_of(fetch: Fetch, file: str) -> list[str]:
    """The text of every page of a PDF of table 1, as another program reads it."""
    answer = exported(fetch, file)
    assert answer.headers["content-type"] == "application/pdf"
    return [page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages]


def test_gcg_is_read_back_with_the_same_totals(fetch: Fetch, table: TableWriter) -> None:
    """Our own reader finds no fault in it."""
    answer = exported(fetch, "gcg")
    assert answer.headers["content-disposition"] == 'attachment; filename="g1.gcg"'
    game = read_gcg(answer.content)
    assert not [one for one in game.faults if one.severity.value == "error"]
    assert game.final == table.state.scores


def test_history_cgp_and_record_say_the_same(fetch: Fetch, table: TableWriter) -> None:
    """Totals of each form against the fold."""
    totals = list(table.state.scores)
    assert exported(fetch, "history.json").json()["final_scores"] == totals
    told = exported(fetch, "record.json").json()
    assert told["totals"] == totals
    assert told["board"] == list(table.state.board.rows())
    assert len(told["sheet"]) == len(OPENING) + 2
    cgp = exported(fetch, "cgp").text.split()
    assert sorted(map(int, cgp[2].split("/"))) == sorted(totals)


def test_sheet_and_slip_are_pdf_with_names_and_totals(fetch: Fetch, table: TableWriter) -> None:
    """Brackets, backslashes and letters of any alphabet come through as text."""
    for file in ("sheet.pdf", "slip.pdf"):
        (text,) = pages_of(fetch, file)
        assert "Zoë (1)" in text
        assert "Łukasz Şimşek Nguyễn\\" in text
        for total in table.state.scores:
            assert re.search(rf"\b{total}\b", text)


def test_paper_says_which_blank_has_no_letter(fetch: Fetch, table: TableWriter) -> None:
    """By its square, on the sheet and on the slip that both sign; nothing once it has one."""
    assert "without a letter" not in pages_of(fetch, "sheet.pdf")[0]
    laid = table.play(0, "14J ?.")
    for file in ("sheet.pdf", "slip.pdf"):
        assert "blank without a letter: 14J" in pages_of(fetch, file)[0]
    table.correct(laid.seq, Passed(0))
    assert "without a letter" not in pages_of(fetch, "slip.pdf")[0]


@pytest.mark.further
def test_a_long_game_goes_on_on_a_second_sheet(fetch: Fetch, table: TableWriter) -> None:
    """As large as a short one; every line once, what is not final said on both."""
    for turn in range(40):
        table.record(Passed(turn % 2))
    first, second = pages_of(fetch, "sheet.pdf")
    assert "Score sheet, 1 of 2" in first
    assert "Score sheet, 2 of 2" in second
    told = re.findall(r"^(\d+) (?:Zoë|Łukasz)", f"{first}\n{second}", re.MULTILINE)
    turns = [int(number) for number in told]
    assert turns == sorted(turns)
    assert set(turns) == set(range(1, turns[-1] + 1))
    assert len(turns) == len(OPENING) + 2 + 40
    assert "No doubt is open" in first
    assert "No doubt is open" in second


def test_the_slip_is_a_picture_too(fetch: Fetch, table: TableWriter) -> None:
    """A PNG of A4 at 150 dots per inch that says so, with ink where the PDF has words."""
    data = exported(fetch, "slip.png").content
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture.shape == (1754, 1240)
    assert round(150 / 0.0254).to_bytes(4, "big") in data[:64]
    total_ends, total_starts = round(192 / 25.4 * 150), round(160 / 25.4 * 150)
    for base in (66, 82):
        below = round(base / 25.4 * 150)
        assert picture[below - 30 : below, total_starts:total_ends].min() < 60
        assert picture[below - 30 : below, total_ends + 2 :].min() == 255


def sign(table: TableWriter, player: int, **rest: str) -> str:
    """A director says that a player has signed; the id of the order."""
    name = f"s{len(table.rows)}"
    order = Order(id=name, who="Dora", act=Sign(player=player), **rest)
    type_name, data = encode_order(TableOrder(table=1, order=order))
    table.write(Kind.RULED, {"type": type_name, "data": data})
    return name


def undo(table: TableWriter, name: str) -> None:
    """A director takes an order back."""
    order = Order(id=f"u{len(table.rows)}", who="Dora", act=Undo(order=name))
    type_name, data = encode_order(TableOrder(table=1, order=order))
    table.write(Kind.RULED, {"type": type_name, "data": data})


def test_the_slip_says_who_has_signed(fetch: Fetch, table: TableWriter) -> None:
    """As noted in the record; what is undone is none, and a change afterwards is said."""
    assert "noted" not in pages_of(fetch, "slip.pdf")[0]
    first = sign(table, 0)
    (text,) = pages_of(fetch, "slip.pdf")
    assert text.count("noted 1970-01-01") == 1
    assert "UTC by Dora, row " in text
    assert "signed again" not in text
    sign(table, 1)
    undo(table, first)
    story = Timeline(1)
    for row in table.rows:
        story.advance(row)
    told = story.signatures()
    assert told[0] is None
    assert told[1] is not None
    assert (told[1]["who"], told[1]["stale"]) == ("Dora", False)
    table.record(EndRackPoints(1, 2, read_tiles("A")))
    assert "before the last change: to be signed again" in pages_of(fetch, "slip.pdf")[0]


def test_the_bundle_can_be_checked_by_its_own_readme(fetch: Fetch, table: TableWriter) -> None:
    """Checksums of files, hashes of rows; the picture that is there, the one that is not."""
    with zipfile.ZipFile(io.BytesIO(exported(fetch, "bundle.zip").content)) as archive:
        files = {name.removeprefix("g1/"): archive.read(name) for name in archive.namelist()}
    for line in files["SHA256SUMS"].decode().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256(files[name]).hexdigest() == digest
    chain = dict(line.split() for line in files["chain.txt"].decode().splitlines())
    rows = [json.loads(line) for line in files["rows.jsonl"].splitlines()]
    assert [row["seq"] for row in rows] == [row.seq for row in table.rows]
    for row in rows:
        body = json.dumps(row["body"], sort_keys=True, separators=(",", ":"))
        names = ("seq", "table", "game", "kind", "v", "at")
        fields = [*(row[name] for name in names), body, row["refs"], *(row["key"] or [None] * 3)]
        text = row["prev_hash"] + json.dumps(fields, separators=(",", ":"))
        assert hashlib.sha256(text.encode()).hexdigest() == row["hash"] == chain[str(row["seq"])]
        assert row["prev_hash"] == chain.get(str(row["seq"] - 1), "0" * 64)
    assert files[f"pictures/{SHA}.jpg"] == PICTURE
    assert files["missing.txt"].decode().split() == [GONE]


def test_the_newest_picture_of_a_board_is_the_directors_alone(
    fetch: Fetch, table: TableWriter
) -> None:
    """By table, never from a cache; where its camera has shown nothing there is none."""
    assert fetch("/api/table/1/picture").status_code == 204  # its last one is gone
    assert table.state is not None
    table.observe(look_at(table.state, {}, picture=SHA))
    eventually(lambda: fetch("/api/table/1/picture").status_code == 200, "the row is followed")
    found = fetch("/api/table/1/picture")
    assert (found.content, found.headers["Cache-Control"]) == (PICTURE, "no-store")
    assert fetch("/api/table/2/picture").status_code == 204


def test_pictures_are_served_by_their_hash_alone(fetch: Fetch, tmp_path: Path) -> None:
    assert fetch(f"/api/picture/{SHA}").content == PICTURE
    assert fetch(f"/api/picture/{GONE}").status_code == 404
    assert fetch("/api/picture/..%2f..%2flog.db").status_code == 404
    changed = tmp_path / "pictures" / "cam-1" / SHA[:2] / f"{SHA}.jpg"
    changed.write_bytes(b"another picture")
    assert fetch(f"/api/picture/{SHA}").status_code == 404


def test_what_cannot_be_exported_says_why(fetch: Fetch) -> None:
    """No such file, no such game."""
    assert "gcg" in fetch("/api/table/1/export/nothing").json()["detail"]
    assert fetch("/api/table/9/export/gcg").status_code == 422


def test_a_moment_is_the_table_as_it_stood(fetch: Fetch, table: TableWriter) -> None:
    """The fold up to a row: fewer tiles, earlier totals; the head is the whole game."""
    assert table.state is not None
    seq = next(row.seq for row in table.rows if row.body["type"] == "game.played")
    early = fetch(f"/api/table/1/at/{seq}").json()
    assert early["seq"] == seq
    assert len(early["sheet"]) == 1
    assert sum(line.count(".") for line in early["frame"]["board"]) == 225 - 6
    late = fetch("/api/table/1/at/9999").json()
    assert [one["score"] for one in late["frame"]["players"]] == list(table.state.scores)
    assert "frame" not in fetch("/api/table/9/at/9999").json()


def test_orders_are_refused_with_the_reason_where_there_is_no_broker(
    table: TableWriter, tmp_path: Path
) -> None:
    """The page is read-only then and says what to do; nothing is kept for later."""
    access = Access(director_token=KEY, commentator_token="commentator-1")
    app = create_app(Settings(log=tmp_path / "log.db", access=access))
    order = {"type": "order.note", "data": {"text": "x"}, "id": "n1", "table": 1}
    with TestClient(app, base_url=BASE) as client:
        assert client.post("/api/order", json=order).status_code == 401
        client.get(f"/enter/{KEY}")
        desk = client.get("/api/desk").json()
        assert desk["orders"] is False
        assert "--broker" in desk["reason"]
        for path in ("/api/order", "/api/order/preview"):
            answer = client.post(path, json=order)
            assert answer.status_code == 503
            assert "--broker" in answer.json()["detail"]
        bad = client.post("/api/order", json=order | {"type": "order.nothing"})
        assert bad.status_code == 422
        assert "order.nothing" in bad.json()["detail"]
        evil = client.post("/api/order", json=order, headers={"origin": "https://evil.example"})
        assert evil.status_code == 403
