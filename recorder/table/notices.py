"""What has been noticed at a table and told, compared with what there is to notice now.

A notice is a row of its own (``table.notice``); one that no longer holds is taken back by another
(``table.notice_over``). Nothing is amended. Writes no row itself and reads no clock.
"""

from collections.abc import Iterable
from dataclasses import replace

from recorder.domain.notices import Manner, NoticeKey, TableNotice
from recorder.domain.observations import ClockDoubted
from recorder.domain.record import NoticeGiven, NoticeOver, Observed, Statement
from recorder.log.port import NewRow, Row
from recorder.texts.telling import notice_text

_LOUD = (Manner.TELL_PLAYERS, Manner.ALERT, Manner.SHOW)


class RecordedNotices:
    """The notices of one game that are in the log and hold."""

    def __init__(self) -> None:
        self._held: dict[int, TableNotice] = {}
        self._given: set[int] = set()

    @property
    def given(self) -> frozenset[int]:
        """The rows of all notices, also of those that hold no longer."""
        return frozenset(self._given)

    def take(self, row: Row) -> None:
        """Account for a row of either type."""
        match row.says:
            case NoticeGiven(notice=notice):
                self._held[row.seq] = notice
                self._given.add(row.seq)
            case NoticeOver(row=over):
                self._held.pop(over, None)

    def rows(self, now: Iterable[TableNotice], *, table: int, game: str, at: int) -> list[NewRow]:
        """The rows that bring the log up to what holds now."""
        holding = {one.key: one for one in now}
        told = {key: self._told(one) for key, one in holding.items()}
        new: list[tuple[Statement, tuple[int, ...]]] = [
            (NoticeGiven(notice=one), one.refs) for key, one in holding.items() if told[key] is None
        ]
        new += [
            (NoticeOver(row=seq, group=one.ref), (seq,))
            for seq, one in self._held.items()
            if seq not in told.values()
        ]
        return [NewRow.saying(says, table=table, game=game, at=at, refs=refs) for says, refs in new]

    def _told(self, one: TableNotice) -> int | None:
        """The row that says this already, None where none does."""
        for seq, held in self._held.items():
            same = held.key == one.key or (held.is_in_words and held.key == _old_key(one, held))
            if same and held.says_the_same(one):
                return seq
        return None


def _old_key(one: TableNotice, held: TableNotice) -> NoticeKey:
    """The key of a notice as an earlier release knew it, whose rows may not name the player."""
    return replace(one, player=held.player).key


def told_aloud(row: Row) -> str | None:
    """What the director's console is told at once of a row; None for all that may wait."""
    match row.says:
        case Observed(what=ClockDoubted(device=device, detail=detail)):
            return f"a clock cannot be right: {device}: {detail}"
        case NoticeGiven(notice=one) if one.routing.director in _LOUD:
            aloud = one.routing.director is Manner.TELL_PLAYERS
            return f"{notice_text(one)}{' (tell the players now)' if aloud else ''}"
    return None
