"""Games with labels of several letters, from the table to the pages and the record, and back."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pypdf import PdfReader

import tilecast
from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from dashboard.overlays.fields import fields_of
from recorder.domain.game import replay
from recorder.domain.tile_text import read_tiles, write_tiles
from recorder.domain.tiles import Tile, as_blank
from recorder.gcg import read_gcg
from recorder.gcg.cgp import position
from recorder.gcg.history import game_history
from recorder.lab.memory_log import MemoryEventLog
from recorder.lab.scenario.play import Playthrough, play_through
from recorder.lab.scenario.text.grammar import read_scenario
from recorder.log.sqlite import SqliteEventLog
from recorder.table.live_gcg import gcg_text
from recorder.tilesets import load_tile_set, tile_set_names, tile_set_of
from tests.cases import first_of
from tests.folded import broadcast_frame, score_sheet

pytestmark = pytest.mark.slow

SPANISH = """
tiles spanish
players Ana Luz
draw 1 7
draw 2 7
rack 1 CA[LL]EBOS
start
+20
lay 8F CALLE
+2
press 1
+5
draw 1 4
+20
lay I5 NOch.
say 2 blank ch
+2
press 2
+5
draw 2 3
+15
lay 6F PERR.
+2
press 1
+5
draw 1 3
+15
lay H8 .AÑO
+2
press 2
+5
draw 2 3
+15
lay 11C CABAll.
say 1 blank ll
+2
press 1
+5
draw 1 5
+20
expect turn 1 1 play 8F CALLE 26
expect turn 2 2 play I5 NOch. 3
expect turn 3 1 play 6F PERR. 19
expect turn 4 2 play H8 .AÑO 18
expect turn 5 1 play 11C CABAll. 18
expect board 8H LL
expect board G11 ll
expect board 7I ch
stop
+5
director end
+5
"""
CATALAN = """
tiles catalan
players Pau Mar
draw 1 7
draw 2 7
start
+20
lay 8E COL·LEGI
+2
press 1
+5
draw 1 6
+20
lay G8 .[ny]QUE
say 2 blank NY
+2
press 2
+5
draw 2 3
+20
expect turn 1 1 play 8E COL·LEGI 36
expect board 8G L·L
expect board G9 [ny]
stop
director end
+5
"""
CLUB = """
name = "club"
blanks = 3
faces = [
    { label = "A", count = 9, value = 1, vowel = true },
    { label = "DZS", count = 1, value = 8 },
    { label = "X", count = 60, value = 4 },
]
"""
OWN = """
tiles club.toml
players Ana Luz
draw 1 7
draw 2 7
start
+20
lay 8G ADZSa
say 1 blank a
+2
press 1
+5
draw 1 3
+20
lay H7 X.
+2
press 2
+15
expect turn 1 1 play 8G ADZSa 18
expect turn 2 2 play H7 X. 12
stop
director end
+5
"""


SMALL = """
tiles {}
sensors clock camera box racks
players Ana Luz
draw 1 7
draw 2 7
start
+20
lay 8D {}
+2
press 1
+5
draw 1 5
+20
lay H8 .{}
say 2 blank {}
+2
press 2
+5
draw 2 4
rack 2 {}
+20
"""


def played(folder: Path, text: str) -> tuple[Playthrough, MemoryEventLog]:
    """A scenario in a file, played; every expectation holds."""
    path = folder / "game.scn"
    path.write_text(text, encoding="utf-8")
    log = MemoryEventLog()
    done = play_through(read_scenario(path), store=log)
    assert done.failed == []
    return done, log


def frame_of(log: MemoryEventLog) -> dict[str, Any]:
    """The public frame at the end."""
    frame = broadcast_frame(log.read_from(1))
    assert frame is not None
    return json.loads(json.dumps(frame))


@pytest.mark.parametrize(
    ("text", "words", "blanks"),
    [
        (
            SPANISH,
            ["CA[LL]E", "NO[ch].", "PE[RR].", ".AÑO", "CABA[ll]."],
            {"blank1": "CH", "blank2": "LL"},
        ),
        (CATALAN, ["CO[L·L]EGI", ".[ny][QU]E"], {"blank1": "NY"}),
    ],
    ids=["Spanish", "Catalan"],
)
def test_a_whole_game_goes_from_the_table_to_every_reader_and_back(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    text: str,
    words: list[str],
    blanks: dict[str, str],
) -> None:
    """Played at the table, on air, on the score sheet, as GCG, CGP and GameHistory, read again."""
    done, log = played(tmp_path, text)
    started = next(row.says for row in log.read_from(1) if row.type == "game.started")
    tile_set = tile_set_of(started)
    assert [line["word"] for line in score_sheet(log.read_from(1)) if line["word"]] == words
    frame = frame_of(log)
    assert [len(read_tiles(row)) for row in frame["board"]] == [15] * 15
    fields = fields_of(frame, 0)
    assert {name: fields[name] for name in blanks} == blanks
    assert "[" not in fields["last_play"] + fields["last_word"] + fields["unseen_tiles"]
    labels = [tile.label for tile in tile_set.letters]
    assert [*frame["tile_set"]["values"]] == labels
    assert sum(frame["unseen"]["tiles"].values()) == frame["unseen"]["count"]
    events = [line["event"] for line in _events(log)]
    gcg = gcg_text(("Ana", "Luz"), tile_set, events)
    path = tmp_path / "game.gcg"
    path.write_text(gcg, encoding="utf-8")
    assert tilecast.main(["gcg", "check", str(path)]) == 0
    assert tilecast.main(["gcg", "show", str(path)]) == 0
    capsys.readouterr()
    game = read_gcg(path.read_bytes())
    assert (game.ok, game.tile_set) == (True, tile_set)
    assert replay(tile_set, game.events).board == replay(tile_set, events).board
    nameless = read_gcg(re.sub("#tile-distribution .*\n", "", gcg))
    assert nameless.tile_set == tile_set
    assert game_history(game)["events"][0]["played_tiles"] == words[0]
    assert words[0].replace("[", "").replace("]", "") in plain(position(game))
    assert done.record.board == replay(tile_set, game.events).board


def _events(log: MemoryEventLog) -> list[dict[str, Any]]:
    from recorder.projections.broadcast import Projection

    projection = Projection(1)
    for row in log.read_from(1):
        projection.advance(row)
    return [{"event": event} for event in projection.state.events]


def plain(text: str) -> str:
    return text.replace("[", "").replace("]", "")


def test_a_tile_set_of_ones_own_takes_one_file(tmp_path: Path) -> None:
    """Beside the scenario; the record has its faces, so nobody needs the file afterwards."""
    club = tmp_path / "club.toml"
    club.write_text(CLUB, encoding="utf-8")
    _, log = played(tmp_path, OWN)
    club.unlink()
    frame = frame_of(log)
    assert frame["tile_set"]["values"] == {"A": 1, "DZS": 8, "X": 4}
    assert write_tiles([Tile("DZS")]) in frame["board"][7]
    assert "club" not in tile_set_names()


def test_a_record_file_takes_a_tile_set_of_ones_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By a path relative to the settings; a mistake is named with file and line."""
    (tmp_path / "club.toml").write_text(CLUB, encoding="utf-8")
    venue = tmp_path / "venue.toml"
    table = '[[table]]\nnumber = 1\nplayers = ["Ana", "Luz"]\nrules = "wespa4"\ntiles = "{}"\n'
    devices = '[table.devices]\nclock-1 = "clock"\n'
    venue.write_text(table.format("club.toml") + devices, encoding="utf-8")
    assert tilecast.main(["record", str(venue), "--check"]) == 0
    (tmp_path / "club.toml").write_text(CLUB.replace("count = 1,", "count = 0,"), encoding="utf-8")
    assert tilecast.main(["record", str(venue), "--check"]) == 1
    assert "club.toml:6: the count of DZS must be 1 or more" in capsys.readouterr().err
    venue.write_text(table.format("spanisch") + devices, encoding="utf-8")
    assert tilecast.main(["record", str(venue), "--check"]) == 1
    assert "did you mean spanish?" in capsys.readouterr().err
    venue.write_text(table.format("spanish") + devices + 'cam = "rack-camera"\n', encoding="utf-8")
    assert tilecast.main(["record", str(venue), "--check"]) == 0
    (tmp_path / "club.toml").write_text(CLUB, encoding="utf-8")
    venue.write_text(
        table.format("club.toml") + devices + 'cam = "rack-camera"\n', encoding="utf-8"
    )
    assert tilecast.main(["record", str(venue), "--check"]) == 1
    wrong = "table 1: cam is a rack-camera, and cameras of this release cannot read DZS of"
    assert wrong in capsys.readouterr().err


