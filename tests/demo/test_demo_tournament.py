"""``tilecast demo --tables --rounds``: a small tournament through everything that a venue has."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from recorder.log.sqlite import SqliteEventLog
from tests.cases import first_of

pytestmark = [pytest.mark.slow, pytest.mark.broker]

RECORD = """\
#player1 Ada Ada
#player2 Ben Ben
>Ada: ABEFL 8D FABLE +28 28
>Ben: IKRS F8 .RISK +13 13
"""


@pytest.mark.parametrize("rounds", first_of(1, [1, 2]))
def test_a_tournament_is_played_from_pixels_to_standings(rounds: int, tmp_path: Path) -> None:
    """Two tables: who plays comes from the pairings, results from the signatures."""
    record = tmp_path / "short.gcg"
    record.write_text(RECORD, encoding="utf-8")
    command = [sys.executable, "-m", "tilecast", "demo", "--once", "--json", "--port", "0"]
    command += ["--tables", "2", "--rounds", str(rounds), "--gcg", str(record)]
    command += ["--folder", str(tmp_path / "demo"), "--rules", "wespa1"]
    command += ["--sensors", "box"]  # cameras at the racks are in test_demo, and cost most of it
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    document = json.loads(done.stdout)
    games = document["games"]
    played = [(number, table) for number in range(1, rounds + 1) for table in (1, 2)]
    assert [(game["round"], game["table"]) for game in games] == played
    assert all(game["matched"] == game["turns"] == 2 for game in games), games
    assert all(game["final"] == game["expected_final"] for game in games), games
    assert len({frozenset(game["ids"]) for game in games}) == 2 * rounds
    assert document["standings"] == document["expected_standings"]
    assert (document["lost"], document["doubled"]) == (0, 0)
    with SqliteEventLog.open_reader(tmp_path / "demo" / "record" / "tilecast.db") as log:
        assert {row.says.rules for row in log.beginnings()} == {"wespa1"}


def test_a_tournament_has_tables_and_rounds(tmp_path: Path) -> None:
    """What cannot be played is named, and nothing is started."""
    command = [
        sys.executable,
        "-m",
        "tilecast",
        "demo",
        "--once",
        "--tables",
        "99",
        "--rounds",
        "1",
    ]
    command += ["--folder", str(tmp_path / "demo")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 2
    assert "--tables: is a number from 1 to 6, not 99" in done.stderr
