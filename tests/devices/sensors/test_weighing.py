"""Tiles from grams: at rest before and after, with an honest probability."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from devices.lab.peers.sensor_firmware import LoadCell, ScaleFirmware
from devices.sensors.scale_profile import SCALE_FILE, ScaleProfile
from devices.sensors.weighing import BagWatch, Settling, Weighed, tile_statistics, tiles_taken
from recorder.domain.errors import DeviceError, NotationError
from recorder.domain.instruments import BagLifted, BagReturned, BagWeighed

pytestmark = pytest.mark.slow

CELL = LoadCell()
PROFILE = ScaleProfile(
    zero_counts=CELL.zero_counts,
    counts_per_g=CELL.counts_per_g,
    bag_g=60.0,
    tile_g=1.5,
    tile_spread_g=0.075,
)


class Bench:
    """A scale whose time is ours: what is put on it, and what the watch says."""

    def __init__(self, seed: int = 1) -> None:
        self.now_ms = 0
        self.scale = ScaleFirmware("S1", "3f9a", lambda: self.now_ms, seed=seed)
        self.watch = BagWatch(PROFILE)
        self.said: list[Weighed] = []

    def put(self, grams: float, for_ms: int) -> None:
        self.scale.put(grams)
        self.wait(for_ms)

    def wait(self, for_ms: int) -> None:
        """Let time pass, ten samples a second."""
        for _ in range(for_ms // 100):
            self.now_ms += 100
            for frame in self.scale.sample():
                if frame.body.KIND == "LOAD":
                    self.said += self.watch.feed(self.now_ms, frame.body.counts)  # type: ignore[union-attr]

    def wait_at(self, grams: float, for_ms: int) -> None:
        """Let the scale read so much, with no swing of its own."""
        counts = round(CELL.zero_counts + grams * CELL.counts_per_g)
        for _ in range(for_ms // 100):
            self.now_ms += 100
            self.said += self.watch.feed(self.now_ms, counts)

    def weights(self) -> list[BagWeighed]:
        return [one for one in self.said if isinstance(one, BagWeighed)]


@pytest.mark.parametrize("drawn", range(8))
def test_a_draw_is_the_difference_of_two_weights_at_rest(drawn: int):
    """The bag is lifted, tiles go out, it comes back: lifted, returned, weighed, with the count."""
    chance = random.Random(drawn)
    tiles = [chance.gauss(1.5, 0.075) for _ in range(86)]
    bench = Bench(seed=drawn + 1)
    bench.put(60 + sum(tiles), 3_000)
    bench.put(0, 6_000)
    bench.put(60 + sum(tiles[drawn:]), 3_000)
    first, lifted, returned, second = bench.said
    assert isinstance(first, BagWeighed)
    assert first.taken is None
    assert first.grams == pytest.approx(sum(tiles), abs=0.4)
    assert isinstance(lifted, BagLifted)
    assert lifted.grams == pytest.approx(first.grams, abs=0.15)  # it has come to rest since
    assert isinstance(returned, BagReturned)
    assert returned.away_ms == pytest.approx(6_000, abs=400)
    assert isinstance(second, BagWeighed)
    assert second.taken.count == drawn
    assert second.taken.probability > 0.8


def test_a_bag_that_swings_as_it_is_lifted_is_lifted_once():
    """The load cell still swings, or a hand knocks the scale: for 300 ms nothing is back."""
    bench = Bench()
    bench.put(60 + 86 * 1.5, 3_000)
    bench.wait_at(0.0, 300)
    bench.wait_at(60 + 86 * 1.5, 300)
    bench.wait_at(0.0, 700)
    bench.put(60 + 82 * 1.5, 3_000)
    kinds = [type(one) for one in bench.said]
    assert kinds == [BagWeighed, BagLifted, BagReturned, BagWeighed]
    (returned,) = (one for one in bench.said if isinstance(one, BagReturned))
    assert returned.away_ms == pytest.approx(1_300, abs=200)
    assert bench.weights()[-1].taken.count == 4


def test_tiles_taken_out_of_a_bag_that_stays_are_noticed():
    """Nobody is made to lift the bag."""
    bench = Bench()
    bench.put(60 + 30 * 1.5, 3_000)
    bench.put(60 + 27 * 1.5, 3_000)
    taken = [weight.taken for weight in bench.weights()]
    assert taken[0] is None
    assert taken[1] is not None
    assert taken[1].count == 3


def test_creep_is_no_draw():
    """Twenty minutes of slow drift are followed without a word."""
    bench = Bench()
    bench.put(150, 20 * 60_000)
    assert len(bench.said) == 1


def test_a_bag_that_never_rests_is_weighed_without_a_claim():
    """Somebody leans on it: the weight is said once, as not settled, and not compared."""
    bench = Bench()
    bench.put(60 + 50 * 1.5, 3_000)
    chance = random.Random(3)
    for _ in range(300):
        bench.scale.put(60 + 75 + chance.uniform(5, 30))
        bench.wait(100)
    bench.put(60 + 50 * 1.5, 3_000)
    shaken = [weight for weight in bench.weights() if not weight.settled]
    assert len(shaken) == 1
    assert (shaken[0].taken, shaken[0].tiles) == (None, None)
    bench.watch.ask()
    bench.wait(1_000)
    last = bench.weights()[-1]
    assert last.settled
    assert last.taken.count == 0


def test_a_swing_that_every_other_sample_catches_is_no_rest():
    """A load that swings twice as fast as it is read: the medians of three would stand still."""
    settling = Settling(0.1)
    for at in range(0, 3_000, 100):
        value = (20.0, 60.0, 20.0, -30.0)[at // 100 % 4]
        assert settling.feed(at, value) is None


def test_a_bag_that_hangs_from_a_hand_is_not_told_as_weighed():
    """Lighter than when it is empty: no count is made of it, and no draw."""
    bench = Bench()
    bench.put(60 + 80 * 1.5, 3_000)
    bench.wait_at(56.0, 2_000)
    bench.wait_at(0.0, 1_000)
    bench.put(60 + 76 * 1.5, 3_000)
    weights = [one for one in bench.weights() if one.settled]
    assert [one.taken and one.taken.count for one in weights] == [None, 4]


def test_the_count_between_two_is_a_doubt():
    """Half a tile more than seven: seven or eight, and it says both."""
    estimate = tiles_taken(PROFILE, 7.5 * 1.5)
    assert {estimate.count, estimate.alternatives[0][0]} == {7, 8}
    assert 0.4 < estimate.probability < 0.6
    total = estimate.probability + sum(share for _, share in estimate.alternatives)
    assert total == pytest.approx(1, abs=0.01)


def test_the_probability_is_as_good_as_its_word():
    """Of counts said with 90 to 99 % about so many are right: ten thousand simulated draws."""
    chance = random.Random(5)
    said, right = 0.0, 0
    heard = 0
    for _ in range(10_000):
        count = chance.randint(1, 8)
        grams = sum(chance.gauss(1.0, 0.08) for _ in range(count))
        profile = replace(PROFILE, tile_g=1.0, tile_spread_g=0.08)
        seen = grams + chance.gauss(0, 0.1) - chance.gauss(0, 0.1)
        estimate = tiles_taken(profile, seen)
        if 0.9 <= estimate.probability <= 0.99:
            heard += 1
            said += estimate.probability
            right += estimate.count == count
    assert heard > 500
    assert right / heard == pytest.approx(said / heard, abs=0.02)


def test_ten_tiles_give_mean_and_spread():
    """Weighed one after the other; what is no single tile is refused."""
    chance = random.Random(9)
    mean, spread, error = tile_statistics([chance.gauss(1.5, 0.07) for _ in range(40)])
    assert mean == pytest.approx(1.5, abs=0.05)
    assert spread == pytest.approx(0.07, abs=0.03)
    assert error == pytest.approx(spread / 40**0.5)
    with pytest.raises(DeviceError, match="one by one"):
        tile_statistics([1.5, 3.0, 1.5, 1.5, 0.0, 1.5])
    with pytest.raises(DeviceError, match="weigh ten"):
        tile_statistics([1.5])


def test_a_profile_comes_back_as_it_was_saved(tmp_path: Path):
    """And a file that is none says how to make one."""
    path = tmp_path / "scale.json"
    SCALE_FILE.save(PROFILE, path)
    assert SCALE_FILE.load(path) == PROFILE
    path.write_text('{"version": 1, "tile_g": 0}', encoding="utf-8")
    with pytest.raises(NotationError, match="tilecast calibrate scale"):
        SCALE_FILE.load(path)
    with pytest.raises(NotationError, match="no such scale profile"):
        SCALE_FILE.load(tmp_path / "other.json")
