"""``tilecast calibrate scale`` with a simulated scale: what a person puts on it comes out right."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.lab.memory_ports import MemoryLink
from devices.lab.peers.sensor_firmware import LoadCell, ScaleFirmware
from devices.sensors.scale_session import ScaleSession, Wanted
from recorder.domain.errors import DeviceError

CELL = LoadCell()


class Person:
    """Does what is asked, on a scale whose time is theirs."""

    def __init__(self, tiles: list[float], missing: int = 0) -> None:
        self.now_ms = 0
        self.link = MemoryLink("scale", lambda: self.now_ms)
        self.link.connect()
        self.scale = ScaleFirmware("S1", "3f9a", lambda: self.now_ms, cell=CELL)
        self.tiles, self.missing = tiles, missing
        self.said: list[str] = []
        self.masses = iter(["heavy", "5", "100"])
        self.put = 0.0
        self.news = self._news()
        self.link.news = lambda _timeout_s: next(self.news)  # type: ignore[method-assign]

    def _news(self) -> Iterator[object]:
        real = MemoryLink.news
        while True:
            self.now_ms += 100
            for frame in self.scale.sample():
                self.link.deliver(frame.to_bytes())
            while (one := real(self.link, 0)) is not None:
                yield one

    def ask(self, request: str) -> str:
        """What the person does and types."""
        self.said.append(request)
        answer = ""
        if "known mass" in request:
            answer = next(self.masses)
            self.put = 0.0 if answer == "heavy" else float(answer)
        elif "empty bag" in request or "Lift" in request:
            self.put = 62.0
        elif "off" in request:
            self.put = 0.0
        elif "Put tile" in request:
            number = int(request.split()[2])
            self.put = sum(self.tiles[:number])
        elif "all" in request:
            self.put = 62.0 + sum(self.tiles[self.missing :])
        self.scale.put(self.put)
        return answer


def _tiles() -> list[float]:
    chance = random.Random(11)
    return [chance.gauss(1.5, 0.05) for _ in range(100)]


def test_a_person_calibrates_a_scale():
    """Zero, mass, bag, tiles and the whole set come out as they are."""
    tiles = _tiles()
    person = Person(tiles)
    profile = ScaleSession(person.link, lambda: person.now_ms, person.said.append, person.ask).run(
        Wanted()
    )
    assert profile.counts_per_g == pytest.approx(CELL.counts_per_g, rel=0.005)
    assert profile.bag_g == pytest.approx(62, abs=0.4)
    assert profile.tile_g == pytest.approx(sum(tiles) / 100, abs=0.01)
    assert 0.02 < profile.tile_spread_g < 0.2
    assert "'heavy' is not a number of grams" in person.said
    assert any(text.startswith("5 g gave") for text in person.said)


def test_a_set_that_is_not_complete_is_refused():
    """Fifteen tiles are missing: the mean would be wrong."""
    person = Person(_tiles(), missing=15)
    with pytest.raises(DeviceError, match="is the set complete"):
        ScaleSession(person.link, lambda: person.now_ms, person.said.append, person.ask).run(
            Wanted()
        )


def test_a_cable_that_is_pulled_ends_the_session(tmp_path: Path):
    link = MemoryLink("/dev/ttyUSB7")
    link.connect()
    link.disconnect("unplugged")
    with pytest.raises(DeviceError, match="ttyUSB7: unplugged"):
        ScaleSession(link, lambda: 0, print, lambda _: "").run(Wanted())
