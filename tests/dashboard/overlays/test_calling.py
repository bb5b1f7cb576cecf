"""What a streamer takes from a table besides pictures: captions, clips, chat, chapters, scenes."""

import csv
import io
import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

import tilecast
from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from dashboard.overlays.webhook import Webhook, read_webhook
from recorder.domain.board import parse_square
from recorder.domain.errors import NotationError
from recorder.domain.game import (
    Conceded,
    EndRackPenalty,
    EndRackPoints,
    GameEvent,
    IllegallyPlayed,
    Passed,
    Withdrawn,
)
from recorder.domain.laying_faults import LayingFault
from recorder.domain.tile_text import read_tiles
from tests.dashboard.table_writer import TableWriter
from tests.eventually import eventually
from tests.served import Quiet, serving

pytestmark = pytest.mark.slow

NAMES = ("Anna <b> --> Lindqvist", "=Ben")
BEGAN = 1_800_000_000_000


def client_of(folder: Path, **settings: Any) -> TestClient:
    access = Access(director_token="director-key-1", commentator_token="commentator-1")
    kept = {"slots": folder / "slots.json", **settings}
    made = Settings(log=folder / "log.db", access=access, **kept)
    return TestClient(create_app(made), base_url="http://127.0.0.1:8015", follow_redirects=False)


def played(table: TableWriter) -> None:
    """A bingo, a lead that goes over, a play challenged off, and a play-out."""
    table.play(0, "8D ZEPHYR")
    table.play(1, "F6 CO.Y")
    table.play(0, "6F .AVE")
    table.play(1, "I6 .A.N")
    table.record(Withdrawn(1, 14))
    table.record(EndRackPoints(0, 22, read_tiles("QU")))


@pytest.fixture
def table(write_table: Callable[[int], TableWriter]) -> TableWriter:
    """A table whose names were typed by somebody unkind."""
    writer = write_table(BEGAN)
    writer.start(NAMES)
    return writer


@pytest.fixture
def client(tmp_path: Path, table: TableWriter) -> Iterator[TestClient]:
    """At a dashboard that has read the game."""
    played(table)
    with client_of(tmp_path) as client:
        eventually(lambda: client.get("/o/table-1/field/turn.txt").text == "4", "it is read")
        yield client


def cues_of(text: str) -> list[tuple[str, str]]:
    """The cues of a WebVTT file as a player takes them: times, and text."""
    head, *cues = text.strip().split("\n\n")
    assert head == "WEBVTT"
    return [(times, said) for times, said in (cue.split("\n") for cue in cues)]


def test_the_play_calling_is_a_file_of_captions(client: TestClient) -> None:
    """A cue for each turn, from the instant that is named; names end no cue and are no tags."""
    cues = cues_of(client.get("/api/table/1/captions.vtt").text)
    assert len(cues) == 7, "six lines, and who won"
    assert cues[0][0] == "00:00:01.000 --> 00:00:02.000"
    assert "ZEPHYR" in cues[0][1]
    assert not any("<b>" in said or "-->" in said for _, said in cues)
    assert cues[4][1].startswith("=Ben loses ")
    assert cues[6][1].endswith(" points")
    later = datetime.fromtimestamp((BEGAN + 5_500) / 1000, UTC).isoformat()
    cut = cues_of(client.get("/api/table/1/captions.vtt", params={"from": later}).text)
    assert [said for _, said in cut] == [said for _, said in cues[4:]]
    german = client.get("/api/table/1/captions.vtt?lang=de").text
    assert "legt ZEPHYR auf 8D" in german
    assert client.get("/api/table/1/captions.vtt?from=yesterday").status_code == 422
    assert cues_of(client.get("/api/table/9/captions.vtt").text) == []


def test_an_adjourned_game_that_goes_on_is_said_once(tmp_path: Path, table: TableWriter) -> None:
    """However many games its table had meanwhile, it goes on where it was; captions too."""
    table.play(0, "8D ZEPHYR")
    adjourned = table.state
    for number in range(2, 7):
        table.start(("Cleo", "Dan"), game=f"g{number}")
        table.play(0, "8D QUARTZ")
        table.record(EndRackPoints(0, 2))
    table.at += 60_000
    table.start(NAMES)
    table.state = adjourned
    table.play(1, "F6 CO.Y")
    with client_of(tmp_path) as client:
        eventually(lambda: client.get("/o/table-1/field/turn.txt").text == "2", "it goes on")
        assert client.get("/o/table-1/fields.json").json()["p1_score"] == "66"
        said = [text for _, text in cues_of(client.get("/api/table/1/captions.vtt").text)]
    assert sum("ZEPHYR" in text for text in said) == 1
    assert "COPY" in said[-1]


