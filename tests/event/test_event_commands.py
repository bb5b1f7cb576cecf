"""``tilecast event``: what is printed, and with which exit status, over feeds of our own."""

import json
import os
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tilecast
from recorder.domain.errors import NotationError
from recorder.domain.event.divisions import Event
from recorder.domain.event.placing import placings
from recorder.domain.event.wanted import Method
from recorder.domain.rules.core.parameters import NO_RULE_SET
from recorder.feeds import fetching
from recorder.feeds.source import read_feed
from recorder.feeds.tourney_js import write_tourney_js
from tests.event.fields import feed_text, played, player_json
from tests.served import serving_files

pytestmark = pytest.mark.slow

SHARED = Path(os.environ.get("TILECAST_SHARED") or Path(__file__).parents[2] / ".." / "shared")
FEEDS = sorted((SHARED / "tournament" / "feeds").glob("*.js"))
FIELD = replace(played(9, Method.AUSTRALIAN, 4), last_round=20)


@pytest.fixture(scope="module")
def feed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two divisions of nine after four rounds."""
    path = tmp_path_factory.mktemp("event") / "tourney.js"
    event = Event(name="Harbour Open", divisions=(FIELD, replace(FIELD, name="B")))
    path.write_text(write_tourney_js(event, {}), encoding="utf-8")
    return path


def document(capsys: pytest.CaptureFixture[str], *words: object) -> Any:
    """The one JSON document that a command prints; it must end with status 0."""
    assert tilecast.main(["event", *map(str, words), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_standings_have_the_keys_that_others_rely_on(
    feed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rank, id, name, wins, losses, spread, rating; best first, of any round."""
    rows = document(capsys, "standings", feed, "--division", "a")
    assert [*rows[0]] == ["rank", "id", "name", "wins", "losses", "spread", "rating"]
    assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)
    assert all(row["wins"] + row["losses"] == 4 for row in rows)
    first = document(capsys, "standings", feed, "--division", "A", "--round", "1")
    assert all(row["wins"] + row["losses"] == 1 for row in first)
    seeding = document(capsys, "standings", feed, "--division", "A", "--round", "0")
    assert [row["id"] for row in seeding] == list(range(1, 10))


