"""What goes over the wire has the names of their interface: header, paths, fields and values."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recorder.domain.game import Conceded
from recorder.tilesets import load_tile_set
from recorder.woogles import shapes
from tests.woogles.mirroring import KEY, Mirrored
from tests.woogles.test_faults_on_the_way import claimed
from tests.woogles.test_mirrored_games import OPENING, of_words
from tests.woogles.their_server import TheirServer

pytestmark = pytest.mark.slow

ENGLISH = load_tile_set("english")
FACTS = (
    Path(os.environ.get("TILECAST_SHARED", Path(__file__).parents[3] / "shared"))
    / "anchors/woogles.md"
)
FREE = frozenset({"Host", "Accept-Encoding", "Content-Length", "User-Agent"})
"""Headers of any request of HTTP."""


@pytest.fixture
def server():
    with TheirServer() as found:
        yield found


def test_the_key_goes_in_the_header_that_they_read(server: TheirServer, tmp_path: Path):
    Mirrored(server, tmp_path, ENGLISH).take(of_words(*OPENING[:1]))
    headers = [dict(given) for *_, given in server.calls]
    assert {given["X-Api-Key"] for given in headers} == {KEY}
    assert {given["Content-Type"] for given in headers} == {"application/json"}


def test_a_game_and_a_play_are_sent_as_they_read_them(server: TheirServer, tmp_path: Path):
    Mirrored(server, tmp_path, ENGLISH).take(of_words("8G QUIZ"))
    sent: dict[str, Any] = {}
    for _, method, body, _ in server.calls:
        sent.setdefault(method, json.loads(body))
    (uid,) = server.documents
    assert sent["CreateAnnotatedGame"] == {
        "players_info": [
            {"nickname": "Ann Example", "full_name": "Ann Example", "first": True},
            {"nickname": "Bob Example", "full_name": "Bob Example", "first": False},
        ],
        "lexicon": "NWL23",
        "rules": {
            "board_layout_name": "CrosswordGame",
            "letter_distribution_name": "english",
            "variant_name": "classic",
        },
        "challenge_rule": "ChallengeRule_DOUBLE",
    }
    assert sent["SetRacks"] == {"game_id": uid, "racks": ["CREVGg==", ""]}
    assert sent["SendGameEvent"] == {
        "event": {
            "type": "TILE_PLACEMENT",
            "game_id": uid,
            "position_coords": "8G",
            "machine_letters": "ERUJGg==",
        },
        "user_id": "internal-Ann Example",
    }


def names(value: Any) -> Iterator[str]:
    """The names of all fields in JSON."""
    if isinstance(value, dict):
        for name, held in value.items():
            yield name
            yield from names(held)
    elif isinstance(value, list):
        for held in value:
            yield from names(held)


@pytest.mark.skipif(not FACTS.exists(), reason="no shared facts of their interface here")
def test_every_name_that_is_sent_is_among_the_facts(server: TheirServer, tmp_path: Path):
    """The facts were written by others than the client and the server of these tests."""
    (tmp_path / "claimed").mkdir()
    lost = of_words(*OPENING, "-", "-", "-", "-", "-")
    mirrored = Mirrored(server, tmp_path, ENGLISH)
    for count in range(len(lost)):
        mirrored.take(lost[:count])
    mirrored.take(of_words("8D ZEPHYR", "F6 CO.T"))
    mirrored.take([*of_words("8D ZEPHYR", "F6 CO.T"), Conceded(0, 50, "resignation")], over=True)
    claimed(server, tmp_path / "claimed").take(of_words(*OPENING))
    facts = set(re.findall(r"[A-Za-z0-9_-]+", FACTS.read_text("utf-8")))
    sent = {name for _, _, body, _ in server.calls for name in names(json.loads(body))}
    assert sent - facts == set()
    assert {method for _, method, *_ in server.calls} - facts == set()
    assert {name for *_, headers in server.calls for name in headers} - FREE - facts == set()
    assert {*shapes.EVENT_TYPES, *shapes.CHALLENGE_RULES} - facts == set()
