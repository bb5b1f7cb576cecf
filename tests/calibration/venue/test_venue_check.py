"""``tilecast venue --check``: what one of a venue's programs would not take, before any starts."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import tilecast
from calibration.venue.checks import venue_faults
from calibration.venue.programs_file import read_keys
from calibration.venue.running import plans_of, read_venue, run_alone
from recorder.bus.broker import free_port
from recorder.log.opening import wall_ms
from tests.cases import first_of

pytestmark = pytest.mark.slow  # starts every program of a venue


def _spoil_key(hall: Path) -> None:
    keys = hall / "keys.env"
    text = re.sub("DIRECTOR_TOKEN=.*", "DIRECTOR_TOKEN=abc", keys.read_text("utf-8"))
    keys.write_text(text, "utf-8")


def _same_keys(hall: Path) -> None:
    keys = hall / "keys.env"
    director = read_keys(hall)["TILECAST_DIRECTOR_TOKEN"]
    text = re.sub("COMMENTATOR_TOKEN=.*", f"COMMENTATOR_TOKEN={director}", keys.read_text("utf-8"))
    keys.write_text(text, "utf-8")


def _edit(file: Path, was: str, now: str) -> None:
    file.write_text(re.sub(was, now, file.read_text("utf-8"), count=1), "utf-8")


def _add_setting(hall: Path, line: str) -> None:
    with (hall / "broker" / "mosquitto.conf").open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def _set_options(hall: Path, *words: str) -> None:
    _edit(hall / "programs.toml", r"(?m)^options = .*", f"options = {json.dumps(words)}")


SPOILT: dict[str, tuple[Callable[[Path], object], str]] = {
    "a key that is too short": (
        _spoil_key,
        "keys.env: TILECAST_DIRECTOR_TOKEN: a key needs at least 12 characters",
    ),
    "one key for two": (_same_keys, "director and commentator need different keys: write another"),
    "no keys": (lambda hall: (hall / "keys.env").unlink(), "keys.env: no such file; tilecast init"),
    "a setting that Mosquitto does not know": (
        lambda hall: _add_setting(hall, "max_inflght_messages 200"),
        'Unknown configuration variable "max_inflght_messages". Error found at mosquitto.conf:24',
    ),
    "a listener without a port": (
        lambda hall: _add_setting(hall, "listener abc"),
        "mosquitto.conf: Mosquitto does not start with it: Error: A listener with port 0",
    ),
    "a port at which the broker does not listen": (
        lambda hall: _edit(hall / "programs.toml", r"(?m)^port = \d+", "port = 9"),
        "programs.toml: [broker] port is 9, and ",
    ),
    "an option that the dashboard does not have": (
        lambda hall: _set_options(hall, "--delai"),
        "programs.toml: [dashboard]: it does not start: ",
    ),
    "a word list that is not there": (
        lambda hall: _set_options(hall, "--words", "none.kwg"),
        "[dashboard]: it does not start: tilecast dashboard: none.kwg: No such file",
    ),
    "a certificate that is none": (
        lambda hall: _set_options(hall, "--tls", "venue.toml", "venue.toml"),
        "--tls: venue.toml and venue.toml are not a certificate and its key (PEM)",
    ),
    "a certificate that is not there": (
        lambda hall: _set_options(hall, "--tls", "none.crt", "none.key"),
        "none.crt: ",
    ),
    "an agent of another venue": (
        lambda hall: _edit(hall / "table-1.toml", '"main"', '"other"'),
        "table-1.toml says venue other, the recorder's file says main: make them the same",
    ),
    "a folder in which nothing can be written": (
        lambda hall: _edit(hall / "table-1.toml", 'folder = "table-1"', 'folder = "console.key"'),
        "a file is in the folder's place: name another folder than ",
    ),
    "a folder in the place of a file": (
        lambda hall: _edit(hall / "programs.toml", '"venue.toml"', '"record"'),
        "record: is a folder; name the file in it",
    ),
    "a log that is none": (
        lambda hall: (hall / "record" / "tilecast.db").write_text("Anna 12, Ben 14", "utf-8"),
        "tilecast.db: not a Tilecast log: file is not a database: move it away",
    ),
}


@pytest.fixture
def hall(tmp_path: Path) -> Path:
    """The folder of a venue as init makes it."""
    hall = tmp_path / "hall"
    ports = ("--broker-port", str(free_port()), "--dashboard-port", str(free_port()))
    usual = ("--yes", "--clock", "phone", "--no-pads", "--address", "none", "--camera", "0")
    assert tilecast.main(["init", str(hall), *usual, *ports]) == 0
    return hall


def test_a_sound_venue_is_not_accused(hall: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By none of the programs that would read its files."""
    assert tilecast.main(["venue", str(hall), "--check"]) == 0, capsys.readouterr().err
    said = capsys.readouterr().out
    assert "can be started" in said
    assert "cam-1: there is no /dev/video0: is it plugged in?" in said


@pytest.mark.parametrize("what", first_of(6, SPOILT))
def test_what_a_program_would_not_take_is_named_before_it_starts(
    what: str, hall: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each by the program that would read it, with what helps."""
    spoil, named = SPOILT[what]
    spoil(hall)
    assert tilecast.main(["venue", str(hall), "--check"]) == 1
    said = capsys.readouterr().err
    assert named in said
    assert "Errno" not in said


def test_a_guest_that_is_refused_again_and_again_is_named_once(hall: Path) -> None:
    """The first try may be that of either of two guests; the next one shows whose it is."""
    now_s = wall_ms() // 1000
    came, refused = "New connection from {}:9 on port 1883.", "Client <unknown> disconnected, {}."
    tries = [came.format("192.0.2.5"), came.format("192.0.2.6"), refused.format("not authorised")]
    log = hall / "logs" / "broker.log"
    log.parent.mkdir(exist_ok=True)
    for lines, guest in ((tries, "somewhere"), ([*tries, tries[0], tries[2]], "192.0.2.5")):
        log.write_text("".join(f"{now_s}: {line}\n" for line in lines), "utf-8")
        said = [f.words for f in venue_faults(hall) if "it refused somebody" in f.words]
        assert len(said) == 1
        assert f"from {guest}. " in said[0]


def test_a_folder_is_run_once(hall: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A second venue of it does not begin, though the first has no port yet."""
    with run_alone(hall):
        assert tilecast.main(["venue", str(hall), "--plain"]) == 1
        said = capsys.readouterr().err
        assert re.search(r"runs this folder already: its pages are at http://127.0.0.1:\d+/", said)
        assert tilecast.main(["venue", str(hall), "--change"]) == 1
        assert "when it has ended, with Ctrl-C where it was started" in capsys.readouterr().err


@pytest.mark.parametrize(("clock", "times"), [("mqtt", 1), ("phone", 0)])
def test_networked_clocks_may_ask_to_join_also_in_a_venue_made_before(
    clock: str, times: int, tmp_path: Path
) -> None:
    """By the settings that lie in its folder, not by what an earlier ``init`` wrote."""
    words = ("--yes", "--clock", clock, "--no-pads", "--address", "none", "--camera", "0")
    assert tilecast.main(["init", str(tmp_path / "hall"), *words]) == 0
    assert "--clocks" not in (tmp_path / "hall" / "programs.toml").read_text("utf-8")
    plans = {plan.name: plan for plan in plans_of(read_venue(tmp_path / "hall"))}
    assert plans["dashboard"].command.count("--clocks") == times
