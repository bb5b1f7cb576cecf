"""Procedures for tiles drawn too many, too few, or too early (OVERDRAW, UNDERDRAW, OOO)."""

from collections.abc import Iterator
from dataclasses import dataclass

from recorder.domain.game import Exchanged, IllegallyPlayed
from recorder.domain.laying_faults import LayingFault
from recorder.domain.notices import Notice, TableNotice
from recorder.domain.procedures.found import ON_QUESTIONS, RULES, Found
from recorder.domain.procedures.moments import Moment
from recorder.domain.procedures.named import begun_about
from recorder.domain.procedures.table_facts import TableFacts
from recorder.domain.rules.core.procedure import DIRECTOR, Procedure, TilePlan
from recorder.domain.rules.draw.draws import Draw, draw_seen
from recorder.domain.rules.draw.overdraw import (
    FoundBy,
    OverdrawFacts,
    PlayedFrom,
    overdraw,
)
from recorder.domain.rules.draw.overdraw_course import choosing, detected, too_many_revealed
from recorder.domain.rules.draw.underdraw import (
    OutOfOrderFacts,
    UnderdrawFacts,
    out_of_order,
    underdraw,
)
from recorder.domain.rules.exchange.wrong_exchange import ExchangeFacts, overdrawn_exchange
from recorder.domain.rulings.closing import racks_after
from recorder.domain.tiles import RACK_SIZE


@dataclass(frozen=True, slots=True, kw_only=True)
class _WrongDraw:
    """A draw that is in question: noticed, or named by a director.

    ``ref`` is the turn after which it was made, ``refs`` the rows that report it; ``due`` what
    the opponent was to draw before it.
    """

    player: int
    draw: Draw
    ref: int
    refs: tuple[int, ...]
    due: int | None = None

    @property
    def since(self) -> int:
        """The row after which sensors can see it put right."""
        return max(self.refs)


_KNOWN = {"yes": True, "true": True, "no": False, "false": False}
"""What a director can say of where tiles lay, as the form or an order has it."""
_SURPLUS = {Notice.OVERDRAW: 1, Notice.UNDERDRAW: -1, Notice.OUT_OF_ORDER: 0}
"""What a draw that no sensor has counted has too many or too few, where nobody says how many."""


def _wrong_draws(facts: TableFacts, code: Notice) -> Iterator[_WrongDraw]:
    """The draws that are in question as that: by what was noticed, and by what a director says."""
    found = [_noticed(notice) for notice in facts.noticed(code)]
    noticed = [wrong for wrong in found if wrong is not None]
    yield from noticed
    run = facts.open_run(code.value)
    if run is None or facts.is_put_right(run):
        return
    player = begun_about(run.act)
    if player is None and facts.last_press is not None:
        player = facts.last_press.player
    if player is not None and player not in {wrong.player for wrong in noticed}:
        named = _named(facts, code, player)
        if named is not None:
            yield named


def _noticed(notice: TableNotice) -> _WrongDraw | None:
    """The draw that a notice is about, where it says all of it."""
    kept, bag, drawn, due = (
        number if isinstance(number := notice.numbers.get(name), int) else None
        for name in ("kept", "bag", "drawn", "due")
    )
    if kept is None or bag is None or drawn is None or notice.player is None:
        return None
    draw = Draw(kept=kept, bag=bag, drawn=drawn)
    return _WrongDraw(player=notice.player, draw=draw, ref=notice.ref, refs=notice.refs, due=due)


def _named(facts: TableFacts, code: Notice, player: int) -> _WrongDraw | None:
    """The newest draw of a player: as racks are counted, else by the number that was said."""
    use = facts.last_use(player)
    if use is None:
        return None
    ref, said = use.group.ref, facts.said(code.value, player).get("tiles")
    before = facts.last_use(1 - player, ref) if code is Notice.OUT_OF_ORDER else None
    due = None if before is None else before.due
    bag, count = use.bag + (due or 0), facts.rack(player, since=ref)
    wrong = _SURPLUS[code] * (said if isinstance(said, int) else 1)
    draw = draw_seen(kept=use.kept, bag=bag, held=count, wrong=wrong)
    return _WrongDraw(player=player, draw=draw, ref=ref, refs=(ref,), due=due)


