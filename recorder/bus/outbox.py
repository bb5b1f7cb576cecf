"""The device's side of "no event lost": a numbered queue on disk, and the thread that empties it.

An event is on disk before ``put`` returns and stays there until the *recorder* says that it has
stored it (``down/<device>/ack``); a broker's PUBACK proves nothing. Numbers are never reset within
a file, so the file's ``boot`` and a number name one event for ever.
"""

import contextlib
import logging
import secrets
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from recorder.bus.port import Bus, Message
from recorder.damaged import SQLITE_FAULTS, fault_text, free_name, is_damage, put_aside
from recorder.declared.codec import Json
from recorder.domain.errors import DeviceError, RecorderError
from recorder.own_thread import OwnThread
from recorder.wire.control import Heartbeat, decode_ack
from recorder.wire.envelope import Envelope, decode_envelope, encode_envelope
from recorder.wire.seals import sealed
from recorder.wire.topics import Down, DownChannel, Up, UpChannel

WARN_AT = 0.8
STORE = "store event"
"""What it says that it cannot do where there is no room on the disk."""
RESERVED = 0.1
"""The share of the capacity kept for what nobody can observe again: clock, buttons, draws."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (device TEXT NOT NULL, boot TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS event (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    payload BLOB NOT NULL
);
"""

log = logging.getLogger("tilecast.outbox")


class DamagedOutboxError(RecorderError):
    """The file of an outbox gives other events than were put into it, or none."""


class OutboxFullError(RecorderError):
    """The outbox takes no more of this type: the recorder has not been heard for too long."""


@dataclass(frozen=True, slots=True)
class Pending:
    """An event that the recorder has not acknowledged, ready to be published."""

    seq: int
    payload: bytes


