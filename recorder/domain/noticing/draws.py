"""Draws held against what else happened in a turn: the press, a hold, a challenge (HOLD-4, HOLD-6).

A bag that is lifted after a press is lifted by who pressed, unless the opponent still had to draw.
Where nothing watches the bag, the rack that fills up shows, later than the first tile was out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from recorder.domain.game import Laid, Withdrawn
from recorder.domain.notices import Notice, Phase, TableNotice
from recorder.domain.observations import Say
from recorder.domain.reading.table_state import TableState
from recorder.domain.rules.core.disclosure import noticed
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.turn.courtesy import courtesy_from_ms
from recorder.domain.rules.turn.hold import is_flash_draw
from recorder.domain.tile_account.sensor_reports import SensorReports, count_of
from recorder.domain.tiles import RACK_SIZE
from recorder.domain.turns import Turn

_NEVER = 1 << 62
COUNTED_MS = 1_000
"""So long after a press a rack has been counted without the tiles that were laid."""
RACKED_MS = 5_000
"""Within so long tiles that left the bag come onto the rack, be it by way of the table."""
_AT_ONCE_MS = 1_000
"""Where a rule set knows flash draws and no time to wait: sooner than anybody can speak."""


@dataclass(frozen=True, slots=True)
class SeenDraws:
    """What sensors saw of draws, and by turn when a challenge was decided.

    ``withdrawn`` are the turns whose challenge counts as not made.

    ``reports`` is what sensors of tiles have said.
    """

    reports: SensorReports = field(default_factory=SensorReports)
    verdicts: Mapping[int, int] = field(default_factory=dict)
    withdrawn: frozenset[int] = frozenset()

    def lifts(self, after_ms: int, before_ms: int | None) -> list[tuple[int, int]]:
        """When the bag was lifted between two moments, as (row, ms)."""
        end_ms = _NEVER if before_ms is None else before_ms
        return [(lift.seq, lift.at_ms) for lift in self.reports.lifts(after_ms + 1, end_ms)]

    def onto_rack(self, play: Laid, after_ms: int, before_ms: int | None) -> list[tuple[int, int]]:
        """When tiles first came onto a rack after a play, as (row, ms); one at most.

        Anyone who sorts a rack lifts tiles and puts them back: only more than the play left tell.
        """
        end_ms = _NEVER if before_ms is None else before_ms
        said = self.reports.rack(play.player, after_ms + COUNTED_MS)
        left = max(RACK_SIZE - len(play.laid), 0 if said is None else count_of(said) or 0)
        later = self.reports.of_rack(play.player, after_ms + COUNTED_MS, end_ms)
        grown = (r for r in later if (count_of(r) or 0) > left)
        return [(report.seq, report.at_ms) for report in grown][:1]

    def bag_before(self, at_ms: int) -> int | None:
        """The tiles in the bag as it was weighed last before a moment."""
        weight = self.reports.weight(at_ms)
        return None if weight is None or weight.reading is None else weight.reading.best

    def has_grown(self, player: int, from_ms: int, until_ms: int | None) -> bool:
        """Whether a rack has got more tiles after a moment, and before another."""
        before = self.reports.rack(player, from_ms)
        if before is None:
            return False
        later = self.reports.of_rack(player, from_ms, _NEVER if until_ms is None else until_ms)
        return any((count_of(report) or 0) > (count_of(before) or 0) for report in later)


@dataclass(frozen=True, slots=True)
class _DrawAfter:
    """The first draw after a press: its row, both instants, the turn.

    ``bonus_ms`` is when points for a lost challenge of the play were announced.
    ``is_racked``: nothing watches the bag, and the rack shows, which may be a while later.
    """

    row: int
    at_ms: int
    press_ms: int
    group: Turn
    player: int
    bonus_ms: int | None
    is_racked: bool = False

    def is_after(self, said_ms: int | None) -> bool:
        """Whether tiles left the bag after something was said, in milliseconds from the press."""
        racked_ms = RACKED_MS if self.is_racked else 0
        return said_ms is not None and said_ms + racked_ms < self.at_ms - self.press_ms


def draw_notices(
    groups: Sequence[Turn], table: TableState, rules: Rules, seen: SeenDraws, phase: Phase
) -> Iterator[TableNotice]:
    """What is wrong with the time at which tiles were drawn after a play."""
    for draw in _draws(groups, table, seen):
        code = _code(rules, draw, seen)
        if code is not None:
            yield noticed(
                rules,
                code,
                (*draw.group.refs, draw.row),
                phase,
                ref=draw.group.ref,
                player=draw.player,
                numbers={"ms": draw.at_ms - draw.press_ms},
            )


def _draws(groups: Sequence[Turn], table: TableState, seen: SeenDraws) -> Iterator[_DrawAfter]:
    """The first draw of each player after their own play, while it is the opponent's turn."""
    by_ref = {group.ref: group for group in groups}
    ends = [*(press.at_ms for press in table.turns.presses[1:]), None]
    owes = False
    for press, end_ms in zip(table.turns.presses, ends, strict=False):
        group = by_ref.get(press.seq)
        plays = [event for event in group.events if isinstance(event, Laid)] if group else []
        mine = seen.lifts(press.at_ms, end_ms)
        if press.seq in table.turns.unpressed:
            owes = False  # that turn has ended with its draw
            continue
        if owes:
            mine = mine[1:]
        owes = bool(plays) and not mine
        racked = not seen.reports.has_bag
        if racked and plays:
            mine = seen.onto_rack(plays[-1], press.at_ms, end_ms)
        if group is not None and plays and mine:
            player = plays[-1].player
            bonus_ms = _bonus_ms(table, player, press.at_ms, end_ms)
            yield _DrawAfter(*mine[0], press.at_ms, group, player, bonus_ms, is_racked=racked)


