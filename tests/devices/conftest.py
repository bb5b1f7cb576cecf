"""What the device tests share: the agent's milliseconds."""

import time
from collections.abc import Callable

import pytest


def monotonic_ms() -> int:
    """The agent's milliseconds in tests."""
    return time.monotonic_ns() // 1_000_000


@pytest.fixture
def ticks() -> Callable[[], int]:
    return monotonic_ms
