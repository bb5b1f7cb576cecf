"""A program that pairs is followed: its feed, as it changes, becomes the event; results go back."""

import json
import re
import socketserver
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

import tilecast
from dashboard.event import feed_follower
from dashboard.event.feed_follower import FeedFollower
from dashboard.event.view import EventView
from dashboard.live.log_follower import Batch
from recorder.domain.event.placing import placings
from recorder.domain.event.seating import Pairing
from recorder.domain.rules.core.parameters import NO_RULE_SET
from recorder.feeds.source import read_feed
from recorder.log.sqlite import SqliteEventLog
from tests.event.event_hall import EventHall, HallLine
from tests.eventually import eventually
from tests.served import serving_files

pytestmark = pytest.mark.slow

NAMES = ("Ashdown, Vera", "Brok, Ilse", "Caro, Mateo", "Dube, Thandi", "Eklund, Saga")


def feed(rounds: int, *, scores: dict[int, list[int]] | None = None, **changed: Any) -> str:
    """TSH's feed of five players after so many rounds were paired; the fifth has byes."""
    opponents = {1: [2, 3], 2: [1, 4], 3: [4, 1], 4: [3, 2], 5: [0, 0]}
    players = [
        {
            "id": n,
            "name": NAMES[n - 1],
            "rating": 1900 - n,
            "pairings": opponents[n][:rounds],
            "scores": ([50] * rounds if n == 5 else (scores or {}).get(n, [])),
            "etc": {"board": [[7, 7, 8, 8, 0][n - 1], [7, 8, 7, 8, 0][n - 1]][:rounds]},
        }
        for n in opponents
    ]
    document = {"divisions": [{"name": "A 1", "players": [None, *players]}], **changed}
    return f"newt={json.dumps(document)};"


class Followed:
    """A hall that follows a file, look by look."""

    def __init__(self, hall: EventHall, file: Path) -> None:
        self.hall, self.file, self._seen = hall, file, 0
        self.event = EventView(0, lambda: hall.now_ms)
        self.follower = FeedFollower(
            str(file), self.event, cast("Any", HallLine(hall)), lambda: hall.now_ms
        )

    def look(self, text: str) -> int:
        """The feed is so now; how many orders that takes."""
        self.file.write_text(text, encoding="utf-8")
        before = len(self.hall.rows())
        self._read()
        self.follower.look()
        self._read()
        return len(self.hall.rows()) - before

    def _read(self) -> None:
        rows = tuple(self.hall.rows()[self._seen :])
        self._seen += len(rows)
        self.event.take(Batch(rows=rows, anew=False, caught_up=True))


@pytest.fixture
def followed(tmp_path: Path) -> Iterator[Followed]:
    with SqliteEventLog(tmp_path / "tilecast.db") as log:
        hall = EventHall(tmp_path, log, tables=2)
        yield Followed(hall, tmp_path / "tourney.js")
        hall.recorder.stop()


def test_what_the_program_pairs_is_played_here(followed: Followed) -> None:
    """Players, pairings, tables and byes; a feed that says nothing new takes no order."""
    assert followed.look(feed(1)) == 5 + 1 + 1
    division = followed.hall.division()
    assert [player.name for player in division.players] == list(NAMES)
    assert {game.players: game.table for game in division.games} == {(1, 2): 7, (3, 4): 8}
    assert division.player(5).in_round(1).score == 50
    assert followed.look(feed(1)) == 0
    assert followed.look(feed(2)) == 2


