"""Result slip, ruling and unplayed game as tables of transitions (END-9, INT-4, END-12)."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.rules.force import Rules
from recorder.domain.rules.machine import Machine, Transition
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


def _slip(
    source: Slip,
    on: SlipEvent,
    target: Slip,
    rule: str = "END-9",
    when: Callable[[CorrectionFacts], bool] | None = None,
    label: str = "",
) -> Transition[Slip, SlipEvent, CorrectionFacts]:
    return Transition(source=source, on=on, target=target, rule=rule, when=when, label=label)


RESULT_SLIP: Machine[Slip, SlipEvent, CorrectionFacts] = Machine(
    name="result slip",
    title="A result slip and its finality",
    initial=Slip.OPEN,
    rows=(
        _slip(Slip.OPEN, SlipEvent.AGREE, Slip.AGREED),
        _slip(Slip.AGREED, SlipEvent.CORRECT, Slip.OPEN, "TURN-10"),
        _slip(Slip.AGREED, SlipEvent.SIGN, Slip.SIGNED),
        _slip(Slip.SIGNED, SlipEvent.CORRECT, Slip.AGREED, when=_both, label="both agree"),
        _slip(
            Slip.SIGNED, SlipEvent.CORRECT, Slip.AGREED,
            when=_director, label="director overrides",
        ),
        _slip(Slip.SIGNED, SlipEvent.HAND_IN, Slip.SUBMITTED),
        _slip(
            Slip.SUBMITTED, SlipEvent.CORRECT, Slip.CORRECTED,
            when=_misentry, label="error of entry only",
        ),
        _slip(
            Slip.SUBMITTED, SlipEvent.CORRECT, Slip.CORRECTED,
            when=_petition, label="director, both asking or overriding",
        ),
    ),
)  # fmt: skip


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


def _ruling(
    source: Ruling, on: RulingEvent, target: Ruling, *, asks: bool = False
) -> Transition[Ruling, RulingEvent, Rules]:
    return Transition(
        source=source,
        on=on,
        target=target,
        rule="INT-4",
        when=_can_be_reviewed if asks else None,
        label="rule set has further opinions" if asks else "",
    )


RULING: Machine[Ruling, RulingEvent, Rules] = Machine(
    name="ruling",
    title="A director's ruling and its reversal",
    initial=Ruling.FACTS,
    rows=(
        _ruling(Ruling.FACTS, RulingEvent.DECIDE, Ruling.DECIDED),
        _ruling(Ruling.DECIDED, RulingEvent.ACCEPT, Ruling.STANDS),
        _ruling(Ruling.DECIDED, RulingEvent.REVERSE, Ruling.REVERSED),
        _ruling(Ruling.DECIDED, RulingEvent.ASK, Ruling.REVIEW, asks=True),
        _ruling(Ruling.REVIEW, RulingEvent.UPHOLD, Ruling.STANDS),
        _ruling(Ruling.REVIEW, RulingEvent.REVERSE, Ruling.REVERSED),
        _ruling(Ruling.REVIEW, RulingEvent.ASK, Ruling.FURTHER, asks=True),
        _ruling(Ruling.FURTHER, RulingEvent.UPHOLD, Ruling.STANDS),
        _ruling(Ruling.FURTHER, RulingEvent.REVERSE, Ruling.REVERSED),
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


def _unplayed(
    source: Unplayed, on: UnplayedEvent, target: Unplayed, rule: str, *, consent: bool = False
) -> Transition[Unplayed, UnplayedEvent, Rules]:
    return Transition(
        source=source,
        on=on,
        target=target,
        rule=rule,
        when=_can_be_postponed if consent else None,
        label="rule set allows it" if consent else "",
    )


UNPLAYED: Machine[Unplayed, UnplayedEvent, Rules] = Machine(
    name="unplayed game",
    title="Forfeit and bye",
    initial=Unplayed.PAIRED,
    rows=(
        _unplayed(Unplayed.PAIRED, UnplayedEvent.NO_OPPONENT, Unplayed.BYE, "END-12"),
        _unplayed(Unplayed.PAIRED, UnplayedEvent.COME, Unplayed.PLAYED, "LATE-1"),
        _unplayed(Unplayed.PAIRED, UnplayedEvent.MISSING, Unplayed.WAITING, "LATE-2"),
        _unplayed(Unplayed.WAITING, UnplayedEvent.COME, Unplayed.PLAYED, "LATE-2"),
        _unplayed(Unplayed.WAITING, UnplayedEvent.EXPIRED, Unplayed.PENDING, "LATE-4"),
        _unplayed(Unplayed.WAITING, UnplayedEvent.DECLINED, Unplayed.PENDING, "LATE-4"),
        _unplayed(
            Unplayed.WAITING, UnplayedEvent.AGREED, Unplayed.POSTPONED, "LATE-4", consent=True
        ),
        _unplayed(
            Unplayed.PENDING, UnplayedEvent.AGREED, Unplayed.POSTPONED, "LATE-4", consent=True
        ),
        _unplayed(Unplayed.PENDING, UnplayedEvent.CONFIRMED, Unplayed.FORFEITED, "END-12"),
    ),
)

MACHINES = (RESULT_SLIP, RULING, UNPLAYED)
