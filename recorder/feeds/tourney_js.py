"""``tourney.js``, the file in which TSH shows an event to other programs; read and written.

Its form was taken from feeds in the wild, its meaning from how TSH fills them. What is odd in it
is named with its place, and the rest is used. Knows no file and no network.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from recorder.domain.errors import NotationError
from recorder.domain.event.divisions import (
    Event,
    EventDivision,
    EventPlayer,
    InitialRecord,
    PlayerRound,
    Raw,
)
from recorder.domain.event.placing import placings
from recorder.domain.event.rating import projected_ratings
from recorder.domain.rules.core.parameters import Rules
from recorder.feeds.fault import FeedFault
from recorder.feeds.forfeits import as_feeds_have
from recorder.feeds.javascript import Literal, read_literal
from recorder.feeds.rating_list import IDENT

MOST_PLAYERS = 5_000
MOST_ROUNDS = 1_000
_BEGINNING = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|(\bnewt\s*=\s*)|([{<])", re.DOTALL)
"""Comments, which are read past; the assignment, or else the first bracket."""
CROSS_TABLES = "XT"
"""How an id at cross-tables begins."""
_STARTS = (1, 2)
_OWN = {"board", "p12", "penalty", "off", "initrec"}
"""The vectors that are read into values; the others are passed on as they are."""


@dataclass(slots=True)
class Feed:
    """An event as a feed has it, with what is wrong; ``whole`` False: its end is missing."""

    event: Event
    faults: list[FeedFault] = field(default_factory=list)
    whole: bool = True


def read_tourney_js(text: str) -> Feed:
    """An event from the text of a ``tourney.js``; NotationError when it holds no division."""
    start = _beginning(text)
    if start is None:
        kind = "a page of HTML" if text.lstrip()[:1] == "<" else "no object"
        raise NotationError(f"is {kind}, not tourney.js, which begins with newt=" + "{")
    literal = read_literal(text, start)
    reader = _Reader(literal)
    return reader.read()


def _beginning(text: str) -> int | None:
    """Where the object begins; None where there is none, or a page of HTML."""
    first = None
    for match in _BEGINNING.finditer(text):
        if match[1]:
            return match.end()
        if first is None and match[2]:
            first = match
    return first.start() if first is not None and first[2] == "{" else None


class _Reader:
    """Takes a literal apart, division by division; every oddity becomes a fault."""

    def __init__(self, literal: Literal) -> None:
        self._literal = literal
        self._faults: list[FeedFault] = []
        self._division = ""

    def read(self) -> Feed:
        root = self._literal.value
        found = root.get("divisions") if isinstance(root, dict) else None
        if not isinstance(found, list) or not any(isinstance(entry, dict) for entry in found):
            raise NotationError("holds no divisions: a feed of TSH lists them under `divisions`")
        for line, sign in self._literal.odd:
            message = f"{sign!r} is skipped"
            self._faults.append(
                FeedFault(code="odd_sign", message=message, line=line, warning=True)
            )
        config = root.get("config")
        config = config if isinstance(config, dict) else {}
        divisions = tuple(
            self._read_division(place, entry, config)
            for place, entry in enumerate(found, start=1)
            if isinstance(entry, dict)
        )
        if not self._literal.ended:
            self._add_broken_off(divisions)
        event = Event(
            name=_text(config.get("event_name")),
            date=_text(config.get("event_date")),
            divisions=divisions,
        )
        return Feed(event=event, faults=self._faults, whole=self._literal.ended)

    def _add_broken_off(self, divisions: Sequence[EventDivision]) -> None:
        last = divisions[-1]
        player = last.players[-1] if last.players else None
        self._faults.append(
            FeedFault(
                code="broken_off",
                message="the feed ends in its middle, here; what comes after is missing. Fetch it"
                " again",
                division=last.name,
                player=player.number if player else None,
                name=player.name if player else None,
            )
        )

    def _fault(self, code: str, message: str, player: EventPlayer | None = None, **at: Any) -> None:
        about = {"player": player.number, "name": player.name} if player else {}
        self._faults.append(
            FeedFault(code=code, message=message, division=self._division, **{**about, **at})
        )

    def _read_division(
        self, place: int, entry: Mapping[str, Any], config: Mapping[str, Any]
    ) -> EventDivision:
        name = _text(entry.get("name"))
        self._division = name or str(place)
        if not name:
            self._fault("no_name", f"the division has no name: it is called {place}", warning=True)
        listed = entry.get("players")
        if not isinstance(listed, list):
            self._fault("no_players", "the division lists no players")
            listed = []
        last = whole_number(config.get("max_rounds"))
        cap = whole_number(config.get("spread_cap"))
        return EventDivision(
            name=self._division,
            players=tuple(self._read_players(listed[:MOST_PLAYERS])),
            last_round=last or None,
            spread_cap=cap or None,
        )

    def _read_players(self, listed: Sequence[Any]) -> Iterator[EventPlayer]:
        known: set[int] = set()
        for place, entry in enumerate(listed):
            if entry is None:
                if place:
                    message = f"player {place} is missing: the feed has nothing in that place"
                    self._fault("player_missing", message)
                continue
            if not isinstance(entry, dict):
                self._fault("not_a_player", f"in place {place} is {entry!r}, which is not a player")
                continue
            player = self._read_player(place, entry)
            if player.number in known:
                free = next(n for n in range(1, MOST_PLAYERS * 2) if n not in known)
                message = f"another player has number {player.number}: called {free} here"
                self._fault("number_twice", message, player)
                player = replace(player, number=free)
            known.add(player.number)
            yield player
        holes = {place for place, entry in enumerate(listed) if place and entry is None}
        highest = max(known, default=0)
        if highest > 2 * len(known) + len(holes):  # numbers of another kind, not places in a list
            return
        for number in sorted({*range(1, highest)} - known - holes):
            message = f"player {number} is missing: no player has this number"
            self._fault("player_missing", message)

    def _read_player(self, place: int, entry: Mapping[str, Any]) -> EventPlayer:
        number = whole_number(entry.get("id"))
        etc = entry.get("etc")
        etc = etc if isinstance(etc, dict) else {}
        name, ident = name_and_ident(_text(entry.get("name")), etc.get("xtid"))
        player = EventPlayer(
            number=number if number and number > 0 else place or 1,
            name=name or f"player {place}",
            rating=whole_number(entry.get("rating")),
            photo=_text(entry.get("photo")),
        )
        if number is None or number <= 0:
            said = "has no number" if entry.get("id") is None else f"has number {entry['id']!r}"
            self._fault("no_number", f"{said}: {player.number} is taken, by its place", player)
        if not name:
            self._fault("no_name", "has no name", player)
        away = _vector(etc.get("off"))
        return replace(
            player,
            ident=_member(entry.get("member")) or ident,
            rounds=tuple(self._read_rounds(player, entry, etc)),
            absence_margin=(whole_number(away[0]) or 0) if away else None,
            brought=initial_record(_vector(etc.get("initrec"))),
            extra={k: tuple(v) for k, v in etc.items() if k not in _OWN and _is_plain(v)},
        )

    def _read_rounds(
        self, player: EventPlayer, entry: Mapping[str, Any], etc: Mapping[str, Any]
    ) -> Iterator[PlayerRound]:
        opponents = self._numbers(player, "pairings", entry.get("pairings"))
        scores = self._numbers(player, "scores", entry.get("scores"))
        tables = [whole_number(value) for value in _vector(etc.get("board"))]
        starts = [whole_number(value) for value in _vector(etc.get("p12"))]
        penalties = [whole_number(value) for value in _vector(etc.get("penalty"))]
        for place in range(min(max(len(opponents), len(scores)), MOST_ROUNDS)):
            start = _at(starts, place)
            yield PlayerRound(
                opponent=_at(opponents, place),
                score=_at(scores, place),
                start=start if start in _STARTS else None,
                table=_at(tables, place) or None,
                penalty=_at(penalties, place) or 0,
            )

    def _numbers(self, player: EventPlayer, field_: str, values: Any) -> list[int | None]:
        """A vector of whole numbers; what is none is named, and not known."""
        if values is not None and not isinstance(values, list):
            self._fault("not_a_list", f"{field_} is {values!r}, not a list", player)
            return []
        numbers = [whole_number(value) for value in values or ()]
        for round_, (value, number) in enumerate(zip(values or (), numbers, strict=True), start=1):
            if value is not None and number is None:
                message = f"{field_} holds {value!r}, which is not a whole number"
                self._fault("not_a_number", message, player, round=round_)
        return numbers


def name_and_ident(text: str, xtid: Any) -> tuple[str, str]:
    """The name and the id behind it, as in `Ashdown, Vera:XT006003`, or that in ``xtid``.

    ``xtid`` is the number at cross-tables, or a list of it.
    """
    name, colon, ident = text.rpartition(":")
    if colon and IDENT.fullmatch(ident):
        return name.strip(), ident
    found = [*xtid] if isinstance(xtid, list | tuple) else [xtid]
    number = whole_number(found[0]) if found else None
    return text, f"{CROSS_TABLES}{number:06}" if number and number > 0 else ""


def _member(value: Any) -> str:
    text = _text(value)
    return text if re.fullmatch(r"[A-Za-z0-9_-]{0,20}", text) else ""


def _at(values: Sequence[int | None], place: int) -> int | None:
    return values[place] if place < len(values) else None


def _vector(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_plain(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(v, int | float | str | None) for v in value)


def _text(value: Any) -> str:
    """A name as text; a number is one, ``undefined`` and the like are none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())