class Outbox:
    """The events of one device that the recorder does not have yet, in one SQLite file.

    One process per file (a second one gets RecorderError). Any thread may call any method. When
    90 % of ``capacity`` wait, only what clock, buttons and bag say is taken, when all of it waits
    nothing is: nothing that was taken is ever thrown away or merged. ``seal_key`` seals each event
    (``recorder.wire.seals``) for the log that ``seal_for`` names, as a console's orders need; until
    a log is named none is given out.
    """

    def __init__(
        self, path: Path, device: str, *, capacity: int = 200_000, seal_key: bytes = b""
    ) -> None:
        self._path = path
        self.device = device
        self._capacity = capacity
        self._seal_key, self._log = seal_key, ""
        self._lock = threading.Lock()
        self._listeners: tuple[Callable[[], None], ...] = ()
        self._warned = False
        self._connection = _open(path, device)
        try:
            self.boot = _boot_of(self._connection, path, device)
            self.last_seq, self.acked_upto = _numbers(self._connection)
            """The highest numbers given out, and that the recorder has."""
        except BaseException:
            self._connection.close()
            raise

    @property
    def depth(self) -> int:
        """How many events wait."""
        return self.last_seq - self.acked_upto

    def heartbeat(self, t_ms: int) -> Heartbeat:
        """A heartbeat whose numbers belong together: the recorder relies on their difference."""
        with self._lock:
            return Heartbeat(boot=self.boot, t_ms=t_ms, seq_high=self.last_seq, outbox=self.depth)

    def put(self, type_name: str, data: Json, t_ms: int) -> int:
        """The number under which the event is now on disk.

        ``t_ms`` is the device's own monotonic time. Raises OutboxFullError when there is no room,
        RecorderError when the disk refuses, DeviceError when it is too long for a message; in
        each case no number is used up.
        """
        with self._lock:
            self._refuse_when_full(type_name)
            seq = self.last_seq + 1
            envelope = Envelope(
                dev=self.device, boot=self.boot, seq=seq, t_ms=t_ms, type=type_name, data=data
            )
            payload = encode_envelope(envelope)
            if self._seal_key:
                self._with_seal(payload)  # so that one that is too long is refused now
            with self._working(f"{STORE} {seq}"):
                self._connection.execute("INSERT INTO event VALUES (?, ?)", (seq, payload))
            self.last_seq = seq
            self._warn()
        for listener in self._listeners:
            listener()
        return seq

    def pending(self, after_seq: int, limit: int) -> list[Pending]:
        """The oldest events with a higher number, in order.

        Raises RecorderError when the disk refuses.
        """
        if self.lacks_log:
            return []
        sql = "SELECT seq, payload FROM event WHERE seq > ? ORDER BY seq LIMIT ?"
        with self._lock, self._working("read what waits"):
            rows = self._connection.execute(sql, (after_seq, limit)).fetchall()
        if not self._seal_key:
            return [Pending(seq, payload) for seq, payload in rows]
        return [Pending(seq, self._with_seal(payload)) for seq, payload in rows]

    def seal_for(self, log: str) -> None:
        """Name the log that is meant, by the hash of its first row; empty: none is known yet."""
        self._log = log
        for listener in self._listeners:
            listener()

    @property
    def lacks_log(self) -> bool:
        """Whether events have to wait until it is known for which log they are to be sealed."""
        return bool(self._seal_key) and not self._log

    def _with_seal(self, payload: bytes) -> bytes:
        """What is on disk, sealed for the log that is meant now; another seal is replaced."""
        topic = str(Up("main", self.device, UpChannel.EVENT))
        event = decode_envelope(topic, payload)
        return encode_envelope(sealed(event, self._seal_key, self._log))

    def ack_upto(self, boot: str, seq: int) -> None:
        """Let go of everything up to ``seq``; an ack for another boot is ignored.

        Raises DeviceError for a number that was never given out: then this file is an old copy,
        and its new events would have numbers that the recorder has already.
        """
        with self._lock:
            if boot != self.boot or seq <= self.acked_upto:
                return
            if seq > self.last_seq:
                raise DeviceError(
                    f"{self.device}: the recorder has {seq} events of boot {boot}, {self._path}"
                    f" gave out {self.last_seq}: it is an old copy; delete it to begin a new boot"
                )
            with self._working(f"store the ack of {seq}"):
                self._connection.execute("DELETE FROM event WHERE seq <= ?", (seq,))
            self.acked_upto = seq
            self._warn()

    def listen(self, listener: Callable[[], None]) -> None:
        """Have ``listener`` called, on the putting thread, after every put."""
        self._listeners = (*self._listeners, listener)

    def close(self) -> None:
        """Let go of the file. Closing twice is harmless."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _refuse_when_full(self, type_name: str) -> None:
        is_gone = type_name.startswith(("clock.", "table.", "bag."))
        room = self._capacity if is_gone else int(self._capacity * (1 - RESERVED))
        if self.depth >= room:
            raise OutboxFullError(
                f"{self.device}: {self.depth} events wait, no room for {type_name}:"
                " is the recorder running?"
            )

    def _warn(self) -> None:
        is_nearly_full = self.depth >= WARN_AT * self._capacity
        if is_nearly_full and not self._warned:
            log.warning("%s: outbox %d of %d", self.device, self.depth, self._capacity)
        self._warned = is_nearly_full

    @contextlib.contextmanager
    def _working(self, what: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as err:
            raise RecorderError(f"{self._path}: cannot {what}: {err}") from err


class OutboxSender(OwnThread):
    """Publishes what waits in an outbox, in order, until the recorder has it.

    At most ``window`` events are under way; when no ack comes for ``resend_after_s``, and after
    every reconnect, all that is un-acked is sent again. A disk that refuses to be read is tried
    again after as long. The bus is the caller's, who starts it,
    before this object is made or after, and stops it.
    """

    def __init__(
        self,
        outbox: Outbox,
        bus: Bus,
        venue: str,
        *,
        window: int = 50,
        resend_after_s: float = 3.0,
    ) -> None:
        super().__init__("outbox-sender")
        self._outbox = outbox
        self._bus = bus
        self._window = window
        self._resend_after_s = resend_after_s
        self._topic = str(Up(venue, outbox.device, UpChannel.EVENT))
        self._acks: deque[bytes] = deque()
        self._wake = threading.Condition()
        self._woken = True  # what waits on disk is sent at once where the bus is connected already
        self._connected = False
        self._start_over = False
        self._is_failing = False
        self._sent_upto = outbox.acked_upto
        self._progress_at = time.monotonic()
        bus.subscribe(str(Down(venue, outbox.device, DownChannel.ACK)), self._on_ack)
        bus.on_connection(self._on_connection)
        # Asked after that: a bus that connects meanwhile says so once, and would be missed.
        with self._wake:
            self._connected = self._connected or bus.is_connected
        outbox.listen(self._notify)

    def stop(self) -> None:
        """Stop sending; what waits stays on disk. Stopping twice is harmless."""
        self._ends.set()
        self._notify()
        super().stop()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _on_ack(self, message: Message) -> None:
        self._acks.append(message.payload)
        message.ack()
        self._notify()

    def _on_connection(self, connected: bool, _reason: str) -> None:  # noqa: FBT001  # Bus's callback
        with self._wake:
            self._connected = connected
            self._start_over = self._start_over or connected
        self._notify()

    def _notify(self) -> None:
        with self._wake:
            self._woken = True
            self._wake.notify()

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._woken, self._until_next_s())
                self._woken = False
                if self._ends.is_set():
                    return
                start_over, self._start_over = self._start_over, False
                connected = self._connected
            self._take_acks()
            if start_over or self._until_next_s() == 0:
                self._sent_upto = self._outbox.acked_upto
            if connected:
                self._try_to_send()

    def _until_next_s(self) -> float | None:
        """How long to wait before sending again; None when nothing is under way and none failed."""
        if self._sent_upto <= self._outbox.acked_upto and not self._is_failing:
            return None
        return max(0.0, self._progress_at + self._resend_after_s - time.monotonic())

    def _take_acks(self) -> None:
        before = self._outbox.acked_upto
        while self._acks:
            try:
                ack = decode_ack(self._acks.popleft())
                self._outbox.ack_upto(ack.boot, ack.upto)
            except (DeviceError, RecorderError) as err:  # what a disk refuses is acknowledged again
                log.error("%s: ack refused: %s", self._outbox.device, err)  # noqa: TRY400  # the message says it all
        if self._outbox.acked_upto > before:
            self._progress_at = time.monotonic()
            self._sent_upto = max(self._sent_upto, self._outbox.acked_upto)

    def _try_to_send(self) -> None:
        """Send what waits. A disk that refuses is logged once and tried again later."""
        try:
            self._send()
        except RecorderError as err:
            if not self._is_failing:
                log.error("%s: %s (still trying)", self._outbox.device, err)  # noqa: TRY400  # the message says it all
            self._is_failing = True
            self._progress_at = time.monotonic()
        else:
            self._is_failing = False

    def _send(self) -> None:
        acked = self._outbox.acked_upto
        room = self._window - (self._sent_upto - acked)
        if room <= 0:
            return
        if self._sent_upto == acked:
            self._progress_at = time.monotonic()
        for pending in self._outbox.pending(self._sent_upto, room):
            self._bus.publish(self._topic, pending.payload)
            self._sent_upto = pending.seq


def _open(path: Path, device: str) -> sqlite3.Connection:
    """A file that is sound: a damaged one is put aside, and the device begins a new boot."""
    try:
        return _connection(path)
    except DamagedOutboxError as fault:
        said = str(fault)
    aside = put_aside(path, free_name(path, "damaged"))
    log.error(
        "%s: %s is damaged (%s) and is now %s; what waited in it is not sent. A new one begins",
        *(device, path, said, aside),
    )
    return _connection(path)


def _connection(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=1, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as err:
        raise RecorderError(f"{path}: cannot open the outbox: {err}") from err
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # two senders would share numbers
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.executescript(_SCHEMA)
        ((said,),) = connection.execute("PRAGMA quick_check(1)").fetchall()
    except SQLITE_FAULTS as err:
        connection.close()
        if is_damage(err):
            raise DamagedOutboxError(fault_text(err)) from err
        raise RecorderError(
            f"{path}: cannot open the outbox ({err}): is another agent using it?"
        ) from err
    if said != "ok":
        connection.close()
        raise DamagedOutboxError(said)
    return connection


def _boot_of(connection: sqlite3.Connection, path: Path, device: str) -> str:
    """The file's boot; a new file gets one. Raises RecorderError for another device's file."""
    row = connection.execute("SELECT device, boot FROM meta").fetchone()
    if row is None:
        row = (device, secrets.token_hex(4))
        connection.execute("INSERT INTO meta VALUES (?, ?)", row)
    owner, boot = row
    if owner != device:
        raise RecorderError(f"{path}: this is the outbox of {owner!r}, not of {device!r}")
    return str(boot)


def _numbers(connection: sqlite3.Connection) -> tuple[int, int]:
    """The highest number given out, and the highest one acknowledged."""
    sequence = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'event'").fetchone()
    last = 0 if sequence is None else int(sequence[0])
    oldest = connection.execute("SELECT min(seq) FROM event").fetchone()[0]
    return last, last if oldest is None else int(oldest) - 1