def test_without_division_the_first_is_taken_and_said(
    feed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On standard error, so that the document stays one."""
    assert tilecast.main(["event", "standings", str(feed), "--json"]) == 0
    out, err = capsys.readouterr()
    assert len(json.loads(out)) == 9
    assert "there are divisions A, B: this is A" in err


@pytest.mark.parametrize("method", Method)
def test_a_round_is_paired(method: Method, feed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tables from 1, everybody once, a reason for every pair, the bye beside."""
    words = ("pair", feed, "--method", method.value, "--division", "A", "--seed", "3")
    paired = document(capsys, *words)
    assert [*paired] == ["pairs", "bye"]
    assert [*paired["pairs"][0]] == ["table", "first", "second", "repeat", "why"]
    there = [pair[seat] for pair in paired["pairs"] for seat in ("first", "second")]
    assert sorted([*there, paired["bye"]]) == list(range(1, 10))
    assert all(pair["why"] and isinstance(pair["repeat"], bool) for pair in paired["pairs"])
    assert document(capsys, *words) == paired


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("standings", "--division", "Z"), "has no division Z; there are: A, B"),
        (("standings", "--round", "9"), "has results of 4 rounds"),
        (("pair", "--method", "koth", "--round", "9"), "is paired up to round 4"),
        (("pair", "--method", "koth", "--absent", "77"), "has no player 77"),
        (("pair", "--method", "koth", "--fixed", "a=1"), "write the player's number and the table"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    words: tuple[str, ...], complaint: str, feed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 1, the file and the remedy on standard error, nothing on standard output."""
    assert tilecast.main(["event", words[0], str(feed), *words[1:], "--json"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert str(feed) in err
    assert complaint in err


def test_a_file_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """And so is an address that does not answer."""
    assert tilecast.main(["event", "check", "nowhere.js"]) == 1
    assert "nowhere.js: No such file or directory" in capsys.readouterr().err
    assert tilecast.main(["event", "check", "http://127.0.0.1:9/tourney.js"]) == 1
    assert "cannot be fetched" in capsys.readouterr().err


def test_faults_come_with_their_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One of two lines names a player who is not there: status 1, and the place in words."""
    path = tmp_path / "odd.js"
    players = (player_json(1, "Brok", pairings=[9], scores=[400]), player_json(2, "Caro"))
    path.write_text(feed_text(*players), encoding="utf-8")
    assert tilecast.main(["event", "check", str(path), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["ok"], found["faults"][0]["fault"]) == (False, "unknown_opponent")
    assert found["faults"][0]["place"] == "division A, round 1, player 1 Brok"
    assert tilecast.main(["event", "check", str(path)]) == 1
    assert "odd.js: error: division A, round 1, player 1 Brok" in capsys.readouterr().out
    assert tilecast.main(["event", "standings", str(path), "--json"]) == 0
    out, err = capsys.readouterr()
    assert len(json.loads(out)) == 2
    assert "meets player 9, whom the division does not have" in err


def test_half_a_feed_gives_what_there_is_and_status_1(
    feed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The document holds the players that were there; standard error says where it breaks off."""
    path = tmp_path / "half.js"
    path.write_text(feed.read_text(encoding="utf-8")[:1500], encoding="utf-8")
    assert tilecast.main(["event", "standings", str(path), "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)
    assert "the feed ends in its middle" in err


@pytest.mark.parametrize("form", ["tsh", "csv", "tourney.js"])
def test_an_event_in_another_form_stands_the_same(
    form: str, feed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exported and read again, every place is what it was."""
    assert tilecast.main(["event", "export", str(feed), "--format", form]) == 0
    path = tmp_path / {"tsh": "event.t", "csv": "event.csv", "tourney.js": "tourney.js"}[form]
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    for division in read_feed(str(path)).event.divisions:
        assert placings(NO_RULE_SET, division, 4) == placings(NO_RULE_SET, FIELD, 4)


def test_a_folder_for_tsh_is_written(
    feed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """config.tsh and a file for each division."""
    folder = tmp_path / "harbour"
    words = ["event", "export", str(feed), "--format", "tsh", "--output", str(folder)]
    assert tilecast.main(words) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["a.t", "b.t", "config.tsh"]
    assert capsys.readouterr().out.count("\n") == 3
    assert read_feed(str(folder)).event.name == "Harbour Open"


@pytest.fixture
def address(feed: Path) -> Iterator[str]:
    with serving_files(feed.parent) as address:
        yield f"{address}/"


def test_a_feed_is_read_from_an_address(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As overlays do; what is not there is said as the server says it."""
    assert len(document(capsys, "standings", f"{address}tourney.js?v=1", "--division", "A")) == 9
    assert tilecast.main(["event", "check", f"{address}other.js"]) == 1
    assert "the server answers 404" in capsys.readouterr().err


ODD_ANSWERS = {
    "no HTTP": (b"\xff\xfenonsense\r\n\r\n", "cannot be fetched"),
    "cut": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "cannot be fetched"),
    "another server": (b"HTTP/1.1 302 F\r\nLocation: http://192.0.2.1/\r\n\r\n", "it leads to"),
    "another port": (b"HTTP/1.1 302 F\r\nLocation: http://127.0.0.1:1/\r\n\r\n", "it leads to"),
    "another port by default": (b"HTTP/1.1 302 F\r\nLocation: http://127.0.0.1/\r\n\r\n", "leads"),
    "another protocol": (b"HTTP/1.1 302 F\r\nLocation: https://127.0.0.1/\r\n\r\n", "leads to"),
    "a file": (b"HTTP/1.1 302 F\r\nLocation: file:///etc/passwd\r\n\r\n", "302"),
    "half an address": (b"HTTP/1.1 302 F\r\nLocation: http://[\r\n\r\n", "cannot be fetched"),
    "drips": (b"HTTP/1.1 200 OK\r\nX: y", "has not sent all of it"),
}


@pytest.mark.parametrize(("answer", "said"), ODD_ANSWERS.values(), ids=ODD_ANSWERS)
def test_a_server_of_feeds_cannot_lead_elsewhere_nor_keep_waiting(
    answer: bytes, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be anybody's: what it sends is a feed, or a sentence for the director."""
    monkeypatch.setattr(fetching, "WHOLE_S", 0.3 if said.startswith("has not") else 20)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            caller, _ = server.accept()
            with caller:
                caller.recv(4096)
                caller.sendall(answer)
                if said.startswith("has not"):
                    caller.recv(1)  # until the other side hangs up

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(NotationError, match=said):
            read_feed(f"http://127.0.0.1:{server.getsockname()[1]}/tourney.js")
        thread.join()


@pytest.mark.skipif(not FEEDS, reason=f"no feeds of others in {SHARED / 'tournament' / 'feeds'}")
@pytest.mark.parametrize("path", FEEDS, ids=lambda path: path.name)
def test_ranks_are_those_of_tsh(path: Path) -> None:
    """After every round of feeds in the wild, every rank that the feed gives is the one counted."""
    feed = read_feed(str(path))
    assert feed.faults == []
    compared = 0
    for division in feed.event.divisions:
        for after in range(division.scored_rounds + 1):
            for row in placings(NO_RULE_SET, division, after):
                said = division.player(row.number).extra["rrank"]
                if after < len(said) and not row.left:
                    assert row.rank == said[after], (division.name, after, row)
                    compared += 1
    assert compared > 80
