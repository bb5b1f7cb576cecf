"""What has been recorded of one game, compared with what the table's fold now says.

The fold may learn better; the record is never amended. The difference between the two becomes
new rows: *recorded* for a turn that is new, *corrected* for one that reads otherwise, that is no
longer in doubt, or of which somebody at the table has said something. This module writes no row
itself and reads no clock.
"""

from collections.abc import Sequence
from dataclasses import replace

from recorder.domain.game import Unseen
from recorder.domain.notices import WORDS, coded
from recorder.domain.reading.notation import notation
from recorder.domain.reading.reconstruct import OUT_OF_TURN
from recorder.domain.record import (
    Corrected,
    CorrectionReason,
    Doubt,
    Draft,
    Recorded,
    TurnNote,
)
from recorder.domain.recorded_turns import RecordedTurns
from recorder.domain.turns import Turn

_OVER_RECORDED = "hole_over_recorded"


def to_record(recorded: RecordedTurns, story: Sequence[Turn]) -> list[Draft]:
    """What brings the record up to the story; empty when it is up to date."""
    new: list[Draft] = []
    held = recorded.by_ref
    story = [turn for turn in story if turn.events or turn.ref in held]
    story = _with_lost_turns(recorded, story)
    again = _out_of_order(list(held), [turn.ref for turn in story])
    for read in story:
        turn = held.get(read.ref)
        if turn is not None and read.ref in again:
            gone = [_taken_out(seq, CorrectionReason.MOVED, read.ref) for seq in turn.rows]
            new += [(says, read.refs) for says in gone]
        if turn is None or read.ref in again:
            first = [Recorded(event=event, turn=_note(read)) for event in read.events]
            new += [(says, read.refs) for says in first]
        elif reason := _why_corrected(turn, read):
            says = Corrected(
                supersedes=turn.rows[0], events=read.events, reason=reason, turn=_note(read)
            )
            new.append((says, (turn.rows[0], *read.refs)))
            apart = [name.row for name in turn.entries if name.row in turn.rows[1:]]
            new += [
                (_taken_out(seq, reason, read.ref), (turn.rows[0], *read.refs)) for seq in apart
            ]
    wanted = {turn.ref for turn in story}
    for ref, turn in held.items():
        if ref not in wanted and turn.events:
            gone = [_taken_out(seq, CorrectionReason.GONE, ref) for seq in turn.rows]
            new += [(says, (ref,)) for says in gone]
    return new


def _with_lost_turns(recorded: RecordedTurns, story: Sequence[Turn]) -> list[Turn]:
    """The story, with the turns that were recorded and are a hole now among the hole's doubts."""
    held, wanted = recorded.by_ref, {turn.ref for turn in story}
    gone = {ref: turn.events for ref, turn in held.items() if ref not in wanted and turn.events}
    gone |= {ref: events for ref, events in recorded.gone.items() if ref not in wanted}
    named, since = list[Turn](), 0
    for read in story:
        after, since = since, read.ref
        if read.rulings or not any(isinstance(event, Unseen) for event in read.events):
            named.append(read)
            continue
        before = [held[read.ref]] if read.ref in held else []
        lost = [events for ref, events in sorted(gone.items()) if after < ref < read.ref]
        lost += [turn.events for turn in before]
        plays = [
            notation(event) for events in lost for event in events if not isinstance(event, Unseen)
        ]
        known = [doubt for turn in before for doubt in turn.doubts if doubt.code == _OVER_RECORDED]
        if plays:
            known = [coded(_OVER_RECORDED, plays=", ".join(plays), count=len(plays))]
        named.append(replace(read, doubts=(*read.doubts, *known)))
    return named


def _why_corrected(turn: Turn, read: Turn) -> CorrectionReason | None:
    """Why a recorded turn must be corrected to stand as it is read; None when it need not be."""
    if turn.rulings != read.rulings:
        is_ruled = bool(set(read.rulings) - set(turn.rulings))
        return CorrectionReason.RULED if is_ruled else CorrectionReason.NO_LONGER_RULED
    # That another look shows the same is no news.
    heard = set(read.refs) - {read.look}
    said = not heard.issubset(turn.refs) or turn.facts != read.facts
    if turn.events and said:
        return CorrectionReason.ANNOUNCED
    if turn.events != read.events:
        follows = read.refitted or turn.refitted
        return CorrectionReason.FOLLOWS if follows else CorrectionReason.READ_AGAIN
    known = set(turn.firm)
    if any(reason.code == WORDS for reason in known):
        # An earlier release put it in words: that something is asked is all that compares.
        known = set(read.firm) or known
    is_again = OUT_OF_TURN in read.doubts and OUT_OF_TURN not in turn.doubts
    if set(read.firm) - known or is_again:
        return CorrectionReason.CONTESTED
    fewer = bool(known - set(read.firm))
    settled = (turn.doubts or turn.firm) and not read.doubts and not read.firm
    return CorrectionReason.SETTLED if fewer or settled else None


def _out_of_order(held: Sequence[int], wanted: Sequence[int]) -> set[int]:
    """The recorded turns that come after one that is not recorded yet.

    Events hold in the order of their rows, so these are taken out and recorded once more.
    """
    in_place = 0
    while (
        in_place < len(wanted)
        and wanted[: in_place + 1] == [ref for ref in held if ref in wanted][: in_place + 1]
    ):
        in_place += 1
    return set(wanted[in_place:]) & set(held)


def _note(turn: Turn) -> TurnNote:
    """What a row says of its turn beside the events."""
    reasons = (*turn.doubts, *turn.firm)
    doubt = Doubt(
        reasons=reasons,
        firm=turn.firm,
        squares=turn.squares,
        alternatives=turn.alternatives,
    )
    return TurnNote(
        group=turn.ref,
        log_odds=turn.log_odds,
        doubt=doubt if reasons else None,
        ruled=turn.rulings,
        facts=turn.facts,
    )


def _taken_out(seq: int, reason: CorrectionReason, group: int) -> Corrected:
    """A row that no longer says anything."""
    return Corrected(supersedes=seq, events=(), reason=reason, turn=TurnNote(group=group))
