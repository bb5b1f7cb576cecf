"""The event as the log has it: as it is for directors, late by the delay for everybody else."""

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar, cast

from dashboard.event.crosstable import crosstable, word_frame
from dashboard.event.late_orders import LateOrders
from dashboard.live.log_follower import Batch
from dashboard.web.caching import CachedText
from recorder.domain.event.divisions import BYE, EventDivision, EventGame
from recorder.domain.event.highs import HighWord, counts_in_event, high_games, high_words
from recorder.domain.event.meetings import is_bye
from recorder.domain.event.orders import ClaimResult, EnterResult, EventOrder, ForfeitGame
from recorder.domain.event.placing import placings
from recorder.domain.event.reach import places_in_reach
from recorder.domain.event.register import Register
from recorder.domain.event.seating import Pairing, PlayerKey, first_in_front
from recorder.feeds.tourney_js import rank_vectors, write_tourney_js
from recorder.frames import event as frames
from recorder.frames.public import PlayerCard
from recorder.orders.event_record import EventDesk
from recorder.orders.event_rules import rules_of

if TYPE_CHECKING:
    from dashboard.director.orders import OrderLine
    from recorder.declared.codec import Json


_T = TypeVar("_T")
_MOST_KEPT = 2
_Results = EnterResult | ClaimResult | ForfeitGame
HIGH_GAMES, LATEST_RESULTS, LATEST_GAMES = 8, 12, 5
"""So many high games and results the public gets of a division, and games of a player."""
FOLLOWED_S = 2.0
"""How long an accepted order is waited for in the log at most, in seconds."""


def give_followed(line: "OrderLine", event: "EventView", order: EventOrder) -> "Json | None":
    """What the recorder answers to an order; one that it took is in the event by then."""
    reply = line.give_event(order)
    if reply is not None and reply["ok"]:
        event.wait_for(order.id)
    return reply


class MadeOnce:
    """What was made of an event, once for each change of it; of the events asked for last."""

    def __init__(self) -> None:
        self._kept: list[tuple[Register, dict[object, Any]]] = []

    def of(self, register: Register, what: object, make: Callable[[], _T]) -> _T:
        """What ``make`` gave for this register, or gives now; on any thread."""
        made = next((made for known, made in self._kept if known is register), {})
        others = [kept for kept in self._kept if kept[0] is not register]
        self._kept = [(register, made), *others[:_MOST_KEPT]]
        if what not in made:
            made[what] = make()
        found: _T = made[what]
        return found


class EventView:
    """Follows the orders about the event. ``delay_ms`` and ``now`` as for the public frames.

    ``words`` has the highest plays of the recorded games; the same object until one more is over.

    All but ``feed_of`` and ``wait_for`` is called on the event loop.
    """

    def __init__(
        self,
        delay_ms: int,
        now: Callable[[], int],
        words: Callable[[], Sequence[HighWord]] = tuple,
    ) -> None:
        self._delay_ms, self._now = delay_ms, now
        self._high_words, self._words = words, words()
        self._begin()

    def _begin(self) -> None:
        self._desk, self._late = EventDesk(), LateOrders(self._delay_ms)
        self._made, self._made_of_words = MadeOnce(), MadeOnce()

    @property
    def words(self) -> Sequence[HighWord]:
        """The highest plays of the recorded games; what was made of others is made again."""
        words = self._high_words()
        if words is not self._words:
            self._words = words
            self._made_of_words = MadeOnce()
        return words

    def take(self, batch: Batch) -> None:
        """Take in rows that followed."""
        if batch.anew:
            self._begin()
        for row in batch.rows:
            if row.type.startswith("event."):
                self._desk.take(row)
                self._late.take(row)

    def wait_for(self, order: str) -> None:
        """Wait until an accepted order has been read from the log, for ``FOLLOWED_S`` at most.

        The recorder answers before its log is read here; the next request should see the order.
        """
        until = time.monotonic() + FOLLOWED_S
        while time.monotonic() < until:
            if any(known.id == order for known in reversed(self.register.orders)):
                return
            time.sleep(0.01)

    @property
    def register(self) -> Register:
        """The event as it is."""
        return self._desk.register

    @property
    def on_air(self) -> Register:
        """The event as the public may see it by now."""
        return self._late.register_at(self._now())

    def name(self) -> str:
        """What the event is called, as the public may know it."""
        return self.on_air.event.name

    def cards(self) -> dict[PlayerKey, PlayerCard]:
        """Rating, record and place of every player as the public may know them: ``player_cards``.

        The same object until something changes.
        """
        register = self.on_air
        return self._made.of(register, "cards", lambda: player_cards(register))

    def counts(self, pairing: Pairing) -> bool:
        """Whether a recorded game counts in the event, as the public may know it."""
        division = self.on_air.event.division(pairing.division)
        if division is None:
            return True
        return counts_in_event(division, pairing.round, pairing.pair, pairing.attempt)

    def model_of(self, register: Register) -> frames.EventModel:
        """``event_model``, made once for each change; on any thread."""
        words = self.words
        return self._made_of_words.of(register, "model", lambda: event_model(register, words))

    def body_of(self, register: Register, division: str = "") -> CachedText:
        """The model as it is sent, of one division where one is named; made once a change.

        Every model names all divisions; of one that is not there it is that of all.
        """
        model, names = self.model_of(register), [found.name for found in register.event.divisions]
        division = division if division in names else ""

        def made() -> CachedText:
            shown = [d for d in model["divisions"] if division in ("", d["name"])]
            return _as_text({**model, "divisions": shown, "names": names})

        return self._made_of_words.of(register, ("body", division), made)

    def rounds_of(self, register: Register, division: EventDivision) -> CachedText:
        """All rounds of a division, made once a change."""
        words, what = self.words, ("rounds", division.name)
        return self._made_of_words.of(register, what, lambda: _as_text(crosstable(division, words)))

    def feed_of(self, register: Register) -> str:
        """``tourney.js`` of an event; made once for each change, on any thread."""
        event = register.event
        return self._made.of(
            register, "feed", lambda: write_tourney_js(event, rank_vectors(event, rules_of))
        )


