"""A clock with two switches on a serial line, after ``docs/tcc1.md`` alone: nothing of ours.

``StrangerOnTheLine`` speaks TCC1 over whatever file of a serial port it is given.
"""

import os
import secrets
import select
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Self


def checksum(text: bytes) -> int:
    """CRC-16/CCITT-FALSE."""
    crc = 0xFFFF
    for byte in text:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


class StrangerOnTheLine:
    """Two halves, a memory of its events, a line; ``close`` pulls its plug."""

    def __init__(self, port: Path) -> None:
        self.boot, self.born = secrets.token_hex(2), time.monotonic()
        self.left, self.running, self.since = {"L": 1_500_000, "R": 1_500_000}, "N", 0
        self.seq, self.kept = 0, dict[int, str]()
        self.is_greeted, self.beat_s, self.heard = False, 0.0, b""
        self.lock, self.stop = threading.RLock(), threading.Event()
        self.line = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self.thread = threading.Thread(target=self.work, name="serial clock")
        self.thread.start()

    def ticks(self) -> int:
        """Milliseconds since it was switched on."""
        return int((time.monotonic() - self.born) * 1000)

    def press(self, side: str) -> None:
        """A player presses a half: the other runs."""
        self.happened(f"PRESS,{side}", "R" if side == "L" else "L")

    def hold(self) -> None:
        self.happened("PAUSE", "N")

    def run(self, side: str) -> None:
        self.happened("RESUME", side)

    def waiting(self) -> int:
        """How many events nobody has acknowledged."""
        with self.lock:
            return len(self.kept)

    def happened(self, what: str, running: str) -> None:
        with self.lock:
            now = self.ticks()
            if self.running in self.left:
                self.left[self.running] -= now - self.since
            self.running, self.since = running, now
            self.seq += 1
            text = f"{self.seq},{now},EV,{what},{self.left['L']},{self.left['R']},{running}"
            self.kept[self.seq] = text
            self.say(text)

    def say(self, text: str) -> None:
        """A line with its frame; what the line does not take is lost, as on a wire."""
        body = f"CLOCK-X,{self.boot},{text}".encode()
        with suppress(BlockingIOError):
            os.write(self.line, b"$TCC1," + body + b"*%04X\r\n" % checksum(b"TCC1," + body))

    def work(self) -> None:
        """Listen; a heartbeat every second, a greeting until somebody speaks."""
        while not self.stop.is_set():
            if select.select([self.line], [], [], 0.05)[0]:
                self.take(os.read(self.line, 4096))
            with self.lock:
                if time.monotonic() - self.beat_s >= 1.0:
                    self.beat_s = time.monotonic()
                    times = f"{self.left['L']},{self.left['R']},{self.running}"
                    self.say(f"0,{self.ticks()},HB,{times},{self.seq},{len(self.kept)},100")
                    if not self.is_greeted:
                        self.say(f"0,{self.ticks()},HELLO,1,stranger")

    def take(self, data: bytes) -> None:
        *lines, self.heard = (self.heard + data).split(b"\n")
        for line in lines:
            text, _, crc = line.strip().rpartition(b"$")[2].partition(b"*")
            if crc == b"%04X" % checksum(text):
                with self.lock:
                    self.obey(text.decode().split(",")[5:], self.ticks())

    def obey(self, words: list[str], now: int) -> None:
        self.is_greeted = True
        match words:
            case ["ACK", self.boot, upto]:
                self.kept = {seq: text for seq, text in self.kept.items() if seq > int(upto)}
            case ["RESEND", first, last]:
                for seq in range(int(first), int(last) + 1):
                    if seq in self.kept:
                        self.say(self.kept[seq])
            case ["SYNC", number]:
                self.say(f"0,{self.ticks()},SYNCR,{number},{now},{self.ticks()}")

    def close(self) -> None:
        """Nothing is said any more."""
        self.stop.set()
        self.thread.join()
        os.close(self.line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
