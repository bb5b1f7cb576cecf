"""A table as a stream of JSON lines: what a reader is sent, and the reader of the documents."""

import contextlib
import io
import json
import re
import threading
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from dashboard.watch.stream import Teller
from recorder.bus.broker import free_port
from recorder.domain.game import Conceded, EndRackPoints, Played, TimePenalty
from recorder.domain.plays import parse_placement
from recorder.projections.broadcast import Projection
from tests.browser.conftest import Server, now_ms
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.eventually import BUSY_S, eventually

PAGE = Path(__file__).parents[3] / "docs" / "library.md"


def frames(table: TableWriter) -> Any:
    fold = Projection(table.table)
    for row in table.rows:
        fold.advance(row)
    return {**fold.frame(), "sheet": {str(at): s.as_public() for at, s in enumerate(fold.lines)}}


def test_a_correction_sends_the_lines_again(tmp_path: Path) -> None:
    """From the first line that reads otherwise on; nothing twice else."""
    table, teller = TableWriter(tmp_path / "log.db", at=now_ms()), Teller()
    table.start(("Ada", "Ben"))
    first = table.play(0, OPENING[0])
    said = teller.news(frames(table))
    assert [message["type"] for message in said] == ["game", "turn"]
    table.play(1, OPENING[1])
    assert [message["at"] for message in teller.news(frames(table))] == [1]
    assert teller.news(frames(table)) == []
    table.correct(first.seq, Played(0, parse_placement(OPENING[0]), 70))
    said = teller.news(frames(table))
    assert [(message["type"], message["at"]) for message in said] == [
        ("from", 0), ("turn", 0), ("turn", 1),
    ]  # fmt: skip
    table.record(Conceded(1, 50, "resignation"))
    assert [message["type"] for message in teller.news(frames(table))] == ["turn", "over"]
    assert teller.news(frames(table)) == []
    table.log.close()


def test_an_end_that_changes_is_sent_again(tmp_path: Path) -> None:
    """Points for overtime are entered after the game: the result that is left is the right one."""
    table, teller = TableWriter(tmp_path / "log.db", at=now_ms()), Teller()
    table.start(("Ada", "Ben"))
    table.play(0, OPENING[0])
    table.record(EndRackPoints(0, 2))
    assert teller.news(frames(table))[-1]["scores"] == [68, 0]
    table.record(TimePenalty(0, 10))
    assert [m.get("scores") for m in teller.news(frames(table)) if m["type"] == "over"] == [[58, 0]]
    table.log.close()


@pytest.mark.slow
def test_the_reader_of_the_documents_follows_a_game(tmp_path: Path) -> None:
    """The twenty lines of docs/library.md, against a dashboard that runs."""
    table = TableWriter(tmp_path / "log.db", at=now_ms())
    table.start(("Ada", "Ben"))
    table.play(0, OPENING[0])
    server = Server(tmp_path / "log.db", free_port())
    server.start()
    (example,) = re.findall(r"```python\n(.*?ndjson.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    example = example.replace("http://127.0.0.1:8015", server.url(""))
    printed = io.StringIO()

    def read() -> None:
        with contextlib.redirect_stdout(printed):
            exec(compile(example, "library.md", "exec"), {})

    reader = threading.Thread(target=read)
    reader.start()
    eventually(lambda: "Ada play ZEPHYR 66" in printed.getvalue())
    table.play(1, OPENING[1])
    eventually(lambda: "Ben play CO.Y 17" in printed.getvalue())
    table.record(Conceded(1, 50, "resignation"))
    reader.join(timeout=60)
    assert printed.getvalue().endswith("over [66, 17]\n")
    address = server.url("/api/table/9/turns.ndjson")
    with urllib.request.urlopen(address, timeout=BUSY_S) as stream:
        assert stream.headers.get_content_type() == "application/x-ndjson"
        assert json.dumps(stream.readline().decode()) == '"\\n"', "nothing of a table without games"
    server.kill()
    table.log.close()
