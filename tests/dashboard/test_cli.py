"""``tilecast dashboard`` as it is typed."""

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

import tilecast
from dashboard import cli, serving
from recorder.commands.command_line import CommandParser
from recorder.domain.errors import NotationError
from recorder.orders.console_key import KEY_NAME, make_key, read_key
from recorder.private import keep_private
from tests.eventually import BUSY_S

pytestmark = pytest.mark.slow


def parsed(*words: str) -> argparse.Namespace:
    parser = CommandParser()
    cli.register(parser.add_subparsers())
    return parser.parse_args(["dashboard", "--log", "log.db", *words])


def test_the_default_is_this_machine_only() -> None:
    """Without options it listens on loopback, makes its own keys and delays nothing."""
    settings = cli.settings_from(parsed(), None)
    other = cli.settings_from(parsed(), None)
    assert (settings.host, settings.port, settings.access.delay_ms) == ("127.0.0.1", 8015, 0)
    assert len(settings.access.director_token) >= 20
    assert settings.access.director_token != other.access.director_token


def test_an_open_address_needs_a_chosen_key() -> None:
    """Nobody opens the director's page to a hall by accident; the message names the remedy."""
    with pytest.raises(NotationError, match="--director-token"):
        cli.settings_from(parsed("--host", "0.0.0.0"), None)
    settings = cli.settings_from(parsed("--host", "0.0.0.0"), "key-from-environment")
    assert settings.access.director_token == "key-from-environment"
    given = cli.settings_from(
        parsed("--host", "0.0.0.0", "--director-token", "key-from-the-line"), "ignored-ignored"
    )
    assert given.access.director_token == "key-from-the-line"


def test_the_key_of_orders_is_found_beside_the_log(tmp_path: Path) -> None:
    """As the recorder of the same folder made it; another one can be named."""
    beside, other = tmp_path / KEY_NAME, tmp_path / "other"
    log = ("--log", str(tmp_path / "tilecast.db"))
    assert cli.settings_from(parsed(*log), None).console_key == b""
    make_key(beside)
    make_key(other)
    assert cli.settings_from(parsed(*log), None).console_key == read_key(beside)
    named = parsed(*log, "--console-key", str(other))
    assert cli.settings_from(named, None).console_key == read_key(other)


def test_a_taken_port_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command ends with 1 and names the address."""
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert tilecast.main(["dashboard", "--log", "log.db", "--port", str(port)]) == 1
    assert f"127.0.0.1:{port}" in capsys.readouterr().err


PAGES = ["overlay", "commentator", "director", "overview", "all"]


def test_it_prints_its_addresses_and_ends_in_good_order(tmp_path: Path) -> None:
    """Without any log it serves and waits; SIGTERM ends it, with 0.

    Into a pipe, as into a log, go no keys and no password: those are in a file of its owner.
    """
    code = (
        "import sys; from dashboard import cli;"
        " from recorder.commands.command_line import CommandParser; p = CommandParser();"
        " cli.register(p.add_subparsers()); a = p.parse_args(sys.argv[1:]); sys.exit(a.run(a))"
    )
    words = ["dashboard", "--log", str(tmp_path / "none.db"), "--port", "0", "--monitor", "0"]
    links = tmp_path / "none.links"
    links.write_text("left behind, for everybody to read", "utf-8")
    links.chmod(0o644)
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        said = [process.stdout.readline().decode() for _ in range(4)]
        port = int(said[0].split(":")[2].split("/")[0])
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=BUSY_S) as answer:
            assert json.load(answer)["log"] == "waiting"
        figures = said[3].split()[1]
        with urllib.request.urlopen(figures, timeout=BUSY_S) as answer:
            assert b"tilecast_overlays_behind 0.0" in answer.read()
        with pytest.raises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(figures.replace("metrics", "healthz"), timeout=BUSY_S)
        with refusal.value as unwell:
            assert json.load(unwell)["wrong"] == "the log is not followed to its end yet"
        process.send_signal(signal.SIGTERM)
        rest, complaints = process.communicate(timeout=BUSY_S)
    finally:
        process.kill()
        process.communicate()
    assert (process.returncode, rest, complaints) == (0, b"", b"")
    assert [line.split()[0] for line in said] == ["overlay", "all", "links", "figures"]
    assert links.stat().st_mode & 0o077 == 0
    first, *pages = links.read_text("utf-8").splitlines()
    assert first.startswith("first run    sign in as admin with the password ")
    assert [line.split()[0] for line in pages] == PAGES
    assert "/enter/" not in "".join(said)


def test_keys_can_stay_out_of_the_list_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both of them; the commentator's as well as the director's."""
    monkeypatch.setenv("TILECAST_COMMENTATOR_TOKEN", "booth-key-from-environment")
    settings = cli.settings_from(parsed(), "desk-key-from-environment")
    assert settings.access.commentator_token == "booth-key-from-environment"
    assert settings.access.director_token == "desk-key-from-environment"


@pytest.mark.parametrize(
    ("options", "warned"),
    [
        ((), False),
        (("--host", "0.0.0.0"), True),
        (("--host", "0.0.0.0", "--tls", "a.crt", "a.key"), False),
        (("--host", "0.0.0.0", "--proxy", "192.0.2.1"), False),
        (("--broker", "mqtt://127.0.0.1:1883"), False),
        (("--broker", "mqtt://venue.example"), True),
        (("--broker", "mqtt://hall:secret@venue.example"), True),
    ],
)
def test_a_server_that_others_reach_in_the_clear_is_warned_of(
    options: tuple[str, ...], *, warned: bool
) -> None:
    """At every start, until there is TLS."""
    settings = cli.settings_from(parsed(*options), "key-from-environment")
    warning = serving.open_warning(settings)
    assert bool(warning) is warned
    assert "secret" not in warning


def test_what_a_program_writes_is_its_owners(tmp_path: Path) -> None:
    """Logs hold racks, and files of output may hold keys."""
    before = os.umask(0o022)
    try:
        keep_private()
        (tmp_path / "log").touch()
    finally:
        os.umask(before)
    assert (tmp_path / "log").stat().st_mode & 0o077 == 0
