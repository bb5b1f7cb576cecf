"""Waiting for what happens on its own time: other processes, threads, lines, pages."""

import time
from collections.abc import Callable

import pytest

PATIENCE_S = 120.0
"""Nothing waited for takes nearly that long; a busy machine gets its time."""
BUSY_S = 240.0
"""So long programs may take to start, to answer or to end where the machine has other work."""


def eventually(holds: Callable[[], object], what: str = "", within_s: float = PATIENCE_S) -> None:
    """Wait until a condition holds; the test fails when it does not in time.

    Looked for more seldom the longer it takes: looking (a request, a log that is opened) takes the
    processor from what is waited for.
    """
    begun = time.monotonic()
    while not holds():
        waited = time.monotonic() - begun
        if waited > within_s:
            pytest.fail(f"not within {within_s:g} s: {what or holds}")
        time.sleep(min(0.01 + waited / 10, 0.1))
