"""A matter that goes on is one notice: what is learned of it later does not tell it again."""

from collections import Counter
from pathlib import Path

import pytest

from recorder.domain.notices import Notice
from recorder.domain.record import NoticeGiven
from recorder.lab.memory_log import MemoryEventLog
from recorder.lab.scenario.play import play_through
from recorder.lab.scenario.text.grammar import read_scenario
from tests.cases import first_of

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("name", "turns"),
    first_of(1, [("078_wrong_half_twice", 2), ("078_wrong_half_stopped_after_the_draw", 1)]),
)
def test_a_turn_through_which_the_wrong_half_ran_is_told_once(name: str, turns: int) -> None:
    """It is reported while that half runs.

    For how long it ran is known only once the turn is over.
    """
    store = MemoryEventLog()
    play_through(read_scenario(HERE / f"{name}.scn", "wespa1"), store=store)
    given = Counter(
        row.says.notice.ref
        for row in store.read_from(1)
        if isinstance(row.says, NoticeGiven) and row.says.notice.code is Notice.CLOCK_WRONG_WAY
    )
    assert list(given.values()) == [1] * turns
