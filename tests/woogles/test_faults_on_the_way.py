"""Whatever goes wrong with a request, the game is there in the end, once, and nobody waits."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dashboard.woogles.client import ApiKey, Pace, UnreachableError, Woogles
from dashboard.woogles.mirror import KeyRefusedError, Target
from recorder.domain.game import ChallengeBonus
from recorder.gcg import read_gcg
from recorder.tilesets import load_tile_set
from recorder.woogles import shapes
from tests.cases import crossed, first_of
from tests.woogles.mirroring import KEY, Mirrored, phonies_of
from tests.woogles.test_mirrored_games import GOLDEN, OPENING, events_there, of_words
from tests.woogles.their_server import TheirServer

pytestmark = pytest.mark.slow

Change = Callable[[TheirServer, Mirrored], object]
ENGLISH = load_tile_set("english")
FEED = (
    'newt={"divisions":[{"name":"A","players":[null,'
    '{"id":1,"name":"Example, Ann","pairings":[2],"scores":[],"etc":{"board":[7],"p12":[2]}},'
    '{"id":2,"name":"Example, Bob","pairings":[1],"scores":[],"etc":{"board":[7],"p12":[1]}}]}]};'
)
METHODS = (
    *("CreateAnnotatedGame", "GetMyUnfinishedGames", "GetGameDocument", "SendGameEvent"),
    *("SetRacks", "ReplaceGameDocument"),
)
FAULTS = {
    "no answer": "drop",
    "done, and no answer": "drop_after",
    "too late": 0.4,
    "too many requests": 429,
    "a proxy's page": b"<html>Bad gateway</html>",
    "an empty answer": b"",
    "cut short": b'{"uid":"x","events":[{"ty',
    "unavailable": (503, {"code": "unavailable", "message": "restarting"}),
    "internal": (500, {"code": "internal", "message": "database is gone"}),
}


@pytest.fixture
def server():
    with TheirServer() as found:
        yield found


@pytest.mark.parametrize(("fault", "method"), first_of(9, crossed(FAULTS, METHODS)))
def test_every_second_request_of_a_kind_fails(
    server: TheirServer, tmp_path: Path, method: str, fault: str
):
    game = read_gcg((GOLDEN / "doubled_end_rack_then_overtime.gcg").read_bytes())
    server.phonies = phonies_of(ENGLISH, game.events)
    mirrored = Mirrored(server, tmp_path, ENGLISH)
    mirrored.woogles.close()
    mirrored.woogles = Woogles(server.url, ApiKey(KEY), Pace(100_000), 0.2)
    server.at_end.append(mirrored.woogles.close)
    server.faults = lambda name, count: FAULTS[fault] if name == method and count % 2 else None
    for count in range(len(game.events) + 1):
        stand = mirrored.take(game.events[:count], over=count == len(game.events), steps=60)
    assert stand.state == "in_step", stand
    kinds = [kind for kind, *_ in events_there(mirrored)]
    assert kinds.count("TIME_PENALTY") == 2
    assert len(server.documents) == 1


@pytest.mark.parametrize(
    ("fault", "method"),
    first_of(
        9,
        crossed(FAULTS, ["GetBroadcastGames", "ClaimGame", "GetGameDocument", "PatchGameDocument"]),
    ),
)
def test_every_second_request_of_a_claim_fails(
    server: TheirServer, tmp_path: Path, method: str, fault: str
):
    """Seats and the challenge rule are put right there too; nobody chooses anything."""
    mirrored = claimed(server, tmp_path)
    mirrored.names, mirrored.challenge = ("Ann Example", "Bob Example"), "FIVE_POINT"
    mirrored.woogles.close()
    mirrored.woogles = Woogles(server.url, ApiKey(KEY), Pace(100_000), 0.2)
    server.at_end.append(mirrored.woogles.close)
    server.faults = lambda name, count: FAULTS[fault] if name == method and count % 2 else None
    for count in range(len(OPENING) + 1):
        stand = mirrored.take(of_words(*OPENING[:count]), steps=60)
    assert stand.state == "in_step", stand
    (document,) = server.documents.values()
    assert document["challenge_rule"] == "ChallengeRule_FIVE_POINT"
    assert [player["real_name"] for player in document["players"]] == [
        *("Example, Ann", "Example, Bob"),
    ]


def test_their_service_is_away_and_comes_back(server: TheirServer, tmp_path: Path):
    mirrored = Mirrored(server, tmp_path, ENGLISH)
    mirrored.take(of_words(*OPENING[:1]))
    server.faults = lambda *_: 503
    mirrored.mirror.take(mirrored.ours(of_words(*OPENING[:2])))
    with pytest.raises(UnreachableError, match="503"):
        mirrored.mirror.step(mirrored.woogles)
    mirrored.mirror.away("503")
    assert mirrored.mirror.stand.state == "away"
    server.faults = lambda *_: None
    assert mirrored.take(of_words(*OPENING[:3])).state == "in_step"
    assert len(mirrored.document["events"]) == 3


def test_the_key_is_revoked(server: TheirServer, tmp_path: Path):
    mirrored = Mirrored(server, tmp_path, ENGLISH)
    mirrored.take(of_words(*OPENING[:1]))
    server.users.clear()
    mirrored.mirror.take(mirrored.ours(of_words(*OPENING[:2])))
    with pytest.raises(KeyRefusedError, match=r"Copy it from woogles\.io") as refused:
        mirrored.mirror.step(mirrored.woogles)
    assert KEY not in str(refused.value)


def test_a_game_deleted_by_hand_is_made_again_when_the_director_says_so(
    server: TheirServer, tmp_path: Path
):
    mirrored = Mirrored(server, tmp_path, ENGLISH)
    first = mirrored.take(of_words(*OPENING[:1])).uid
    del server.documents[first], server.owners[first]
    stand = mirrored.take(of_words(*OPENING[:2]))
    assert stand.difference["what"] == "gone"
    stand = mirrored.choose("replace")
    assert stand.state == "in_step"
    assert stand.uid != first
    assert len(mirrored.document["events"]) == 2


def claimed(server: TheirServer, folder: Path) -> Mirrored:
    server.add_broadcast("spring", FEED)
    names = ("Bob Example", "Ann Example")
    mirrored = Mirrored(server, folder, ENGLISH, Target(slug="spring"), names)
    mirrored.place = ("A", 1)
    return mirrored


def test_a_table_of_a_broadcast_is_claimed(server: TheirServer, tmp_path: Path):
    mirrored = claimed(server, tmp_path)
    assert mirrored.take(of_words(*OPENING)).state == "in_step"
    assert list(server.claims) == [("spring", "A", 1, 7)]
    assert [player["real_name"] for player in mirrored.document["players"]] == [
        *("Example, Bob", "Example, Ann"),
    ]


def test_the_player_who_went_first_is_put_in_front_there(server: TheirServer, tmp_path: Path):
    mirrored = claimed(server, tmp_path)
    mirrored.names = ("Ann Example", "Bob Example")
    assert mirrored.take(of_words(*OPENING)).state == "in_step"
    assert mirrored.document["players"][0]["real_name"] == "Example, Ann"
    assert len(mirrored.document["events"]) == len(OPENING)


def test_somebody_else_has_claimed_the_table(server: TheirServer, tmp_path: Path):
    mirrored = claimed(server, tmp_path)
    server.users["other"] = "carl"
    server.broadcasts["spring"]["annotators"] = ["carl"]
    server.ClaimGame({"slug": "spring", "round": 1, "table_number": 7, "division": "A"}, "other")
    stand = mirrored.take(of_words(*OPENING))
    assert stand.difference["theirs"] == "carl has claimed the table"


def test_our_own_claim_is_known_among_many(server: TheirServer, tmp_path: Path):
    """What was kept is lost, and their list of claims has the newest fifty alone."""
    (tmp_path / "lost").mkdir()
    first = claimed(server, tmp_path / "lost").take(of_words(*OPENING[:1])).uid
    for number in range(60):
        server.claims["spring", "B", 1, number] = f"other-{number}"
        server.owners[f"other-{number}"] = "ann"
    stand = claimed(server, tmp_path).take(of_words(*OPENING[:2]))
    assert (stand.state, stand.uid) == ("in_step", first)


@pytest.mark.parametrize("broadcast_has", [0, 2])
def test_phonies_come_off_whatever_rule_the_broadcast_has(
    server: TheirServer, tmp_path: Path, broadcast_has: int
):
    """VOID refuses phonies, and DOUBLE gives no points: the game there gets the table's rule."""
    mirrored = claimed(server, tmp_path)
    server.broadcasts["spring"]["challenge_rule"] = broadcast_has
    server.phonies, mirrored.challenge = {"NOBLEX"}, "FIVE_POINT"
    first, *others = of_words(*OPENING, "9I .OBLEX", "--", "9I .OBLE")
    events = [first, ChallengeBonus(0, 5), *others]
    for count in range(len(events) + 1):
        assert mirrored.take(events[:count]).state == "in_step"
    assert "ReplaceGameDocument" not in server.counts
    assert "challenges by FIVE_POINT, as the table plays" in "".join(mirrored.journal)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda s, _: s.broadcasts.clear(), "there is no broadcast 'spring'"),
        (lambda s, _: s.broadcasts["spring"].update(directors=[]), "is not an annotator"),
        (lambda s, _: s.broadcasts["spring"].update(lexicon="NWL99"), "have the lexicon"),
        (lambda _, m: setattr(m, "place", ("A", 2)), "no game at table 1 in round 2"),
        (lambda _, m: setattr(m, "names", ("Cleo", "Dora")), "no game at table 1"),
        (lambda _, m: setattr(m, "place", None), "games of an event's rounds"),
    ],
)
def test_what_was_set_up_wrongly_is_one_sentence(
    server: TheirServer, tmp_path: Path, change: Change, says: str
):
    mirrored = claimed(server, tmp_path)
    change(server, mirrored)
    stand = mirrored.take(of_words(*OPENING))
    assert says in stand.difference["theirs"]
    assert "\n" not in stand.difference["theirs"]


