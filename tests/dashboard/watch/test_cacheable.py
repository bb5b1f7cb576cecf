"""What caches may keep of the dashboard, by the headers of its answers over HTTP."""

import json
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import tilecast
from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from dashboard.live.log_follower import now_ms
from dashboard.watch import cacheable
from dashboard.watch.cacheable import FinishedGames
from dashboard.web.caching import FOR_EVER, LIVE, PAGE, CachedText
from recorder.domain.game import EndRackPoints, Exchanged, Played
from recorder.domain.observations import RackSeen, Side, TimeSet
from recorder.domain.plays import parse_placement
from recorder.domain.row_kind import Kind
from recorder.domain.tile_text import read_tiles
from recorder.projections.broadcast import Projection
from recorder.uptime import TIME_NAME, keep_base_ms, machine_run, uptime_ms
from recorder.wire.observations import encode_observation
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.dashboard.watch.test_watch import BASE, snapshot
from tests.eventually import PATIENCE_S, eventually

pytestmark = pytest.mark.slow

RACK = "QXZJKVW"
DIRECTOR = "director-key-1"


def dashboard(log: Path, *, delay_ms: int = 0, cached: bool = False) -> TestClient:
    access = Access(director_token=DIRECTOR, commentator_token="commentator-1", delay_ms=delay_ms)
    app = create_app(Settings(log=log, access=access, cached=cached))
    return TestClient(app, base_url=BASE, follow_redirects=False)


def wait_until_read(client: TestClient) -> None:
    eventually(lambda: client.get("/healthz").json()["log"] == "following", "it follows the log")


def play_out(table: TableWriter, game: str) -> None:
    table.start(("Anna", "Ben"), game=game)
    for at, text in enumerate(OPENING):
        table.play(at % 2, text)
    table.observe(
        RackSeen(side=Side.LEFT, letters=read_tiles(RACK), slots=read_tiles(RACK), confidence=1),
        "rack-1",
    )
    table.record(EndRackPoints(1, 12, read_tiles("QY")))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TableWriter]:
    written = TableWriter(tmp_path / "log.db", at=now_ms() - 60_000)
    play_out(written, "r1")
    written.start(("Cleo", "Dan"), game="r2")
    written.play(0, OPENING[0])
    yield written
    written.log.close()


@pytest.fixture
def client(tmp_path: Path, table: TableWriter) -> Iterator[TestClient]:
    """A cache of sorts before the dashboard."""
    with dashboard(tmp_path / "log.db") as client:
        wait_until_read(client)
        yield client


def wait_for_another(client: TestClient, address: str, mark: str) -> None:
    known = {"If-None-Match": mark}
    eventually(lambda: client.get(address, headers=known).status_code != 304, "it has changed")


