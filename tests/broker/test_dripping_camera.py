"""A camera whose server sends a byte now and then: `tilecast agent` and `tilecast record` of it."""

import json
import threading
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest

import tilecast
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.pictures import encode_jpeg
from recorder.bus.broker import BrokerHandle
from recorder.bus.mqtt import MqttBus
from recorder.log.sqlite import SqliteEventLog
from recorder.wire.control import Command, encode
from recorder.wire.topics import Down, DownChannel, Up, UpChannel
from tests.broker.test_recorder_at_work import VENUE, running
from tests.eventually import PATIENCE_S, eventually
from tests.served import Quiet, serving

pytestmark = [pytest.mark.broker, pytest.mark.pixels, pytest.mark.further]
TABLE = """
[broker]
url = "{url}"
[agent]
folder = "{folder}"
[[device]]
kind = "board-camera"
name = "cam-1"
source = "{source}"
tiles = "english"
interval_ms = 1000
"""


class Dripping:
    """Gives whole pictures, or begins one and goes on with it byte by byte, without an end."""

    def __init__(self) -> None:
        self.drips = threading.Event()
        self.dripped = 0
        """Bytes, since the start: who waits for a picture is under way."""
        self._ended = threading.Event()
        picture, camera = encode_jpeg(TableScene(demo_style(), 5).frame(1)), self

        class Handler(Quiet):
            def answer(self) -> None:
                self.send_response(200)
                self.send_header("Content-Length", str(len(picture)))
                self.end_headers()
                with suppress(OSError):
                    if not camera.drips.is_set():
                        self.wfile.write(picture)
                        return
                    for byte in picture:
                        if camera._ended.wait(0.5):
                            return
                        self.wfile.write(bytes([byte]))
                        camera.dripped += 1

        self._served = ExitStack()
        self.url = self._served.enter_context(serving(Handler)) + "/shot.jpg"

    def close(self) -> None:
        self._ended.set()
        self._served.close()


def test_a_camera_that_drips_is_told_taken_back_and_left_when_asked(
    tmp_path: Path, broker: BrokerHandle, capsys: pytest.CaptureFixture[str]
) -> None:
    """Reported in its state, in the log and by `tilecast status`, with the reason and what helps.

    SIGTERM ends the agent in the middle of a picture that never comes.
    """
    states: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []

    def types() -> list[str]:
        with SqliteEventLog.open_reader(tmp_path / "tilecast.db") as log:
            return [row.type for row in log.read_from(1)]

    def status() -> dict[str, Any]:
        tilecast.main(["status", str(venue), "--json"])
        devices = json.loads(capsys.readouterr().out)["devices"]
        return next(device for device in devices if device["name"] == "cam-1")

    venue, table = tmp_path / "venue.toml", tmp_path / "table.toml"
    text = VENUE.format(url=broker.url, folder=tmp_path, more="")
    venue.write_text(text.replace('clock-1 = "serial-clock"', 'cam-1 = "board-camera"'), "utf-8")
    with ExitStack() as on, MqttBus(broker.url, "listener") as bus:
        bus.subscribe(
            str(Up("main", "cam-1", UpChannel.STATE)),
            lambda message: states.append(json.loads(message.payload)),
        )
        bus.subscribe(
            str(Up("main", "cam-1", UpChannel.RESPONSE)),
            lambda message: answers.append(json.loads(message.payload)),
        )
        camera = on.enter_context(closing(Dripping()))
        folder = tmp_path / "agent"
        table.write_text(TABLE.format(url=broker.url, folder=folder, source=camera.url), "utf-8")
        on.enter_context(running("record", str(venue), said=tmp_path / "recorder"))
        agent = on.enter_context(running("agent", str(table), said=tmp_path / "said"))
        eventually(lambda: states and states[-1]["state"] == "ready", "it gives pictures")

        camera.drips.set()
        eventually(lambda: states[-1]["state"] == "lost", "its loss is told")
        assert "no whole picture within" in states[-1]["reason"]
        eventually(lambda: "device.lost" in types(), "and is in the log")
        found = status()
        assert found["grade"] == "ill"
        assert "no whole picture within" in found["says"]
        assert found["remedy"]
        look = Command(id="look-1", cmd="look")
        bus.publish(str(Down("main", "cam-1", DownChannel.COMMAND)), encode(look))
        eventually(lambda: any(each["id"] == "look-1" for each in answers), "who asks is answered")
        assert not answers[-1]["ok"]

        camera.drips.clear()
        eventually(lambda: states[-1]["state"] == "ready", "it is mended")
        eventually(lambda: types()[-1] != "device.lost" and "device.back" in types(), "in the log")
        eventually(lambda: status()["grade"] != "ill", "and taken back")

        camera.drips.set()
        under_way = camera.dripped
        eventually(lambda: camera.dripped > under_way, "a picture is under way")
        agent.terminate()
        assert agent.wait(PATIENCE_S) == 0
        assert camera.drips.is_set()
