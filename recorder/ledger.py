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
from recorder.domain.groups import Group
from recorder.eventlog import Kind, NewRow, Row
from recorder.wire import STARTED_TYPE, decode_event, encode_event

SETTLED = "a later look settled the doubt"
READ_AGAIN = "later looks read this turn differently"
SAID = "it was announced at the table"
ORDER = "recorded again: evidence that came late shows an earlier turn"
GONE = "later evidence shows that this did not happen"


@dataclass(slots=True)
class _Kept:
    """The rows of one group, what they say now, on what it rests, and whether it is in doubt."""

    seqs: list[int]
    events: tuple[GameEvent, ...]
    doubtful: bool
    refs: set[int] = field(default_factory=set)

    def reason(self, group: Group) -> str:
        """Why the record must be corrected to read as the group; empty when it need not be."""
        if self.events and not self.refs.issuperset(group.refs):
            return SAID
        if self.events != group.events:
            return READ_AGAIN
        return SETTLED if self.doubtful and not group.doubts else ""


class Ledger:
    """The recorded turns of one game, by the observation that each turn was read from."""

    def __init__(self) -> None:
        self._kept: dict[int, _Kept] = {}
        self._entries: list[Entry] = []

    @property
    def events(self) -> tuple[GameEvent, ...]:
        """The game as recorded and corrected, in order."""
        return effective_events(self._entries)

    def take(self, row: Row) -> None:
        """Account for a row of this game that is in the log. Other kinds of rows are ignored."""
        if row.kind is Kind.RECORDED and row.body["type"] != STARTED_TYPE:
            self._recorded(row)
        elif row.kind is Kind.CORRECTED:
            self._corrected(row)

    def rows(self, story: Sequence[Group], *, table: int, game: str, at: int) -> list[NewRow]:
        """The rows that bring the record up to the story; empty when it is up to date."""

        def row(kind: Kind, body: Mapping[str, Any], refs: tuple[int, ...]) -> NewRow:
            return NewRow(table=table, game=game, kind=kind, at=at, body=body, refs=refs)

        new: list[NewRow] = []
        again = self._out_of_order(story)
        for group in story:
            kept = self._kept.get(group.ref)
            if kept is not None and group.ref in again:
                bodies = [_supersede(seq, (), ORDER, None, group.ref) for seq in kept.seqs]
                new += [row(Kind.CORRECTED, body, group.refs) for body in bodies]
            if kept is None or not kept.events or group.ref in again:
                bodies = _recorded_bodies(group)
                new += [row(Kind.RECORDED, body, group.refs) for body in bodies]
            elif reason := kept.reason(group):
                bodies = _corrected_bodies(kept, group, reason)
                refs = (*kept.seqs[:1], *group.refs)
                new += [row(Kind.CORRECTED, body, refs) for body in bodies]
        told = {group.ref for group in story}
        for ref, kept in self._kept.items():
            if ref not in told and kept.events:
                bodies = [_supersede(seq, (), GONE, None, ref) for seq in kept.seqs]
                new += [row(Kind.CORRECTED, body, (ref,)) for body in bodies]
        return new

    def _out_of_order(self, story: Sequence[Group]) -> set[int]:
        """The recorded groups that come after one that is not recorded yet.

        Events hold in the order of their rows, so these are taken out and recorded once more.
        """
        kept = [ref for ref, one in self._kept.items() if one.events]
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
        if kept is None or not kept.events:
            self._kept.pop(group, None)
            kept = self._kept[group] = _Kept([], (), doubtful=False)
        kept.seqs.append(row.seq)
        kept.refs.update(row.refs)
        kept.events = (*kept.events, event)
        kept.doubtful = kept.doubtful or row.body["doubt"] is not None
        self._entries.append(Entry(row.seq, event))

    def _corrected(self, row: Row) -> None:
        events = tuple(decode_event(one["type"], one["data"]) for one in row.body["events"])
        self._entries.append(Entry(row.seq, Correction(row.body["supersedes"], events)))
        kept = self._kept.get(row.body["group"])
        if kept is None:
            return
        if row.body["supersedes"] == kept.seqs[0]:
            kept.events = events
            kept.refs.update(row.refs)
            kept.doubtful = row.body["doubt"] is not None


def _typed(event: GameEvent) -> dict[str, Any]:
    type_name, data = encode_event(event)
    return {"type": type_name, "data": data}


def _doubt(group: Group) -> dict[str, Any] | None:
    if not group.doubts:
        return None
    return {
        "reasons": list(group.doubts),
        "squares": list(group.squares),
        "alternatives": [
            {"events": [_typed(event) for event in other.events], "log_odds": other.log_odds}
            for other in group.alternatives
        ],
    }


def _recorded_bodies(group: Group) -> list[dict[str, Any]]:
    facts = {"log_odds": group.log_odds, "doubt": _doubt(group), "group": group.ref}
    return [{**_typed(event), **facts} for event in group.events]


def _corrected_bodies(kept: _Kept, group: Group, reason: str) -> list[dict[str, Any]]:
    """The first row of the group takes all events now; the others fall away."""
    first, *others = kept.seqs
    return [
        _supersede(first, group.events, reason, _doubt(group), group.ref, group.log_odds),
        *(_supersede(seq, (), reason, None, group.ref) for seq in others),
    ]


def _supersede(
    seq: int,
    events: tuple[GameEvent, ...],
    reason: str,
    doubt: dict[str, Any] | None,
    group: int,
    log_odds: float | None = None,
) -> dict[str, Any]:
    return {
        "supersedes": seq,
        "events": [_typed(event) for event in events],
        "reason": reason,
        "doubt": doubt,
        "log_odds": log_odds,
        "group": group,
    }
