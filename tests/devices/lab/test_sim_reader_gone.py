"""The simulated camera when a reader goes away: nothing on the terminal."""

import socket
import struct
import threading
from urllib.parse import urlsplit

import pytest

from devices.lab.demonstration import Demonstration
from devices.lab.game_script import Sensors
from tests.demo.test_demo_mishaps import composed
from tests.eventually import eventually


def serving() -> set[threading.Thread]:
    """The connections that are being served, of every server in this process."""
    return {thread for thread in threading.enumerate() if "process_request" in thread.name}


def test_a_reader_that_goes_away_leaves_no_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    """An agent that is stopped, as at a demonstration's end, resets what it was reading."""
    before = serving()
    demo = Demonstration(composed(1), (), Sensors.BOX, 1)
    with demo.table(60.0) as table:
        where = urlsplit(table.camera_url)
        reader = socket.create_connection((where.hostname, where.port))
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        reader.sendall(b"GET /snapshot.jpg HTTP/1.1\r\nHost: table\r\n\r\n")
        eventually(lambda: serving() - before != set(), "it is served")
        reader.close()
        eventually(lambda: serving() - before == set(), "it is let go")
    assert capsys.readouterr().err == ""
