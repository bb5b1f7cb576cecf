"""No attack gets through at a venue as ``tilecast init`` makes it: one start, many tries."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from recorder.bus.broker import find_mosquitto
from tests.attacks import (  # noqa: F401 - they fill the list
    on_air,
    on_broker,
    on_caches,
    on_doors,
    on_machine,
    on_pages,
)
from tests.attacks.attack import ATTACKS, Attack, Target, open_target

pytestmark = pytest.mark.broker


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """Mosquitto, recorder, dashboard and agents, as processes of their own."""
    if find_mosquitto() is None:
        pytest.skip("Mosquitto is not installed: apt install mosquitto")
    with ExitStack() as stack:
        yield open_target(stack, tmp_path_factory.mktemp("attacked"))


@pytest.mark.parametrize("tried", ATTACKS, ids=lambda tried: tried.name.replace(" ", "-"))
def test_nobody_can(target: Target, tried: Attack) -> None:
    """Whatever the severity: nothing of it is let stand."""
    tried.attempt(target)