def test_an_agent_refuses_a_camera_that_cannot_read_the_tiles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In words, before anything starts: which letters, and what to do."""
    (tmp_path / "club.toml").write_text(CLUB, encoding="utf-8")
    agent = tmp_path / "table-1.toml"
    device = 'kind = "board-camera"\nname = "cam-1"\nsource = "/dev/video0"\ntiles = "club.toml"\n'
    agent.write_text(
        f'[broker]\nurl = "mqtt://127.0.0.1:1883"\n[[device]]\n{device}', encoding="utf-8"
    )
    assert tilecast.main(["agent", str(agent), "--check"]) == 1
    told = capsys.readouterr().err
    assert "the eyes cannot read DZS of the tile set club.toml" in told


@pytest.mark.parametrize("name", tile_set_names())
def test_a_typed_word_reads_back_in_every_shipped_set(name: str) -> None:
    """Each letter of the alphabet in one word, typed without brackets, and as blanks."""
    tile_set = load_tile_set(name)
    word = tile_set.letters[:15]
    typed = "".join(tile.label for tile in word)
    assert read_tiles(write_tiles(word), tile_set) == word
    if tile_set.longest == 1:
        assert read_tiles(typed.lower(), tile_set) == read_tiles(write_tiles(word).lower())


@pytest.mark.slow
@pytest.mark.parametrize("name", first_of(3, tile_set_names()))
def test_every_shipped_set_goes_from_the_table_to_pages_and_paper(
    tmp_path: Path, name: str
) -> None:
    """Overlay, commentator, score sheet as PDF, GCG and position, with the scores of its values."""
    tile_set = load_tile_set(name)
    odd = sorted(tile_set.letters, key=lambda tile: (len(tile.label) == 1, tile.label.isascii()))
    across, down, rack, blank = tuple(odd[:5]), tuple(odd[5:8]), tuple(odd[8:15]), as_blank(odd[0])
    laid = [write_tiles(one) for one in (across, (*down, blank), (blank,), rack)]
    (tmp_path / "game.scn").write_text(SMALL.format(name, *laid), encoding="utf-8")
    with SqliteEventLog(tmp_path / "log.db") as log:
        play_through(read_scenario(tmp_path / "game.scn"), store=log)
    values = [tile_set.value(tile) for tile in across]
    scores = [2 * (sum(values) + values[0]), values[4] + sum(map(tile_set.value, down))]
    access = Access(director_token="director-key-1", commentator_token="commentator-1")
    app = create_app(Settings(log=tmp_path / "log.db", access=access))
    with TestClient(app, base_url="http://127.0.0.1:8015") as client:
        client.get("/enter/director-key-1")
        frame = client.get("/api/table/1/frame").json()
        with client.websocket_connect("ws://127.0.0.1:8015/ws/commentator/1") as socket:
            while "frame" not in (message := socket.receive_json()):
                pass
        files = {
            file: client.get(f"/api/table/1/export/{file}").content
            for file in ("sheet.pdf", "gcg", "cgp", "history.json")
        }
    assert [line["score"] for line in frame["players"]] == scores
    assert frame["board"][7] == f"...{write_tiles(across)}......."
    assert frame["last_play"]["word"] == f".{write_tiles((*down, blank))}"
    assert frame["unseen"]["tiles"][blank.label] == tile_set.count(Tile(blank.label)) - 1
    shown = message["frame"]
    assert shown["racks"][1]["seen"]["letters"] == write_tiles(rack)
    assert shown["sheet"][1]["word"] == frame["last_play"]["word"]
    (page,) = PdfReader(io.BytesIO(files["sheet.pdf"])).pages
    printed = page.extract_text()
    assert write_tiles(across) in printed
    assert [str(score) in printed for score in scores] == [True, True]
    game = read_gcg(files["gcg"])
    assert (game.ok, game.tile_set, list(game.final)) == (True, tile_set, scores)
    assert f"3{write_tiles(across)}7" in files["cgp"].decode()
    words = [line["played_tiles"] for line in json.loads(files["history.json"])["events"]]
    assert words == [write_tiles(across), frame["last_play"]["word"]]
