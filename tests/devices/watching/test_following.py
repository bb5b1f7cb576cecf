"""``tilecast watch --follow`` into a real recorder: how what it follows ends, what is no game."""

import os
import re
import signal
import threading
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import tilecast
from devices.lab.demo_processes import DemoProcesses
from devices.lab.game_video import film, write_video
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from recorder.domain.game import Played
from recorder.domain.record import Recorded
from recorder.domain.tile_text import read_tiles
from recorder.gcg import read_gcg
from recorder.lab.venue_files import venue_toml
from recorder.log.sqlite import SqliteEventLog
from tests.bench.eyes.frame_times import with_times
from tests.boards import board_of
from tests.cases import first_of
from tests.devices.watching.picture_stream import streaming
from tests.eventually import eventually

if TYPE_CHECKING:
    from collections.abc import Callable

    from devices.pictures import Image
    from recorder.bus.broker import BrokerHandle

pytestmark = [pytest.mark.pixels, pytest.mark.broker]

CLOCK = ', clock-1 = "serial-clock"'
GAME = """#player1 Ada Ada
#player2 Ben Ben
>Ada: AILMQUZ 8D QUALM +52 52
>Ben: BDEEGOY 9F BOY +23 23
"""
OPENED = """#player1 Ada Ada
#player2 Ben Ben
>Ada: DEEIOUU -OUU +0 0
>Ben: AILMQUZ 8D QUALM +52 52
>Ada: BDEEGOY 9F BOY +23 23
"""
BOY_LIES = 70
"""The number of the first frame without Ben's arm, after his play."""
SEEN = "cam-1: the board is seen, with 0 tiles"
MOVES = "something was still moving when the film ended at 0:00:0"


def grey() -> "Image":
    return np.full((480, 640, 3), 90, np.uint8)


def half_a_game() -> "Image":
    """A board on which 25 tiles lie already."""
    scene = TableScene(demo_style("english"), 3)
    plays = ("8D QUALM", "9F BOY", "10D ZAIL", "H1 MAGICAL.", "1H .ANNERS")
    scene.board = board_of(*plays).rows()
    return scene.frame(1)


@pytest.fixture(scope="module")
def frames() -> "list[Image]":
    """Two turns, filmed until a third of a second after the last arm is gone."""
    return list(islice(film(read_gcg(GAME.encode()), 3), BOY_LIES + 3))


@pytest.fixture
def follow(broker: "BrokerHandle", tmp_path: Path) -> "Callable[..., tuple[int, list[str]]]":
    """Follows a source into a recorder of its own: the status, and what is then recorded.

    The recorder is started at once, or when ``once`` holds.
    """

    def followed(
        source: object, *words: str, once: "Callable[[], bool] | None" = None
    ) -> tuple[int, list[str]]:
        venue = tmp_path / "venue.toml"
        venue.write_text(venue_toml(broker.url, ["Ada", "Ben"], "english").replace(CLOCK, ""))
        to = ["--broker", broker.url, "--folder", str(tmp_path / "watched"), *words]
        with ExitStack() as running:
            processes = DemoProcesses(tmp_path, running)

            def record() -> None:
                if once is not None:
                    eventually(once)
                processes.start("record", venue)

            recorder = threading.Thread(target=record)
            running.callback(recorder.join)
            recorder.start()
            if once is None:
                eventually((tmp_path / "record" / "tilecast.db").exists)
            status = tilecast.main(["watch", str(source), "--follow", *to])
        record = tmp_path / "record" / "demo.gcg"
        lines = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
        return status, [" ".join(line.split()[2:4]) for line in lines if line[0] == ">"]

    return followed


