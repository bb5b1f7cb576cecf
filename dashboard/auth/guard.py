"""Every route says whom it is for; this is where it is checked.

``requires(role)`` goes among a route's dependencies, for pages and WebSockets alike. It checks the
session, and for everything that is not a plain read the origin: browsers let any page post
anywhere and open a WebSocket anywhere. A test walks all routes and fails on one without a role.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fastapi import Depends, HTTPException, Request, Response, WebSocketException, status
from starlette.requests import HTTPConnection

from dashboard.auth.access import Access, Role, same_origin
from dashboard.auth.accounts import Accounts, DamagedAccountsError, Session
from dashboard.auth.addresses import is_here, visitor
from dashboard.auth.names import normal_name
from recorder.backoff import Backoff
from recorder.recent import Recent
from recorder.texts import TextError, WordedError
from recorder.uptime import uptime_ms

COOKIE = "tilecast_session"
_SAFE = {"GET", "HEAD", "OPTIONS"}
_NEVER_OURS = {"text/plain", "multipart/form-data"}
"""What other sites' forms can send, and no page of ours does."""
_FREE_FAILURES = 5
_WAITS_MS = Backoff(1000, 300_000)
_FORGET_MS = 900_000
_MOST_LOCKED_MS = 30_000
_MOST_COUNTED, _MOST_KNOWN = 10_000, 1_000


class AccessDeniedError(WordedError):
    """A request by somebody who may not. ``signed_in``: known, but not for this, by ``name``."""

    def __init__(self, role: Role, code: str, *, signed_in: bool, name: str = "") -> None:
        super().__init__(code, name=name)
        self.role = role
        self.signed_in = signed_in
        self.name = name


@dataclass(slots=True)
class Attempts:
    """How often somebody failed to sign in: after a few times, each try costs a longer wait.

    ``who`` is an address or an account; both are counted, so that neither many names from one
    address nor one name from many get further. A try counts when it begins, or many at a time
    would be one.
    """

    failures: Recent[str, tuple[int, int]] = field(default_factory=lambda: Recent(_MOST_COUNTED))

    def wait_ms(self, who: str, now: int, most_ms: int | None = None) -> int:
        """How long ``who`` must still wait (milliseconds), 0 when they may try.

        It counts from the last try, and is ``most_ms`` at most.
        """
        count, last_ms = self.failures.get(who, (0, 0))
        if count < _FREE_FAILURES:
            return 0
        wait_ms = round(_WAITS_MS.after(count - _FREE_FAILURES + 1))
        return max(0, last_ms + (wait_ms if most_ms is None else min(wait_ms, most_ms)) - now)

    def begun(self, who: str, now: int) -> None:
        """One more try, a failure until it succeeds; what is long ago is forgotten.

        The oldest stand first, so that a flood of addresses costs no more for each.
        """
        while self.failures and now - next(iter(self.failures.values()))[1] > _FORGET_MS:
            self.failures.popitem(last=False)
        count, last_ms = self.failures.get(who, (0, now))
        self.failures[who] = (1 if now - last_ms > _FORGET_MS else count + 1, now)

    def succeeded(self, who: str, times: int = 1) -> None:
        """They are in: so many of the tries were theirs, and no failures."""
        count, last_ms = self.failures.pop(who, (0, 0))
        if count > times:
            self.failures[who] = (count - times, last_ms)


