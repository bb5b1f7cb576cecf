"""A director signs in among strangers: ``python -m tests.bench.signing_in [ADDRESSES]``.

The strangers come from so many addresses (250, a /24, unless another number is given), 16 at a
time, without a rest: with the director's name and with names that nobody has. How long the
director's sign-in takes, from an address that somebody has signed in from before and from new
ones. The addresses are those of ``X-Forwarded-For``, as behind a proxy.
"""

import http.client
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from collections import Counter
from itertools import cycle
from pathlib import Path

from dashboard.auth.access import Role
from dashboard.auth.accounts import Accounts
from recorder.bus.broker import free_port
from recorder.log.sqlite import SqliteEventLog
from tests.eventually import BUSY_S, eventually

NAME, PASSWORD = "dora", "horse battery staple 9"
AT_ONCE, SIGN_INS, REST_S = 16, 15, 0.5


def tried(port: int, address: str, name: str, password: str) -> int:
    """The status of one try from an address."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    body = urllib.parse.urlencode({"name": name, "password": password})
    head = {"Content-Type": "application/x-www-form-urlencoded", "X-Forwarded-For": address}
    connection.request("POST", "/login", body, head)
    status = connection.getresponse().status
    connection.close()
    return status


def serves(port: int) -> bool:
    """Whether the dashboard answers; the director is in for the first time."""
    try:
        return tried(port, "198.51.100.7", NAME, PASSWORD) == 303
    except OSError:
        return False


class Strangers:
    """Try passwords until they are ended; ``answers`` are counted by status."""

    def __init__(self, port: int, addresses: int) -> None:
        self.answers: Counter[int] = Counter()
        self._port, self._ends = port, threading.Event()
        self._turns = cycle(
            (f"203.0.{n // 250}.{n % 250 + 1}", name)
            for n in range(addresses)
            for name in (NAME, f"nobody-{n}")
        )
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._try, daemon=True) for _ in range(AT_ONCE)]
        for thread in self._threads:
            thread.start()

    def _try(self) -> None:
        while not self._ends.is_set():
            with self._lock:
                address, name = next(self._turns)
            self.answers[tried(self._port, address, name, "wrong")] += 1

    def end(self) -> None:
        """No more."""
        self._ends.set()
        for thread in self._threads:
            thread.join()


def signed_in(port: int, address: str) -> tuple[float, int]:
    """Seconds until the director was in, and how often they were sent away before."""
    began, away = time.monotonic(), 0
    while tried(port, address, NAME, PASSWORD) != 303:
        away += 1
        time.sleep(0.1)
    return time.monotonic() - began, away


def main() -> None:
    """The figures, printed."""
    addresses = int(sys.argv[1]) if len(sys.argv) > 1 else 250
    with tempfile.TemporaryDirectory() as place:
        log, file, port = Path(place) / "log.db", Path(place) / "log.access", free_port()
        SqliteEventLog(log).close()
        accounts = Accounts(file)
        accounts.set_user(NAME, Role.DIRECTOR, PASSWORD, 1)
        accounts.close()
        words = ("dashboard", "--log", str(log), "--port", str(port), "--proxy", "127.0.0.1")
        program = subprocess.Popen(
            [sys.executable, "-m", "tilecast", *words], stdout=subprocess.DEVNULL
        )
        try:
            eventually(lambda: serves(port), "it serves", BUSY_S)
            for title, known in (("known", True), ("new", False)):
                calm = [signed_in(port, "198.51.100.7")[0] for _ in range(5)]
                strangers = Strangers(port, addresses)
                time.sleep(2)
                taken = []
                for number in range(SIGN_INS):
                    address = "198.51.100.7" if known else f"198.51.100.{number + 20}"
                    taken.append(signed_in(port, address))
                    time.sleep(REST_S)
                strangers.end()
                seconds = sorted(each[0] for each in taken)
                print(
                    f"{title:6} address: calm {max(calm):.2f} s at most; with {addresses} strangers"
                    f" {seconds[len(seconds) // 2]:.2f} s median, {seconds[-1]:.2f} s at most,"
                    f" sent away {sum(each[1] for each in taken)} times;"
                    f" strangers' answers {dict(strangers.answers)}",
                    flush=True,
                )
        finally:
            program.terminate()
            program.wait()


if __name__ == "__main__":
    main()
