"""Who has which password, who is signed in, which overlay tokens hold: one SQLite file.

Passwords are kept as argon2id, sessions and tokens as SHA-256 of 256 random bits: whoever reads
the file can open nothing with it. Everything can be revoked, and holds across a restart. Knows no
request and no page; times are milliseconds since 1970 and come in as arguments.
"""

import base64
import hashlib
import secrets
import sqlite3
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlite_utils
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from dashboard.auth.access import Role
from recorder.domain.errors import NotationError

FIRST_USER = "admin"
LEAST_PASSWORD = 10
"""Characters below which a password is refused."""
SESSION_MS = 7 * 24 * 3600 * 1000
IDLE_MS = 36 * 3600 * 1000
"""A session ends a week after it began, or when nobody used it for a day and a half."""
_SEEN_MS = 60_000
_LONGEST_NAME = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Somebody who is signed in. ``id`` names the session without opening it."""

    id: str
    name: str
    role: Role
    since_ms: int
    seen_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A token of an overlay: ``scope`` is what it opens, such as ``racks:table-1``."""

    id: str
    label: str
    scope: str
    since_ms: int


class Accounts:
    """The accounts of one dashboard; safe to use from several threads.

    ``path`` None keeps them in memory. The file is made readable for its owner alone.
    """

    def __init__(self, path: Path | None = None, hasher: PasswordHasher | None = None) -> None:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
        connection = sqlite3.connect(path or ":memory:", check_same_thread=False)
        self._db = sqlite_utils.Database(connection)
        self._lock = threading.Lock()
        self._hasher = hasher or PasswordHasher()
        self._nobody = _hash_of_nobody(self._hasher)
        with self._lock:
            self._make_tables()

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

    def set_user(self, name: str, role: Role, password: str, now: int) -> None:
        """Add somebody, or change role and password; their sessions end.

        NotationError when the name or the password cannot be used.
        """
        if not 0 < len(name.strip()) <= _LONGEST_NAME or not name.isprintable():
            raise NotationError(f"a name has 1 to {_LONGEST_NAME} printable characters")
        if len(password) < LEAST_PASSWORD:
            raise NotationError(f"a password needs at least {LEAST_PASSWORD} characters")
        hashed = self._hasher.hash(password)
        row = {"name": name.strip(), "role": str(role), "password": hashed, "made_ms": now}
        with self._lock, self._db.conn:
            self._table("users").insert(row, replace=True)
            self._db.execute("delete from sessions where name = ?", [row["name"]])

    def remove_user(self, name: str) -> bool:
        """Take somebody out; their sessions end. False when nobody has that name.

        NotationError when no administrator would be left.
        """
        if [admin for admin, role in self.users() if role is Role.ADMIN] == [name]:
            raise NotationError(f"{name} is the last administrator and stays")
        with self._lock, self._db.conn:
            gone = self._db.execute("delete from users where name = ?", [name]).rowcount
            self._db.execute("delete from sessions where name = ?", [name])
        return gone > 0

    def users(self) -> list[tuple[str, Role]]:
        """Names and roles, by name."""
        with self._lock:
            rows = self._db.execute("select name, role from users order by name").fetchall()
        return [(name, Role(role)) for name, role in rows]

    def role_of(self, name: str, password: str) -> Role | None:
        """The role of somebody who knows the password. As slow for a name that is not there."""
        with self._lock:
            sql = "select role, password from users where name = ?"
            row = self._db.execute(sql, [name.strip()]).fetchone()
        try:
            self._hasher.verify(row[1] if row else self._nobody, password)
        except (VerificationError, InvalidHashError):
            return None
        return Role(row[0]) if row else None

    def begin(self, name: str, role: Role, now: int) -> str:
        """Sign somebody in; the secret that opens the session."""
        secret = secrets.token_urlsafe(32)
        row = {"id": _hashed(secret), "name": name, "role": str(role)}
        with self._lock, self._db.conn:
            self._table("sessions").insert({**row, "since_ms": now, "seen_ms": now})
        return secret

    def session(self, secret: str, now: int) -> Session | None:
        """The session that a secret opens, None when it has ended or never was."""
        key = _hashed(secret)
        sql = "select name, role, since_ms, seen_ms from sessions where id = ?"
        with self._lock:
            row = self._db.execute(sql, [key]).fetchone()
            if row is None:
                return None
            name, role, since_ms, seen_ms = row
            with self._db.conn:
                if now - since_ms > SESSION_MS or now - seen_ms > IDLE_MS:
                    self._db.execute("delete from sessions where id = ?", [key])
                    return None
                if now - seen_ms > _SEEN_MS:
                    self._db.execute("update sessions set seen_ms = ? where id = ?", [now, key])
        return Session(id=key[:12], name=name, role=Role(role), since_ms=since_ms, seen_ms=seen_ms)

    def sessions(self) -> list[Session]:
        """Everybody who is signed in, the latest first."""
        sql = "select id, name, role, since_ms, seen_ms from sessions order by since_ms desc"
        with self._lock:
            rows = self._db.execute(sql).fetchall()
        return [
            Session(id=row[0][:12], name=row[1], role=Role(row[2]), since_ms=row[3], seen_ms=row[4])
            for row in rows
        ]

    def end(self, session_id: str) -> bool:
        """Sign a session out by its id; False when there is none."""
        return self._delete("sessions", session_id)

    def make_token(self, label: str, scope: str, now: int) -> str:
        """A token that opens ``scope`` until it is revoked; it is told this once."""
        secret = secrets.token_urlsafe(24)
        row = {"id": _hashed(secret), "label": label, "scope": scope, "since_ms": now}
        with self._lock, self._db.conn:
            self._table("tokens").insert(row)
        return secret

    def tokens(self) -> list[Token]:
        """The tokens that hold, the latest first."""
        sql = "select id, label, scope, since_ms from tokens order by since_ms desc"
        with self._lock:
            rows = self._db.execute(sql).fetchall()
        return [Token(id=r[0][:12], label=r[1], scope=r[2], since_ms=r[3]) for r in rows]

    def token_opens(self, secret: str, scope: str) -> bool:
        """Whether a token opens a scope; ``racks:*`` opens the racks of every table."""
        with self._lock:
            sql = "select scope from tokens where id = ?"
            row = self._db.execute(sql, [_hashed(secret)]).fetchone()
        kind = scope.partition(":")[0]
        return row is not None and row[0] in (scope, f"{kind}:*")

    def revoke(self, token_id: str) -> bool:
        """Take a token back by its id; False when there is none."""
        return self._delete("tokens", token_id)

    def _delete(self, table: str, short_id: str) -> bool:
        sql = f"delete from {table} where substr(id, 1, 12) = ?"  # noqa: S608 - our own table names
        with self._lock, self._db.conn:
            return bool(self._db.execute(sql, [short_id]).rowcount)

    def _table(self, name: str) -> Any:
        return self._db[name]

    def _make_tables(self) -> None:
        times = {"since_ms": int}
        texts = {
            "users": {"name": str, "role": str, "password": str, "made_ms": int},
            "sessions": {"id": str, "name": str, "role": str, **times, "seen_ms": int},
            "tokens": {"id": str, "label": str, "scope": str, **times},
        }
        with self._db.conn:
            for name, columns in texts.items():
                key = next(iter(columns))
                self._table(name).create(columns, pk=key, if_not_exists=True)


def _hashed(secret: str) -> str:
    """SHA-256 is enough for 192 and more random bits; a password would need more."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _hash_of_nobody(hasher: PasswordHasher) -> str:
    """What no password fits; to try one costs as much as against a real hash."""
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    parts = (base64.b64encode(bytes(size)) for size in (hasher.salt_len, hasher.hash_len))
    salt, digest = (part.decode("ascii").rstrip("=") for part in parts)
    return f"$argon2id$v=19${cost}${salt}${digest}"
