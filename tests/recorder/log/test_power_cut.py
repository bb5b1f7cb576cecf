"""Power is cut at any moment: what was acknowledged is in the log, which opens and verifies.

A writer runs under strace, which records every write and every flush in their order. For each cut
the files are made as a disk may leave them: all that was flushed is there, of what was not any part
may be missing or torn. What a disk does that says it has flushed and has not is not tried.
"""

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from recorder.log.repair import damage_of
from recorder.log.sqlite import SqliteEventLog
from tests.recorder.log.damage import row_of_three_tables

pytestmark = pytest.mark.slow
APPENDS, ROWS = 70, 10
CUTS = 60
SECTOR = 512
SCRIPT = f"""
import os, sys
from dataclasses import replace
from pathlib import Path
from recorder.log.sqlite import SqliteEventLog
from tests.recorder.log.damage import row_of_three_tables
log = SqliteEventLog(Path(sys.argv[1]))
for batch in range({APPENDS}):
    rows = [row_of_three_tables(batch * {ROWS} + number) for number in range({ROWS})]
    log.append([replace(row, body={{**row.body, "more": "y" * 6000}}) for row in rows])
    os.write(1, b"stored %d\\n" % (batch + 1))
os._exit(0)
"""
CALL = re.compile(r"^(?:\d+ +)?(\w+)\((?:\d+)<([^>]*)>(?:, (.*))?\) += (-?\d+)")
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


@dataclass
class Disk:
    """The files as they are on the disk for sure, and what was written and not flushed."""

    sure: dict[str, bytearray]
    loose: dict[str, list[tuple[int, bytes]]] = field(default_factory=dict)

    def write(self, name: str, at: int, data: bytes) -> None:
        """Written, and not flushed."""
        self.loose.setdefault(name, []).append((at, data))

    def flush(self, name: str) -> None:
        """All that was written to a file is there."""
        for at, data in self.loose.pop(name, []):
            _put(self.sure.setdefault(name, bytearray()), at, data)

    def after_a_cut(self, chance: random.Random) -> dict[str, bytes]:
        """What is found: of what was not flushed each write is there, is not, or is torn."""
        found = {name: bytearray(held) for name, held in self.sure.items()}
        for name, writes in self.loose.items():
            for at, data in writes:
                match chance.randrange(3):
                    case 0:
                        _put(found.setdefault(name, bytearray()), at, data)
                    case 1:
                        torn = data[: chance.randrange(0, len(data) + 1, SECTOR)]
                        _put(found.setdefault(name, bytearray()), at, torn)
        return {name: bytes(held) for name, held in found.items()}


def _put(held: bytearray, at: int, data: bytes) -> None:
    if len(held) < at + len(data):
        held.extend(bytes(at + len(data) - len(held)))
    held[at : at + len(data)] = data


def recorded(trace: Path) -> Iterator[tuple[str, str, int, bytes]]:
    """Calls in their order: which, on which file, where, what."""
    for line in trace.read_text("ascii").splitlines():
        call = CALL.match(line)
        if call is None or int(call[4]) < 0:
            continue
        name = Path(_plain(call[2])).name
        text = TEXT.search(call[3] or "")
        data = bytes.fromhex(text[1].replace("\\x", "")) if text else b""
        last = (call[3] or "0").rpartition(", ")[2]
        yield call[1], name, int(last) if last.isdecimal() else 0, data


def _plain(text: str) -> str:
    """A text that strace has written in hexadecimal digits."""
    return bytes.fromhex(text.replace("\\x", "")).decode() if "\\x" in text else text


def test_at_every_cut_the_log_has_all_that_was_acknowledged(tmp_path: Path) -> None:
    """Sixty cuts of one run, in which the -wal is also written back to the file."""
    if shutil.which("strace") is None:
        pytest.skip("needs strace")
    log, trace = tmp_path / "tilecast.db", tmp_path / "trace"
    SqliteEventLog(log).close()
    begun = {log.name: bytearray(log.read_bytes())}
    calls = "pwrite64,write,fdatasync,fsync,ftruncate"
    command = ["strace", "-f", "-y", "-xx", "-s", "70000", "-e", f"trace={calls}", "-o", str(trace)]
    done = subprocess.run(
        [*command, sys.executable, "-c", SCRIPT, str(log)],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )
    if b"Operation not permitted" in done.stderr:
        pytest.skip("strace may not trace here")
    assert done.stdout.endswith(b"stored %d\n" % APPENDS), done.stderr[-500:]
    events = list(recorded(trace))
    flushes = [call for call, *_ in events].count("fdatasync")
    assert flushes >= APPENDS
    chance = random.Random(37)
    cuts = set(chance.sample(range(len(events)), CUTS))
    disk, acknowledged, looked = Disk(begun), 0, 0
    for number, (call, name, at, data) in enumerate(events):
        if number in cuts:
            looked += 1
            _look(tmp_path / f"cut-{number}", disk.after_a_cut(chance), acknowledged * ROWS)
        if call in ("fdatasync", "fsync"):
            disk.flush(name)
        elif call == "ftruncate":
            disk.flush(name)
            del disk.sure.setdefault(name, bytearray())[at:]
        elif data.startswith(b"stored "):
            acknowledged = int(data.split()[1])
        elif name.startswith("tilecast.db") and not name.endswith("-shm"):
            disk.write(name, at, data)
    assert (looked, acknowledged) == (CUTS, APPENDS)


def _look(folder: Path, found: dict[str, bytes], rows: int) -> None:
    folder.mkdir()
    for name, held in found.items():
        (folder / name).write_bytes(held)
    log = folder / "tilecast.db"
    assert damage_of(log) == ""
    with SqliteEventLog(log) as opened:
        assert opened.verify() is None
        assert opened.head() >= rows, "an acknowledged row is gone"
        assert opened.head() % ROWS == 0, "half of a batch is there"
        assert opened.append([row_of_three_tables(10_000)])[0] is not None
    shutil.rmtree(folder)
