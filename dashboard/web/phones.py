"""The pages for phones at a table, and the WebSocket that carries what they say."""

import asyncio
import contextlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, HTTPException, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import HTMLResponse

from dashboard.auth.access import Role
from dashboard.auth.accounts import Session
from dashboard.auth.guard import check_table, guard_of, requires
from dashboard.live.hub import Hub
from dashboard.web.pages import PageLanguage, Pages, texts_asked
from dashboard.web.phone_socket import DeviceLine, MakeBus, device_name, parse
from dashboard.web.session_end import closed_with_session
from dashboard.web.shared import TableNumber
from recorder.declared.codec import Json
from recorder.domain.errors import DeviceError
from recorder.texts import TextError

_BOOT = re.compile(r"[0-9a-f]{8}")
_POLICY_VIOLATION = 1008
_TRY_AGAIN_LATER = 1013
_QUEUE = 256
_PAGES = ("clock", "pad")
"""The kinds that have a page of their own, for scorers."""


@dataclass(eq=False, slots=True)
class _Phone:
    """One open page; ``gone`` is set when another one takes its place."""

    outbox: asyncio.Queue[Json] = field(default_factory=lambda: asyncio.Queue(_QUEUE))

    def put(self, message: Json) -> None:
        """Drop the oldest rather than block: acks are said again."""
        if self.outbox.full():
            self.outbox.get_nowait()
        self.outbox.put_nowait(message)


@dataclass(slots=True)
class Phones:
    """The phones that are open now, by device name, and how they reach the broker.

    ``make_bus`` is None when the dashboard was started without a broker.
    """

    venue: str
    make_bus: MakeBus | None
    open: dict[str, _Phone] = field(default_factory=dict)


def device_routes(pages: Pages, hub: Hub, phones: Phones, table: int) -> APIRouter:
    """Clock and scorer's pad of a table."""
    router = APIRouter(dependencies=[requires(Role.SCORER)])

    def add_pages(kind: str) -> None:
        @router.get(f"/{kind}", response_class=HTMLResponse)
        def usual(lang: PageLanguage = "") -> str:
            return page(table, lang)

        @router.get(f"/{kind}/{{number}}", response_class=HTMLResponse)
        def page(number: TableNumber, lang: PageLanguage = "") -> str:
            name, broker = device_name(kind, number), "yes" if phones.make_bus else ""
            return pages.filled(f"phone-{kind}", lang, table=number, device=name, broker=broker)

    for kind in _PAGES:
        add_pages(kind)

    @router.get("/api/table/{number}/setup")
    async def setup(number: TableNumber, request: Request) -> Any:
        check_table(request, number)
        return hub.setup(number)

    @router.websocket("/ws/device/{kind}/{number}")
    async def line(socket: WebSocket, kind: str, number: TableNumber) -> None:
        session = guard_of(socket).session(socket.cookies)
        if session is None or not _serves(session, number):
            await socket.close(
                _POLICY_VIOLATION, TextError("other_table").text(texts_asked(socket))
            )
        elif kind not in _PAGES:
            await socket.close(_POLICY_VIOLATION, f"no such device; there are: {', '.join(_PAGES)}")
        else:
            await _carry(socket, phones, kind, number, lambda session: _serves(session, number))

    return router


def typing_routes(phones: Phones) -> APIRouter:
    """The line on which a commentator's page says racks that a person typed."""
    router = APIRouter(dependencies=[requires(Role.COMMENTATOR)])

    @router.websocket("/ws/typing/{number}")
    async def line(socket: WebSocket, number: TableNumber) -> None:
        await _carry(
            socket, phones, "racks", number, lambda session: session.role.opens(Role.COMMENTATOR)
        )

    return router


async def _carry(
    socket: WebSocket, phones: Phones, kind: str, number: int, may: Callable[[Session], bool]
) -> None:
    """Carry a page's words for as long as its session may say them."""
    if phones.make_bus is None:
        await socket.close(_TRY_AGAIN_LATER, "the dashboard runs without a broker")
        return
    await socket.accept()
    async with closed_with_session(socket, may):
        await _serve(socket, phones, kind, number)


def _serves(session: Session, table: int) -> bool:
    """Whether somebody may be the phone of a table."""
    return session.role.opens(Role.SCORER) and session.serves(table)


async def _serve(socket: WebSocket, phones: Phones, kind: str, number: int) -> None:
    """Carry a phone's words until it goes, or until another one takes its place."""
    loop = asyncio.get_running_loop()
    name, phone = device_name(kind, number), _Phone()
    if phones.make_bus is None:  # the route has asked; this tells the type checker
        raise HTTPException(503)
    line = DeviceLine(
        kind,
        number,
        phones.venue,
        phones.make_bus,
        lambda message: loop.call_soon_threadsafe(phone.put, message),
    )
    before = phones.open.get(name)
    if before is not None:
        before.put({"type": "taken"})
    phones.open[name] = phone
    sender = asyncio.create_task(_send(socket, phone))
    reason = "the page is gone"
    try:
        await _read(socket, line)
    except DeviceError as fault:
        reason = str(fault)[:100]
        with contextlib.suppress(RuntimeError):
            await socket.close(_POLICY_VIOLATION, reason)
    except (WebSocketDisconnect, RuntimeError):
        pass  # gone: the page, or the whole server
    finally:
        sender.cancel()
        if phones.open.get(name) is phone:
            del phones.open[name]
            await asyncio.to_thread(line.close, reason)
        else:
            await asyncio.to_thread(line.close, "another phone took over")


async def _read(socket: WebSocket, line: DeviceLine) -> None:
    first = parse(await socket.receive_text())
    boot, model = first.get("boot"), first.get("model")
    if not isinstance(boot, str) or not _BOOT.fullmatch(boot) or not isinstance(model, str):
        raise DeviceError("the first message must name boot and model")
    await asyncio.to_thread(line.open, boot, model)
    while True:
        line.heard(parse(await socket.receive_text()))


async def _send(socket: WebSocket, phone: _Phone) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while True:
            message = await phone.outbox.get()
            await socket.send_json(message)
            if message["type"] == "taken":
                await socket.close(_POLICY_VIOLATION, "another phone took over")
