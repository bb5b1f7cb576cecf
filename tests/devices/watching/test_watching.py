"""A filmed game, watched: arms from both sides, a cut-away, compression; and what is no game."""

import json
import re
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

import tilecast
from devices.cameras.reaching import Reach, field_in
from devices.lab.demo_processes import DemoProcesses
from devices.lab.game_video import Filming, film, write_video
from recorder.domain.instruments import PictureEdge
from recorder.gcg import read_gcg
from recorder.lab.venue_files import venue_toml
from tests.bench.eyes.filmed_games import film_plan, make_film
from tests.cases import first_of
from tests.eventually import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from recorder.bus.broker import BrokerHandle

pytestmark = pytest.mark.pixels

DARK_TABLE = 230
"""The number of a film whose tiles are nearly as dark as its board, in little light."""
CLOCK, SHOWN = ', clock-1 = "serial-clock"', ("Ada", "Ben", "52", "43")
RECORD = Path(tilecast.__file__).parent / "tests/golden/phony_withdrawn_after_a_challenge_bonus.gcg"


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four turns and a withdrawal, with a cut to faces and to another table."""
    path = tmp_path_factory.mktemp("film") / "game.mp4"
    write_video(film(read_gcg(RECORD.read_bytes()), 3, Filming(cuts=frozenset({3}))), path)
    return path


@pytest.mark.further
def test_a_filmed_game_is_told_as_it_was_played(
    video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Plays, a withdrawal, who made them and when; other pictures are left out."""
    gcg = tmp_path / "out.gcg"
    arguments = ["watch", str(video), "--tiles", "english", "--json", "--gcg", str(gcg)]
    assert tilecast.main([*arguments, "--doubts", str(tmp_path / "doubts")]) == 0
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    told = [(turn["player"], turn["kind"], turn["position"]) for turn in document["turns"]]
    plays = [(1, "play", "8D"), (2, "play", "9F"), (1, "play", "10D"), (1, "withdraw", "10D")]
    assert told == [*plays, (2, "play", "8D")]
    assert document["final"] == [52, 43]
    times = [turn["at_ms"] for turn in document["turns"]]
    assert times == sorted(times)
    assert "no board found" in printed.err
    assert "another picture" in printed.err
    assert "#note seen at 0:00:0" in gcg.read_text(encoding="utf-8")
    assert tilecast.main(["gcg", "check", str(gcg)]) == 0
    doubtful = sum(turn["doubtful"] for turn in document["turns"])
    assert len([*(tmp_path / "doubts").iterdir()]) == doubtful


@pytest.mark.broker
@pytest.mark.browser
def test_a_camera_alone_brings_a_game_on_air(
    video: Path,
    broker: "BrokerHandle",
    browser: "Browser",
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
):
    """Real broker, recorder, dashboard: plays and scores are right, and no clock is on screen.

    The command says as what it watches, and once that it sees the board.
    """
    caplog.set_level("INFO")
    venue = tmp_path / "venue.toml"
    venue.write_text(venue_toml(broker.url, ["Ada", "Ben"], "english").replace(CLOCK, ""))
    with ExitStack() as running:
        processes = DemoProcesses(tmp_path, running)
        processes.start("record", venue)
        output = processes.start("dashboard", "--log", tmp_path / "record/tilecast.db", "--port", 0)
        words = ["watch", str(video), "--follow", "--speed", "1.5", "--tiles", "english"]
        folder = str(tmp_path / "watched")
        assert tilecast.main([*words, "--broker", broker.url, "--folder", folder]) == 0
        assert f"watching {video} as cam-1 of venue main" in caplog.messages
        assert "cam-1: the board is seen, with 0 tiles" in caplog.messages
        eventually(lambda: "all pages" in output.read_text(encoding="utf-8"))
        (pages,) = re.findall(r"all pages +(http\S+)", output.read_text(encoding="utf-8"))
        page = running.enter_context(browser.new_context()).new_page()
        page.goto(f"{pages}overlay/full?table=1")
        for shown in SHOWN:
            page.get_by_text(shown, exact=True).first.wait_for()
        assert page.locator(".clock").count() == 0
    written = (tmp_path / "record" / "demo.gcg").read_text(encoding="utf-8")
    assert [line.split()[2:] for line in written.splitlines() if line[0] == ">"] == [
        move.split() for move in ("8D QUALM +52 52", "9F BOY +23 23", "10D ZAIL +25 77")
    ] + [["--", "-25", "52"], ["8D", ".....Y", "+20", "43"]]


