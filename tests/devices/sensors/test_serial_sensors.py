"""Bag scale and rack counter behind real pseudo-terminals: weights, places, cables, commands."""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from devices.lab.memory_ports import MemoryLink, MemoryOutlet
from devices.lab.peers.sensor_firmware import LoadCell
from devices.lab.peers.sensor_peer import simulated_rack, simulated_scale
from devices.link.serial_port import SerialLink
from devices.ports import Condition, Ticks
from devices.sensors.bag_scale import BagScale
from devices.sensors.rack_counter import RackCounter, place_confidence
from devices.sensors.scale_profile import SCALE_FILE, ScaleProfile
from devices.sensors.serial_sensor import SerialSensor
from recorder.domain.instruments import BagLifted, BagWeighed
from recorder.domain.observations import RackCounted, Side
from recorder.wire.control import Command
from tests.eventually import eventually

pytestmark = pytest.mark.slow

CELL = LoadCell()
PROFILE = ScaleProfile(
    zero_counts=CELL.zero_counts,
    counts_per_g=CELL.counts_per_g,
    bag_g=60.0,
    tile_g=1.5,
    tile_spread_g=0.075,
)


@contextmanager
def _running(sensor: SerialSensor) -> Iterator[SerialSensor]:
    stop = threading.Event()
    thread = threading.Thread(target=sensor.run, args=(stop,))
    thread.start()
    try:
        yield sensor
    finally:
        stop.set()
        thread.join()


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    """The calibration of the simulated scale, in a file."""
    path = tmp_path / "scale-1.json"
    SCALE_FILE.save(PROFILE, path)
    return path


def test_a_draw_is_weighed_over_a_serial_line(profile: Path, ticks: Ticks):
    """Bytes in, the count of tiles out; a cable pulled during the draw changes nothing."""
    outlet = MemoryOutlet()
    chance = random.Random(4)
    tiles = [chance.gauss(1.5, 0.075) for _ in range(60)]

    def weights() -> list[BagWeighed]:
        return [seen for _, seen in outlet.observed if isinstance(seen, BagWeighed)]

    with simulated_scale() as peer:
        link = SerialLink(peer.path, ticks)
        with _running(BagScale("scale-1", link, profile, outlet, ticks)) as scale:
            peer.put(60 + sum(tiles))
            eventually(weights, "the full bag")
            assert scale.health().condition is Condition.READY
            assert scale.info().model == "sim scale"
            peer.put(0)
            eventually(lambda: isinstance(outlet.observed[-1][1], BagLifted))
            peer.port.unplug()
            eventually(lambda: scale.health().condition is Condition.LOST)
            peer.port.replug()
            eventually(lambda: scale.health().condition is Condition.READY)
            peer.put(60 + sum(tiles[4:]))
            eventually(lambda: len(weights()) == 2, "the bag after the draw")
    last = weights()[-1]
    assert last.settled
    assert last.taken.count == 4


def test_the_scale_is_tared_by_a_command_and_remembers(profile: Path, ticks: Ticks):
    """Another bag; a tare with nothing on the scale is refused with the remedy."""
    SCALE_FILE.save(replace(PROFILE, zero_counts=PROFILE.zero_counts + 9_000), profile)
    outlet = MemoryOutlet()
    with simulated_scale() as peer:
        link = SerialLink(peer.path, ticks)
        with _running(BagScale("scale-1", link, profile, outlet, ticks)) as scale:

            def obeyed(command: str) -> bool:
                scale.command(Command(id=command, cmd=command))
                eventually(lambda: outlet.responses and outlet.responses[-1][0] == command)
                return outlet.responses.pop()[1] == ""

            eventually(lambda: obeyed("zero"))
            assert not obeyed("tare")
            assert not obeyed("weigh")
            assert not obeyed("explode")
            peer.put(80.0)
            eventually(lambda: obeyed("tare"))
    kept = SCALE_FILE.load(profile)
    assert kept.zero_counts == pytest.approx(CELL.zero_counts, abs=20)
    assert kept.bag_g == pytest.approx(80, abs=0.5)


def test_a_rack_is_counted_once_it_stands_still(ticks: Ticks):
    """Seven tiles, one moved, an eighth; half a tile on a sensor is a doubt, not a guess."""
    outlet = MemoryOutlet()

    def counts() -> list[RackCounted]:
        return [seen for _, seen in outlet.observed if isinstance(seen, RackCounted)]

    with simulated_rack() as peer:
        link = SerialLink(peer.path, ticks)
        with _running(RackCounter("rack-l", link, outlet, ticks, side=Side.LEFT)) as rack:
            for number, places in enumerate(["#######.", "###.####", "########", "####?###"], 1):
                peer.put(places)
                eventually(lambda n=number: len(counts()) >= min(n, 3), places)
            eventually(lambda: counts()[-1].confidence < 0.7 or rack.health().detail)
    assert [seen.places for seen in counts()[:3]] == ["#######.", "###.####", "########"]
    assert [seen.count for seen in counts()[:3]] == [7, 7, 8]
    assert all(seen.side is Side.LEFT and seen.confidence > 0.98 for seen in counts()[:3])


def test_the_rack_says_its_count_again_when_asked(ticks: Ticks):
    """A director who wonders need not move a tile."""
    now_ms = [0]
    link, outlet = MemoryLink(), MemoryOutlet()
    link.connect()
    rack = RackCounter("rack-l", link, outlet, lambda: now_ms[0], side=Side.RIGHT)
    rack.command(Command(id="c1", cmd="count"))
    rack.step(0)
    assert outlet.responses[0][1].endswith("nothing has been heard of the rack yet")
    assert place_confidence(50) == 0.5
    assert place_confidence(99) == place_confidence(0) == pytest.approx(0.999)


def test_a_wire_that_is_no_scale_says_what_to_check(profile: Path):
    """Open, but no LOAD lines: lost, with the hint; damaged lines are counted."""
    now_ms = [0]
    link = MemoryLink("/dev/ttyUSB9")
    link.connect()
    scale = BagScale("scale-1", link, profile, MemoryOutlet(), lambda: now_ms[0])
    link.deliver(b"$TCC1,S1,3f9a,0,5,LOAD,12*0000\r\n")
    scale.step(0)
    scale.step(0)
    assert scale.damaged_lines == 1
    assert scale.health().condition is Condition.STARTING
    now_ms[0] = 3_001
    assert "LOAD" in scale.health().detail
    assert scale.health().condition is Condition.LOST
