"""Minor infractions: how many were pointed out in time, and what follows from enough of them.

Counted for one victim and one offender within a game; that the count is per game is assumed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, has_remedy
from recorder.domain.rules.core.procedure import DIRECTOR, Remedy, TimeChange, Who

_TRIGGER, _REMEDY_S = 3, 60
"""NASPA: so many minor infractions are enough for a remedy, of so much time."""


@dataclass(frozen=True, slots=True)
class Infraction:
    """A mistake that does not affect the game; only those pointed out at once count."""

    turn: int
    what: str
    pointed_out: bool


@dataclass(frozen=True, slots=True)
class RemedyTaken:
    """The victim was given the remedy after this turn; the count begins again."""

    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How many infractions count, after which turn they became enough, and the remedy then.

    ``turn`` and ``remedy`` are None while they are not enough.
    """

    number: int
    turn: int | None = None
    remedy: Remedy | None = None
    open_questions: tuple[CodedText, ...] = ()


def minor_infractions(rules: Rules, noted: Sequence[Infraction | RemedyTaken]) -> Count:
    """The count of one player's minor infractions in one game, in the order of turns (INFR-1)."""
    number, reached = 0, None
    for note in noted:
        if isinstance(note, RemedyTaken):
            number, reached = 0, None
        elif note.pointed_out:
            number += 1
            if number == _TRIGGER:
                reached = note.turn
    if not has_remedy(rules, "observer.procedure"):
        question = coded("rule_set_knows_no_remedy")
        return Count(number=number, open_questions=(question,) if number else ())
    if reached is None:
        return Count(number=number)
    return Count(number=number, turn=reached, remedy=_remedy())


def _remedy() -> Remedy:
    changes = ((Who.OPPONENT, _REMEDY_S), (Who.PLAYER, -_REMEDY_S))
    return Remedy(
        "INFR-1",
        coded("minor_infractions"),
        steps=(DIRECTOR("adjust_time", "give_victim_time_take_from", seconds=_REMEDY_S),),
        times=tuple(
            TimeChange(who=who, seconds=seconds, rule="INFR-1", optional=True)
            for who, seconds in changes
        ),
    )
