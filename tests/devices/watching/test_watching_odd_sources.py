"""Sources that misbehave, given to ``tilecast watch``: uneven times, half a game, a stall."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tilecast
from devices.cameras.camera import open_source
from devices.lab.game_video import write_video
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.pictures import Image
from devices.watching import settled_looks
from recorder.domain.board import EMPTY_BOARD, Board
from recorder.domain.errors import NotationError
from tests.bench.eyes.frame_times import with_times
from tests.boards import board_of
from tests.cases import first_of

pytestmark = pytest.mark.pixels

HALF = ("8D QUALM", "9F BOY", "10D ZAIL", "H1 MAGICAL.", "1H .ANNERS")


def shown(scene: TableScene, board: Board, count: int) -> Iterator[Image]:
    """So many frames of a board at rest."""
    scene.board = board.rows()
    return (scene.frame(number) for number in range(count))


def watched(
    capsys: pytest.CaptureFixture[str], source: object, *words: object
) -> tuple[int, dict[str, Any], str]:
    """Status, document and what was said on the way."""
    status = tilecast.main(["watch", str(source), "--tiles", "english", "--json", *map(str, words)])
    printed = capsys.readouterr()
    return status, json.loads(printed.out) if printed.out else {}, printed.err


@pytest.fixture(scope="module")
def scene() -> TableScene:
    """A table with a camera; what lies on it, each test says."""
    return TableScene(demo_style("english"), 3)


@pytest.mark.further
def test_frames_at_uneven_times_are_told_when_they_were_filmed(
    scene: TableScene, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twenty frames a second, then one a second, as telephones do in the dark."""
    path = tmp_path / "uneven.mp4"
    frames = [*shown(scene, EMPTY_BOARD, 8), *shown(scene, board_of("8D QUALM"), 8)]
    write_video(iter(frames), path)
    path.write_bytes(with_times(path.read_bytes(), [(50, 8), (1000, 8)]))
    status, document, _ = watched(capsys, path)
    (turn,) = document["turns"]
    assert (status, turn["word"]) == (0, "QUALM")
    assert turn["at_ms"] == 2400, "the third frame of those a second apart"


@pytest.mark.parametrize("last_ms", first_of(1, [100, 30]), ids=["ten a second", "uneven"])
@pytest.mark.parametrize(("last", "plays"), first_of(1, [(2, ["QUALM", "BOY"]), (1, ["QUALM"])]))
def test_a_play_laid_as_the_film_ends_is_read_or_missed_aloud(
    last: int,
    plays: list[str],
    last_ms: int,
    scene: TableScene,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Two frames alike show that it lies; after a single one nobody knows, which is a doubt."""
    path = tmp_path / "ending.mp4"
    frames = [*shown(scene, EMPTY_BOARD, 8), *shown(scene, board_of("8D QUALM"), 8)]
    write_video(iter([*frames, *shown(scene, board_of("8D QUALM", "9F BOY"), last)]), path)
    path.write_bytes(with_times(path.read_bytes(), [(100, 15), (last_ms, last + 1)]))
    status, document, said = watched(capsys, path)
    assert (status, [turn["word"] for turn in document["turns"]]) == (0, plays)
    if last > 1:
        assert document["turns"][-1]["frames"] == [16, 17]
    assert document["ends_moving_ms"] == (None if last > 1 else 1500 + last_ms)
    assert ("something was still moving when the film ended at 0:00:01" in said) is (last == 1)


@pytest.mark.further
def test_a_film_that_begins_amid_a_game_is_told_from_there(
    scene: TableScene, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What lay there is no turn; the first turn is doubtful; a GCG of half a game is refused."""
    path, gcg = tmp_path / "half.mp4", tmp_path / "half.gcg"
    frames = [
        *shown(scene, board_of(*HALF), 8),
        *shown(scene, board_of(*HALF, "10D ....S"), 8),
    ]
    write_video(iter(frames), path)
    status, document, said = watched(capsys, path, "--gcg", gcg)
    (turn,) = document["turns"]
    assert (turn["position"], turn["word"], turn["doubtful"]) == ("10D", "....S", True)
    assert document["began_with"] == list(board_of(*HALF).rows())
    assert (status, gcg.exists()) == (1, False)
    assert "no GCG of a game in progress" in said


def test_a_camera_that_never_answers_is_told_with_what_helps(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address where nothing listens is no question of plugs."""
    monkeypatch.setattr(settled_looks, "STALLED_S", 0.5)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody else gets it, and nobody listens
        port = taken.getsockname()[1]
        assert tilecast.main(["watch", f"http://127.0.0.1:{port}/video"]) == 1
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert f"nothing listens at port {port} of 127.0.0.1: is the camera's server on?" in said


@pytest.mark.parametrize(
    ("form", "server"),
    [
        ("http://127.0.0.1:{}/shot.jpg", "the camera's server"),
        ("phone+http://key@127.0.0.1:{}/1", "the dashboard"),
    ],
)
def test_a_camera_of_snapshots_that_is_switched_off_says_what_helps(form: str, server: str) -> None:
    """In words, and no number of the system's: it stands on the director's page."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        camera = open_source(form.format(port), lambda: 0)
        assert camera.read(1.0) is None
        camera.close()
    assert camera.lost == f"nothing listens at port {port} of 127.0.0.1: is {server} on?"


@pytest.mark.parametrize(
    ("data", "reason"), [(None, "no camera source is named"), (b"", "cut off before its end")]
)
def test_no_source_and_a_file_without_its_end_are_refused(
    data: bytes | None, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unset variable of the shell names no folder; a recording was broken off."""
    path = tmp_path / "game.mp4"
    if data is not None:
        path.write_bytes(data)
    assert tilecast.main(["watch", "" if data is None else str(path)]) == 1
    assert reason in capsys.readouterr().err


def test_animated_pictures_are_films_or_named_for_what_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """A GIF plays like any film; an animated WebP is no photograph, and says what helps."""
    from PIL import Image as Pictures

    frames = [Pictures.new("RGB", (64, 48), (shade, 20, 20)) for shade in (0, 90, 200)]
    for name in ("film.gif", "film.webp"):
        frames[0].save(tmp_path / name, save_all=True, append_images=frames[1:], duration=100)
    source = open_source(str(tmp_path / "film.gif"), lambda: 0)
    assert source.read() is not None
    with pytest.raises(NotationError, match="animated WebP"):
        open_source(str(tmp_path / "film.webp"), lambda: 0)
    for name, what in (("film.gif", "a GIF is not read"), ("film.webp", "an animated WebP shows")):
        assert tilecast.main(["read", str(tmp_path / name)]) == 1
        assert what in capsys.readouterr().err


@pytest.mark.further
def test_a_gif_of_photographs_is_read_picture_by_picture(
    scene: TableScene, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each is shown for half a second, so none of its frames has another like it."""
    from PIL import Image as Pictures

    boards = (EMPTY_BOARD, board_of("8D QUALM"), board_of("8D QUALM", "9F BOY"))
    shots = [image[:, :, ::-1] for board in boards for image in shown(scene, board, 1)]
    # The usual way to 256 colours takes half a second a picture.
    octree = Pictures.Quantize.FASTOCTREE
    first, *others = (Pictures.fromarray(shot).quantize(method=octree) for shot in shots)
    path = tmp_path / "slides.gif"
    first.save(path, save_all=True, append_images=others, duration=500)
    status, document, _ = watched(capsys, path)
    assert (status, [turn["word"] for turn in document["turns"]]) == (0, ["QUALM", "BOY"])
