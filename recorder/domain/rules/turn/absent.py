"""A player away from the table: what may go on, and draws that have to wait (LEAVE-1, LEAVE-2).

Who may leave is for the director. Draws that wait are kept in the order of the turns.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from recorder.domain.rules.core.parameters import Rules, ask, ask_all, whole
from recorder.domain.rules.core.procedure import Procedure, Step, Who, into_bag, out_of_bag
from recorder.domain.rules.draw.draws import Draw
from recorder.domain.rules.draw.overdraw import STOP, tiles


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
    title = f"{tiles(facts.drawn)} drawn while the opponent was away"
    if facts.returner_played:
        procedure = Procedure(rule=rule, title=f"{title}: a play has been made since, no penalty")
        return AbsentPlan(procedure=procedure, held=held)
    if questions := ask(rules, "leave.drawn_while_absent_reveal_extra"):
        open_ = Procedure(rule=rule, title=title, open_questions=questions)
        return AbsentPlan(procedure=open_, held=held)
    extra = whole(rules, "leave.drawn_while_absent_reveal_extra")
    exposed = min(facts.drawn + extra, held)
    seconds = rules.get_whole("leave.drawn_while_absent_decision_s")
    steps = (
        STOP,
        Step(
            code="show_tiles",
            who=Who.OPPONENT,
            act=f"Turn up {exposed} of all {tiles(held)}, racked or not",
            rule=rule,
            tiles=exposed,
        ),
        Step(
            code="choose_to_return",
            who=Who.OPPONENT,
            act=f"Choose {tiles(facts.drawn)} of them to go back",
            rule=rule,
            tiles=facts.drawn,
            seconds=seconds,
        ),
        into_bag(Who.EITHER, f"Put {tiles(facts.drawn)} into the bag", facts.drawn, rule),
        Step(
            code="accept_or_challenge",
            who=Who.OPPONENT,
            act="Now accept the play, hold it or challenge it",
            rule=rule,
        ),
        Step(
            code="draw_tiles",
            who=Who.PLAYER,
            act=f"Draw {tiles(facts.drawn)} once it is accepted; if it comes off, take its tiles",
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
        seconds=seconds,
        challenge_waits=True,
    )


def leaving(rules: Rules, *, emergency: bool = False) -> Procedure:
    """What a player does before leaving, and what the other may do meanwhile (LEAVE-1)."""
    rule = "LEAVE-1"
    whose = rules.get("leave.permission")
    first = Step(
        code="ask_permission", who=Who.PLAYER, act=f"Ask the {whose} for permission", rule=rule
    )
    if emergency:
        first = Step(
            code="tell_director", who=Who.OPPONENT, act="Tell the director at once", rule=rule
        )
    away = (
        Step(
            code="complete_turn",
            who=Who.PLAYER,
            act="Complete the turn: play, press, write; do not draw",
            rule=rule,
        ),
        Step(
            code="play_meanwhile",
            who=Who.OPPONENT,
            act="You may play, press and write while the player is away; do not draw",
            rule=rule,
        ),
    )
    ask_first = () if whose is None and not emergency else (first,)
    return Procedure(
        rule=rule,
        title="A player leaves the table",
        steps=(*ask_first, *away),
        open_questions=() if ask_first else ask(rules, "leave.permission"),
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
    seconds = rules.get_whole("leave.after_return_hold_s")
    steps = (
        Step(code="stop_clock", who=Who.EITHER, act="Stop the clock", rule=rule),
        Step(code="show_play", who=Who.OPPONENT, act="Show the play made meanwhile", rule=rule),
        out_of_bag(Who.PLAYER, f"Draw {tiles(own)}", own, rule),
        Step(
            code="start_clock",
            who=Who.OPPONENT,
            act="Start the player's clock when the first new tile was seen",
            rule=rule,
        ),
        Step(
            code="hold_or_challenge",
            who=Who.PLAYER,
            act="Hold or challenge",
            rule=rule,
            seconds=seconds,
        ),
        out_of_bag(Who.OPPONENT, f"Draw {tiles(other)}", other, rule),
    )
    questions = ask_all(rules, "leave.after_return_hold_s")
    return Procedure(
        rule=rule,
        title="The player is back",
        steps=() if questions else steps,
        open_questions=questions,
    )


def may_hold_until(rules: Rules, *, started_ms: int) -> int | None:
    """Until when a player who came back may hold or challenge, in milliseconds (LEAVE-1)."""
    seconds = rules.get_whole("leave.after_return_hold_s")
    return None if seconds is None else started_ms + 1000 * seconds
