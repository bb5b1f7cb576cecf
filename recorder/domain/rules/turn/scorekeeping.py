"""Scores on paper: who must write them when, who may ask to compare, when clocks stop for them.

The record computes its own scores; here is only what players owe each other. In the steps the
player is the one whose scores are missing, or who asks.
"""

from recorder.domain.notices import coded
from recorder.domain.rules.core.parameters import Rules, ask
from recorder.domain.rules.core.procedure import Answer, Procedure, Step, Who
from recorder.domain.rules.turn.stops import stop_reason


def total_is_due(rules: Rules, *, bag: int) -> bool | None:
    """Whether a player must write the running total after a turn; None if not said (TURN-9)."""
    due = rules.get("turn.cumulative_mandatory_bag_empty")
    return True if bag else due if isinstance(due, bool) else None


def score_check(*, on_turn: bool) -> Answer:
    """Whether a player may ask to compare scores now; the clock keeps running (TURN-9)."""
    if not on_turn:
        why = coded("only_player_turn_may_ask")
        return Answer(allowed=False, rule="TURN-9", why=why)
    return Answer(allowed=True, rule="TURN-9", why=coded("own_time_other_must_help"))


def stop_for_scores(rules: Rules, *, discrepancy: bool, unwritten: bool, bag: int) -> Answer:
    """Whether the clocks may be stopped over scores (TURN-9, CLOCK-1).

    ``discrepancy``: the two sheets differ. ``unwritten``: the opponent has not written scores,
    which is a reason in some sets once the bag is empty.
    """
    reasons = [
        *(["scoring_discrepancy"] if discrepancy else []),
        *(["scores_unwritten"] if unwritten and not bag else []),
    ]
    findings = [stop_reason(rules, reason) for reason in reasons or ["score_check"]]
    listed = [finding for finding in findings if not finding.alarm]
    if listed:
        return Answer(allowed=True, rule="TURN-9", why=listed[0].text)
    questions = findings[0].open_questions
    why = findings[0].text
    return Answer(
        allowed=None if questions else False, rule="TURN-9", why=why, open_questions=questions
    )


def unwritten_at_end(rules: Rules) -> Procedure:
    """What is done about scores that are missing when the game ends (TURN-9)."""
    title = coded("scores_not_written")
    match rules.get("turn.unwritten_scores_at_end"):
        case "may_be_written_on_own_running_time":
            act = coded("write_missing_scores_your_own")
        case "written_after_neutralising":
            act = coded("write_missing_scores_both_clocks")
        case _:
            questions = ask(rules, "turn.unwritten_scores_at_end")
            return Procedure("TURN-9", title, open_questions=questions)
    step = Step(Who.PLAYER, "write_scores", act, "TURN-9")
    return Procedure("TURN-9", title, steps=(step,))
