"""Cuts of power while everything that keeps something on a disk is at work.

``python -m tests.recorder.log.power FOLDER`` is a recorder with what stands beside it: the log and
its noted heads, a device's outbox and pictures, the mark of a serial clock, accounts and slots. It
says on standard output what is acknowledged. ``judge`` holds a folder that was found after a cut to
that.
"""

import hashlib
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dashboard.auth.access import Role
from dashboard.auth.accounts import Accounts
from dashboard.overlays.slots import Slot, Slots
from devices.cameras.evidence import EvidenceFolder
from devices.clocks.ack_mark import AckMark, AckMarkFile
from recorder.bus.outbox import Outbox
from recorder.domain.observations import Side
from recorder.log.anchors import Anchor, AnchorFile, complaint
from recorder.log.repair import damage_of
from recorder.log.sqlite import SqliteEventLog
from recorder.wire.control import decode_ack
from tests.recorder.hall import Hall
from tests.recorder.log.damage import row_of_three_tables

PAGE, SECTOR = 4096, 512
PASSWORD = "horse battery staple"
CHECKPOINT_PAGES = 60
"""Pages after which the log's -wal is written back: 1000 would need a run of minutes."""


def work(folder: Path, rounds: int) -> None:
    """So many presses at four tables, and what a venue keeps meanwhile."""
    log = SqliteEventLog(folder / "tilecast.db")
    log._connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    hall = Hall(folder, log)
    hall.devices.subscribe("tc/v1/+/down/+/ack", _acknowledged)
    hall.recorder.open()
    hall.settle()
    outbox, accounts = Outbox(folder / "outbox.db", "cam-1"), Accounts(folder / "tilecast.access")
    mark, heads = AckMarkFile(folder / "mark.json"), AnchorFile(folder / "tilecast.anchors")
    slots = Slots(folder / "slots.json", 1, lambda: 0)
    evidence = EvidenceFolder(folder / "evidence")
    for number in range(1, rounds + 1):
        side, other = (Side.RIGHT, Side.LEFT) if number // 4 % 2 == 0 else (Side.LEFT, Side.RIGHT)
        hall.now_ms += 1000
        hall.press(number % 4 + 1, side, other)
        outbox.put("board.stirred", {"frame": "f" * 900}, number)
        _say(f"outbox {number}")
        if number % 3 == 0:
            _say(f"picture {evidence.keep(bytes([number]) * 9000)}")
        if number % 5 == 0:
            outbox.ack_upto(outbox.boot, number - 2)
            mark.save(AckMark(boot="0a", seq=number, outlet_boot="0b", outlet_seq=number))
            _say(f"mark {number}")
        if number % 7 == 0:
            last = list(log.read_from(log.head()))[-1]
            heads.note(Anchor(last.seq, last.hash, hall.now_ms))
            slots.point(Slot(name=f"s{number}", table=1))
            _say(f"slot s{number}")
        if number % 6 == 0:
            accounts.set_user(f"user{number}", Role.DIRECTOR, PASSWORD, number)
            _say(f"account user{number}")
        if number % 12 == 0:
            _say(f"removing user{number}")
            accounts.remove_user(f"user{number}")
            _say(f"removed user{number}")
    hall.recorder.catch_up()
    _say("done 0")
    os._exit(0)


def _say(text: str) -> None:
    os.write(1, f"acknowledged {text}\n".encode())


def _acknowledged(message: object) -> None:
    topic, payload = message.topic, message.payload  # type: ignore[attr-defined]
    _say(f"event:{topic.split('/')[4]} {decode_ack(payload).upto}")


@dataclass
class Acknowledged:
    """What was acknowledged so far."""

    upto: dict[str, int] = field(default_factory=dict)
    names: set[tuple[str, str]] = field(default_factory=set)

    def hear(self, text: str) -> None:
        for line in re.findall(r"acknowledged (\S+ \S+)\n", text):
            what, value = line.split()
            if value.isdecimal():
                self.upto[what] = max(self.upto.get(what, 0), int(value))
            elif what == "removing":  # until that is acknowledged it may be there or not
                self.names -= {("account", value)}
            else:
                self.names.add((what, value))

    def of(self, what: str) -> set[str]:
        return {name for kind, name in self.names if kind == what}