def test_a_live_frame_is_kept_for_a_second_by_everybody(
    client: TestClient, table: TableWriter
) -> None:
    """The bytes of the socket's snapshot; asked again it is 304 until a play changes it."""
    answer = client.get("/public/table/1.json")
    assert answer.headers["cache-control"] == LIVE
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.json()["frame"] == snapshot(client, "/ws/watch/1")
    assert abs(int(answer.headers["tilecast-now"]) - now_ms()) < 60_000
    mark = answer.headers["etag"]
    again = client.get("/public/table/1.json", headers={"If-None-Match": f'"x", {mark}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == mark
    assert again.headers["cache-control"] == LIVE
    assert int(again.headers["tilecast-now"]) >= int(answer.headers["tilecast-now"])
    table.record(Exchanged(1, 3))
    wait_for_another(client, "/public/table/1.json", mark)
    assert client.get("/public/table/1.json").json()["frame"]["sheet"]["1"]["kind"] == "exchange"


def test_a_cache_without_compression_gets_the_same_text(client: TestClient) -> None:
    """Under the same mark, which is weak for that."""
    plain = client.get("/public/tables.json", headers={"Accept-Encoding": "identity"})
    packed = client.get("/public/tables.json")
    assert "content-encoding" not in plain.headers
    assert plain.content == packed.content
    assert plain.headers["etag"] == packed.headers["etag"]
    assert plain.headers["etag"].startswith('W/"')


def test_nothing_of_who_asks_is_in_it(client: TestClient) -> None:
    """A director's session changes nothing, and no cookie goes into a cache."""
    addresses = ("/public/tables.json", "/public/table/1.json", "/public/games.json")
    before = [client.get(address).content for address in addresses]
    assert client.get(f"/enter/{DIRECTOR}").status_code in (302, 303, 307)
    for address, content in zip(addresses, before, strict=True):
        answer = client.get(address)
        assert answer.content == content
        assert "set-cookie" not in answer.headers
        assert "cookie" not in answer.headers["vary"].lower()


def test_a_finished_game_has_an_address_for_ever(client: TestClient) -> None:
    """Its page names the version; the game is whole, without a rack, and is never asked again."""
    (listed,) = client.get("/public/games.json").json()["games"]
    assert (listed["table"], listed["game"]) == (1, "r1")
    assert [player["name"] for player in listed["players"]] == ["Anna", "Ben"]
    page = client.get(listed["href"])
    assert page.headers["cache-control"] == PAGE
    address = page.text.split('data-feed="')[1].split('"')[0]
    answer = client.get(address)
    assert answer.headers["cache-control"] == FOR_EVER
    game = answer.json()
    assert len(game["sheet"]) == len(OPENING) + 1
    assert game["phase"] == "over"
    assert RACK not in answer.text
    newest = client.get("/public/game/1/r1.json")
    assert (newest.status_code, newest.headers["location"]) == (307, address)
    assert newest.headers["cache-control"] == PAGE


def test_a_crowd_that_asks_for_games_has_each_read_once(
    tmp_path: Path, table: TableWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two at a time; who asks for more than wait for it is told to ask again, and is answered."""
    for number in range(8):
        play_out(table, f"s{number}")
    table.start(("Eva", "Finn"), game="r9")
    monkeypatch.setattr(cacheable, "MOST_WAITING", 3)
    monkeypatch.setattr(cacheable, "MOST_KEPT", 2)
    read: Counter[str] = Counter()
    at_once, now = [], []
    held, whole = threading.Event(), FinishedGames._folded

    def folded(games: FinishedGames, number: int, game: str, upto: int) -> CachedText:
        now.append(game)
        at_once.append(len(now))
        read[game] += 1
        held.wait(PATIENCE_S)
        text = whole(games, number, game, upto)
        now.remove(game)
        return text

    monkeypatch.setattr(FinishedGames, "_folded", folded)
    with dashboard(tmp_path / "log.db") as client, ThreadPoolExecutor(32) as crowd:
        wait_until_read(client)
        names = [f"s{number}" for number in range(8)] * 4

        def ask(name: str) -> int:
            return client.get(f"/public/game/1/{name}.json").status_code

        asked = [crowd.submit(ask, name) for name in names]
        eventually(lambda: sum(one.done() for one in asked) == 12, "those beyond are told")
        assert {one.result() for one in asked if one.done()} == {503}
        assert client.get("/healthz").status_code == 200
        held.set()
        assert Counter(one.result() for one in asked) == {307: 20, 503: 12}
        assert set(read.values()) == {1}
        assert max(at_once) <= 2
        assert ask("s7") == 307


def test_a_corrected_game_has_another_address(client: TestClient, table: TableWriter) -> None:
    """The address of before leads to it, and is not kept for ever with other content."""
    before = client.get("/public/game/1/r1.json").headers["location"]
    last = max(row.seq for row in table.rows if row.game == "r1")
    table.game = "r1"
    table.correct(last, EndRackPoints(1, 10, read_tiles("Q")))
    eventually(lambda: client.get(before).status_code != 200, "it is corrected")
    answer = client.get(before)
    assert answer.headers["cache-control"] == PAGE
    after = client.get(answer.headers["location"])
    assert after.json()["sheet"][str(len(OPENING))]["score"] == 10


def test_a_game_corrected_after_the_next_has_begun_is_right_everywhere(
    client: TestClient, table: TableWriter, tmp_path: Path
) -> None:
    """In the list of games, on its page, in captions, as GCG and in a folder of files."""
    first = next(row.seq for row in table.rows if row.game == "r1" and row.type == "game.played")
    table.game = "r1"
    table.correct(first, Played(0, parse_placement(OPENING[0]), 36))

    def listed() -> list[int]:
        (game,) = client.get("/public/games.json").json()["games"]
        return [player["score"] for player in game["players"]]

    page = client.get("/public/game/1/r1.json", follow_redirects=True).json()
    right = [player["score"] for player in page["players"]]
    assert page["sheet"]["0"]["totals"] == [36, 0]
    eventually(lambda: listed() == right, "the list has it")
    assert "ZEPHYR at 8D for 36" in client.get("/api/table/1/captions.vtt").text
    assert "+36 36" in client.get("/public/game/1/r1.gcg").text
    assert tilecast.main(["export", "site", str(tmp_path / "log.db"), str(tmp_path / "site")]) == 0
    game = json.loads((tmp_path / "site" / "games" / "r1" / "game.json").read_text("utf-8"))
    assert [player["score"] for player in game["players"]] == right


def test_a_corrected_game_is_read_again_later_where_the_log_cannot_be_read(
    client: TestClient, table: TableWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log that is busy for a moment leaves no old score in the list of games."""
    read, busy = FinishedGames._fold, [sqlite3.OperationalError("database is locked")]

    def fold(games: FinishedGames, number: int, game: str, upto: int) -> Projection:
        if busy:
            raise busy.pop()
        return read(games, number, game, upto)

    monkeypatch.setattr(FinishedGames, "_fold", fold)

    def listed() -> list[int]:
        (game,) = client.get("/public/games.json").json()["games"]
        return [player["score"] for player in game["players"]]

    before = listed()
    first = next(row.seq for row in table.rows if row.game == "r1" and row.type == "game.played")
    table.game = "r1"
    table.correct(first)
    eventually(lambda: not busy and listed() != before, "it is read again")


def test_what_was_corrected_in_time_is_right_when_the_game_is_over(tmp_path: Path) -> None:
    """On the page of a finished game and in a folder of files, as it was on air."""
    table = TableWriter(tmp_path / "log.db", at=now_ms() - 70_000)
    table.start(("Anna", "Ben"), game="r1")
    wrong = table.play(0, OPENING[0], points=366)
    table.record(EndRackPoints(0, 2))
    table.start(("Cleo", "Dan"), game="r2")
    table.at = now_ms() - 30_000
    table.game = "r1"
    table.correct(wrong.seq, Played(0, parse_placement(OPENING[0]), 66))
    with dashboard(tmp_path / "log.db", delay_ms=60_000) as client:
        wait_until_read(client)
        page = client.get("/public/game/1/r1.json", follow_redirects=True).json()
    site = ("export", "site", str(tmp_path / "log.db"), str(tmp_path / "site"), "--delay", "60")
    assert tilecast.main(list(site)) == 0
    table.log.close()
    game = json.loads((tmp_path / "site" / "games" / "r1" / "game.json").read_text("utf-8"))
    assert [[p["score"] for p in found["players"]] for found in (page, game)] == [[68, 0], [68, 0]]


def test_a_game_that_is_on_has_none(client: TestClient) -> None:
    """Nor one that nobody has played: 404, which no cache keeps."""
    for game in ("r2", "r3"):
        answer = client.get(f"/public/game/1/{game}.json")
        assert answer.status_code == 404
        assert answer.headers["cache-control"] == "no-store"


def test_a_game_that_the_public_may_not_know_yet_has_none(
    tmp_path: Path, table: TableWriter
) -> None:
    """What ended within the delay is still on for everybody, whatever the log has."""
    table.at = now_ms() - 15_000
    play_out(table, "r3")
    table.start(("Eva", "Finn"), game="r4")
    with dashboard(tmp_path / "log.db", delay_ms=30_000) as client:
        wait_until_read(client)
        eventually(lambda: client.get("/public/games.json").json()["games"], "a game is out")
        games = client.get("/public/games.json").json()["games"]
        assert [game["game"] for game in games] == ["r1"]
        assert client.get("/public/game/1/r3.json").status_code == 404
        late = int(client.get("/public/table/1.json").headers["tilecast-now"])
        assert now_ms() - late >= 29_000


@pytest.mark.parametrize(
    "by_ms", [86_400_000, -10_800_000], ids=["a day ahead", "three hours back"]
)
def test_a_game_that_begins_after_the_clock_was_set_brings_nothing_forward(
    tmp_path: Path, table: TableWriter, monkeypatch: pytest.MonkeyPatch, by_ms: int
) -> None:
    """The recorder goes on by its own time; what another table played just now is as late."""
    began_ms = now_ms()
    table.at = began_ms - 60_000
    table.play(1, OPENING[1])
    table.at = began_ms - 5_000
    monkeypatch.setattr("dashboard.app.now_ms", lambda: now_ms() + by_ms)
    kind, data = encode_observation(TimeSet(by_ms=by_ms, ahead_ms=by_ms))
    table.write(Kind.OBSERVED, {"type": kind, "data": data, "dev": "recorder"})
    other = TableWriter(table.log, at=table.at, table=2)
    other.start(("Eva", "Finn"), game="x1")
    table.play(0, OPENING[2])
    with dashboard(tmp_path / "log.db", delay_ms=30_000) as client:
        wait_until_read(client)
        client.get(f"/enter/{DIRECTOR}")
        desk = client.get("/api/tables").text
        assert "Eva" in desk, "it has read what began"
        eventually(lambda: OPENING[1][3:] in client.get("/api/table/1/frame").text, "it is out")
        shown = client.get("/api/table/1/frame").text
        assert OPENING[2][3:] not in shown
        assert "Eva" not in client.get("/public/tables.json").text


@pytest.mark.parametrize("told", [False, True], ids=["set once", "set and told before"])
def test_a_dashboard_that_starts_after_the_clock_was_set_brings_nothing_forward(
    tmp_path: Path, table: TableWriter, monkeypatch: pytest.MonkeyPatch, *, told: bool
) -> None:
    """Nobody records, so nobody says that the clock was set: the recorder's last time counts."""
    if not machine_run():
        pytest.skip("the system does not tell one run of the machine from the next")
    keep_base_ms(tmp_path / TIME_NAME, machine_run(), now_ms() - uptime_ms())
    table.at = now_ms() - 60_000
    table.play(1, OPENING[1])
    if told:
        kind, data = encode_observation(TimeSet(by_ms=1000, ahead_ms=1000))
        table.write(Kind.OBSERVED, {"type": kind, "data": data, "dev": "recorder"})
    table.at = now_ms() - 5_000
    table.play(0, OPENING[2])
    monkeypatch.setattr("dashboard.app.now_ms", lambda: now_ms() + 86_400_000)
    with dashboard(tmp_path / "log.db", delay_ms=3_600_000) as client:
        wait_until_read(client)
        client.get(f"/enter/{DIRECTOR}")
        assert "Cleo" in client.get("/api/tables").text, "it has read what was played"
        assert "Cleo" not in client.get("/public/tables.json").text
        assert OPENING[2][3:] not in client.get("/api/table/1/frame").text


def test_a_page_behind_a_cache_is_the_same_for_everybody(
    tmp_path: Path, table: TableWriter
) -> None:
    """It has no game, names what is asked instead of a socket, and may be kept."""
    with dashboard(tmp_path / "log.db", cached=True) as client:
        wait_until_read(client)
        page = client.get("/watch/1")
        assert page.headers["cache-control"] == PAGE
        assert 'data-feed="" data-polled="/public/table/1.json"' in page.text
        assert "Cleo" not in page.text
        assert client.get("/director").headers["cache-control"] == "no-store"
    with dashboard(tmp_path / "log.db") as client:
        assert client.get("/watch/1").headers["cache-control"] == "no-store"


def test_what_pages_are_made_of_is_kept_as_long_as_it_holds(client: TestClient) -> None:
    """Scripts for ever, since their address has a version; colours and flags for a while."""
    page = client.get("/watch").text
    script = page.split('type="module" src="')[1].split('"')[0]
    kept = {
        script: FOR_EVER,
        "/branding/colours.css": PAGE,
        "/flag/DE.svg": "public, max-age=86400",
        "/event/data.json": "public, max-age=5",
        "/api/table/1/frame": "no-store",
        "/healthz": "no-store",
        "/public/table/0.json": "no-store",
    }
    assert {address: client.get(address).headers["cache-control"] for address in kept} == kept
