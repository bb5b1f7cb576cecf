"""Which letter each blank has: what the slip shows, what was said, and which of the two decides.

Where a slip is in sight it is the record, and what was only said is none (BLANK-1, BLANK-7); where
the players' sheets are the record, or no slip was ever seen, the letter counts that was keyed. A
letter belongs to the turn in which it came, and stays: another one later is reported (BLANK-9).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from recorder.domain.board import Square
from recorder.domain.game import IllegallyPlayed, Laid, Unseen, Withdrawn
from recorder.domain.instruments import SlipMark, SlipSeen
from recorder.domain.rules.blanks.slip import (
    BlankPlay,
    Designation,
    DesignationStatus,
    Mark,
    match_marks,
)
from recorder.domain.tiles import BLANK, EMPTY, Tile, as_blank
from recorder.domain.turns import Press, Turn

LEFT_OVER_WITHIN_MS = 5_000
"""Nobody lays a blank and writes its letter within this time of the start: it was there before."""


@dataclass(frozen=True, slots=True)
class SlipLetter:
    """A letter that showed on a row of the slip (from 0), ``EMPTY`` where it cannot be read.

    ``seq`` is the row of the log that showed it first, ``at_ms`` when. ``is_old``: it stood there
    before the game.
    """

    seq: int
    at_ms: int
    place: int
    letter: Tile
    is_old: bool = False


@dataclass(frozen=True, slots=True)
class Slip:
    """All that ever stood on the slip, by time, and whether a slip was seen at all."""

    letters: tuple[SlipLetter, ...] = ()
    is_seen: bool = False

    def on(self, place: int) -> SlipLetter | None:
        """What stands on a row of the slip, None while nothing ever did."""
        return next((entry for entry in reversed(self.letters) if entry.place == place), None)

    @property
    def leftover(self) -> tuple[SlipLetter, ...]:
        """What stood there before the game."""
        return tuple(entry for entry in self.letters if entry.is_old)


NO_SLIP = Slip()


def slip_after(slip: Slip, seen: SlipSeen, *, seq: int, at_ms: int, began_ms: int | None) -> Slip:
    """The slip after one more look; what cannot be read leaves the letter that was there.

    ``began_ms`` is when the clocks were started, None before.
    """
    is_old = not slip.is_seen and (began_ms is None or at_ms <= began_ms + LEFT_OVER_WITHIN_MS)
    letters = list(slip.letters)
    for place, entry in enumerate(seen.entries):
        known = slip.on(place)
        is_new = entry.mark is SlipMark.LETTER and (known is None or known.letter != entry.letter)
        if is_new or (entry.mark is SlipMark.UNREADABLE and known is None):
            letters.append(SlipLetter(seq, at_ms, place, entry.letter, is_old))
    return Slip(tuple(letters), is_seen=True)


@dataclass(frozen=True, slots=True)
class SaidLetter:
    """A letter that was keyed for the blank ``number`` (from 1) of the turn ``ref``."""

    seq: int
    ref: int
    player: int
    number: int
    letter: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class LetteredBlank:
    """A blank of a turn, and how it got its letter (``BLANK``: it has none).

    ``ref`` and ``event`` say in which turn and event it was laid. ``said`` is the letter that was
    keyed, ``EMPTY`` without one; ``changed`` the row that shows another letter for it later, 0
    without; ``rows`` are those that the letter rests on.
    """

    ref: int
    event: int
    square: Square
    letter: Tile
    status: DesignationStatus
    said: Tile = EMPTY
    changed: int = 0
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BlankSources:
    """What shows the letters of a table's blanks. ``by_sheets``: the players' sheets decide."""

    slip: Slip
    said: tuple[SaidLetter, ...]
    presses: tuple[Press, ...]
    by_sheets: bool

    def lettered(self, groups: Sequence[Turn]) -> tuple[LetteredBlank, ...]:
        """All blanks of all turns, also of plays that were taken back, in their order."""
        if self.by_sheets or not self.slip.is_seen:
            return tuple(self._as_said(groups))
        plays = tuple(self._plays(groups))
        lasting, changes = self._lasting([play for _, _, play in plays], _came_off(groups))
        old = [_mark(entry) for entry in self.slip.leftover]
        read = match_marks([play for _, _, play in plays], map(_mark, lasting), before_game=old)
        places = {
            (play.turn, square): (event, player)
            for event, player, play in plays
            for square in play.squares
        }
        return tuple(
            self._as_written(entry, *places[entry.turn, entry.square], plays, changes)
            for entry in read
        )

    def _as_written(
        self,
        entry: Designation,
        event: int,
        player: int,
        plays: Sequence[tuple[int, int, BlankPlay]],
        changes: dict[int, SlipLetter],
    ) -> LetteredBlank:
        squares = next(play.squares for _, _, play in plays if play.turn == entry.turn)
        number = squares.index(entry.square) + 1
        said = [s for s in self.said if (s.ref, s.player, s.number) == (entry.turn, player, number)]
        rows = [s.seq for s in self.slip.letters if s.at_ms == entry.marked_ms]
        change = changes.get(entry.turn)
        return LetteredBlank(
            ref=entry.turn,
            event=event,
            square=entry.square,
            letter=entry.letter,
            status=entry.status,
            said=said[-1].letter if said else EMPTY,
            changed=0 if change is None else change.seq,
            rows=tuple(rows[:1]),
        )

    def _as_said(self, groups: Sequence[Turn]) -> Iterator[LetteredBlank]:
        """A letter keyed in a turn without such a blank is another one for an older blank."""
        found: dict[int, list[LetteredBlank]] = {0: [], 1: []}
        for group in groups:
            for event in group.events:
                mine = found.get(event.player, [])
                stray = [s for s in self.said if (s.ref, s.player) == (group.ref, event.player)]
                stray = [s for s in stray if s.number > len(blanks_of(event))]
                if stray and mine:
                    mine[-1] = replace(mine[-1], changed=stray[-1].seq)
            for entry in self._keyed(group):
                found[group.events[entry.event].player].append(entry)
        yield from found[0]
        yield from found[1]

    def _keyed(self, group: Turn) -> Iterator[LetteredBlank]:
        for at, event in enumerate(group.events):
            for number, square in enumerate(blanks_of(event), 1):
                mine = (group.ref, event.player, number)
                said = [s for s in self.said if (s.ref, s.player, s.number) == mine]
                yield LetteredBlank(
                    ref=group.ref,
                    event=at,
                    square=square,
                    letter=said[-1].letter if said else BLANK,
                    status=DesignationStatus.DECLARED if said else DesignationStatus.MISSING,
                    rows=tuple(s.seq for s in said),
                )

    def _plays(self, groups: Sequence[Turn]) -> Iterator[tuple[int, int, BlankPlay]]:
        """The plays with a blank that were pressed: the event's place, the player, the play."""
        pressed = {press.seq: at for at, press in enumerate(self.presses)}
        for group in groups:
            if group.ref not in pressed:
                continue
            at = pressed[group.ref]
            for event, entry in enumerate(group.events):
                if squares := tuple(blanks_of(entry)):
                    began_ms = self.presses[at - 1].at_ms if at else 0
                    pressed_ms = self.presses[at].at_ms
                    yield event, entry.player, BlankPlay(
                        turn=group.ref, squares=squares, began_ms=began_ms, pressed_ms=pressed_ms
                    )  # fmt: skip

    def _lasting(
        self, plays: Sequence[BlankPlay], off: Mapping[int, int]
    ) -> tuple[list[SlipLetter], dict[int, SlipLetter]]:
        """The letters that may name a blank, and those that came in place of one that did.

        What is written over before the press never counted; what is written over afterwards is
        reported, by the turn of the blank, and changes nothing. The letter of a play that came off
        (``off``) may be written over for a later one. A row that cannot be read hides a letter
        only where a blank may have it.
        """
        rows = sum(len(play.squares) for play in plays)
        lasting: dict[int, SlipLetter] = {}
        changes: dict[int, SlipLetter] = {}
        kept: list[SlipLetter] = []
        for entry in self.slip.letters:
            before = lasting.get(entry.place)
            if entry.is_old or (not entry.letter and entry.place >= rows):
                continue
            turn = None if before is None or not before.letter else _named_by(before, entry, plays)
            is_used_up = (
                turn is not None
                and off.get(turn, entry.seq) < entry.seq
                and plays[-1].began_ms <= entry.at_ms
            )
            if turn is not None and not is_used_up:
                changes[turn] = entry
                continue
            if before is not None and not is_used_up:
                kept.remove(before)
            lasting[entry.place] = entry
            kept.append(entry)
        return kept, changes


