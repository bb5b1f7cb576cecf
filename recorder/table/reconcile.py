"""What has been recorded of one game, compared with what the table's fold now says.

The fold may learn better; the record is never amended. The difference between the two becomes
new rows: *recorded* for a turn that is new, *corrected* for one that reads otherwise, that is no
longer in doubt, or of which somebody at the table has said something. This module writes no row
itself and reads no clock.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from recorder.domain.game import Correction, Entry, GameEvent, effective_events
from recorder.domain.notices import WORDS, CodedText
from recorder.domain.orders import EntryName
from recorder.domain.record import (
    Alternative,
    Corrected,
    CorrectionReason,
    Doubt,
    Fact,
    Recorded,
    Statement,
    TurnNote,
)
from recorder.domain.rulings.resolve import Book, Place
from recorder.domain.turns import Turn
from recorder.log.port import NewRow, Row

_Reason = CorrectionReason


@dataclass(slots=True)
class _Kept:
    """The rows of one group, what they say now, on what it rests, and whether it is in doubt.

    ``row`` is the row that says it now, 0 while each event has its own in ``seqs``.
    """

    seqs: list[int]
    events: tuple[GameEvent, ...]
    doubtful: bool
    refs: set[int] = field(default_factory=set)
    row: int = 0
    alternatives: tuple[Alternative, ...] = ()
    rulings: tuple[int, ...] = ()
    firm: tuple[CodedText, ...] = ()
    follows: bool = False
    facts: Mapping[str, Fact] = field(default_factory=dict)

    def note(
        self, row: Row, turn: TurnNote, reason: CorrectionReason = CorrectionReason.OTHER
    ) -> None:
        """Take over what a row says beside its events."""
        doubt = turn.doubt or Doubt(reasons=())
        self.refs.update(row.refs)
        self.doubtful = turn.doubt is not None
        self.firm = doubt.firm
        self.alternatives = doubt.alternatives
        self.rulings = turn.ruled
        self.follows = reason == _Reason.FOLLOWS
        self.facts = turn.facts

    def reason(self, group: Turn) -> CorrectionReason | None:
        """Why the record must be corrected to read as the group; None when it need not be."""
        if self.rulings != group.rulings:
            return (
                _Reason.RULED if set(group.rulings) - set(self.rulings) else _Reason.NO_LONGER_RULED
            )
        # That another look shows the same is no news.
        heard = set(group.refs) - {group.look}
        said = not self.refs.issuperset(heard) or self.facts != group.facts
        if self.events and said:
            return _Reason.ANNOUNCED
        if self.events != group.events:
            return _Reason.FOLLOWS if group.refitted or self.follows else _Reason.READ_AGAIN
        known = set(self.firm)
        if any(reason.code == WORDS for reason in known):
            # An earlier release put it in words: that something is asked is all that compares.
            known = set(group.firm) or known
        if set(group.firm) - known:
            return _Reason.CONTESTED
        fewer = bool(known - set(group.firm))
        settled = self.doubtful and not group.doubts and not group.firm
        return _Reason.SETTLED if fewer or settled else None

    def names(self) -> list[EntryName]:
        """The name of each event as an entry."""
        if self.row:
            return [EntryName(self.row, part) for part in range(len(self.events))]
        return [EntryName(seq) for seq in self.seqs]


class RecordedGame:
    """The recorded turns of one game, by the observation that each turn was read from."""

    def __init__(self) -> None:
        self._kept: dict[int, _Kept] = {}
        self._entries: list[Entry] = []
        self._turn_of: dict[int, int] = {}

    @property
    def events(self) -> tuple[GameEvent, ...]:
        """The game as recorded and corrected, in order."""
        return effective_events(self._entries)

    def book(self) -> Book:
        """The entries by name, and what stands now in place of each row that was superseded."""
        places = [
            (name, Place(ref, part, event, kept.alternatives))
            for ref, kept in self._kept.items()
            for part, (name, event) in enumerate(zip(kept.names(), kept.events, strict=True))
        ]
        now = {ref: tuple(kept.names()) for ref, kept in self._kept.items() if kept.events}
        return Book(dict(places), {row: now.get(ref, ()) for row, ref in self._turn_of.items()})

    def take(self, row: Row) -> None:
        """Account for a row of this game that is in the log. Other rows are ignored."""
        match row.says:
            case Recorded() as says:
                self._recorded(row, says)
            case Corrected() as says:
                self._corrected(row, says)

    def rows(self, story: Sequence[Turn], *, table: int, game: str, at: int) -> list[NewRow]:
        """The rows that bring the record up to the story; empty when it is up to date."""

        def row(says: Statement, refs: tuple[int, ...]) -> NewRow:
            return NewRow.saying(says, table=table, game=game, at=at, refs=refs)

        new: list[NewRow] = []
        story = [group for group in story if group.events or group.ref in self._kept]
        again = self._out_of_order(story)
        for group in story:
            kept = self._kept.get(group.ref)
            if kept is not None and group.ref in again:
                gone = [_taken_out(seq, _Reason.MOVED, group.ref) for seq in kept.seqs]
                new += [row(says, group.refs) for says in gone]
            if kept is None or group.ref in again:
                read = [Recorded(event=event, turn=_about(group)) for event in group.events]
                new += [row(says, group.refs) for says in read]
            elif reason := kept.reason(group):
                refs = (*kept.seqs[:1], *group.refs)
                new += [row(says, refs) for says in _corrections(kept, group, reason)]
        wanted = {group.ref for group in story}
        for ref, kept in self._kept.items():
            if ref not in wanted and kept.events:
                new += [row(_taken_out(seq, _Reason.GONE, ref), (ref,)) for seq in kept.seqs]
        return new

    def _out_of_order(self, story: Sequence[Turn]) -> set[int]:
        """The recorded groups that come after one that is not recorded yet.

        Events hold in the order of their rows, so these are taken out and recorded once more.
        """
        kept = list(self._kept)
        wanted = [group.ref for group in story]
        in_place = 0
        while (
            in_place < len(wanted)
            and wanted[: in_place + 1] == [ref for ref in kept if ref in wanted][: in_place + 1]
        ):
            in_place += 1
        return set(wanted[in_place:]) & set(kept)

    def _recorded(self, row: Row, says: Recorded) -> None:
        group = says.turn.group
        kept = self._kept.get(group)
        if kept is None or kept.row:
            self._kept.pop(group, None)
            kept = self._kept[group] = _Kept([], (), doubtful=False)
        kept.seqs.append(row.seq)
        self._turn_of[row.seq] = group
        kept.events = (*kept.events, says.event)
        kept.note(row, says.turn)
        self._entries.append(Entry(row.seq, says.event))

    def _corrected(self, row: Row, says: Corrected) -> None:
        self._entries.append(Entry(row.seq, Correction(says.supersedes, says.events)))
        kept = self._kept.get(says.turn.group)
        if kept is None:
            return
        if says.supersedes == kept.seqs[0]:
            self._turn_of[row.seq] = says.turn.group
            kept.row, kept.events = row.seq, says.events
            kept.note(row, says.turn, says.reason)


def _about(group: Turn) -> TurnNote:
    """What a row says of its turn beside the events."""
    reasons = (*group.doubts, *group.firm)
    doubt = Doubt(
        reasons=reasons,
        firm=group.firm,
        squares=group.squares,
        alternatives=group.alternatives,
    )
    return TurnNote(
        group=group.ref,
        log_odds=group.log_odds,
        doubt=doubt if reasons else None,
        ruled=group.rulings,
        facts=group.facts,
    )


def _corrections(kept: _Kept, group: Turn, reason: CorrectionReason) -> list[Corrected]:
    """The first row of the group takes all events now; the others fall away."""
    first, *others = kept.seqs
    return [
        Corrected(supersedes=first, events=group.events, reason=reason, turn=_about(group)),
        *([] if kept.row else [_taken_out(seq, reason, group.ref) for seq in others]),
    ]


def _taken_out(seq: int, reason: CorrectionReason, group: int) -> Corrected:
    """A row that no longer says anything."""
    return Corrected(supersedes=seq, events=(), reason=reason, turn=TurnNote(group=group))
