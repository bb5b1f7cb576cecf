"""Results that the score alone does not make: resigned, left, not played, byes (END-11, END-12).

Some rule sets fix a margin and leave the scores alone, others change a score; a ``Conclusion``
has both, as far as the text settles them.
"""

from dataclasses import dataclass

from recorder.domain.game import Conceded, GameEvent
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import WESPA, Rules, ask, ask_remedy, has_remedy


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """A result by rule; ``how`` it is lost is as the record names it.

    ``margin`` is positive and the winner's; None where it is open. ``scores`` are those to write
    on the slip, None where the rule set only fixes a margin or there was no game. ``rated`` None:
    not settled. ``events`` are for the record, once nothing is open.
    """

    how: str
    rule: str
    scores: tuple[int, int] | None = None
    margin: int | None = None
    rated: bool | None = None
    events: tuple[GameEvent, ...] = ()
    open_questions: tuple[CodedText, ...] = ()


_FIFTY = 50
"""WESPA: 50 or the lead and 50, whatever is more. NASPA: off the leader, else off the leaver."""


def _margin(
    rules: Rules, scores: tuple[int, int], loser: int
) -> tuple[int | None, tuple[int, int] | None]:
    """Margin and scores by one of the two ways, the scores only where they change."""
    own, other = scores[loser], scores[1 - loser]
    if rules.get("resign.procedure") == WESPA:
        return max(_FIFTY, other - own + _FIFTY), None
    if not has_remedy(rules, "resign.procedure"):
        return None, None
    if other < own:
        other = own + _FIFTY
    else:
        own -= _FIFTY
    return other - own, (own, other) if loser == 0 else (other, own)


def conceded(
    loser: int, margin: int | None, how: str, questions: tuple[CodedText, ...]
) -> tuple[GameEvent, ...]:
    """What the record gets once nothing is open: the game is lost by so much."""
    return () if questions or margin is None else (Conceded(loser, margin, how),)


def rated_once_begun(rules: Rules) -> bool | None:
    """Whether a game that was begun is rated, however it ends; None where that is not said."""
    return True if has_remedy(rules, "resign.procedure") else None


def resignation(
    rules: Rules,
    scores: tuple[int, int],
    resigner: int,
    *,
    emergency: bool,
    permitted: bool = False,
) -> Conclusion:
    """A game that ``resigner`` gives up (END-11).

    W1 and PSA allow it in an emergency only: otherwise the margin is the least that the director
    may set. NAS allows it when the director says so (``permitted``).
    """
    margin, after = _margin(rules, scores, resigner)
    questions = ask(rules, "resign.procedure")
    if rules.get("resign.procedure") == WESPA and not emergency:
        questions += (coded("resigned_without_emergency_margin_not", margin=str(margin)),)
    if has_remedy(rules, "resign.procedure") and not permitted:
        questions += (coded("resigning_not_allowed_director_permit"),)
    return Conclusion(
        how="resignation",
        rule="END-11",
        scores=after,
        margin=margin,
        rated=rated_once_begun(rules),
        events=conceded(resigner, margin, "resignation", questions),
        open_questions=questions,
    )


def left_for_good(rules: Rules, scores: tuple[int, int], leaver: int) -> Conclusion:
    """A game that ``leaver`` breaks off and that is not resumed (END-12).

    NAS rates it. W1 and PSA have no such entry: it is taken as resigned, and the director asked
    about the rating.
    """
    margin, after = _margin(rules, scores, leaver)
    return Conclusion(
        how="left",
        rule="END-12",
        scores=after,
        margin=margin,
        rated=rated_once_begun(rules),
        events=conceded(leaver, margin, "left", ask(rules, "resign.procedure")),
        open_questions=ask_remedy(rules, "resign.procedure"),
    )


def never_came(rules: Rules) -> tuple[CodedText, ...]:
    """What is open about a game whose player never came; no tile was drawn (END-12, LATE-4).

    The director may raise the margin where the rule set says so, and where everybody agrees the
    game can be played later: that is asked before this is recorded.
    """
    questions = ask(rules, "late.forfeit_margin")
    if rules.get("late.forfeit_margin_raisable") is True:
        margin = str(rules.get_whole("late.forfeit_margin"))
        questions += (coded("margin_raised_absence_being_purpose", margin=margin),)
    return questions


def nobody_came(rules: Rules) -> int | None:
    """By what each of two players loses who both never came, if both do (LATE-4)."""
    both = has_remedy(rules, "late.procedure")
    return rules.get_whole("late.forfeit_margin") if both else None
