"""A player away from the table, and minor infractions (LEAVE-1, LEAVE-2, INFR-1).

Who may leave is for the director. Draws that wait are kept in the order of the turns. Infractions
are counted for one victim and one offender within a game; that the count is per game is assumed.
"""

from collections.abc import Sequence

from recorder.domain.notices import coded
from recorder.domain.rules.core.parameters import WESPA, Rules, ask_remedy, has_remedy
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    OPPONENT,
    PLAYER,
    Procedure,
    TilePlan,
    into_bag,
    out_of_bag,
)
from recorder.domain.rules.draw.draws import Draw
from recorder.domain.rules.draw.surplus_steps import STOP

_REVEAL_EXTRA, _DECISION_S, _HOLD_S = 2, 60, 5
"""NASPA: tiles shown beyond those drawn, the time to choose, the time to hold after a return."""


def drawn_while_absent(
    rules: Rules, *, kept: int, drawn: int, returner_played: bool = False
) -> TilePlan:
    """What follows when the player present drew while the other was away (LEAVE-2).

    That player had ``kept`` tiles and drew ``drawn`` that should have waited; ``returner_played``:
    the one who came back has already made a play. A challenge of the play only comes after that; as
    many as went back are drawn once it is accepted.
    """
    rule, held, title = "LEAVE-2", kept + drawn, coded("drawn_while_opponent_away", drawn=drawn)
    if returner_played:
        return TilePlan(rule, coded("played_since_no_penalty", title=title))
    if questions := ask_remedy(rules, "leave.procedure"):
        return TilePlan(rule, title, open_questions=questions)
    seen, turn_up = min(drawn + _REVEAL_EXTRA, held), "turn_up_all_racked_not"
    back = coded("choose_them_go_back", drawn=drawn)
    steps = (
        STOP,
        OPPONENT("show_tiles", turn_up, exposed=seen, held=held, tiles=seen),
        OPPONENT("choose_to_return", back, tiles=drawn, seconds=_DECISION_S),
        into_bag(EITHER, "put_into_bag", drawn, count=drawn),
        OPPONENT("accept_or_challenge", "now_accept_play_hold_challenge"),
        PLAYER("draw_tiles", "draw_once_accepted_if_comes", drawn=drawn, tiles=drawn),
    )
    return TilePlan(
        rule,
        title,
        steps=steps,
        pool=held,
        revealed=seen,
        returned=drawn,
        drawn=drawn,
    )


def leaving(rules: Rules, *, emergency: bool = False) -> Procedure:
    """What a player does before leaving, and what the other may do meanwhile (LEAVE-1)."""
    is_asked = rules.get("leave.procedure") == WESPA
    first = PLAYER("ask_permission", "ask_permission", whose="director")
    if emergency:
        first = OPPONENT("tell_director", "tell_director_once")
    away = (
        PLAYER("complete_turn", "complete_turn_play_press_write"),
        OPPONENT("play_meanwhile", "you_may_play_press_write"),
    )
    ask_first = (first,) if is_asked or emergency else ()
    questions = () if ask_first else ask_remedy(rules, "leave.procedure", WESPA)
    title = coded("player_leaves_table")
    return Procedure("LEAVE-1", title, steps=(*ask_first, *away), open_questions=questions)


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
    own, other = missing
    title = coded("player_back")
    if questions := ask_remedy(rules, "leave.procedure"):
        return Procedure("LEAVE-1", title, open_questions=questions)
    steps = (
        EITHER("stop_clock", "stop_the_clock"),
        OPPONENT("show_play", "show_play_made_meanwhile"),
        out_of_bag(PLAYER, "draw", own, count=own),
        OPPONENT("start_clock", "start_players_clock_when_first"),
        PLAYER("hold_or_challenge", "hold_challenge", seconds=_HOLD_S),
        out_of_bag(OPPONENT, "draw", other, count=other),
    )
    return Procedure("LEAVE-1", title, steps=steps)


_TRIGGER, _REMEDY_S, _REMEDY = 3, 60, "adjust_time"
"""NASPA: so many minor infractions are enough for a remedy, of so much time; its step."""


def minor_infractions(rules: Rules, count: int) -> Procedure:
    """What follows from so many minor infractions of a player since the last remedy (INFR-1).

    Only those count that were pointed out at once.
    """
    title = coded("minor_infractions")
    if not has_remedy(rules, "observer.procedure"):
        question = coded("rule_set_knows_no_remedy")
        return Procedure("INFR-1", title, open_questions=(question,) if count else ())
    note = DIRECTOR("note_infraction", "carried_out_counts_it")
    remedy = DIRECTOR(_REMEDY, "give_victim_time_take_from", seconds=_REMEDY_S)
    return Procedure("INFR-1", title, steps=(remedy if count >= _TRIGGER else note,))


def brings_remedy(procedure: Procedure) -> bool:
    """Whether minor infractions are enough for the remedy; then the count begins again."""
    return any(step.code == _REMEDY for step in procedure.steps)
