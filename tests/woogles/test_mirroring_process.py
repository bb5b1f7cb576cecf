"""The whole program: a log that grows, its threads, its delay, its limit, its start and restart."""

import threading
import time
from pathlib import Path
from typing import Self

import pytest

from dashboard.live.game_rooms import GameRooms
from dashboard.live.log_follower import LogFollower, now_ms
from dashboard.woogles.client import ApiKey, Pace, Woogles
from dashboard.woogles.following import PublicTables
from dashboard.woogles.kept import SUFFIX, Kept
from dashboard.woogles.mirror import Target
from dashboard.woogles.routes import mirror_needs
from dashboard.woogles.running import Mirrors, MirrorSettings
from recorder.backoff import Backoff
from recorder.domain.game import Conceded, Passed, Played, new_game
from recorder.domain.plays import parse_placement
from recorder.domain.scoring import score
from recorder.log.port import Row
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.eventually import eventually
from tests.woogles.mirroring import KEY
from tests.woogles.their_server import TheirServer

pytestmark = pytest.mark.slow


class Program:
    """What ``tilecast woogles`` runs, over a log in a folder."""

    def __init__(
        self,
        server: TheirServer,
        log: Path,
        *,
        delay_ms: int = 0,
        rate: float = 1000.0,
        target: Target | None = None,
    ) -> None:
        server.users[KEY] = "ann"
        self.said: list[str] = []
        self.kept = Kept(log.with_suffix(SUFFIX))
        tables = PublicTables(log, delay_ms, now_ms, frozenset())
        how = MirrorSettings(
            target or Target(lexicon="NWL23"), self.said.append, now_ms, Backoff(0.05, 0.2)
        )
        woogles = Woogles(server.url, ApiKey(KEY), Pace(rate), 1.0)
        self.mirrors = Mirrors(woogles, self.kept, tables, how)
        self.follower = LogFollower(log, self.mirrors.deliver)

    def __enter__(self) -> Self:
        self.follower.start()
        self.mirrors.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.follower.stop()
        self.mirrors.stop()
        self.kept.close()

    def states(self) -> list[str]:
        return [stand.state for stand in self.kept.states()]


@pytest.fixture
def server():
    with TheirServer() as found:
        yield found


@pytest.fixture
def table(tmp_path: Path):
    writer = TableWriter(tmp_path / "tilecast.db", at=now_ms() - 100_000)
    yield writer
    writer.log.close()


def turns_there(server: TheirServer) -> int:
    return sum(len(document["events"]) for document in server.documents.values())


def test_a_log_that_grows_is_mirrored(server: TheirServer, table: TableWriter, tmp_path: Path):
    table.start()
    with Program(server, tmp_path / "tilecast.db") as program:
        for count, text in enumerate(OPENING):
            table.play(count % 2, text)
            eventually(lambda count=count: turns_there(server) == count + 1)  # type: ignore[misc]
        eventually(lambda: program.states() == ["in_step"])
    (document,) = server.documents.values()
    assert tuple(document["current_scores"]) == table.state.scores


def test_nothing_leaves_before_the_delay(server: TheirServer, table: TableWriter, tmp_path: Path):
    table.at = now_ms()
    table.start()
    table.at = now_ms()
    row = table.play(0, OPENING[0])
    with Program(server, tmp_path / "tilecast.db", delay_ms=1500):
        time.sleep(0.5)
        assert turns_there(server) == 0
        eventually(lambda: turns_there(server) == 1)
        assert now_ms() >= row.received + 1500


def test_a_repair_before_air_never_leaves(server: TheirServer, table: TableWriter, tmp_path: Path):
    table.at = now_ms()
    table.start()
    row = table.play(0, "8D ZEPHYR", points=99)
    table.correct(row.seq, *table_events(table, "8D ZEPHYR"))
    with Program(server, tmp_path / "tilecast.db", delay_ms=1500):
        eventually(lambda: turns_there(server) == 1)
    assert not any(b"99" in sent for _, method, sent, _ in server.calls if "Replace" in method)


