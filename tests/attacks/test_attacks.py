"""No attack gets through at a venue as ``tilecast init`` makes it: one start, many tries."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from recorder.bus.broker import find_mosquitto
from tests.attacks.attack import Attack, Target, open_target
from tests.attacks.every_attack import ATTACKS

pytestmark = pytest.mark.broker


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """Mosquitto, recorder, dashboard and agents, as processes of their own."""
    if find_mosquitto() is None:
        pytest.skip("Mosquitto is not installed: apt install mosquitto")
    with ExitStack() as stack:
        yield open_target(stack, tmp_path_factory.mktemp("attacked"))


LONG = {
    "know early what the public may know late", "be counted twice",
    "poison what a cache keeps for others", "see a finished game corrected early",
    "give an order beyond what one may say", "say something else under the same number",
    "get in without a password", "fill the disk with fields that a press has not",
    "read the racks in a copy of the log", "have a fault or a foreign name kept",
    "drip heads and bodies from many lines",
}  # fmt: skip
"""They take long; tests of pages and of their delay try the same in shorter ways."""


@pytest.mark.parametrize(
    "tried",
    [
        pytest.param(tried, marks=pytest.mark.further if tried.name in LONG else ())
        for tried in ATTACKS
    ],
    ids=lambda tried: tried.name.replace(" ", "-"),
)
def test_nobody_can(target: Target, tried: Attack) -> None:
    """Whatever the severity: nothing of it is let stand."""
    tried.attempt(target)