def _as_text(model: Mapping[str, Any]) -> CachedText:
    return CachedText.of(json.dumps(model, ensure_ascii=False))


def player_cards(register: Register) -> dict[PlayerKey, PlayerCard]:
    """What the event says of its players, by division and number, and by name.

    "Ashdown, Vera" is Vera Ashdown too; a name that is several players' says nothing of anybody.
    """
    cards: dict[PlayerKey, PlayerCard] = {}
    shared: set[PlayerKey] = set()
    for division in register.event.divisions:
        players = {player.number: player for player in division.players}
        after = division.scored_rounds
        reach = places_in_reach(division, rules_of(division))
        for row in placings(rules_of(division), division, after):
            card: Json = {"rating": row.rating, "photo": players[row.number].photo}
            if after:
                spread = row.spread
                card |= {"wins": _halves(row.wins), "losses": _halves(row.losses), "spread": spread}
                card["place"] = None if row.left else row.rank
                card["reach"] = reach.get(row.number)
            card = {key: value for key, value in card.items() if value not in (None, "")}
            names: set[PlayerKey] = {row.name, players[row.number].spoken}
            shared |= names & cards.keys()
            keys = {(division.name, row.number), *names}
            cards |= dict.fromkeys(keys, cast("PlayerCard", card))
    return {key: card for key, card in cards.items() if key not in shared}


def _halves(count: Fraction) -> int | float:
    return int(count) if count == int(count) else float(count)


def event_model(register: Register, words: Sequence[HighWord] = ()) -> frames.EventModel:
    """What the pages of the event are drawn from; ``words``: plays of the recorded games."""
    event = register.event
    return {
        "name": event.name,
        "date": event.date,
        "divisions": [_division(division, register, words) for division in event.divisions],
    }