def table_events(table: TableWriter, text: str) -> list[Played]:
    state, placement = new_game(table.state.tile_set), parse_placement(text)
    return [Played(0, placement, score(state.board, placement, state.tile_set))]


def test_a_restart_goes_on_and_makes_no_second_game(
    server: TheirServer, table: TableWriter, tmp_path: Path
):
    table.start()
    table.play(0, OPENING[0])
    with Program(server, tmp_path / "tilecast.db"):
        eventually(lambda: turns_there(server) == 1)
    table.play(1, OPENING[1])
    table.play(0, OPENING[2])
    with Program(server, tmp_path / "tilecast.db") as program:
        eventually(lambda: turns_there(server) == 3)
        eventually(lambda: program.states() == ["in_step"])
    assert len(server.documents) == 1


def test_a_service_that_is_away_is_said_once_and_nothing_is_lost(
    server: TheirServer, table: TableWriter, tmp_path: Path
):
    table.start()
    with Program(server, tmp_path / "tilecast.db") as program:
        table.play(0, OPENING[0])
        eventually(lambda: turns_there(server) == 1)
        server.faults = lambda *_: 503
        for count, text in enumerate(OPENING[1:], start=1):
            table.play(count % 2, text)
        eventually(lambda: program.states() == ["away"])
        time.sleep(0.5)
        server.faults = lambda *_: None
        eventually(lambda: turns_there(server) == len(OPENING))
        eventually(lambda: program.states() == ["in_step"])
        assert len([said for said in program.said if "503" in said]) == 1
        assert program.said[-1] == "Woogles answers again"


def test_calls_keep_to_the_limit(server: TheirServer, table: TableWriter, tmp_path: Path):
    table.start()
    for count, text in enumerate(OPENING[:2]):
        table.play(count % 2, text)
    with Program(server, tmp_path / "tilecast.db", rate=5.0):
        eventually(lambda: turns_there(server) == 2)
    times = [at for at, *_ in server.calls]
    assert (len(times) - 1) / (times[-1] - times[0]) < 5.5


def test_a_director_chooses(server: TheirServer, table: TableWriter, tmp_path: Path):
    table.start()
    with Program(server, tmp_path / "tilecast.db") as program:
        table.play(0, OPENING[0])
        eventually(lambda: turns_there(server) == 1)
        eventually(lambda: program.states() == ["in_step"])
        (document,) = server.documents.values()
        document["events"][0]["score"] += 5
        table.record(Passed(1))
        eventually(lambda: program.states() == ["differs"])
        (stand,) = program.kept.states()
        program.kept.choose(stand.game, stand.difference["key"], "replace", "Dora", now_ms())
        eventually(lambda: program.states() == ["in_step"])
        journal = program.kept.journal(stand.game)
    assert any("Dora chose: replace" in what for _, what in journal)


def play_out(table: TableWriter) -> Row:
    """A whole game; its first play."""
    table.start()
    first = table.play(0, OPENING[0])
    table.play(1, OPENING[1])
    table.record(Conceded(0, 50, "resignation"))
    return first


def correct_first_game(table: TableWriter, first: Row, points: int) -> Row:
    """The director says in the next game what the first play of the game before was worth."""
    now, table.game = table.game, "g1"
    row = table.correct(first.seq, Played(0, parse_placement(OPENING[0]), points))
    table.game = now
    return row


def first_score(server: TheirServer) -> int:
    return int(next(iter(server.documents.values()))["events"][0]["score"])


def score_there(server: TheirServer, which: int = 0) -> int:
    return int(list(server.documents.values())[which]["events"][0]["score"])


def is_mirrored(program: Program, turns: int, games: int = 1) -> bool:
    stands = program.kept.states()
    return (
        len(stands) == games
        and all(stand.state == "in_step" for stand in stands)
        and stands[-1].sent == turns
    )


