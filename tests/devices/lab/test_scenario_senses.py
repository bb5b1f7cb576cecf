"""A scenario is played through pictures and bytes: what is drawn is read, what is said is heard."""

from pathlib import Path

import pytest

import tilecast

pytestmark = [pytest.mark.pixels, pytest.mark.further]

GAME = """
rules wespa4
sensors clock camera racks slip box
rack 1 CATERS?
slip 1 empty
start
+20
lay 8F CATs
slip 1 S
+2
say 1 score 10
press 1
+2
expect turn 1 1 play 8F CATs 10
+20
cover
+2
uncover
+2
lay 9E TEA
+2
press 2
+1
expect turn 2 2 play 9E TEA 11
+2
stop
expect totals 10 11
"""


def test_a_game_is_played_through_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Tilecast scenario --pixels: a blank by its slip, a cloth over the board, a play beneath."""
    file = tmp_path / "game.scn"
    file.write_text(GAME, encoding="utf-8")
    status = tilecast.main(["scenario", "--pixels", str(file)])
    assert (status, capsys.readouterr().out) == (0, f"{file}: 3 hold\n")
