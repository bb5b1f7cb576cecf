"""What has been noticed at a table and told, compared with what there is to notice now.

A notice is a row of its own (``table.notice``); one that no longer holds is taken back by another
(``table.notice_over``). Nothing is amended. Writes no row itself and reads no clock.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from recorder.domain.notices import Manner, TableNotice
from recorder.log.port import Kind, NewRow, Row
from recorder.wire import NOTICE_OVER_TYPE, NOTICE_TYPE, encode_notice

_LOUD = (Manner.TELL_PLAYERS, Manner.ALERT, Manner.SHOW)

Json = dict[str, Any]
_Key = tuple[int, str, str]


class NoticeLedger:
    """The notices of one game that are in the log and hold."""

    def __init__(self) -> None:
        self._held: dict[_Key, int] = {}

    def take(self, row: Row) -> None:
        """Account for a row of either type."""
        data = row.body.get("data", {})
        if row.body["type"] == NOTICE_TYPE:
            self._held[int(row.body["group"]), data["notice"], data["sentence"]] = row.seq
        else:
            gone = [key for key, seq in self._held.items() if seq == data.get("row")]
            for key in gone:
                del self._held[key]

    def rows(self, now: Iterable[TableNotice], *, table: int, game: str, at: int) -> list[NewRow]:
        """The rows that bring the log up to what holds now."""
        holding = {one.key: one for one in now}
        bodies: list[tuple[Json, Sequence[int]]] = [
            (encode_notice(one), one.refs) for key, one in holding.items() if key not in self._held
        ]
        bodies += [
            ({"type": NOTICE_OVER_TYPE, "data": {"row": seq}, "group": key[0]}, (seq,))
            for key, seq in self._held.items()
            if key not in holding
        ]
        return [
            NewRow(table=table, game=game, kind=Kind.RECORDED, at=at, body=body, refs=tuple(refs))
            for body, refs in bodies
        ]


def told_aloud(row: Row) -> str | None:
    """What the director's console is told at once of a row; None for all that may wait."""
    if row.kind is Kind.OBSERVED and row.body.get("type") == "clock.doubt":
        data = row.body["data"]
        return f"a clock cannot be right: {data['device']}: {data['detail']}"
    if row.body.get("type") != NOTICE_TYPE:
        return None
    data = row.body["data"]
    if data["director"] not in {manner.value for manner in _LOUD}:
        return None
    aloud = f" ({data['director']})" if data["director"] == Manner.TELL_PLAYERS.value else ""
    return f"{data['notice']}: {data['sentence']}{aloud}"
