"""Answers that no server should give: each is read, or named as what it is; nothing falls over."""

import contextlib
import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from recorder.domain.errors import NotationError
from recorder.gcg import read_gcg
from recorder.woogles import shapes
from recorder.woogles.document import game_document
from recorder.woogles.plan import Agreed, Divergence, next_step, seen_events
from recorder.woogles.wanted import wanted_game
from tests.woogles.test_mirrored_games import GOLDEN

pytestmark = pytest.mark.slow

JUNK: list[Any] = [
    *(None, True, 0, -1, 7, 300, 2**40, 1.5, float("inf"), "", "A", "8D", "\u0000", "GAME_OVER"),
    *("AAAA", "____", "////", "=", "9" * 50, [], {}, [[]], [None], {"a": 1}, ["AQ=="], "PASS"),
]
FAST, WHOLE = 1_500, 100_000


def the_game() -> tuple[Any, dict[str, Any]]:
    game = read_gcg((GOLDEN / "doubled_end_rack_then_overtime.gcg").read_bytes())
    wanted = wanted_game(game.tile_set, game.events)
    names = ("Ann", "Bob")
    blank = shapes.blank_document("uid", names, "NWL23", "english", "DOUBLE")
    return wanted, game_document(wanted, blank, len(wanted.events) - 2)


def place_in(value: Any, rng: random.Random) -> tuple[Any, Any]:
    """Somewhere in a value: what holds it, and its key there."""
    parent, key = None, None
    while isinstance(value, dict | list) and value and (parent is None or rng.random() < 0.8):
        parent = value
        key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
        value = value[key]
    return parent, key


def mutated(document: str, rng: random.Random) -> Any:
    """One to three places of a document changed, dropped or doubled."""
    made = json.loads(document)
    for _ in range(rng.randint(1, 3)):
        parent, key = place_in(made, rng)
        if parent is None:
            return rng.choice(JUNK)
        act = rng.randrange(4)
        if act == 0:
            del parent[key]
        elif act == 1 and isinstance(parent, list):
            parent.insert(key, copy.deepcopy(parent[key]))
        else:
            parent[key] = copy.deepcopy(rng.choice(JUNK))
    return made


def try_documents(count: int, seed: int) -> tuple[int, int]:
    """How many were refused, and how many read; a step was planned for each of those."""
    rng = random.Random(seed)
    wanted, given = the_game()
    document = json.dumps(given)
    refused = read = 0
    for _ in range(count):
        try:
            found = shapes.read_document(mutated(document, rng))
        except shapes.ShapeError:
            refused += 1
            continue
        read += 1
        for agreed in (Agreed(), Agreed(seen=seen_events(found))):
            step = next_step(wanted, found, agreed)
            if isinstance(step, Divergence):
                assert step.theirs
            else:
                json.dumps([call.body for call in getattr(step, "calls", ())])
    return refused, read


def test_mutated_documents():
    refused, read = try_documents(FAST, 1)
    assert min(refused, read) > FAST / 10


@pytest.mark.further
@pytest.mark.slow
def test_a_hundred_thousand_mutated_documents():
    assert sum(try_documents(WHOLE, 2)) == WHOLE


READERS: list[tuple[Callable[[object], object], Any]] = [
    (shapes.read_game_id, {"game_id": "x"}),
    (shapes.read_game_ids, {"games": [{"game_id": "x"}]}),
    (
        shapes.read_broadcast_games,
        {"games": [{"round": 1, "table_number": 2, "player1_name": "A", "player2_name": "B"}]},
    ),
    (
        shapes.read_broadcast,
        {"broadcast": {"slug": "s", "challenge_rule": 2}, "divisions": ["A"]},
    ),
]


@pytest.mark.parametrize(("reads", "answer"), READERS)
def test_mutated_answers_of_other_kinds(reads: Callable[[object], object], answer: Any):
    rng = random.Random(3)
    reads(answer)
    text = json.dumps(answer)
    for _ in range(FAST):
        with contextlib.suppress(NotationError):
            reads(mutated(text, rng))
