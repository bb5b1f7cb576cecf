"""What players do around the end of a turn: holds, challenges, blanks, announced scores.

Buttons and the slip say it, no camera and no clock can. A hold, an acceptance and a challenge are
about the opponent's last turn (HOLD-1, CHAL-1); what a challenge comes to is seen on the board or
ordered by the director. A blank's letter is entered where the board shows a blank (BLANK-1). What
does not fit is a doubt, never dropped.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from recorder.domain.board import Square
from recorder.domain.game import GameEvent, IllegallyPlayed, Laid, Withdrawn
from recorder.domain.instruments import SlipMark, SlipSeen
from recorder.domain.observations import TurnAct
from recorder.domain.reading.turns import Group, Press
from recorder.domain.tiles import BLANK

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
    letter: str = ""


@dataclass(frozen=True, slots=True)
class SlipLetter:
    """A letter on the slip, and the first row that had it there."""

    seq: int
    letter: str


SlipLetters = tuple[SlipLetter | None, ...]


def letters_on_slip(slip: SlipLetters, seen: SlipSeen, seq: int) -> SlipLetters:
    """The letters on the slip after one more look; what cannot be read leaves what was there."""
    letters = [*slip, *([None] * (len(seen.entries) - len(slip)))]
    for at, entry in enumerate(seen.entries):
        known = letters[at]
        if entry.mark is SlipMark.LETTER and (known is None or known.letter != entry.letter):
            letters[at] = SlipLetter(seq, entry.letter)
    return tuple(letters)


@dataclass(frozen=True, slots=True)
class Acts:
    """All that was done, and the presses that ended turns; ``read_with`` as in ``Spoken``."""

    done: tuple[Done, ...]
    slip: SlipLetters
    presses: tuple[Press, ...]
    read_with: Mapping[int, int]

    def tell(self, groups: Sequence[Group]) -> tuple[Group, ...]:
        """The turns with what was done around them."""
        turns = {group.ref: group for group in groups}
        for done in self.done:
            press = self._press_of(done)
            ref = None if press is None else self.read_with.get(press.seq)
            if press is not None and ref in turns:
                turns[ref] = self._with(turns[ref], done, press)
        return _with_slip(tuple(turns.values()), self.slip)

    def _press_of(self, done: Done) -> Press | None:
        """The press that ended the turn of which an act speaks."""
        before = [press for press in self.presses if press.seq < done.seq]
        if done.act in (TurnAct.SCORE, TurnAct.BLANK):
            after = [press for press in self.presses if press.seq > done.seq]
            near = (*before[-1:], *after[:1])
            return next((press for press in near if press.player == done.player), None)
        return before[-1] if before else None

    def _with(self, group: Group, done: Done, press: Press) -> Group:
        group = replace(group, refs=(*group.refs, done.seq))
        match done.act:
            case TurnAct.SCORE:
                return _fact(group, ANNOUNCED, done.count)
            case TurnAct.BLANK:
                return _named_blank(group, done)
        if press.player == done.player:
            text = f"player {done.player + 1} pressed {done.act.value}, but the last turn is theirs"
            return replace(group, firm=(*group.firm, text))
        if done.act is TurnAct.HOLD:
            return self._held(group, done, press)
        return _fact(group, f"{done.act.value}_after_ms", done.at_ms - press.at_ms)

    def _held(self, group: Group, done: Done, press: Press) -> Group:
        """When it was held, and for how long: until the decision, or the next press."""
        later = [deed for deed in self.done if deed.seq > done.seq]
        ends = [deed.at_ms for deed in later if deed.player == done.player and deed.act in _DECIDES]
        ends += [next_press.at_ms for next_press in self.presses if next_press.seq > done.seq]
        group = _fact(group, "hold_after_ms", done.at_ms - press.at_ms)
        return _fact(group, "hold_ms", min(ends) - done.at_ms) if ends else group


def _fact(group: Group, name: str, value: int) -> Group:
    return replace(group, facts={**group.facts, name: value})


def _blanks(event: GameEvent) -> list[Square]:
    """The squares of the blanks that a turn laid, in reading order."""
    if not isinstance(event, Laid):
        return []
    return [sq for sq, tile in event.laid.items() if tile == BLANK or tile.islower()]


def _lettered(event: Laid, sq: Square, letter: str) -> Laid:
    if isinstance(event, IllegallyPlayed):
        laid = event.laid | {sq: letter.lower()}
        return replace(event, tiles=tuple(laid.items()))
    at = event.placement.squares().index(sq)
    word = event.placement.word
    word = f"{word[:at]}{letter.lower()}{word[at + 1 :]}"
    return replace(event, placement=replace(event.placement, word=word))


def _named_blank(group: Group, done: Done) -> Group:
    """The play with the letter that its player gave the blank."""
    for index, event in enumerate(group.events):
        blanks = _blanks(event)
        if isinstance(event, Laid) and event.player == done.player and len(blanks) >= done.count:
            now = _lettered(event, blanks[done.count - 1], done.letter)
            return replace(group, events=(*group.events[:index], now, *group.events[index + 1 :]))
    text = f"player {done.player + 1} named blank {done.count} as {done.letter}, the play has none"
    return replace(group, firm=(*group.firm, text))


def _with_slip(groups: Iterable[Group], slip: SlipLetters) -> tuple[Group, ...]:
    """The letters of the slip on the blanks, in the order in which these were played."""
    turns: list[Group] = []
    counts: list[int] = []
    for group in groups:
        now = group
        for index, event in enumerate(group.events):
            if isinstance(event, Withdrawn) and counts:
                counts.pop()
            if isinstance(event, Laid):
                now = _slipped(now, index, slip[sum(counts) :])
                counts.append(len(_blanks(event)))
        turns.append(now)
    return tuple(turns)


def _slipped(group: Group, index: int, slip: SlipLetters) -> Group:
    """One play with the letters that the slip has for its blanks."""
    event = group.events[index]
    for at, entry in zip(_blanks(event), slip, strict=False):
        if entry is None or not isinstance(event, Laid):
            continue
        tile = event.laid[at]
        group = replace(group, refs=(*group.refs, entry.seq))
        if tile == BLANK:
            event = _lettered(event, at, entry.letter)
        elif tile != entry.letter.lower():
            text = f"the slip names a blank {entry.letter}, at the table it was {tile.upper()}"
            group = replace(group, firm=(*group.firm, text))
    return replace(group, events=(*group.events[:index], event, *group.events[index + 1 :]))
