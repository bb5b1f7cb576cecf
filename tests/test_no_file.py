"""A pipe, a device or a link to itself in the place of a file keeps no program waiting."""

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from calibration.venue.programs_file import read_keys
from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from dashboard.auth.accounts import Accounts, DamagedAccountsError
from dashboard.overlays.event_files import read_branding, read_tournament
from dashboard.overlays.faces import Faces
from dashboard.woogles.client import read_key as read_woogles_key
from devices.agent_process.table_file import read_table_file
from devices.clocks.ack_mark import AckMarkFile
from recorder.domain.errors import TilecastError
from recorder.feeds.source import read_feed
from recorder.log.anchors import Anchor, AnchorFile
from recorder.log.places import open_log, open_log_reader
from recorder.orders.console_key import read_key
from recorder.service.venue_file import read_record_file
from recorder.systems import read_file
from recorder.tilesets import load_tile_set
from recorder.word_lists import load_word_list
from tilecast import main

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it has no such pipes")

PATIENCE_S = 20
ACCESS = Access(director_token="director-key-1", commentator_token="commentator-1")


def _link_to_itself(path: Path) -> None:
    path.symlink_to(path)


def _device(path: Path) -> None:
    path.symlink_to(os.devnull)


def _branding_with_logo(path: Path) -> None:
    settings = path.with_name("branding.toml")
    settings.write_text(f'logo = "{path.name}"', "utf-8")
    read_branding(settings)


def _face(path: Path) -> None:
    if not Faces(path.parent).address(path.stem):
        raise OSError("no picture")


def _word_list(path: Path) -> None:
    load_word_list(path, load_tile_set("english"))


READERS: dict[str, Callable[[Path], object]] = {
    "log": open_log_reader,
    "log to write": open_log,
    "noted heads": lambda path: AnchorFile(path).read(),
    "recorder's settings": read_record_file,
    "table's settings": read_table_file,
    "keys": lambda path: read_keys(path.parent),
    "console's key": read_key,
    "API key": read_woogles_key,
    "clock's mark": lambda path: AckMarkFile(path).load(),
    "standings": read_tournament,
    "branding": read_branding,
    "logo": _branding_with_logo,
    "picture of a player": _face,
    "feed": lambda path: read_feed(str(path)),
    "tile set": lambda path: load_tile_set(path.name, path.parent),
    "words": _word_list,
}
NAMES = {"keys": "keys.env", "tile set": "own.toml"}


@pytest.mark.parametrize("put", [os.mkfifo, _device, _link_to_itself])
@pytest.mark.parametrize("what", READERS)
def test_what_is_no_file_is_refused_at_once(
    tmp_path: Path, what: str, put: Callable[[Path], object]
) -> None:
    """With a sentence, and not waited for."""
    path = tmp_path / NAMES.get(what, "there")
    put(path)
    raised: list[Exception] = []

    def read() -> None:
        try:
            READERS[what](path)
        except (TilecastError, OSError) as fault:
            raised.append(fault)

    reading = threading.Thread(target=read, daemon=True)
    reading.start()
    reading.join(PATIENCE_S)
    assert not reading.is_alive(), "it waits"
    assert raised or what == "clock's mark", "read"


@pytest.mark.parametrize("put", [os.mkfifo, _device, _link_to_itself])
def test_heads_that_cannot_be_noted_stop_no_recording(
    tmp_path: Path, put: Callable[[Path], object]
) -> None:
    """What somebody puts in the place of their file is a fault at once, and not waited for."""
    path = tmp_path / "heads"
    put(path)
    noting = threading.Thread(target=_note, args=(path,), daemon=True)
    noting.start()
    noting.join(PATIENCE_S)
    assert not noting.is_alive(), "it waits"


def _note(path: Path) -> None:
    with pytest.raises(OSError, match="heads"):
        AnchorFile(path).note(Anchor(seq=1, hash="0" * 64, at_ms=1))


@pytest.mark.parametrize("put", [os.mkfifo, _link_to_itself, Path.mkdir])
def test_pages_are_on_air_with_no_file_in_the_place_of_the_accounts(
    tmp_path: Path, put: Callable[[Path], object]
) -> None:
    """It is put aside as a damaged file is, and nobody's rights are changed."""
    path = tmp_path / "accounts.db"
    put(path)
    path.chmod(0o755) if path.exists() else None
    with pytest.raises(DamagedAccountsError, match=r"accounts\.db"):
        Accounts(path)
    if path.exists():
        assert path.stat().st_mode & 0o777 == 0o755
    settings = Settings(log=tmp_path / "log.db", access=ACCESS, accounts=path)
    with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
        assert client.get("/overlay/full?table=1").status_code == 200
    assert path.is_file()
    assert os.path.lexists(tmp_path / "accounts.db.damaged-1")


def test_a_file_longer_than_any_is_not_read(tmp_path: Path) -> None:
    """As long as was asked for it is; a link to a file is a file."""
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"12345")
    link.symlink_to(path)
    assert read_file(link, 5) == b"12345"
    with pytest.raises(OSError, match="large"):
        read_file(path, 4)


def test_a_record_without_end_is_read_no_further_than_any_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A terabyte of nothing is no game, and costs no memory."""
    path = tmp_path / "game.gcg"
    path.write_text("#player1 A Anna\n#player2 B Ben\n", "utf-8")
    os.truncate(path, 2**40)
    assert main(["gcg", "check", str(path)]) == 1
    assert "has errors" in capsys.readouterr().out
