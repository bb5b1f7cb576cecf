"""Logs of earlier releases fold to the game that was played, and nothing is reported again."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from recorder.domain.row_kind import Kind
from recorder.lab.comparison import event_text, recorded_events
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from recorder.projections.timeline import Timeline
from recorder.table.game_recorder import GameRecorder, TablePlan
from recorder.wire import events
from tests.folded import broadcast_frame

pytestmark = pytest.mark.slow

LOGS = Path(__file__).parents[2] / "golden" / "logs"
Json = dict[str, Any]


def rows_of(log: Path, folder: Path) -> list[Row]:
    """The rows of a golden log, whose chain holds; SQLite works beside a copy."""
    copy = shutil.copy(log, folder / log.name)
    with SqliteEventLog.open_reader(Path(copy)) as reader:
        assert reader.verify() is None
        return list(reader.read_from(1))


@pytest.fixture(scope="module", params=sorted(LOGS.glob("*.db")), ids=lambda log: log.stem)
def golden(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[list[Row], Json]:
    log: Path = request.param
    rows = rows_of(log, tmp_path_factory.mktemp("golden"))
    return rows, json.loads(log.with_suffix(".json").read_text())


def game_recorder_of(rows: list[Row]) -> GameRecorder:
    """A game recorder that has taken a log in, as after a restart."""
    game_recorder = GameRecorder(
        TablePlan(started=events.STARTED.read(dict(rows[0].body["data"])), devices={})
    )
    for row in rows:
        game_recorder.take(row)
    return game_recorder


def test_an_old_log_folds_to_its_game(golden: tuple[list[Row], Json]) -> None:
    """The turns and both totals, from the recorded turns and on the public page alike."""
    rows, expected = golden
    assert [event_text(event) for event in recorded_events(rows)] == expected["turns"]
    frame = broadcast_frame(rows)
    assert [player["score"] for player in frame["players"]] == expected["totals"]
    assert list(game_recorder_of(rows).ruled().state.scores) == expected["totals"]


@pytest.mark.slow
def test_a_restart_on_an_old_log_takes_back_a_guess_alone(golden: tuple[list[Row], Json]) -> None:
    """Nothing is reported again but what this release knows better.

    In the log of sentences: one letter on the slip for two blanks is the letter of neither, notices
    of tiles that were put right are over, and what stands open gets rows, of which it kept none.
    """
    rows, expected = golden
    news = game_recorder_of(rows).pending_rows(rows[-1].at + 1)
    procedures = [row for row in news if row.body.get("type") == "table.procedure"]
    assert [row.body["data"]["key"] for row in procedures] == expected["procedures_stand"]
    rest = [row for row in news if row not in procedures]
    assert [[row.kind.value, *row.refs] for row in rest] == expected["restart"]
    corrected = [row for row in news if row.kind is Kind.CORRECTED]
    words = [event["data"]["word"] for row in corrected for event in row.body["events"]]
    assert words == expected["corrected"]


def test_what_an_old_log_tells_the_director_still_holds(golden: tuple[list[Row], Json]) -> None:
    """Notices and doubts by their rows, who has signed, and which procedures stand open."""
    rows, expected = golden
    story = Timeline(rows[0].table)
    for row in rows:
        story.advance(row)
    items = story.items()
    standing = [item for item in items if item["superseded_by"] is None]
    assert [item["seq"] for item in standing if "notice" in item] == expected["noticed"]
    assert [item["seq"] for item in standing if item["doubt"]] == expected["doubted"]
    assert [one and one["row"] for one in story.signatures()] == expected["signed"]
    assert [_short(one) for one in story.procedures()] == expected["procedures"]


def _short(procedure: Json) -> Json:
    return {name: procedure[name] for name in ("row", "code", "title", "facts", "steps", "done")}
