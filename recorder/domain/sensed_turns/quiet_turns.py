"""Turns without a play, held against what racks and bag showed of them (EXCH-5, EXCH-7, PASS-1).

What was said comes from ``announcements``; here the tiles that were laid aside at the press come
to it, where a sensor counts racks. What follows is asked of the rule set.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from recorder.domain.game import Exchanged, GameEvent, NoPlay, Passed
from recorder.domain.notices import CodedText, Manner, Notice, Phase, TableNotice, coded
from recorder.domain.rules.core.disclosure import noticed
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.exchange.exchange import ExchangeCount, exchange_count
from recorder.domain.tile_account.sensor_reports import (
    Sensed,
    SensorReports,
    count_of,
    in_order,
)
from recorder.domain.tile_account.sensor_spans import Span
from recorder.domain.turns import Press, Turn

SAID, LAID, OPEN = "said_tiles", "laid_aside", "exchange_open"
"""Facts of a turn: what was announced, what lay aside, whether the rules leave it open."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was laid aside at a press, and whether others were drawn for it."""

    laid: int
    is_drawn: bool


def as_seen(
    groups: Sequence[Turn],
    presses: Sequence[Press],
    readings: Sequence[Sensed],
    rules: Rules,
) -> tuple[Turn, ...]:
    """The turns, those without a play as the sensors of racks and bag show them.

    One that nothing shows, neither words nor tiles, is in doubt: an exchange, or a pass.
    """
    reports = in_order(readings)
    seen = dict(_seen(presses, reports)) if reports.has_racks else {}
    return tuple(_turn(group, seen, rules) for group in groups)


def gone_in_turns(presses: Sequence[Press], readings: Sequence[Sensed]) -> dict[int, int]:
    """By press, the tiles that went from its player's rack in the turn, where it was counted."""
    reports = in_order(readings)
    return {seq: seen.laid for seq, seen in _seen(presses, reports)} if reports.has_racks else {}


def _seen(presses: Sequence[Press], readings: SensorReports) -> Iterator[tuple[int, _Seen]]:
    """By the rows of presses: what was laid aside in the turn that each has ended."""
    first_ms = readings[0].at_ms if readings else 0
    for (before_ms, press), end_ms in zip(
        _with_the_one_before(first_ms, presses), _ends(presses), strict=True
    ):
        turn = Span(before_ms, press.at_ms + 1, readings)
        what = ("laid aside", before_ms, press.at_ms, press.player)
        laid = readings.once(what, turn.until_ms, partial(gone_from_rack, turn, press.player))
        if laid is not None:
            yield press.seq, _Seen(laid, _is_drawn(press, end_ms, readings))


def _is_drawn(press: Press, end_ms: int, readings: SensorReports) -> bool:
    """Whether a hand was in the bag after a press; where nothing watches that, the rack grew."""
    if readings.has_bag:
        lift = readings.lift_after(press.at_ms)
        return lift is not None and lift.at_ms < end_ms
    held = readings.rack(press.player, press.at_ms + 1)
    later = readings.of_rack(press.player, press.at_ms + 1, end_ms)
    least = 0 if held is None else count_of(held) or 0
    return any((count_of(report) or 0) > least for report in later)


def gone_from_rack(turn: Span, player: int) -> int | None:
    """The tiles that went from a rack in a turn, None where it was not counted."""
    counted = turn.readings.of_rack(player, turn.from_ms, turn.until_ms)
    began = turn.rack(player, turn.from_ms + 1)
    now = turn.rack(player, turn.until_ms)
    if now is None or (began is None and not counted):
        return None
    counted += [] if began is None else [began]
    return max(count_of(report) or 0 for report in counted) - (count_of(now) or 0)


def _with_the_one_before(first_ms: int, presses: Sequence[Press]) -> Iterator[tuple[int, Press]]:
    """Each press with the instant of the one before it."""
    yield from zip((first_ms, *(press.at_ms for press in presses)), presses, strict=False)


def _ends(presses: Sequence[Press]) -> list[int]:
    """Where the turn after each press ends: with the next one, or never."""
    never = 1 << 62
    return [*(later.at_ms for _, later in pairwise(presses)), never][: len(presses)]


def _turn(group: Turn, seen: Mapping[int, _Seen], rules: Rules) -> Turn:
    event = group.events[-1] if group.events else None
    shown = seen.get(group.ref)
    if group.rulings:
        return group
    if shown is None:
        return _with(group, event, coded("quiet_unsaid")) if isinstance(event, NoPlay) else group
    match event:
        case Exchanged(count=count) if shown.laid or not shown.is_drawn:
            found = exchange_count(rules, announced=count, laid=shown.laid)
            return _as_exchange(group, event, count, shown.laid, found)
        case NoPlay(player=player) | Passed(player=player) if shown.laid and shown.is_drawn:
            unsaid = isinstance(event, NoPlay)
            code = "exchange_unsaid" if unsaid else "pass_said_exchange_seen"
            doubt = coded(code, tiles=shown.laid)
            return _with(group, Exchanged(player, shown.laid), doubt)
        case NoPlay(player=player) if not shown.laid and not shown.is_drawn:
            return _with(group, Passed(player), coded("pass_unsaid"))
        case _:
            return group


def _as_exchange(group: Turn, event: Exchanged, said: int, laid: int, found: ExchangeCount) -> Turn:
    """An exchange that was announced, as the rule set counts it."""
    facts = {**group.facts, SAID: said, LAID: laid, OPEN: bool(found.open_questions)}
    group = replace(group, facts=facts)
    if found.open_questions:
        return _with(group, event, coded("exchange_disagrees", said=said, laid=laid))
    count = found.count or 0
    return _with(group, replace(event, count=count) if count else Passed(event.player))


def _with(group: Turn, event: GameEvent, doubt: CodedText | None = None) -> Turn:
    doubts = group.doubts if doubt is None else (*group.doubts, doubt)
    return replace(group, events=(*group.events[:-1], event), doubts=doubts)


def exchange_notices(groups: Sequence[Turn], rules: Rules, phase: Phase) -> Iterator[TableNotice]:
    """Exchanges of another number than announced; to the director where the rules leave it open."""
    for group in groups:
        said, laid = group.facts.get(SAID), group.facts.get(LAID)
        if said == laid or not group.events:
            continue
        is_all = not laid and isinstance(group.events[-1], Exchanged)
        if is_all and not group.facts.get(OPEN):
            continue  # all seven may stay on the rack (EXCH-7)
        code = Notice.EXCHANGE_NUMBER if laid else Notice.EXCHANGE_NOTHING_LAID
        ref, player, counted = group.ref, group.events[-1].player, {"tiles": int(laid or 0)}
        notice = noticed(rules, code, group.refs, phase, ref=ref, player=player, numbers=counted)
        if group.facts.get(OPEN):
            notice = replace(notice, routing=replace(notice.routing, director=Manner.SHOW))
        yield notice
