"""What a table's recorder knows, and the story that it reports the turns so far.

The state is made by ``table_fold``, an observation at a time; this module only looks at it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from recorder.domain.board import Board, Square
from recorder.domain.observations import TurnAct
from recorder.domain.reading.looks import Look, Looks
from recorder.domain.reading.open_questions import OpenQuestions
from recorder.domain.reading.reconstruct import Reconstruction
from recorder.domain.reading.table_clock import TableClock
from recorder.domain.reading.table_turns import Turns
from recorder.domain.turns import Press, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """Everything that a table's recorder knows: each part has its own reducer in ``table_fold``."""

    clock: TableClock
    looks: Looks
    turns: Turns
    questions: OpenQuestions

    @property
    def witness(self) -> Look | None:
        """The look that says how the board lies: while the clock stands, the last one before."""
        return self.looks.latest if self.clock.now.running is not None else self.looks.at_stop

    def with_turn(self, known: Reconstruction, press: Press, look: Look) -> "TableState":
        """The same with the turn that a press ended, as ``known`` reads it from a look."""
        turns = self.turns.with_turn(known, press, look)
        if turns.hides(press):
            layers = (*turns.layers, (press.seq, self.looks.layers))
            turns = replace(turns, layers=layers)
        return replace(self, looks=self.looks.turn_read(press.seq, look), turns=turns)

    def over_at(self, row: int, at_ms: int, left_ms: tuple[int, int]) -> "TableState":
        """The same with the game over while the clock itself runs on."""
        return replace(
            self,
            clock=self.clock.stopped(row, at_ms, left_ms),
            looks=replace(self.looks, at_stop=self.looks.latest),
        )

    @property
    def look_due(self) -> int | None:
        """The row that ended a turn, or may have, and that no look has shown yet."""
        if self.turns.unread:
            return self.turns.unread[-1].seq
        stop, look = self.questions.stop, self.looks.since_press
        is_shown = stop and look and look.at_ms >= stop.at_ms and not look.moving
        return None if stop is None or is_shown else stop.seq

    @property
    def remaining_at_end(self) -> tuple[int, int]:
        """Both times left when the game was over: what runs after the opponent has accepted it.

        Anyone who shows the tiles, or says so, accepts a play-out; that counts as the stop where
        the clock was forgotten (END-2, END-8).
        """
        if self.clock.stop_row is not None and self.clock.left_at_end is not None:
            return self.clock.left_at_end
        left = list(self.clock.now.remaining_ms)
        if self.clock.stop_row is not None and self.turns.presses:
            last = self.turns.presses[-1]
            is_stop = last.at_ms == self.clock.stop_ms
            since_ms = (
                self.turns.presses[-2].at_ms
                if is_stop and len(self.turns.presses) > 1
                else last.at_ms
            )
            accepted_ms = [
                done.at_ms
                for done in self.turns.said.acts
                if done.act is TurnAct.ACCEPT
                and done.player != last.player
                and since_ms < done.at_ms < self.clock.stop_ms
            ]
            if accepted_ms:
                ran = last.player if is_stop else 1 - last.player
                left[ran] += self.clock.stop_ms - accepted_ms[0]
        return left[0], left[1]

    @property
    def board(self) -> Board:
        """The accepted board."""
        return self.turns.reconstruction.board

    def story(
        self, ruled: Mapping[int, frozenset[Square]] = MappingProxyType({})
    ) -> tuple[Turn, ...]:
        """What happened so far, in order, as this state sees it.

        ``ruled`` gives by turn the squares that its plays filled by order of a director: histories
        that say so are preferred, wherever any is left.
        """
        return self.turns.story(ruled, stop_row=self.clock.stop_row)


@dataclass(frozen=True, slots=True, eq=False)
class PrecomputedReading:
    """A look weighed before its press, as if ``player`` had pressed then; it saves time only."""

    known: Reconstruction
    look: Look
    player: int
    read: Reconstruction

    def fits(self, state: TableState, player: int | None) -> bool:
        """Whether this is what a press of ``player`` would be read from now."""
        look = state.looks.since_press
        same = (
            self.known is state.turns.reconstruction
            and look is not None
            and self.look.seq == look.seq
        )
        return same and self.player == player

    def of_press(self, press: Press) -> Reconstruction:
        """What was weighed, as of this press."""
        *earlier, newest = self.read.looks
        return replace(self.read, looks=(*earlier, replace(newest, ref=press.seq)))
