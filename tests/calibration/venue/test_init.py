"""``tilecast init``: all files of a venue, safe as they are made, and no secret on the screen."""

import io
import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

import tilecast
from calibration.venue.programs_file import read_keys
from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from devices.firmware.main import _connect
from recorder.bus.broker import free_port
from tests.documents import document
from tests.served import serving_files

pytestmark = pytest.mark.slow  # makes venues

Init = Callable[..., tuple[int, str, str]]


@pytest.fixture
def init(capsys: pytest.CaptureFixture[str]) -> Init:
    """Run ``tilecast init``; its status, and what it said on both channels."""

    def run(*words: str) -> tuple[int, str, str]:
        status = tilecast.main(["init", *words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("camera")
    cv2.imwrite(str(folder / "board-1.jpg"), np.full((480, 640, 3), 90, np.uint8))
    return folder


def secrets_in(folder: Path) -> set[str]:
    files = [*folder.rglob("*.toml"), folder / "keys.env"]
    text = "\n".join(file.read_text("utf-8") for file in files)
    passwords = set(re.findall(r"mqtt://[^:/]+:([^@]+)@", text))
    keys = {value for name, value in read_keys(folder).items() if name.endswith("_TOKEN")}
    sheet = set(re.findall(r"/enter/([\w-]+)", (folder / "links.html").read_text("utf-8")))
    return passwords | keys | sheet


def test_an_event_is_a_venue_whose_tables_wait_for_pairings(
    init: Init, picture: Path, tmp_path: Path
) -> None:
    """No names in the files; the sheet leads to the page that pairs. Names are refused then."""
    folder = tmp_path / "hall"
    words = ("--yes", "--json", "--event", "--tables", "2", "--address", "none")
    status, out, _ = init(str(folder), *words, "--camera", str(picture))
    document = json.loads(out)
    assert status == 0
    assert [table["players"] for table in document["tables"]] == [[], []]
    tables = tomllib.loads((folder / "venue.toml").read_text("utf-8"))["table"]
    assert [{"game", "players"} & table.keys() for table in tables] == [set(), set()]
    assert tilecast.main(["record", "--check", str(folder / "venue.toml")]) == 0
    assert "?to=/director/event" in (folder / "links.html").read_text("utf-8")
    status, _, err = init(str(tmp_path / "other"), *words, "--players", "Ada", "Ben")
    assert status == 1
    assert "--event pairs the players round by round" in err


def test_each_table_has_a_clock_of_its_own_kind(init: Init, picture: Path, tmp_path: Path) -> None:
    """A port, the network, a phone, none: roles, sections, access list and links follow."""
    folder = tmp_path / "hall"
    clocks = ("--clock", "serial", "--clock", "mqtt", "--clock", "none", "--clock", "phone")
    words = ("--yes", "--json", "--event", "--tables", "5", "--no-pads", "--address", "none")
    ports = ("--serial", "/dev/ttyACM7", "--camera", str(picture))
    status, out, _ = init(str(folder), *words, *clocks, *ports)
    assert status == 0
    devices = [table["devices"] for table in json.loads(out)["tables"]]
    assert [[*table.values()] for table in devices] == [
        ["board-camera", "serial-clock", "assistant"],
        ["board-camera", "mqtt-clock", "assistant"],
        ["board-camera", "assistant"],
        ["board-camera", "clock", "assistant"],
        ["board-camera", "clock", "assistant"],
    ]
    files = [tomllib.loads((folder / f"table-{n}.toml").read_text("utf-8")) for n in range(1, 6)]
    assert [device.get("port") for device in files[0]["device"]] == [None, "/dev/ttyACM7"]
    assert [file["device"][0].get("divides_turns", False) for file in files] == [
        number == 3 for number in range(1, 6)
    ]
    access = (folder / "broker" / "acl").read_text("utf-8")
    speaks = {
        part.split("\n")[0]: set(re.findall(r"write \S+/up/([^/]+)/ev", part))
        for part in access.split("\nuser ")[1:]
    }
    assert speaks["table-1"] == {"cam-1", "clock-1"}
    assert speaks["clock-2"] == {"clock-2"}
    assert speaks["table-2"] == {"cam-2"}
    assert [file.name for file in (folder / "clocks").iterdir()] == ["clock-2.json"]
    assert tilecast.main(["agent", "--check", str(folder / "table-3.toml")]) == 0
    assert tilecast.main(["record", "--check", str(folder / "venue.toml")]) == 0


def test_what_is_usual_makes_a_whole_venue(init: Init, picture: Path, tmp_path: Path) -> None:
    """The readers of recorder and agent take the files; all are their owner's alone."""
    folder = tmp_path / "hall"
    words = ("--yes", "--json", "--tables", "2", "--players", "Ada", "Ben", "--address", "none")
    status, out, err = init(str(folder), *words, "--camera", str(picture))
    document = json.loads(out)
    assert (status, document["start"]) == (0, f"tilecast venue {folder}")
    assert {*document["files"]} >= {"venue.toml", "table-2.toml", "programs.toml", "broker/acl"}
    assert document["tables"][0]["players"] == ["Ada", "Ben"]
    assert document["tables"][1]["devices"] == {
        "cam-2": "board-camera", "phone-clock-2": "clock", "phone-pad-2": "pad",
        "phone-racks-2": "assistant",
    }  # fmt: skip
    assert document["cameras"][0]["size"] == [640, 480]
    assert cv2.imread(str(folder / document["cameras"][0]["picture"])) is not None
    assert tilecast.main(["record", "--check", str(folder / "venue.toml")]) == 0
    assert tilecast.main(["agent", "--check", str(folder / "table-2.toml")]) == 0
    assert {file.stat().st_mode & 0o077 for file in folder.rglob("*") if file.is_file()} == {0}
    secrets = secrets_in(folder)
    assert len(secrets) >= 8
    assert min(map(len, secrets)) >= 32
    assert [secret for secret in secrets if secret in out + err] == []


def test_nothing_is_replaced_unasked(init: Init, tmp_path: Path) -> None:
    """The file that is there is named; --overwrite makes new keys and leaves the record alone."""
    folder = tmp_path / "hall"
    assert init(str(folder), "--yes")[0] == 0
    before = secrets_in(folder)
    (folder / "record" / "tilecast.db").write_text("a record")
    status, out, err = init(str(folder), "--yes")
    assert (status, out) == (1, "")
    assert "venue.toml" in err
    assert "--overwrite" in err
    assert secrets_in(folder) == before
    assert init(str(folder), "--yes", "--overwrite", "--clock", "serial")[0] == 0
    assert secrets_in(folder).isdisjoint(before)
    assert (folder / "record" / "tilecast.db").read_text() == "a record"


def test_a_table_is_added_without_new_keys(init: Init, picture: Path, tmp_path: Path) -> None:
    """What was edited by hand stays, so does every link; the new table has all that it needs."""
    folder = tmp_path / "hall"
    words = ("--yes", "--tables", "2", "--clock", "phone", "--address", "none")
    assert init(str(folder), *words, "--camera", str(picture))[0] == 0
    before = secrets_in(folder)
    by_hand = (folder / "venue.toml").read_text("utf-8").replace("First player 2", "Zoë")
    (folder / "venue.toml").write_text(f"# the club's\n{by_hand}", "utf-8")
    added = ("--add", "1", "--clock", "mqtt", "--camera", str(picture), "--players", "Ida", "Jo")
    status, out, err = init(str(folder), "--yes", *added)
    assert (status, "table 3" in out) == (0, True), err
    text = (folder / "venue.toml").read_text("utf-8")
    tables = tomllib.loads(text)["table"]
    assert [table["players"][0] for table in tables] == ["First player 1", "Zoë", "Ida"]
    assert text.startswith("# the club's\n")
    assert tables[2]["devices"] == {
        "cam-3": "board-camera", "clock-3": "mqtt-clock", "phone-pad-3": "pad",
        "phone-racks-3": "assistant",
    }  # fmt: skip
    assert before < secrets_in(folder)
    assert "user clock-3" in (folder / "broker" / "acl").read_text("utf-8")
    assert "clock-3:" in (folder / "broker" / "passwords").read_text("utf-8")
    assert json.loads((folder / "clocks" / "clock-3.json").read_text("utf-8"))["name"] == "clock-3"
    programs = tomllib.loads((folder / "programs.toml").read_text("utf-8"))
    assert programs["agents"]["files"] == ["table-1.toml", "table-2.toml", "table-3.toml"]
    assert tilecast.main(["record", "--check", str(folder / "venue.toml")]) == 0
    assert {file.stat().st_mode & 0o077 for file in folder.rglob("*") if file.is_file()} == {0}


def test_a_table_is_not_added_where_that_would_undo_a_hand(
    init: Init, picture: Path, tmp_path: Path
) -> None:
    """A line that must change was edited, or there is no setup: refused, nothing written."""
    folder = tmp_path / "hall"
    assert init(str(folder), "--yes", "--camera", str(picture))[0] == 0
    path = folder / "programs.toml"
    path.write_text(
        path.read_text("utf-8").replace('files = ["table-1.toml"]', "files = []"), "utf-8"
    )
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    status, _, err = init(str(folder), "--yes", "--add", "1")
    assert status == 1
    assert "edited by hand" in err
    assert 'files = ["table-1.toml"]' in err
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == before
    (folder / "setup.json").unlink()
    status, _, err = init(str(folder), "--yes", "--add", "1")
    assert (status, "setup.json: no such file" in err) == (1, True)


def test_questions_are_asked_until_the_answer_can_be(
    init: Init, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line each, the usual answer by Enter; what cannot be is asked again with the reason."""
    answers = [
        "none",
        "1",
        "no",
        "Zoë, Åsa",
        "german",
        "",
        "serial",
        "",
        "/dev/ttyACM3",
        "no",
        "",
        "",
        "",
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(answers) + "\n"))
    status, out, err = init(str(tmp_path / "hall"))
    assert (status, "tables are 1 to" in err) == (0, True)
    file = tomllib.loads((tmp_path / "hall" / "venue.toml").read_text("utf-8"))
    assert file["table"][0]["players"] == ["Zoë", "Åsa"]
    assert file["table"][0]["devices"] == {
        "cam-1": "board-camera",
        "clock-1": "serial-clock",
        "phone-racks-1": "assistant",
    }
    assert "/dev/ttyACM3" in out
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nno\n"))
    status, out, err = init(str(tmp_path / "hut"))
    assert status == 1
    assert "Who plays at table 1?" in err
    assert "--yes" in err
    assert not (tmp_path / "hut").exists()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--players", "Ada", " ada"), "write two names that differ"),
        (("--address", "192.168.1"), "192.168.1.10"),
        (("--delay", "-1"), "0 to 3600"),
        (("--name", "The Hall"), "1 to 32 of a-z"),
        (("--minutes", "0"), "minutes must be a number above 0"),
        (("--clock", "serial", "--serial", "tty"), "port must be a serial port"),
        (("--camera", ""), "tilecast devices"),
    ],
)
def test_an_option_that_cannot_be_leaves_nothing_behind(
    words: tuple[str, ...], named: str, init: Init, tmp_path: Path
) -> None:
    """It is named with what can be; no file is written."""
    status, _, err = init(str(tmp_path / "hall"), "--yes", *words)
    assert status == 1
    assert named in err
    assert [*tmp_path.iterdir()] == []


def test_a_phones_link_opens_its_table_and_no_other(init: Init, tmp_path: Path) -> None:
    """The code on the sheet leads a phone to the clock, signed in as the scorer of that table."""
    folder = tmp_path / "hall"
    assert init(str(folder), "--yes", "--tables", "2", "--address", "127.0.0.1")[0] == 0
    sheet = (folder / "links.html").read_text("utf-8")
    (link,) = set(re.findall(r'href="(http://127.0.0.1:8015/enter/[\w-]+\?to=/clock/2)"', sheet))
    path = link.removeprefix("http://127.0.0.1:8015")
    keys = read_keys(folder)
    access = Access(
        director_token=keys["TILECAST_DIRECTOR_TOKEN"],
        commentator_token=keys["TILECAST_COMMENTATOR_TOKEN"],
    )
    log = folder / "record" / "tilecast.db"
    settings = Settings(log=log, access=access, accounts=log.with_suffix(".access"))
    app = create_app(settings)
    with TestClient(app, base_url="http://127.0.0.1:8015", follow_redirects=False) as phone:
        answer = phone.get(path)
        assert (answer.status_code, answer.headers["location"]) == (303, "/clock/2")
        assert phone.get("/clock/2").status_code == 200
        assert phone.get("/api/table/2/setup").status_code == 200
        assert phone.get("/api/table/1/setup").status_code == 403
        assert "another venue, or its keys were changed" in phone.get(f"{path[:-12]}x").text
        assert phone.get(f"{path[:-8]}//evil.example").headers["location"] == "/pad/2"
        assert app.state.guard.accounts.tokens()[0]["scope"].startswith("enter:")


def test_a_networked_clock_gets_its_file(init: Init, tmp_path: Path) -> None:
    """The reference firmware connects by it; the broker has a listener for such clocks."""
    folder = tmp_path / "hall"
    words = ("--clock", "mqtt", "--address", "192.168.1.10", "--broker-port", "2883")
    assert init(str(folder), "--yes", *words)[0] == 0
    given: dict[str, Any] = json.loads((folder / "clocks" / "clock-1.json").read_text("utf-8"))
    assert given["minutes"] == 25  # which the firmware cannot do without
    example = document("clock-protocol").split("```json\n")[1].split("```")[0]
    assert given.keys() <= json.loads(example).keys()
    made: list[Any] = []

    def client(*arguments: object, **options: object) -> None:
        made.append((arguments, options))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _connect(client, given, None)  # type: ignore[arg-type]
    (name, host), options = made[0]
    assert (name, host, options["port"]) == ("clock-1", "192.168.1.10", 2883)
    configuration = (folder / "broker" / "mosquitto.conf").read_text("utf-8")
    assert "listener 2883\nuse_username_as_clientid true" in configuration
    assert "listener 2884 127.0.0.1" in configuration
    passwords = (folder / "broker" / "passwords").read_text("utf-8")
    assert str(options["password"]) not in passwords
    assert "user clock-1\ntopic write tc/v1/main/up/clock-1/state\n" in (
        folder / "broker" / "acl"
    ).read_text("utf-8")


def test_a_venue_whose_files_lack_is_named_before_it_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The broker's own files, a file in the folder's place."""
    hall = tmp_path / "hall"
    ports = ("--broker-port", str(free_port()), "--dashboard-port", str(free_port()))
    usual = ("--yes", "--clock", "phone", "--no-pads", "--address", "none", "--camera", "0")
    assert tilecast.main(["init", str(hall), *usual, *ports]) == 0
    assert tilecast.main(["venue", str(hall), "--check"]) == 0
    assert tilecast.main(["venue", str(hall / "venue.toml"), "--check"]) == 1
    assert "name the folder that tilecast init made" in capsys.readouterr().err
    (hall / "broker" / "acl").unlink()
    assert tilecast.main(["venue", str(hall), "--check"]) == 1
    assert "acl: no such file; mosquitto.conf names it as acl_file" in capsys.readouterr().err


@pytest.mark.further
def test_a_camera_that_gives_no_picture_is_told_with_what_helps(init: Init, tmp_path: Path) -> None:
    """A path that its server does not know, and a port where nobody listens."""
    with serving_files(tmp_path) as address:
        cameras = f"{address}/no.jpg", "http://127.0.0.1:9/shot.jpg"
        named = [word for camera in cameras for word in ("--camera", camera)]
        usual = ("--yes", "--tables", "2", "--clock", "phone", "--no-pads", "--address", "none")
        status, said, _ = init(str(tmp_path / "hall"), *usual, *named)
    assert status == 0
    assert "NO: it has nothing at this path (404): its app or manual names the right one" in said
    assert "NO: nothing listens at port 9 of 127.0.0.1: is the camera's server on?" in said


def test_no_picture_is_taken_here_of_a_camera_on_another_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Number 97 of this machine is not the one that hangs on the machine of table 2."""
    words = ["--tables", "2", "--elsewhere", "2", "--camera", "96", "--camera", "97"]
    usual = ["--yes", "--clock", "mqtt", "--address", "127.0.0.1"]
    assert tilecast.main(["init", str(tmp_path / "hall"), *usual, *words]) == 0
    said = capsys.readouterr().out
    assert "picture      96: NO: there is no /dev/video96: is it plugged in?" in said
    assert "picture      97:" not in said


@pytest.mark.parametrize(("asked", "minutes"), [("20", 20), ("22.5", 22.5)])
def test_a_networked_clock_starts_with_the_time_that_was_asked_for(
    asked: str, minutes: float, init: Init, tmp_path: Path
) -> None:
    """In the recorder's file and in the clock's."""
    words = ("--yes", "--clock", "mqtt", "--address", "192.168.1.10", "--minutes", asked)
    assert init(str(tmp_path / "hall"), *words)[0] == 0
    given = json.loads((tmp_path / "hall" / "clocks" / "clock-1.json").read_text("utf-8"))
    assert given["minutes"] == minutes