STRAY = ((parse_square("1A")[0], read_tiles("Q")[0]), (parse_square("9C")[0], read_tiles("I")[0]))


@pytest.mark.parametrize(
    ("event", "said", "leader"),
    [
        (EndRackPenalty(0, 8), "Lindqvist: own tiles left, \N{MINUS SIGN}8 points.", 0),
        (Conceded(0, 50, "lateness"), "Lindqvist loses the game.", 1),
        (IllegallyPlayed(0, STRAY, (LayingFault.NOT_IN_LINE,), 0), "lays tiles for 0 points.", 0),
    ],
    ids=["own tiles", "came too late", "tiles in no line"],
)
def test_a_line_says_what_happened(
    tmp_path: Path, table: TableWriter, event: GameEvent, said: str, leader: int
) -> None:
    """Points for own tiles are no gain, and who has lost leads no more; each has a picture."""
    table.play(0, "8D ZEPHYR")
    if isinstance(event, IllegallyPlayed):
        table.record(Passed(1))
    table.record(event)
    count = len(table.rows) - 1
    with client_of(tmp_path) as client:
        sheet = "/public/table/1.json"
        eventually(lambda: len(client.get(sheet).json()["frame"]["sheet"]) == count, "it is read")
        cues = cues_of(client.get("/api/table/1/captions.vtt").text)
        name = client.get("/o/table-1/field/leader.txt").text
        assert client.get("/watch/game/1/g1.png").status_code == 200
    assert any(said in text for _, text in cues)
    assert name == NAMES[leader]


def test_moments_are_clips_for_any_editor(client: TestClient, table: TableWriter) -> None:
    """As a table and as a list of edits; a name that begins like a formula is text."""
    rows = list(csv.DictReader(io.StringIO(client.get("/api/table/1/clips.csv").text)))
    assert [row["kind"] for row in rows] == ["phony", "out"]
    assert rows[0]["player"] == "'=Ben"
    assert rows[0]["start"] == "00:00:00.000"
    assert rows[0]["end"] == "00:00:11.000"
    assert rows[1]["word"] == "", "no word, and no apostrophe either"
    edits = client.get("/api/table/1/clips.edl").text.splitlines()
    assert edits[:3] == ["TITLE: Tilecast", "FCM: NON-DROP FRAME", ""]
    assert edits[3].split() == ["001", "AX", "V", "C", "00:00:00:00", "00:00:11:00",
                                "00:00:00:00", "00:00:11:00"]  # fmt: skip
    assert edits[4].startswith("* FROM CLIP NAME: Phony: =Ben loses")


def test_a_chat_asks_for_a_sentence(client: TestClient) -> None:
    """``!score``, ``!bag`` and ``!lastplay`` of a bot that fetches an address, when flooded too."""
    fields = {name: client.get(f"/o/table-1/field/chat_{name}.txt").text
              for name in ("score", "bag", "lastplay")}  # fmt: skip
    assert fields["score"].startswith("Anna <b> --> Lindqvist ")
    assert fields["score"].endswith("Table 1")
    assert fields["bag"].startswith("Bag: ")
    assert "COPY" not in fields["lastplay"]
    assert not any("\n" in text for text in fields.values())
    begun = time.process_time()  # the server runs in this process; others may keep it waiting
    for _ in range(300):
        assert client.get("/o/table-1/field/chat_score.txt").status_code == 200
    assert time.process_time() - begun < 10


class Chat(Quiet):
    """A server of webhooks; ``/elsewhere`` leads inside, ``/hangs`` never answers."""

    said: list[dict[str, Any]]
    asked: list[str]

    def answer(self) -> None:
        """Take a message as Discord does."""
        self.asked.append(self.path)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/elsewhere":
            self.give(b"", 307, Location="/inside")
            return
        if self.path == "/hangs":
            time.sleep(3)
            return
        self.said.append(json.loads(body))
        self.send_response(204)
        self.end_headers()


@pytest.fixture
def chat() -> Iterator[tuple[str, type[Chat]]]:
    """The address of a chat, and what it was sent."""
    kept = type("Kept", (Chat,), {"said": [], "asked": []})
    with serving(kept) as address:
        yield address, kept