def test_its_results_come_and_ours_go_back(
    followed: Followed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A result that was played here waits as a line until the feed has it, and corrects nothing."""
    followed.look(feed(1))
    followed.hall.orders("result A-1 1 1 431 2 388")
    followed.look(feed(1, scores={3: [400], 4: [410]}))
    assert followed.hall.scores(1) == {(1, 2): (431, 388), (3, 4): (400, 410)}
    lines = "# division A-1, round 1\n1 431 2 388\n"
    assert followed.follower.as_json() == {
        "source": str(followed.file), "fault": "", "lines": lines
    }  # fmt: skip
    command = ["event", "back", str(followed.file), str(tmp_path / "tilecast.db")]
    assert tilecast.main(command) == 0
    assert capsys.readouterr().out == lines
    assert tilecast.main([*command, "--csv"]) == 0
    assert capsys.readouterr().out.split("\n")[1] == "A-1,1,1,431,2,388"
    followed.look(feed(1, scores={1: [431], 2: [389], 3: [400], 4: [410]}))
    assert followed.hall.scores(1)[1, 2] == (431, 389)
    assert followed.follower.back == ()


def test_its_standings_are_those_of_the_feed(followed: Followed) -> None:
    """The most that a game counts, and points off a spread; what is taken back counts no more."""
    scores = {1: [600], 2: [300], 3: [400], 4: [410]}
    text = feed(1, scores=scores, config={"spread_cap": 200})
    penalised = text.replace('"board": [8]', '"board": [8], "penalty": [-30]', 1)

    def spreads() -> dict[int, int]:
        division = followed.hall.division()
        return {row.number: row.spread for row in placings(NO_RULE_SET, division, 1)}

    followed.look(penalised)
    assert spreads() == {1: 200, 2: -200, 3: -40, 4: 10, 5: 50}
    assert followed.look(penalised) == 0
    assert followed.look(text) == 1
    assert spreads()[3] == -10
    assert followed.look(text) == 0


def test_games_that_the_feed_has_as_not_played_come(tmp_path: Path) -> None:
    """A table says what counts for a forfeit, and for a game that was conceded; and the rounds."""
    rows = [
        "name,opponent 1,score 1,margin 1,rounds",
        "Ann,2,400,-50,7", "Bob,1,380,50,7", "Cat,4,,-50,7", "Dan,3,,50,7",
    ]  # fmt: skip
    with SqliteEventLog(tmp_path / "tilecast.db") as log:
        followed = Followed(EventHall(tmp_path, log, tables=2), tmp_path / "day.csv")
        text = "\n".join(rows)
        followed.look(text.replace("400,-50", "400,").replace("380,50", "380,"))
        followed.look(text)
        assert followed.look(text) == 0
        division = followed.hall.division()
        followed.hall.recorder.stop()
    placed = placings(NO_RULE_SET, division, 1)
    spreads = {row.name: row.spread for row in placed}
    assert spreads == {"Ann": -50, "Bob": 50, "Cat": -50, "Dan": 50}
    assert division.last_round == 7


def test_what_no_order_can_say_stops_no_other(followed: Followed) -> None:
    """A table number beyond all is named, and players and byes come all the same."""
    odd = feed(1).replace('"board": [7]', '"board": [70000]')
    assert followed.look(odd) == 5 + 1
    assert "table" in followed.follower.as_json()["fault"]
    assert followed.look(feed(1, scores={1: [431], 2: [9_000_000]})) == 1
    assert followed.hall.scores(1)[1, 2] is None


def test_half_a_feed_changes_nothing(followed: Followed) -> None:
    """It is said, and the next whole one goes on."""
    followed.look(feed(1))
    assert followed.look(feed(2)[:-120]) == 0
    assert "ends in its middle" in followed.follower.as_json()["fault"]
    followed.file.unlink()
    followed.follower.look()
    assert "No such file" in followed.follower.as_json()["fault"]
    assert followed.look(feed(2)) == 2
    assert followed.follower.as_json()["fault"] == ""


@pytest.fixture
def served(followed: Followed) -> Iterator[Followed]:
    with serving_files(followed.file.parent) as address:
        followed.follower = FeedFollower(
            f"{address}/{followed.file.name}", followed.event, cast("Any", HallLine(followed.hall)),
            lambda: followed.hall.now_ms,
        )  # fmt: skip
        yield followed


def at_one(text: str) -> str:
    """The feed with what it has at table 7 at table 1."""
    return re.sub(r"(?<=[\[ ])7(?=[,\]])", "1", text)


def test_featured_tables_are_played_and_given_back(served: Followed) -> None:
    """TSH pairs at an address; table 1 has sensors: its signed result waits to be typed there."""
    hall = served.hall
    served.look(at_one(feed(1)))
    hall.show(1)
    assert hall.now_at(1).players == ("Vera Ashdown", "Ilse Brok")
    hall.play(1, "8G HANDY", "9F CAT")
    hall.sign(1)
    served.look(at_one(feed(1, scores={3: [400], 4: [410]})))
    assert hall.scores(1) == {(1, 2): (24, 14), (3, 4): (400, 410)}
    assert served.follower.as_json()["lines"] == "# division A-1, round 1\n1 24 2 14\n"
    served.file.rename(served.file.with_name("elsewhere.js"))
    served.follower.look()
    assert "404" in served.follower.as_json()["fault"]
    served.look(at_one(feed(2, scores={1: [24], 2: [14], 3: [400], 4: [410]})))
    assert (served.follower.back, served.follower.as_json()["fault"]) == ((), "")
    hall.show(1)
    assert hall.now_at(1).pairing == Pairing(division="A-1", round=2, first=1, second=3)


def test_what_is_refused_is_said_and_not_asked_again(followed: Followed) -> None:
    """A round with a result stays as it was published; what else the feed has comes."""
    followed.look(feed(1))
    followed.hall.orders("result A-1 1 1 431 2 388")
    others = feed(1, scores={1: [431], 2: [388], 3: [400], 4: [50], 5: [410]}).replace(
        '"pairings": [4]', '"pairings": [5]'
    )
    others = others.replace('"pairings": [3]', '"pairings": [0]').replace(
        '"pairings": [0], "scores": [50]', '"pairings": [3], "scores": [410]'
    )
    others = others.replace('"rating": 1896', '"rating": 1700')
    assert followed.look(others) == 2
    fault = followed.follower.as_json()["fault"]
    assert fault == "Player 3 Caro, Mateo plays player 4 in round 1"
    assert followed.hall.division().player(4).rating == 1700
    assert [followed.look(others), followed.look(others)] == [1, 0]
    assert followed.follower.as_json()["fault"] == fault
    assert followed.hall.scores(1)[1, 2] == (431, 388)


def test_two_of_one_name_both_play(followed: Followed) -> None:
    """The later one has the number, and their round is published."""
    assert followed.look(feed(1).replace("Dube, Thandi", "BROK, Ilse")) == 5 + 1 + 1
    division = followed.hall.division()
    assert [p.name for p in division.players][1::2] == ["Brok, Ilse", "BROK, Ilse (4)"]
    assert len(division.games) == 2
    assert followed.look(feed(1).replace("Dube, Thandi", "BROK, Ilse")) == 0


class _NoHttp(socketserver.BaseRequestHandler):
    """Greets as another program would."""

    def handle(self) -> None:
        self.request.recv(4096)
        self.request.sendall(b"SSH-2.0-somebody\r\n")


def test_a_feed_that_speaks_no_http_is_said_and_asked_again(
    followed: Followed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the thread that follows, which goes on; so it does after a fault of ours."""
    monkeypatch.setattr(feed_follower, "EVERY_S", 0.02)
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _NoHttp) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,)).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/tourney.js"
        line = cast("Any", HallLine(followed.hall))
        followed.follower = FeedFollower(address, followed.event, line, lambda: 1)
        followed.follower.start()
        eventually(lambda: followed.follower.as_json()["fault"] != "", "the fault is said")
        first = followed.follower.as_json()["fault"]
        monkeypatch.setattr(feed_follower, "read_feed", dict[str, Any]().pop)
        eventually(lambda: "fault of ours" in followed.follower.as_json()["fault"], "ours is said")
        monkeypatch.setattr(feed_follower, "read_feed", read_feed)
        eventually(lambda: followed.follower.as_json()["fault"] == first, "it is asked again")
        followed.follower.stop()
        server.shutdown()