@pytest.mark.further
@pytest.mark.parametrize(("last", "last_ms"), first_of(1, [(1, 100), (2, 100), (1, 30), (2, 30)]))
def test_a_play_laid_as_a_followed_film_ends_is_recorded_or_missed_aloud(
    last: int,
    last_ms: int,
    frames: "list[Image]",
    follow: "Callable[..., tuple[int, list[str]]]",
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    """Two frames alike show that it lies; after a single one nobody knows, which is said."""
    path = tmp_path / "ending.mp4"
    write_video(iter(frames[: BOY_LIES + last]), path)
    path.write_bytes(with_times(path.read_bytes(), [(100, BOY_LIES - 1), (last_ms, last + 1)]))
    status, recorded = follow(path, "--speed", "10")
    said = capsys.readouterr().err
    assert (status, recorded) == (0, ["8D QUALM", "9F BOY"][:last]), said
    assert (MOVES in said) is (last == 1)


@pytest.mark.further
def test_a_play_laid_just_before_a_followed_camera_is_ended_is_recorded(
    frames: "list[Image]",
    follow: "Callable[..., tuple[int, list[str]]]",
    caplog: pytest.LogCaptureFixture,
):
    """Ctrl-C two seconds after the last arm is gone; what is seen then reaches the recorder."""
    caplog.set_level("INFO")
    with streaming(frames, once=lambda: SEEN in caplog.messages) as stream:

        def interrupt() -> None:
            assert stream.given.wait(60)
            stream.ended.wait(2.0)
            os.kill(os.getpid(), signal.SIGINT)

        user = threading.Thread(target=interrupt)
        user.start()
        status, recorded = follow(stream.address)
        user.join()
    assert (status, recorded) == (0, ["8D QUALM", "9F BOY"])


ODD = {
    "no board": (1, "no picture shows a board"),
    "a game in progress": (0, "the board is seen, with 25 tiles"),
    "two boards": (1, "two boards of like size are in the picture"),
    "damaged": (1, "it ends after [0-9]+ of 73 frames: damaged, or still written"),
}


@pytest.mark.further
@pytest.mark.parametrize("kind", first_of(1, ODD))
def test_a_followed_film_that_is_no_game_ends_with_a_reason(
    kind: str,
    frames: "list[Image]",
    follow: "Callable[..., tuple[int, list[str]]]",
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
):
    """As it is read, or when it ends; of what is damaged there is what came before."""
    caplog.set_level("INFO")
    shown = {
        "no board": [grey()] * 12,
        "two boards": [np.hstack([frames[0], frames[0][:, ::-1]])] * 8,
        "a game in progress": [half_a_game()] * 8,
    }
    path = tmp_path / "odd.mp4"
    write_video(iter(shown.get(kind, frames)), path)
    if kind == "damaged":
        data = bytearray(path.read_bytes())
        from_here = len(data) * 7 // 10
        data[from_here : from_here + 100_000] = bytes(at * 37 % 256 for at in range(100_000))
        path.write_bytes(data)
    status, says = ODD[kind]
    recorded = ["8D QUALM"] if kind == "damaged" else []
    assert follow(path, "--speed", "10") == (status, recorded)
    assert re.search(says, capsys.readouterr().err + caplog.text)


@pytest.mark.further
def test_a_followed_film_waits_for_a_recorder_that_is_late(
    frames: "list[Image]",
    follow: "Callable[..., tuple[int, list[str]]]",
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
):
    caplog.set_level("INFO")
    path, waits = tmp_path / "film.mp4", "cam-1 has ended; waiting until the recorder has all of it"
    write_video(iter(frames), path)
    status, recorded = follow(path, "--speed", "10", once=lambda: waits in caplog.messages)
    assert (status, recorded) == (0, ["8D QUALM", "9F BOY"])


@pytest.mark.further
def test_a_followed_stream_that_stalls_is_said_with_what_helps(
    frames: "list[Image]",
    follow: "Callable[..., tuple[int, list[str]]]",
    caplog: pytest.LogCaptureFixture,
):
    """No end: it may come again; what was seen before it stalled is recorded."""
    lost = "camera lost: no frames come; is its server on, and is this its address?"
    caplog.set_level("INFO")
    with streaming(frames[:57], stalls=True, once=lambda: SEEN in caplog.messages) as stream:

        def interrupt() -> None:
            eventually(lambda: lost in caplog.text)
            os.kill(os.getpid(), signal.SIGINT)

        user = threading.Thread(target=interrupt)
        user.start()
        status, recorded = follow(stream.address)
        user.join()
    assert (status, recorded) == (0, ["8D QUALM"])


@pytest.mark.further
def test_a_followed_game_that_opens_with_an_exchange_is_doubted_at_its_first_play(
    follow: "Callable[..., tuple[int, list[str]]]", tmp_path: Path
):
    """Ada's arm went to the bag; Ben, who lays first, is taken for her, with a doubt."""
    path = tmp_path / "opened.mp4"
    write_video(film(read_gcg(OPENED.encode()), 3), path)
    assert follow(path, "--speed", "10") == (0, ["8D QUALM", "9F BOY"])
    with SqliteEventLog.open_reader(tmp_path / "record" / "tilecast.db") as reader:
        said = [row.says for row in reader.read_from(1)]
    newest = {
        saying.event.placement.word: saying.turn.doubt
        for saying in said
        if isinstance(saying, Recorded) and isinstance(saying.event, Played)
    }
    first = newest.pop(read_tiles("QUALM"))
    assert [reason.code for reason in first.reasons] == ["first_may_be_second"]
    assert newest == {read_tiles("BOY"): None}
