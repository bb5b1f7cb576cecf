"""What is to be done about a result that was signed: agree, sign again, hand in (END-9)."""

from dataclasses import dataclass

from recorder.domain.notices import coded
from recorder.domain.rules.core.parameters import WESPA, Rules, ask
from recorder.domain.rules.core.procedure import EITHER, Procedure, Step
from recorder.domain.rules.ending.result_slip import Submission, submitted_by


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """What follows from the signatures; ``submission`` is who hands the result in."""

    procedure: Procedure
    submission: Submission


def signed_result(rules: Rules, scores: tuple[int, int], *, stale: bool) -> Signed:
    """A result that is signed, or was and has been changed since (``stale``)."""
    rule = "END-9"
    submission = submitted_by(rules, scores, first_player=0)
    steps: list[Step] = []
    questions = submission.open_questions
    if stale:
        if rules.get("result.procedure") == WESPA:
            steps.append(EITHER("both_agree", "both_players_agree_change", rule))
        else:
            nobody = (coded("text_names_nobody_who_may"),)
            questions += ask(rules, "result.procedure") or nobody
        steps.append(EITHER("sign_again", "both_sign_again_they_signed", rule))
    if submission.player is not None:
        act = coded("player_hands_result", number=submission.player + 1)
        steps.append(EITHER("hand_in_result", act, rule))
    title = coded("result_changed_after_signed") if stale else coded("result_signed")
    procedure = Procedure(rule, title, steps=tuple(steps), open_questions=questions)
    return Signed(procedure=procedure, submission=submission)
