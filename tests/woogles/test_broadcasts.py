"""An event's tables in a broadcast, by the commands: feed, names, rules, slots, a round later."""

import json
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

import tilecast
from recorder.bus.broker import free_port
from recorder.domain.event.seating import Pairing
from recorder.domain.game import ChallengeBonus
from tests.browser.conftest import KEY as DIRECTOR
from tests.browser.conftest import Server, now_ms
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.eventually import BUSY_S, eventually
from tests.programs import Program
from tests.woogles.mirroring import KEY
from tests.woogles.their_server import TheirServer

pytestmark = pytest.mark.slow

PLAYERS = ("Ann Example", "Bob Example", "Cleo Example", "Dora Example")


@pytest.fixture
def server():
    with TheirServer() as found:
        found.users[KEY] = "ann"
        yield found


@pytest.fixture
def log(tmp_path: Path) -> Path:
    key = tmp_path / "woogles.key"
    key.write_text(KEY, "ascii")
    key.chmod(0o600)
    found = tmp_path / "event.db"
    order(found, "about name Spring Open")
    for rating, name in zip((1500, 1400, 1300, 1200), PLAYERS, strict=True):
        order(found, f"player A {name} {rating}")
    order(found, "round A 1 7:1-2 8:3-4")
    return found


def order(log: Path, text: str) -> None:
    assert tilecast.main(["event", "order", str(log), *text.split()]) == 0


def feed_of(log: Path) -> str:
    """What their reader gets at the address of the feed."""
    out = log.with_name("tourney.js")
    words = ["event", "export", str(log), "--format", "tourney.js", "--out", str(out)]
    assert tilecast.main(words) == 0
    return out.read_text("utf-8")


def words_of(log: Path, server: TheirServer, *more: str) -> list[str]:
    key = str(log.with_name("woogles.key"))
    words = ["woogles", "--log", str(log), "--key-file", key, "--address", server.url]
    return [*words, "--rate", "50", *more]


def seated(log: Path, table: int, first: int, second: int, round_: int = 1) -> TableWriter:
    writer = TableWriter(log, at=now_ms() - 10_000, table=table)
    pairing = Pairing(division="A", round=round_, first=first, second=second)
    names = (PLAYERS[first - 1], PLAYERS[second - 1])
    writer.start(names, game=f"g{table}-{round_}", pairing=pairing)
    return writer


def said(program_log: Path) -> str:
    return program_log.read_text("utf-8")


