"""Divisions of our own making: players, rounds played with scores from a seed, orders, feeds."""

import json
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from recorder.domain.event.divisions import BYE, EventDivision, EventPlayer, PlayerRound
from recorder.domain.event.next_round import NextRound, pair_round
from recorder.domain.event.orders import EventOrder
from recorder.domain.event.register import Register, extended, register_of
from recorder.domain.event.wanted import Method, WantedRound
from recorder.domain.rules.core.parameters import NO_RULE_SET, Rules
from recorder.lab.memory_log import MemoryEventLog
from recorder.log.port import EventLog
from recorder.matching import least_cost_pairs
from recorder.orders.event_record import judged_row
from recorder.orders.event_syntax import parse_event_order

NAMES = (
    "Ashdown, Vera", "Brok, Ilse", "Caro, Mateo", "Dube, Thandi", "Eklund, Saga", "Farouk, Nour",
    "Gruber, Toni", "Hoang, Linh", "Ivanova, Rada",
)  # fmt: skip


def division(count: int) -> EventDivision:
    """Players with falling ratings and no round yet."""
    return EventDivision(
        name="A",
        players=tuple(
            EventPlayer(number=n, name=name_of(n), rating=2000 - 10 * n)
            for n in range(1, count + 1)
        ),
    )


def name_of(number: int) -> str:
    return NAMES[number - 1] if number <= len(NAMES) else f"Player, No{'x' * (number % 7)}"


def paired(
    field: EventDivision, method: Method, round_: int, *, seed: int = 1, rules: Rules = NO_RULE_SET
) -> NextRound:
    order = [player.number for player in field.players]
    Random(seed).shuffle(order)
    wanted = WantedRound(round=round_, method=method, order=order)
    return pair_round(rules, field, wanted, least_cost_pairs)


def with_round(field: EventDivision, drawn: NextRound, rng: Random) -> EventDivision:
    """The division after a round was played with scores by chance."""
    lines = {}
    for pair in drawn.pairs:
        scores = rng.randint(280, 560), rng.randint(280, 560)
        for seat, (own, other) in enumerate(((pair.first, pair.second), (pair.second, pair.first))):
            lines[own] = PlayerRound(
                opponent=other, score=scores[seat], start=seat + 1, table=pair.table
            )
    if drawn.bye is not None:
        lines[drawn.bye] = PlayerRound(opponent=BYE, score=50)
    players = tuple(
        EventPlayer(
            number=player.number, name=player.name, rating=player.rating,
            rounds=(*player.rounds, lines[player.number]),
        )
        for player in field.players
    )  # fmt: skip
    return EventDivision(name=field.name, players=players)


def played(count: int, method: Method, rounds: int, seed: int = 1) -> EventDivision:
    rng = Random(seed)
    field = division(count)
    for round_ in range(1, rounds + 1):
        field = with_round(field, paired(field, method, round_, seed=seed + round_), rng)
    return field


def after_rounds(count: int, rounds: Iterable[Sequence[tuple[int, int]]]) -> EventDivision:
    """A division whose rounds had these pairs; BYE is no opponent."""
    field = division(count)
    lines: dict[int, list[PlayerRound]] = {player.number: [] for player in field.players}
    for pairs in rounds:
        opponents = {a: b for pair in pairs for a, b in (pair, pair[::-1])}
        for number, line in lines.items():
            opponent = opponents.get(number)
            score = None if opponent is None else 50 if opponent == BYE else 400
            line.append(PlayerRound(opponent=opponent, score=score))
    players = tuple(
        EventPlayer(number=p.number, name=p.name, rating=p.rating, rounds=tuple(lines[p.number]))
        for p in field.players
    )
    return EventDivision(name="A", players=players)


def write_orders(log: EventLog, said: Iterable[str | Sequence[str]], at: int) -> Register:
    """Orders of an event (words, or the parts of one) into a log, as ``o1``, ``o2`` and so on."""
    register = register_of(())
    for number, words in enumerate(said, start=1):
        parts = words.split() if isinstance(words, str) else words
        act = parse_event_order(parts, register.event)
        order = EventOrder(id=f"o{number}", who="Dora", act=act, agreed=True)
        log.append([judged_row(register, order, at)[0]])
        register = extended(register, order)
    assert register.left_out == ()
    return register


def register_after(*said: str) -> Register:
    """What the event is after orders, each in words."""
    return write_orders(MemoryEventLog(), said, at=1)


def player_json(number: int, name: str, /, **fields: Any) -> dict[str, Any]:
    """A player as tourney.js has one."""
    return {
        "id": number, "name": name, "rating": 1500, "pairings": [], "scores": [], "etc": {},
        **fields,
    }  # fmt: skip


def feed_text(*players: Any, name: Any = "A", **config: Any) -> str:
    """A tourney.js with one division; a player may be a dict or text of JavaScript."""
    entries = [p if isinstance(p, str) else json.dumps(p) for p in ("undefined", *players)]
    about = json.dumps({"event_name": "Harbour Open", "max_rounds": 7, **config})
    return (
        f'newt={{"config":{about},"divisions":[{{"name":{json.dumps(name)},'
        f'"players":[{",".join(entries)}]}}]}};'
    )
