"""Who meets whom in the next round, and who has the bye (PAIR-1 to PAIR-5, END-12).

Chance comes in as an order that the caller has shuffled and logged the seed of; everything here
gives the same for the same arguments.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from recorder.domain.rules.core.parameters import Rules, ask
from recorder.domain.rules.event.standings import StandingsRow

MOST_TRIES = 100_000
"""Tries after which a draw without repeats is given up, rather than keeping an event waiting."""

Met = Collection[frozenset[str]]
"""The pairs of players who have met before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """A round: pairs in order, the higher or earlier player first.

    ``skipped`` are the pairs that were passed over because they have met. No pairs and a question:
    the players cannot be paired so.
    """

    pairs: tuple[tuple[str, str], ...]
    skipped: tuple[tuple[str, str], ...] = ()
    open_questions: tuple[str, ...] = ()


def king_of_the_hill(rules: Rules, order: Sequence[str], met: Met = ()) -> Pairing:
    """Neighbours in the standings meet, first and second, third and fourth (PAIR-3).

    ``order``: players by rank, an even number (``choose_bye`` first). Repeats are allowed unless
    the event says otherwise: then it is drawn like ``australian``.
    """
    return _draw(rules, order, met, "king_of_the_hill", repeats_if_open=True)


def australian(rules: Rules, order: Sequence[str], met: Met) -> Pairing:
    """Neighbours in the standings meet, opponents of earlier rounds are passed over (PAIR-2).

    The highest player left gets the highest one left who is new. Where that leaves players who
    all have met, the lowest pair is undone first: a convention, the text says nothing.
    """
    return _draw(rules, order, met, "australian_swiss", repeats_if_open=False)


def random_draw(rules: Rules, shuffled: Sequence[str], met: Met) -> Pairing:
    """The draw that follows from a shuffled order, repeats put right by swapping (PAIR-1)."""
    return _draw(rules, shuffled, met, "random", repeats_if_open=False)


def _draw(
    rules: Rules, order: Sequence[str], met: Met, method: str, *, repeats_if_open: bool
) -> Pairing:
    if len(order) % 2:
        return Pairing(pairs=(), open_questions=(f"{len(order)} players: who has the bye?",))
    parameter = f"pairing.repeat.{method}"
    questions = ask(rules, parameter)
    allowed = rules.get(parameter, repeats_if_open) is True
    tries = _Tries(set() if allowed else {frozenset(pair) for pair in met})
    pairs = tries.complete(tuple(order))
    if pairs is None:
        why = "no draw without repeats" if tries.left > 0 else "no draw found in time"
        return Pairing(pairs=(), open_questions=(*questions, f"{why}: allow one, or pair by hand?"))
    skipped = tuple(_skipped(order, pairs, tries.barred))
    return Pairing(pairs=pairs, skipped=skipped, open_questions=questions)


class _Tries:
    """The search for pairs: the first candidate that leaves the rest pairable."""

    def __init__(self, barred: Collection[frozenset[str]]) -> None:
        self.barred = barred
        self.left = MOST_TRIES

    def complete(self, free: tuple[str, ...]) -> tuple[tuple[str, str], ...] | None:
        """Pairs for all of ``free``, each with the earliest it can have; None: there are none."""
        if not free:
            return ()
        first, *others = free
        for other in others:
            if frozenset((first, other)) in self.barred:
                continue
            self.left -= 1
            if self.left <= 0:
                return None
            rest = self.complete(tuple(player for player in others if player != other))
            if rest is not None:
                return ((first, other), *rest)
        return None


def _skipped(
    order: Sequence[str], pairs: tuple[tuple[str, str], ...], barred: Collection[frozenset[str]]
) -> Iterator[tuple[str, str]]:
    """The pairs that would have been next but have met."""
    free = list(order)
    for first, second in pairs:
        free.remove(first)
        for other in free[: free.index(second)]:
            if frozenset((first, other)) in barred:
                yield first, other
        free.remove(second)


def round_robin(players: Sequence[str]) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Everybody against everybody, by rounds; who starts is named first (PAIR-4, START-1).

    With an odd number each player has one round without opponent. Over the whole schedule nobody
    starts more than one game more often than going second.
    """
    ring: list[str | None] = [*players] if len(players) % 2 == 0 else [*players, None]
    size = len(ring)
    rounds = []
    for number in range(size - 1):
        fixed = (ring[size - 1], ring[number])
        pairs = [fixed if number % 2 else fixed[::-1]]
        for step in range(1, size // 2):
            ahead, behind = ring[(number + step) % (size - 1)], ring[(number - step) % (size - 1)]
            pairs.append((ahead, behind) if step % 2 else (behind, ahead))
        rounds.append(tuple((a, b) for a, b in pairs if a is not None and b is not None))
    return tuple(rounds) if size > 1 else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeChoice:
    """Who has the bye; None: nobody needs one, or the director names the player."""

    player: str | None
    open_questions: tuple[str, ...] = ()


def choose_bye(
    rules: Rules,
    rows: Sequence[StandingsRow],
    *,
    had_bye: Collection[str] = (),
    first_round: bool = False,
    registered_early: Collection[str] = (),
) -> ByeChoice:
    """Who goes without opponent when the number of players is odd (END-12, PAIR-4).

    ``rows``: the standings, best first. PSA: the bottom of the table; in the first round only a
    player who was registered before the draw (``registered_early``), of whom the director names
    one unless there is one only. A second bye for the same player is asked about.
    """
    if len(rows) % 2 == 0:
        return ByeChoice(player=None)
    if first_round and rules.get("bye.first_round") == "registered_before_draw":
        early = [row.player for row in rows if row.player in registered_early]
        if len(early) == 1:
            return ByeChoice(player=early[0])
        words = ", ".join(early) or "none is known"
        question = f"the bye of round 1 is for a player registered before the draw: {words}"
        return ByeChoice(player=None, open_questions=(question,))
    if rules.get("bye.goes_to") != "bottom_of_table":
        return ByeChoice(player=None, open_questions=ask(rules, "bye.goes_to"))
    last = rows[-1].player
    again = (f"{last} had a bye before: again?",) if last in had_bye else ()
    return ByeChoice(player=last, open_questions=again)
