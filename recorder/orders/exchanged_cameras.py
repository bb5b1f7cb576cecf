"""The board cameras of two tables that stood over each other's boards: whose looks are whose.

Nothing is amended: each game gets a row that its camera's looks so far are not its own, and behind
it the looks of the other camera once more, with the times at which they were taken. Every reader
of a game then has all of it in the game's own rows.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from recorder.domain.event.orders import EventOrder, ExchangeCameras
from recorder.domain.notices import CodedText, coded
from recorder.domain.row_kind import Kind
from recorder.log.port import EventLog, NewRow, Row

if TYPE_CHECKING:
    from recorder.domain.record import GameStarted

_LOOKS = "board."
_EXCHANGED = "camera.exchanged"


def with_cameras(order: EventOrder, log: EventLog) -> tuple[EventOrder, CodedText | None]:
    """The order with the games that are on at its tables and their cameras; or why there are none.

    An order about something else comes back as it is.
    """
    act = order.act
    if not isinstance(act, ExchangeCameras):
        return order, None
    if len(set(act.tables)) != len(act.tables) or len(act.tables) != 2:
        return order, coded("event_cameras_two")
    games = {row.table: says.game for row in log.beginnings() if (says := _began(row)) is not None}
    cameras: list[str] = []
    for table in act.tables:
        looks = _looks(log, table, games[table]) if table in games else ()
        if not looks:
            return order, coded("event_no_looks", table=table)
        cameras.append(looks[-1].device)
    if len(set(cameras)) == 1:
        return order, coded("event_cameras_two")
    named = replace(act, games=tuple(games[table] for table in act.tables), cameras=tuple(cameras))
    return replace(order, act=named), None


def exchanged_rows(order: EventOrder, log: EventLog, *, seq: int, at: int, by: str) -> list[NewRow]:
    """The rows that follow an order of row ``seq``; none where it is about something else."""
    act = order.act
    if not isinstance(act, ExchangeCameras) or not act.cameras:
        return []
    from recorder.domain.observations import CameraExchanged
    from recorder.domain.record import Observed, Sender

    seats = [*zip(act.tables, act.games, act.cameras, strict=True)]
    rows: list[NewRow] = []
    for (table, game, camera), (other, other_game, other_camera) in (seats, seats[::-1]):
        says = Observed(CameraExchanged(device=camera, table=other))
        said = NewRow.saying(says, table=table, game=game, at=at, refs=(seq,))
        rows.append(said.sent_by(Sender(dev=by)))
        rows += [
            NewRow(
                table=table, game=game, kind=Kind.OBSERVED, at=look.at, body=look.body,
                refs=(look.seq,),
            )
            for look in _looks(log, other, other_game)
            if look.device == other_camera
        ]  # fmt: skip
    return rows


def _began(row: Row) -> "GameStarted | None":
    from recorder.domain.record import GameStarted

    return row.says if isinstance(row.says, GameStarted) else None


def _looks(log: EventLog, table: int, game: str) -> Sequence[Row]:
    """What board cameras saw in a game, but for what is another table's by an earlier order."""
    from recorder.domain.observations import CameraExchanged
    from recorder.domain.record import Observed

    looks: list[Row] = []
    for row in log.of_game(table, game):
        if row.type == _EXCHANGED and isinstance(row.says, Observed):
            said = row.says.what
            if isinstance(said, CameraExchanged):
                looks = [look for look in looks if look.device != said.device]
        elif row.kind is Kind.OBSERVED and row.type.startswith(_LOOKS):
            looks.append(row)
    return looks
