"""How long a venue's check waits for a broker: as long as a busy machine takes; the umask."""

import os
from collections.abc import Iterator

import pytest

from calibration.venue import readiness
from tests.eventually import BUSY_S


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker that is at fault ends by itself, one that is not serves: neither waits for it."""
    monkeypatch.setattr(readiness, "SERVES_WITHIN_S", BUSY_S)


@pytest.fixture(autouse=True)
def _umask() -> Iterator[None]:
    """A command makes all files of its process private; the next test is another process."""
    before = os.umask(0o022)
    yield
    os.umask(before)
