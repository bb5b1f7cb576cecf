"""Every number of tiles too many, too few, spilled, put back or late, at every set of sensors."""

import pytest

from recorder.domain.observations import RackSeen, Side
from recorder.domain.tiles import Tiles
from recorder.lab.scenario.play import play_through
from recorder.lab.scenario.senses import PlainSenses
from recorder.lab.scenario.text.grammar import parse_scenario
from tests.bench.bench_counts import MISHAPS, Case, outcome, some_cases

pytestmark = pytest.mark.slow
FEW = 6
"""``make bench ONLY=counts`` plays thousands of them."""


@pytest.mark.parametrize(
    "case", some_cases(FEW), ids=lambda case: f"{case.mishap.name} {case.sensors} {case.tiles}"
)
def test_no_other_number_is_reported_as_sure(case: Case) -> None:
    """The right number, or that the counts do not add up."""
    assert outcome(case) in ("right", "does not add up")


@pytest.mark.further
@pytest.mark.parametrize("number", range(FEW, 245))
def test_no_wrong_number_is_sure_in_any_case(number: int) -> None:
    """Where nothing can tell a tile put back from one not drawn, it is asked about, never sure."""
    assert outcome(some_cases(number + 1)[-1]) != "WRONG AS SURE"


class MissesOne(PlainSenses):
    """Senses whose camera of one rack never sees one of the tiles."""

    def rack(self, side: Side, count: int, letters: Tiles | None) -> RackSeen:
        """What that camera says of its rack; the other says what is there."""
        less = side is Side.LEFT and count > 0
        return super().rack(side, count - less, letters and letters[less:])


def test_a_camera_that_always_misses_a_tile_is_named_once_and_leaves_nothing_open() -> None:
    """What it alone asked about is over once it is known to be wrong."""
    played = parse_scenario(Case("racks scale", MISHAPS[1], 0, 5).text(), "case.scn")
    record = play_through(played, senses=lambda _: MissesOne(1_500_000)).record
    assert [said.code for said in record.told].count("device_contradicts") == 1
    assert record.open == ()
