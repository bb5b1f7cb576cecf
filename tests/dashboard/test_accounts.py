"""Passwords, sessions and tokens, in a real file."""

from pathlib import Path

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import VerifyMismatchError

from dashboard.auth.access import Role
from dashboard.auth.accounts import IDLE_MS, SESSION_MS, Accounts
from recorder.domain.errors import NotationError

NOW = 1_700_000_000_000
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PASSWORD = "correct horse"


@pytest.fixture
def accounts(tmp_path: Path) -> Accounts:
    """Accounts of a first run."""
    return Accounts(tmp_path / "log.access", QUICK)


def test_the_first_password_is_told_once(accounts: Accounts) -> None:
    """A first run makes an administrator; later runs do not."""
    password = accounts.first_password(NOW)
    assert password is not None
    assert accounts.role_of("admin", password) is Role.ADMIN
    assert accounts.first_password(NOW) is None


def test_a_password_opens_its_name_only(accounts: Accounts) -> None:
    """Wrong password, wrong name, no name: nothing."""
    accounts.set_user("Jane Doe", Role.DIRECTOR, PASSWORD, NOW)
    assert accounts.role_of("Jane Doe", PASSWORD) is Role.DIRECTOR
    assert accounts.role_of("Jane Doe", PASSWORD + "!") is None
    assert accounts.role_of("John Doe", PASSWORD) is None


def test_a_name_that_nobody_has_takes_as_long_as_a_wrong_password() -> None:
    """What it is tried against is an argon2id hash of the same cost, which nothing fits."""
    hasher = PasswordHasher()
    nobody = Accounts()._nobody
    with pytest.raises(VerifyMismatchError):
        hasher.verify(nobody, PASSWORD)
    assert extract_parameters(nobody) == extract_parameters(hasher.hash(PASSWORD))


def test_the_file_holds_no_secret(accounts: Accounts, tmp_path: Path) -> None:
    """Neither passwords nor sessions nor tokens can be read from it, and others cannot read it."""
    accounts.set_user("Jane", Role.DIRECTOR, PASSWORD, NOW)
    secrets = [accounts.begin("Jane", Role.DIRECTOR, NOW), accounts.make_token("a", "racks:*", NOW)]
    accounts.close()
    path = tmp_path / "log.access"
    content = path.read_bytes()
    assert all(secret.encode() not in content for secret in [PASSWORD, *secrets])
    assert b"$argon2id$" in content
    assert path.stat().st_mode & 0o077 == 0


def test_sessions_outlive_a_restart_and_can_be_revoked(tmp_path: Path) -> None:
    """What was signed in stays so, until somebody ends it."""
    before = Accounts(tmp_path / "a", QUICK)
    secret = before.begin("Jane", Role.SCORER, NOW)
    before.close()
    after = Accounts(tmp_path / "a", QUICK)
    session = after.session(secret, NOW + 5)
    assert session is not None
    assert (session.name, session.role) == ("Jane", Role.SCORER)
    assert [one.id for one in after.sessions()] == [session.id]
    assert after.end(session.id)
    assert after.session(secret, NOW + 6) is None
    assert not after.end(session.id)


def test_sessions_end_by_themselves(accounts: Accounts) -> None:
    """A day and a half unused, or a week in all."""
    idle = accounts.begin("Jane", Role.SCORER, NOW)
    assert accounts.session(idle, NOW + IDLE_MS + 1) is None
    used = accounts.begin("Jane", Role.SCORER, NOW)
    for at in range(NOW, NOW + SESSION_MS, IDLE_MS // 2):
        assert accounts.session(used, at) is not None
    assert accounts.session(used, NOW + SESSION_MS + 1) is None


def test_a_new_password_ends_the_sessions_of_the_old(accounts: Accounts) -> None:
    """Whoever had the old one is out."""
    accounts.set_user("Jane", Role.SCORER, PASSWORD, NOW)
    secret = accounts.begin("Jane", Role.SCORER, NOW)
    accounts.set_user("Jane", Role.SCORER, PASSWORD + "2", NOW)
    assert accounts.session(secret, NOW) is None


def test_tokens_open_their_scope_until_revoked(accounts: Accounts) -> None:
    """One table is one table; a star is every table; nothing else."""
    one = accounts.make_token("OBS", "racks:table-1", NOW)
    every = accounts.make_token("gallery", "racks:*", NOW + 1)
    assert accounts.token_opens(one, "racks:table-1")
    assert not accounts.token_opens(one, "racks:table-2")
    assert accounts.token_opens(every, "racks:table-2")
    assert not accounts.token_opens("", "racks:table-1")
    assert [token.label for token in accounts.tokens()] == ["gallery", "OBS"]
    assert accounts.revoke(accounts.tokens()[1].id)
    assert not accounts.token_opens(one, "racks:table-1")


def test_the_last_administrator_stays(accounts: Accounts) -> None:
    """Nobody locks everybody out."""
    accounts.set_user("root", Role.ADMIN, PASSWORD, NOW)
    accounts.set_user("Jane", Role.SCORER, PASSWORD, NOW)
    with pytest.raises(NotationError, match="last administrator"):
        accounts.remove_user("root")
    assert accounts.remove_user("Jane")
    assert not accounts.remove_user("Jane")


@pytest.mark.parametrize(("name", "password"), [("", PASSWORD), ("a\nb", PASSWORD), ("a", "short")])
def test_bad_names_and_passwords_are_named(accounts: Accounts, name: str, password: str) -> None:
    """The message says what is needed."""
    with pytest.raises(NotationError, match=r"needs at least|has 1 to"):
        accounts.set_user(name, Role.SCORER, password, NOW)