def test_bingos_and_results_are_posted_once(
    tmp_path: Path, table: TableWriter, chat: tuple[str, type[Chat]]
) -> None:
    """What happened before the dashboard began is not; nobody is called by a name."""
    address, kept = chat
    table.play(0, "8D ZEPHYR")
    with client_of(tmp_path, webhook=f"{address}/hook") as client:
        eventually(lambda: client.get("/o/table-1/field/turn.txt").text == "1", "it is read")
        time.sleep(1.5)
        table.play(1, "10A RELAXES", points=77)
        eventually(lambda: len(kept.said) == 1, "the bingo is posted")
        table.record(EndRackPoints(1, 22, read_tiles("QU")))
        eventually(lambda: len(kept.said) == 2, "so is the result")
    bingo, result = (said["content"] for said in kept.said)
    assert bingo.startswith("Bingo: =Ben plays RELAXES at 10A for 77 points.")
    assert result.startswith("=Ben wins by ")
    assert all(said["allowed_mentions"] == {"parse": []} for said in kept.said)


def test_a_webhook_that_hangs_or_leads_elsewhere_holds_nothing_up(
    chat: tuple[str, type[Chat]], caplog: pytest.LogCaptureFixture
) -> None:
    """It is left after its time, followed nowhere, and named."""
    address, kept = chat
    for path in ("/elsewhere", "/hangs"):
        webhook = Webhook(address + path, patience_s=0.5)
        webhook.start()
        begun = time.monotonic()
        for number in range(200):
            webhook.post(f"turn {number}")
        assert time.monotonic() - begun < 1
        eventually(lambda path=path: path in kept.asked, "it was asked")
        webhook.stop()
    assert "/inside" not in kept.asked
    assert "answers 307" in caplog.text
    assert "does not keep up" in caplog.text


def test_a_file_without_an_address_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "webhook.txt"
    file.write_text("not an address")
    with pytest.raises(NotationError, match=r"webhook\.txt: not an address"):
        read_webhook(file)
    words = ["dashboard", "--log", str(tmp_path / "log.db"), "--webhook", str(file), "--check"]
    assert tilecast.main(words) == 1
    assert "webhook.txt: not an address" in capsys.readouterr().err


def test_obs_imports_the_scenes(client: TestClient) -> None:
    """Every scene holds its browser source, and every source opens."""
    answer = client.get("/o/table-1/obs-scenes.json")
    assert "attachment" in answer.headers["content-disposition"]
    made = answer.json()
    names = {source["name"]: source for source in made["sources"]}
    assert {"next", "live", "final"} <= {scene["name"] for scene in made["scene_order"]}
    for scene in made["scene_order"]:
        (item,) = names[scene["name"]]["settings"]["items"]
        settings = names[item["name"]]["settings"]
        assert item["scale"] == {"x": 1.0, "y": 1.0}
        assert client.get(settings["url"]).status_code == 200
    upright, _ = client.get("/o/table-1/obs-scenes.json?shape=vertical").json()["sources"]
    assert (upright["settings"]["width"], upright["settings"]["height"]) == (1080, 1920)
    assert client.get("/o/nothing/obs-scenes.json").status_code == 404


@pytest.mark.further
def test_a_phone_reads_the_code_on_air(tmp_path: Path, table: TableWriter) -> None:
    """It leads to the games: where the streamer says that they are, else on this server."""
    look = tmp_path / "look.toml"
    look.write_text('watch = "https://games.example.org/watch"\n')
    for branding, leads in (
        (None, "http://127.0.0.1:8015/watch"),
        (look, "https://games.example.org/watch"),
    ):
        with client_of(tmp_path, branding=branding) as client:
            svg = client.get("/watch/qr.svg").text
        side = int(svg.split('viewBox="0 0 ')[1].split()[0])
        picture = np.full((side, side), 255, np.uint8)
        for dark in svg.split('<path d="M')[1].split('"')[0].split("M"):
            x, y = dark.split("h")[0].split()
            picture[int(y), int(x)] = 0
        large = cv2.resize(picture, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
        assert cv2.QRCodeDetector().detectAndDecode(large)[0] == leads
    look.write_text('watch = "javascript:alert(1)"\n')
    with pytest.raises(NotationError, match="watch"):
        client_of(tmp_path, branding=look)
