"""``tilecast woogles`` where people enter: what it checks, and what it says of wrong usage."""

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import tilecast
from dashboard.live.log_follower import now_ms
from tests.cases import first_of
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.eventually import eventually
from tests.woogles.mirroring import KEY
from tests.woogles.test_faults_on_the_way import FAULTS, FEED
from tests.woogles.their_server import TheirServer, pairings, read_feed

pytestmark = pytest.mark.slow


@pytest.fixture
def server():
    with TheirServer() as found:
        found.users[KEY] = "ann"
        found.add_broadcast("spring", FEED)
        yield found


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    file = tmp_path / "woogles.key"
    file.write_text(f"{KEY}\n", encoding="ascii")
    file.chmod(0o600)
    return file


def check(server: TheirServer, key_file: Path, *options: str) -> int:
    words = ["woogles", "--key-file", str(key_file), "--address", server.url, "--rate", "50"]
    return tilecast.main([*words, "--check", *options])


def test_a_check_says_what_the_key_may_do(
    server: TheirServer, key_file: Path, capsys: pytest.CaptureFixture[str]
):
    assert check(server, key_file, "--broadcast", "spring", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["may_claim"] is True
    assert found["challenge_rule"] == "DOUBLE"
    assert not server.claims


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"directors": ["carl"]}, "director can add it as an annotator"),
        ({"challenge_rule": 0}, "set the tournament's in the broadcast"),
        ({"letter_distribution": "dutch"}, "no tiles called 'dutch'"),
    ],
)
def test_a_check_says_what_is_missing(
    server: TheirServer,
    key_file: Path,
    capsys: pytest.CaptureFixture[str],
    change: dict[str, object],
    says: str,
):
    server.broadcasts["spring"].update(change)
    assert check(server, key_file, "--broadcast", "spring") == 1
    assert says in capsys.readouterr().out


