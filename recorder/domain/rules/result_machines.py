"""Result slip, ruling and unplayed game as tables of transitions (END-9, INT-4, END-12)."""

from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.rules.force import Rules
from recorder.domain.rules.machine import Guard, Machine, Transition
from recorder.domain.rules.result_slip import Difference, Slip


class SlipEvent(StrEnum):
    """What happens to a result slip."""

    AGREE = "scores agreed"
    SIGN = "both sign"
    HAND_IN = "handed in"
    CORRECT = "correction wanted"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionFacts:
    """The rules in force and, for a correction, what is wrong and who wants it put right."""

    rules: Rules
    difference: Difference | None = None
    both_agree: bool = False
    director: bool = False


def _both(facts: CorrectionFacts) -> bool:
    return facts.both_agree and facts.rules.get("result.change_before_handin") == "both_agree"


def _director(facts: CorrectionFacts) -> bool:
    return facts.director


def _misentry(facts: CorrectionFacts) -> bool:
    entry = facts.difference in (Difference.SWAPPED, Difference.MISENTERED)
    return entry and facts.rules.get("result.change_after") == "misentry_only"


def _petition(facts: CorrectionFacts) -> bool:
    way = facts.rules.get("result.change_after")
    return facts.director and way == "director_on_joint_petition_or_override"


_BOTH = Guard("both agree", _both)
_DIRECTOR = Guard("director overrides", _director)
_MISENTRY = Guard("error of entry only", _misentry)
_PETITION = Guard("director, both asking or overriding", _petition)

RESULT_SLIP: Machine[Slip, SlipEvent, CorrectionFacts] = Machine(
    name="result slip",
    title="A result slip and its finality",
    initial=Slip.OPEN,
    rows=(
        Transition(Slip.OPEN, SlipEvent.AGREE, Slip.AGREED, "END-9"),
        Transition(Slip.AGREED, SlipEvent.CORRECT, Slip.OPEN, "TURN-10"),
        Transition(Slip.AGREED, SlipEvent.SIGN, Slip.SIGNED, "END-9"),
        Transition(Slip.SIGNED, SlipEvent.CORRECT, Slip.AGREED, "END-9", _BOTH),
        Transition(Slip.SIGNED, SlipEvent.CORRECT, Slip.AGREED, "END-9", _DIRECTOR),
        Transition(Slip.SIGNED, SlipEvent.HAND_IN, Slip.SUBMITTED, "END-9"),
        Transition(Slip.SUBMITTED, SlipEvent.CORRECT, Slip.CORRECTED, "END-9", _MISENTRY),
        Transition(Slip.SUBMITTED, SlipEvent.CORRECT, Slip.CORRECTED, "END-9", _PETITION),
    ),
)


class Ruling(StrEnum):
    """Where a ruling of the director stands."""

    FACTS = "facts taken"
    DECIDED = "decided"
    REVIEW = "second opinion asked"
    FURTHER = "third opinion asked"
    STANDS = "stands"
    REVERSED = "reversed"


class RulingEvent(StrEnum):
    """What happens to a ruling."""

    DECIDE = "director decides"
    ACCEPT = "play goes on"
    ASK = "another opinion wanted"
    UPHOLD = "upheld"
    REVERSE = "reversed"


def _can_be_reviewed(rules: Rules) -> bool:
    return rules.get("director.second_opinion") == "second_and_third_opinion_on_request"


_FURTHER = Guard("rule set has further opinions", _can_be_reviewed)

RULING: Machine[Ruling, RulingEvent, Rules] = Machine(
    name="ruling",
    title="A director's ruling and its reversal",
    initial=Ruling.FACTS,
    rows=(
        Transition(Ruling.FACTS, RulingEvent.DECIDE, Ruling.DECIDED, "INT-4"),
        Transition(Ruling.DECIDED, RulingEvent.ACCEPT, Ruling.STANDS, "INT-4"),
        Transition(Ruling.DECIDED, RulingEvent.REVERSE, Ruling.REVERSED, "INT-4"),
        Transition(Ruling.DECIDED, RulingEvent.ASK, Ruling.REVIEW, "INT-4", _FURTHER),
        Transition(Ruling.REVIEW, RulingEvent.UPHOLD, Ruling.STANDS, "INT-4"),
        Transition(Ruling.REVIEW, RulingEvent.REVERSE, Ruling.REVERSED, "INT-4"),
        Transition(Ruling.REVIEW, RulingEvent.ASK, Ruling.FURTHER, "INT-4", _FURTHER),
        Transition(Ruling.FURTHER, RulingEvent.UPHOLD, Ruling.STANDS, "INT-4"),
        Transition(Ruling.FURTHER, RulingEvent.REVERSE, Ruling.REVERSED, "INT-4"),
    ),
)


class Unplayed(StrEnum):
    """Where a game stands that may not take place."""

    PAIRED = "paired"
    BYE = "bye"
    WAITING = "a player is missing"
    PENDING = "forfeit pending"
    PLAYED = "played"
    POSTPONED = "postponed"
    FORFEITED = "forfeited"


class UnplayedEvent(StrEnum):
    """What decides whether it does."""

    NO_OPPONENT = "no opponent"
    MISSING = "clock started without a player"
    COME = "both present"
    EXPIRED = "time to arrive over"
    DECLINED = "late player declines"
    AGREED = "everybody agrees to play later"
    CONFIRMED = "director confirms"


def _can_be_postponed(rules: Rules) -> bool:
    return rules.get("late.postponable_by_consent") is True


_CONSENT = Guard("rule set allows it", _can_be_postponed)

UNPLAYED: Machine[Unplayed, UnplayedEvent, Rules] = Machine(
    name="unplayed game",
    title="Forfeit and bye",
    initial=Unplayed.PAIRED,
    rows=(
        Transition(Unplayed.PAIRED, UnplayedEvent.NO_OPPONENT, Unplayed.BYE, "END-12"),
        Transition(Unplayed.PAIRED, UnplayedEvent.COME, Unplayed.PLAYED, "LATE-1"),
        Transition(Unplayed.PAIRED, UnplayedEvent.MISSING, Unplayed.WAITING, "LATE-2"),
        Transition(Unplayed.WAITING, UnplayedEvent.COME, Unplayed.PLAYED, "LATE-2"),
        Transition(Unplayed.WAITING, UnplayedEvent.EXPIRED, Unplayed.PENDING, "LATE-4"),
        Transition(Unplayed.WAITING, UnplayedEvent.DECLINED, Unplayed.PENDING, "LATE-4"),
        Transition(Unplayed.WAITING, UnplayedEvent.AGREED, Unplayed.POSTPONED, "LATE-4", _CONSENT),
        Transition(Unplayed.PENDING, UnplayedEvent.AGREED, Unplayed.POSTPONED, "LATE-4", _CONSENT),
        Transition(Unplayed.PENDING, UnplayedEvent.CONFIRMED, Unplayed.FORFEITED, "END-12"),
    ),
)

MACHINES = (RESULT_SLIP, RULING, UNPLAYED)