def whole_number(value: Any) -> int | None:
    """A whole number, also where it is written as text or with a point; else None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        text = value.strip().removeprefix("+")
        return int(text) if text.removeprefix("-").isdecimal() and len(text) < 10 else None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int) else None


def initial_record(values: Sequence[Any]) -> InitialRecord | None:
    """What ``initrec`` says: wins, losses, spread; None where it says less."""
    if len(values) < 3:
        return None
    wins, losses, spread = (v if isinstance(v, int | float) else 0 for v in values[:3])
    return InitialRecord(wins=wins, losses=losses, spread=int(spread))


def rank_vectors(
    event: Event, rules_of: Callable[[EventDivision], Rules]
) -> dict[str, dict[int, list[int]]]:
    """For every division and player the rank before each round, as far as they take part."""
    ranks: dict[str, dict[int, list[int]]] = {}
    for division in event.divisions:
        of = ranks.setdefault(division.name, {player.number: [] for player in division.players})
        for after in range(division.scored_rounds + 1):
            for row in placings(rules_of(division), division, after):
                if not row.left and len(of[row.number]) == after:
                    of[row.number].append(row.rank)
    return ranks


def write_tourney_js(event: Event, ranks: Mapping[str, Mapping[int, Sequence[int]]]) -> str:
    """An event as ``tourney.js``, in plain JSON after ``newt=``, as every reader takes it.

    ``ranks``: for each division by name and player by number the rank before every round, which
    is what ``rrank`` holds. Lists have no holes and nothing but whole numbers: one reader in use
    leaves out a player for less.
    """
    rounds = [d.last_round for d in event.divisions if d.last_round is not None]
    document = {
        "config": {
            "event_name": event.name,
            "event_date": event.date,
            "max_rounds": max(rounds, default=None),
            "spread_cap": next((d.spread_cap for d in event.divisions if d.spread_cap), None),
        },
        "divisions": [
            _written_division(as_feeds_have(d), ranks.get(d.name, {})) for d in event.divisions
        ],
    }
    return f"newt={json.dumps(document, ensure_ascii=False, separators=(',', ':'))};\n"


def _written_division(
    division: EventDivision, ranks: Mapping[int, Sequence[int]]
) -> dict[str, Any]:
    players: list[dict[str, Any] | None] = [None]
    projected = projected_ratings(division)
    for player in sorted(division.players, key=lambda player: player.number):
        players += [None] * (player.number - len(players))
        written = _written_player(player, ranks.get(player.number))
        # Overlays show the gain from it. What a feed brought along goes on as it came.
        written["etc"].setdefault("newr", list(projected.get(player.number, ())))
        players.append(written)
    last = division.last_round or division.paired_rounds
    return {"name": division.name, "maxr": last - 1, "players": players}


def _written_player(player: EventPlayer, ranks: Sequence[int] | None) -> dict[str, Any]:
    return {
        "id": player.number,
        # letsplayscrabble finds a player of cross-tables by what stands behind the name.
        "name": f"{player.name}:{player.ident}"
        if player.ident[:2] == CROSS_TABLES
        else player.name,
        **({"member": player.ident} if player.ident else {}),
        "rating": player.rating or 0,
        "photo": player.photo,
        "pairings": list(known_opponents(player)),
        "scores": list(known_scores(player)),
        "etc": vectors_of(player, ranks),
    }


def known_opponents(player: EventPlayer) -> Iterator[int]:
    """Opponents round by round, up to the last that is known; a gap is a bye, as TSH has it."""
    last = max((n for n, r in enumerate(player.rounds, 1) if r.opponent is not None), default=0)
    yield from (seen.opponent or 0 for seen in player.rounds[:last])


def known_scores(player: EventPlayer) -> Iterator[int]:
    """Scores round by round, up to the last that is known; one not known is 0."""
    last = max((n for n, r in enumerate(player.rounds, 1) if r.score is not None), default=0)
    yield from (seen.score or 0 for seen in player.rounds[:last])


def vectors_of(player: EventPlayer, ranks: Sequence[int] | None = None) -> dict[str, list[Raw]]:
    """The named vectors behind scores: tables, starts, penalties, ranks and what was passed on."""
    rounds = player.rounds[: sum(1 for _ in known_opponents(player))]
    vectors: dict[str, list[Raw]] = {key: list(value) for key, value in player.extra.items()}
    vectors["board"] = [seen.table or 0 for seen in rounds]
    vectors["p12"] = [seen.start or 0 for seen in rounds]
    if player.ident[:2] == CROSS_TABLES and player.ident[2:].isdecimal():
        vectors["xtid"] = [int(player.ident[2:])]
    if any(seen.penalty for seen in rounds):
        vectors["penalty"] = [seen.penalty for seen in rounds]
    if ranks is not None:
        vectors["rrank"] = list(ranks)
    if player.absence_margin is not None:
        vectors["off"] = [player.absence_margin]
    if player.brought is not None:
        vectors["initrec"] = [player.brought.wins, player.brought.losses, player.brought.spread]
    return dict(sorted(vectors.items()))
