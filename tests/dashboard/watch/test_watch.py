"""The spectators' pages: what they get, what they weigh, and the same as a folder of files."""

import gzip
import html
import io
import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from PIL import Image

import tilecast
from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from dashboard.live.log_follower import now_ms
from recorder.domain.board import SIZE, parse_square
from recorder.domain.game import EndRackPoints, Exchanged, GameEvent, Unseen, Withdrawn
from recorder.domain.observations import RackSeen, Side
from recorder.domain.tile_text import read_tiles
from recorder.gcg import read_gcg
from recorder.log.sqlite import SqliteEventLog
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.eventually import eventually

pytestmark = pytest.mark.slow

MOST_BYTES = 120_000
"""Of bodies; their heads and three small icons come to some 7 KB more in a browser."""
MOST_ANSWERS = 8
"""With page, colours and two faces: each costs a phone far away another way there and back."""
BASE = "http://127.0.0.1:8015"
LINK = re.compile(r'(?:href|src)="([^"]+)"')
IMPORT = re.compile(r"^import\b|\bimport\(", re.MULTILINE)
RACK = "QXZJKVW"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("watch") / "log.db"
    first = TableWriter(path, at=time.time_ns() // 1_000_000 - 60_000)
    first.start(("Anna <b>", "Ben"), game="round.1-1")
    for at, text in enumerate(OPENING):
        first.play(at % 2, text)
    first.observe(
        RackSeen(side=Side.LEFT, letters=read_tiles(RACK), slots=read_tiles(RACK), confidence=1),
        "rack-1",
    )
    first.record(EndRackPoints(1, 12, read_tiles("QY")))
    first.start(("Cleo", "Dan"), game="g2")
    first.play(0, OPENING[0])
    first.record(Exchanged(1, 3))
    second = TableWriter(first.log, at=first.at, table=2)
    second.start(("Eva", "Finn"), game="g3")
    yield path
    first.log.close()


@contextmanager
def dashboard_of(log: Path) -> Iterator[TestClient]:
    """A spectator's browser of sorts, once the log has been read."""
    access = Access(director_token="director-key-1", commentator_token="commentator-1")
    with TestClient(create_app(Settings(log=log, access=access)), base_url=BASE) as client:
        eventually(lambda: client.get("/healthz").json()["log"] == "following", "it follows")
        yield client


@pytest.fixture(scope="module")
def client(log: Path) -> Iterator[TestClient]:
    with dashboard_of(log) as client:
        yield client


def snapshot(client: TestClient, path: str) -> Any:
    """The first model that a socket sends."""
    with client.websocket_connect(f"ws://127.0.0.1:8015{path}") as socket:
        while (message := socket.receive_json())["type"] != "snapshot":
            pass
        return message["frame"]


def test_a_game_comes_with_its_sheet_and_no_rack(client: TestClient) -> None:
    """An exchange shows how many tiles, not which; nothing of the game before is left."""
    model = snapshot(client, "/ws/watch/1")
    assert [model["sheet"][key]["kind"] for key in ("0", "1")] == ["play", "exchange"]
    assert model["sheet"]["1"]["count"] == 3
    assert model["sheet"]["1"]["tiles"] == ""
    assert RACK not in json.dumps(model)
    assert "racks" not in model


def test_a_page_carries_what_there_is_to_draw(client: TestClient) -> None:
    """The snapshot of its socket, with the time of the public: drawn before a socket answers."""
    page = html.unescape(client.get("/watch/1").text)
    carried = json.loads(re.search(r'data-first="(\{.*\})" data-now', page).group(1))
    assert carried["frame"] == snapshot(client, "/ws/watch/1")
    assert RACK not in page
    assert 'data-first=""' in client.get("/watch/77").text


def test_all_games_come_at_once(client: TestClient) -> None:
    """One socket for all tables, each with what a small board needs."""
    tables = snapshot(client, "/ws/watch")["tables"]
    assert [game["players"][0]["name"] for game in tables.values()] == ["Cleo", "Eva"]
    assert tables["1"]["last_play"]["kind"] == "exchange"
    assert "last_play" not in tables["2"]


def test_the_pages_may_stand_in_a_frame_of_others(client: TestClient) -> None:
    """No other page may, and a table that cannot be is no page."""
    policy = "Content-Security-Policy"
    assert "frame-ancestors *" in client.get("/watch/1").headers[policy]
    assert "frame-ancestors 'self'" in client.get("/builder").headers[policy]
    assert client.get("/watch/0").status_code == 422
    app = client.get("/watch/manifest.webmanifest").json()
    assert app["start_url"] == "/watch"
    assert all(client.get(icon["src"]).status_code == 200 for icon in app["icons"])


def test_a_page_is_light(client: TestClient) -> None:
    """All that it loads, as it travels: scripts and styles compressed, with the faces of Latin."""
    assert weight(client, "/watch/1") < MOST_BYTES


def weight(client: TestClient, page: str) -> int:
    """Bytes of a page with its styles, scripts, what these import, and the faces it writes with."""
    text = client.get(page).text
    asked = {link for link in LINK.findall(text) if link.startswith("/static/")}
    static = next(link for link in asked).split("/")[2]
    faces = ("inter/inter-latin-wght-normal", "barlow-condensed/barlow-condensed-latin-600-normal")
    asked |= {f"/static/{static}/fonts/{face}.woff2" for face in faces}
    asked -= {link for link in asked if link.endswith(".png")}
    total, done = len(gzip.compress(text.encode())), set[str]()
    while asked:
        address = asked.pop()
        done.add(address)
        answer = client.get(address)
        assert answer.status_code == 200, address
        packed = answer.headers.get("content-encoding") == "gzip"
        assert packed or len(answer.content) < 500 or address.endswith(".woff2"), address
        total += len(gzip.compress(answer.content, 9)) if packed else len(answer.content)
        assert not (address.endswith("js") and IMPORT.search(answer.text)), "asks for more"
    assert len(done) <= MOST_ANSWERS
    return total


def test_finished_games_become_a_folder(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With relative addresses throughout, names escaped, no rack, and none that is still on."""
    assert tilecast.main(["export", "site", str(log), str(tmp_path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["games"], said["still_on"]) == (["round.1-1"], [1, 2])
    page = (tmp_path / "games" / "round.1-1" / "index.html").read_text("utf-8")
    links = LINK.findall(page)
    assert links
    for link in links:
        assert (tmp_path / "games" / "round.1-1" / link).resolve().is_file(), link
    (game,) = json.loads((tmp_path / "games.json").read_text("utf-8"))["tables"].values()
    assert (tmp_path / game["href"]).is_file()
    whole = (tmp_path / "games" / "round.1-1" / "game.json").read_text("utf-8")
    assert len(json.loads(whole)["sheet"]) == len(OPENING) + 1
    assert RACK not in whole


def test_a_game_that_ended_just_now_is_in_no_folder_that_is_late(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that is written while others are informed late shows nothing sooner."""
    age_s = (now_ms() - _last_received(log)) / 1000
    for delay, games in ((age_s + 3600 * 24 * 365, []), (age_s / 2, ["round.1-1"])):
        words = ("export", "site", str(log), str(tmp_path), "--json", "--delay", str(delay))
        assert tilecast.main(list(words)) == 0
        assert json.loads(capsys.readouterr().out)["games"] == games


def _last_received(path: Path) -> int:
    with SqliteEventLog.open_reader(path) as log:
        return max(row.received for row in log.read_from(1))


def test_a_log_that_cannot_be_read_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tilecast.main(["export", "site", str(tmp_path / "no.db"), str(tmp_path / "out")]) == 1
    assert "no.db" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_game_has_an_address_of_its_own_that_a_chat_can_show(client: TestClient) -> None:
    """Live and over: its own title, the position after a move as a picture, the game as GCG."""
    live, over = "/watch/game/1/g2", "/watch/game/1/round.1-1"
    assert 'data-feed="/ws/watch/1"' in client.get(live).text
    page = client.get(f"{over}?move=2").text
    assert "<title>Anna &lt;b&gt; 66 \u2013 17 Ben" in page
    assert f'content="{BASE}{over}.png?move=2"' in page
    shown = [client.get(f"{over}.png{move}") for move in ("", "?move=2", "?move=x")]
    assert [one.headers["content-type"] for one in shown] == ["image/png"] * 3
    assert shown[0].content == shown[2].content != shown[1].content
    gcg = client.get("/public/game/1/round.1-1.gcg").text
    assert RACK not in gcg
    assert read_gcg(gcg).moves[0].event.score == 66
    for missing in ("/watch/game/1/none", "/watch/game/1/none.png", "/public/game/1/g2.gcg"):
        answer = client.get(missing)
        assert answer.status_code == 404
        assert answer.json()["detail"]


def test_a_link_that_leads_nowhere_says_so_to_people(client: TestClient) -> None:
    """A game that was replaced, a page that never was: where else to look; an overlay is clear."""
    for missing in ("/watch/game/1/none", "/wacth"):
        page = client.get(missing, headers={"Accept": "text/html"})
        assert page.status_code == 404
        assert "<h1>There is no such page</h1>" in page.text
        assert 'href="/watch"' in page.text
    german = client.get("/wacth?lang=de", headers={"Accept": "text/html"})
    assert "<h1>Diese Seite gibt es nicht</h1>" in german.text
    on_air = client.get("/overlay/none", headers={"Accept": "text/html"})
    assert on_air.status_code == 404
    assert "<h1>" not in on_air.text


@pytest.mark.further
def test_each_move_of_a_game_has_a_picture_of_its_own(client: TestClient) -> None:
    """The one that the page of the move names; what comes after the last turn shows its points."""
    game, pictures = "/watch/game/1/round.1-1", []
    for move in range(1, len(OPENING) + 1):
        page = client.get(f"{game}?move={move}").text
        (address,) = re.findall(r'property="og:image" content="([^"]+)"', page)
        drawn = client.get(address.removeprefix(BASE))
        assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/png")
        pictures.append(drawn.content)
    assert len(set(pictures)) == len(OPENING)


SEEN_LATE = zip(("6F", "7F", "9F"), read_tiles("COY"), strict=True)
LAID = tuple((parse_square(name)[0], tile) for name, tile in SEEN_LATE)


@pytest.mark.parametrize(
    ("events", "lie"),
    [
        ([Unseen(1, LAID)], 9),
        ([Unseen(1, LAID), Withdrawn(1, 0)], 6),
        ([Unseen(1, LAID), Withdrawn(1, 0, (LAID[0][0],))], 7),
    ],
    ids=["turns that nobody saw", "taken back", "one tile forgotten"],
)
def test_what_the_sheet_says_lies_where_the_board_has_it(
    tmp_path: Path, events: list[GameEvent], lie: int
) -> None:
    """A picture, which is drawn from the lines, has a tile on each square that has one on air."""
    table = TableWriter(tmp_path / "log.db", at=now_ms() - 60_000)
    table.start()
    table.play(0, OPENING[0])
    for event in events:
        table.record(event)
    with dashboard_of(tmp_path / "log.db") as client:
        frame = client.get("/public/table/1.json").json()["frame"]
        image = Image.open(io.BytesIO(client.get("/watch/game/1/g1.png").content))
    table.log.close()
    middle, pitch = 36, 38
    inks = [
        [image.getpixel((middle + col * pitch, middle + row * pitch)) for col in range(SIZE)]
        for row in range(SIZE)
    ]
    tile = inks[7][3]
    shown = ["".join("x" if ink == tile else "." for ink in row) for row in inks]
    assert shown == [re.sub("[^.]", "x", row) for row in frame["board"]]
    assert "".join(shown).count("x") == lie
