"""What has been noticed at a table and told, compared with what there is to notice now.

A notice is a row of its own (``table.notice``); one that no longer holds is taken back by another
(``table.notice_over``). Nothing is amended. Writes no row itself and reads no clock.
"""

from collections.abc import Iterable

from recorder.domain.notices import Manner, TableNotice
from recorder.domain.observations import ClockDoubted
from recorder.domain.record import NoticeGiven, NoticeOver, Observed, Statement
from recorder.log.port import NewRow, Row

_LOUD = (Manner.TELL_PLAYERS, Manner.ALERT, Manner.SHOW)

_Key = tuple[int, str, str]


class NoticeLedger:
    """The notices of one game that are in the log and hold."""

    def __init__(self) -> None:
        self._held: dict[_Key, int] = {}

    def take(self, row: Row) -> None:
        """Account for a row of either type."""
        match row.says:
            case NoticeGiven(notice=notice):
                self._held[notice.key] = row.seq
            case NoticeOver(row=over):
                gone = [key for key, seq in self._held.items() if seq == over]
                for key in gone:
                    del self._held[key]

    def rows(self, now: Iterable[TableNotice], *, table: int, game: str, at: int) -> list[NewRow]:
        """The rows that bring the log up to what holds now."""
        holding = {one.key: one for one in now}
        new: list[tuple[Statement, tuple[int, ...]]] = [
            (NoticeGiven(notice=one), one.refs)
            for key, one in holding.items()
            if key not in self._held
        ]
        new += [
            (NoticeOver(row=seq, group=key[0]), (seq,))
            for key, seq in self._held.items()
            if key not in holding
        ]
        return [NewRow.saying(says, table=table, game=game, at=at, refs=refs) for says, refs in new]


def told_aloud(row: Row) -> str | None:
    """What the director's console is told at once of a row; None for all that may wait."""
    match row.says:
        case Observed(what=ClockDoubted(device=device, detail=detail)):
            return f"a clock cannot be right: {device}: {detail}"
        case NoticeGiven(notice=one) if one.routing.director in _LOUD:
            manner = one.routing.director
            aloud = f" ({manner.value})" if manner is Manner.TELL_PLAYERS else ""
            return f"{one.notice.value}: {one.sentence}{aloud}"
    return None
