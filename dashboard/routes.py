"""Thin handlers: check who asks, call, answer. No rules, no queries."""

import asyncio
import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qs

from fastapi import APIRouter, HTTPException, Request, WebSocket, WebSocketDisconnect
from fastapi import Path as PathPart
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from dashboard.access import Access, Role, same_origin
from dashboard.stream import MOST_VIEWERS, Channel, Hub, Viewer, hello, pong
from dashboard.views import SCENES, THEMES, evidence, fill, premium_classes
from recorder.domain.errors import RecorderError
from recorder.eventlog_sqlite import SqliteEventLog

MOST_TABLES = 9999
_TEMPLATES = Path(__file__).parent / "templates"
_POLICY_VIOLATION = 1008
_TRY_AGAIN_LATER = 1013
_MOST_LOGIN_BYTES = 2048

TableNumber = Annotated[int, PathPart(ge=1, le=MOST_TABLES)]


class Pages:
    """The HTML pages of one running dashboard; ``assets`` is the version of its static files."""

    def __init__(self, assets: str, access: Access, table: int) -> None:
        self._assets = assets
        self._access = access
        self._table = table

    def overlay(self, scene: str, table: int, theme: str) -> str:
        """A scene, transparent from its first byte."""
        return self._fill("overlay", scene=scene, theme=theme, table=table)

    def tool(self, name: str, table: int) -> str:
        """The commentator's or the director's page."""
        return self._fill(name, table=table)

    def login(self, role: Role, message: str = "") -> str:
        """The form that asks for a key."""
        return self._fill("login", role=role, message=message)

    def index(self) -> str:
        """The addresses to copy."""
        late = self._access.delay_ms / 1000
        delay = f"The public pages run {late:g} seconds late." if late else "No delay is set."
        return self._fill("index", table=self._table, delay=delay)

    def _fill(self, template: str, **values: object) -> str:
        text = (_TEMPLATES / f"{template}.html").read_text(encoding="utf-8")
        return fill(text, assets=self._assets, premiums=premium_classes(), **values)


def page_routes(pages: Pages, table: int) -> APIRouter:
    """The pages that everybody may open."""
    router = APIRouter(default_response_class=HTMLResponse)

    @router.get("/")
    def index() -> str:
        return pages.index()

    @router.get("/overlay/{scene}")
    def overlay(scene: str, theme: str = THEMES[0], table: int = table) -> str:
        if scene not in SCENES or not 1 <= table <= MOST_TABLES:
            raise HTTPException(404, f"no such scene; there are: {', '.join(SCENES)}")
        return pages.overlay(scene, table, theme if theme in THEMES else THEMES[0])

    return router


def tool_routes(pages: Pages, access: Access, table: int) -> APIRouter:
    """The pages behind a key: a form asks for it, a cookie stands for it afterwards."""
    router = APIRouter(default_response_class=HTMLResponse)

    def tool(role: Role) -> Callable[[Request], Response]:
        def page(request: Request) -> Response:
            number = _table_number(request, table)
            token = request.query_params.get("token")
            if token is not None:
                return _exchange(access, role, token, f"/{role}?table={number}")
            if not access.may(role, request.cookies):
                return HTMLResponse(pages.login(role), 401)
            return HTMLResponse(pages.tool(str(role), number))

        return page

    for role in (Role.COMMENTATOR, Role.DIRECTOR):
        router.get(f"/{role}", name=str(role))(tool(role))

    @router.get("/login/{role}")
    def form(role: Role) -> str:
        return pages.login(role, "That key does not fit. The right one was printed at the start.")

    @router.post("/login/{role}")
    async def login(role: Role, request: Request) -> Response:
        if not same_origin(request.headers):
            raise HTTPException(403, "this form belongs to another page")
        body = await request.body()
        if len(body) > _MOST_LOGIN_BYTES:
            raise HTTPException(413, "too long for a key")
        token = parse_qs(body.decode("latin-1")).get("token", [""])[0]
        return _exchange(access, role, token, f"/{role}?table={table}")

    return router


