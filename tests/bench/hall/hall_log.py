"""Writes the log of a whole tournament: one game played by the recorder, copied to every table.

A copy has rows, devices and references of its own and a chain of its own: for a recorder it is a
game like any other. The tables of a round go on side by side, as they do in a hall.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import devices.lab
from recorder.domain.event.orders import (
    EnterPlayer,
    EnterResult,
    EventAct,
    EventOrder,
    PublishRound,
    TableGame,
)
from recorder.domain.event.seating import Pairing
from recorder.domain.game import Exchanged, Played
from recorder.domain.record import EventOrdered, GameStarted
from recorder.gcg import read_gcg
from recorder.lab.memory_log import MemoryEventLog
from recorder.lab.scenario.play import BEGAN_MS, plan_of, play_through
from recorder.lab.scenario.text.grammar import parse_scenario
from recorder.log.port import EventLog, NewRow, Row
from recorder.orders.event_record import EVENT_TABLE
from recorder.service.plan import RecorderPlan
from recorder.table.game_recorder import TablePlan
from recorder.wire.rows import write_row

AT_ONCE = 500
DIVISION, ROUND_MS = "A", 5_400_000
_NUMBERS = ("supersedes", "row", "group", "ref", "entry", "before")
"""Keys of a body whose value is the number of a row."""
_HEAD = """rules wespa1
tiles english
players Ida Tom
minutes 25
sensors clock camera box racks
start
"""


def played_game(turns: int = 99) -> tuple[RecorderPlan, list[Row]]:
    """The program's own English game at a table with a clock and a camera: its plan, its rows."""
    scenario = parse_scenario(game_as_scenario(turns), "hall.scn")
    store = MemoryEventLog()
    play_through(scenario, store=store)
    return plan_of(scenario.setup), list(store.read_from(1))


def game_as_scenario(turns: int = 99) -> str:
    path = Path(devices.lab.__path__[0]) / "games" / "english.gcg"
    return _HEAD + "\n".join(_lines(path, turns))


def _lines(path: Path, turns: int) -> Iterator[str]:
    events = [event for event in read_gcg(path.read_bytes()).events if hasattr(event, "player")]
    for number, event in enumerate(events[:turns]):
        player = number % 2 + 1
        if isinstance(event, Played):
            said = f"lay {event.placement}"
        elif isinstance(event, Exchanged):
            said = f"say {player} exchange {event.count}"
        else:
            return
        yield from ("+41", said, "+4", f"press {player}", "+6")


def hall_plan(one: RecorderPlan, tables: int) -> RecorderPlan:
    (table,) = one.tables
    plans = tuple(
        TablePlan(
            started=replace(table.started, table=number, game=f"t{number}", players=("", "")),
            devices={named(device, number): role for device, role in table.devices.items()},
            waits=True,
        )
        for number in range(1, tables + 1)
    )
    return replace(one, tables=plans)


def write_hall(
    log: EventLog, rows: Sequence[Row], tables: int, rounds: int, *, begun: Sequence[Row] = ()
) -> None:
    """Append so many rounds of the game at so many tables; ``begun`` is one more at each, open.

    The same two meet again and again at the same table; all finished games have results.
    """
    acts: list[EventAct] = [
        EnterPlayer(division=DIVISION, name=f"Player {number}", number=number)
        for number in range(1, 2 * tables + 1)
    ]
    order(log, acts, 0)
    for round_ in range(1, rounds + 1 + bool(begun)):
        games = tuple(
            TableGame(table=table, first=2 * table - 1, second=2 * table)
            for table in range(1, tables + 1)
        )
        order(log, [PublishRound(division=DIVISION, round=round_, games=games)], round_)
        _write_round(log, rows if round_ <= rounds else begun, tables, round_)
        if round_ <= rounds:
            order(log, [result(round_, game) for game in games], round_ + 1)


def result(round_: int, game: TableGame) -> EnterResult:
    pair = {"first": game.first, "second": game.second}
    return EnterResult(
        division=DIVISION, round=round_, **pair, first_score=400, second_score=380 + game.table
    )


def order(log: EventLog, acts: Sequence[EventAct], round_: int) -> None:
    """Append what a director orders about the event, at the beginning of a round."""
    at, base = BEGAN_MS + round_ * ROUND_MS, log.head()
    for first in range(0, len(acts), AT_ONCE):
        orders = (
            EventOrder(id=f"e{base + first + place}", who="director", act=act)
            for place, act in enumerate(acts[first : first + AT_ONCE])
        )
        log.append(
            [
                NewRow.saying(EventOrdered(order=order), table=EVENT_TABLE, game="", at=at)
                for order in orders
            ]
        )


def _write_round(log: EventLog, rows: Sequence[Row], tables: int, round_: int) -> None:
    numbers: dict[tuple[int, int], int] = {}
    base, batch = log.head(), list[NewRow]()
    for place, row in enumerate(rows):
        for table in range(1, tables + 1):
            numbers[table, row.seq] = base + place * tables + table
            known = {seq: numbers[table, seq] for seq in _named(row)}
            batch.append(_copy(row, table, round_, known))
            if len(batch) == AT_ONCE:
                log.append(batch)
                batch = []
    log.append(batch)


def _named(row: Row) -> set[int]:
    return {*row.refs, *_numbers_in(row.body)}


def _numbers_in(said: Any) -> Iterator[int]:
    if isinstance(said, Mapping):
        for key, value in said.items():
            if key in _NUMBERS and type(value) is int and value > 0:
                yield value
            else:
                yield from _numbers_in(value)
    elif isinstance(said, list):
        for value in said:
            yield from _numbers_in(value)


def _renumbered(said: Any, known: Mapping[int, int]) -> Any:
    if isinstance(said, Mapping):
        return {
            key: known[value]
            if key in _NUMBERS and type(value) is int and value > 0
            else _renumbered(value, known)
            for key, value in said.items()
        }
    return [_renumbered(value, known) for value in said] if isinstance(said, list) else said


def _copy(row: Row, table: int, round_: int, known: Mapping[int, int]) -> NewRow:
    body = _renumbered(row.body, known)
    game = f"round-{round_}-table-{table}" if row.game else ""
    if isinstance(row.says, GameStarted):
        pairing = Pairing(division=DIVISION, round=round_, first=2 * table - 1, second=2 * table)
        started = replace(row.says, game=game, table=table, pairing=pairing)
        body = write_row(started)
    key = row.key
    if key is not None:
        key = (named(key[0], table), f"{round_:08x}", key[2])
        body = {**body, "dev": key[0], "boot": key[1]}
    return NewRow(
        table=table if row.table else 0,
        game=game,
        kind=row.kind,
        at=row.at + round_ * ROUND_MS,
        body=body,
        refs=tuple(known[seq] for seq in row.refs),
        key=key,
    )


def named(device: str, table: int) -> str:
    """What a device of the one table is called at another; the console is everybody's."""
    return device if device == "console" else f"{device}-{table}"
