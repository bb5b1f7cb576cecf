"""When a result is final, what can still change it, and recounts (END-9, END-10, TURN-10).

Four numbers are kept apart: what the slip says, what the players agreed on, what the record
computes, and what is corrected. The record never corrects a result by itself.
"""

from dataclasses import dataclass

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import NASPA, WESPA, Rules, ask, ask_remedy, has_remedy
from recorder.domain.rules.core.procedure import DIRECTOR, EITHER, Procedure, Step

Scores = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipFacts:
    """A signed slip that somebody wants changed, or whose figures the record does not find.

    ``both_agree``: both want it changed (after it was handed in: both have asked the director).
    ``refusal_unfair``: one refuses, and the director finds that unfair.
    """

    handed_in: bool
    written: Scores
    agreed: Scores
    computed: Scores
    both_agree: bool = False
    refusal_unfair: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipRuling:
    """What becomes of a slip: ``scores`` hold; ``changed`` None while the director has to say."""

    changed: bool | None
    scores: Scores
    why: CodedText
    open_questions: tuple[CodedText, ...] = ()


def slip_change(rules: Rules, facts: SlipFacts) -> SlipRuling:
    """Whether a slip is changed, and to what, by how far it has come (END-9).

    Up to signing the players correct it as they find it. W1 and PSA: signed, both have to agree;
    handed in, both have to ask the director, who may also override an unfair refusal. NAS: handed
    in, only errors of entry are put right; counting errors and forgotten penalties stay.
    """
    if facts.written == facts.agreed == facts.computed:
        return SlipRuling(changed=False, scores=facts.written, why=coded("slip_right"))
    is_entry = facts.written != facts.agreed
    changed, why, questions = _decide(rules, facts, is_entry=is_entry)
    right = facts.agreed if is_entry and facts.handed_in else facts.computed
    return SlipRuling(
        changed=changed,
        scores=right if changed else facts.written,
        why=why,
        open_questions=questions,
    )


_RECOUNT_WITHIN_S = 60
"""NASPA: so long after the end a recount can be asked for."""
_Decision = tuple[bool | None, CodedText, tuple[CodedText, ...]]


def _decide(rules: Rules, facts: SlipFacts, *, is_entry: bool) -> _Decision:
    if not facts.handed_in:
        return _signed(rules, facts)
    way = rules.get("result.procedure")
    if way == NASPA:
        why = "error_entry_put_right" if is_entry else "handed_counting_error_stays"
        return is_entry, coded(why), ()
    if way == WESPA:
        return _petition(facts)
    return None, coded("handed"), ask(rules, "result.procedure")


def _signed(rules: Rules, facts: SlipFacts) -> _Decision:
    if questions := ask_remedy(rules, "result.procedure", WESPA):
        return None, coded("signed_not_handed"), questions
    if facts.both_agree:
        return True, coded("signed_not_handed_both_agree"), ()
    return _override(facts, coded("signed_one_player_refuses"))


def _petition(facts: SlipFacts) -> _Decision:
    if facts.both_agree:
        return None, coded("handed_both_ask_director"), (coded("both_ask_change_after_handing"),)
    return _override(facts, coded("handed_not_both_ask_change"))


def _override(facts: SlipFacts, why: CodedText) -> _Decision:
    if facts.refusal_unfair:
        question = coded("refusal_found_unfair_director_override")
        return None, coded("refused_unfairly", why=why), (question,)
    return False, why, ()


def submitted_by(rules: Rules, scores: Scores) -> tuple[int | None, tuple[CodedText, ...]]:
    """Who hands the result in (END-9); None with a question where the text does not say.

    At a tie NAS names the player who went first.
    """
    if questions := ask(rules, "result.procedure"):
        return None, questions
    if scores[0] != scores[1]:
        return (0 if scores[0] > scores[1] else 1), ()
    if has_remedy(rules, "result.procedure"):
        return 0, ()
    return None, (coded("tie_who_hands_result"),)


def signed_result(rules: Rules, scores: Scores, *, stale: bool) -> tuple[Procedure, int | None]:
    """What follows from the signatures: agree, sign again, hand in; and who does that.

    ``stale``: the result has been changed since it was signed.
    """
    hands_in, questions = submitted_by(rules, scores)
    steps: list[Step] = []
    if stale:
        if rules.get("result.procedure") == WESPA:
            steps.append(EITHER("both_agree", "both_players_agree_change"))
        else:
            nobody = (coded("text_names_nobody_who_may"),)
            questions += ask(rules, "result.procedure") or nobody
        steps.append(EITHER("sign_again", "both_sign_again_they_signed"))
    if hands_in is not None:
        steps.append(EITHER("hand_in_result", "player_hands_result", number=hands_in + 1))
    title = coded("result_changed_after_signed") if stale else coded("result_signed")
    return Procedure("END-9", title, steps=tuple(steps), open_questions=questions), hands_in


def recount(
    rules: Rules,
    *,
    margin: int,
    asked_after_s: int,
    is_overtime_forfeit: bool = False,
    is_director_convinced: bool = False,
) -> tuple[Procedure, bool | None]:
    """How a recount is made, and whether there is a right to it (END-10); None: the director says.

    ``margin`` in points, time since the end.
    """
    refused = _refusals(rules, asked_after_s, is_overtime_forfeit=is_overtime_forfeit)
    limit = rules.get("recount.max_margin")
    questions = ask(rules, "recount.max_margin")
    granted: bool | None = None if questions else True
    why = coded("text_not_say") if questions else coded("asked_time")
    if refused:
        granted, why = False, coded("recount_refused", reasons=refused)
    elif isinstance(limit, int) and margin > limit:
        granted, why = False, coded("margin_above", margin=margin, limit=limit)
        if rules.get("recount.over_margin") == "director_if_convinced":
            granted = True if is_director_convinced else None
            why = coded("director_may_grant_when_convinced", why=why)
            questions = () if granted else (coded("director_convinced_of_error", asked=why),)
    steps = () if granted is False else _recount_steps(rules)
    title = coded("recount_asked", asked=why)
    return Procedure("END-10", title, steps=steps, open_questions=questions), granted


def _refusals(
    rules: Rules, asked_after_s: int, *, is_overtime_forfeit: bool
) -> tuple[CodedText, ...]:
    if not has_remedy(rules, "result.procedure"):
        return ()
    late = coded("asked_after_end_time", asked_after_s=asked_after_s, within=_RECOUNT_WITHIN_S)
    found = (late,) if asked_after_s > _RECOUNT_WITHIN_S else ()
    return (*found, coded("game_lost_overtime_not_recounted")) if is_overtime_forfeit else found


def _recount_steps(rules: Rules) -> tuple[Step, ...]:
    steps = [
        DIRECTOR("hand_over_sheets", "keep_clocks_stopped_both_score"),
        EITHER("recount", "recount_without_calculators_who_takes"),
    ]
    if rules.get_whole("recount.max_margin") is not None:  # the texts with a limit say how
        steps.insert(1, EITHER("recount_whole_game", "recount_whole_game_nothing"))
        steps.append(DIRECTOR("bar_changes", "changes_favour_player_who_recounts"))
    return tuple(steps)
