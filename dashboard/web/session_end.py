"""An open socket ends with the session that opened it, whether its page says anything or not."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from fastapi import WebSocket

from dashboard.auth.accounts import Session
from dashboard.auth.guard import guard_of

_CHECKED_S = 1.0
_POLICY_VIOLATION = 1008


@contextlib.asynccontextmanager
async def closed_with_session(
    socket: WebSocket, may: Callable[[Session], bool]
) -> AsyncIterator[None]:
    """Close the socket once its session is gone or may no longer do this, while the block runs."""

    async def watch() -> None:
        while True:
            await asyncio.sleep(_CHECKED_S)
            session = guard_of(socket).session(socket.cookies)
            if session is None or not may(session):
                with contextlib.suppress(RuntimeError):  # it is closing already
                    await socket.close(_POLICY_VIOLATION, "this session has ended")
                return

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching
