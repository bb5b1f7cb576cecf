"""What the recorder notices beside the turns: placements, scores, blanks, tiles, clocks.

A notice is a finding with its evidence and its routing (INT-2); it decides nothing and changes no
score. All of it follows from the record and the sensors' words, so a restart notices the same.
What follows by the rules is asked of ``recorder.domain.rules``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from recorder.domain.board import Board, name_across
from recorder.domain.game import (
    TURNS,
    Exchanged,
    GameEvent,
    IllegallyPlayed,
    Laid,
    Lying,
    Played,
    Unseen,
)
from recorder.domain.notices import Manner, Notice, Phase, PlainValue, TableNotice
from recorder.domain.noticing.bag_at_end import left_in_bag
from recorder.domain.noticing.challenge_slips import slip_notices
from recorder.domain.noticing.challenges import challenge_notices
from recorder.domain.noticing.clocks import wrong_halves
from recorder.domain.noticing.designations import blank_notices
from recorder.domain.noticing.draw_numbers import draw_numbers
from recorder.domain.noticing.draws import SeenDraws, courtesy_kept, draw_notices
from recorder.domain.procedures.moments import Moment, moments
from recorder.domain.reading.direction import misoriented
from recorder.domain.reading.table_state import TableState
from recorder.domain.reading.turn_acts import ANNOUNCED
from recorder.domain.rules.core.disclosure import noticed, route
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.ending.six_zeros import Zero, ZeroState, six_zeros, zero_run
from recorder.domain.rules.exchange.exchange import may_exchange
from recorder.domain.rules.placement.at_press import notice_at_press
from recorder.domain.rules.placement.layings import Laying
from recorder.domain.rules.placement.orientation import left_open
from recorder.domain.rulings.closing import is_after_end, out_player
from recorder.domain.rulings.game_as_ruled import RuledGame
from recorder.domain.rulings.in_force import Ruling
from recorder.domain.rulings.procedures import ProcedureRun, procedure_runs
from recorder.domain.rulings.shown_boards import shown_boards
from recorder.domain.rulings.signatures import signatures
from recorder.domain.sensed_turns.quiet_turns import exchange_notices
from recorder.domain.tile_account.finding import notice_of
from recorder.domain.tile_account.stories import MishapKind
from recorder.domain.tile_account.unpressed import Unpressed
from recorder.domain.tile_account.watch import Watched
from recorder.domain.tiles import BLANK, RACK_SIZE, Tile, Tiles, TileSet, face, unseen
from recorder.domain.turns import Turn, taken_off

_NOTHING_WATCHED, _NOTHING_DRAWN = Watched(), SeenDraws()
_NEVER = 1 << 62
MOST_ZEROS = 6
"""So many turns in a row are reported where the rule set has no number of its own."""


def notices(
    ruled: RuledGame,
    table: TableState,
    rules: Rules,
    tiles: Watched = _NOTHING_WATCHED,
    draws: SeenDraws = _NOTHING_DRAWN,
    *,
    rulings: Sequence[Ruling] = (),
) -> tuple[TableNotice, ...]:
    """Everything that rows have brought to notice; what time brings is in ``clocks``.

    ``rulings`` are those in force: they say who has signed, and what was written for a challenge.
    """
    phase = Phase.OVER if ruled.is_over else Phase.PLAYING
    phase = Phase.SIGNED if all(signatures(rulings, changed=0)) else phase
    before, runs = tuple(moments(ruled)), procedure_runs(rulings)
    found = [
        *_turns(ruled, rules, phase, _Lacking(table, tiles)),
        *blank_notices(ruled.groups, table, rules, phase),
        *_tiles(_undisputed(tiles, ruled.groups, table), before, rules, phase),
        *left_in_bag(before, table, tiles, rules, phase),
        *_unpressed(tiles.unpressed, table, rules, phase),
        *_not_pressed(table, rules, phase),
        *wrong_halves(table, rules, phase),
        *draw_notices(ruled.groups, table, rules, draws, phase),
        *courtesy_kept(ruled.groups, table, rules, draws, phase),
        *challenge_notices(
            ruled.groups,
            rules,
            judged=draws.verdicts.keys(),
            off=taken_off(ruled.groups) | draws.withdrawn | _dismissed(table, runs, draws),
            phase=phase,
        ),
        *slip_notices(before, runs, rules, phase),
        *_direction(ruled.groups, table, rules, phase),
        *exchange_notices(ruled.groups, rules, phase),
        *_zeros(ruled, rules, phase),
        *_played_out(ruled, rules, phase),
    ]
    return tuple(sorted(found, key=lambda notice: notice.ref))


def _dismissed(table: TableState, runs: Iterable[ProcedureRun], draws: SeenDraws) -> frozenset[int]:
    """The turns whose challenge a director has closed without one: it came too late, say."""
    closed = [run for run in runs if run.act.code == "challenge" and not run.is_open]
    presses = [press.seq for press in table.turns.presses]
    turns = {max((seq for seq in presses if seq < run.row), default=0) for run in closed}
    return frozenset(turns) - draws.verdicts.keys()


@dataclass(frozen=True, slots=True)
class _Lacking:
    """How many tiles the racks are short of seven each, by what was found of draws (EXCH-2)."""

    table: TableState
    tiles: Watched

    def at(self, ref: int) -> int:
        """Tiles that are in the bag instead when the turn ``ref`` is pressed; below 0: too few."""
        pressed = next(
            (press.at_ms for press in self.table.turns.presses if press.seq == ref), None
        )
        lacking = 0
        for found in self.tiles.found:
            mishap, is_early = found.finding.mishap, found.ref < ref
            is_over = found.over_ms is not None and (pressed is None or found.over_ms < pressed)
            if mishap is None or is_over or not is_early or found.finding.log_odds <= 0:
                continue
            if mishap.kind is MishapKind.UNDERDRAW:
                lacking += mishap.count
            elif mishap.kind is MishapKind.OVERDRAW:
                lacking -= mishap.count
        return lacking


def _turns(
    ruled: RuledGame, rules: Rules, phase: Phase, lacking: _Lacking
) -> Iterator[TableNotice]:
    groups, tile_set, lying = ruled.groups, ruled.state.tile_set, Lying()
    shown = shown_boards(groups, ruled.read)
    off = taken_off(groups)  # what was illegal about these is put right
    for group in groups:
        for event in group.events:
            match event:
                case Played():
                    found = _play(group, event, lying.board, rules, tile_set, phase)
                    before = shown.get(group.ref)
                    is_legal = before is not None and _is_legal(event, before, rules, tile_set)
                    yield from (
                        notice
                        for notice in found
                        if not is_legal or notice.code is not Notice.ILLEGAL_PLACEMENT
                    )
                case IllegallyPlayed() if is_after_end(event) or (
                    group.ref not in off and not event.lifted
                ):
                    yield _illegal(group, event, rules, phase)
                case Exchanged():
                    bag = _bag(lying.board, tile_set, lacking.at(group.ref))
                    yield from _exchange(group, event, bag, rules, phase)
            lying = lying.after([event])
        yield from _foreign(group, lying.board, rules, tile_set, phase)


def _play(
    group: Turn, event: Played, board: Board, rules: Rules, tile_set: TileSet, phase: Phase
) -> Iterator[TableNotice]:
    is_own = event is [other for other in group.events if isinstance(other, Laid)][-1]
    announced = group.facts.get(ANNOUNCED) if is_own else None
    said = announced if isinstance(announced, int) else None
    laying = Laying(before=board, tiles=event.laid)
    for code, squares, numbers in notice_at_press(rules, tile_set, laying, said):
        notice = _noticed(group, rules, code, phase, numbers, player=event.player)
        yield replace(notice, squares=tuple(map(name_across, squares)))


def _is_legal(event: Played, before: Board, rules: Rules, tile_set: TileSet) -> bool:
    """Whether a play broke no rule of placement on the board that was there."""
    if any(before.has_tile(square) for square in event.laid):
        return False
    return not notice_at_press(rules, tile_set, Laying(before=before, tiles=event.laid))


def _illegal(group: Turn, event: IllegallyPlayed, rules: Rules, phase: Phase) -> TableNotice:
    """One notice, whatever was wrong; it goes as far as the strictest fault demands (PLACE-2)."""
    code = Notice.PLAY_AFTER_END if is_after_end(event) else Notice.ILLEGAL_PLACEMENT
    routings = [route(rules, code, phase, fault.value) for fault in event.faults]
    numbers: dict[str, PlainValue] = {
        "fault": event.faults[0].value,
        "tiles": len(event.laid),
    }
    notice = _noticed(group, rules, code, phase, numbers, player=event.player)
    return replace(
        notice,
        squares=tuple(map(name_across, event.laid)),
        routing=min(routings, key=lambda routing: list(Manner).index(routing.director)),
    )


def _bag(board: Board, tile_set: TileSet, lacking: int) -> int:
    """The tiles in the bag, with racks of seven that are short of so many."""
    unseen_tiles = tile_set.total - len(board.occupied())
    racks = min(2 * RACK_SIZE, unseen_tiles) - lacking
    return max(0, unseen_tiles - max(0, racks))


def _exchange(
    group: Turn, event: Exchanged, bag: int, rules: Rules, phase: Phase
) -> Iterator[TableNotice]:
    if may_exchange(rules, bag) is False:
        numbers: dict[str, PlainValue] = {"tiles": event.count, "bag": bag}
        yield _noticed(group, rules, Notice.ILLEGAL_EXCHANGE, phase, numbers, player=event.player)


def _foreign(
    group: Turn, board: Board, rules: Rules, tile_set: TileSet, phase: Phase
) -> Iterator[TableNotice]:
    """More of a letter than the set has; reported with the turn that brought it (ADJ-1)."""
    left = unseen(tile_set, board.cells)
    laid = {face(tile) for event in group.events for tile in _laid(event)}
    for kind, count in left.items():
        if count < 0 and kind in laid:
            numbers: dict[str, PlainValue] = {"tiles": -count, "letter": str(kind)}
            if kind is BLANK:
                numbers = {"tiles": -count, "case": "blank"}
            player = group.events[0].player
            notice = _noticed(group, rules, Notice.FOREIGN_TILE, phase, numbers, player=player)
            yield replace(notice, squares=_squares_of(group, kind))


def _squares_of(group: Turn, letter: Tile) -> tuple[str, ...]:
    laid = [event.laid for event in group.events if isinstance(event, Laid)]
    return tuple(
        name_across(sq) for play in laid for sq, tile in play.items() if face(tile) is letter
    )


def _laid(event: GameEvent) -> Tiles:
    if not isinstance(event, Laid):
        return ()
    return tuple(event.laid.values())


def _undisputed(tiles: Watched, groups: Sequence[Turn], table: TableState) -> Watched:
    """Without what nobody can say: who drew for turns that were not seen, and what it was for.

    And without the tiles of an exchange that was objected to: old and new await the ruling.
    """
    objected = {
        group.ref
        for group in groups
        if "challenge_after_ms" in group.facts and not any(map(_laid, group.events))
    }
    unseen = _rows_unseen(groups, table)
    kept = (
        found
        for found in tiles.found
        if not any(max(found.refs) in rows for rows in unseen)
        and (
            found.ref not in objected
            or found.finding.mishap is None
            or found.finding.mishap.kind not in (MishapKind.LEFT_LYING, MishapKind.SPILLED)
        )
    )
    return replace(tiles, found=tuple(kept))


def _rows_unseen(groups: Sequence[Turn], table: TableState) -> list[range]:
    """The rows of turns that no look tells apart, from their first press to the next turn's."""
    rows: list[range] = []
    for group, later in zip(groups, (*groups[1:], None), strict=False):
        if any(isinstance(event, Unseen) for event in group.events):
            hidden = [press.seq for ref, press in table.turns.missed if ref == group.ref]
            end = _NEVER if later is None else later.ref
            rows.append(range(min(hidden, default=group.ref), end))
    return rows


def _tiles(
    tiles: Watched, before: Sequence[Moment], rules: Rules, phase: Phase
) -> Iterator[TableNotice]:
    for tile_finding in tiles.found:
        notice = notice_of(tile_finding.finding)
        if notice is not None and tile_finding.over_ms is None:
            found = noticed(
                rules,
                notice,
                tile_finding.refs,
                phase,
                ref=tile_finding.ref,
                player=tile_finding.finding.mishap.player if tile_finding.finding.mishap else None,
                numbers=tile_finding.finding.numbers | draw_numbers(tile_finding, before),
                evidence=tile_finding.finding.evidence,
            )
            yield _as_emptied(found) if tiles.bag == 0 else _as_harmless(found)


def _as_harmless(notice: TableNotice) -> TableNotice:
    """A draw out of order that left enough for the other player is only kept (OOO-1)."""
    bag, drawn, due = (notice.numbers.get(name) for name in ("bag", "drawn", "due"))
    if notice.code is not Notice.OUT_OF_ORDER:
        return notice
    if not (isinstance(bag, int) and isinstance(drawn, int) and isinstance(due, int)):
        return notice
    if bag - drawn < due:
        return notice
    return replace(notice, routing=replace(notice.routing, director=Manner.LOOK_UP))


def _as_emptied(notice: TableNotice) -> TableNotice:
    """Tiles that are missing once the bag is empty are the other player's to give (UNDERDRAW-2)."""
    if notice.code is not Notice.UNDERDRAW:
        return notice
    routing = replace(notice.routing, director=Manner.SHOW)
    return replace(notice, numbers={**notice.numbers, "emptied": True}, routing=routing)