def test_a_single_game_that_is_blocked_by_another(server: TheirServer, tmp_path: Path):
    server.users[KEY] = "ann"
    server._make("ann", [("X", "X"), ("Y", "Y")], "NWL23", "english", "ChallengeRule_DOUBLE")
    stand = Mirrored(server, tmp_path, ENGLISH).take(of_words(*OPENING))
    assert "--broadcast" in stand.difference["theirs"]


def test_an_edit_by_hand_is_a_difference_with_choices(server: TheirServer, tmp_path: Path):
    mirrored = Mirrored(server, tmp_path, ENGLISH)
    mirrored.take(of_words(*OPENING[:2]))
    document = mirrored.document
    user = document["players"][0]["user_id"]
    event = {"type": "PASS", "game_id": document["uid"]}
    server.SendGameEvent({"event": event, "user_id": user}, KEY)
    mirrored.mirror.forget()
    stand = mirrored.take(of_words(*OPENING[:3]))
    assert (stand.difference["what"], stand.difference["theirs"]) == ("edited", "Ann Example: pass")
    assert mirrored.choose("replace").state == "in_step"
    assert [kind for kind, *_ in events_there(mirrored)] == ["TILE_PLACEMENT_MOVE"] * 3


def test_a_challenge_that_they_decide_otherwise(server: TheirServer, tmp_path: Path):
    mirrored = Mirrored(server, tmp_path, ENGLISH)
    events = of_words(*OPENING, "9I .OBLEX", "--")
    for count in range(len(events) + 1):
        stand = mirrored.take(events[:count])
    assert stand.difference["what"] == "challenge"
    assert stand.difference["ours"] == "Ann Example: play challenged off -16"
    assert stand.difference["theirs"] == "Bob Example: turn lost by a challenge"
    assert mirrored.choose("replace").state == "in_step"
    assert events_there(mirrored)[-1][0] == "PHONY_TILES_RETURNED"


