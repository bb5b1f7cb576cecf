"""Passwords, sessions and tokens, in a real file."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import VerifyMismatchError

from dashboard.auth.access import Role
from dashboard.auth.accounts import IDLE_MS, SESSION_MS, Accounts
from recorder.domain.errors import NotationError
from tests.eventually import PATIENCE_S

NOW = 1_700_000_000_000
PASSWORD = "correct horse"


@pytest.fixture
def accounts(tmp_path: Path) -> Accounts:
    """Accounts of a first run."""
    return Accounts(tmp_path / "log.access")


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
    accounts = Accounts()
    hasher, nobody = accounts._hasher, accounts._nobody
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


def test_a_clock_that_was_set_back_keeps_no_session_for_ever(accounts: Accounts) -> None:
    """Of those that began while it was a year ahead, each counts from when it was right again."""
    ahead = NOW + 365 * 24 * 3600 * 1000
    accounts.set_user("Jane", Role.DIRECTOR, PASSWORD, ahead)
    used, idle = (accounts.begin("Jane", Role.DIRECTOR, ahead) for _ in range(2))
    assert accounts.session(used, NOW) is not None, "nobody is thrown out by it"
    assert accounts.session(idle, NOW + IDLE_MS + 1) is None
    assert accounts.session(used, NOW + IDLE_MS + 1) is None
    later = accounts.begin("Jane", Role.DIRECTOR, ahead)
    for hours in range(0, SESSION_MS // 3_600_000, 12):
        assert accounts.session(later, NOW + hours * 3_600_000) is not None
    assert accounts.session(later, NOW + SESSION_MS + 1) is None


def test_sessions_outlive_a_restart_and_can_be_revoked(tmp_path: Path) -> None:
    """What was signed in stays so, until somebody ends it."""
    before = Accounts(tmp_path / "a")
    before.set_user("Jane", Role.COMMENTATOR, PASSWORD, NOW)
    secret = before.begin("Jane", Role.COMMENTATOR, NOW)
    before.close()
    after = Accounts(tmp_path / "a")
    session = after.session(secret, NOW + 5)
    assert (session.name, session.role) == ("Jane", Role.COMMENTATOR)
    assert [one.id for one in after.sessions()] == [session.id]
    assert after.end(session.id)
    assert after.session(secret, NOW + 6) is None
    assert not after.end(session.id)


def test_sessions_end_by_themselves(accounts: Accounts) -> None:
    """A day and a half unused, or a week in all."""
    accounts.set_user("Jane", Role.COMMENTATOR, PASSWORD, NOW)
    idle = accounts.begin("Jane", Role.COMMENTATOR, NOW)
    assert accounts.session(idle, NOW + IDLE_MS + 1) is None
    used = accounts.begin("Jane", Role.COMMENTATOR, NOW)
    for at in range(NOW, NOW + SESSION_MS, IDLE_MS // 2):
        assert accounts.session(used, at) is not None
    assert accounts.session(used, NOW + SESSION_MS + 1) is None


def test_a_new_password_ends_the_sessions_of_the_old(accounts: Accounts) -> None:
    accounts.set_user("Jane", Role.COMMENTATOR, PASSWORD, NOW)
    secret = accounts.begin("Jane", Role.COMMENTATOR, NOW)
    accounts.set_user("Jane", Role.COMMENTATOR, PASSWORD + "2", NOW)
    assert accounts.session(secret, NOW) is None


def test_tokens_open_their_scope_until_revoked(accounts: Accounts) -> None:
    """One table is one table; a star is every table; nothing else."""
    one = accounts.make_token("OBS", "racks:table-1", NOW)
    every = accounts.make_token("gallery", "racks:*", NOW + 1)
    assert accounts.token_opens(one, "racks:table-1")
    assert not accounts.token_opens(one, "racks:table-2")
    assert accounts.token_opens(every, "racks:table-2")
    assert not accounts.token_opens("", "racks:table-1")
    assert [token["label"] for token in accounts.tokens()] == ["gallery", "OBS"]
    assert accounts.revoke(accounts.tokens()[1]["id"])
    assert not accounts.token_opens(one, "racks:table-1")


def test_a_link_ends_with_all_who_came_in_by_it(accounts: Accounts) -> None:
    """A stolen phone is out once its link is made again or revoked, or its account changed."""

    def stolen() -> str:
        accounts.set_user("table-1", Role.SCORER, PASSWORD, NOW, 1)
        assert accounts.entered_by(accounts.make_link("table-1", NOW)) == ("table-1", Role.SCORER)
        return accounts.begin("table-1", Role.SCORER, NOW)

    for end in (
        lambda: accounts.make_link("table-1", NOW),
        lambda: accounts.revoke(accounts.tokens()[0]["id"]),
        lambda: accounts.set_user("table-1", Role.SCORER, PASSWORD, NOW, 1),
    ):
        session = stolen()
        assert accounts.session(session, NOW) is not None
        end()
        assert accounts.session(session, NOW) is None


def test_a_link_is_of_the_account_that_it_was_made_for(accounts: Accounts) -> None:
    """Somebody who gets the name later, or another role under it, is not signed in by it."""
    accounts.set_user("Jane", Role.SCORER, PASSWORD, NOW, 1)
    key = accounts.make_link("Jane", NOW)
    accounts.set_user("Jane", Role.DIRECTOR, PASSWORD, NOW)
    assert accounts.entered_by(key) is None
    key = accounts.make_link("Jane", NOW)
    accounts.remove_user("Jane")
    accounts.set_user("Jane", Role.DIRECTOR, PASSWORD, NOW)
    assert accounts.entered_by(key) is None


def test_the_last_administrator_stays(accounts: Accounts) -> None:
    """Nobody locks everybody out."""
    accounts.set_user("root", Role.ADMIN, PASSWORD, NOW)
    accounts.set_user("Jane", Role.COMMENTATOR, PASSWORD, NOW)
    for name in ("root", " root ", "root "):
        with pytest.raises(NotationError, match="last administrator"):
            accounts.remove_user(name)
        with pytest.raises(NotationError, match="last administrator"):
            accounts.set_user(name, Role.DIRECTOR, PASSWORD, NOW)
    assert accounts.remove_user("Jane")
    assert not accounts.remove_user("Jane")


class _AtOnce(PasswordHasher):
    """Gives back two hashes at the same moment, as for two who change something together."""

    meeting = Barrier(2)

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        self.meeting.wait(PATIENCE_S)
        return super().hash(password, salt=salt)


def test_two_administrators_who_demote_each_other_at_once_are_not_both_gone() -> None:
    """The second of them is refused: one administrator stays."""
    accounts = Accounts()
    for name in ("root", "dora"):
        accounts.set_user(name, Role.ADMIN, PASSWORD, NOW)
    accounts._hasher = _AtOnce(1, 8, 1)

    def demote(name: str) -> bool:
        try:
            accounts.set_user(name, Role.DIRECTOR, PASSWORD, NOW)
        except NotationError:
            return False
        return True

    with ThreadPoolExecutor(2) as hands:
        assert sorted(hands.map(demote, ("root", "dora"))) == [False, True]
    assert [role for _, role in accounts.users()].count(Role.ADMIN) == 1
    accounts.close()


@pytest.mark.parametrize(("name", "password"), [("", PASSWORD), ("a\nb", PASSWORD), ("a", "short")])
def test_bad_names_and_passwords_are_named(accounts: Accounts, name: str, password: str) -> None:
    """The message says what is needed."""
    with pytest.raises(NotationError, match=r"needs at least|has 1 to"):
        accounts.set_user(name, Role.COMMENTATOR, password, NOW)


@pytest.mark.parametrize("typed", ["Dora", "Dora ", "  Dora"])
def test_a_name_is_the_same_however_it_was_typed(accounts: Accounts, typed: str) -> None:
    """Who is removed is out, and who is demoted has the lesser role, on every session."""
    accounts.set_user("Dora", Role.DIRECTOR, PASSWORD, NOW)
    assert accounts.role_of(typed, PASSWORD) is Role.DIRECTOR
    secret = accounts.begin(typed, Role.DIRECTOR, NOW)
    accounts.set_user(typed, Role.COMMENTATOR, PASSWORD, NOW)
    assert accounts.session(secret, NOW) is None
    secret = accounts.begin(typed, Role.DIRECTOR, NOW)
    session = accounts.session(secret, NOW)
    assert (session.name, session.role) == ("Dora", Role.COMMENTATOR)
    assert accounts.remove_user(f" {typed}")
    assert accounts.session(secret, NOW) is None


def test_a_new_key_ends_the_sessions_of_the_old(tmp_path: Path) -> None:
    """A leaked key is no way in for another week."""
    before = Accounts(tmp_path / "a")
    old, held = (
        before.begin("director (link)", Role.DIRECTOR, NOW, key=key) for key in ("leaked", "held")
    )
    before.close()
    after = Accounts(tmp_path / "a")
    after.hold_keys("held", "new")
    assert after.session(old, NOW) is None
    assert after.session(held, NOW) is not None
    after.close()


def test_a_scorer_serves_one_table(accounts: Accounts) -> None:
    """Named with the account; nobody else has one."""
    for role, table in ((Role.SCORER, 0), (Role.DIRECTOR, 3)):
        with pytest.raises(NotationError, match="other roles have none"):
            accounts.set_user("Jane", role, PASSWORD, NOW, table)
    accounts.set_user("Jane", Role.SCORER, PASSWORD, NOW, 3)
    session = accounts.session(accounts.begin("Jane", Role.SCORER, NOW), NOW)
    assert (session.serves(3), session.serves(1)) == (True, False)


def test_a_file_of_accounts_that_others_could_read_is_closed(tmp_path: Path) -> None:
    """Anyone who made it, and whatever its rights were."""
    path = tmp_path / "a"
    path.touch()
    path.chmod(0o666)
    Accounts(path).close()
    assert path.stat().st_mode & 0o077 == 0


def test_a_file_of_an_earlier_release_is_read_on(tmp_path: Path) -> None:
    """Its users stay; sessions of keys, which it did not tell from users, do not."""
    path = tmp_path / "a"
    before = Accounts(path)
    before.set_user("Jane", Role.DIRECTOR, PASSWORD, NOW)
    jane = before.begin("Jane", Role.DIRECTOR, NOW)
    link = before.begin("director (link)", Role.DIRECTOR, NOW)
    before.close()
    with closing(sqlite3.connect(path)) as old:
        old.execute("alter table users drop column serves")
        old.execute("alter table sessions drop column launched")
    after = Accounts(path)
    assert after.session(jane, NOW) is not None
    assert after.session(link, NOW) is None
    after.close()


@pytest.mark.parametrize(
    "other",
    ["d\u043era", "\u0501\u043e\u0433\u0430", "dora", "Dora.", "D0ra", "D.o.r.a",
     "Dora\u200b", "Do\u3164ra", "\u0501\u043er\u0430", "Do\u034fra", "Dora\ufe0f",
     "\u202eDora", "\u0301Dora", "Dora\u2800"],
    ids=ascii,
)  # fmt: skip
def test_nobody_has_a_name_that_looks_like_another(accounts: Accounts, other: str) -> None:
    """Other alphabets, what is not seen, case, dots: refused, and Dora stays who she is."""
    accounts.set_user("Dora", Role.DIRECTOR, PASSWORD, NOW)
    with pytest.raises(NotationError):
        accounts.set_user(other, Role.COMMENTATOR, "another password", NOW)
    assert accounts.users() == [("Dora", Role.DIRECTOR)]
    for name in ("\uff24ora", " Dora ", "Dor\uff41"):
        accounts.set_user(name, Role.DIRECTOR, "another password", NOW)
        assert accounts.users() == [("Dora", Role.DIRECTOR)], "typed wide, it is the same account"
        assert accounts.role_of(name, "another password") is Role.DIRECTOR
    for name in ("Dorian", "\u0414\u043e\u0440\u0430", "D\xf6ra", "Dora 2", "\u5c71\u7530 Dora"):
        accounts.set_user(name, Role.COMMENTATOR, PASSWORD, NOW)


def test_a_name_of_an_earlier_release_is_kept_in_its_one_form(tmp_path: Path) -> None:
    before = Accounts(tmp_path / "a")
    before.set_user("Eva", Role.COMMENTATOR, PASSWORD, NOW)
    link, secret = before.make_link("Eva", NOW), before.begin("Eva", Role.COMMENTATOR, NOW)
    before.close()
    with closing(sqlite3.connect(tmp_path / "a")) as file, file:
        file.execute("update users set name = '\uff25va'")
        file.execute("update sessions set name = '\uff25va'")
        file.execute("update tokens set scope = 'enter:\uff25va'")
    after = Accounts(tmp_path / "a")
    assert after.entered_by(link) == ("Eva", Role.COMMENTATOR)
    assert after.session(secret, NOW) is not None
    assert after.role_of("\uff25va", PASSWORD) is Role.COMMENTATOR
