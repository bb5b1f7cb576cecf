"""``tilecast replay`` on folders of photographs: rendered here, and the real ones where present."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

import tilecast
from devices.lab.game_script import faces
from devices.lab.scenes.lens import SceneCamera, Sensor
from devices.lab.scenes.scene import Scene, render
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from recorder.domain.board import EMPTY_BOARD, Board
from recorder.domain.plays import parse_placement
from recorder.gcg import read_gcg, write_gcg
from tests.cases import first_of

pytestmark = pytest.mark.slow

PLAYS = ("8D FABLE", "F8 .RISK", "10E V.EW", "12F .NOW", "I12 .aRM", "15H O.")


@pytest.fixture(scope="module")
def boards() -> list[Board]:
    """The boards of a short game, the empty one first."""
    made = [EMPTY_BOARD]
    for play in PLAYS:
        made.append(made[-1].place(parse_placement(play).new_tiles()))
    return made


def photograph(folder: Path, boards: list[Board], names: list[str] | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    scene = TableScene(demo_style(), 5)
    for number, board in enumerate(boards):
        scene.board = faces(board)
        name = names[number] if names else f"photo-{number}.jpg"
        cv2.imwrite(str(folder / name), scene.frame(number))
    return folder


def replay(
    folder: Path, capsys: pytest.CaptureFixture[str], *options: str
) -> tuple[int, dict, str]:
    """Run the command; its status, its JSON document and what it said on stderr."""
    status = tilecast.main(["replay", str(folder), "--json", *options])
    said = capsys.readouterr()
    return status, json.loads(said.out) if said.out else {}, said.err


def plays(document: dict) -> list[str]:
    """The turns as short texts."""
    return [
        turn["kind"] if turn["kind"] != "play" else f"{turn['position']} {turn['word']}"
        for turn in document["turns"]
    ]


def shown(play: str) -> str:
    """A play as photographs show it: blanks have no letter."""
    return "".join("?" if letter.islower() else letter for letter in play)


def test_a_game_is_read_from_its_photographs(
    tmp_path: Path, boards: list[Board], capsys: pytest.CaptureFixture[str]
) -> None:
    """Every play with its place, scores by the rules, the empty board as reference, a clean GCG."""
    folder = photograph(tmp_path / "game", boards)
    out = tmp_path / "game.gcg"
    status, document, _ = replay(folder, capsys, "--gcg", str(out), "--players", "Ada", "Ben Bo")
    assert status == 0
    assert document["references"] == ["photo-0.jpg"]
    assert plays(document) == [shown(play) for play in PLAYS]
    assert [turn["player"] for turn in document["turns"]] == [1, 2, 1, 2, 1, 2]
    assert document["board"] == list(faces(boards[-1]))
    game = read_gcg(out.read_bytes())
    assert tilecast.main(["gcg", "check", str(out)]) == 0
    assert list(game.final) == document["final"]
    assert game.players[1].name == "Ben Bo"


@pytest.mark.further
@pytest.mark.parametrize("command", first_of(1, ["replay", "watch"]))
def test_all_photographs_decide_which_side_is_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """Seen from the other side, letters that read both ways give none; those after them do."""
    style = demo_style()
    style = replace(style, tiles=replace(style.tiles, digit_size=0.0))
    camera = SceneCamera(
        width=800, height=800, focal_px=1000.0, distance=28, tilt_deg=40.0, turn_deg=180.0
    )
    board = EMPTY_BOARD
    for number, play in enumerate(["", "8E SHOXNIZ", "K7 L.E", "9J F.R"]):
        if play:
            board = board.place(parse_placement(play).new_tiles())
        sensor = Sensor(noise=3.0, blur_px=1.0)
        image, _ = render(
            Scene(style=style, rows=faces(board), camera=camera, sensor=sensor, seed=4)
        )
        cv2.imwrite(str(tmp_path / f"photo-{number}.jpg"), image)
    assert tilecast.main([command, str(tmp_path), "--tiles", "english", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert plays(document) == ["8E SHOXNIZ", "K7 L.E", "9J F.R"]


def test_a_program_gets_the_game_by_one_call(tmp_path: Path, boards: list[Board]) -> None:
    """Events with their margins, the record to write, and word of each photograph."""
    folder, told = photograph(tmp_path / "game", boards[:3]), []
    series = tilecast.replay(folder, tiles="english", on_read=told.append)
    assert told == ["photo-0.jpg", "photo-1.jpg", "photo-2.jpg"]
    assert [proposal.doubts for proposal, _ in series.events()] == [(), ()]
    game = read_gcg(write_gcg(series.game(("Ada", "Ben Bo"))).encode())
    assert game.ok
    assert [str(move.event.placement) for move in game.moves] == [shown(one) for one in PLAYS[:2]]


@pytest.mark.further
def test_a_play_taken_back_and_an_unchanged_board_are_told(
    tmp_path: Path, boards: list[Board], capsys: pytest.CaptureFixture[str]
) -> None:
    """A withdrawal passes no turn; an unchanged board does; a copied file counts once."""
    series = [boards[0], boards[1], boards[2], boards[1], boards[1], boards[2]]
    folder = photograph(tmp_path / "game", series)
    shutil.copy(folder / "photo-2.jpg", folder / "photo-2b.jpg")
    status, document, err = replay(folder, capsys)
    assert status == 0
    assert plays(document) == [PLAYS[0], PLAYS[1], "withdraw", "no_play", PLAYS[1]]
    assert [turn["player"] for turn in document["turns"]] == [1, 2, 2, 1, 2]
    assert "photo-2b.jpg: left out: the same file as photo-2.jpg" in err


def test_a_truncated_photograph_and_one_without_a_board_are_named_and_left_out(
    tmp_path: Path, boards: list[Board], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = photograph(tmp_path / "game", boards[:4])
    damaged = (folder / "photo-2.jpg").read_bytes()
    (folder / "photo-2.jpg").write_bytes(damaged[: len(damaged) // 2])
    blank_wall = np.full((1080, 1920, 3), 90, np.uint8)
    cv2.imwrite(str(folder / "photo-2x.jpg"), blank_wall)
    status, document, err = replay(folder, capsys)
    assert status == 0
    assert "photo-2.jpg: left out: " in err
    assert "photo-2x.jpg: left out: " in err
    assert document["board"] == list(faces(boards[3]))
    assert plays(document)[0] == PLAYS[0]
    assert [entry["photo"] for entry in document["unused"]] == ["photo-2.jpg", "photo-2x.jpg"]


@pytest.mark.further
def test_photographs_in_the_wrong_order_are_refused_by_name(
    tmp_path: Path, boards: list[Board], capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["a.jpg", "b.jpg", "g.jpg", "d.jpg", "e.jpg", "c.jpg", "f.jpg"]
    folder = photograph(tmp_path / "game", boards, names)
    status, document, err = replay(folder, capsys)
    assert status == 1
    assert not document
    assert "g.jpg shows" in err
    assert "f.jpg before it shows" in err
    assert "order of play" in err


def test_a_folder_without_photographs_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder is named, and what it should hold."""
    status, _, err = replay(tmp_path, capsys)
    assert status == 1
    assert str(tmp_path) in err
    assert "no photographs" in err