def judge_log(folder: Path, kept: Acknowledged) -> None:
    """It opens, verifies, agrees with its noted heads, has every event, and takes another."""
    path = folder / "tilecast.db"
    assert damage_of(path) == ""
    with SqliteEventLog(path) as log:
        assert complaint(log, AnchorFile(folder / "tilecast.anchors").read()) is None
        for what, upto in kept.upto.items():
            if what.startswith("event:"):
                has = log.contiguous(what.partition(":")[2], "0000abcd")
                assert has >= upto, f"{what}: {has} of {upto} acknowledged"
        assert log.append([row_of_three_tables(10_000)])[0] is not None


def judge_outbox(folder: Path, kept: Acknowledged) -> None:
    """Every event that waits is there under its number."""
    with Outbox(folder / "outbox.db", "cam-1") as outbox:
        assert outbox.last_seq >= kept.upto.get("outbox", 0)
        waiting = [each.seq for each in outbox.pending(outbox.acked_upto, 10**6)]
        assert waiting == list(range(outbox.acked_upto + 1, outbox.last_seq + 1))
    assert not list(folder.glob("outbox.db.damaged*"))


def judge_accounts(folder: Path, kept: Acknowledged) -> None:
    accounts = Accounts(folder / "tilecast.access")
    has = {name for name, _ in accounts.users()}
    accounts.close()
    assert has >= kept.of("account"), "an account is gone"
    assert not has & kept.of("removed"), "somebody who was removed is there again"


def judge_slots(folder: Path, kept: Acknowledged) -> None:
    """Every slot points where it was pointed."""
    slots = Slots(folder / "slots.json", 1, lambda: 0)
    assert {str(slot["name"]) for slot in slots.all()} >= kept.of("slot"), "a slot is gone"


def judge_mark(folder: Path, kept: Acknowledged) -> None:
    """The clock's mark is not behind."""
    if upto := kept.upto.get("mark", 0):
        mark = AckMarkFile(folder / "mark.json").load()
        assert mark.seq >= upto


def judge_evidence(folder: Path, kept: Acknowledged) -> None:
    evidence = EvidenceFolder(folder / "evidence")
    for digest in kept.of("picture"):
        found = hashlib.sha256(evidence.find(digest)).hexdigest()
        assert found == digest, "a picture is another"


Judge = Callable[[Path, Acknowledged], None]
JUDGES: dict[str, tuple[Judge, tuple[str, ...]]] = {
    "tilecast": (judge_log, ("event:",)),
    "outbox": (judge_outbox, ("outbox",)),
    "tilecast.access": (judge_accounts, ("account", "removed")),
    "slots": (judge_slots, ("slot",)),
    "mark": (judge_mark, ("mark",)),
    "evidence": (judge_evidence, ("picture",)),
}
"""Who judges which files, by how their names begin, and what must be in them."""


def group_of(name: str) -> str:
    if name.startswith("tilecast.access"):
        return "tilecast.access"
    return next((group for group in JUDGES if name.startswith((f"{group}.", f"{group}/"))), "")


