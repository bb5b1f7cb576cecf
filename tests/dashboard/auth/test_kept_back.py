"""What rules keep back from the director while a game is on is in no row and no bundle either."""

import io
import json
import zipfile
from pathlib import Path

from fastapi.testclient import TestClient

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from recorder.domain.notices import Manner, Notice, Phase, Release, Routing, TableNotice, Why
from recorder.domain.record import NoticeGiven, ProcedureOver, ProcedureStands
from recorder.domain.row_kind import Kind
from recorder.domain.standing_procedures import StandingProcedure
from recorder.log.sqlite import SqliteEventLog
from recorder.wire.rows import write_row
from tests.dashboard.table_writer import TableWriter
from tests.eventually import eventually

KEY = "director-key-1"
WITHHELD = Routing(
    director=Manner.WITHHELD,
    players=False,
    commentator=Release.NEVER,
    public=Release.NEVER,
    rule="INT-2",
    why=Why.SILENT_UNTIL_SIGNED,
    later=Phase.OVER,
)


def test_a_notice_that_is_kept_back_is_told_nowhere_nor_is_its_procedure(tmp_path: Path) -> None:
    """Its place in the chain is shown, so that the bundle can still be verified."""
    with SqliteEventLog(tmp_path / "log.db") as log:
        table = TableWriter(log, at=1_000_000)
        table.start(rules="naspa")
        play = table.play(0, "8D ZEPHYR")
        notice = TableNotice(
            ref=play.seq, refs=(play.seq,), code=Notice.SCORE_ANNOUNCED, player=0, routing=WITHHELD
        )
        open_ = StandingProcedure(
            key=f"score_announced-{play.seq}",
            code="score_announced",
            group=play.seq,
            director=Manner.WITHHELD,
        )
        over = ProcedureOver(key=open_.key, director=Manner.WITHHELD)
        row, *others = (
            table.write(Kind.RECORDED, write_row(says), refs=(play.seq,))
            for says in (NoticeGiven(notice=notice), ProcedureStands(procedure=open_), over)
        )
        access = Access(director_token=KEY, commentator_token="commentator-1")
        app = create_app(Settings(log=tmp_path / "log.db", access=access))
        with TestClient(app, base_url="http://127.0.0.1:8015") as client:
            client.get(f"/enter/{KEY}")
            eventually(lambda: client.get("/healthz").json()["log"] == "following")
            assert client.get(f"/api/row/{play.seq}").status_code == 200
            for withheld in (row, *others):
                assert client.get(f"/api/row/{withheld.seq}").status_code == 403
            packed = client.get("/api/table/1/export/bundle.zip").content
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        name = next(name for name in archive.namelist() if name.endswith("rows.jsonl"))
        kept = [json.loads(line) for line in archive.read(name).decode().splitlines()]
    assert kept[row.seq - 1]["hash"] == row.hash
    assert "kept back" in kept[row.seq - 1]["body"]
    assert "score_announced" not in json.dumps(kept)
