"""What has been recorded of one game, compared with what the table's fold now says.

The fold may learn better; the record is never amended. The difference between the two becomes
new rows: *recorded* for a turn that is new, *corrected* for one that reads otherwise, that is no
longer in doubt, or of which somebody at the table has said something. This module writes no row
itself and reads no clock.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recorder.domain.game import Correction, Entry, GameEvent, effective_events
from recorder.domain.orders import EntryName
from recorder.domain.reading.reconstruct import Alternative
from recorder.domain.reading.turns import Group
from recorder.domain.rulings.resolve import Book, Place
from recorder.log.port import Kind, NewRow, Row
from recorder.wire import EVENT_TYPES, decode_event, encode_event

SETTLED = "a later look settled the doubt"
READ_AGAIN = "later looks read this turn differently"
SAID = "it was announced at the table"
ORDER = "recorded again: evidence that came late shows an earlier turn"
GONE = "later evidence shows that this did not happen"
RULED = "ruled by a director"
NO_LONGER_RULED = "an order of a director no longer counts"
FOLLOWS = "follows from an order about an earlier turn"
CONTESTED = "there is something to decide about this turn"


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
    firm: tuple[str, ...] = ()
    follows: bool = False
    facts: Mapping[str, int | str | bool] = field(default_factory=dict)

    def note(self, row: Row) -> None:
        """Take over what a row says beside its events."""
        doubt = row.body["doubt"] or {}
        self.refs.update(row.refs)
        self.doubtful = bool(doubt)
        self.firm = tuple(doubt.get("firm", ()))
        self.alternatives = tuple(map(_alternative, doubt.get("alternatives", ())))
        self.rulings = tuple(row.body.get("ruled", ()))
        self.follows = row.body.get("reason") == FOLLOWS
        self.facts = row.body.get("facts", {})

    def reason(self, group: Group) -> str:
        """Why the record must be corrected to read as the group; empty when it need not be."""
        if self.rulings != group.rulings:
            return RULED if set(group.rulings) - set(self.rulings) else NO_LONGER_RULED
        # That another look shows the same is no news.
        heard = set(group.refs) - {group.look}
        said = not self.refs.issuperset(heard) or self.facts != group.facts
        if self.events and said:
            return SAID
        if self.events != group.events:
            return FOLLOWS if group.refitted or self.follows else READ_AGAIN
        if set(group.firm) - set(self.firm):
            return CONTESTED
        fewer = bool(set(self.firm) - set(group.firm))
        settled = self.doubtful and not group.doubts and not group.firm
        return SETTLED if fewer or settled else ""

    def names(self) -> list[EntryName]:
        """The name of each event as an entry."""
        if self.row:
            return [EntryName(self.row, part) for part in range(len(self.events))]
        return [EntryName(seq) for seq in self.seqs]


class Ledger:
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
        if row.kind is Kind.RECORDED and row.body["type"] in EVENT_TYPES:
            self._recorded(row)
        elif row.kind is Kind.CORRECTED:
            self._corrected(row)

    def rows(self, story: Sequence[Group], *, table: int, game: str, at: int) -> list[NewRow]:
        """The rows that bring the record up to the story; empty when it is up to date."""

        def row(kind: Kind, body: Mapping[str, Any], refs: tuple[int, ...]) -> NewRow:
            return NewRow(table=table, game=game, kind=kind, at=at, body=body, refs=refs)

        new: list[NewRow] = []
        story = [group for group in story if group.events or group.ref in self._kept]
        again = self._out_of_order(story)
        for group in story:
            kept = self._kept.get(group.ref)
            if kept is not None and group.ref in again:
                bodies = [_taken_out(seq, ORDER, group.ref) for seq in kept.seqs]
                new += [row(Kind.CORRECTED, body, group.refs) for body in bodies]
            if kept is None or group.ref in again:
                bodies = _recorded_bodies(group)
                new += [row(Kind.RECORDED, body, group.refs) for body in bodies]
            elif reason := kept.reason(group):
                bodies = _corrected_bodies(kept, group, reason)
                refs = (*kept.seqs[:1], *group.refs)
                new += [row(Kind.CORRECTED, body, refs) for body in bodies]
        told = {group.ref for group in story}
        for ref, kept in self._kept.items():
            if ref not in told and kept.events:
                bodies = [_taken_out(seq, GONE, ref) for seq in kept.seqs]
                new += [row(Kind.CORRECTED, body, (ref,)) for body in bodies]
        return new

    def _out_of_order(self, story: Sequence[Group]) -> set[int]:
        """The recorded groups that come after one that is not recorded yet.

        Events hold in the order of their rows, so these are taken out and recorded once more.
        """
        kept = list(self._kept)
        told = [group.ref for group in story]
        in_place = 0
        while (
            in_place < len(told)
            and told[: in_place + 1] == [ref for ref in kept if ref in told][: in_place + 1]
        ):
            in_place += 1
        return set(told[in_place:]) & set(kept)

    def _recorded(self, row: Row) -> None:
        group = row.body["group"]
        event = decode_event(row.body["type"], row.body["data"])
        kept = self._kept.get(group)
        if kept is None or kept.row:
            self._kept.pop(group, None)
            kept = self._kept[group] = _Kept([], (), doubtful=False)
        kept.seqs.append(row.seq)
        self._turn_of[row.seq] = group
        kept.events = (*kept.events, event)
        kept.note(row)
        self._entries.append(Entry(row.seq, event))

    def _corrected(self, row: Row) -> None:
        events = tuple(decode_event(one["type"], one["data"]) for one in row.body["events"])
        supersedes = row.body["supersedes"]
        self._entries.append(Entry(row.seq, Correction(supersedes, events)))
        kept = self._kept.get(row.body["group"])
        if kept is None:
            return
        if supersedes == kept.seqs[0]:
            self._turn_of[row.seq] = row.body["group"]
            kept.row, kept.events = row.seq, events
            kept.note(row)


def _alternative(told: Mapping[str, Any]) -> Alternative:
    events = tuple(decode_event(one["type"], one["data"]) for one in told["events"])
    return Alternative(events, told["log_odds"])


def _typed(event: GameEvent) -> dict[str, Any]:
    type_name, data = encode_event(event)
    return {"type": type_name, "data": data}


def _doubt(group: Group) -> dict[str, Any] | None:
    if not group.doubts and not group.firm:
        return None
    return {
        "reasons": [*group.doubts, *group.firm],
        "firm": list(group.firm),
        "squares": list(group.squares),
        "alternatives": [
            {"events": [_typed(event) for event in other.events], "log_odds": other.log_odds}
            for other in group.alternatives
        ],
    }


def _recorded_bodies(group: Group) -> list[dict[str, Any]]:
    return [{**_typed(event), **_about(group)} for event in group.events]


def _about(group: Group) -> dict[str, Any]:
    """What a row says of its turn beside the events; what is empty is left out."""
    more = {"ruled": list(group.rulings), "facts": dict(group.facts)}
    about = {"log_odds": group.log_odds, "doubt": _doubt(group), "group": group.ref}
    return about | {name: value for name, value in more.items() if value}


def _corrected_bodies(kept: _Kept, group: Group, reason: str) -> list[dict[str, Any]]:
    """The first row of the group takes all events now; the others fall away."""
    first, *others = kept.seqs
    events = [_typed(event) for event in group.events]
    return [
        {"supersedes": first, "events": events, "reason": reason, **_about(group)},
        *([] if kept.row else [_taken_out(seq, reason, group.ref) for seq in others]),
    ]


def _taken_out(seq: int, reason: str, group: int) -> dict[str, Any]:
    """A row that no longer says anything."""
    return {
        "supersedes": seq,
        "events": [],
        "reason": reason,
        "doubt": None,
        "log_odds": None,
        "group": group,
    }
