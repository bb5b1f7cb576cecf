"""`tilecast export site` in a folder that others have been in before."""

from pathlib import Path

import pytest

import tilecast
from tests.dashboard.table_writer import TableWriter
from tests.dashboard.watch.test_cacheable import play_out

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "place", ["index.html", "static", "static/colours.css", "games", "games/round.1-1/game.json"]
)
def test_nothing_is_written_through_a_link(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    """Anyone who may write to the folder has the export change no file elsewhere."""
    log = tmp_path / "log.db"
    table = TableWriter(log, at=1_000_000)
    play_out(table, "round.1-1")
    table.log.close()
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    precious = elsewhere / "precious"
    precious.write_text("untouched", "utf-8")
    link = out / place
    link.parent.mkdir(parents=True)
    link.symlink_to(precious if link.suffix else elsewhere)
    assert tilecast.main(["export", "site", str(log), str(out)]) == 1
    assert f"{link} is a link" in capsys.readouterr().err
    link.unlink()
    if link.suffix:
        link.hardlink_to(precious)
    assert tilecast.main(["export", "site", str(log), str(out)]) == 0
    assert precious.read_text("utf-8") == "untouched"
    assert list(elsewhere.iterdir()) == [precious]
