"""A player away from the table, and minor infractions (LEAVE-1, LEAVE-2, INFR-1).

Who may leave is for the director. Draws that wait are kept in the order of the turns. Infractions
are counted for one victim and one offender within a game; that the count is per game is assumed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import WESPA, Rules, ask_remedy, has_remedy
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    OPPONENT,
    PLAYER,
    Procedure,
    Remedy,
    TilePlan,
    TimeChange,
    Who,
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


def drawn_while_absent(rules: Rules, facts: AbsentFacts) -> TilePlan:
    """What follows when the player present drew while the other was away (LEAVE-2).

    A challenge of the play only comes after that; as many as went back are drawn once it is
    accepted.
    """
    rule, drawn, held = "LEAVE-2", facts.drawn, facts.kept + facts.drawn
    title = coded("drawn_while_opponent_away", drawn=drawn)
    if facts.returner_played:
        return TilePlan(rule, coded("played_since_no_penalty", title=title), rack_after=held)
    if questions := ask_remedy(rules, "leave.procedure"):
        return TilePlan(rule, title, open_questions=questions, rack_after=held)
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
        rack_after=held,
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


_TRIGGER, _REMEDY_S = 3, 60
"""NASPA: so many minor infractions are enough for a remedy, of so much time."""


@dataclass(frozen=True, slots=True)
class Infraction:
    """A mistake that does not affect the game; only those pointed out at once count."""

    turn: int
    what: str
    pointed_out: bool


@dataclass(frozen=True, slots=True)
class RemedyTaken:
    """The victim was given the remedy after this turn; the count begins again."""

    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How many infractions count, after which turn they became enough, and the remedy then.

    ``turn`` and ``remedy`` are None while they are not enough.
    """

    number: int
    turn: int | None = None
    remedy: Remedy | None = None
    open_questions: tuple[CodedText, ...] = ()


def minor_infractions(rules: Rules, noted: Sequence[Infraction | RemedyTaken]) -> Count:
    """The count of one player's minor infractions in one game, in the order of turns (INFR-1)."""
    number, reached = 0, None
    for note in noted:
        if isinstance(note, RemedyTaken):
            number, reached = 0, None
        elif note.pointed_out:
            number += 1
            if number == _TRIGGER:
                reached = note.turn
    if not has_remedy(rules, "observer.procedure"):
        question = coded("rule_set_knows_no_remedy")
        return Count(number=number, open_questions=(question,) if number else ())
    if reached is None:
        return Count(number=number)
    return Count(number=number, turn=reached, remedy=_remedy())


def _remedy() -> Remedy:
    changes = ((Who.OPPONENT, _REMEDY_S), (Who.PLAYER, -_REMEDY_S))
    return Remedy(
        "INFR-1",
        coded("minor_infractions"),
        steps=(DIRECTOR("adjust_time", "give_victim_time_take_from", seconds=_REMEDY_S),),
        times=tuple(
            TimeChange(who=who, seconds=seconds, rule="INFR-1", optional=True)
            for who, seconds in changes
        ),
    )
