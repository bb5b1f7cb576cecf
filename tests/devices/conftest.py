"""What the device tests share: waiting with a deadline, and the agent's milliseconds."""

import time
from collections.abc import Callable

import pytest


def monotonic_ms() -> int:
    """The agent's milliseconds in tests."""
    return time.monotonic_ns() // 1_000_000


@pytest.fixture
def wait_until() -> Callable[..., None]:
    """Poll a claim until it holds; fail when it does not within the deadline."""

    def wait(claim: Callable[[], object], what: str = "", deadline_s: float = 8.0) -> None:
        end = time.monotonic() + deadline_s
        while not claim():
            if time.monotonic() > end:
                pytest.fail(f"not within {deadline_s} s: {what or claim}")
            time.sleep(0.01)

    return wait


@pytest.fixture
def ticks() -> Callable[[], int]:
    """The agent's milliseconds."""
    return monotonic_ms
