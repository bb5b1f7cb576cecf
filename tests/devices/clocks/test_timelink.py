"""Two clocks compared by exchanged stamps: offset, drift, jumps, and when that is news."""

import random

import pytest

from devices.link.timelink import (
    Measured,
    SyncTeller,
    TimeLink,
    asked_by_device,
    asked_by_reference,
)

pytestmark = pytest.mark.slow


def _exchange(
    true_ms: float, ppm: float, offset_ms: float, chance: random.Random, slowest_ms: float = 30
) -> Measured:
    """A SYNC at ``true_ms`` to a device that gains ``ppm``; ways of 2 ms and more, uneven."""

    def device(at: float) -> int:
        return round(at * (1 + ppm / 1e6) - offset_ms)

    there, back = chance.uniform(2, slowest_ms), chance.uniform(2, slowest_ms)
    received, answered = true_ms + there, true_ms + there + 1 + back
    return asked_by_reference(
        asked_ms=round(true_ms),
        received_ms=device(received),
        sent_ms=device(received + 1),
        answered_ms=round(answered),
    )


@pytest.mark.parametrize("ppm", [0.0, 50.0, 200.0, -120.0])
def test_offset_and_drift_are_found(ppm: float):
    """Ten minutes of exchanges: the drift within 15 ppm, stamps within 10 ms, also a minute on."""
    chance = random.Random(7)
    link = TimeLink()
    for true_ms in range(0, 600_000, 5_000):
        assert link.measure(_exchange(true_ms, ppm, 40_000, chance)) == 0
    assert link.drift_ppm == pytest.approx(ppm, abs=15)
    for true_ms in (600_000, 660_000):
        stamp = round(true_ms * (1 + ppm / 1e6) - 40_000)
        assert link.agent_ms(stamp) == pytest.approx(true_ms, abs=10)


def test_a_jump_is_noticed_and_begun_anew_from():
    """The device's time leaps by five seconds: named once, then right again at once."""
    chance = random.Random(8)
    link = TimeLink()
    for true_ms in range(0, 100_000, 5_000):
        link.measure(_exchange(true_ms, 0, 0, chance))
    jump_ms = link.measure(_exchange(100_000, 0, -5_000, chance))
    assert jump_ms == pytest.approx(-5_000, abs=40)
    assert link.measure(_exchange(105_000, 0, -5_000, chance)) == 0
    assert link.agent_ms(111_000) == pytest.approx(106_000, abs=20)
    assert link.drift_ppm is None


def test_a_round_trip_below_zero_is_no_comparison():
    """Stamps that contradict each other are left out."""
    link = TimeLink()
    link.measure(asked_by_device(1_000, 2_000, 9_000, 1_010))
    assert link.exchanges == 0
    assert link.error_ms is None


@pytest.mark.parametrize("ppm", [2_800.0, -2_800.0])
def test_a_strong_drift_is_known_before_a_minute_is_over(ppm: float):
    """Ways of 2 to 10 ms: some pair of quick comparisons bounds it within a tenth."""
    for seed in range(20):
        chance = random.Random(seed)
        link, teller, told = TimeLink(), SyncTeller("agent"), []
        for true_ms in [*range(0, 16_000, 1_000), *range(16_000, 60_000, 10_000)]:
            link.measure(_exchange(true_ms, ppm, 0, chance, slowest_ms=10))
            news = teller.news(link, true_ms)
            told += [] if news is None or news.drift_ppm is None else [news.drift_ppm]
        assert told[0] == pytest.approx(ppm, rel=0.1)


def test_a_comparison_is_news_at_first_then_once_a_minute_and_after_a_jump():
    """Not with every heartbeat; and once when the drift is known, here after a minute."""
    teller, link, said = SyncTeller("recorder"), TimeLink(), []
    for device_ms in range(1_000, 200_000, 1_000):
        one = asked_by_device(device_ms - 5, device_ms + 9_000, device_ms + 9_000, device_ms + 5)
        link.measure(one)
        news = teller.news(link, device_ms)
        if news is not None:
            said.append((device_ms, news.offset_ms, news.error_ms))
    assert [at for at, _, _ in said] == [4_000, 64_000, 70_000, 130_000, 190_000]
    assert {(offset, error) for _, offset, error in said} == {(9_000.0, 5.0)}
    assert teller.news(link, 200_500, jumped=True) is not None


def test_slow_answers_of_a_busy_machine_are_no_drift() -> None:
    """Two minutes of which the second answers late: wrong by half a round trip each, at most."""
    link = TimeLink()
    for number in range(120):
        late_ms = 0 if number < 60 else 300
        at_ms = 1000 * number
        link.measure(
            asked_by_reference(
                asked_ms=at_ms, received_ms=at_ms + late_ms, sent_ms=at_ms + late_ms,
                answered_ms=at_ms + late_ms,
            )
        )  # fmt: skip
    assert link.drift_ppm is None