def _table_number(request: Request, default: int) -> int:
    text = request.query_params.get("table", str(default))
    if text.isdecimal() and 1 <= int(text) <= MOST_TABLES:
        return int(text)
    raise HTTPException(404, f"no table {text!r}: tables are numbered 1 to {MOST_TABLES}")


def _exchange(access: Access, role: Role, token: str, target: str) -> Response:
    """The key becomes a cookie; its address is left at once."""
    granted = access.role_of_token(token)
    if granted is None or (granted is not role and granted is not Role.DIRECTOR):
        return RedirectResponse(f"/login/{role}", 303)
    response = RedirectResponse(target, 303)
    name, value = access.cookie(granted)
    response.set_cookie(name, value, httponly=True, samesite="strict", path="/")
    return response


def data_routes(hub: Hub, access: Access, log: Path) -> APIRouter:
    """JSON: health, the public frame, and for the director the evidence behind a row."""
    router = APIRouter()

    @router.get("/healthz")
    def health() -> dict[str, Any]:
        state = "following" if hub.following else "waiting"
        return {"ok": True, "log": state, "viewers": hub.viewers(), "delay_ms": hub.delay_ms}

    @router.get("/api/table/{table}/frame")
    async def frame(table: TableNumber) -> Any:
        return hub.channel(table, Role.PUBLIC).model

    @router.get("/api/row/{seq}")
    def row(seq: int, request: Request) -> Any:
        if not access.may(Role.DIRECTOR, request.cookies):
            raise HTTPException(403, "for the director only")
        try:
            with SqliteEventLog.open_reader(log) as reader:
                found = next(reader.read_from(seq, 1), None)
        except RecorderError as err:
            raise HTTPException(503, str(err)) from err
        if found is None or found.seq != seq:
            raise HTTPException(404, f"no row {seq}")
        return JSONResponse(evidence(found))

    return router


def socket_routes(hub: Hub, access: Access, assets: str) -> APIRouter:
    """One WebSocket per page and audience."""
    router = APIRouter()

    def socket(role: Role) -> Callable[[WebSocket, int], Any]:
        async def serve(socket: WebSocket, table: TableNumber) -> None:
            if not same_origin(socket.headers) or not access.may(role, socket.cookies):
                await socket.close(_POLICY_VIOLATION)
            elif hub.viewers() >= MOST_VIEWERS:
                await socket.close(_TRY_AGAIN_LATER)
            else:
                await socket.accept()
                await _serve(socket, hub, hub.channel(table, role), role, assets)

        return serve

    for path, role in (
        ("table", Role.PUBLIC),
        ("commentator", Role.COMMENTATOR),
        ("director", Role.DIRECTOR),
    ):
        router.websocket(f"/ws/{path}/{{table}}")(socket(role))
    return router


async def _serve(socket: WebSocket, hub: Hub, channel: Channel, role: Role, assets: str) -> None:
    """Feed a page until it goes. Receiving is what tells that it has gone."""
    viewer = Viewer()
    viewer.send(hello(assets, hub.channel_now(role)))
    if hub.following and (snapshot := channel.snapshot()) is not None:
        viewer.send(snapshot)
    channel.viewers.add(viewer)
    sender = asyncio.create_task(_send(socket, viewer))
    try:
        while True:
            text = await socket.receive_text()
            _answer(text, viewer, channel, hub.channel_now(role))
    except (WebSocketDisconnect, RuntimeError):
        pass  # gone: the page, or the whole server
    finally:
        channel.viewers.discard(viewer)
        sender.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sender


async def _send(socket: WebSocket, viewer: Viewer) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await socket.send_text(await viewer.queue.get())


def _answer(text: str, viewer: Viewer, channel: Channel, now: int) -> None:
    """What a page may say: that it is there, and that it needs a snapshot. The rest is ignored."""
    try:
        message = json.loads(text)
    except ValueError:
        return
    match message:
        case {"type": "ping"}:
            viewer.send(pong(message, now))
        case {"type": "snapshot?"}:
            snapshot = channel.snapshot()
            if snapshot is not None:
                viewer.send(snapshot)
