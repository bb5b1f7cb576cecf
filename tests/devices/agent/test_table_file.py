"""The table file: what it may say, and what is said to anyone who gets it wrong."""

import re
from pathlib import Path

import pytest

import tilecast
from devices.agent_process.table_file import KINDS, BoardCameraPlan, example, read_table_file
from devices.cameras.profile import BOARD_FILE, CalibrationProfile, save_profile
from recorder.domain.errors import NotationError

HEAD = '[broker]\nurl = "mqtt://127.0.0.1"\n'
CLOCK = '[[device]]\nkind = "serial-clock"\nname = "clock-1"\nport = "/dev/ttyUSB0"\n'


def _write(folder: Path, text: str) -> Path:
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_paths_are_relative_to_the_file(tmp_path: Path):
    """A table's folder can be carried to another machine."""
    (tmp_path / "photos").mkdir()
    text = HEAD + '[[device]]\nkind = "board-camera"\nname = "c"\nsource = "photos"\nprofile = "p"'
    (camera,) = read_table_file(_write(tmp_path, text)).devices
    assert isinstance(camera, BoardCameraPlan)
    assert (camera.source, camera.profile) == (str(tmp_path / "photos"), str(tmp_path / "p"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("[venue", ["table.toml", "TOML"], id="not TOML"),
        pytest.param(HEAD, ["[[device]]", "--example"], id="no device"),
        pytest.param(CLOCK, ["[broker]", "TILECAST_MQTT_URL"], id="no broker"),
        pytest.param(HEAD + "[clock]\n" + CLOCK, ["'clock'", "venue, broker"], id="section"),
        pytest.param(
            HEAD + CLOCK.replace("serial-clock", "sundial"),
            ["'sundial'; it can be", "serial-clock"],
            id="kind",
        ),
        pytest.param(HEAD + CLOCK.replace("clock-1", "Clock 1"), ["'Clock 1'", "small"], id="name"),
        pytest.param(HEAD + CLOCK + CLOCK, ["two devices", "'clock-1'"], id="same name twice"),
        pytest.param(HEAD + CLOCK + 'baud = "fast"', ["baud", "whole number"], id="baud"),
        pytest.param(
            HEAD + CLOCK.replace('port = "/dev/ttyUSB0"', ""), ["port is missing"], id="no port"
        ),
        pytest.param(
            HEAD + '[[device]]\nkind="board-camera"\nname="c"\nsource="0"\ntiles="klingon"',
            ["'klingon'", "english", "german"],
            id="tiles",
        ),
        pytest.param(
            HEAD + CLOCK.replace("/dev/ttyUSB0", "abc"), ["port", "'abc'", "COM3"], id="port"
        ),
        pytest.param(
            '[broker]\nurl = "mqtt://u:secret@host:99999"\n' + CLOCK,
            ["[broker] url", "0-65535", "...@host"],
            id="port of the broker",
        ),
        pytest.param(
            '[broker]\nurl = "http://u:secret@host"\n' + CLOCK,
            ["url", "mqtt://host", "...@host"],
            id="no broker",
        ),
    ],
)
def test_a_mistake_is_named_with_what_is_allowed(tmp_path: Path, text: str, words: list[str]):
    """File, section, key, and the remedy."""
    with pytest.raises(NotationError) as refused:
        read_table_file(_write(tmp_path, text))
    assert [word for word in words if word not in str(refused.value)] == []
    assert "secret" not in str(refused.value)


def test_a_calibration_profile_is_read_back(tmp_path: Path):
    """What calibration wrote is what the camera gets; another version is refused."""
    profile = CalibrationProfile(
        source="0",
        tile_set="english",
        image_size=(1920, 1080),
        corners=((1.5, 2.0), (900.0, 3.0), (905.0, 899.0), (0.0, 890.0)),
        residual_px=0.7,
    )
    path = tmp_path / "cam-1.json"
    save_profile(profile, path)
    assert BOARD_FILE.load(path) == profile
    path.write_text(path.read_text().replace('"version": 2', '"version": 3'))
    with pytest.raises(NotationError, match="version 3"):
        BOARD_FILE.load(path)


def test_the_example_shows_every_kind_and_all_of_it_can_be_used(tmp_path: Path):
    """Without its comment signs each optional part is read too."""
    shown = example().replace("# [[", "[[")
    shown = re.sub(r"^# (\w+ = )", r"\1", shown, flags=re.MULTILINE)
    path = tmp_path / "table.toml"
    path.write_text(shown, encoding="utf-8")
    plan = read_table_file(path)
    assert {type(device) for device in plan.devices} == set(KINDS.values())


def test_two_devices_on_one_port_are_refused(tmp_path: Path):
    """Each would read half of the other's lines."""
    second = CLOCK.replace("clock-1", "clock-2")
    with pytest.raises(NotationError, match=r"two devices are on port '/dev/ttyUSB0'"):
        read_table_file(_write(tmp_path, HEAD + CLOCK + second))


def test_a_scale_without_a_profile_is_told_how_to_get_one(tmp_path: Path):
    """The command, not only the key."""
    scale = '[[device]]\nkind = "bag-scale"\nname = "scale-1"\nport = "/dev/ttyUSB1"\n'
    with pytest.raises(NotationError, match="profile is missing; name the file that tilecast"):
        read_table_file(_write(tmp_path, HEAD + scale))


HALF = (
    "http://[::1",
    "http://[zz]/x",
    "rtsp://[::1/x",
    "http://h:p/",
    "http:///x.jpg",
    "ftp://h/x",
)


@pytest.mark.parametrize("source", HALF)
@pytest.mark.parametrize("command", ["calibrate camera", "agent --check"])
def test_an_address_that_leads_to_no_camera_is_named(
    tmp_path: Path, command: str, source: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """By every command that reads it: the key and the address, and no traceback."""
    file = _write(tmp_path, example().replace('source = "0"', f'source = "{source}"'))
    assert tilecast.main([*command.split(), str(file)]) in {1, 2}
    said = capfd.readouterr().err
    assert "source" in said
    assert source in said
    assert "Traceback" not in said
