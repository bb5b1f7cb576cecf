"""Procedures for tiles out of place: loose, spilled, put back, exchanged against the rules."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from recorder.domain.game import Exchanged, GameEvent, Passed, Penalty
from recorder.domain.notices import Notice, TableNotice, coded
from recorder.domain.procedures.found import Found, from_notice
from recorder.domain.procedures.named import begun_about
from recorder.domain.procedures.table_facts import NO_ROW, TableFacts
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.draw.draws import Draw
from recorder.domain.rules.draw.loose import (
    LooseFacts,
    game_is_over,
    loose_tile,
    tiles_in_bag_at_end,
)
from recorder.domain.rules.draw.spills import SpillFacts, improper_return, spill
from recorder.domain.rules.exchange.exchange import exchange_count, forgotten_pile
from recorder.domain.rules.exchange.wrong_exchange import (
    ExchangeFacts,
    illegal_exchange,
)
from recorder.domain.rules.start.starting import incomplete_after_start, incomplete_before_start
from recorder.domain.rulings.signatures import signatures
from recorder.domain.sensed_turns.quiet_turns import LAID, OPEN, SAID
from recorder.domain.standing_procedures import Settlement
from recorder.domain.tiles import RACK_SIZE

_LEFT_LYING = "left_lying"


def _count(notice: TableNotice) -> int:
    return int(notice.numbers.get("tiles", 1))


def find_loose_tiles(facts: TableFacts) -> Iterator[Found]:
    """Tiles that lie outside (LOOSE-1, LOOSE-3), or were never put into the bag (EXCH-6)."""
    for notice in facts.noticed(Notice.LOOSE_TILE):
        count, since = _count(notice), max(notice.refs)
        racks, bag = facts.held
        old = notice.numbers.get("case") == _LEFT_LYING
        procedure: Procedure = forgotten_pile(facts.rules, count=count)
        if not old or not procedure.steps:
            draws = tuple(_draws(facts))
            if bag:
                draws = tuple(
                    (player, Draw(kept=held, bag=bag))
                    for player, held in enumerate(racks)
                    if held < RACK_SIZE
                )
            found = LooseFacts(racks=racks, bag=bag, draws=draws, count=count)
            procedure = loose_tile(facts.rules, found)
        yield replace(
            from_notice(notice, procedure),
            facts={"tiles": count, "bag": bag},
            over=facts.put_back(since) >= count,
        )


def find_left_in_bag(facts: TableFacts) -> Iterator[Found]:
    """Tiles in the bag when a player seems to be out (BAGEND-1), for who fell short first."""
    for notice in facts.noticed(Notice.LEFT_IN_BAG):
        racks, _ = facts.held
        count = _count(notice)
        plan = tiles_in_bag_at_end(
            facts.rules,
            LooseFacts(
                racks=racks,
                draws=tuple(_draws(facts)),
                count=count,
                final=all(signatures(facts.rulings, changed=0)),
            ),
        )
        yield replace(
            from_notice(notice, plan),
            player=notice.player if plan.drawer is None else plan.drawer,
            facts={"tiles": count, "over": game_is_over(plan)},
        )


def _draws(facts: TableFacts) -> Iterator[tuple[int, Draw]]:
    """All draws in order, each with its player; those that fell short as they were noticed."""
    codes = Notice.UNDERDRAW, Notice.LOOSE_TILE
    short = {(notice.ref, notice.player): notice for notice in facts.noticed(*codes)}
    for moment in facts.moments:
        if moment.used:
            player = moment.event.player
            notice = short.get((moment.group.ref, player))
            missing = 0 if notice is None else _count(notice)
            drawn = max(0, moment.due - missing)
            yield player, Draw(kept=moment.kept, bag=moment.bag, drawn=drawn)


def find_incomplete_sets(facts: TableFacts) -> Iterator[Found]:
    """A set without tiles, or has too many: as laid out, or found once it is played with."""
    for notice in facts.noticed(Notice.SET_INCOMPLETE):
        procedure = incomplete_after_start(facts.rules)
        if facts.table.clock.started_ms is None:
            missing, surplus = (
                str(notice.numbers.get(name, "")) for name in ("missing", "surplus")
            )
            lack = max(0, _count(notice))
            procedure = incomplete_before_start(facts.rules, missing, surplus, lack=lack)
        total = facts.state.tile_set.total - _count(notice)
        yield Found(
            code="tile_check",
            procedure=procedure,
            facts={"tiles": notice.numbers.get("laid_out", total)},
            since=max(notice.refs),
        )


def find_exchange_numbers(facts: TableFacts) -> Iterator[Found]:
    """An exchange of another number than was said, where the rule set leaves it open (EXCH-5)."""
    codes = Notice.EXCHANGE_NUMBER, Notice.EXCHANGE_NOTHING_LAID
    of_turns = {notice.ref: notice for notice in reversed([*facts.noticed(*codes)])}
    for notice in reversed(of_turns.values()):
        group = facts.group(notice.ref)
        asked = facts.begun("exchange_number", notice.player)
        if group is None or not (group.facts.get(OPEN) or asked):
            continue
        said = int(group.facts.get(SAID, 0)) or _exchanged(group.events)
        counted = facts.said("exchange_number", notice.player).get("tiles")
        sensed = int(group.facts.get(LAID, _count(notice)))
        laid = counted if isinstance(counted, int) else sensed
        known = exchange_count(facts.rules, announced=said, laid=laid)
        title = coded("another_number_tiles_than_said")
        procedure = Procedure("EXCH-5", title, open_questions=known.open_questions)
        yield replace(
            from_notice(notice, procedure),
            code="exchange_number",
            facts={"tiles": laid, "said": said},
            over=bool(group.rulings) and not asked,
            settlements=_numbers(notice, said, laid),
        )


def _exchanged(events: Sequence[GameEvent]) -> int:
    """How many tiles a turn has exchanged by the record."""
    return next((event.count for event in events if isinstance(event, Exchanged)), 0)


def _numbers(notice: TableNotice, said: int, laid: int) -> tuple[Settlement, ...]:
    """An exchange of what was laid aside, a pass where nothing was, or one of what was said."""
    player = notice.player or 0
    as_laid: GameEvent = Exchanged(player, laid) if laid else Passed(player)
    return (
        Settlement(code="as_laid" if laid else "pass", events=(as_laid,)),
        Settlement(code="as_said", events=(Exchanged(player, said),)),
    )


def find_spills(facts: TableFacts) -> Iterator[Found]:
    """Tiles that fell out of the bag (LOOSE-2, SPILL-1, SPILL-2)."""
    for notice in facts.noticed(Notice.SPILL):
        player, is_known = _whose_hand(facts, notice, "spill")
        if player is None:
            continue
        count, since = _count(notice), max(notice.refs)
        spilled = _spilled(facts, notice, player)
        plan = spill(facts.rules, spilled)
        other = spill(facts.rules, replace(spilled, own_turn=not spilled.own_turn))
        if not is_known and other.steps != plan.steps:
            plan = plan.asking(coded("who_knocked_them_out_player", number=player + 1))
        yield replace(
            from_notice(notice, plan),
            player=player,
            facts={
                "tiles": count,
                "bag": spilled.bag,
                "drawn": plan.drawn or None,
                "returned": plan.returned,
            },
            over=plan.returned > 0 and facts.put_back(since) >= plan.returned,
        )


def _whose_hand(facts: TableFacts, notice: TableNotice, code: str) -> tuple[int | None, bool]:
    """Who held the bag, and whether that is known: no sensor sees whose hand it was."""
    if notice.player is not None:
        return notice.player, True
    run = facts.run(code)
    named = None if run is None or run.row < max(notice.refs) else begun_about(run.act)
    if named is not None:
        return named, True
    group = facts.group(notice.ref)
    return (group.events[-1].player if group is not None and group.events else None), False


def _spilled(facts: TableFacts, notice: TableNotice, player: int) -> SpillFacts:
    _, bag = facts.held
    count, owed, due = _count(notice), facts.last_use(player), None
    if notice.player is not None and facts.on_turn != player and owed is not None:
        due = owed.due if (facts.rack(player) or 0) < RACK_SIZE else None
    return SpillFacts(bag=bag + count, spilled=count, due=due, own_turn=facts.on_turn == player)


def find_returns(facts: TableFacts) -> Iterator[Found]:
    """Tiles that a player put into the bag without a right to (RETURN-1)."""
    for notice in facts.noticed(Notice.IMPROPER_RETURN):
        player, is_known = _whose_hand(facts, notice, "improper_return")
        if player is None:
            continue
        count, since = _count(notice), max(notice.refs)
        racks, bag = facts.held
        plan = improper_return(
            facts.rules,
            returned=count,
            rack=racks[player] - (count if facts.rack(player) is None else 0),
            bag=bag,
            own_turn=facts.on_turn == player,
        )
        if not is_known:
            plan = plan.asking(coded("who_put_them_back_player", number=player + 1))
        yield replace(
            from_notice(notice, plan),
            player=player,
            facts={"tiles": count, "bag": bag},
            over=bool(facts.pressed_since(since, player) and facts.drawn_since(since))
            and facts.on_turn != player,
        )


def find_illegal_exchanges(facts: TableFacts) -> Iterator[Found]:
    """An exchange with too few tiles in the bag, once somebody objects (EXCH-3)."""
    for notice in facts.noticed(Notice.ILLEGAL_EXCHANGE):
        player, group = notice.player, facts.group(notice.ref)
        if player is None or group is None:
            continue
        asked = facts.begun("illegal_exchange", player)
        objected = "challenge_after_ms" in group.facts
        if asked or (objected and facts.stands):
            yield _illegal_exchange(facts, notice, player, asked=asked)


def _illegal_exchange(facts: TableFacts, notice: TableNotice, player: int, *, asked: bool) -> Found:
    laid, bag = _count(notice), int(notice.numbers.get("bag", 0))
    # How far it had gone is settled then; what moves afterwards is the remedy.
    objected_ms = _objected_ms(facts, notice.ref, player)
    drawn = min(facts.drawn_since(notice.ref, by_ms=objected_ms), bag)
    count = facts.rack(player, by_ms=objected_ms)
    racked = 0 if count is None else max(0, min(drawn, count - (RACK_SIZE - laid)))
    plan = illegal_exchange(
        facts.rules,
        ExchangeFacts(
            player=player,
            bag=bag,
            laid=laid,
            drawn=drawn,
            racked=racked,
            returned=min(laid, facts.put_back(notice.ref, by_ms=objected_ms)),
            replied=facts.pressed_since(notice.ref, 1 - player) > 0,
        ),
    )
    events = [event for group in facts.game.groups for event in group.events]
    at = max((n for n, event in enumerate(events) if isinstance(event, Exchanged)), default=0)
    fined = any(isinstance(event, Penalty) and event.player == player for event in events[at:])
    return Found(
        code="illegal_exchange",
        procedure=plan,
        group=notice.ref,
        player=player,
        facts={
            "tiles": laid,
            "bag": bag,
            "drawn": drawn,
            "late": plan.too_late,
            "points": -plan.score_change or None,
        },
        since=notice.ref,
        over=fined or (plan.score_change == 0 and not facts.stands and not asked),
        settlements=_open_ways(player) if plan.open_questions else (),
    )


def _objected_ms(facts: TableFacts, turn: int, player: int) -> int:
    """When somebody objected to an exchange, or a director began with it; late where unknown."""
    press, group = facts.press_of(turn), facts.group(turn)
    after_ms = None if group is None else group.facts.get("challenge_after_ms")
    if press is not None and isinstance(after_ms, int):
        return press.at_ms + after_ms
    run = facts.run("illegal_exchange", player)
    begun_ms = None if run is None else facts.at_ms(run.row)
    return NO_ROW if begun_ms is None else begun_ms


def _open_ways(player: int) -> tuple[Settlement, ...]:
    """What can become of an exchange against the rules where no text says it."""
    return (Settlement(code="stands"), Settlement(code="pass", events=(Passed(player),)))


STRAYED = (
    find_loose_tiles,
    find_left_in_bag,
    find_incomplete_sets,
    find_exchange_numbers,
    find_spills,
    find_returns,
    find_illegal_exchanges,
)
