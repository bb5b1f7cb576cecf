"""Who has which password, who is signed in, which overlay tokens hold: one SQLite file.

Passwords are kept as argon2id, sessions and tokens as SHA-256 of 256 random bits: anyone who reads
the file can open nothing with it. Everything can be revoked, and holds across a restart. Knows no
request and no page; times are milliseconds since 1970 and come in as arguments.
"""

import base64
import hashlib
import logging
import secrets
import sqlite3
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from dashboard.auth.access import Role
from dashboard.auth.names import checked_name, likeness, normal_name
from recorder.damaged import SQLITE_FAULTS, fault_text, free_name, is_damage, put_aside
from recorder.domain.errors import RecorderError
from recorder.domain.limits import MOST_TABLES
from recorder.frames.phones import Token
from recorder.systems import NO_FILE, is_special
from recorder.texts import TextError

_log = logging.getLogger(__name__)
FIRST_USER = "admin"
LEAST_PASSWORD = 10
"""Characters below which a password is refused."""
SESSION_MS = 7 * 24 * 3600 * 1000
IDLE_MS = 36 * 3600 * 1000
"""A session ends a week after it began, or when nobody used it for a day and a half."""
_SEEN_MS = 60_000
_ENTERS = "enter:"
_COLUMNS = {
    "users": ("name text", "role text", "password text", "made_ms integer", "serves integer"),
    "sessions": (
        *("id text", "name text", "role text", "since_ms integer", "seen_ms integer"),
        "launched text",
    ),
    "tokens": ("id text", "label text", "scope text", "since_ms integer"),
}
"""The tables of the file, each with its key first."""
_MAY_MISS = {"serves", "launched", "made_ms"}
"""A file of an earlier release has none of these in its rows."""
_SET_USER = """
replace into users (name, role, password, made_ms, serves)
values (:name, :role, :password, :made_ms, :serves)
"""
_BEGIN_SESSION = """
insert into sessions (id, name, role, launched, since_ms, seen_ms)
values (:id, :name, :role, :launched, :now, :now)
"""
_OPEN_OVERLAY = """
insert into tokens (id, label, scope, since_ms) values (:id, :label, :scope, :since_ms)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Somebody who is signed in. ``id`` names the session without opening it.

    ``table`` is the one that a scorer or a camera serves, 0 for everybody else.
    """

    id: str
    name: str
    role: Role
    since_ms: int
    seen_ms: int
    table: int = 0

    def serves(self, table: int) -> bool:
        """Whether they may speak for the devices of a table."""
        return not self.role.is_at_a_table or self.table == table


class DamagedAccountsError(RecorderError):
    """The file of accounts gives others than were put into it, or none."""


