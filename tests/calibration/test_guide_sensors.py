"""``tilecast calibrate`` racks, scale and clock: rendered racks, simulated firmware on ptys."""

import re
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

import tilecast
from calibration.guide.checks import RefusedError
from calibration.guide.clock import Drift, check_clock, drift_of
from calibration.guide.scale import calibrate_scale, share_right
from devices.agent_process.table_file import BagScalePlan, SerialClockPlan
from devices.cameras.profile import RACK_FILE, kept_versions
from devices.cameras.readers import open_rack_reader
from devices.lab.peers.clock_firmware import ClockFace
from devices.lab.peers.sensor_peer import SensorPeer, simulated_scale
from devices.lab.peers.serial_peer import SerialPeer
from devices.lab.scenes.rack_art import render_rack
from devices.lab.scenes.styles import demo_style
from devices.link.timelink import Measured
from devices.pictures import Image
from devices.sensors.scale_profile import SCALE_FILE, ScaleProfile
from devices.sensors.scale_session import Wanted
from recorder.domain.errors import DeviceError
from recorder.domain.observations import Side
from tests.cases import first_of

pytestmark = pytest.mark.pixels

TILES = demo_style().tiles


def _ticks() -> int:
    return time.monotonic_ns() // 1_000_000


class Person:
    """Somebody at the table: does what they are asked through ``act``, and remembers it."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def act(self, request: str) -> str:
        """What they do and type."""
        return request[:0]

    def tell(self, line: str) -> None:
        """See ``Dialogue``."""
        self.said.append(line)
        self.act(line)

    def ask(self, request: str) -> str:
        """See ``Dialogue``."""
        self.said.append(request)
        return self.act(request)

    def is_answered(self, request: str) -> bool:
        """See ``Dialogue``."""
        return bool(request)

    def keep_on(self) -> None:
        """See ``Dialogue``."""

    def show(self, picture: Image, lines: Sequence[str], faults: Sequence[str] = ()) -> None:
        """See ``Dialogue``."""


class Weigher(Person):
    """Puts on a simulated scale what is asked for; each tile weighs ``tile_g``."""

    def __init__(self, scale: SensorPeer[float], tile_g: float, uneven: float) -> None:
        super().__init__()
        self.scale, self.put = scale, 0.0
        self.weights = [tile_g + uneven * (-1) ** number for number in range(20)]

    def act(self, request: str) -> str:
        tile = re.match(r"(?:Put tile|Stein) (\d+)", request)
        answer = ""
        if tile:
            self.put = sum(self.weights[: int(tile[1])])
        elif "known mass" in request or "bekanntes Gewicht auflegen" in request:
            self.put, answer = 100.0, "100"
        elif any(word in request for word in ("empty bag", "Lift", "leeren Beutel", "anheben")):
            self.put = 62.0
        elif "off" in request or "nehmen" in request:
            self.put = 0.0
        self.scale.put(self.put)
        return answer


def test_ten_tiles_give_a_scale_its_profile(tmp_path: Path):
    """Through a real pty: mean and spread, how sure a draw is, and the old profile kept."""
    plan = BagScalePlan(name="scale-1", port="", profile=str(tmp_path / "scale-1.json"))
    with simulated_scale() as scale:
        plan = replace(plan, port=scale.path)
        Path(plan.profile).write_text("what was there before")
        kept = calibrate_scale(plan, Wanted(tiles=6, full_set=0), Weigher(scale, 1.5, 0.03), _ticks)
    profile = SCALE_FILE.load(Path(plan.profile))
    assert profile.tile_g == pytest.approx(1.5, abs=0.05)
    assert [file.read_text() for _, file in kept_versions(Path(plan.profile))] == [
        "what was there before"
    ]
    assert any("of 7 tiles is counted rightly" in line for line in kept.lines)


def test_a_scale_that_cannot_count_seven_is_told_so():
    """Tiles of a gram that differ by a fifth: the seventh cannot be told from the sixth."""
    good = ScaleProfile(
        zero_counts=0, counts_per_g=420, bag_g=60, tile_g=1.5, tile_spread_g=0.075, repeat_g=0.1
    )
    assert share_right(good, 7) > 0.99
    assert share_right(replace(good, tile_g=1.0, tile_spread_g=0.2), 7) < 0.7


class Presser(Person):
    """Presses the halves of a clock when asked to; ``halves`` they know of."""

    def __init__(self, clock: SerialPeer, *halves: Side) -> None:
        super().__init__()
        self.clock, self.halves = clock, halves
        self.hands: list[threading.Timer] = []

    def act(self, request: str) -> str:
        if request.startswith(("press one half", "eine Hälfte der Uhr drücken")):
            for number, side in enumerate(self.halves):
                hand = threading.Timer(0.2 + 0.8 * number, self.clock.press, [side])
                hand.start()
                self.hands.append(hand)
        return ""


@pytest.fixture
def clock() -> Iterator[SerialPeer]:
    """A clock whose times pass, on a pty."""
    face = ClockFace(left_ms=600_000, right_ms=600_000)
    with SerialPeer(face=face, speed=1.0, beat_s=0.3) as peer:
        yield peer


def _plan(clock: SerialPeer) -> SerialClockPlan:
    return SerialClockPlan(name="clock-1", port=clock.path)


def test_a_clock_is_checked(clock: SerialPeer):
    """Both halves, offset and drift; its presses are acknowledged, so no game gets them."""
    kept = check_clock(_plan(clock), 4.0, Presser(clock, Side.LEFT, Side.RIGHT), _ticks)
    assert "both halves press" in kept.lines[0]
    assert re.match(r"offset -?\d+ ms, give or take", kept.lines[1])
    assert re.match(r"drift [+-]\d+ ppm, give or take \d+", kept.lines[2])
    end = time.monotonic() + 60
    while clock.outbox and time.monotonic() < end:
        time.sleep(0.02)
    assert clock.outbox == 0


def test_a_clock_that_keeps_a_game_is_left_alone(clock: SerialPeer):
    """Acknowledging would take presses away that the record does not have."""
    clock.press(Side.LEFT)
    with pytest.raises(RefusedError, match="keeps 1 events that no recorder has"):
        check_clock(_plan(clock), 1.0, Person(), _ticks)
    assert clock.outbox == 1


class HoldingBack(SerialPeer):
    """Firmware that answers at once and keeps each press, though stamped, for 0.9 s."""

    def press(self, side: Side) -> None:
        """A player presses a half."""
        with self._lock:
            frames = self._clock.press(side)
        threading.Timer(0.9, self._send, [frames]).start()


def test_a_clock_that_holds_its_presses_back_is_refused():
    """Each of them: one that is late by a busy machine accuses nobody."""
    with HoldingBack(speed=1.0, beat_s=0.3) as clock:
        hands = Presser(clock, Side.LEFT, Side.RIGHT)
        with pytest.raises(RefusedError, match="each press came"):
            check_clock(_plan(clock), 0.5, hands, _ticks)


def test_a_clock_that_drifts_is_refused():
    """Five per cent are seen within seconds, however late the answers are."""
    with SerialPeer(speed=1.0, beat_s=0.3, drift_ppm=50_000) as fast:
        hands = Presser(fast, Side.LEFT, Side.RIGHT)
        with pytest.raises(RefusedError, match=r"drifts by \+[45]\d{4} ppm"):
            check_clock(_plan(fast), 5.0, hands, _ticks)


def test_a_port_without_a_clock_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("calibration.guide.clock._MEET_MS", 700)
    with simulated_scale() as scale, pytest.raises(DeviceError, match="no clock answers"):
        check_clock(SerialClockPlan(name="c", port=scale.path), 1.0, Person(), _ticks)


def test_quick_comparisons_that_lie_too_close_hide_no_drift():
    """The quickest of both thirds are 1.5 s apart: others are taken, which are further apart."""
    trips = {1_250: 2, 2_750: 2}
    measured = [
        Measured(device_ms=at, offset_ms=5_000, round_trip_ms=trips.get(at, 6))
        for at in range(0, 4_000, 250)
    ]
    drift = drift_of(measured)
    assert isinstance(drift, Drift)
    assert (drift.ppm, drift_of(measured[:6])) == (0, None)


def test_drift_says_how_wrong_it_may_be():
    """A gain of 100 ppm over a minute, with answers within 4 ms: 100 give or take 100 or so."""
    measured = [
        Measured(device_ms=at, offset_ms=5_000 - at * 1e-4, round_trip_ms=4)
        for at in range(0, 60_000, 1_000)
    ]
    drift = drift_of(measured)
    assert isinstance(drift, Drift)
    assert drift.ppm == pytest.approx(100, abs=1)
    assert 80 < drift.error_ppm < 150
    assert drift_of(measured[:2]) is None


class Rack:
    """A table file with one rack camera over a folder of pictures."""

    def __init__(self, folder: Path) -> None:
        self.file, self.profile = folder / "table.toml", folder / "rack-left.json"
        self.camera = folder / "rack"
        self.camera.mkdir()
        self.file.write_text(
            '[[device]]\nkind = "rack-camera"\nname = "rack-left"\nsource = "rack"\nside = "L"\n'
        )

    def shows(self, picture: Image) -> None:
        """What the camera gives from now on."""
        assert cv2.imwrite(str(self.camera / "0.png"), picture)

    def calibrate(self, *options: str) -> int:
        """The exit status of ``tilecast calibrate racks``."""
        return tilecast.main(["calibrate", "racks", str(self.file), "--yes", *options])


@pytest.fixture
def rack(tmp_path: Path) -> Rack:
    """A rack that was never calibrated."""
    return Rack(tmp_path)


def _table(*racks: tuple[str, int]) -> Image:
    """Racks on a wide dark table, each at so many pixels from the top."""
    table = np.full((900, 1000, 3), 60, np.uint8)
    for slots, top in racks:
        picture = render_rack(TILES, slots, px=60, seed=2)
        middle = picture.shape[0] // 2
        strip = picture[middle - 70 : middle + 70]
        left = (1000 - strip.shape[1]) // 2
        table[top : top + strip.shape[0], left : left + strip.shape[1]] = strip
    return table


@pytest.mark.further
def test_a_rack_has_its_place_and_no_neighbour(rack: Rack):
    """Calibrated alone; later another rack stands in the picture, and is not read."""
    rack.shows(_table(("AEINRST", 120)))
    assert rack.calibrate("--letters", "aeinrst") == 0
    profile = RACK_FILE.load(rack.profile)
    assert profile.tile_px == pytest.approx(60, abs=6)
    both = _table(("DOG", 120), ("WHISKER", 620))
    everything = open_rack_reader("english")(both)
    assert {look.letters for look in everything} == {"DOG", "WHISKER"}
    (own,) = open_rack_reader("english", str(rack.profile))(both)
    assert own.letters == "DOG"
    assert min(y for _, y in own.corners) > 100


@pytest.mark.parametrize(
    ("racks", "options", "reason"),
    first_of(
        2,
        [
            ([], [], "no rack is seen"),
            ([("AEINR", 120)], [], "5 tiles are seen"),
            ([("AEINRST", 120), ("WHISKER", 620)], [], "2 rows of tiles are seen"),
            (
                [("AEINRST", 120)],
                ["--letters", "AEINRSV"],
                "read AEINRST, but AEINRSV stands there",
            ),
        ],
    ),
    ids=["none", "five", "two", "otherwise"],
)
def test_a_bad_rack_is_refused_with_its_reason(
    racks: list[tuple[str, int]],
    options: list[str],
    reason: str,
    rack: Rack,
    capsys: pytest.CaptureFixture[str],
):
    """Nothing is written but the picture."""
    rack.shows(_table(*racks))
    assert rack.calibrate(*options) == 1
    assert reason in capsys.readouterr().err
    assert not rack.profile.exists()
    assert rack.profile.with_name("rack-left-refused.jpg").exists()
