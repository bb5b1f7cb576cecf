"""What players do around the end of a turn: holds, challenges, blanks, announced scores.

Buttons and the slip say it, no camera and no clock can. A hold, an acceptance and a challenge are
about the opponent's last turn (HOLD-1, CHAL-1); what a challenge comes to is seen on the board or
ordered by the director. What letters the blanks have is in ``blank_letters``. What does not fit is
a doubt, never dropped.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from recorder.domain.notices import coded
from recorder.domain.observations import TurnAct
from recorder.domain.reading.blank_letters import (
    BlankSources,
    LetteredBlank,
    SaidLetter,
    Slip,
    blanks_of,
    lettered_turns,
)
from recorder.domain.tiles import EMPTY, Tile
from recorder.domain.turns import Press, Turn

ANNOUNCED = "announced"
"""The fact that holds the score as announced at the table."""
_DECIDES = (TurnAct.ACCEPT, TurnAct.CHALLENGE)


@dataclass(frozen=True, slots=True)
class Done:
    """An act: its row, when, the player who did it, and what goes with it."""

    seq: int
    at_ms: int
    player: int
    act: TurnAct
    count: int = 0
    letter: Tile = EMPTY


@dataclass(frozen=True, slots=True)
class Acts:
    """All that was done, and the presses that ended turns; ``read_with`` as in ``Spoken``."""

    done: tuple[Done, ...]
    slip: Slip
    presses: tuple[Press, ...]
    read_with: Mapping[int, int]
    by_sheets: bool = False

    def tell(self, groups: Sequence[Turn]) -> tuple[Turn, ...]:
        """The turns with what was done around them."""
        turns = {group.ref: group for group in groups}
        for done in self.done:
            press = self._press_of(done)
            ref = None if press is None else self.read_with.get(press.seq)
            if press is not None and ref in turns:
                turns[ref] = self._with(turns[ref], done, press)
        groups = tuple(turns.values())
        return lettered_turns(groups, self.blanks(groups))

    def scores_said(self) -> dict[int, int]:
        """What was announced of turns, by the row of the press that ended each."""
        pressed = [(self._press_of(done), done) for done in self.done if done.act is TurnAct.SCORE]
        return {press.seq: done.count for press, done in pressed if press is not None}

    def blanks(self, groups: Sequence[Turn]) -> tuple[LetteredBlank, ...]:
        """The blanks of the turns, and how they got their letters."""
        said = tuple(self._said())
        return BlankSources(self.slip, said, self.presses, self.by_sheets).lettered(groups)

    def _said(self) -> Iterator[SaidLetter]:
        for done in self.done:
            press = self._press_of(done) if done.act is TurnAct.BLANK else None
            if press is not None and press.seq in self.read_with:
                ref = self.read_with[press.seq]
                yield SaidLetter(done.seq, ref, done.player, done.count, done.letter)

    def _press_of(self, done: Done) -> Press | None:
        """The press that ended the turn of which an act speaks."""
        before = [press for press in self.presses if press.seq < done.seq]
        if done.act in (TurnAct.SCORE, TurnAct.BLANK):
            after = [press for press in self.presses if press.seq > done.seq]
            near = (*before[-1:], *after[:1])
            return next((press for press in near if press.player == done.player), None)
        return before[-1] if before else None

    def _with(self, group: Turn, done: Done, press: Press) -> Turn:
        group = replace(group, refs=(*group.refs, done.seq))
        match done.act:
            case TurnAct.SCORE if press.seq != group.ref:
                return group
            case TurnAct.SCORE:
                return _fact(group, ANNOUNCED, done.count)
            case TurnAct.BLANK:
                return _asked_for(group, done)
        if press.player == done.player:
            doubt = coded("pressed_on_own_turn", player=done.player, act=done.act.value)
            return replace(group, firm=(*group.firm, doubt))
        if done.act is TurnAct.HOLD:
            return self._held(group, done, press)
        return _fact(group, f"{done.act.value}_after_ms", done.at_ms - press.at_ms)

    def _held(self, group: Turn, done: Done, press: Press) -> Turn:
        """When it was held, and for how long: until the decision, or the next press."""
        later = [deed for deed in self.done if deed.seq > done.seq]
        ends = [deed.at_ms for deed in later if deed.player == done.player and deed.act in _DECIDES]
        ends += [next_press.at_ms for next_press in self.presses if next_press.seq > done.seq]
        group = _fact(group, "hold_after_ms", done.at_ms - press.at_ms)
        return _fact(group, "hold_ms", min(ends) - done.at_ms) if ends else group


def _fact(group: Turn, name: str, value: int) -> Turn:
    return replace(group, facts={**group.facts, name: value})


def _asked_for(group: Turn, done: Done) -> Turn:
    """The turn, doubtful where it has no such blank."""
    for event in group.events:
        if event.player == done.player and len(blanks_of(event)) >= done.count:
            return group
    doubt = coded("no_such_blank", player=done.player, number=done.count, letter=str(done.letter))
    return replace(group, firm=(*group.firm, doubt))
