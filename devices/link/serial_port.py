"""Serial ports: the only file that imports pyserial.

A port is opened through ``serial_for_url``, so ``/dev/ttyUSB0``, ``COM4``, ``socket://host:port``,
``rfc2217://host:port`` and ``spy:///dev/ttyUSB0?file=log`` all work. A reader thread puts bytes
and losses on a queue and opens the port again, for ever, with growing pauses. Must not know what
the bytes mean.
"""

import errno
import logging
import os
import queue
import threading
from dataclasses import dataclass

import serial
from serial.tools import list_ports

from devices.ports import LinkBack, LinkLost, LinkNews, Received, Ticks
from devices.words import port_fault
from recorder.backoff import Backoff

_LOG = logging.getLogger(__name__)

_READ_TIMEOUT_S = 0.1
_WRITE_TIMEOUT_S = 1.0
_MOST_WAITING = 10_000
_PAUSES_S = Backoff(0.1, 5.0)
# OSError covers a port that vanished between two calls; SerialException is one of its kind, and
# pyserial lets a TypeError out when another thread closes the port below a read.
_LOSSES = (OSError, TypeError)


def _alone(url: str) -> dict[str, bool]:
    """Nobody else has a port of this machine at the same time: two would share its bytes."""
    return {} if "://" in url else {"exclusive": True}


class SerialLink:
    """A ``ByteLink`` over a serial port. Starts at once; the port may come later.

    ``name`` is the port as the user wrote it. TCC1 clocks run at 115200 8N1.
    """

    def __init__(self, name: str, ticks: Ticks, baud: int = 115_200) -> None:
        self.name, self._ticks, self._baud = name, ticks, baud
        self._news: queue.Queue[LinkNews] = queue.Queue(_MOST_WAITING)
        self._stop = threading.Event()
        self._port: serial.SerialBase | None = None
        self._write_lock = threading.Lock()
        self._thread = threading.Thread(target=self._work, name=f"serial {name}")
        self._thread.start()

    def news(self, timeout_s: float) -> LinkNews | None:
        """See ``ByteLink``."""
        try:
            return self._news.get(timeout=timeout_s) if timeout_s > 0 else self._news.get_nowait()
        except queue.Empty:
            return None

    def write(self, data: bytes) -> bool:
        """See ``ByteLink``. Waits one second at most."""
        with self._write_lock:
            port = self._port
            if port is None:
                return False
            try:
                port.write(data)
            except _LOSSES:
                # The reader sees the same loss and reports it; here only this write failed.
                return False
        return True

    def close(self) -> None:
        """See ``ByteLink``."""
        self._stop.set()
        self._thread.join()

    def _work(self) -> None:
        failures = 0
        lost_before = False
        while not self._stop.is_set():
            try:
                port = serial.serial_for_url(
                    self.name,
                    baudrate=self._baud,
                    timeout=_READ_TIMEOUT_S,
                    write_timeout=_WRITE_TIMEOUT_S,
                    **_alone(self.name),
                )
            except (OSError, ValueError) as err:
                if not lost_before:
                    self._report_loss(_plain(err))
                lost_before = True
                failures += 1
                self._stop.wait(_PAUSES_S.after(failures))
                continue
            if lost_before:
                _LOG.info("%s is back", self.name)
            failures = 0
            reason = self._read_until_lost(port)
            if reason:
                self._report_loss(reason)
            lost_before = True

    def _read_until_lost(self, port: serial.SerialBase) -> str:
        with self._write_lock:
            self._port = port
        self._tell(LinkBack(at_ms=self._ticks()))
        reason = ""
        try:
            while not self._stop.is_set():
                data = port.read(1)
                if data:
                    data += port.read(min(port.in_waiting, 4096))
                    self._tell(Received(at_ms=self._ticks(), data=data))
        except _LOSSES as err:
            reason = _plain(err)
        finally:
            with self._write_lock:
                self._port = None
            port.close()
        return reason

    def _report_loss(self, reason: str) -> None:
        _LOG.warning("%s is lost, trying again: %s", self.name, reason)
        self._tell(LinkLost(at_ms=self._ticks(), reason=reason))

    def _tell(self, news: LinkNews) -> None:
        try:
            self._news.put_nowait(news)
        except queue.Full:
            # Nobody has read for minutes. The protocol above asks again for what is missing.
            self._news.get_nowait()
            self._news.put_nowait(news)


def _plain(fault: Exception) -> str:
    """What is wrong with a port; pyserial's own text says number, name and reason twice."""
    number = getattr(fault, "errno", None)
    match number:
        case errno.ENOENT | errno.ENODEV | errno.ENXIO | errno.EIO:
            return port_fault("gone")
        case errno.EACCES | errno.EPERM:
            return port_fault("forbidden")
        case errno.EBUSY | errno.EAGAIN:
            return port_fault("busy")
        case errno.ECONNREFUSED:
            return port_fault("refused")
        case None:
            return str(fault)
    return os.strerror(number)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPort:
    """A serial port of this machine, as the system describes it."""

    path: str
    description: str


def find_ports() -> list[FoundPort]:
    """The serial ports plugged in now (a pty or a network port is not among them)."""
    return [
        FoundPort(path=port.device, description=port.description or "")
        for port in sorted(list_ports.comports(), key=lambda port: port.device)
    ]
