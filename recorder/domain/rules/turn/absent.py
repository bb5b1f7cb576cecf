"""A player away from the table: what may go on, and draws that have to wait (LEAVE-1, LEAVE-2).

Who may leave is for the director. Draws that wait are kept in the order of the turns.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from recorder.domain.notices import coded
from recorder.domain.rules.core.parameters import WESPA, Rules, ask_remedy
from recorder.domain.rules.core.procedure import (
    EITHER,
    OPPONENT,
    PLAYER,
    Procedure,
    into_bag,
    out_of_bag,
)
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
        OPPONENT(
            "show_tiles", "turn_up_all_racked_not", rule, exposed=exposed, held=held, tiles=exposed
        ),
        OPPONENT(
            "choose_to_return",
            "choose_them_go_back",
            rule,
            drawn=facts.drawn,
            tiles=facts.drawn,
            seconds=_DECISION_S,
        ),
        into_bag(EITHER, "put_into_bag", facts.drawn, rule, count=facts.drawn),
        OPPONENT("accept_or_challenge", "now_accept_play_hold_challenge", rule),
        PLAYER(
            "draw_tiles", "draw_once_accepted_if_comes", rule, drawn=facts.drawn, tiles=facts.drawn
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
    first = PLAYER("ask_permission", "ask_permission", rule, whose="director")
    if emergency:
        first = OPPONENT("tell_director", "tell_director_once", rule)
    away = (
        PLAYER("complete_turn", "complete_turn_play_press_write", rule),
        OPPONENT("play_meanwhile", "you_may_play_press_write", rule),
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
        EITHER("stop_clock", "stop_the_clock", rule),
        OPPONENT("show_play", "show_play_made_meanwhile", rule),
        out_of_bag(PLAYER, "draw", own, rule, count=own),
        OPPONENT("start_clock", "start_players_clock_when_first", rule),
        PLAYER("hold_or_challenge", "hold_challenge", rule, seconds=_HOLD_S),
        out_of_bag(OPPONENT, "draw", other, rule, count=other),
    )
    questions = ask_remedy(rules, "leave.procedure")
    return Procedure(
        rule, coded("player_back"), steps=() if questions else steps, open_questions=questions
    )