def find_overdraws(facts: TableFacts) -> Iterator[Found]:
    """An overdraw with its draw (OVERDRAW-1 to OVERDRAW-8).

    Where both have one, the tiles that put the first right do not count for the other.
    """
    wrongs = list(_wrong_draws(facts, Notice.OVERDRAW))
    for wrong in wrongs:
        later = _next_use(facts, wrong)
        if later is not None and isinstance(later.event, Exchanged):
            yield _overdrawn_exchange(facts, wrong.draw, later)
        elif later is None or not _is_overfull(later):
            other = sum(their.draw.surplus for their in wrongs if their is not wrong)
            yield _overdraw(facts, wrong, other)


def _overdraw(facts: TableFacts, wrong: _WrongDraw, other: int) -> Found:
    """The procedure; ``other`` is the surplus of the opponent, who has drawn too many as well."""
    player, draw = wrong.player, wrong.draw
    since = max(wrong.since, _others_over(facts, player))
    said = facts.said("overdraw", player)
    mixed = _mixed(facts, wrong)
    if mixed is None:
        mixed = _KNOWN.get(str(said.get("mixed")).lower())
    bag_now = facts.bag_weighed
    plan = overdraw(
        facts.rules,
        OverdrawFacts(
            player=player,
            draw=draw,
            found_by=_found_by(said.get("found_by")),
            mixed=mixed,
            own_turn=facts.on_turn == player,
            concealed=said.get("concealed") is True,
            bag_now=bag_now if facts.pressed_since(wrong.ref, 1 - player) else None,
        ),
    )
    numbers = {"tiles": plan.surplus, "kept": draw.kept, "drawn": draw.drawn, "bag": draw.bag}
    numbers |= {"pool": plan.pool, "shown": plan.revealed, "returned": plan.returned}
    return Found(
        code="overdraw",
        procedure=_while_choosing(facts, plan, player),
        group=wrong.ref,
        player=player,
        facts={**numbers, "mixed": mixed},
        since=since,
        over=plan.surplus > 0
        and not facts.stands
        and _is_back(facts, player, plan.surplus, since, other),
    )


def _while_choosing(facts: TableFacts, plan: TilePlan, player: int) -> Procedure:
    """The procedure, with what follows from too many tiles turned up or from too much time.

    Steps that were there keep their places: they are ticked by them (OVERDRAW-6, CLOCK-3). While
    only sensors know, there is only whether to say so (OVERDRAW-1).
    """
    procedure: Procedure = plan
    run = facts.open_run("overdraw", player)
    said = facts.said("overdraw", player)
    if plan.surplus and _found_by(said.get("found_by")) is FoundBy.SENSOR:
        return detected(facts.rules, surplus=plan.surplus)
    shown = said.get("turned_up")
    if isinstance(shown, int) and shown > plan.revealed:
        extra = too_many_revealed(facts.rules, plan, shown=shown)
        procedure = _with(procedure, extra)
    if run is not None and run.timed_ms:
        elapsed_s = (facts.now_ms - max(run.timed_ms.values())) / 1000
        late = choosing(plan, elapsed_s=elapsed_s)
        if late.steps or late.open_questions:
            procedure = _with(procedure, late)
    return procedure


def _with(procedure: Procedure, after: Procedure) -> Procedure:
    asks = after.open_questions and not procedure.open_questions
    settle = (DIRECTOR(RULES, ON_QUESTIONS, after.rule),) if asks else ()
    return procedure.then(*after.steps, *settle).asking(*after.open_questions)


def _found_by(said: object) -> FoundBy:
    return next((way for way in FoundBy if said in (way.value, way.name.lower())), FoundBy.PLAYER)