def _division(
    division: EventDivision, register: Register, words: Sequence[HighWord]
) -> frames.EventDivision:
    round_, after = division.paired_rounds, division.scored_rounds
    met: dict[frozenset[int], list[EventGame]] = {}
    for game in division.games:
        if game.played and game.scores is not None:
            met.setdefault(frozenset(game.players), []).append(game)
    latest: dict[int, list[frames.LatestGame]] = {}
    for game in sorted(chain.from_iterable(met.values()), key=lambda game: game.round):
        for number in game.players:
            latest.setdefault(number, []).append(_as_had(game, number))
    games = [
        _game(game, met.get(frozenset(game.players), ()))
        for game in division.games
        if game.round == round_
    ]
    reach = places_in_reach(division, rules_of(division))
    here = [p for p in division.players if p.absence_margin is None] if round_ else []
    return {
        "name": division.name,
        "round": round_,
        "rounds": division.last_round,
        "prizes": division.prizes,
        "times": list(division.times),
        "after": after,
        "results": _latest(division, register),
        "high": _high_games(division, "game"),
        "high_losses": _high_games(division, "loss"),
        "high_words": [
            word_frame(division, word) for word in high_words(words, division, HIGH_GAMES)
        ],
        "games": games,
        "out": [
            player.number
            for player in division.players
            if round_ and player.in_round(round_).opponent == BYE
        ],
        "bye": next((p.number for p in here if is_bye(p.in_round(round_))), None),
        "sitting": [
            player.number
            for player in here
            if (seen := player.in_round(round_)).opponent == BYE and not is_bye(seen)
        ],
        "standings": [
            {
                "rank": None if row.left else row.rank,
                "id": row.number,
                "name": division.player(row.number).spoken,
                "wins": float(row.wins),
                "losses": float(row.losses),
                "spread": row.spread,
                "rating": row.rating,
                "expected": _to_tenths(row.expected_wins),
                "reach": reach.get(row.number),
                "average": [_to_tenths(row.average_for), _to_tenths(row.average_against)],
                "latest": latest.get(row.number, [])[-LATEST_GAMES:],
            }
            for row in placings(rules_of(division), division, after)
        ],
    }


def _to_tenths(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


def _as_had(game: EventGame, number: int) -> frames.LatestGame:
    """A game that was played, as one of its players had it."""
    (own, other), margins = game.scores or (0, 0), game.margins
    margin, theirs = (own - other, other - own) if margins is None else margins
    if number != game.players[0]:
        own, other, margin = other, own, theirs
    return {"round": game.round, "own": own, "other": other, "margin": margin}


def _met(game: EventGame, earlier: EventGame) -> frames.EarlierGame:
    """A game that the pair has played, in the order in which they stand now."""
    scores = {**dict(zip(earlier.players, earlier.scores or (0, 0), strict=True))}
    numbers = first_in_front(game)
    won = _winner(earlier, numbers)
    return {"round": earlier.round, "scores": [scores[n] for n in numbers], "winner": won}


def _winner(game: EventGame, numbers: tuple[int, int]) -> int | None:
    """The place of who has won among the two."""
    return None if game.winner is None else numbers.index(game.winner)


def _latest(division: EventDivision, register: Register) -> list[frames.EventResult]:
    """The results that came last, the newest first."""
    games = {(game.round, n): game for game in division.games if game.played for n in game.players}
    found: dict[tuple[int, tuple[int, int]], EventGame] = {}
    for order in reversed(register.orders):
        act = order.act
        if isinstance(act, _Results) and act.division == division.name:
            number = act.first if isinstance(act, EnterResult) else act.number
            game = games.get((act.round, number))
            if game is not None:
                found.setdefault((game.round, game.players), game)
        if len(found) == LATEST_RESULTS:
            break
    return [_result(division, game) for game in found.values()]


def _result(division: EventDivision, game: EventGame) -> frames.EventResult:
    """Names and scores, who moves first in front; of a game not played the margins that count."""
    numbers = first_in_front(game)
    margins = _in_order(game, game.margins, numbers)
    return {
        "round": game.round,
        "names": [division.player(number).spoken for number in numbers],
        "scores": _in_order(game, game.scores, numbers) or margins or [0, 0],
        "margins": margins,
        "forfeited": game.forfeited,
        "winner": _winner(game, numbers),
    }


def _in_order(
    game: EventGame, values: tuple[int, int] | None, numbers: tuple[int, int]
) -> list[int] | None:
    """What the two have, in the order of these numbers."""
    if values is None:
        return None
    return list(values if numbers == game.players else values[::-1])


def _high_games(division: EventDivision, kind: str) -> list[frames.HighGame]:
    """The highest scores of a kind of games, the highest first."""
    names = {player.number: player.spoken for player in division.players}
    return [
        {
            "name": names[game.number], "score": game.score, "other": names[game.other],
            "round": game.round,
        }
        for game in high_games(division, kind, HIGH_GAMES)
    ]  # fmt: skip


def _game(game: EventGame, met: Iterable[EventGame]) -> frames.EventGame:
    """A game with who moves first in front; without a result ``scores`` is null.

    ``margins`` is what a game counts where the scores do not say so, else null.
    """
    numbers = first_in_front(game)
    return {
        "table": game.table,
        "players": list(numbers),
        "scores": _in_order(game, game.scores if game.played else None, numbers),
        "margins": _in_order(game, game.margins, numbers),
        "winner": _winner(game, numbers),
        "met": [_met(game, played) for played in met],
    }