def _unpressed(
    found: Sequence[Unpressed], table: TableState, rules: Rules, phase: Phase
) -> Iterator[TableNotice]:
    """A draw stands in for a press that was forgotten; the clock's times stay (TURN-3).

    Where the wrong half ran, a press would have moved nothing: nobody has forgotten one.
    """
    in_vain = {
        wrong.row for wrong in (*table.turns.wrong_halves, table.questions.wrong_half) if wrong
    }
    for unpressed in found:
        if in_vain.isdisjoint(unpressed.refs):
            code, rows, player = Notice.DRAWN_BEFORE_PRESS, unpressed.refs, unpressed.player
            yield noticed(rules, code, rows, phase, ref=unpressed.ref, player=player)


def _not_pressed(table: TableState, rules: Rules, phase: Phase) -> Iterator[TableNotice]:
    """A turn that ended with its draw: the other player has gone on, and nobody has pressed."""
    in_vain = {wrong.turn for wrong in table.turns.wrong_halves}
    for press in table.turns.presses:
        if press.seq in table.turns.unpressed and press.seq not in in_vain:
            yield noticed(rules, Notice.NOT_PRESSED, (press.seq,), phase, player=press.player)


def _direction(
    groups: Sequence[Turn], table: TableState, rules: Rules, phase: Phase
) -> Iterator[TableNotice]:
    """A first play that does not lie as the lettering, and what can be done by now (ORIENT-1)."""
    found = misoriented(groups, dict(table.looks.letters_turned), rules)
    if found is not None:
        group, degrees, case = found
        numbers: dict[str, PlainValue] = {"degrees": degrees, "case": case.value}
        player = group.events[0].player
        notice = _noticed(group, rules, Notice.WRONG_WAY_ROUND, phase, numbers, player=player)
        asked = (*notice.routing.open_questions, *left_open(rules, case))
        yield replace(notice, routing=replace(notice.routing, open_questions=asked))


