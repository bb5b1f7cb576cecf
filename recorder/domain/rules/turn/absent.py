"""A player away from the table: what may go on, and draws that have to wait (LEAVE-1, LEAVE-2).

Who may leave is for the director. Draws that wait are kept in the order of the turns.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from recorder.domain.notices import coded
from recorder.domain.rules.core.parameters import WESPA, Rules, ask_remedy
from recorder.domain.rules.core.procedure import Procedure, Step, Who, into_bag, out_of_bag
from recorder.domain.rules.draw.draws import Draw
from recorder.domain.rules.draw.surplus_steps import STOP

_REVEAL_EXTRA, _DECISION_S, _HOLD_S = 2, 60, 5
"""NASPA: tiles shown beyond those drawn, the time to choose, the time to hold after a return."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsentFacts:
    """The player present played, kept ``kept`` tiles and drew ``drawn`` that should have waited.

    ``returner_played``: the player who came back has already made a play.
    """

    kept: int
    drawn: int
    returner_played: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsentPlan:
    """``exposed`` of ``held`` tiles are shown, ``returned`` of them go back.

    ``challenge_waits``: a challenge of the play only comes after that; ``redrawn`` tiles are drawn
    once the play is accepted.
    """

    procedure: Procedure
    held: int
    exposed: int = 0
    returned: int = 0
    redrawn: int = 0
    seconds: int | None = None
    challenge_waits: bool = False


def drawn_while_absent(rules: Rules, facts: AbsentFacts) -> AbsentPlan:
    """What follows when the player present drew while the other was away (LEAVE-2)."""
    rule = "LEAVE-2"
    held = facts.kept + facts.drawn
    title = coded("drawn_while_opponent_away", drawn=facts.drawn)
    if facts.returner_played:
        procedure = Procedure(rule=rule, title=coded("played_since_no_penalty", title=title))
        return AbsentPlan(procedure=procedure, held=held)
    if questions := ask_remedy(rules, "leave.procedure"):
        open_ = Procedure(rule=rule, title=title, open_questions=questions)
        return AbsentPlan(procedure=open_, held=held)
    exposed = min(facts.drawn + _REVEAL_EXTRA, held)
    steps = (
        STOP,
        Step(
            code="show_tiles",
            who=Who.OPPONENT,
            act=coded("turn_up_all_racked_not", exposed=exposed, held=held),
            rule=rule,
            tiles=exposed,
        ),
        Step(
            code="choose_to_return",
            who=Who.OPPONENT,
            act=coded("choose_them_go_back", drawn=facts.drawn),
            rule=rule,
            tiles=facts.drawn,
            seconds=_DECISION_S,
        ),
        into_bag(Who.EITHER, coded("put_into_bag", count=facts.drawn), facts.drawn, rule),
        Step(
            code="accept_or_challenge",
            who=Who.OPPONENT,
            act=coded("now_accept_play_hold_challenge"),
            rule=rule,
        ),
        Step(
            code="draw_tiles",
            who=Who.PLAYER,
            act=coded("draw_once_accepted_if_comes", drawn=facts.drawn),
            rule=rule,
            tiles=facts.drawn,
        ),
    )
    return AbsentPlan(
        procedure=Procedure(rule=rule, title=title, steps=steps),
        held=held,
        exposed=exposed,
        returned=facts.drawn,
        redrawn=facts.drawn,
        seconds=_DECISION_S,
        challenge_waits=True,
    )


def leaving(rules: Rules, *, emergency: bool = False) -> Procedure:
    """What a player does before leaving, and what the other may do meanwhile (LEAVE-1)."""
    rule = "LEAVE-1"
    is_asked = rules.get("leave.procedure") == WESPA
    first = Step(
        code="ask_permission",
        who=Who.PLAYER,
        act=coded("ask_permission", whose="director"),
        rule=rule,
    )
    if emergency:
        first = Step(
            code="tell_director", who=Who.OPPONENT, act=coded("tell_director_once"), rule=rule
        )
    away = (
        Step(
            code="complete_turn",
            who=Who.PLAYER,
            act=coded("complete_turn_play_press_write"),
            rule=rule,
        ),
        Step(
            code="play_meanwhile",
            who=Who.OPPONENT,
            act=coded("you_may_play_press_write"),
            rule=rule,
        ),
    )
    ask_first = (first,) if is_asked or emergency else ()
    return Procedure(
        rule=rule,
        title=coded("player_leaves_table"),
        steps=(*ask_first, *away),
        open_questions=() if ask_first else ask_remedy(rules, "leave.procedure", WESPA),
    )


def waiting_draws(*, bag: int, racks: Sequence[int], order: Sequence[int]) -> tuple[Draw, ...]:
    """The draws that wait until the player is back, in ``order`` of the turns (LEAVE-1).

    ``racks`` are the tiles now held by player 0 and 1; each draw is made in full, as far as the
    bag lasts.

    >>> [draw.drawn for draw in waiting_draws(bag=20, racks=(4, 2), order=(0, 1))]
    [3, 5]
    """
    draws: list[Draw] = []
    for player in order:
        due = Draw(kept=racks[player], bag=bag).due
        draws.append(Draw(kept=racks[player], bag=bag, drawn=due))
        bag -= due
    return tuple(draws)


def coming_back(rules: Rules, *, missing: tuple[int, int]) -> Procedure:
    """What happens when the player is back (LEAVE-1); ``missing`` tiles are due to both.

    The first number is that of the player who was away.
    """
    rule = "LEAVE-1"
    own, other = missing
    steps = (
        Step(code="stop_clock", who=Who.EITHER, act=coded("stop_the_clock"), rule=rule),
        Step(code="show_play", who=Who.OPPONENT, act=coded("show_play_made_meanwhile"), rule=rule),
        out_of_bag(Who.PLAYER, coded("draw", count=own), own, rule),
        Step(
            code="start_clock",
            who=Who.OPPONENT,
            act=coded("start_players_clock_when_first"),
            rule=rule,
        ),
        Step(
            code="hold_or_challenge",
            who=Who.PLAYER,
            act=coded("hold_challenge"),
            rule=rule,
            seconds=_HOLD_S,
        ),
        out_of_bag(Who.OPPONENT, coded("draw", count=other), other, rule),
    )
    questions = ask_remedy(rules, "leave.procedure")
    return Procedure(
        rule=rule,
        title=coded("player_back"),
        steps=() if questions else steps,
        open_questions=questions,
    )
