"""``tilecast woogles`` where people enter: what it checks, and what it says of wrong usage."""

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import tilecast
from dashboard.live.log_follower import now_ms
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.eventually import eventually
from tests.woogles.mirroring import KEY
from tests.woogles.test_faults_on_the_way import FEED
from tests.woogles.their_server import TheirServer

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
    assert program.stdout is not None
    program.stdout.close()
    table.log.close()
    assert KEY.encode() not in b"".join(said)
    for file in (tmp_path / "record").rglob("*"):
        assert KEY.encode() not in file.read_bytes(), file
