"""What has been noticed at a table and reported, compared with what there is to notice now.

A notice is a row of its own (``table.notice``); one that no longer holds is taken back by another
(``table.notice_over``). Nothing is amended. Writes no row itself and reads no clock.
"""

from collections.abc import Iterable
from dataclasses import replace

from recorder.domain.notices import Manner, NoticeKey, TableNotice
from recorder.domain.observations import CameraDoubted, ClockDoubted, TimeSet
from recorder.domain.procedures.table_facts import PastNotice
from recorder.domain.record import Draft, NoticeGiven, NoticeOver, Observed
from recorder.log.port import Row
from recorder.texts import load_catalogue
from recorder.texts.telling import coded_text, notice_text, time_set_text

_LOUD = (Manner.TELL_PLAYERS, Manner.ALERT, Manner.SHOW)


class RecordedNotices:
    """The notices of one game that are in the log and hold."""

    def __init__(self) -> None:
        self._held: dict[int, TableNotice] = {}
        self._given: set[int] = set()
        self._over: list[PastNotice] = []

    @property
    def given(self) -> frozenset[int]:
        """The rows of all notices, also of those that hold no longer."""
        return frozenset(self._given)

    def past(self, now: Iterable[TableNotice]) -> list[PastNotice]:
        """The notices that hold no longer, if these are all that hold now."""
        holding = {self._told(notice) for notice in now}
        ending = [(seq, held) for seq, held in self._held.items() if seq not in holding]
        return [*self._over, *(_past(held, seq, None) for seq, held in ending)]

    def take(self, row: Row) -> None:
        """Account for a row of either type."""
        match row.says:
            case NoticeGiven(notice=notice):
                self._held[row.seq] = notice
                self._given.add(row.seq)
            case NoticeOver(row=over):
                past = self._held.pop(over, None)
                if past is not None:
                    self._over.append(_past(past, over, row.seq))

    def holds(self, notice: TableNotice) -> bool:
        """Whether the log says this already, and has not taken it back."""
        return self._told(notice) is not None

    def to_say(self, now: Iterable[TableNotice]) -> list[Draft]:
        """What brings the log up to what holds now."""
        holding = {notice.key: notice for notice in now}
        rows = {key: self._told(notice) for key, notice in holding.items()}
        new: list[Draft] = [
            (NoticeGiven(notice=notice), notice.refs)
            for key, notice in holding.items()
            if rows[key] is None
        ]
        new += [
            (NoticeOver(row=seq, group=notice.ref), (seq,))
            for seq, notice in self._held.items()
            if seq not in rows.values()
        ]
        return new

    def _told(self, notice: TableNotice) -> int | None:
        """The row that says this already, None where none does."""
        for seq, held in self._held.items():
            same = held.key == notice.key or (
                held.is_in_words and held.key == _old_key(notice, held)
            )
            if same and held.says_the_same(notice):
                return seq
        return None


def _past(notice: TableNotice, given: int, over: int | None) -> PastNotice:
    code, squares = notice.code.value, notice.squares
    return PastNotice(code, given, over, notice.player, notice.ref, squares)


def _old_key(notice: TableNotice, held: TableNotice) -> NoticeKey:
    """The key of a notice as an earlier release knew it, whose rows may not name the player."""
    return replace(notice, player=held.player).key


def told_aloud(row: Row) -> str | None:
    """What the director's console is informed at once of a row; None for all that may wait."""
    match row.says:
        case Observed(what=ClockDoubted(device=device, detail=detail)):
            what = coded_text(detail, "clock_doubt")
            return load_catalogue().text("aloud", "clock_doubt", device=device, what=what)
        case Observed(what=CameraDoubted(device=device, sees=sees)):
            return load_catalogue().text("aloud", "camera_doubt", device=device, table=sees)
        case Observed(what=TimeSet() as setting):
            return time_set_text(setting)
        case NoticeGiven(notice=notice) if notice.routing.director in _LOUD:
            what = notice_text(notice)
            if notice.routing.director is not Manner.TELL_PLAYERS:
                return what
            return load_catalogue().text("aloud", "tell_players", what=what)
    return None
