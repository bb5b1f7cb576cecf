"""What somebody with the password of one clock tries to take of memory, disk and time."""

import socket
import struct
import time
from contextlib import closing
from pathlib import Path

from recorder.bus.address import broker_address
from tests.attacks.attack import UP, Severity, Target, attack
from tests.attacks.on_broker import OWN, event, say

MOST_BROKER_MB = 256
BROKER_MB = 400
MOST_WAIT_S = 5.0
PRESSED = {"side": "R", "left_ms": 1_499_000, "right_ms": 1_500_000, "running": "L"}


def resident_mb(pid: int) -> int:
    """Megabytes that a process holds now."""
    words = Path(f"/proc/{pid}/status").read_text("ascii").split("VmRSS:")[1].split()
    return int(words[0]) // 1024


def _text(text: bytes) -> bytes:
    return struct.pack(">H", len(text)) + text


def _packet(kind: int, body: bytes) -> bytes:
    length, rest = b"", len(body)
    while True:
        rest, digit = divmod(rest, 128)
        length += bytes([digit | (128 if rest else 0)])
        if not rest:
            return bytes([kind]) + length + body


def _deaf_client(target: Target, flags: int) -> socket.socket:
    """A connection that asks for its own pictures and then reads nothing more."""
    address = broker_address(target.hall.clock_url(table=2))
    line = socket.create_connection((address.host, address.port), 30)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    body = _text(b"MQTT") + bytes([4, flags]) + struct.pack(">H", 600) + _text(b"clock-2")
    body += _text((address.user or "").encode()) + _text((address.password or "").encode())
    line.sendall(_packet(0x10, body))
    assert line.recv(4)[3] == 0
    topic = f"{UP}/clock-2/raw/picture".encode()
    line.sendall(_packet(0x82, struct.pack(">H", 1) + _text(topic) + bytes([1])))
    line.recv(5)
    return line


def _fill_broker(target: Target, flags: int) -> None:
    broker = target.hall.pid_of("broker/mosquitto.conf")
    topic = f"{UP}/clock-2/raw/picture".encode()
    with closing(_deaf_client(target, flags)) as line:
        for number in range(1, BROKER_MB + 1):
            packet = _text(topic) + struct.pack(">H", number) + bytes(1_000_000)
            try:
                line.sendall(_packet(0x32, packet))
            except OSError:
                break  # it does not take any more
        target.is_recorded()
        assert resident_mb(broker) < MOST_BROKER_MB
    target.is_recorded()
    assert resident_mb(broker) < MOST_BROKER_MB
    kept = target.hall.folder / "broker" / "mosquitto.db"
    assert not kept.exists() or kept.stat().st_size < MOST_BROKER_MB * 1_000_000


@attack(Severity.HIGH)
def fill_the_brokers_memory_by_reading_no_more(target: Target) -> None:
    """It asks for what it says itself, stops reading, and goes on: 400 MB."""
    _fill_broker(target, 0xC2)


@attack(Severity.HIGH)
def fill_the_brokers_memory_with_a_session_that_is_kept(target: Target) -> None:
    """The same, and it leaves: the broker would keep all of it, on the disk too."""
    _fill_broker(target, 0xC0)


@attack(Severity.HIGH)
def fill_the_disk_with_fields_that_a_press_has_not(target: Target) -> None:
    """Sixty kilobytes with each: none is stored, and the honest clock does not wait."""
    db = target.hall.folder / "record"
    before = sum(file.stat().st_size for file in db.glob("tilecast.db*"))
    junk = {**PRESSED, "x": "x" * 60_000}
    say(target, *((OWN, event(n, boot="0d15c000", data=junk)) for n in range(1, 301)))
    began = time.monotonic()
    target.is_recorded()
    assert time.monotonic() - began < MOST_WAIT_S
    assert sum(file.stat().st_size for file in db.glob("tilecast.db*")) - before < 5_000_000
    stored = [row for row in target.hall.read_log() if row.key and row.key[1] == "0d15c000"]
    assert [row for row in stored if row.type == "clock.press"] == []
