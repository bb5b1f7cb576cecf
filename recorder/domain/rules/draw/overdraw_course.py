"""The course of an overdraw, from the first suspicion to the choice of what goes back.

What a detection may lead to before anybody at the table has spoken (OVERDRAW-1, INT-2), what the
clock does while the opponent chooses (CLOCK-3), what follows when too many tiles are turned up
(OVERDRAW-6). The numbers come from ``overdraw``.
"""

from recorder.domain.notices import Manner, Notice, Phase, Why, coded
from recorder.domain.rules.core.disclosure import route
from recorder.domain.rules.core.parameters import Rules, ask_remedy
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    OPPONENT,
    PLAYER,
    Procedure,
    TilePlan,
    into_bag,
)

_REASONS = {
    Why.POINTED_OUT: "you_may_point_out_counts",
    Why.FIRST_SPEAKER_DECIDES: "who_speaks_first_decides_procedure",
}


def detected(rules: Rules, *, surplus: int) -> Procedure:
    """What the director does when sensors count too many tiles and nobody has spoken.

    Whether the players are informed is for ``silence``: where the order of discovery decides the
    procedure, a recorder that spoke first would change it.
    """
    routing = route(rules, Notice.OVERDRAW, Phase.PLAYING)
    tells = routing.director is Manner.TELL_PLAYERS
    code, said = ("tell_players", "tell_them") if tells else ("keep_silent", "do_not_tell_them")
    act = coded(said, tiles=surplus)
    if routing.why in _REASONS:
        act = coded(_REASONS[routing.why], what=act)
    step = DIRECTOR(code, act, tiles=surplus)
    return Procedure(
        "OVERDRAW-1",
        coded("too_many_sensors", surplus=surplus),
        steps=(step,),
        open_questions=tuple(coded("routing_open", name=name) for name in routing.open_questions),
    )


def choosing(plan: TilePlan, *, elapsed_s: float) -> Procedure:
    """What may be done while the opponent chooses, ``elapsed_s`` seconds after the start (CLOCK-3).

    No step while there is time, or where the set gives no limit.
    """
    rule = "CLOCK-3"
    if plan.seconds is None or elapsed_s < plan.seconds:
        left = None if plan.seconds is None else plan.seconds - elapsed_s
        title = coded("no_limit_choose") if left is None else coded("left_choose", left=f"{left:g}")
        return Procedure(rule, title)
    step = PLAYER("start_clock", coded("over_you_may_start_opponents", seconds=plan.seconds))
    return Procedure(rule, coded("time_choose_over"), steps=(step,))


def too_many_revealed(rules: Rules, plan: TilePlan, *, shown: int) -> TilePlan:
    """What follows when the opponent turned up more tiles than the plan allows (OVERDRAW-6).

    Of those shown the overdrawer keeps some; of as many others as were allowed, face down, some go
    back into the bag unseen. A question is asked where the text gives no remedy.
    """
    rule = "OVERDRAW-6"
    extra, allowed = max(0, shown - plan.revealed), plan.revealed
    title = coded("shown_allowed", shown=shown, revealed=allowed)
    if not extra:
        return TilePlan(rule, title)
    if questions := ask_remedy(rules, "overdraw.procedure"):
        return TilePlan(rule, title, open_questions=questions)
    back, unseen = plan.returned, "pick_them_unseen_bag_rest"
    steps = (
        PLAYER("choose_to_keep", "choose_those_shown_keep", extra=extra, tiles=extra),
        PLAYER("lay_face_down", "lay_other_face_down_mix", revealed=allowed, tiles=allowed),
        into_bag(OPPONENT, unseen, back, code="return_unseen", returned=back),
    )
    return TilePlan(rule, title, steps=steps, pool=allowed, returned=back)
