"""Waiting for what happens on its own time: other processes, threads, lines, pages."""

import time
from collections.abc import Callable

import pytest

PATIENCE_S = 60.0
"""Nothing waited for takes nearly that long; a busy machine gets its time."""
BUSY_S = 240.0
"""So long programs may take to start, to answer or to end where the machine has other work."""


def eventually(holds: Callable[[], object], what: str = "", within_s: float = PATIENCE_S) -> None:
    """Wait until a condition holds; the test fails when it does not in time."""
    deadline = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > deadline:
            pytest.fail(f"not within {within_s:g} s: {what or holds}")
        time.sleep(0.01)
