"""``tilecast demo --tables --rounds``: a small tournament through everything that a venue has."""

import json
import re
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from signal import SIGTERM
from typing import Any

import pytest
from websockets.sync.client import connect

from recorder.log.sqlite import SqliteEventLog
from tests.cases import first_of
from tests.eventually import BUSY_S, eventually
from tests.programs import Program

pytestmark = [pytest.mark.slow, pytest.mark.broker]

RECORD = """\
#player1 Ada Ada
#player2 Ben Ben
>Ada: ABEFLTU 8D FABLE +28 28
>Ben: IKNORST F8 .RISK +13 13
"""


@pytest.mark.further
@pytest.mark.parametrize("rounds", first_of(1, [1, 2]))
def test_a_tournament_is_played_from_pixels_to_standings(rounds: int, tmp_path: Path) -> None:
    """Two tables: who plays comes from the pairings, results from the signatures."""
    record = tmp_path / "short.gcg"
    record.write_text(RECORD, encoding="utf-8")
    command = [sys.executable, "-m", "tilecast", "demo", "--once", "--json", "--port", "0"]
    command += ["--tables", "2", "--rounds", str(rounds), "--gcg", str(record)]
    command += ["--folder", str(tmp_path / "demo"), "--rules", "wespa1"]
    command += ["--sensors", "box"]  # cameras at the racks cost most of it
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


@pytest.mark.further
@pytest.mark.parametrize("tables", [1, 2])
def test_commentators_see_racks_and_best_plays_at_every_table(tables: int, tmp_path: Path) -> None:
    """By the link that the demo prints, while its own games are played.

    Players who think for half a minute are watched by three cameras a table all the while.
    """
    said = tmp_path / "said.txt"
    words = ("--tables", str(tables), "--rounds", "1", "--speed", "10", "--no-open", "--port", "0")
    program = Program("demo", *words, "--folder", str(tmp_path / "demo"), said=said)
    try:
        link = re.compile(r"^commentator +(http://(\S+)/enter/\S+)", re.MULTILINE)
        eventually(lambda: link.search(said.read_text("utf-8")), "the link is there", BUSY_S)
        found = link.search(said.read_text("utf-8"))
        visitor = Visitor(found[1], found[2])
        seen: set[tuple[int, str]] = set()

        def is_all_seen() -> bool:
            time.sleep(0.5)  # a rack lies there for longer, and each page that opens costs
            for table in range(1, tables + 1):
                model = visitor.model(table)
                racks = [rack["seen"] for rack in (model or {}).get("racks", ())]
                letters = [bool(rack and rack["letters"].strip("#")) for rack in racks]
                seen.update((table, f"rack {at}") for at, known in enumerate(letters) if known)
                if model and (model.get("best") or {}).get("plays"):
                    seen.add((table, "best plays"))
            return len(seen) == 3 * tables

        eventually(is_all_seen, "both racks and best plays at each table", 2 * BUSY_S)
    finally:
        program.end(SIGTERM)


@dataclass
class Visitor:
    """Somebody who has opened a link."""

    link: str
    place: str
    jar: CookieJar = field(default_factory=CookieJar)

    def __post_init__(self) -> None:
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        opener.open(self.link, timeout=BUSY_S).close()

    def model(self, table: int) -> Any:
        cookies = "; ".join(f"{each.name}={each.value}" for each in self.jar)
        address = f"ws://{self.place}/ws/commentator/{table}"
        with connect(
            address, additional_headers={"Cookie": cookies}, open_timeout=BUSY_S
        ) as socket:
            while (message := json.loads(socket.recv(timeout=BUSY_S)))["type"] != "snapshot":
                pass
            return message["frame"]


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