def test_a_difference_may_be_left(server: TheirServer, tmp_path: Path):
    mirrored = Mirrored(server, tmp_path, ENGLISH)
    server.phonies = {"COPY"}
    document_of = mirrored.take(of_words(*OPENING[:2]))
    document = server.documents[document_of.uid]
    document["events"][-1]["score"] += 3
    mirrored.mirror.forget()
    stand = mirrored.take(of_words(*OPENING[:3]))
    assert stand.state == "differs"
    stand = mirrored.choose("leave")
    assert stand.state == "in_step"
    assert document_of.uid == stand.uid
    assert len(mirrored.document["events"]) == 3


def test_a_mirror_that_was_stopped_stays_stopped(server: TheirServer, tmp_path: Path):
    mirrored = Mirrored(server, tmp_path, ENGLISH)
    mirrored.take(of_words(*OPENING[:1]))
    assert mirrored.choose("stop").state == "stopped"
    assert mirrored.take(of_words(*OPENING)).state == "stopped"
    assert len(mirrored.document["events"]) == 1
    assert mirrored.choose("go_on").state == "in_step"
    assert len(mirrored.document["events"]) == len(OPENING)


def test_an_answer_of_another_shape_is_named(server: TheirServer, tmp_path: Path):
    mirrored = Mirrored(server, tmp_path, ENGLISH)
    mirrored.take(of_words(*OPENING[:1]))
    mirrored.document["players"] = []
    mirrored.mirror.forget()
    stand = mirrored.take(of_words(*OPENING[:2]))
    assert "players" in stand.difference["theirs"]
    with pytest.raises(shapes.ShapeError):
        shapes.read_document(mirrored.document)
