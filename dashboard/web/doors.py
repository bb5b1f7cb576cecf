"""What anybody may ask of the dashboard, before anybody asks who they are.

Limits of bodies, of open sockets and of what comes through them. Overlays, spectators and people
who are signed in draw on separate pools: no crowd at home keeps an overlay dark or the director
out. Knows no role beyond "signed in", and of the pages where the spectators' sockets are.
"""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard.auth.addresses import crowd, is_here
from dashboard.web.counting import counted

MOST_BODY = 64 * 1024
MOST_FILE = 4 * 1024 * 1024
"""What may be sent at once as a camera's picture or a rating list, by somebody signed in."""
_FILE = re.compile(r"/camera/[0-9]{1,4}/picture|/api/event/roster")
BODY_S = 10.0
"""So long a body may take from its first byte to its last."""
_TRY_AGAIN_LATER = 1013
_AT_HOME = "/ws/watch"
_HELD_S = 60.0
_MOST_FAMILIAR = 64


@dataclass(frozen=True, slots=True)
class Pool:
    """How many sockets may be open, in all and from one address; and their messages.

    ``burst`` messages may come at once, ``a_second`` for long; what comes faster waits its turn.
    """

    sockets: int
    from_one: int
    burst: int
    a_second: int


ANONYMOUS = Pool(sockets=400, from_one=100, burst=60, a_second=20)
SPECTATORS = Pool(sockets=600, from_one=200, burst=20, a_second=2)
"""At home; many come from one address where a club or a mobile network stands between."""
SIGNED_IN = Pool(sockets=200, from_one=100, burst=1000, a_second=200)
"""A phone that was offline sends what it kept at once."""
FAMILIAR = Pool(sockets=600, from_one=8, burst=60, a_second=20)
"""Overlays at addresses that had one for a minute before the others came, as OBS has."""
HERE = Pool(sockets=200, from_one=200, burst=60, a_second=20)
"""On this very machine, or where somebody has signed in."""


@dataclass(slots=True)
class _Open:
    """The sockets of one pool that are open, by what addresses count under."""

    pool: Pool
    by_address: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def seat(self, address: str) -> Iterator[bool]:
        """Whether there is room for one more; it counts while the block runs."""
        if (
            self.by_address.total() >= self.pool.sockets
            or self.by_address[address] >= self.pool.from_one
        ):
            yield False
            return
        with counted(self.by_address, address):
            yield True


class _TooLongError(Exception):
    """The body goes on beyond what any request here needs."""


class Doors:
    """The limits in front of an application; ``is_known`` shows whether somebody is signed in."""

    def __init__(
        self,
        app: ASGIApp,
        is_known: Callable[[Scope], bool],
        anonymous: Pool | None = None,
        known: Pool | None = None,
        spectators: Pool | None = None,
        *,
        is_ours: Callable[[str], bool] = is_here,
    ) -> None:
        self._app = app
        self._is_known = is_known
        self._anonymous = _Open(anonymous or ANONYMOUS)
        self._known = _Open(known or SIGNED_IN)
        self._spectators = _Open(spectators or SPECTATORS)
        self._here, self._familiar = _Open(HERE), _Open(FAMILIAR)
        self._is_ours = is_ours
        self._overlays: Counter[str] = Counter()
        self._since_s: dict[str, float] = {}
        self._had_overlay: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        length = Headers(scope=scope).get("content-length", "0")
        is_file = _FILE.fullmatch(scope["path"]) and self._is_known(scope)
        most = MOST_FILE if is_file else MOST_BODY
        if not length.isdecimal() or int(length[:20]) > most:
            await _answer(send, 413, f"at most {most} bytes")
            return
        try:
            async with asyncio.timeout(BODY_S):
                body = await _body(receive, most)
        except _TooLongError:
            await _answer(send, 413, f"at most {most} bytes")
            return
        except TimeoutError:
            await _answer(send, 408, "the rest of the request did not come")
            return
        if body["type"] != "http.request":
            return  # whoever asked has gone in the middle of it
        waiting = iter([body])

        async def replay() -> Message:
            message = next(waiting, None)
            return await receive() if message is None else message

        await self._app(scope, replay, send)

    def _pool(self, scope: Scope) -> _Open:
        """A spectator who is signed in is a spectator still."""
        path = scope.get("path", "")
        if path == _AT_HOME or path.startswith(f"{_AT_HOME}/"):
            return self._spectators
        if self._is_known(scope):
            return self._known
        address = _address(scope)
        if self._is_ours(address):
            return self._here
        self._note_held(address)
        return self._familiar if address in self._had_overlay else self._anonymous

    def _note_held(self, address: str) -> None:
        """Remember an address that has had an overlay for a while; the first of them stay."""
        since_s = self._since_s.get(address)
        is_held = since_s is not None and time.monotonic() - since_s > _HELD_S
        if is_held and len(self._had_overlay) < _MOST_FAMILIAR:
            self._had_overlay.add(address)

    @contextmanager
    def _noted(self, pool: _Open, address: str) -> Iterator[None]:
        """While an overlay of a stranger is open, it is known since when."""
        if pool is not self._anonymous:
            yield
            return
        self._since_s.setdefault(address, time.monotonic())
        try:
            with counted(self._overlays, address):
                yield
        finally:
            self._note_held(address)
            if address not in self._overlays:
                del self._since_s[address]

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        pool, address = self._pool(scope), _address(scope)
        with pool.seat(crowd(address)) as there_is_room:
            if not there_is_room:
                await receive()
                await send({"type": "websocket.close", "code": _TRY_AGAIN_LATER})
                return
            with self._noted(pool, address):
                await self._app(scope, _Paced(receive, pool.pool).receive, send)


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""


async def _body(receive: Receive, most: int) -> Message:
    """The whole body as one message; ``http.disconnect`` where the client left."""
    parts, size, goes_on = [], 0, True
    while goes_on:
        message = await receive()
        if message["type"] != "http.request":
            return message
        part = message.get("body", b"")
        parts.append(part)
        size += len(part)
        goes_on = message.get("more_body", False)
        if size > most:
            raise _TooLongError
    return {"type": "http.request", "body": b"".join(parts), "more_body": False}


async def _answer(send: Send, status: int, text: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})


class _Paced:
    """Hands the messages of one socket on no faster than its pool allows."""

    def __init__(self, receive: Receive, pool: Pool) -> None:
        self._receive = receive
        self._pool = pool
        self._left = float(pool.burst)
        self._seen_s = time.monotonic()

    async def receive(self) -> Message:
        """The next message, in its turn and as text; others get theirs meanwhile."""
        message = await self._receive()
        now_s = time.monotonic()
        gained = (now_s - self._seen_s) * self._pool.a_second
        self._left = min(self._pool.burst, self._left + gained) - 1
        self._seen_s = now_s
        await asyncio.sleep(max(0.0, -self._left / self._pool.a_second))
        # Pages say text; bytes are no message of ours, and say nothing.
        return {**message, "text": message.get("text") or ""}
