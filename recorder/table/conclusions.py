"""What follows from a table's fold and its orders: the game as ruled, its tiles, what to notice.

All of it follows from the rows alone, and would be the same worked out from scratch. What a row
leaves as it was is not worked out again: late in a game that is nearly everything.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from recorder.domain.board import Square
from recorder.domain.lexicon import WordList
from recorder.domain.notices import TableNotice
from recorder.domain.noticing.at_table import notices
from recorder.domain.noticing.draws import SeenDraws
from recorder.domain.orders import Challenged
from recorder.domain.reading.table_state import TableState
from recorder.domain.reading.unseen_turns import told_apart
from recorder.domain.rulings.game_as_ruled import RuledGame, Story, as_ruled
from recorder.domain.rulings.in_force import TURN_EDITS, Ruling, in_force, is_withdrawn, not_undone
from recorder.domain.rulings.late_verdicts import in_time
from recorder.domain.rulings.procedures import procedure_runs
from recorder.domain.sensed_turns.late_tiles import doubted_after_quiet
from recorder.domain.sensed_turns.opening_pass import opened_by_pass
from recorder.domain.sensed_turns.overfull_racks import as_held
from recorder.domain.sensed_turns.quiet_turns import as_seen, gone_in_turns
from recorder.domain.sensed_turns.stray_presses import as_meant, left_standing, stray_notices
from recorder.domain.tile_account.sensor_reports import Sensed
from recorder.domain.tile_account.unheard_lifts import SensedTiles
from recorder.domain.tile_account.watch import ClockMoments, TurnOfTiles, Watched, watch_tiles
from recorder.domain.turns import Press, Turn, taken_off
from recorder.rulesets import RuleSet
from recorder.table.believed import BelievedTiles

MOST_JUDGED = 20
"""So often at most the sensors of a table are judged again after a press."""


class Conclusions:
    """The conclusions about one game, from the rulings and the words of sensors of tiles so far."""

    def __init__(self, rules: RuleSet, words: WordList | None = None) -> None:
        self.rules, self.words = rules, words
        self.rulings: list[Ruling] = []
        self.tiles = BelievedTiles()
        self._judged: tuple[int, int, int] = (0, 0, 0)
        self._turns_of: tuple[object, ...] | None = None
        self._turns: dict[tuple[tuple[int, frozenset[Square]], ...], tuple[Turn, ...]] = {}
        self._ruled_of: tuple[TableState, int, int] | None = None
        self._ruled: RuledGame | None = None
        self._watched = Watched()
        self._noticed_of: tuple[RuledGame, TableState, int, int, Watched] | None = None
        self._noticed: tuple[TableNotice, ...] = ()

    def go_by(self, rules: RuleSet) -> None:
        """The game turns out to be played by these rules.

        What was concluded is worked out again.
        """
        self.rules = rules
        self._ruled = self._noticed_of = None

    def sense(self, report: Sensed) -> None:
        """Take in what a sensor of tiles said, at its time."""
        self.tiles.take(report)

    @property
    def sensed(self) -> SensedTiles:
        """What sensors of tiles said, and is believed."""
        return self.tiles.sensed

    def sense_anew(self) -> None:
        """What sensors said was taken to be of other players: it is reported again."""
        self.tiles, self._watched, self._judged = BelievedTiles(), Watched(), (0, 0, 0)

    def ruled(self, read: TableState) -> RuledGame:
        """The game as it holds: what was seen and said, with all orders.

        Of a sensor that was found to be wrong nothing is believed until it is right again.
        """
        presses = read.turns.presses
        now = (len(presses), len(read.turns.unread), len(self.rulings))
        if now != self._judged and self.tiles.heard:
            self._judged = now
            at = presses[-1].at_ms if presses else 0
            for _ in range(MOST_JUDGED):
                if not self.tiles.judge(self._watch(read, self._as_believed(read), at)):
                    break
                self._watched, self._ruled, self._noticed_of = Watched(), None, None
        return self._as_believed(read)

    def _as_believed(self, read: TableState) -> RuledGame:
        known = (read, len(self.rulings), len(self.sensed))
        if self._ruled is None or not _same(known, self._ruled_of):
            story = self.story(read)
            off = taken_off(story({})) if self.rulings else ()
            rulings = in_time(self.rulings, self.sensed, self.rules, off)
            self._ruled = as_ruled(read, rulings, self.rules, story, self._ruled)
            self._ruled_of = known
        return self._ruled

    def story(self, read: TableState) -> Story:
        """What the fold shows, with what sensors of tiles say of the turns."""

        def story(held: Mapping[int, frozenset[Square]]) -> tuple[Turn, ...]:
            total = read.turns.tile_set.total
            stands = self._left_standing(read)
            turns = as_meant(self._folded(read, held), _presses(read), self.sensed, total, stands)
            turns = as_seen(turns, read.turns.presses, self.sensed, self.rules)
            turns = doubted_after_quiet(
                turns, read.turns.presses, read.looks.before_presses, self.sensed
            )
            turns = as_held(turns, read.turns.presses, self.sensed, total)
            turns = opened_by_pass(turns, read, self.sensed, self.rulings, self.rules)
            hidden = read.turns.missed or read.turns.lost
            gone = gone_in_turns(read.turns.presses, self.sensed) if hidden else {}
            return told_apart(turns, read.turns, self.words, gone)

        return story

    def _folded(self, read: TableState, held: Mapping[int, frozenset[Square]]) -> tuple[Turn, ...]:
        """The turns as the fold shows them, kept until one changes: weighing takes time."""
        shown = (read.turns, read.clock.stop_row)
        if not _same(shown, self._turns_of):
            self._turns_of, self._turns = shown, {}
        key = tuple(sorted(held.items()))
        if key not in self._turns:
            self._turns[key] = read.story(held)
        return self._turns[key]

    def watched(self, read: TableState, at: int) -> Watched:
        """What the tile account finds, from all turns and all that sensors said of tiles."""
        self._watched = self._watch(read, self.ruled(read), at)
        return self._watched

    def _watch(self, read: TableState, ruled: RuledGame, at: int) -> Watched:
        turns = _turns_of_tiles(ruled.groups, read, at)
        unread = [
            press.at_ms for press in read.turns.presses if turns and press.at_ms > turns[-1].at_ms
        ]
        clock = ClockMoments(started_ms=read.clock.started_ms, pressed_ms=min(unread, default=None))
        total = read.turns.tile_set.total
        return watch_tiles(turns, self.sensed, total, at, clock=clock, before=self._watched)

    def noticed(self, read: TableState, watched: Watched) -> tuple[TableNotice, ...]:
        """What rows have brought to notice; what time brings is for the alarms."""
        known = (self.ruled(read), read, len(self.rulings), len(self.sensed))
        before = self._noticed_of
        if before is None or not _same(known, before[:-1]) or watched != before[-1]:
            seen = (self.ruled(read), read, self.rules, watched, self._draws())
            found = notices(*seen, rulings=in_force(self.rulings))
            self._noticed = (*found, *self._stray(read))
            self._noticed_of = (*known, watched)
        return self._noticed

    def _stray(self, read: TableState) -> tuple[TableNotice, ...]:
        """A press by accident, which the turns are reported without."""
        total, stands = read.turns.tile_set.total, self._left_standing(read)
        turns = self._folded(read, {})
        notices = stray_notices(turns, _presses(read), self.sensed, total, self.rules, stands)
        # A press that may have asked for a blank's letter is called no accident.
        asked = None if read.questions.blank_query is None else read.questions.blank_query[0].seq
        return tuple(notice for notice in notices if asked not in notice.refs)

    def _left_standing(self, read: TableState) -> frozenset[int]:
        """The presses that look like accidents, and of which a director has said otherwise."""
        rulings = in_force(self.rulings)
        turns = {ruling.group for ruling in rulings if isinstance(ruling.order.act, TURN_EDITS)}
        return left_standing(_presses(read), procedure_runs(rulings)) | turns

    def _draws(self) -> SeenDraws:
        """When the bag was lifted, and when challenges were decided."""
        holding = not_undone(self.rulings)
        decided = [ruling for ruling in holding if isinstance(ruling.order.act, Challenged)]
        newest = {ruling.group: ruling for ruling in decided}
        withdrawn = frozenset(group for group, ruling in newest.items() if is_withdrawn(ruling))
        verdicts = {
            ruling.group: ruling.at_ms for ruling in decided if ruling.group not in withdrawn
        }
        return SeenDraws(self.sensed, verdicts, withdrawn)


def _presses(read: TableState) -> tuple[Press, ...]:
    """The presses, and what sent a clock back without one, in the order of the rows."""
    if not read.clock.set_back:
        return read.turns.presses
    return tuple(sorted((*read.turns.presses, *read.clock.set_back), key=lambda press: press.seq))


def _same(now: Sequence[object], before: Sequence[object] | None) -> bool:
    """Whether these are the very same: to compare what a table's state says would take time."""
    return before is not None and all(
        known is other or (isinstance(known, int) and known == other)
        for known, other in zip(now, before, strict=True)
    )


def _turns_of_tiles(groups: Sequence[Turn], read: TableState, at: int) -> list[TurnOfTiles]:
    """The turns with their presses, ``at`` a moment.

    What came between two presses, a play taken back, belongs to the one before.
    """
    pressed = {press.seq: press.at_ms for press in read.turns.presses}
    bare_since_ms = read.looks.bare_since_ms(read.turns.occupied)
    bare = None if bare_since_ms is None else (bare_since_ms, at)
    newest = read.turns.presses[-1].seq if read.turns.presses else None
    turns: list[TurnOfTiles] = []
    for group in groups:
        if group.ref in pressed:
            bare_ms = bare if group.ref == newest else None
            turns.append(TurnOfTiles(group=group, at_ms=pressed[group.ref], bare_ms=bare_ms))
        elif turns:
            last = turns[-1].group
            both = replace(last, events=(*last.events, *group.events))
            turns[-1] = replace(turns[-1], group=both)
    return turns
