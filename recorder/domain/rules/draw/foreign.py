"""Tiles of another set among ours (ADJ-1).

A letter that comes more often than the set has it is proof: no reading of single squares is. The
other table's account, one short, names where the tile belongs.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.game import GameEvent, Withdrawn
from recorder.domain.rules.core.parameters import Rules, ask
from recorder.domain.rules.core.procedure import Procedure, Step, Who
from recorder.domain.rules.draw.overdraw import OverdrawPlan, TilesHeld, surplus_plan, tiles
from recorder.domain.tiles import TileSet, unseen


def surplus_letters(
    tile_set: TileSet, board_cells: str, racks: Iterable[str] = ()
) -> Mapping[str, int]:
    """The faces of which more are seen than the set has, with how many too many.

    Faces that the set lacks are among them; empty when all can be of one set (ADJ-1).

    ``board_cells`` and ``racks`` as for ``recorder.domain.tiles.unseen``.
    """
    left = unseen(tile_set, board_cells, racks)
    return {face: -count for face, count in left.items() if count < 0}


class HowFar(StrEnum):
    """How far play went before the tile of another set was noticed."""

    HELD = "noticed on rack or table"
    PLAYED = "played, nothing drawn since"
    DRAWN = "played and drawn"
    ANSWERED = "the opponent has had a turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignFacts:
    """``count`` tiles of another set came from ``player``'s rack or play.

    ``score`` and ``tiles_played`` are those of the play they were in, from which ``kept`` tiles
    were left; ``drawn`` were drawn after it, ``mixed`` with the rack or not. ``caused_by`` is who
    brought them in, if one alone did.
    """

    player: int
    how_far: HowFar
    count: int = 1
    score: int = 0
    tiles_played: int = 0
    kept: int = 0
    drawn: int = 0
    mixed: bool = True
    caused_by: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignPlan:
    """``replaced`` tiles are drawn from the own bag; ``play_again``: the turn is made anew.

    ``overdraw`` settles what was drawn since: the tiles of the play count as the player's, outside
    the pool.
    """

    procedure: Procedure
    replaced: int = 0
    play_again: bool = False
    overdraw: OverdrawPlan | None = None


_IDENTIFY = (
    Step(code="stop_clock", who=Who.EITHER, act="Stop the clock", rule="ADJ-1"),
    Step(
        code="find_own_bag",
        who=Who.DIRECTOR,
        act="Find the bag that the tile belongs to: the table whose account is one short",
        rule="ADJ-1",
    ),
)


def foreign_tile(rules: Rules, facts: ForeignFacts) -> ForeignPlan:
    """What is done with tiles of another set (ADJ-1). Where no text says it, the director does."""
    rule = "ADJ-1"
    title = f"{tiles(facts.count)} of another set: {facts.how_far}"
    if questions := ask(rules, "loose.foreign_tile"):
        return ForeignPlan(
            procedure=Procedure(rule=rule, title=title, steps=_IDENTIFY, open_questions=questions)
        )
    if facts.how_far is HowFar.ANSWERED:
        return ForeignPlan(
            procedure=Procedure(rule=rule, title=title, steps=(*_IDENTIFY, *_restore(facts)))
        )
    steps = list(_IDENTIFY)
    events: tuple[GameEvent, ...] = ()
    overdrawn: OverdrawPlan | None = None
    if facts.how_far is not HowFar.HELD:
        act, played = "Take the play off; it will be made again", facts.tiles_played or None
        steps.append(_step("take_play_off", Who.PLAYER, act, tiles=played))
        events = (Withdrawn(facts.player, facts.score),)
    act = "Put the tile of the other set into its own bag"
    steps.append(_step("return_foreign", Who.EITHER, act, tiles=facts.count))
    if facts.how_far is HowFar.DRAWN:
        overdrawn = _surplus_after(rules, facts)
        steps.extend(overdrawn.procedure.steps[1:-1] if overdrawn else ())
    else:
        act = f"Draw {tiles(facts.count)} from your own bag, if what it gave was in order"
        steps.append(_step("draw_tiles", Who.PLAYER, act, tiles=facts.count))
    again = facts.how_far is not HowFar.HELD
    last = "Restart the clock; the turn is made again" if again else "Restart the clock"
    steps.append(_step("start_clock", Who.EITHER, last))
    return ForeignPlan(
        procedure=Procedure(rule=rule, title=title, steps=tuple(steps), events=events),
        replaced=0 if facts.how_far is HowFar.DRAWN else facts.count,
        play_again=again,
        overdraw=overdrawn,
    )


def _surplus_after(rules: Rules, facts: ForeignFacts) -> OverdrawPlan | None:
    """The own tiles of the play are the player's again, so too many were drawn."""
    own = facts.tiles_played - facts.count
    held = TilesHeld(facts.kept, facts.drawn, outside=own, mixed=facts.mixed)
    return surplus_plan(rules, player=facts.player, held=held) if held.surplus > 0 else None


def _restore(facts: ForeignFacts) -> tuple[Step, ...]:
    """After the opponent's turn nothing is played again; racks stay hidden."""
    order = ["the right bag"]
    if facts.caused_by is not None:
        order.append(f"the rack of player {facts.caused_by + 1}, who alone caused it")
    order.append("a spare bag")
    sources = ", then ".join(order)
    act = f"Make both sets complete again without showing a rack; take tiles from {sources}"
    return (
        _step("complete_sets", Who.DIRECTOR, act),
        _step("start_clock", Who.EITHER, "Restart the clock"),
    )


def _step(code: str, who: Who, act: str, *, tiles: int | None = None) -> Step:
    return Step(code=code, who=who, act=act, rule="ADJ-1", tiles=tiles)