def real_game(name: str) -> Path:
    shared = Path(os.environ.get("TILECAST_SHARED", Path(__file__).parents[3] / "shared"))
    folder = shared / "photos" / "games" / name
    if not folder.is_dir():
        pytest.skip(f"no real photographs at {folder} (TILECAST_SHARED says where they are)")
    return folder


@pytest.mark.further
@pytest.mark.photos
@pytest.mark.parametrize("name", first_of(1, ["game01", "game03", "game15"]))
def test_a_real_game_is_read_exactly(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All plays, withdrawals and totals of a real game, from its photographs alone."""
    folder, out = real_game(name), str(tmp_path / "game.gcg")
    status, document, _ = replay(folder, capsys, "--tiles", "german", "--gcg", out)
    assert tilecast.main(["gcg", "check", out]) == 0
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    assert status == 0
    assert document["references"] == truth["replay"]["references"]
    assert document["final"] == truth["replay"]["final"]
    assert turns_of(document) == true_turns(truth)


def turns_of(document: dict) -> list[tuple[int, str, str | None, str | None, int]]:
    return [
        (turn["player"], turn["kind"], turn["position"], turn["word"], turn["score"])
        for turn in document["turns"]
    ]


def true_turns(truth: dict) -> list[tuple[int, str, str | None, str | None, int]]:
    """The same from the truth, by the rules of reading."""
    first, turns = None, []
    for frame in truth["frames"]:
        play = frame.get("play")
        if not play or not frame["in_game"]:
            continue
        if first is None and play["kind"] != "play":
            continue
        first = first or play["player"]
        kind = play["kind"] if play["kind"] in ("play", "withdraw") else "no_play"
        word = play.get("word")
        turns.append((
            1 if play["player"] == first else 2, kind, play.get("position"),
            None if word is None else shown(word), play["score"],
        ))  # fmt: skip
    return turns


@pytest.mark.further
def test_more_letters_than_the_set_has_are_a_doubt_of_their_turns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two K that are surely seen: both plays are doubtful, and the GCG says what it knows."""
    board, made = EMPTY_BOARD, [EMPTY_BOARD]
    for play in ("8F JINK", "I8 .ICE", "11H R.D"):
        board = board.place(parse_placement(play).new_tiles())
        made.append(board)
    made.append(board.place(parse_placement("H11 .IK").new_tiles()))
    folder, out = photograph(tmp_path / "game", made), tmp_path / "game.gcg"
    status, document, _ = replay(folder, capsys, "--tiles", "english", "--gcg", str(out))
    assert (status, len(document["turns"])) == (0, 4)
    assert [turn["doubtful"] for turn in document["turns"]] == [True, False, False, True]
    assert "2 tiles read as K, but the set has 1" in document["turns"][0]["doubts"][0]
    assert tilecast.main(["gcg", "check", str(out)]) == 0
    assert "warning: H11 .IK: more such tiles than the set has" in capsys.readouterr().out


@pytest.mark.further
def test_letters_of_another_alphabet_are_said_once_for_a_series(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without --tiles a Polish game is read in the sets of plain letters, which do not fit it."""
    scene = TableScene(demo_style(), 5)
    bare = ["." * 15] * 15
    for number, rows in enumerate([bare, [*bare[:7], "....ŁŻŚĘŃ......", *bare[8:]]]):
        scene.board = tuple(rows)
        cv2.imwrite(str(tmp_path / f"photo-{number}.png"), scene.frame(number))
    _, document, said = replay(tmp_path, capsys)
    assert said.count("another language, or another game?") == 1
    assert document["notes"]
    status, document, said = replay(tmp_path, capsys, "--tiles", "polish")
    assert (status, document["board"][7]) == (0, "....ŁŻŚĘŃ......")
