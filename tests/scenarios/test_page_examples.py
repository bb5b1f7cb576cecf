"""The examples of docs/scenarios.md hold, and a director says where points of a challenge go."""

import re
from pathlib import Path

import pytest

import tilecast

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```text\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
IN_VAIN = """
rules wespa1
players Anna Ben
start
+25
lay 8F CATER
+2
press 1
+3
say 2 challenge
stop
director settle challenge {way}
expect turn 1 1 play 8F CATER 14
expect totals {totals}
"""


def holds(text: str, folder: Path) -> bool:
    """Whether ``tilecast scenario`` finds that all lines of a file hold."""
    file = folder / "example.scn"
    file.write_text(text, encoding="utf-8")
    return tilecast.main(["scenario", str(file)]) == 0


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_what_the_page_shows_holds(example: str, tmp_path: Path) -> None:
    """Unchanged, under names that two players have."""
    assert holds(example if "players" in example else f"players Anna Ben\n{example}", tmp_path)


@pytest.mark.parametrize(
    ("way", "totals"),
    [("stays_opponent_score", "19 0"), ("stays_challenger_minus", "14 -5"), ("stays", "14 0")],
)
def test_where_points_of_a_challenge_go_is_asked_with_the_verdict(
    way: str, totals: str, tmp_path: Path
) -> None:
    """WESPA 1 says five points a word, and not whose score they change: each way is offered."""
    assert holds(IN_VAIN.format(way=way, totals=totals), tmp_path)