def _mixed(facts: TableFacts, wrong: _WrongDraw) -> bool | None:
    """Whether the new tiles lie with the old ones: the rack's sensor counts them, or does not."""
    count = facts.rack(wrong.player, among=wrong.refs)
    if count is None:
        count = facts.rack(wrong.player)
    return None if count is None else count > wrong.draw.kept


def _others_over(facts: TableFacts, player: int) -> int:
    """The row by which an overdraw of the opponent was put right last, 0 without one."""
    newest = max((report.seq for report in facts.sensed), default=0)
    rows = (
        newest if past.over is None else past.over
        for past in facts.past
        if past.code == Notice.OVERDRAW and past.player == 1 - player
    )
    return max(rows, default=0)


def _is_back(facts: TableFacts, player: int, surplus: int, since: int, other: int = 0) -> bool:
    """The surplus is in the bag again and the rack as it should be.

    Where no rack is counted, an opponent's surplus of ``other`` tiles has to be there as well:
    the bag's weight does not say whose tiles went into it.
    """
    count = facts.rack(player, since=since)
    if count is not None and count > RACK_SIZE:
        return False
    if facts.is_weighed:
        return facts.put_back(since) >= surplus + (other if count is None else 0)
    return count is not None


def _next_use(facts: TableFacts, wrong: _WrongDraw) -> Moment | None:
    """The next use that the player made of the tiles: a play, or an exchange."""
    later = (
        moment
        for moment in facts.moments
        if moment.used and moment.group.ref > wrong.ref and moment.event.player == wrong.player
    )
    return next(later, None)


def _is_overfull(moment: Moment) -> bool:
    event = moment.event
    is_found = isinstance(event, IllegallyPlayed) and LayingFault.OVER_SEVEN in event.faults
    return is_found and moment.group.overfull > 0


def find_overfull_plays(facts: TableFacts) -> Iterator[Found]:
    """The newest play from too full a rack, where it counts nothing for that (OVERDRAW-5)."""
    plays = [moment for moment in facts.moments if _is_overfull(moment)]
    if not plays:
        return
    play = plays[-1]
    player, since, held = play.event.player, play.group.ref, play.group.overfull
    left = held - play.used
    replied = facts.pressed_since(since, 1 - player) > 0
    before = facts.last_use(player, _turn_before(facts, since))
    kept, bag = (0, play.bag + RACK_SIZE) if before is None else (before.kept, before.bag)
    count = facts.rack(player, since=since)
    refill = facts.drawn_since(since) if facts.is_weighed else max(0, (count or left) - left)
    plan = overdraw(
        facts.rules,
        OverdrawFacts(
            player=player,
            draw=Draw(kept=kept, bag=max(bag, held - kept), drawn=held - kept),
            played=PlayedFrom(
                tiles=play.used,
                replied=replied,
                refill=0 if replied else refill,
                refill_mixed=count is None or count > left,
            ),
        ),
    )
    yield Found(
        code="overdraw",
        procedure=plan,
        group=since,
        player=player,
        facts={"tiles": plan.surplus, "held": held, "played": play.used, "pool": plan.pool},
        since=since,
        over=not facts.stands and (replied or _is_settled(facts, play, plan)),
    )


def _turn_before(facts: TableFacts, group: int) -> int:
    return max((other.ref for other in facts.game.groups if other.ref < group), default=0)


def _is_settled(facts: TableFacts, play: Moment, plan: TilePlan) -> bool:
    """The play is off the board, and what was held beyond a full rack is in the bag again."""
    if any(facts.state.board.has_tile(square) for square in getattr(play.event, "laid", ())):
        return False
    return _is_back(facts, play.event.player, plan.surplus, play.group.ref)


