"""`tilecast record` and `tilecast dashboard` as processes: what they print, note and refuse."""

import contextlib
import http.client
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from recorder.bus.broker import BrokerHandle, free_port
from recorder.bus.mqtt import MqttBus
from recorder.log.sqlite import SqliteEventLog
from recorder.orders.console_key import make_key
from recorder.wire.control import Ack, RecorderState, decode_ack, decode_recorder_state
from recorder.wire.envelope import Envelope, encode_envelope
from recorder.wire.topics import Down, DownChannel, Up, UpChannel, recorder_filter
from tests.eventually import PATIENCE_S, eventually
from tests.programs import Program

pytestmark = pytest.mark.broker

VENUE = """
[venue]
name = "main"
[broker]
url = "{url}"
[recorder]
folder = "{folder}"
{more}
[[table]]
number = 1
game = "round-1"
players = ["Ada", "Ben"]
tiles = "english"
rules = "wespa4"
devices = {{ clock-1 = "serial-clock" }}
"""
AWAY = "https://elsewhere.example/face.png"
HOSTILE = '<img src=x onerror="ran()">'


@contextmanager
def running(*words: str, said: Path, **more: str) -> Iterator[Program]:
    """A command of ours; what it says goes into a file."""
    said.write_bytes(b"")
    on = Program(*words, said=said, **more)
    try:
        yield on
    finally:
        on.terminate()
        on.wait(PATIENCE_S)


def venue_file(folder: Path, url: str, more: str = "") -> Path:
    """A recorder's file, its log beside it."""
    file = folder / "venue.toml"
    file.write_text(VENUE.format(url=url, folder=folder, more=more), "utf-8")
    return file


def press(number: int) -> bytes:
    data = {"side": "R", "left_ms": 1_500_000, "right_ms": 1_500_000 - number, "running": "L"}
    return encode_envelope(
        Envelope(
            dev="clock-1", boot="0badcafe", seq=number, t_ms=number, type="clock.press", data=data
        )
    )


def test_a_password_of_the_broker_is_said_nowhere(tmp_path: Path) -> None:
    """Not where the start is announced, nor in the warning that it can be read on the way."""
    file = venue_file(tmp_path, "mqtt://venue:S3cretPw99@192.0.2.1:1883")
    said = tmp_path / "said"
    with running("record", str(file), said=said):
        eventually(lambda: "Ada and Ben" in said.read_text("utf-8"), "it has started")
    text = said.read_text("utf-8")
    assert "\033[31mWARNING" in text
    assert "S3cretPw99" not in text


def test_a_log_replaced_below_a_recorder_takes_no_event_along(
    tmp_path: Path, broker: BrokerHandle
) -> None:
    """No acknowledgement after that, so that the clock keeps its press; the recorder says why.

    Before that everybody at the broker hears how far the log has come, and by which code.
    """
    acks: list[Ack] = []
    states: list[RecorderState] = []
    file, said = venue_file(tmp_path, broker.url), tmp_path / "said"
    with MqttBus(broker.url, "clock-1") as bus, running("record", str(file), said=said) as on:
        bus.subscribe(
            str(Down("main", "clock-1", DownChannel.ACK)),
            lambda message: acks.append(decode_ack(message.payload)),
        )
        bus.subscribe(
            recorder_filter("main"),
            lambda message: states.append(decode_recorder_state(message.payload)),
        )
        topic = str(Up("main", "clock-1", UpChannel.EVENT))
        eventually(lambda: any(state.head_code for state in states), "the head is said")
        assert max(state.head for state in states) > 0
        bus.publish(topic, press(1))
        eventually(lambda: any(ack.upto == 1 for ack in acks), "it is stored")
        with SqliteEventLog(tmp_path / "other.db"):
            pass
        (tmp_path / "other.db").replace(tmp_path / "tilecast.db")
        for beside in ("tilecast.db-wal", "tilecast.db-shm"):
            (tmp_path / beside).unlink()
        bus.publish(topic, press(2))
        eventually(lambda: on.poll() is not None, "it ends")
    assert on.returncode == 1
    assert "nothing is acknowledged" in said.read_text("utf-8")
    assert max(ack.upto for ack in acks) == 1


