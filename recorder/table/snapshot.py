"""A snapshot of a game's fold, as bytes: what the table was after its first observations.

It saves time and is never evidence. A snapshot is of use only where all that it rests on is there
again, bit for bit: this very program, the opening, and as many observations, of the same rows of
the log in the same order. Anything else is refused, and the game is folded from its first row.
Knows no file. Not checked here: that the log's rows have their hashes; the log's own proof does.

The bytes are a line of JSON, what it rests on, and behind it the state, packed.
"""

import hashlib
import json
import platform
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import pydantic_core

import recorder
from recorder.declared.codec import Codec
from recorder.declared.json_objects import canonical_json, parse_object
from recorder.declared.shared_values import SharedValues, TextForm, UnreadableValueError
from recorder.domain.errors import DeviceError, RecorderError
from recorder.domain.limits import Sha256, TableNumber, Within
from recorder.domain.observations import read_symbol, read_symbols
from recorder.domain.reading.table_fold import Stamped
from recorder.domain.reading.table_state import TableState
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import Tile, Tiles, TileSet
from recorder.table.folded import Fold

VERSION = 1
MOST_SNAPSHOT_BYTES = 1_000_000
"""A snapshot late in a game takes some 20 kB."""
MOST_UNPACKED = 16_000_000
_MOST_HEAD = 2_000
_SOURCES = ("*.py", "*.toml")


class SnapshotRefusedError(RecorderError):
    """What lies there is no snapshot of this game as the log has it, or cannot be made one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotHead:
    """What a snapshot says of itself: the game, and what its state rests on.

    ``taken`` is of how many observations it is; ``program``, ``opening`` and ``rows`` are digests
    of what it was folded by, from and out of; ``state`` is that of the state, packed.
    """

    v: Annotated[int, Within(VERSION, VERSION)]
    table: TableNumber
    game: str
    taken: int
    program: Sha256
    opening: Sha256
    rows: Sha256
    state: Sha256


_HEAD: Codec[SnapshotHead] = Codec(SnapshotHead, "a snapshot")
Digest = str
TILE_TEXTS: Mapping[Any, TextForm] = {
    Tile: (read_symbol, str),
    Tiles: (read_symbols, write_tiles),
}
"""How tiles are written in a state; a board or a look would be hundreds of nodes otherwise."""


@cache
def program_digest() -> Digest:
    """What tells this program from every other release; "" where its sources are not there.

    Every source of the recorder counts, and what computes: another Python may round otherwise.
    """
    return digest_of_sources(Path(recorder.__file__).parent)


def digest_of_sources(folder: Path) -> Digest:
    """The digest of all sources below a folder, with the interpreter; "" without any."""
    digest = hashlib.sha256()
    machine = (sys.version, platform.machine(), pydantic_core.__version__)
    digest.update(canonical_json(machine).encode("ascii"))
    try:
        files = sorted(file for kind in _SOURCES for file in folder.rglob(kind))
        for file in files:
            source = hashlib.sha256(file.read_bytes()).hexdigest()
            digest.update(f"\n{file.relative_to(folder).as_posix()} {source}".encode())
    except OSError:
        return ""
    return digest.hexdigest() if files else ""


def snapshot_of(fold: Fold, table: int, game: str) -> bytes:
    """The snapshot of a fold. SnapshotRefusedError where none can be made of it."""
    program = program_digest()
    if not program:
        raise SnapshotRefusedError("the program's sources are not there to be named")
    if not all(stamped.hash for stamped in fold.taken):
        raise SnapshotRefusedError("an observation is of no log")
    try:
        nodes = canonical_json(_states(fold.opening).write(fold.state)).encode("ascii")
    except (TypeError, ValueError) as fault:
        raise SnapshotRefusedError(f"its state cannot be written: {fault}") from fault
    packed = zlib.compress(nodes, 1)
    head = SnapshotHead(
        v=VERSION,
        table=table,
        game=game,
        taken=len(fold.taken),
        program=program,
        opening=_opening_digest(fold.opening),
        rows=_rows_digest(fold.taken),
        state=hashlib.sha256(packed).hexdigest(),
    )
    snapshot = canonical_json(_HEAD.write(head)).encode("ascii") + b"\n" + packed
    if len(snapshot) > MOST_SNAPSHOT_BYTES or len(nodes) > MOST_UNPACKED:
        raise SnapshotRefusedError(f"it is too large: {len(snapshot)} bytes")
    return snapshot


def fold_from(
    snapshot: bytes, opening: TableState, taken: Sequence[Stamped], *, table: int, game: str
) -> Fold:
    """The fold that a snapshot is of, if these are its opening and its first observations.

    SnapshotRefusedError says why not: it is of something else, or damaged.
    """
    if len(snapshot) > MOST_SNAPSHOT_BYTES:
        raise SnapshotRefusedError(f"it is too large: more than {MOST_SNAPSHOT_BYTES} bytes")
    line, _, packed = snapshot.partition(b"\n")
    try:
        head = _HEAD.read(parse_object(line, "a snapshot", most_bytes=_MOST_HEAD))
    except DeviceError as fault:
        raise SnapshotRefusedError(str(fault)) from fault
    first = tuple(taken[: head.taken])
    rests_on: Iterable[tuple[Callable[[], bool], str]] = (
        (lambda: (head.table, head.game) == (table, game), "it is of another game"),
        (lambda: head.program == program_digest(), "it is of another release"),
        (lambda: head.state == hashlib.sha256(packed).hexdigest(), "it is damaged"),
        (lambda: head.opening == _opening_digest(opening), "the game opened otherwise"),
        (lambda: head.taken == len(first), "the log has fewer rows of the game"),
        (lambda: head.rows == _rows_digest(first), "the log has other rows of the game"),
    )
    for holds, complaint in rests_on:
        if not holds():
            raise SnapshotRefusedError(complaint)
    try:
        state = _states(opening).read(json.loads(_unpacked(packed)))
    except (UnreadableValueError, ValueError, RecursionError, zlib.error) as fault:
        raise SnapshotRefusedError(f"it cannot be read: {fault}") from fault
    return Fold(opening, first, state)


def _states(opening: TableState) -> SharedValues[TableState]:
    return _states_with(opening.turns.tile_set)


@cache
def _states_with(tile_set: TileSet) -> SharedValues[TableState]:
    return SharedValues(TableState, {TileSet: tile_set}, TILE_TEXTS)


def _opening_digest(opening: TableState) -> Digest:
    """The digest of a table before anything has happened, with the tiles of its game."""
    tiles = opening.turns.tile_set
    faces = [[face.label, face.value, face.count, face.is_vowel] for face in tiles.faces]
    printed = [tiles.name, tiles.blanks, faces]
    said = canonical_json([printed, _states(opening).write(opening)])
    return hashlib.sha256(said.encode("ascii")).hexdigest()


def _rows_digest(taken: Iterable[Stamped]) -> Digest:
    """The digest of observations in the order of the fold, by the rows that hold them."""
    digest = hashlib.sha256()
    for stamped in taken:
        digest.update(f"{stamped.at_ms} {stamped.seq} {stamped.hash}\n".encode())
    return digest.hexdigest()


def _unpacked(packed: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    data = unpacking.decompress(packed, MOST_UNPACKED)
    if not unpacking.eof:
        raise ValueError("more than a state can be is packed in it, or it is cut off")
    return data
