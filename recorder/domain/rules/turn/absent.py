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
        procedure = Procedure(rule, coded("played_since_no_penalty", title=title))
        return AbsentPlan(procedure=procedure, held=held)
    if questions := ask_remedy(rules, "leave.procedure"):
        open_ = Procedure(rule, title, open_questions=questions)
        return AbsentPlan(procedure=open_, held=held)
    exposed = min(facts.drawn + _REVEAL_EXTRA, held)
    steps = (
        STOP,
        Step(
            Who.OPPONENT,
            "show_tiles",
            coded("turn_up_all_racked_not", exposed=exposed, held=held),
            rule,
            tiles=exposed,
        ),
        Step(
            Who.OPPONENT,
            "choose_to_return",
            coded("choose_them_go_back", drawn=facts.drawn),
            rule,
            tiles=facts.drawn,
            seconds=_DECISION_S,
        ),
        into_bag(Who.EITHER, coded("put_into_bag", count=facts.drawn), facts.drawn, rule),
        Step(Who.OPPONENT, "accept_or_challenge", coded("now_accept_play_hold_challenge"), rule),
        Step(
            Who.PLAYER,
            "draw_tiles",
            coded("draw_once_accepted_if_comes", drawn=facts.drawn),
            rule,
            tiles=facts.drawn,
        ),
    )
    return AbsentPlan(
        procedure=Procedure(rule, title, steps=steps),
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
    first = Step(Who.PLAYER, "ask_permission", coded("ask_permission", whose="director"), rule)
    if emergency:
        first = Step(Who.OPPONENT, "tell_director", coded("tell_director_once"), rule)
    away = (
        Step(Who.PLAYER, "complete_turn", coded("complete_turn_play_press_write"), rule),
        Step(Who.OPPONENT, "play_meanwhile", coded("you_may_play_press_write"), rule),
    )
    ask_first = (first,) if is_asked or emergency else ()
    return Procedure(
        rule,
        coded("player_leaves_table"),
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
        Step(Who.EITHER, "stop_clock", coded("stop_the_clock"), rule),
        Step(Who.OPPONENT, "show_play", coded("show_play_made_meanwhile"), rule),
        out_of_bag(Who.PLAYER, coded("draw", count=own), own, rule),
        Step(Who.OPPONENT, "start_clock", coded("start_players_clock_when_first"), rule),
        Step(Who.PLAYER, "hold_or_challenge", coded("hold_challenge"), rule, seconds=_HOLD_S),
        out_of_bag(Who.OPPONENT, coded("draw", count=other), other, rule),
    )
    questions = ask_remedy(rules, "leave.procedure")
    return Procedure(
        rule, coded("player_back"), steps=() if questions else steps, open_questions=questions
    )