def feed() -> str:
    """Two players, a name that is a script, pictures elsewhere."""
    players = [
        {"id": 1, "name": HOSTILE, "rating": 1900, "photo": AWAY, "pairings": [2], "scores": []},
        {"id": 2, "name": "Caro, Mateo", "rating": 1800, "photo": "javascript:ran()",
         "pairings": [1], "scores": []},
    ]  # fmt: skip
    return f"newt={json.dumps({'divisions': [{'name': 'A', 'players': [None, *players]}]})};"


@pytest.mark.further
def test_a_feed_becomes_the_event_by_sealed_orders(tmp_path: Path, broker: BrokerHandle) -> None:
    """With the dashboard's own option, its key beside the log; no page leads to the feed's links.

    The dashboard is there before the log: its orders wait until they can be sealed for that.
    """
    file = venue_file(tmp_path, broker.url, 'console_key = "console.key"')
    make_key(tmp_path / "console.key")
    (tmp_path / "tourney.js").write_text(feed(), "utf-8")
    port, log = free_port(), str(tmp_path / "tilecast.db")
    words = ("--log", log, "--port", str(port), "--broker", broker.url)
    said = tmp_path / "page"

    def shown(path: str) -> str:
        page = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        try:
            page.request("GET", path)
            return page.getresponse().read().decode("utf-8")
        except OSError:
            return ""
        finally:
            page.close()

    follow = ("--follow", str(tmp_path / "tourney.js"))
    with running("dashboard", *words, *follow, said=said, TILECAST_DIRECTOR_TOKEN="desk-key-12345"):
        eventually(lambda: shown("/healthz"), "it listens")
        with running("record", str(file), said=tmp_path / "said"):
            names = (json.dumps(HOSTILE), "Mateo Caro")
            eventually(
                lambda: all(name in shown("/event/data.json") for name in names),
                "both players are there",
            )
            pages = [shown(path) for path in ("/event", "/event/data.json", "/watch")]
    links = re.compile(r"(?:href|src)=[\"']?(?:https?://elsewhere|javascript)")
    assert not [page for page in pages if links.search(page)]
    assert "seal" not in (tmp_path / "said").read_text("utf-8")
    with SqliteEventLog.open_reader(tmp_path / "tilecast.db") as reader:
        assert next(reader.read_from(1)).type == "log.begun"


_STOPPED_AT_ONCE = """
import signal, sys
from pathlib import Path
from dashboard.app import Settings
from dashboard.auth.access import Access
from dashboard.serving import serve
access = Access(director_token="director-key-1", commentator_token="commentator-1")
settings = Settings(log=Path(sys.argv[1]), access=access, port=0)
serve(settings, lambda line: signal.raise_signal(signal.SIGTERM))
"""


@pytest.mark.further
def test_a_dashboard_that_is_to_stop_while_it_starts_stops(tmp_path: Path) -> None:
    """A service manager waited for a minute and a half, and then killed it."""
    command = [sys.executable, "-c", _STOPPED_AT_ONCE, str(tmp_path / "tilecast.db")]
    assert subprocess.run(command, check=False, timeout=PATIENCE_S).returncode == 0


def test_what_recorder_and_dashboard_write_is_their_owners(
    tmp_path: Path, broker: BrokerHandle
) -> None:
    """The log holds racks, the links open everything: nobody else of this machine reads them."""
    folder = tmp_path / "record"
    file = tmp_path / "venue.toml"
    file.write_text(VENUE.format(url=broker.url, folder=folder, more=""), "utf-8")
    log = folder / "tilecast.db"
    with running("record", str(file), said=tmp_path / "said"):
        eventually(lambda: "Ada and Ben" in (tmp_path / "said").read_text("utf-8"), "it records")
        words = ("--log", str(log), "--port", "0", "--broker", broker.url)
        with running("dashboard", *words, said=tmp_path / "page"):
            # The links are told before the pages are served, and the orders are opened with those.
            eventually(log.with_suffix(".orders").exists, "it serves")
            eventually(lambda: "links " in (tmp_path / "page").read_text("utf-8"), "it says where")
            modes = {}
            for path in filter(Path.is_file, folder.rglob("*")):
                with contextlib.suppress(FileNotFoundError):  # a journal comes and goes
                    modes[path.name] = path.stat().st_mode & 0o077
    assert {"tilecast.db", "tilecast.access", "tilecast.links", "tilecast.orders"} <= set(modes)
    assert not [name for name, others in modes.items() if others]
