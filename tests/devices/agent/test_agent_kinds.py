"""Every kind of a table file becomes a device on the bus: simulated hardware, real parts."""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest

from devices.agent import runners_of
from devices.agent_process.device_runner import running
from devices.agent_process.table_file import read_table_file
from devices.agent_process.ticks import agent_ticks
from devices.lab.peers.dgt_board import DgtBoard
from devices.lab.peers.sensor_firmware import LoadCell
from devices.lab.peers.sensor_peer import simulated_rack, simulated_scale
from devices.lab.scenes.slip_art import Photo, photographed, printed
from devices.sensors.scale_profile import SCALE_FILE, ScaleProfile
from recorder.bus.port import Message
from recorder.domain.instruments import BagWeighed, SlipSeen
from recorder.domain.observations import ClockChanged, ClockSynced, Observation, RackCounted
from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from recorder.log.opening import wall_ms
from recorder.service.timekeeping import time_reply
from recorder.tilesets import load_tile_set
from recorder.wire.control import decode_heartbeat, encode
from recorder.wire.envelope import decode_envelope
from recorder.wire.observations import decode_observation
from recorder.wire.topics import Down, DownChannel, UpChannel, parse_topic, up_filter
from tests.eventually import eventually

pytestmark = pytest.mark.slow


class Listener:
    """Keeps what devices say, and answers their heartbeats with the time."""

    def __init__(self, broker: MemoryBroker) -> None:
        self.bus = MemoryBus(broker)
        self.heard: dict[str, list[Observation]] = {}
        self.bus.subscribe(up_filter("main", UpChannel.EVENT), self._event)
        self.bus.subscribe(up_filter("main", UpChannel.HEARTBEAT), self._beat)
        self.bus.start()

    def kinds(self, device: str) -> list[type[Observation]]:
        """The types of what a device has said."""
        return [type(one) for one in self.heard.get(device, [])]

    def _event(self, message: Message) -> None:
        message.ack()
        event = decode_envelope(message.topic, message.payload)
        self.heard.setdefault(event.dev, []).append(decode_observation(event.type, event.data))

    def _beat(self, message: Message) -> None:
        message.ack()
        now = wall_ms()
        reply = time_reply(decode_heartbeat(message.payload), now, now)
        device = parse_topic(message.topic).device  # type: ignore[union-attr]
        self.bus.publish(str(Down("main", device, DownChannel.TIME)), encode(reply), qos=0)


@contextmanager
def _agent(path: Path, broker: MemoryBroker) -> Iterator[None]:
    ticks, stop = agent_ticks(), threading.Event()
    runners = runners_of(
        read_table_file(path), ticks, lambda _name, will: MemoryBus(broker, will=will)
    )
    thread = threading.Thread(target=running, args=(runners, ticks, stop))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def test_every_sensor_of_a_table_file_speaks(tmp_path: Path):
    """Scale, rack counter, slip camera and DGT clock in one file, each with its observation."""
    cell = LoadCell()
    profile = ScaleProfile(
        zero_counts=cell.zero_counts,
        counts_per_g=cell.counts_per_g,
        bag_g=60.0,
        tile_g=1.5,
        tile_spread_g=0.075,
    )
    SCALE_FILE.save(profile, tmp_path / "scale-1.json")
    (tmp_path / "slips").mkdir()
    slip = printed(load_tile_set("english"), random.Random(1))
    slip.circle(0, "Q")
    photo = photographed(slip, Photo(), random.Random(1))
    cv2.imwrite(str(tmp_path / "slips" / "1.png"), np.asarray(photo))
    with simulated_scale() as scale, simulated_rack() as rack, DgtBoard() as board:
        scale.put(100.0)
        rack.put("#####.##")
        path = tmp_path / "table.toml"
        path.write_text(
            f"""[broker]
url = "mqtt://nowhere"
[[device]]
kind = "bag-scale"
name = "scale-1"
port = "{scale.path}"
profile = "scale-1.json"
[[device]]
kind = "rack-counter"
name = "rack-l"
port = "{rack.path}"
side = "L"
[[device]]
kind = "slip-camera"
name = "slip-1"
source = "slips"
[[device]]
kind = "dgt-clock"
name = "clock-1"
port = "{board.path}"
""",
            encoding="utf-8",
        )
        broker = MemoryBroker()
        listener = Listener(broker)
        expected = {
            "scale-1": BagWeighed,
            "rack-l": RackCounted,
            "slip-1": SlipSeen,
            "clock-1": ClockChanged,
        }
        with _agent(path, broker):
            for device, kind in expected.items():
                eventually(lambda d=device, k=kind: k in listener.kinds(d), device)
            eventually(lambda: ClockSynced in listener.kinds("rack-l"), "time")
        listener.bus.stop()
    (synced,) = [one for one in listener.heard["rack-l"] if isinstance(one, ClockSynced)]
    # The agent's milliseconds begin at the wall clock's.
    assert abs(synced.offset_ms) < 50
    assert synced.reference == "recorder"
