"""Nothing that is sent breaks what reads it: ``make fuzz`` in short, and whatever broke once."""

from pathlib import Path

import pytest

from recorder.bus.broker import find_mosquitto
from tests.fuzz.doors import served
from tests.fuzz.judging import BROKE, Outcome, judge
from tests.fuzz.readers import readers
from tests.fuzz.wire import recording

pytestmark = pytest.mark.slow

FEW = 60


def sound(outcomes: list[Outcome]) -> None:
    """Each fault is shown with its input; every target has read something."""
    faults = [(outcome.name, *fault) for outcome in outcomes for fault in outcome.faults]
    assert not faults, "\n".join(f"{name}: {data[:200]!r}\n{trace}" for name, data, trace in faults)
    assert [outcome.name for outcome in outcomes if not outcome.read] == []


def test_readers_of_lines_files_and_pictures_stand_anything(tmp_path: Path) -> None:
    """Read, or refused by an error that is meant; never a traceback, a hang or all memory."""
    sound([judge(target, target.inputs(FEW, 1)) for target in readers(tmp_path)])


@pytest.mark.slow
def test_the_dashboard_stands_any_request_and_any_word_of_a_page(tmp_path: Path) -> None:
    """No answer 500, and nothing of it in the server's log."""
    with served(tmp_path) as targets:
        sound([judge(target, target.inputs(FEW, 2)) for target in targets])


@pytest.mark.broker
def test_the_recorder_stands_any_message(tmp_path: Path) -> None:
    """An honest clock at another table goes on being confirmed."""
    if find_mosquitto() is None:
        pytest.skip("Mosquitto is not installed: apt install mosquitto")
    with recording(tmp_path) as targets:
        sound([judge(target, target.inputs(10 * FEW, 3)) for target in targets])


def test_what_broke_something_once_is_fed_to_its_target(tmp_path: Path) -> None:
    """A file in ``broke`` whose name fits no target would never be tried."""
    names = {target.name for target in readers(tmp_path)} | {"http", "socket", "messages"}
    strays = [
        path.name
        for path in BROKE.iterdir()
        if not any(path.name.startswith(f"{name}-") for name in names)
    ]
    assert strays == []
