"""What the devices of a table said, in the order of its time, and the table as folded from it.

A device that was cut off sends late what it saw in time: a clock's presses belong before the looks
that were taken after them. What comes is folded when somebody asks, as far as they wait for it.
"""

import logging
from bisect import bisect
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from recorder.domain.reading.table_fold import (
    Stamped,
    after_time,
    open_table,
    take,
    time_ends_ms,
)
from recorder.domain.reading.table_state import TableState
from recorder.domain.record import GameStarted
from recorder.domain.rules.blanks.slip import OWN_SHEETS
from recorder.domain.rules.ending.ending import SILENCE_ACCEPTS
from recorder.domain.tiles import TileSet
from recorder.rulesets import RuleSet

KEPT_EVERY = 16
"""Of so many states one is kept: what comes late is folded in from there."""
KEPT_LAST = 2

log = logging.getLogger("tilecast.recorder")


def opened_table(started: GameStarted, tile_set: TileSet, rules: RuleSet) -> TableState:
    """The table of a game before anything has happened, with what its rules say of turns."""
    opened = open_table(
        tile_set,
        starts_ms=started.starts_ms,
        left_player=started.left_player,
        by_sheets=rules.get("blank.medium") == OWN_SHEETS,
        back_for_blank=rules.get("blank.deadline") == "before_press",
    )
    window_s = rules.get_whole("endgame.out_response_s")
    if window_s is None or rules.get("endgame.out_silence") != SILENCE_ACCEPTS:
        return opened
    return replace(opened, clock=replace(opened.clock, silence_ms=1000 * window_s))


@dataclass(frozen=True, slots=True)
class Fold:
    """The table before anything happened, what was observed, in order, and the table after that."""

    opening: TableState
    taken: tuple[Stamped, ...]
    state: TableState


Earlier = Callable[[TableState, Sequence[Stamped]], Fold | None]
"""What was folded of a table before the program began, given its opening and all observations: of
so many as the fold has, which are the first of these. None: nothing that holds."""


class FoldedTable:
    """The observations of a table, and the states after some of them, as far as they are folded.

    ``_states[n]`` is the state after ``n`` observations, beginning with 0. ``time_ends_ms`` is when
    time alone will change the state, as asked for last; None where it will not.
    """

    def __init__(self, opening: TableState) -> None:
        self._taken: list[Stamped] = []
        self._states: dict[int, TableState] = {0: opening}
        self._folded = 0
        self._under_way: Stamped | None = None
        self._now_ms = 0
        self._heard = self._quiet = opening
        self.time_ends_ms: int | None = None
        self._earlier: Earlier | None = None
        self._went_on_from = 0
        self._is_whole = True

    @property
    def opening(self) -> TableState:
        """The table before anything has happened."""
        return self._states[0]

    def open_as(self, opening: TableState) -> None:
        """Begin from another opening: all that was taken is folded again when somebody asks."""
        self._states = {0: opening}
        self._folded = self._went_on_from = 0

    def go_on_from(self, earlier: Earlier) -> None:
        """Ask this, once, before the first observation is folded, what was folded already."""
        self._earlier = earlier

    @property
    def fold(self) -> Fold | None:
        """What is folded; None while some waits, and where an observation had to be left out."""
        if self.waits or not self._is_whole:
            return None
        return Fold(self.opening, tuple(self._taken), self._states[self._folded])

    @property
    def taken(self) -> Sequence[Stamped]:
        """All observations, in the order of their time."""
        return tuple(self._taken)

    @property
    def waits(self) -> int:
        """How many observations are not folded yet."""
        return len(self._taken) - self._folded

    def put(self, observed: Stamped) -> None:
        """One more observation, at its time; what is later is folded again when asked for."""
        place = bisect(self._taken, _moment(observed), key=_moment)
        self._taken.insert(place, observed)
        self._back_to(place)

    def leave_out(self, rows: Collection[int]) -> None:
        """Forget the observations of these rows; the rest is folded again when asked for."""
        first = next((n for n, seen in enumerate(self._taken) if seen.seq in rows), None)
        if first is not None:
            self._taken = [seen for seen in self._taken if seen.seq not in rows]
            self._back_to(first)

    def _back_to(self, place: int) -> None:
        """Forget all states after more than so many observations."""
        if place < self._folded:
            self._states = {n: state for n, state in self._states.items() if n <= place}
            self._folded = max(self._states)

    @property
    def state(self) -> TableState:
        """The table after all observations, now; what is not folded yet is folded, once."""
        self.fold_on(lambda: False)
        heard = self._states[self._folded]
        if heard is not self._heard:
            self._heard = self._quiet = heard
            self.time_ends_ms = time_ends_ms(heard)
        if self.time_ends_ms is not None and self._now_ms >= self.time_ends_ms:
            self._quiet = after_time(self._quiet, self._now_ms)
            self.time_ends_ms = time_ends_ms(self._quiet)
        return self._quiet

    def pass_to(self, now_ms: int) -> None:
        """Time has passed, in which nobody has said anything more."""
        self._now_ms = max(self._now_ms, now_ms)

    def fold_on(self, is_enough: Callable[[], bool]) -> bool:
        """Fold what waits, one at least, until ``is_enough``; whether all is folded."""
        self._go_on()
        while self._folded < len(self._taken):
            self._under_way = self._taken[self._folded]
            try:
                state = take(self._states[self._folded], self._under_way)
            except Exception as fault:
                if not self._went_on_from:
                    raise
                log.warning("what was folded before breaks now (%s); folded from the first", fault)
                self.open_as(self.opening)
                continue
            self._under_way = None
            self._folded += 1
            self._keep(state)
            if is_enough():
                break
        return self._folded == len(self._taken)

    def _go_on(self) -> None:
        earlier, self._earlier = self._earlier, None
        fold = earlier(self.opening, self._taken) if earlier and not self._folded else None
        if fold is not None:
            self._folded = self._went_on_from = len(fold.taken)
            self._states[self._folded] = fold.state

    def _keep(self, state: TableState) -> None:
        """Keep the newest state; of earlier ones those from which a late word is soon folded in."""
        self._states[self._folded] = state
        gone = self._folded - KEPT_LAST
        if gone % KEPT_EVERY and gone != self._went_on_from:
            self._states.pop(gone, None)

    def drop_culprit(self) -> Stamped | None:
        """Leave out the observation that a fault left half folded; None when there is none."""
        culprit, self._under_way = self._under_way, None
        if culprit is not None:
            self._taken.remove(culprit)
            self._is_whole = False
        return culprit


def _moment(stamped: Stamped) -> tuple[int, int]:
    """The order of the fold: by time, then as they arrived."""
    return stamped.at_ms, stamped.seq