def test_a_check_names_what_differs_before_a_game_is_on(
    server: TheirServer, log: Path, capsys: pytest.CaptureFixture[str]
):
    server.add_broadcast("spring", feed_of(log), challenge_rule=2)
    seated(log, 7, 1, 2).log.close()
    check = words_of(log, server, "--broadcast", "spring", "--check")
    assert tilecast.main(check) == 0
    found = capsys.readouterr().out
    assert "table 7 plays by challenge rule FIVE_POINT: its game there gets it too" in found
    assert "their feed has round 1 of A: 2 tables" in found
    order(log, "round A 2 7:1-3 8:2-4")
    assert tilecast.main(check) == 1
    assert "NOT READY: their feed has no game at table 7 in round 2" in capsys.readouterr().out
    server.broadcasts["spring"]["feed"] = feed_of(log)
    assert tilecast.main(check) == 0
    order(log, "change A 1 name Zoe Other")
    capsys.readouterr()
    assert tilecast.main([*check, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["challenge_rule_here"], told["feeds"]) == ("FIVE_POINT", {"A": False})
    assert tilecast.main(check) == 1
    out = capsys.readouterr().out
    assert (
        "NOT READY: at table 7 their feed has Ann Example - Cleo Example: correct the names" in out
    )


def test_a_broadcast_of_other_letters_gets_no_turn(
    server: TheirServer, log: Path, capsys: pytest.CaptureFixture[str]
):
    """A byte there would be another letter."""
    server.add_broadcast("spring", feed_of(log), lexicon="RD29", letter_distribution="german")
    table, heard = seated(log, 7, 1, 2), log.with_name("said")
    assert tilecast.main(words_of(log, server, "--broadcast", "spring", "--check")) == 1
    told = "NOT READY: table 7 has english tiles, and the broadcast german tiles: put lexicon"
    assert told in capsys.readouterr().out
    program = Program(*words_of(log, server, "--broadcast", "spring"), said=heard)
    table.play(0, OPENING[0])
    eventually(lambda: "there: german tiles: put lexicon and letters" in said(heard))
    assert [document["events"] for document in server.documents.values()] == [[]]
    program.terminate()
    program.wait()
    table.log.close()


def test_a_game_there_gets_the_challenge_rule_of_the_table(server: TheirServer, log: Path):
    server.add_broadcast("spring", feed_of(log), challenge_rule=2)
    table = seated(log, 7, 1, 2)
    program = Program(*words_of(log, server, "--broadcast", "spring"))
    table.play(0, OPENING[0])
    table.record(ChallengeBonus(0, 5))
    table.play(1, OPENING[1])
    eventually(lambda: [len(d["events"]) for d in server.documents.values()] == [3])
    (document,) = server.documents.values()
    kinds = [event["type"] for event in document["events"]]
    assert kinds == ["TILE_PLACEMENT_MOVE", "CHALLENGE_BONUS", "TILE_PLACEMENT_MOVE"]
    assert document["challenge_rule"] == "ChallengeRule_FIVE_POINT"
    assert "ReplaceGameDocument" not in server.counts
    program.terminate()
    program.wait()
    table.log.close()


@pytest.mark.further
def test_a_round_that_their_feed_lacks_is_said_once_and_claimed_when_it_has_it(
    server: TheirServer, log: Path
):
    server.add_broadcast("spring", "")
    table, heard = seated(log, 7, 1, 2), log.with_name("said")
    table.play(0, OPENING[0])
    program = Program(*words_of(log, server, "--broadcast", "spring"), said=heard)
    eventually(lambda: "their feed has no game at table 7 in round 1" in said(heard))
    eventually(lambda: server.counts.get("GetBroadcastGames", 0) >= 3)
    assert server.counts["TriggerPoll"] == 1
    server.broadcasts["spring"]["feed"] = feed_of(log)
    eventually(lambda: [len(d["events"]) for d in server.documents.values()] == [1])
    assert said(heard).count("their feed has no game") == 1
    program.terminate()
    program.wait()
    table.log.close()


@pytest.mark.parametrize("fault", [None, "drop_after"])
def test_their_feed_is_read_again_for_a_round_paired_since(
    server: TheirServer, log: Path, fault: str | None
):
    """Their answer to that may be lost."""
    server.add_broadcast("spring", "", directors=["ann"])
    server.sources["spring"] = feed_of(log)
    server.faults = lambda method, _: fault if method == "TriggerPoll" else None
    table, heard = seated(log, 7, 1, 2), log.with_name("said")
    program = Program(*words_of(log, server, "--broadcast", "spring"), said=heard)
    table.play(0, OPENING[0])
    eventually(lambda: [len(d["events"]) for d in server.documents.values()] == [1])
    assert "cannot be reached" not in said(heard)
    program.terminate()
    program.wait()
    table.log.close()


@pytest.mark.further
def test_slots_there_show_what_slots_here_show(server: TheirServer, log: Path):
    server.add_broadcast("spring", feed_of(log))
    tables = [seated(log, 7, 1, 2), seated(log, 8, 3, 4)]
    dashboard = Server(log, free_port())
    dashboard.start("--table", "7")
    mirror = words_of(log, server, "--broadcast", "spring", "--slots", dashboard.url(""))
    program = Program(*mirror)
    eventually(lambda: server.slots.get(("spring", "featured")) == ("A", 1, 7))
    point(dashboard, "featured", {"table": 8})
    eventually(lambda: server.slots["spring", "featured"] == ("A", 1, 8))
    point(dashboard, "stream", {"follow": "Ann Example"})
    eventually(lambda: server.slots.get(("spring", "stream")) == ("A", 1, 7))
    assert server.counts["CreateSlot"] == 2
    program.terminate()
    program.wait()
    dashboard.kill()
    for table in tables:
        table.log.close()


def test_slots_need_a_director_there(server: TheirServer, log: Path):
    server.add_broadcast("spring", feed_of(log), directors=["carl"], annotators=["ann"])
    table, heard = seated(log, 7, 1, 2), log.with_name("said")
    dashboard = Server(log, free_port())
    dashboard.start("--table", "7")
    mirror = words_of(log, server, "--broadcast", "spring", "--slots", dashboard.url(""))
    program = Program(*mirror, said=heard)
    eventually(lambda: "slots: the key's account is not a director of 'spring'" in said(heard))
    table.play(0, OPENING[0])
    eventually(lambda: [len(d["events"]) for d in server.documents.values()] == [1])
    program.terminate()
    program.wait()
    dashboard.kill()
    table.log.close()


def point(dashboard: Server, slot: str, what: dict[str, object]) -> None:
    """As the builder does it for a director."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    opener.open(dashboard.url(f"/enter/{DIRECTOR}"), timeout=BUSY_S).close()
    headers = {"Content-Type": "application/json", "Origin": dashboard.url("")}
    request = urllib.request.Request(
        dashboard.url(f"/api/slots/{slot}"), json.dumps(what).encode(), headers
    )
    opener.open(request, timeout=BUSY_S).close()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--broadcast", "spring", "wrong key"), "Copy it from woogles.io, Settings, API"),
        (("--broadcast", "autumn"), "no broadcast 'autumn': its name is the end of its address"),
        (("--broadcast", "spring", "no round"), "round 1: pair the round in the event"),
        (("--broadcast", "spring", "other names"), "correct the names in the event"),
        (
            ("--broadcast", "spring", "no lexicon"),
            "not have the lexicon of the broadcast; choose another",
        ),
        (("--lexicon", "NWL99"), "may not have the lexicon NWL99; choose another, such as NWL23"),
    ],
    ids=lambda given: given[-1] if isinstance(given, tuple) else "",
)
def test_what_is_wrong_is_one_sentence_with_the_remedy_said_once(
    server: TheirServer, log: Path, options: tuple[str, ...], says: str
):
    *words, wrong = options
    table, heard = seated(log, 7, 1, 2), log.with_name("said")
    server.add_broadcast("spring", feed_of(log))
    match wrong:
        case "wrong key":
            server.users.clear()
        case "no round":
            server.broadcasts["spring"]["feed"] = ""
        case "other names":
            server.broadcasts["spring"]["feed"] = feed_of(log).replace("Ann Example", "Zoe")
        case "no lexicon":
            server.broadcasts["spring"]["lexicon"] = "NWL99"
        case _:
            words = list(options)
    program = Program(*words_of(log, server, *words), said=heard)
    eventually(lambda: says in said(heard))
    table.play(0, OPENING[0])
    calls = len(server.calls)
    eventually(lambda: len(server.calls) > calls or wrong not in ("no round", "other names"))
    (line,) = [line for line in said(heard).splitlines() if says in line]
    print(line)
    program.terminate()
    program.wait()
    table.log.close()
