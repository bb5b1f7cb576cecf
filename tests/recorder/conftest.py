"""A table to record, and a hall of them, for the tests of the session."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recorder.hall import Hall
from tests.recorder.session_table import Table


@pytest.fixture
def table() -> Iterator[Table]:
    devices = Table()
    yield devices
    devices.bus.stop()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    hall = Hall(tmp_path)
    hall.recorder.open()
    hall.settle()
    yield hall
    hall.recorder.stop()
