"""``split``: turns that nobody saw are entered with one order, from a command line."""

from pathlib import Path
from typing import Any

import pytest

import tilecast
from recorder.domain.observations import BoardNotSeen, Side
from recorder.log.sqlite import SqliteEventLog
from tests.recorder.order_game import EMPTY, HAND, OrderGame
from tests.recorder.orders.test_correct_cli import listed

pytestmark = pytest.mark.slow

FOUR = """
...............
........TIN....
......HAND.....
.....CAT.......
....OUR........
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log: HAND, then three turns while the camera saw nothing."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.show(HAND)
    game.turn(Side.LEFT, HAND)
    game.see(BoardNotSeen(frame="f", reason="no frame came"))
    game.press(Side.RIGHT, Side.LEFT)
    game.press(Side.LEFT, Side.RIGHT)
    game.turn(Side.RIGHT, FOUR)
    path = tmp_path / "tilecast.db"
    with SqliteEventLog(path) as store:
        store.append(game.drafts())
    return path


def hole_in(document: dict[str, Any]) -> dict[str, Any]:
    """The entry of the turns that nobody saw."""
    (hole,) = (entry for entry in document["entries"] if entry["type"] == "game.unseen")
    assert isinstance(hole, dict)
    return hole


def test_a_hole_counts_nothing_and_is_split_into_its_turns(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No points before; then those of every play, which the list of orders gives too."""
    before = listed(log, capsys)
    hole = hole_in(before)
    assert hole["turns"] == 3
    assert before["totals"] == [16, 0]
    assert "3 turns not seen" in hole["text"]
    order = ["split", hole["name"], "2", "9F", "CAT,", "7I", "TIN,", "10E", "OUR"]
    assert tilecast.main(["correct", str(log), *order]) == 0
    capsys.readouterr()
    after = listed(log, capsys)
    texts = [(entry["player"], entry["text"]) for entry in after["entries"]]
    assert [player for player, _ in texts] == [0, 1, 0, 1]
    points = [int(text.rsplit("+", 1)[1]) for _, text in texts]
    assert after["totals"] == [points[0] + points[2], points[1] + points[3]]
    assert min(points) > 0
    (given,) = after["orders"]
    assert given["text"] == (
        f"{hole['text']} was 3 turns: "
        f"9F CAT +{points[1]}, then 7I TIN +{points[2]}, then 10E OUR +{points[3]}"
    )
    assert tilecast.main(["correct", str(log), "undo", "c1"]) == 0
    capsys.readouterr()
    assert listed(log, capsys)["totals"] == [16, 0]


@pytest.mark.parametrize(
    ("turns", "why"),
    [
        ("2 9F CAT, pass, 7I TIN", "no turn has these tiles yet: 10E=O 10F=U 10G=R"),
        ("2 9F CAT, 12D TEN", "puts tiles on 12D 12E 12F that are not among its tiles"),
        ("2 9F COT", "puts tiles on 9G that are not among its tiles"),
        ("2 9F CAT, exchange 9", "n exchange is 1 to 7 tiles"),
        ("2 9F CAT, hm", "is not a turn"),
        ("3 9F CAT", "not a player"),
    ],
)
def test_what_a_split_leaves_over_is_named(
    log: Path, capsys: pytest.CaptureFixture[str], turns: str, why: str
) -> None:
    """Every tile that came is in one play, and nothing else is."""
    hole = hole_in(listed(log, capsys))
    assert tilecast.main(["correct", str(log), "split", hole["name"], *turns.split()]) == 1
    assert why in capsys.readouterr().err


def test_an_inserted_play_is_listed_with_what_it_scored(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody typed points; the list gives those that were worked out."""
    first = listed(log, capsys)["entries"][0]["name"]
    order = ["insert", first, "2", "play", "7G", "AE"]
    assert tilecast.main(["correct", str(log), *order]) == 0
    capsys.readouterr()
    after = listed(log, capsys)
    text = next(entry["text"] for entry in after["entries"] if "7G AE" in entry["text"])
    assert not text.endswith("+0")
    assert after["orders"][0]["text"].endswith(text)