def _bonus_ms(table: TableState, player: int, after_ms: int, before_ms: int | None) -> int | None:
    """When points for a lost challenge were announced between two presses."""
    end_ms = _NEVER if before_ms is None else before_ms
    said = (
        heard.at_ms
        for heard in table.turns.said.announcements
        if heard.say is Say.BONUS and heard.player == player and after_ms < heard.at_ms < end_ms
    )
    return next(said, None)


def _code(rules: Rules, draw: _DrawAfter, seen: SeenDraws) -> Notice | None:
    facts, after_ms = draw.group.facts, draw.at_ms - draw.press_ms
    hold_ms = _instant(facts.get("hold_after_ms"))
    challenge_ms = _instant(facts.get("challenge_after_ms"))
    held_ms = _instant(facts.get("hold_ms"))
    if draw.is_after(challenge_ms):
        settled = (seen.verdicts.get(draw.group.ref), draw.bonus_ms)
        is_open = not any(at_ms is not None and at_ms < draw.at_ms for at_ms in settled)
        return Notice.DRAWN_WHILE_WAITING if is_open else None
    if hold_ms is not None and draw.is_after(hold_ms):
        lasts = held_ms is None or after_ms < hold_ms + held_ms
        held_at_ms = draw.press_ms + hold_ms
        from_ms = courtesy_from_ms(rules, press_ms=draw.press_ms, hold_ms=held_at_ms)
        if not lasts:
            return None
        if from_ms is not None and draw.at_ms < from_ms:
            return Notice.DRAWN_TOO_EARLY_ON_HOLD
        end_ms = None if held_ms is None else draw.press_ms + hold_ms + held_ms
        is_mixed = seen.has_grown(draw.player, draw.at_ms, end_ms)
        return Notice.COURTESY_MIXED if is_mixed else None
    if draw.is_racked and (challenge_ms is not None or hold_ms is not None):
        return None  # whether the first tile was out before is not known
    is_flash = is_flash_draw(rules, after_ms)
    if is_flash is None:
        is_flash = after_ms < _AT_ONCE_MS and rules.usable("hold.courtesy_draw_after_s")
    return Notice.FLASH_DRAW if is_flash and after_ms >= 0 else None


def courtesy_kept(
    groups: Sequence[Turn], table: TableState, rules: Rules, seen: SeenDraws, phase: Phase
) -> Iterator[TableNotice]:
    """Tiles drawn before the play came off that are still out while the game goes on (HOLD-5)."""
    off_ms, events = (
        table.turns.taken_off.at_ms,
        [event for group in groups for event in group.events],
    )
    runs = table.clock.now.running is not None and table.clock.now.at_ms > off_ms
    if not events or not isinstance(events[-1], Withdrawn) or not runs or not table.turns.presses:
        return
    press = table.turns.presses[-1]
    drawn = seen.lifts(press.at_ms, off_ms)
    if not drawn or seen.reports.lift_after(off_ms) is not None:
        return
    before, now = seen.bag_before(drawn[0][1]), seen.bag_before(table.clock.now.at_ms)
    if before is not None and now is not None and now < before:
        code, rows, out = Notice.COURTESY_NOT_RETURNED, (press.seq, drawn[0][0]), before - now
        yield noticed(rules, code, rows, phase, player=press.player, numbers={"tiles": out})


def _instant(value: object) -> int | None:
    return value if isinstance(value, int) else None
