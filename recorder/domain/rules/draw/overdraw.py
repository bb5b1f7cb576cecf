"""Too many tiles drawn: what is to be done by the rule set in force (OVERDRAW-1 to OVERDRAW-7).

The ways differ in the pool that is picked from, in how many of it are shown, in who picks, and in
whether it matters who spoke first. Exactly the surplus goes back in all of them. Knows no sensor:
what is known comes as ``OverdrawFacts``; what the text leaves open is asked. What is read out is
in ``surplus_steps``, what happens while it is done in ``overdraw_course``.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from recorder.domain.errors import RecorderError
from recorder.domain.game import Withdrawn
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import WESPA, Rules, ask, ask_remedy, has_remedy, whole
from recorder.domain.rules.core.procedure import DIRECTOR, TilePlan
from recorder.domain.rules.draw.draws import Draw
from recorder.domain.rules.draw.surplus_steps import (
    RESTART,
    STOP,
    hidden_steps,
    play_off_steps,
    shown_steps,
    whole_rack_steps,
)
from recorder.domain.tiles import RACK_SIZE

LOW_BAG = 7
"""NASPA: with so many tiles in the bag, or fewer, what is shown would tell too much."""
DECISION_S, _LOW_BAG_DECISION_S = 15, 60
"""NASPA: the time to choose."""


class FoundBy(StrEnum):
    """Who spoke first. A sensor never speaks: it only knows."""

    PLAYER = "player"
    OPPONENT = "opponent"
    DIRECTOR = "director"
    THIRD = "third_person"
    SENSOR = "sensor"


@dataclass(frozen=True, slots=True)
class TilesHeld:
    """Where a player's tiles are: old and new ones, and those taken off the board.

    ``mixed``: the new ones lie with the old ones; None where nobody knows.
    """

    old: int
    new: int
    outside: int = 0
    mixed: bool | None = True

    @property
    def held(self) -> int:
        """All of them."""
        return self.old + self.new + self.outside

    @property
    def surplus(self) -> int:
        """How many more than seven."""
        return self.held - RACK_SIZE

    @property
    def pool(self) -> int:
        """Those that are picked from."""
        return self.old + self.new if self.mixed else self.new


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedFrom:
    """A play made from too full a rack, which counts nothing, and what came after it.

    ``replied``: the opponent has played and pressed since. ``refill`` tiles were drawn after the
    play; ``refill_mixed`` says whether they lie with the rack.
    """

    tiles: int
    replied: bool
    refill: int = 0
    refill_mixed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class OverdrawFacts:
    """What is known of an overdraw by ``player`` (0 or 1); ``draw`` is the draw that was too big.

    ``mixed``: the new tiles lay with the old ones, None where nobody knows.
    ``own_turn``: it was found on the overdrawer's own turn. ``bag_now`` is the bag when it was
    found, where others drew since. ``concealed``: the director finds that the player knew it.
    """

    player: int
    draw: Draw
    found_by: FoundBy = FoundBy.PLAYER
    mixed: bool | None = False
    own_turn: bool = False
    concealed: bool = False
    bag_now: int | None = None
    played: PlayedFrom | None = None


def overdraw(rules: Rules, facts: OverdrawFacts) -> TilePlan:
    """The procedure for an overdraw: the first row of OVERDRAW-7 that fits.

    A surplus in an exchange is for ``exchange.overdrawn_exchange``, an improper return of tiles
    for ``spills.improper_return``. RecorderError when a play used more tiles than were held.
    """
    if facts.played is not None:
        return _played_from(rules, facts, facts.played)
    tiles = TilesHeld(facts.draw.kept, facts.draw.drawn, mixed=facts.mixed)
    if facts.draw.surplus == 0:
        return _nothing()
    if tiles.mixed is None:
        apart = _by_moment(rules, facts, replace(tiles, mixed=False))
        return apart.asking(coded("ask_both_whether_new_tile"))
    return _by_moment(rules, facts, tiles)


def surplus_plan(rules: Rules, held: TilesHeld, surplus: int | None = None) -> TilePlan:
    """The way with tiles shown, for a surplus that another entry names (OOO-1, ADJ-1, EXCH-4).

    Without ``surplus`` it is what is held beyond seven.
    """
    return _shown(rules, held, held.surplus if surplus is None else surplus)


def _played_from(rules: Rules, facts: OverdrawFacts, played: PlayedFrom) -> TilePlan:
    """OVERDRAW-5."""
    left = facts.draw.held - played.tiles
    if left < 0:
        raise RecorderError(f"{played.tiles} tiles were played from {facts.draw.held}")
    if questions := ask_remedy(rules, "overdraw.procedure"):
        now = TilesHeld(left, played.refill)
        if now.surplus <= 0:
            return _nothing(questions)
        return _by_moment(rules, facts, now).asking(*questions)
    if played.replied:
        return _answered()
    new = played.refill if played.refill_mixed else 0
    plan = _by_moment(rules, facts, TilesHeld(left, new, outside=played.tiles))
    first = play_off_steps(played.tiles, 0 if played.refill_mixed else played.refill)
    stop, *rest = plan.steps
    return replace(
        plan,
        title=coded("play_from_too_full_rack_not", surplus=plan.surplus),
        steps=(stop, *first, *rest),
        events=(Withdrawn(facts.player, 0),),
    )


def _by_moment(rules: Rules, facts: OverdrawFacts, tiles: TilesHeld) -> TilePlan:
    """Rows 4 to 16: a bag with few tiles, then who spoke first, then the usual way."""
    few = _few_in_bag(rules, facts, tiles)
    if few:
        return _hidden(rules, tiles)
    if few is False and _harsher(rules, facts):
        return _whole_rack(tiles)
    usual = _shown(rules, tiles, tiles.surplus)
    if few is None:
        return usual.asking(coded("bag_low_counts_before_after"))
    spoke = _who_spoke(rules, facts)
    return usual if spoke is None else usual.asking(spoke)


def _few_in_bag(rules: Rules, facts: OverdrawFacts, tiles: TilesHeld) -> bool | None:
    """OVERDRAW-4; None where it depends on when the bag is counted, which no text says."""
    if not facts.own_turn or not has_remedy(rules, "overdraw.procedure"):
        return False
    refill = facts.played.refill if facts.played else 0
    now = facts.draw.bag_after - refill if facts.bag_now is None else facts.bag_now
    low = {count <= LOW_BAG for count in (facts.draw.bag, now, now + tiles.surplus)}
    return low.pop() if len(low) == 1 else None


def _harsher(rules: Rules, facts: OverdrawFacts) -> bool:
    """OVERDRAW-3: the opponent spoke first, or the player hid it."""
    whole = "whole_rack_shown_opponent_picks_X"
    by_opponent = facts.found_by is FoundBy.OPPONENT
    noticed = by_opponent and rules.get("overdraw.opponent_notices_first") == whole
    return noticed or (facts.concealed and rules.get("overdraw.procedure") == WESPA)


def _who_spoke(rules: Rules, facts: OverdrawFacts) -> CodedText | None:
    """What is open when neither player spoke first, in sets where that matters."""
    if rules.get("overdraw.opponent_notices_first") != "whole_rack_shown_opponent_picks_X":
        return None
    if facts.found_by in (FoundBy.PLAYER, FoundBy.OPPONENT):
        return None
    if facts.found_by is FoundBy.DIRECTOR and rules.usable("overdraw.director_points_out"):
        return None
    return coded("neither_player_spoke_first_but", found_by=facts.found_by)


def _shown(rules: Rules, tiles: TilesHeld, surplus: int) -> TilePlan:
    """OVERDRAW-2: some of the pool are turned up, the opponent chooses among them."""
    extra = whole(rules, "overdraw.reveal_extra")
    revealed = min(surplus + extra, tiles.pool)
    seconds = DECISION_S if has_remedy(rules, "overdraw.procedure") else None
    keeps = rules.get("overdraw.returned") == "opponent_chooses_kept_rest_returned"
    return TilePlan(
        "OVERDRAW-2",
        coded("overdraw", surplus=surplus),
        steps=shown_steps(
            pool=tiles.pool,
            mixed=bool(tiles.mixed),
            revealed=revealed,
            returned=surplus,
            seconds=seconds,
            opponent_keeps=keeps,
        ),
        open_questions=ask(rules, "overdraw.returned"),
        surplus=surplus,
        pool=tiles.pool,
        revealed=revealed,
        returned=surplus,
    )


def _whole_rack(tiles: TilesHeld) -> TilePlan:
    """OVERDRAW-3: all is shown, the opponent picks."""
    surplus, pool = tiles.surplus, tiles.old + tiles.new
    return TilePlan(
        "OVERDRAW-3",
        coded("overdraw_not_disclosed_first", surplus=surplus),
        steps=whole_rack_steps(pool, surplus),
        surplus=surplus,
        pool=pool,
        revealed=pool,
        returned=surplus,
    )


def _hidden(rules: Rules, tiles: TilesHeld) -> TilePlan:
    """OVERDRAW-4: the opponent takes tiles unseen into their own rack and gives some back."""
    surplus, seconds = tiles.surplus, _LOW_BAG_DECISION_S
    taken = min(surplus + whole(rules, "overdraw.reveal_extra"), tiles.pool)
    steps = hidden_steps(pool=tiles.pool, taken=taken, returned=surplus, seconds=seconds)
    return TilePlan(
        "OVERDRAW-4",
        coded("overdraw_few_tiles_bag", surplus=surplus),
        steps=steps,
        surplus=surplus,
        pool=tiles.pool,
        revealed=taken,
        returned=surplus,
    )


def _answered() -> TilePlan:
    """The opponent has replied: the tiles stay where they are."""
    title = coded("play_from_too_full_rack_answered")
    steps = (STOP, DIRECTOR("zero_score", "play_scores_0"), RESTART)
    return TilePlan("OVERDRAW-5", title, steps=steps)


def _nothing(questions: tuple[CodedText, ...] = ()) -> TilePlan:
    return TilePlan("OVERDRAW-1", coded("no_tile_too_many_held"), open_questions=questions)