@dataclass
class Disk:
    """Files as they are on a disk for sure, and what was asked of it and not flushed since."""

    now: dict[str, int] = field(default_factory=dict)
    """Which file has a name, as programs see it."""
    names: dict[str, int] = field(default_factory=dict)
    """The same after a cut in which nothing is kept that was not flushed."""
    held: dict[int, bytearray] = field(default_factory=dict)
    moves: list[tuple[str, str, int]] = field(default_factory=list)
    """Names made, renamed and deleted: a journal keeps them in their order."""
    writes: list[tuple[int, int, bytes | None]] = field(default_factory=list)
    """Of which file, where, what; None cuts the file off there."""

    def create(self, name: str) -> None:
        """Open a file that may be new."""
        if name not in self.now:
            self.now[name] = len(self.held)
            self.held[self.now[name]] = bytearray()
            self.moves.append(("link", name, self.now[name]))

    def write(self, name: str, at: int, data: bytes | None) -> None:
        """Written or cut off, and not flushed."""
        if name in self.now:
            self.writes.append((self.now[name], at, data))

    def size(self, name: str) -> int:
        """Bytes of a file as programs see it."""
        most = len(self.held[self.now[name]])
        for file, at, data in self.writes:
            if file == self.now[name]:
                most = at if data is None else max(most, at + len(data))
        return most

    def rename(self, old: str, new: str) -> None:
        """In one step, as far as names go; of the content it says nothing."""
        self.moves.append((f"rename {old}", new, self.now[old]))
        self.now[new] = self.now.pop(old)

    def delete(self, name: str) -> None:
        if name in self.now:
            self.moves.append(("unlink", name, self.now.pop(name)))

    def flush(self, name: str) -> None:
        file = self.now[name]
        for each in self.writes:
            if each[0] == file:
                _put(self.held[file], *each[1:])
        self.writes = [each for each in self.writes if each[0] != file]
        links = [n for n, (what, _, of) in enumerate(self.moves) if what == "link" and of == file]
        if links:
            self._move(self.names, self.moves[: links[0] + 1])
            del self.moves[: links[0] + 1]

    def flush_folder(self) -> None:
        self._move(self.names, self.moves)
        self.moves = []

    @staticmethod
    def _move(names: dict[str, int], moves: list[tuple[str, str, int]]) -> None:
        for what, name, file in moves:
            if what == "unlink":
                names.pop(name, None)
            else:
                names[name] = file
                if what.startswith("rename "):
                    names.pop(what.partition(" ")[2], None)

    def after_a_cut(self, way: str, chance: random.Random) -> dict[str, bytes]:
        """What is found.

        ``way``: of what was not flushed nothing is there (``lost``), all to some moment
        (``prefix``), or any pages (``pages``) or sectors of pages (``torn``).
        """
        names, held = dict(self.names), {n: bytearray(data) for n, data in self.held.items()}
        if way != "lost":
            self._move(names, self.moves[: chance.randint(0, len(self.moves))])
        if way == "prefix":
            for file, at, data in self.writes[: chance.randint(0, len(self.writes))]:
                _put(held[file], at, data)
        elif way != "lost":
            step = PAGE if way == "pages" else SECTOR
            for file, at, data in self.writes:
                for part in range(0, max(len(data or b"x"), 1), step):
                    if chance.random() < 0.5:
                        piece = None if data is None else data[part : part + step]
                        _put(held[file], at + part, piece)
        return {name: bytes(held[file]) for name, file in names.items()}


WAYS = ("lost", "prefix", "pages", "torn")


def _put(held: bytearray, at: int, data: bytes | None) -> None:
    if data is None:
        del held[at:]
        held.extend(bytes(at - len(held)))
        return
    if len(held) < at + len(data):
        held.extend(bytes(at + len(data) - len(held)))
    held[at : at + len(data)] = data


CALLS = "openat,pwrite64,write,fdatasync,fsync,ftruncate,rename,unlink"
_CALL = re.compile(r"^(\d+) +(\w+)\((.*)\) += (-?\d+)(?:<([^>]*)>)?")
_HALF = re.compile(r"^(\d+) +(.*) <unfinished \.\.\.>$")
_REST = re.compile(r"^(\d+) +<\.\.\. \w+ resumed>(.*)$")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


def traced(folder: Path, rounds: int, trace: Path) -> str:
    """Run the program under strace; what went wrong, if anything."""
    command = ["strace", "-f", "-y", "-xx", "-s", "70000", "-e", f"trace={CALLS}", "-o", str(trace)]
    program = [sys.executable, "-m", "tests.recorder.log.power", str(folder), str(rounds)]
    done = subprocess.run([*command, *program], capture_output=True, check=False, env=os.environ)
    return "" if done.stdout.endswith(b"done 0\n") else done.stderr.decode()[-800:]


def calls(trace: Path) -> Iterator[tuple[str, str, str, int]]:
    """Calls in the order in which they ended: name, arguments, file, result."""
    begun: dict[str, str] = {}
    for line in trace.read_text("ascii").splitlines():
        if half := _HALF.match(line):
            begun[half[1]] = half[2]
            continue
        rest = _REST.match(line)
        call = _CALL.match(f"{rest[1]} {begun.pop(rest[1], '')}{rest[2]}" if rest else line)
        if call and int(call[4]) >= 0:
            place = call[5] if call[2] == "openat" else call[3].partition("<")[2].partition(">")[0]
            yield call[2], call[3], _plain(place or ""), int(call[4])