def test_wrong_settings_are_one_sentence_each(
    server: TheirServer, key_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert check(server, key_file, "--broadcast", "autumn") == 1
    assert "there is no broadcast 'autumn'" in capsys.readouterr().out
    server.users.clear()
    assert check(server, key_file, "--broadcast", "spring") == 1
    assert "Copy it from woogles.io" in capsys.readouterr().err
    assert check(server, tmp_path / "none", "--broadcast", "spring") == 1
    assert "the key cannot be read" in capsys.readouterr().err
    assert check(server, key_file) == 1
    assert "--broadcast SLUG" in capsys.readouterr().err
    key_file.chmod(0o644)
    assert check(server, key_file, "--broadcast", "spring") == 1
    assert "chmod 600" in capsys.readouterr().err


def test_nobody_answers(key_file: Path, capsys: pytest.CaptureFixture[str]):
    words = ["woogles", "--key-file", str(key_file), "--address", "http://127.0.0.1:9"]
    assert tilecast.main([*words, "--lexicon", "NWL23", "--check"]) == 1
    assert "127.0.0.1 cannot be reached" in capsys.readouterr().err


def test_the_program_mirrors_a_log_and_shows_its_key_nowhere(
    server: TheirServer, key_file: Path, tmp_path: Path
):
    table = TableWriter(tmp_path / "record" / "tilecast.db", at=now_ms() - 10_000)
    table.start()
    words = ["woogles", "--log", str(tmp_path / "record" / "tilecast.db"), "--lexicon", "NWL23"]
    more = ["--key-file", str(key_file), "--address", server.url, "--rate", "50"]
    program = subprocess.Popen(
        [sys.executable, "-m", "tilecast", *words, *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=Path(__file__).parents[2],
    )
    said: list[bytes] = []
    hears = threading.Thread(target=lambda: said.append(program.stdout.read()))  # type: ignore[union-attr]
    hears.start()
    for count, text in enumerate(OPENING[:3]):
        table.play(count % 2, text)
    eventually(lambda: sum(len(d["events"]) for d in server.documents.values()) == 3)
    command = Path(f"/proc/{program.pid}/cmdline")
    if command.exists():
        assert KEY.encode() not in command.read_bytes()
    program.terminate()
    program.wait(timeout=60)
    hears.join()
    program.stdout.close()
    table.log.close()
    assert KEY.encode() not in b"".join(said)
    for file in (tmp_path / "record").rglob("*"):
        assert KEY.encode() not in file.read_bytes(), file


def an_event(folder: Path) -> Path:
    """A log with an event: four players, one has left, a round with tables 7 and 8."""
    log = folder / "event.db"
    orders = [
        "about name Spring Open",
        "player A Ann Example 1500",
        "player A Bob Example 1400",
        "player A Cleo Example 1300",
        "player A Dora Example 1200",
        "player A Eve Example 1100",
        "left A 5",
        "round A 1 7:2-1 8:3-4",
    ]
    for order in orders:
        assert tilecast.main(["event", "order", str(log), *order.split()]) == 0
    return log


def test_their_reader_finds_our_tables_in_our_feed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    log = an_event(tmp_path)
    capsys.readouterr()
    assert tilecast.main(["event", "export", str(log), "--format", "tourney.js"]) == 0
    text = capsys.readouterr().out
    assert pairings(read_feed(text), "A", 1) == {
        7: ("Bob Example", "Ann Example"),
        8: ("Cleo Example", "Dora Example"),
    }
    (division,) = read_feed(text)
    assert [player["id"] for player in division["players"]] == [1, 2, 3, 4, 5]


def test_a_broadcast_is_made_from_the_event_and_updated(
    server: TheirServer, key_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    log = an_event(tmp_path)
    words = ["woogles", "--log", str(log), "--key-file", str(key_file), "--address", server.url]
    feed = "https://example.org/tourney.js"
    more = ["--broadcast", "autumn", "--lexicon", "CSW24", "--challenge", "five_point"]
    assert tilecast.main([*words, *more, "--announce", feed]) == 0
    assert "broadcast autumn is made" in capsys.readouterr().out
    made = server.broadcasts["autumn"]
    assert (made["lexicon"], made["challenge_rule"], made["active"]) == ("CSW24", 3, True)
    assert server.slots["autumn", "featured"] == ("A", 1, 1)
    kept = {"description": "Kept", "poll_interval_seconds": 90}
    kept |= {"poll_start_time": "2026-11-28T08:00:00Z", "poll_end_time": "2026-11-29T20:00:00Z"}
    made.update(kept)
    assert tilecast.main([*words, *more, "--announce", feed]) == 0
    assert kept.items() <= server.broadcasts["autumn"].items()
    server.creators.clear()
    more[1] = "winter"
    assert tilecast.main([*words, *more, "--announce", feed]) == 1
    assert "may make no broadcasts" in capsys.readouterr().err


@pytest.mark.parametrize(
    "method",
    first_of(
        3,
        (
            *("GetBroadcast", "ClaimGame", "AssignSlot", "CreateBroadcast", "UpdateBroadcast"),
            *("CreateSlot", "TriggerPoll", "GetMyUnfinishedGames", "GetBroadcastGames"),
        ),
    ),
)
def test_a_request_of_a_command_fails(
    server: TheirServer,
    key_file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    method: str,
):
    """One line says so; the same command does it afterwards."""
    words = ["woogles", "--log", str(an_event(tmp_path)), "--key-file", str(key_file)]
    words += ["--address", server.url, "--rate", "50", "--broadcast", "autumn"]
    announce = [*words, "--lexicon", "CSW24", "--announce", "https://example.org/tourney.js"]
    checks = method in ("GetMyUnfinishedGames", "ClaimGame", "GetBroadcastGames")
    tried = [*words, "--check"] if checks else announce
    if checks:
        assert tilecast.main(announce) == 0
    for fault in (FAULTS[name] for name in FAULTS if name != "too late"):
        if not checks:
            server.broadcasts.pop("autumn", None)
        at = server.counts.get(method, 0) + 1
        server.faults = lambda name, count, at=at, fault=fault: (
            fault if (name, count) == (method, at) else None
        )
        capsys.readouterr()
        assert tilecast.main(tried) == 1
        assert capsys.readouterr().err.count("\n") <= 1
        assert tilecast.main(tried) == int(checks), "tables 7 and 8 are not in their empty feed"


def test_a_lexicon_that_they_have_not(
    server: TheirServer, key_file: Path, capsys: pytest.CaptureFixture[str]
):
    assert check(server, key_file, "--lexicon", "WORDS1") == 1
    assert "NWL23, CSW24" in capsys.readouterr().err