def _overdrawn_exchange(facts: TableFacts, draw: Draw, moment: Moment) -> Found:
    """EXCH-4: what was laid aside and drawn since counts with the surplus."""
    player, since = moment.event.player, moment.group.ref
    drawn, back = facts.drawn_since(since), facts.put_back(since)
    laid = moment.used
    drawn = min(drawn, moment.bag)
    plan = overdrawn_exchange(
        facts.rules,
        ExchangeFacts(
            player=player,
            bag=moment.bag,
            laid=laid,
            rack=draw.held,
            drawn=drawn,
            returned=min(back, laid),
        ),
    )
    return Found(
        code="overdrawn_exchange" if drawn else "overdraw",
        procedure=plan,
        group=moment.group.ref,
        player=player,
        facts={"tiles": plan.surplus, "laid": laid, "drawn": drawn, "returned": back},
        since=since,
        over=not facts.stands and back >= laid + plan.surplus - drawn,
    )


def find_underdraws(facts: TableFacts) -> Iterator[Found]:
    """Too few tiles drawn (UNDERDRAW-1, UNDERDRAW-2)."""
    for wrong in _wrong_draws(facts, Notice.UNDERDRAW):
        yield _underdraw(facts, wrong)


def _underdraw(facts: TableFacts, wrong: _WrongDraw) -> Found:
    player, draw, since = wrong.player, wrong.draw, wrong.since
    later = [
        moment
        for moment in facts.moments
        if moment.group.ref > wrong.ref and moment.event.player != player and moment.used
    ]
    emptied = next((moment for moment in later if moment.due >= moment.bag), None)
    other = facts.rack(1 - player)
    mixed = True if other is None or emptied is None else other > emptied.kept
    press = facts.press_of(emptied.group.ref) if emptied is not None else None
    start = facts.press_of(wrong.ref)
    plan = underdraw(
        facts.rules,
        UnderdrawFacts(
            player=player,
            draw=draw,
            short_ms=0 if start is None else start.at_ms,
            found_ms=facts.now_ms,
            emptied_ms=None if press is None else press.at_ms,
            emptied_drawn=0 if emptied is None else min(emptied.used, emptied.bag + draw.missing),
            emptied_mixed=mixed,
            presses=tuple((pressed.at_ms, pressed.player) for pressed in facts.table.turns.presses),
        ),
    )
    # Where the bag has tiles and the text is silent, the next draw fills the rack.
    is_asked = bool(facts.said("underdraw", player))
    nothing_to_do = emptied is None and not plan.steps and not is_asked
    return Found(
        code="underdraw",
        procedure=plan,
        group=wrong.ref,
        player=player,
        facts={
            "tiles": draw.missing,
            "kept": draw.kept,
            "drawn": draw.drawn,
            "bag": draw.bag,
            "emptied": emptied is not None,
        },
        since=since,
        over=_is_filled(facts, player, since) or plan.too_late or nothing_to_do,
    )


def _is_filled(facts: TableFacts, player: int, since: int) -> bool:
    """The rack holds what it should by now."""
    count = facts.rack(player, since=since)
    should = racks_after(facts.state.events, facts.state.tile_set.total)[player]
    return not facts.stands and count is not None and count >= should


def find_early_draws(facts: TableFacts) -> Iterator[Found]:
    """A draw before the player who was to draw first (OOO-1)."""
    for wrong in _wrong_draws(facts, Notice.OUT_OF_ORDER):
        draw, player = wrong.draw, wrong.player
        first = facts.last_use(1 - player, wrong.ref)
        due = (0 if first is None else first.due) if wrong.due is None else wrong.due
        found = out_of_order(facts.rules, OutOfOrderFacts(draw=draw, due=due))
        since = wrong.since
        yield Found(
            code="out_of_order",
            procedure=found,
            group=wrong.ref,
            player=player,
            facts={
                "tiles": draw.drawn,
                "kept": draw.kept,
                "drawn": draw.drawn,
                "due": due,
                "bag": draw.bag,
                "returned": found.returned,
            },
            since=since,
            over=not facts.stands and facts.put_back(since) >= found.returned,
        )


WRONG_DRAWS = (find_overdraws, find_overfull_plays, find_underdraws, find_early_draws)