class _Lock:
    """Held by one thread at a time; what SQLite says of the file meanwhile names it."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, _kind: object, fault: BaseException | None, _trace: object) -> None:
        self._lock.release()
        if isinstance(fault, SQLITE_FAULTS):
            what, remedy = (
                "is damaged",
                "a dashboard that starts puts it aside, and begins a new one",
            )
            if not is_damage(fault):
                what, remedy = "cannot be written", "see whether the disk is full, and whose it is"
            text = f"{self._path} {what} ({fault_text(fault)}): {remedy}"
            raise DamagedAccountsError(text) from None


def sound_accounts(path: Path | None) -> "Accounts":
    """The accounts of a file; a damaged one is put aside, said, and a new one begins.

    Pages that need no account stay on air, and the start shows the new administrator's password.
    """
    try:
        return Accounts(path)
    except DamagedAccountsError as fault:
        if path is None:
            raise
        aside = put_aside(path, free_name(path, "damaged"))
        _log.error(
            "%s. It is now %s: make the accounts and links again, or put a copy back", fault, aside
        )
        return Accounts(path)


class Accounts:
    """The accounts of one dashboard; safe to use from several threads.

    ``path`` None keeps them in memory. The file is made readable for its owner alone.
    DamagedAccountsError, from any method, where the file is damaged or cannot be written.
    """

    def __init__(self, path: Path | None = None) -> None:
        if path is not None and (path.is_dir() or is_special(path)):
            raise DamagedAccountsError(f"{path} {NO_FILE}")
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            path.chmod(0o600)  # one that was there already may have been anybody's
        self._db = sqlite3.connect(path or ":memory:", check_same_thread=False)
        self._lock = _Lock(path)
        self._hasher = PasswordHasher()
        self._nobody = _hash_of_nobody(self._hasher)
        try:
            with self._lock:
                # Deleting the journal is the commit: the next power cut must not bring it back.
                self._db.execute("pragma synchronous = extra")
                self._make_tables()
                fault = self._unsound()
                if not fault:
                    with self._db:
                        self._rename_to_normal()
        except BaseException:
            self._db.close()
            raise
        if fault:
            self._db.close()
            raise DamagedAccountsError(f"{path} is damaged: {fault}")

    def _unsound(self) -> str:
        """What is wrong with the file or a value in it; empty if nothing."""
        ((said,),) = self._db.execute("pragma integrity_check(1)").fetchall()
        if said != "ok":
            return str(said)
        for table, columns in _COLUMNS.items():
            names = [column.split()[0] for column in columns]
            kinds = [str if column.endswith("text") else int for column in columns]
            sql = f"select {', '.join(names)} from {table}"  # noqa: S608 - ours
            for row in self._db.execute(sql).fetchall():
                for name, kind, value in zip(names, kinds, row, strict=True):
                    is_missing = value is None and name in _MAY_MISS
                    is_role = name != "role" or value in set(Role)
                    if not (is_missing or (type(value) is kind and is_role)):
                        return f"{name} in {table} is of another type"
        return ""

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def first_password(self, now: int) -> str | None:
        """A new password for the first administrator, None when somebody has one already."""
        if self.users():
            return None
        password = secrets.token_urlsafe(12)
        self.set_user(FIRST_USER, Role.ADMIN, password, now)
        return password

    def set_user(self, name: str, role: Role, password: str, now: int, table: int = 0) -> None:
        """Add somebody, or change role, table and password; their sessions and their link end.

        ``table`` is the one that a scorer or a camera serves. NotationError when name, table or
        password cannot be used, when the name looks like that of another account, and when no
        administrator would be left.
        """
        name = checked_name(name)
        if role.is_at_a_table != (0 < table <= MOST_TABLES):
            raise TextError("table_of_role")
        if len(password) < LEAST_PASSWORD:
            raise TextError("short_password", least=LEAST_PASSWORD)
        hashed = self._hasher.hash(password)
        row = {"name": name, "role": str(role), "password": hashed, "made_ms": now}
        with self._lock, self._db:
            self._keep_apart(name)
            if role is not Role.ADMIN:
                self._keep_an_administrator(name)
            self._db.execute(_SET_USER, {**row, "serves": table})
            self._lock_out(name)

    def remove_user(self, name: str) -> bool:
        """Take somebody out; their sessions and their link end. False when nobody has that name.

        NotationError when no administrator would be left.
        """
        name = normal_name(name)
        with self._lock, self._db:
            self._keep_an_administrator(name)
            gone = self._db.execute("delete from users where name = ?", [name]).rowcount
            self._lock_out(name)
        return gone > 0

    def _lock_out(self, name: str) -> None:
        """End what lets somebody in; anyone who is given the same name later has nothing of it."""
        self._db.execute("delete from sessions where name = ? and launched = ''", [name])
        self._db.execute("delete from tokens where scope = ?", [f"{_ENTERS}{name}"])

    def _keep_apart(self, name: str) -> None:
        """Under the lock: nobody is given a name that is taken for another's."""
        for (other,) in self._db.execute("select name from users").fetchall():
            if other != name and likeness(other) == likeness(name):
                raise TextError("name_alike", name=name, other=other)

    def _keep_an_administrator(self, name: str) -> None:
        """Under the lock, and in the very change: else two would take each other's role at once."""
        sql = "select name from users where role = ?"
        if self._db.execute(sql, [str(Role.ADMIN)]).fetchall() == [(name,)]:
            raise TextError("last_administrator", name=name)

    def tables_served(self) -> dict[str, int]:
        """By name, the table that a scorer or a camera serves."""
        with self._lock:
            rows = self._db.execute("select name, role, serves from users").fetchall()
        return {name: table or 0 for name, role, table in rows if Role(role).is_at_a_table}

    def users(self) -> list[tuple[str, Role]]:
        """Names and roles, by name."""
        with self._lock:
            rows = self._db.execute("select name, role from users order by name").fetchall()
        return [(name, Role(role)) for name, role in rows]

    def role_of(self, name: str, password: str) -> Role | None:
        """The role of somebody who knows the password. As slow for a name that is not there."""
        with self._lock:
            sql = "select role, password from users where name = ?"
            row = self._db.execute(sql, [normal_name(name)]).fetchone()
        try:
            self._hasher.verify(row[1] if row else self._nobody, password)
        except (VerificationError, InvalidHashError):
            return None
        return Role(row[0]) if row else None

    def begin(self, name: str, role: Role, now: int, *, key: str = "") -> str:
        """Sign somebody in; the secret that opens the session.

        With the launch key ``key`` the session is of the one who has that key, and lasts as long as
        the key is one (``hold_keys``); without it ``name`` is an account's, whose role counts
        whenever the session is used.
        """
        secret = secrets.token_urlsafe(32)
        row = {"id": _hashed(secret), "name": normal_name(name), "role": str(role)}
        row["launched"] = _hashed(key) if key else ""
        with self._lock, self._db:
            self._db.execute(_BEGIN_SESSION, {**row, "now": now})
        return secret

    def session(self, secret: str, now: int) -> Session | None:
        """The session that a secret opens, None when it has ended or never was."""
        key = _hashed(secret)
        sql = f"{_SESSIONS} where sessions.id = ?"
        with self._lock:
            self._begin_by(now)
            row = self._db.execute(sql, [key]).fetchone()
            if row is None:
                return None
            found = _session(row)
            since_ms, seen_ms = row[3], row[4]
            with self._db:
                if found is None or now - since_ms > SESSION_MS or now - seen_ms > IDLE_MS:
                    self._db.execute("delete from sessions where id = ?", [key])
                    return None
                if now - seen_ms > _SEEN_MS:
                    self._db.execute("update sessions set seen_ms = ? where id = ?", [now, key])
        return found

    def _begin_by(self, now: int) -> None:
        """A clock that was ahead when they began would keep sessions for as much longer."""
        if (self._db.execute("select max(seen_ms) from sessions").fetchone()[0] or 0) <= now:
            return
        sql = "update sessions set since_ms = min(since_ms, ?), seen_ms = min(seen_ms, ?)"
        with self._db:
            self._db.execute(sql, [now, now])

    def sessions(self) -> list[Session]:
        """Everybody who is signed in, the latest first."""
        sql = f"{_SESSIONS} order by sessions.since_ms desc"
        with self._lock:
            rows = self._db.execute(sql).fetchall()
        return [found for row in rows if (found := _session(row)) is not None]

    def hold_keys(self, *keys: str) -> None:
        """The launch keys of this run: sessions of others, from earlier runs, end."""
        held = [_hashed(key) for key in keys]
        marks = ",".join("?" * len(held))
        sql = f"delete from sessions where launched != '' and launched not in ({marks})"  # noqa: S608
        with self._lock, self._db:
            self._db.execute(sql, held)

    def end(self, session_id: str) -> bool:
        """Sign a session out by its id; False when there is none."""
        with self._lock, self._db:
            sql = "delete from sessions where substr(id, 1, 12) = ?"
            return bool(self._db.execute(sql, [session_id]).rowcount)

    def make_token(self, label: str, scope: str, now: int) -> str:
        """A token that opens ``scope`` until it is revoked; it is reported this once."""
        secret = secrets.token_urlsafe(24)
        row = {"id": _hashed(secret), "label": label, "scope": scope, "since_ms": now}
        with self._lock, self._db:
            self._db.execute(_OPEN_OVERLAY, row)
        return secret

    def tokens(self) -> list[Token]:
        """The tokens that hold, the latest first; ``scope`` is such as ``racks:table-1``."""
        sql = "select id, label, scope, since_ms from tokens order by since_ms desc"
        with self._lock:
            rows = self._db.execute(sql).fetchall()
        return [{"id": r[0][:12], "label": r[1], "scope": r[2], "since": r[3]} for r in rows]

    def token_opens(self, secret: str, scope: str) -> bool:
        """Whether a token opens a scope; ``racks:*`` opens the racks of every table."""
        with self._lock:
            sql = "select scope from tokens where id = ?"
            row = self._db.execute(sql, [_hashed(secret)]).fetchone()
        kind = scope.partition(":")[0]
        return row is not None and row[0] in (scope, f"{kind}:*")

    def make_link(self, name: str, now: int) -> str:
        """A key that signs in as an account, for a link; reported this once.

        An earlier one ends with all who came in. Can be revoked as every token.
        """
        with self._lock, self._db:
            self._lock_out(normal_name(name))
        return self.make_token(
            f"link for {normal_name(name)}", f"{_ENTERS}{normal_name(name)}", now
        )

    def entered_by(self, key: str) -> tuple[str, Role] | None:
        """The account whose link has that key, with its role; None when there is none."""
        with self._lock:
            sql = "select scope from tokens where id = ? and scope like ?"
            row = self._db.execute(sql, [_hashed(key), f"{_ENTERS}%"]).fetchone()
        name = row[0].removeprefix(_ENTERS) if row else ""
        role = dict(self.users()).get(name)
        return None if role is None else (name, role)

    def revoke(self, token_id: str) -> bool:
        """Take a token back by its id; False when there is none. A link ends with all it let in."""
        with self._lock, self._db:
            found = self._db.execute(
                "select scope from tokens where substr(id, 1, 12) = ?", [token_id]
            ).fetchall()
            for (scope,) in found:
                if scope.startswith(_ENTERS):
                    self._lock_out(scope.removeprefix(_ENTERS))
            self._db.execute("delete from tokens where substr(id, 1, 12) = ?", [token_id])
        return bool(found)

    def _make_tables(self) -> None:
        with self._db:
            for table, (key, *others) in _COLUMNS.items():
                self._db.execute(f"create table if not exists {table} ({key} primary key)")
                known = {name for _, name, *_ in self._db.execute(f"pragma table_info({table})")}
                for column in others:  # a file of an earlier release lacks some
                    if column.split()[0] not in known:
                        self._db.execute(f"alter table {table} add column {column}")

    def _rename_to_normal(self) -> None:
        """A file of an earlier release has names in forms that are typed no more."""
        names = {name for (name,) in self._db.execute("select name from users").fetchall()}
        for name in names:
            normal = normal_name(name)
            if normal not in names:
                for table in ("users", "sessions"):
                    sql = f"update {table} set name = ? where name = ?"  # noqa: S608 - ours
                    self._db.execute(sql, [normal, name])
                scopes = [f"{_ENTERS}{normal}", f"{_ENTERS}{name}"]
                self._db.execute("update tokens set scope = ? where scope = ?", scopes)


_SESSIONS = """
select sessions.id, sessions.name, sessions.role, sessions.since_ms, sessions.seen_ms,
       sessions.launched, users.role, users.serves
from sessions left join users on users.name = sessions.name
"""


def _session(row: tuple[Any, ...]) -> Session | None:
    """A session as it counts now; None for one whose account is gone."""
    key, name, role, since_ms, seen_ms, launched, account, table = row
    if not launched:
        if account is None:
            return None
        role = account
    serves = 0 if launched else table or 0
    return Session(
        id=key[:12], name=name, role=Role(role), since_ms=since_ms, seen_ms=seen_ms, table=serves
    )


def _hashed(secret: str) -> str:
    """SHA-256 is enough for 192 and more random bits; a password would need more."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _hash_of_nobody(hasher: PasswordHasher) -> str:
    """What no password fits; to try one costs as much as against a real hash."""
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    parts = (base64.b64encode(bytes(size)) for size in (hasher.salt_len, hasher.hash_len))
    salt, digest = (part.decode("ascii").rstrip("=") for part in parts)
    return f"$argon2id$v=19${cost}${salt}${digest}"