def _plain(text: str) -> str:
    return bytes.fromhex(text.replace("\\x", "")).decode("utf-8", "replace")


def _texts(arguments: str) -> list[bytes]:
    return [bytes.fromhex(found.replace("\\x", "")) for found in _TEXT.findall(arguments)]


def moments(trace: Path, folder: Path) -> Iterator[tuple[Disk, Acknowledged]]:
    """The disk and what was acknowledged after each call that may have changed either."""
    disk, kept = Disk(), Acknowledged()
    for call, arguments, place, done in calls(trace):
        path, texts = Path(place), _texts(arguments)
        if call in ("rename", "unlink"):
            old, new = (Path(texts[end].decode()) for end in (0, -1))
            if not group_of(_below(folder, new)):
                continue
            if call == "rename":
                disk.rename(_below(folder, old), _below(folder, new))
            else:
                disk.delete(_below(folder, old))
        elif call == "write" and arguments.startswith("1<"):
            kept.hear(b"".join(texts).decode())
        elif call in ("fsync", "fdatasync") and (folder in (path, *path.parents) and path.is_dir()):
            disk.flush_folder()
        elif group_of(_below(folder, path)) and not path.name.endswith("-shm"):
            _file_call(disk, call, arguments, _below(folder, path), b"".join(texts)[:done])
        else:
            continue
        yield disk, kept


def _below(folder: Path, path: Path) -> str:
    """The name of a file within the folder; empty for one that is elsewhere."""
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else ""


def _file_call(disk: Disk, call: str, arguments: str, name: str, data: bytes) -> None:
    last = arguments.rpartition(", ")[2]
    match call:
        case "openat":
            if "O_CREAT" in arguments:
                disk.create(name)
            if "O_TRUNC" in arguments:
                disk.write(name, 0, None)
        case "fdatasync" | "fsync":
            disk.flush(name)
        case "ftruncate":
            disk.write(name, int(last), None)
        case "pwrite64":
            disk.write(name, int(last), data)
        case _:  # files that are written in one go, or at their end
            disk.write(name, disk.size(name), data)


def cuts(
    trace: Path, folder: Path, room: Path, chance: random.Random, most: int = sys.maxsize
) -> Iterator[tuple[str, str]]:
    """Cut the power after each call, or as many of them, in every way; which, and what failed.

    Files that were found like this before, with the same acknowledged, are not judged again.
    """
    seen: set[bytes] = set()
    many = sum(1 for _ in moments(trace, folder))
    chosen = set(chance.sample(range(many), min(most, many)))
    for number, (disk, kept) in enumerate(moments(trace, folder)):
        if number not in chosen:
            continue
        for way in WAYS:
            found = disk.after_a_cut(way, chance)
            faults = []
            for group, (judge, promised) in JUDGES.items():
                files = {name: held for name, held in found.items() if group_of(name) == group}
                due = sorted(
                    item
                    for item in (*kept.upto.items(), *kept.names)
                    if item[0].startswith(promised)
                )
                key = hashlib.sha256(repr((files, due)).encode()).digest()
                if key in seen:
                    continue
                seen.add(key)
                place = room / f"{number}-{way}-{group}"
                place.mkdir()
                for name, held in files.items():
                    (place / name).parent.mkdir(parents=True, exist_ok=True)
                    (place / name).write_bytes(held)
                faults.append(fault_of(judge, place, kept))
                shutil.rmtree(place)
            yield way, next(filter(None, faults), "" if faults else "seen")


def fault_of(judge: Judge, folder: Path, kept: Acknowledged) -> str:
    """What a judge says, empty where all is well."""
    try:
        judge(folder, kept)
    except Exception as fault:  # noqa: BLE001 - whatever it is, it is a finding
        return f"{judge.__name__}: {type(fault).__name__}: {str(fault).splitlines()[0][:150]}"
    return ""


if __name__ == "__main__":
    work(Path(sys.argv[1]), int(sys.argv[2]))
