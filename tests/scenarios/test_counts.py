"""Every number of tiles too many, too few, spilled, put back or late, at every set of sensors."""

import pytest

from tests.bench.bench_counts import Case, cases, outcome

pytestmark = pytest.mark.slow
FEW = 6
"""``make bench ONLY=counts`` plays thousands of them."""


@pytest.mark.parametrize(
    "case", list(cases(FEW)), ids=lambda case: f"{case.mishap.name} {case.sensors} {case.tiles}"
)
def test_no_other_number_is_reported_as_sure(case: Case) -> None:
    """The right number, or that the counts do not add up."""
    assert outcome(case) in ("right", "does not add up")


@pytest.mark.further
@pytest.mark.parametrize("number", range(FEW, 245))
def test_no_wrong_number_is_sure_in_any_case(number: int) -> None:
    """Where nothing can tell a tile put back from one not drawn, it is asked about, never sure."""
    (case,) = list(cases(number + 1))[-1:]
    assert outcome(case) != "WRONG AS SURE"