BY_ONE_TILE = """#player1 Ada Ada
#player2 Ben Ben
>Ada: AILMQUZ 8D QUALM +52 52
>Ben: BDEEGOY 9F BOY +23 23
>Ada: ADEEILZ D8 .I +11 63
>Ben: ADEEGIY 8D .....Y +20 43
"""


@pytest.mark.further
def test_a_dark_tile_on_a_dark_board_is_read_once_the_arm_that_laid_it_is_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """It changes the picture by less than anything that moves: two such plays were one, or none."""
    record = tmp_path / "game.gcg"
    record.write_text(BY_ONE_TILE)
    plan = replace(film_plan(DARK_TABLE, record), filming=Filming(), code="mp4v", suffix=".mp4")
    path, _ = make_film(plan, tmp_path)
    assert tilecast.main(["watch", str(path), "--tiles", "english", "--json"]) == 0
    turns = json.loads(capsys.readouterr().out)["turns"]
    told = [(turn["player"], turn["position"], len(turn["word"] or "")) for turn in turns]
    assert told == [(1, "8D", 5), (2, "9F", 3), (1, "D8", 2), (2, "8D", 6)]


EXCHANGED = """#player1 Ada Ada
#player2 Ben Ben
>Ada: AILMQUZ 8D QUALM +52 52
>Ben: BDEEGOY 9F BOY +23 23
>Ada: ADEEILZ 10D ZAIL +25 77
>Ben: ADEEGIY 8D .....Y +20 43
>Ada: DEEIOUU -OUU +0 77
>Ben: AADEEGI -A +0 43
>Ada: DEEINRS I8 .ES +6 83
"""