def _zeros(ruled: RuledGame, rules: Rules, phase: Phase) -> Iterator[TableNotice]:
    """Enough turns in a row without a score; kept where a player has to claim the end."""
    run = zero_run(ruled.state.events)
    found = six_zeros(rules, run)
    if not _is_enough(rules, run):
        return
    enough = next(n for n in range(1, len(run) + 1) if _is_enough(rules, run[:n]))
    group = _turn_before(ruled.groups, len(run) - enough)
    numbers: dict[str, PlainValue] = {"turns": enough}
    player = group.events[0].player
    notice = _noticed(group, rules, Notice.SIX_ZERO, phase, numbers, player=player)
    if found.state is ZeroState.DECLARABLE:
        notice = replace(notice, routing=replace(notice.routing, director=Manner.LOOK_UP))
    yield notice


def _played_out(ruled: RuledGame, rules: Rules, phase: Phase) -> Iterator[TableNotice]:
    """A player has laid the last tile; kept for later questions (END-2)."""
    player = out_player(ruled.state)
    if player is not None:
        group = next(group for group in reversed(ruled.groups) if _lays(group, player))
        yield _noticed(group, rules, Notice.PLAY_OUT, phase, player=player)


def _lays(group: Turn, player: int) -> bool:
    return any(isinstance(event, Laid) and event.player == player for event in group.events)


def _is_enough(rules: Rules, run: Sequence[Zero]) -> bool:
    found = six_zeros(rules, run)
    counting = found.state is ZeroState.COUNTING
    return not counting or (not found.needed and len(run) >= MOST_ZEROS)


def _turn_before(groups: Sequence[Turn], count: int) -> Turn:
    """So many turns before the newest: a run that goes on is reported once, with the same turn."""
    for group in reversed(groups):
        turns = sum(isinstance(event, TURNS) for event in group.events)
        if turns > count:
            return group
        count -= turns
    return groups[0]


def _noticed(
    group: Turn,
    rules: Rules,
    notice: Notice,
    phase: Phase,
    numbers: Mapping[str, PlainValue] | None = None,
    *,
    player: int,
) -> TableNotice:
    return noticed(
        rules, notice, group.refs, phase, ref=group.ref, player=player, numbers=numbers or {}
    )
