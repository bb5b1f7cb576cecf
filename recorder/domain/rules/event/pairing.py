"""What the rules say of pairing: the round robin, and who has the bye (PAIR-4, END-12).

The draws that look at standings and earlier rounds are in ``recorder.domain.event.draws``.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, ask
from recorder.domain.rules.event.standings import StandingsRow

Anybody = TypeVar("Anybody")


def round_robin(players: Sequence[Anybody]) -> tuple[tuple[tuple[Anybody, Anybody], ...], ...]:
    """Everybody against everybody, by rounds; who starts is named first (PAIR-4, START-1).

    With an odd number each player has one round without opponent. Over the whole schedule nobody
    starts more than one game more often than going second.
    """
    rounds = len(players) - 1 + len(players) % 2
    return tuple(berger_round(players, number) for number in range(rounds))


def berger_round(players: Sequence[Anybody], number: int) -> tuple[tuple[Anybody, Anybody], ...]:
    """One round of the schedule, from 0; of an odd number one player is in no pair."""
    size = len(players) + len(players) % 2
    ring = size - 1
    fixed = (size - 1, number)
    places = [fixed if number % 2 else fixed[::-1]]
    for step in range(1, size // 2):
        ahead, behind = (number + step) % ring, (number - step) % ring
        places.append((ahead, behind) if step % 2 else (behind, ahead))
    there = len(players)
    return tuple((players[a], players[b]) for a, b in places if a < there and b < there)


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeChoice:
    """Who has the bye; None: nobody needs one, or the director names the player."""

    player: str | None
    open_questions: tuple[CodedText, ...] = ()


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
    if first_round and rules.get("bye.goes_to") == "bottom_of_table":
        early = [row.player for row in rows if row.player in registered_early]
        if len(early) == 1:
            return ByeChoice(player=early[0])
        question = coded("bye_round_1_nobody_registered")
        if early:
            question = coded("bye_round_1_player_registered", players=", ".join(early))
        return ByeChoice(player=None, open_questions=(question,))
    if rules.get("bye.goes_to") != "bottom_of_table":
        return ByeChoice(player=None, open_questions=ask(rules, "bye.goes_to"))
    last = rows[-1].player
    again = (coded("had_bye_before_again", last=last),) if last in had_bye else ()
    return ByeChoice(player=last, open_questions=again)