@pytest.mark.parametrize("restarts", [False, True])
def test_a_finished_game_corrected_in_the_next_one_is_sent_again(
    server: TheirServer, table: TableWriter, tmp_path: Path, *, restarts: bool
):
    log = tmp_path / "tilecast.db"
    with Program(server, log) as program:
        first = play_out(table)
        eventually(lambda: is_mirrored(program, 3))
        table.start(game="g2")
        table.play(0, OPENING[0])
        eventually(lambda: is_mirrored(program, 1, games=2))
        if not restarts:
            correct_first_game(table, first, 99)
            eventually(lambda: score_there(server) == 99)
            eventually(lambda: is_mirrored(program, 1, games=2))
    if restarts:
        replaced = server.counts.get("ReplaceGameDocument", 0)
        correct_first_game(table, first, 99)
        with Program(server, log) as program:
            eventually(lambda: score_there(server) == 99)
            eventually(lambda: is_mirrored(program, 1, games=2))
        assert server.counts["ReplaceGameDocument"] == replaced + 1
    assert score_there(server, 1) != 99
    assert len(server.documents) == 2


@pytest.mark.parametrize("what", ["gone", "edited", "away"])
def test_a_correction_that_cannot_go_there_is_shown_to_the_director(
    server: TheirServer, table: TableWriter, tmp_path: Path, what: str
):
    with Program(server, tmp_path / "tilecast.db") as program:
        first = play_out(table)
        eventually(lambda: is_mirrored(program, 3))
        table.start(game="g2")
        eventually(lambda: is_mirrored(program, 0, games=2))
        (uid, document), *_ = server.documents.items()
        if what == "gone":
            del server.documents[uid], server.owners[uid]
        elif what == "edited":
            document["events"][0]["score"] += 3
        else:
            server.users.clear()
        correct_first_game(table, first, 99)
        eventually(lambda: program.states()[0] in ("differs", "away"))
        stand = program.kept.states()[0]
    needs = [need["code"] for need in mirror_needs(stand)]
    assert needs == ([] if what == "away" else [f"mirror_{what}"])
    assert stand.game == "g1"
    assert what != "away" or "API key" in stand.text


def test_a_correction_of_a_finished_game_is_late_and_waits_for_the_log(
    server: TheirServer, table: TableWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    read, tried = GameRooms.rows, []

    def fails_once(rooms: GameRooms, number: int, game: str) -> list[Row]:
        tried.append(now_ms())
        if len(tried) == 1:
            raise OSError("the disk is away")
        return read(rooms, number, game)

    monkeypatch.setattr(GameRooms, "rows", fails_once)
    with Program(server, tmp_path / "tilecast.db", delay_ms=1500) as program:
        first = play_out(table)
        eventually(lambda: is_mirrored(program, 3))
        table.start(game="g2")
        eventually(lambda: is_mirrored(program, 0, games=2))
        table.at = now_ms()
        row = correct_first_game(table, first, 99)
        eventually(lambda: score_there(server) == 99)
    assert tried[0] >= row.received + 1500
    assert len(tried) == 2


def test_a_game_played_before_anybody_asked_is_not_sent_for_its_correction(
    server: TheirServer, table: TableWriter, tmp_path: Path
):
    first = play_out(table)
    table.start(game="g2")
    with Program(server, tmp_path / "tilecast.db") as program:
        eventually(lambda: is_mirrored(program, 0))
        correct_first_game(table, first, 99)
        table.play(0, OPENING[0])
        eventually(lambda: is_mirrored(program, 1))
    assert len(server.documents) == 1


def test_the_key_is_in_nothing_that_is_written(
    server: TheirServer, table: TableWriter, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    before = threading.active_count()
    table.start()
    with Program(server, tmp_path / "tilecast.db") as program:
        server.faults = lambda _, count: (
            (500, {"code": "internal", "message": f"no {KEY}"}) if count == 2 else None
        )
        for count, text in enumerate(OPENING):
            table.play(count % 2, text)
            time.sleep(0.05)
        eventually(lambda: turns_there(server) == len(OPENING))
        server.users.clear()
        table.record(Passed(0))
        eventually(lambda: any("API key" in said for said in program.said))
        assert KEY not in "".join(program.said)
    assert KEY not in caplog.text
    for file in tmp_path.rglob("*"):
        if file.is_file():
            assert KEY.encode() not in file.read_bytes(), file
    assert KEY not in repr(ApiKey(KEY))
    assert threading.active_count() < before + 20