def _came_off(groups: Sequence[Turn]) -> dict[int, int]:
    """The turns whose play came off, each with the last row that the record has of it."""
    last: dict[int, int] = {}
    off: dict[int, int] = {}
    for group in groups:
        for event in group.events:
            if isinstance(event, Laid):
                last[event.player] = group.ref
            elif isinstance(event, Withdrawn) and event.player in last:
                off[last[event.player]] = max(group.rulings, default=group.ref)
    return off


def _named_by(before: SlipLetter, now: SlipLetter, plays: Sequence[BlankPlay]) -> int | None:
    """The turn whose blank had a letter when another was written in its place."""
    mine = [
        play
        for play in plays
        if play.began_ms <= before.at_ms and (play.pressed_ms or 0) <= now.at_ms
    ]
    return mine[-1].turn if mine else None


def _mark(entry: SlipLetter) -> Mark:
    return Mark(letter=entry.letter, at_ms=entry.at_ms, top=float(entry.place))


def blanks_of(event: object) -> list[Square]:
    """The squares of the blanks that a turn laid, in reading order."""
    if not isinstance(event, Laid):
        return []
    return [sq for sq, tile in event.laid.items() if tile.is_blank]


def lettered_turns(groups: Iterable[Turn], blanks: Iterable[LetteredBlank]) -> tuple[Turn, ...]:
    """The turns with the letters of their blanks."""
    turns = {group.ref: group for group in groups}
    for blank in blanks:
        group = turns[blank.ref]
        event = group.events[blank.event]
        if blank.letter is not BLANK and isinstance(event, Laid):
            now = _lettered(event, blank.square, blank.letter)
            events = (*group.events[: blank.event], now, *group.events[blank.event + 1 :])
            turns[blank.ref] = replace(group, events=events, refs=(*group.refs, *blank.rows))
    return tuple(turns.values())


def _lettered(event: Laid, sq: Square, letter: Tile) -> Laid:
    if isinstance(event, IllegallyPlayed | Unseen):
        laid = event.laid | {sq: as_blank(letter)}
        return replace(event, tiles=tuple(laid.items()))
    at = event.placement.squares().index(sq)
    word = event.placement.word
    word = (*word[:at], as_blank(letter), *word[at + 1 :])
    return replace(event, placement=replace(event.placement, word=word))
