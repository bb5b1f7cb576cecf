"""Tiles of another set among ours (ADJ-1).

A letter that comes more often than the set has it is proof: no reading of single squares is. The
other table's account, one short, names where the tile belongs.
"""

from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.game import Withdrawn
from recorder.domain.notices import coded
from recorder.domain.rules.core.parameters import Rules, ask_remedy
from recorder.domain.rules.core.procedure import DIRECTOR, EITHER, PLAYER, TilePlan
from recorder.domain.rules.draw.overdraw import TilesHeld, surplus_plan


class HowFar(StrEnum):
    """How far play went before the tile of another set was noticed."""

    HELD = "noticed_on_rack_or_table"
    PLAYED = "played_nothing_drawn_since"
    DRAWN = "played_and_drawn"
    ANSWERED = "the_opponent_has_had_a_turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignFacts:
    """``count`` tiles of another set came from ``player``'s rack or play.

    ``score`` and ``tiles_played`` are those of the play they were in, from which ``kept`` tiles
    were left; ``drawn`` were drawn after it, and lie with the rack.
    """

    player: int
    how_far: HowFar
    count: int = 1
    score: int = 0
    tiles_played: int = 0
    kept: int = 0
    drawn: int = 0


_IDENTIFY = (
    EITHER("stop_clock", "stop_the_clock", "ADJ-1"),
    DIRECTOR("find_own_bag", "find_bag_tile_belongs_table", "ADJ-1"),
)


def foreign_tile(rules: Rules, facts: ForeignFacts) -> TilePlan:
    """What is done with tiles of another set (ADJ-1). Where no text says it, the director does.

    Those replaced are drawn from their own bag. What was drawn since a play is settled as an
    overdraw: the tiles of the play count as the player's, outside the pool.
    """
    rule, title = "ADJ-1", coded("another_set", count=facts.count, how_far=facts.how_far)
    if questions := ask_remedy(rules, "loose.procedure"):
        return TilePlan(rule, title, steps=_IDENTIFY, open_questions=questions)
    if facts.how_far is HowFar.ANSWERED:
        # After the opponent's turn nothing is played again; racks stay hidden.
        complete = DIRECTOR("complete_sets", "make_sets_complete")
        restart = EITHER("start_clock", "restart_clock")
        return TilePlan(rule, title, steps=(*_IDENTIFY, complete, restart))
    again, is_drawn = facts.how_far is not HowFar.HELD, facts.how_far is HowFar.DRAWN
    steps = list(_IDENTIFY)
    if again:
        played = facts.tiles_played or None
        steps.append(PLAYER("take_play_off", "take_play_off_will_made", tiles=played))
    steps.append(EITHER("return_foreign", "put_tile_other_set_into", tiles=facts.count))
    overdrawn = _surplus_after(rules, facts) if is_drawn else None
    if overdrawn is not None:
        steps.extend(overdrawn.steps[1:-1])
    elif not is_drawn:
        act = coded("draw_from_your_own_bag", count=facts.count)
        steps.append(PLAYER("draw_tiles", act, tiles=facts.count))
    last = "restart_clock_turn_made_again" if again else "restart_clock"
    steps.append(EITHER("start_clock", last))
    return TilePlan(
        rule,
        title,
        steps=tuple(steps),
        events=(Withdrawn(facts.player, facts.score),) if again else (),
        drawn=0 if is_drawn else facts.count,
        returned=0 if overdrawn is None else overdrawn.returned,
        surplus=0 if overdrawn is None else overdrawn.surplus,
        pool=0 if overdrawn is None else overdrawn.pool,
    )


def _surplus_after(rules: Rules, facts: ForeignFacts) -> TilePlan | None:
    """Their own tiles of the play are the player's again, so too many were drawn."""
    own = facts.tiles_played - facts.count
    held = TilesHeld(facts.kept, facts.drawn, outside=own)
    return surplus_plan(rules, held) if held.surplus > 0 else None
