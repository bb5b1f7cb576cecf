"""A damaged file of accounts: said and put aside, never a traceback, and overlays stay on air."""

import contextlib
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import tilecast
from dashboard.app import Settings, create_app
from dashboard.auth.access import Access, Role
from dashboard.auth.accounts import Accounts, DamagedAccountsError, sound_accounts
from recorder.bus.outbox import Outbox
from tests.cases import many

pytestmark = pytest.mark.slow

FILES_IN_A_RUN = many(300)
Harm = Callable[[bytes], bytes]


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("accounts") / "tilecast.access"
    with contextlib.closing(Accounts(path)) as accounts:
        accounts.set_user("Root", Role.ADMIN, "long enough", 1)
        accounts.set_user("Dora", Role.DIRECTOR, "long enough", 1)
        accounts.begin("Dora", Role.DIRECTOR, 1)
        accounts.make_token("OBS", "racks:*", 1)
        accounts.make_link("Dora", 1)
    return path.read_bytes()


def _header(held: bytes) -> bytes:
    return held[:100] + b"\x97" * 40 + held[140:]


def _role(held: bytes) -> bytes:
    return held.replace(b"director", b"dire\x97tor")


def _page(held: bytes) -> bytes:
    return held[:4096] + bytes(4096) + held[8192:]


def _nobody(held: bytes) -> bytes:
    return held.replace(b"Dora", b"D\xffra")


@pytest.mark.parametrize("harm", [_header, _role, _page, _nobody])
def test_a_damaged_file_is_put_aside_and_overlays_go_on(
    held: bytes, tmp_path: Path, harm: Harm, caplog: pytest.LogCaptureFixture
) -> None:
    """The command names it; the dashboard starts on a new one, and keeps the old one's bytes."""
    file = tmp_path / "tilecast.access"
    file.write_bytes(harm(held))
    with pytest.raises(DamagedAccountsError, match=r"tilecast\.access"):
        Accounts(file)
    assert tilecast.main(["users", "list", str(file)]) == 1
    access = Access(director_token="director-key-1", commentator_token="commentator-1")
    app = create_app(Settings(log=tmp_path / "log.db", access=access, accounts=file))
    with TestClient(app, base_url="http://127.0.0.1:8015") as client:
        assert client.get("/overlay/full?table=1").status_code == 200
    assert (tmp_path / "tilecast.access.damaged-1").read_bytes() == harm(held)
    assert "make the accounts and links again" in caplog.text


def test_a_file_damaged_below_a_dashboard_shuts_its_own_pages_alone(
    held: bytes, tmp_path: Path
) -> None:
    """Who was signed in is a stranger; public pages answer, and nothing is a fault of ours."""
    file = tmp_path / "tilecast.access"
    file.write_bytes(held)
    access = Access(director_token="director-key-1", commentator_token="commentator-1")
    app = create_app(Settings(log=tmp_path / "log.db", access=access, accounts=file))
    with TestClient(app, base_url="http://127.0.0.1:8015", follow_redirects=False) as client:
        client.get("/enter/director-key-1")
        assert client.get("/director").status_code == 200
        file.write_bytes(bytes(len(held)))
        assert client.get("/overlay/full?table=1").status_code == 200
        assert client.get("/director").status_code == 401
        answer = client.post("/login", data={"name": "Dora", "password": "long enough"})
        assert answer.status_code == 503
        assert "tilecast.access is damaged" in answer.text


def damaged(held: bytes, chance: random.Random) -> bytes:
    """Some bytes, or a stretch, of the file are others."""
    made = bytearray(held)
    for _ in range(chance.choice((1, 1, 4, 16))):
        made[chance.randrange(len(made))] = chance.randrange(256)
    if chance.random() < 0.3:
        at = chance.randrange(len(made) - 64)
        made[at : at + 64] = chance.randbytes(64)
    return bytes(made)


def use(file: Path) -> None:
    """Ask for all that a dashboard asks for."""
    with contextlib.closing(Accounts(file)) as accounts:
        accounts.users()
        accounts.tables_served()
        accounts.sessions()
        accounts.tokens()
        accounts.role_of("Dora", "long enough")
        accounts.session("nothing", 5)
        accounts.token_opens("nothing", "racks:*")
        accounts.entered_by("nothing")


def test_no_damage_is_a_raw_exception(held: bytes, tmp_path: Path) -> None:
    """Three hundred files, each opens or names itself; and each dashboard starts."""
    chance = random.Random(37)
    for number in range(FILES_IN_A_RUN):
        file = tmp_path / f"{number}.access"
        file.write_bytes(damaged(held, chance))
        with contextlib.suppress(DamagedAccountsError):
            use(file)
        sound_accounts(file).close()


def test_a_damaged_outbox_begins_anew(tmp_path: Path) -> None:
    """Under another boot; the damaged file is kept."""
    file = tmp_path / "clock-1.outbox"
    with Outbox(file, "clock-1") as outbox:
        before = outbox.boot
        outbox.put("clock.press", {}, 1)
    with contextlib.closing(sqlite3.connect(file)) as opened:
        opened.execute("PRAGMA journal_mode = DELETE")
    held = file.read_bytes()
    file.write_bytes(held[:100] + b"\x97" * 40 + held[140:])
    with Outbox(file, "clock-1") as outbox:
        assert outbox.boot != before
        outbox.put("clock.press", {}, 1)
    assert (tmp_path / "clock-1.outbox.damaged-1").exists()
