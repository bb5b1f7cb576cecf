"""Power is cut at any moment: what was acknowledged is there, and every file opens.

What a disk does that says it has flushed and has not is not tried.
"""

import random
import shutil
from pathlib import Path

import pytest

from tests.cases import first_of
from tests.recorder.log.power import WAYS, cuts, traced

pytestmark = pytest.mark.slow
ROUNDS = 13
CUTS = 240


@pytest.mark.parametrize("count", first_of(1, [16, CUTS]))
def test_at_every_cut_all_that_was_acknowledged_is_there(tmp_path: Path, count: int) -> None:
    """Of a log, an outbox, pictures, accounts, slots and a clock's mark, in four ways."""
    if shutil.which("strace") is None:
        pytest.skip("needs strace")
    work, room, trace = tmp_path / "work", tmp_path / "room", tmp_path / "trace"
    work.mkdir()
    room.mkdir()
    fault = traced(work, ROUNDS, trace)
    if "Operation not permitted" in fault:
        pytest.skip("strace may not trace here")
    assert fault == ""
    found = list(cuts(trace, work, room, random.Random(37), count // len(WAYS)))
    assert len(found) == count
    assert [each for each in found if each[1] not in ("", "seen")] == []
