"""A table to record, for the tests of the session."""

from collections.abc import Iterator

import pytest

from tests.recorder.session_table import Table


@pytest.fixture
def table() -> Iterator[Table]:
    """The devices of table 1."""
    devices = Table()
    yield devices
    devices.bus.stop()
