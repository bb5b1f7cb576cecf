"""Logs that are damaged at random, and what is held against them."""

import random
from itertools import islice
from pathlib import Path
from typing import Any

from recorder.domain.errors import RecorderError
from recorder.domain.row_kind import Kind
from recorder.log.anchors import AnchorFile
from recorder.log.copies import ANCHORS_NAME
from recorder.log.port import NewRow, Row
from recorder.log.repair import damage_of, repair
from recorder.log.sqlite import SqliteEventLog

PAGE = 4096
LOGS_IN_A_RUN = 40
TABLES = 3


def row_of_three_tables(number: int) -> NewRow:
    table = 1 + number % TABLES
    said = {"n": number, "pad": "x" * (number % 300)}
    if number % 10 == 9:
        body = {"type": "game.played", "data": said}
        return NewRow(table=table, game="g1", kind=Kind.RULED, at=1000 + number, body=body)
    key = (f"clock-{table}", "0a0a0a0a", number // TABLES + 1)
    body = {"type": "clock.press", "data": said, "dev": key[0], "boot": key[1], "seq": key[2]}
    return NewRow(table=table, game="g1", kind=Kind.OBSERVED, at=1000 + number, body=body, key=key)


def numbers_at(rows: list[Row], table: int) -> list[int]:
    return [row.seq for row in rows if row.table == table]


def content_of(row: Row) -> tuple[Any, ...]:
    return row.seq, row.table, row.game, row.kind, row.v, row.at, row.body, row.refs, row.key


def damaged_at_random(held: bytes, chance: random.Random, page: int = PAGE) -> bytes:
    """A file of which some bytes, a page, a page's place or the end is another."""
    made = bytearray(held)
    many = len(made) // page
    match chance.randrange(5):
        case 0:
            for _ in range(chance.choice((1, 1, 2, 8))):
                made[chance.randrange(len(made))] = chance.randrange(256)
        case 1:
            at = chance.randrange(len(made))
            made[at : at + 64] = chance.randbytes(min(64, len(made) - at))
        case 2:
            here, there = chance.randrange(many), chance.randrange(many)
            made[there * page : (there + 1) * page] = made[here * page : (here + 1) * page]
        case 3:
            at = chance.randrange(many) * page + chance.randrange(0, page, 512)
            made[at : at + 512] = bytes(512)
        case _:
            at = chance.randrange(1, many) * page
            made[at + chance.randrange(12)] = chance.randrange(256)
    return bytes(made)


def judged(path: Path, rows: list[Row]) -> str:
    """What becomes of one file: ``named``, ``same``, or what is wrong with us."""
    truth = {table: numbers_at(rows, table) for table in range(1, TABLES + 1)}
    keys = [row.key for row in rows if row.key is not None]
    try:
        with SqliteEventLog.open_reader(path) as log:
            is_proven = log.verify() is None and log.head() == len(rows)
            found = {
                table: [row.seq for row in islice(log.of_game(table, "g1"), 2 * len(rows))]
                for table in truth
            }
            stored = all(log.stored(key) is not None for key in keys[::7])
            list(log.of_sender("clock-1", "0a0a0a0a", "clock.press"))
            list(log.beginnings())
    except RecorderError:
        return "named"
    except Exception as fault:  # noqa: BLE001 - it is what is looked for
        return f"raw {type(fault).__name__}: {fault}"
    if not is_proven:
        return "named"
    return "same" if (found, stored) == (truth, True) else "differs"


def repaired_well(path: Path, rows: list[Row]) -> str:
    """Empty where a repair leaves a whole log of rows that are as they were written."""
    is_refused = False
    try:
        with SqliteEventLog(path) as log:
            log.contiguous("clock-1", "0a0a0a0a")
    except RecorderError:
        is_refused = True
    except Exception as fault:  # noqa: BLE001 - it is what is looked for
        return f"raw at a writer {type(fault).__name__}: {fault}"
    try:
        if is_refused or damage_of(path) or _is_broken(path):
            repair(path, AnchorFile(path.with_name(ANCHORS_NAME)))
        with SqliteEventLog(path) as log:
            if log.unsound() or log.verify() is not None:
                return "not whole after a repair"
            kept = [row for row in log.read_from(1) if row.type != "log.row_lost"]
    except RecorderError as fault:
        return "" if "not a Tilecast log" in str(fault) else f"stays damaged: {fault}"
    except Exception as fault:  # noqa: BLE001 - it is what is looked for
        return f"raw {type(fault).__name__}: {fault}"
    same = [content_of(row) for row in kept] == [content_of(rows[row.seq - 1]) for row in kept]
    return "" if same else "keeps what was not written"


def _is_broken(path: Path) -> bool:
    with SqliteEventLog.open_reader(path) as log:
        return log.verify() is not None