@dataclass(slots=True)
class Guard:
    """The accounts and launch keys of one dashboard; ``now`` shows milliseconds since 1970.

    Waits between tries pass by ``ticks``, milliseconds that nobody can set.
    """

    access: Access
    accounts: Accounts
    now: Callable[[], int]
    attempts: Attempts = field(default_factory=Attempts)
    ticks: Callable[[], int] = uptime_ms
    _known: dict[str, bool] = field(default_factory=lambda: Recent(_MOST_KNOWN))

    def session(self, cookies: Mapping[str, str]) -> Session | None:
        """Who sent these cookies."""
        secret = cookies.get(COOKIE, "")
        try:
            return self.accounts.session(secret, self.now()) if secret else None
        except DamagedAccountsError:
            return None  # a stranger sees the public pages still

    def __post_init__(self) -> None:
        self.accounts.hold_keys(self.access.director_token, self.access.commentator_token)

    def wait_ms(self, address: str, name: str) -> int:
        """How long (milliseconds) somebody at an address must wait to try a name; 0 to try now.

        Tries lock their own address. A name that many addresses try is locked, for a short time,
        for those that have failed before; or anybody could keep its owner out.
        """
        now, place = self.ticks(), self._place(address)
        own_ms = self.attempts.wait_ms(place, now)
        if not name or place not in self.attempts.failures:
            return own_ms
        return max(own_ms, self.attempts.wait_ms(_account(name), now, _MOST_LOCKED_MS))

    def knows(self, address: str) -> bool:
        """Whether somebody has signed in from an address since the start, or it is this machine."""
        return address in self._known or is_here(address)

    def has_failed(self, address: str) -> bool:
        """Whether a try from an address has failed, or is not over."""
        return self._place(address) in self.attempts.failures

    def _place(self, address: str) -> str:
        """What tries from an address count under: itself where somebody has signed in from it."""
        return address if self.knows(address) else visitor(address)

    def locked(self) -> list[tuple[str, int]]:
        """Addresses and accounts that must wait, each with how many milliseconds."""
        now = self.ticks()
        waits = [(who, self.attempts.wait_ms(who, now)) for who in self.attempts.failures]
        return [(who, wait_ms) for who, wait_ms in waits if wait_ms and " from " not in who]

    def unlock(self) -> None:
        """Let everybody try again at once."""
        self.attempts.failures.clear()

    def tried(self, address: str, name: str) -> None:
        """Somebody begins to try a name, or a key where it is empty."""
        for who in _counted(self._place(address), name):
            self.attempts.begun(who, self.ticks())

    def succeeded(self, address: str, name: str) -> None:
        """It fitted.

        Of an address that takes back the tries of that name alone, else anyone who has a key of
        their own could use it between guesses at another's.
        """
        place = self._place(address)
        _, *names = _counted(place, name)
        theirs = self.attempts.failures.get(names[-1], (1, 0))[0] if names else 1
        self.attempts.succeeded(place, theirs)
        self._known[address] = True
        for who in names:
            self.attempts.failures.pop(who, None)

    def may(self, role: Role, cookies: Mapping[str, str]) -> bool:
        """Whether somebody with these cookies may do what ``role`` may."""
        if role is Role.VIEWER:
            return True
        session = self.session(cookies)
        return session is not None and session.role.opens(role)

    def check(self, connection: HTTPConnection, role: Role) -> None:
        """AccessDeniedError when the request may not be answered: its origin, or who sent it."""
        unsafe = connection.scope.get("method", "") not in _SAFE
        kind = connection.headers.get("content-type", "").partition(";")[0].strip().lower()
        is_clear = connection.url.scheme in ("http", "ws")
        if unsafe and (kind in _NEVER_OURS or not same_origin(connection.headers, clear=is_clear)):
            raise AccessDeniedError(role, "page_of_another_site", signed_in=True)
        if not self.may(role, connection.cookies):
            session = self.session(connection.cookies)
            if session is None:
                raise AccessDeniedError(role, "nobody_signed_in", signed_in=False)
            raise AccessDeniedError(role, "for_others", signed_in=True, name=session.name)

    def sign_in(
        self, response: Response, name: str, role: Role, *, secure: bool, key: str = ""
    ) -> None:
        """Begin a session and give its secret to the browser; ``key`` where a key opened it."""
        response.set_cookie(
            COOKIE,
            self.accounts.begin(name, role, self.now(), key=key),
            httponly=True,
            samesite="lax",
            secure=secure,
            path="/",
        )


def _counted(address: str, name: str) -> tuple[str, ...]:
    """What a try is counted under: the address; of a name also that, and that name from there."""
    return (address, _account(name), f"{_account(name)} from {address}") if name else (address,)


def _account(name: str) -> str:
    """What an account's tries are counted under; no address looks like that."""
    return f"account {normal_name(name)}"


def guard_of(connection: HTTPConnection) -> Guard:
    """The guard of the application that a request came to."""
    guard: Guard = connection.app.state.guard
    return guard


def requires(role: Role) -> Any:
    """A dependency: only for ``role``, and only from our own pages where it matters."""

    def check(connection: HTTPConnection) -> None:
        try:
            guard_of(connection).check(connection, role)
        except AccessDeniedError as refused:
            if connection.scope["type"] != "websocket":
                raise
            raise WebSocketException(status.WS_1008_POLICY_VIOLATION, str(refused)) from refused

    check.role = role  # type: ignore[attr-defined]
    return Depends(check)


def check_table(request: Request, table: int) -> None:
    """HTTPException where who asks is bound to another table."""
    session = guard_of(request).session(request.cookies)
    if session is None or not session.serves(table):
        raise HTTPException(403, TextError("other_table"))


def signed_in(request: Request) -> str:
    """The name of a director who gives orders."""
    session = guard_of(request).session(request.cookies)
    return session.name if session is not None else "director"


def address_of(request: Request) -> str:
    """Where a request comes from; empty where nobody knows."""
    return request.client.host if request.client else ""
