"""Examples are true: those of docs/library.md, and those in the docstrings of the program."""

import doctest
import importlib
import re
from pathlib import Path

import cv2
import pytest

import tilecast
from devices.lab.game_script import faces
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from recorder.bus.broker import free_port
from recorder.domain.board import EMPTY_BOARD
from recorder.domain.plays import parse_placement
from tests.browser.conftest import Server

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
ALONE = PAGE.partition("## Rounds in a calendar")[2]
PLAYS = ("8D FABLE", "F8 .RISK")
WITH_EXAMPLES = sorted(
    file.relative_to(ROOT)
    for package in ("recorder", "devices", "dashboard", "calibration")
    for file in (ROOT / package).rglob("*.py")
    if re.search(r"^\s+>>> ", file.read_text(encoding="utf-8"), re.MULTILINE)
)


def photograph(folder: Path) -> None:
    """The photographs of which the page speaks: the empty board, then one for each play."""
    folder.mkdir()
    scene = TableScene(demo_style(), 5)
    board = EMPTY_BOARD
    for number, play in enumerate(("", *PLAYS)):
        if play:
            board = board.place(parse_placement(play).new_tiles())
        scene.board = faces(board)
        cv2.imwrite(str(folder / f"photo-{number}.jpg"), scene.frame(number))


def failures(test: doctest.DocTest) -> str:
    """What is not as the examples say; empty when all of it is."""
    said: list[str] = []
    doctest.DocTestRunner().run(test, out=said.append)
    return "".join(said)


@pytest.mark.pixels
def test_the_examples_of_the_page_are_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the top to the bottom, as somebody would type them, beside a folder of photographs."""
    photograph(tmp_path / "photos")
    monkeypatch.chdir(tmp_path)
    examples = "\n".join(re.findall(r"```pycon\n(.*?)```", PAGE, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "library.md", "library.md", 0)
    assert len(test.examples) > 20
    assert failures(test) == ""


@pytest.mark.further
@pytest.mark.slow
def test_the_reader_of_a_calendar_prints_the_rounds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Against a dashboard that runs, of an event whose name needs marks in a calendar."""
    log = tmp_path / "log.db"
    for order in ("about name Open, Spring", "player A Ann", "times A 2026-11-28 10:00 11:30"):
        assert tilecast.main(["event", "order", str(log), *order.split()]) == 0
    server = Server(log, free_port())
    server.start()
    (example,) = re.findall(r"```python\n(.*?rounds\.ics.*?)```", ALONE, re.DOTALL)
    capsys.readouterr()
    exec(
        compile(example.replace("http://127.0.0.1:8015", server.url("")), "library.md", "exec"), {}
    )
    server.kill()
    assert capsys.readouterr().out.splitlines() == [
        "28.11. 10:00 Open, Spring, division A: round 1",
        "28.11. 11:30 Open, Spring, division A: round 2",
    ]


def test_there_are_examples_in_docstrings() -> None:
    """Where a line of code says more than a sentence."""
    assert len(WITH_EXAMPLES) > 5


@pytest.mark.parametrize("file", WITH_EXAMPLES, ids=str)
def test_the_examples_of_a_module_are_true(file: Path) -> None:
    module = importlib.import_module(".".join(file.with_suffix("").parts))
    tests = doctest.DocTestFinder().find(module)
    assert any(test.examples for test in tests)
    assert "".join(map(failures, tests)) == ""


def test_every_entry_point_of_the_page_is_tried() -> None:
    """The table at the top names no module that the examples leave out."""
    table = "\n".join(line for line in PAGE.splitlines() if line.startswith("|"))
    examples = "\n".join(re.findall(r"```pycon\n(.*?)```", PAGE, re.DOTALL))
    missing = {
        name
        for name in re.findall(r"`([a-z_.0-9]+\.[a-z_.0-9]+)`", table)
        if name not in examples and name != "recorder.word_lists"
    }
    assert missing == set()