@pytest.mark.further
def test_two_exchanges_in_a_row_are_doubted_where_the_next_tiles_come(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """The board shows neither; arms went to the bag, and no tiles came for long."""
    path = tmp_path / "exchanged.mp4"
    write_video(film(read_gcg(EXCHANGED.encode()), 3), path)
    assert tilecast.main(["watch", str(path), "--tiles", "english", "--json"]) == 0
    turns = json.loads(capsys.readouterr().out)["turns"]
    assert [turn["position"] for turn in turns] == ["8D", "9F", "10D", "8D", "I8"]
    assert [turn["doubtful"] for turn in turns] == [False, False, False, False, True]
    assert "two exchanges or passes in a row" in turns[-1]["doubts"][0]


OPENED = """#player1 Ada Ada
#player2 Ben Ben
>Ada: DEEIOUU -OUU +0 0
>Ben: AILMQUZ 8D QUALM +52 52
>Ada: BDEEGOY 9F BOY +23 23
"""


@pytest.mark.further
def test_an_exchange_before_the_first_tiles_makes_it_doubtful_who_laid_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Ada's arm went to the bag, and the board stayed empty; where she sits shows the rest."""
    path = tmp_path / "opened.mp4"
    write_video(film(read_gcg(OPENED.encode()), 3), path)
    for said, turns in (
        ([], [(1, "8D", True), (2, "9F", False)]),
        (["--first-from", "bottom"], [(1, None, True), (2, "8D", True), (1, "9F", False)]),
    ):
        assert tilecast.main(["watch", str(path), "--tiles", "english", "--json", *said]) == 0
        told = json.loads(capsys.readouterr().out)["turns"]
        assert [(turn["player"], turn["position"], turn["doubtful"]) for turn in told] == turns


@pytest.mark.further
def test_a_damaged_video_gives_what_there_was_and_says_so(
    video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Status 1, and the number of frames that are missing.

    Who sits where is said too: the first tiles are then those of the player named second.
    """
    data = bytearray(video.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 100_000] = bytes(number * 37 % 256 for number in range(100_000))
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(data)
    named = ["--players", "Ada", "Ben", "--first-from", "top"]
    assert tilecast.main(["watch", str(cut), "--tiles", "english", *named]) == 1
    printed = capsys.readouterr()
    line = next(line for line in printed.out.splitlines() if "QUALM" in line)
    assert "Ben" in line, printed.out
    assert re.search("it ends after [0-9]+ of [0-9]+ frames: damaged", printed.err)


@pytest.mark.parametrize("kind", first_of(1, ["two boards", "uhd 60", "upright"]))
def test_pictures_of_any_shape_are_watched_and_two_boards_refused(
    kind: str, video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """An upright telephone; 2,160 lines, 60 frames a second. Nobody says which of two boards."""
    filmed, frames = cv2.VideoCapture(str(video)), []
    while len(frames) < 60:
        frames.append(filmed.read()[1])
    first, played = frames[2], frames[50]
    path, rate = tmp_path / "odd.mp4", 10
    match kind:
        case "two boards":
            shown = [np.hstack([played, played[:, ::-1]])] * 4
        case "upright":
            shown = [cv2.copyMakeBorder(f, 400, 400, 0, 0, 0) for f in (first, played)]
            shown = [shown[0]] * 8 + [shown[1]] * 8
        case _:
            rate, large = 60, [cv2.resize(f, (2880, 2160)) for f in (first, played)]
            shown = [large[0]] * 24 + [large[1]] * 24
    writer = cv2.VideoWriter(
        str(path), cv2.VideoWriter.fourcc(*"mp4v"), rate, shown[0].shape[1::-1]
    )
    for frame in shown:
        writer.write(frame)
    writer.release()
    status = tilecast.main(["watch", str(path), "--tiles", "english", "--json"])
    printed = capsys.readouterr()
    if kind == "two boards":
        assert status == 1
        assert "two boards" in printed.err
        return
    assert [turn["word"] for turn in json.loads(printed.out)["turns"]] == ["QUALM"]


@pytest.mark.parametrize("kind", ["missing", "empty folder", "no video", "no board"])
def test_what_shows_no_game_is_refused(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """One line that names the source and what is wrong with it; no traceback."""
    path = tmp_path / "source.mp4"
    match kind:
        case "empty folder":
            path.mkdir()
        case "no video":
            path.write_bytes(b"not a video at all")
        case "no board":
            grey = np.full((240, 320, 3), 90, np.uint8)
            cv2.rectangle(grey, (40, 40), (90, 90), (10, 200, 10), -1)
            write_video(iter([grey] * 12), path)
        case _:
            pass
    assert tilecast.main(["watch", str(path), "--tiles", "english"]) == 1
    error = capsys.readouterr().err.strip().splitlines()[-1]
    assert error.startswith(f"tilecast watch: {path}: ")


def _with_arm(edge: str) -> np.ndarray:
    picture = np.full((90, 120), 100, np.int16)
    match edge:
        case "left":
            picture[40:55, :60] = 30
        case "bottom":
            picture[45:, 50:65] = 30
        case "bag":
            picture[80:, 5:20] = 30
        case _:
            pass
    return picture


@pytest.mark.parametrize(
    ("edges", "told", "arms"),
    [
        (["left"], "left", ("left",)),
        (["bottom"], "bottom", ("bottom",)),
        (["bag"], None, ("bottom",)),
    ],
)
def test_an_arm_is_known_by_the_edge_from_which_it_reaches_over_the_board(
    edges: list[str], told: str | None, arms: tuple[str, ...]
):
    """What stays beside the board, as an arm at the bag does, reaches nowhere, and came."""
    reach, still = Reach(), _with_arm("")
    field = field_in(still, ((20.0, 20.0), (100.0, 20.0), (100.0, 70.0), (20.0, 70.0)), 120)
    assert reach.lies(still) is None
    for edge in edges:
        reach.moves(_with_arm(edge), field)
    assert reach.lies(still) == told
    assert reach.arms() == arms
    assert reach.arms() == (), "told once"


def test_of_very_many_reaches_the_last_are_told():
    """A recorder takes fifty at once; people who gather round a board bring more."""
    reach, still = Reach(), _with_arm("")
    reach.step(still, None, 120, is_still=True)
    for edge in ["bottom"] * 30 + ["left"] * 30:
        reach.step(_with_arm(edge), None, 120, is_still=False)
        reach.step(still, None, 120, is_still=True)
    assert list(map(str, reach.edges())) == ["bottom"] * 20 + ["left"] * 30


def test_arms_from_two_sides_at_once_are_nobodys():
    """It could be either's turn."""
    reach, still = Reach(), _with_arm("")
    field = field_in(still, None, 120)
    reach.lies(still)
    reach.moves(_with_arm("left"), field)
    reach.moves(_with_arm("bottom"), field)
    assert reach.lies(still) is PictureEdge.UNCLEAR
