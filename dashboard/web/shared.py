"""Thin handlers: check who asks, call, answer. No rules, no queries."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Response, WebSocket, WebSocketDisconnect
from fastapi import Path as PathPart
from fastapi.responses import HTMLResponse, JSONResponse

from dashboard.auth.access import Role
from dashboard.auth.guard import requires
from dashboard.live.game_rooms import GameRooms
from dashboard.live.hub import Hub
from dashboard.live.messages.channel import Channel, Viewer, hello, pong
from dashboard.live.messages.merge_patch import without_nulls
from dashboard.live.views import evidence, keeps_back
from dashboard.web.pages import PageLanguage, Pages
from dashboard.web.session_end import closed_with_session
from recorder.declared.codec import Json
from recorder.declared.json_objects import parse_json
from recorder.domain.limits import BIGGEST_INTEGER, MOST_TABLES
from recorder.log.places import LogPlace, open_log_reader
from recorder.projections.health.device_health import HealthGrade
from recorder.projections.health.finding import Finding
from recorder.texts import TextError

TableNumber = Annotated[int, PathPart(ge=1, le=MOST_TABLES)]
GameQuery = Annotated[str, Query(pattern=r"^([A-Za-z0-9_-][A-Za-z0-9._-]{0,63})?$")]
"""The name of a game; empty: the one that is on."""
TableQuery = Annotated[int, Query(ge=1, le=MOST_TABLES)]


def page_routes(pages: Pages) -> APIRouter:
    """The pages that everybody may open."""
    router = APIRouter(default_response_class=HTMLResponse, dependencies=[requires(Role.VIEWER)])

    @router.get("/")
    def index(lang: PageLanguage = "") -> str:
        return pages.index(lang)

    return router


def tool_routes(pages: Pages, table: int, *, has_broker: bool) -> APIRouter:
    """The pages of those who work with the record; each asks for its role."""
    router = APIRouter(default_response_class=HTMLResponse)

    @router.get("/commentator", dependencies=[requires(Role.COMMENTATOR)])
    def commentator(table: TableQuery = table, lang: PageLanguage = "") -> str:
        broker = "yes" if has_broker else ""
        return pages.filled("commentator", lang, table=table, broker=broker)

    return router


def data_routes(
    hub: Hub, log: LogPlace, findings: Callable[[], Sequence[Finding]] = tuple
) -> APIRouter:
    """JSON: health, the public frame, and for the director the evidence behind a row.

    ``findings`` are what is wrong at the venue; the public reads causes, and no path.
    """
    router = APIRouter()

    @router.get("/healthz", dependencies=[requires(Role.VIEWER)])
    def health() -> dict[str, Any]:
        state = "following" if hub.following else "waiting"
        found = findings()
        return {
            "ok": all(each.grade is not HealthGrade.ILL for each in found),
            "findings": [each.cause for each in found],
            "log": state,
            "viewers": hub.viewers(),
            "delay_ms": hub.delay_ms,
        }

    @router.get("/api/table/{table}/frame", dependencies=[requires(Role.VIEWER)])
    async def frame(table: TableNumber, response: Response) -> Any:
        response.headers["Access-Control-Allow-Origin"] = "*"  # as late as the public, and as bare
        model = hub.frame(table)
        return None if model is None else without_nulls(model)

    @router.get("/api/row/{seq}", dependencies=[requires(Role.DIRECTOR)])
    def row(seq: Annotated[int, PathPart(ge=1, le=BIGGEST_INTEGER)]) -> Any:
        with open_log_reader(log) as reader:
            found = next(reader.read_from(seq, 1), None)
        if found is None or found.seq != seq:
            raise HTTPException(404, TextError("no_row", row=seq))
        if keeps_back(found) and hub.is_on(found.table):
            raise HTTPException(403, TextError("row_kept_back", row=seq))
        return JSONResponse(evidence(found))

    return router


def socket_routes(hub: Hub, rooms: GameRooms, assets: str) -> APIRouter:
    """One WebSocket per page and audience."""
    router = APIRouter()

    def socket(role: Role) -> Callable[[WebSocket, int], Any]:
        async def serve(socket: WebSocket, table: TableNumber, game: GameQuery = "") -> None:
            await socket.accept()
            channel = hub.channel(table, role)
            if game and role is Role.DIRECTOR:
                channel = await rooms.channel(table, game) or channel
            async with closed_with_session(socket, lambda session: session.role.opens(role)):
                await serve_page(socket, hub, channel, role, assets)

        return serve

    for path, role in (
        ("commentator", Role.COMMENTATOR),
        ("director", Role.DIRECTOR),
    ):
        router.websocket(f"/ws/{path}/{{table}}", dependencies=[requires(role)])(socket(role))
    return router


async def serve_page(
    socket: WebSocket, hub: Hub, channel: Channel, role: Role, assets: str
) -> None:
    """Feed a page until it goes."""
    viewer = Viewer()
    viewer.send(hello(assets, hub.channel_now(role)))
    if hub.following and (snapshot := channel.snapshot()) is not None:
        viewer.send(snapshot)
    channel.viewers.add(viewer)
    try:
        await feed(
            socket, viewer, lambda said: _answer(said, viewer, channel, hub.channel_now(role))
        )
    finally:
        channel.viewers.discard(viewer)


async def feed(socket: WebSocket, viewer: Viewer, hear: Callable[[Json], None]) -> None:
    """Send a page what is for it, and ``hear`` what it says: that shows when it has gone."""
    sender = asyncio.create_task(_send(socket, viewer))
    try:
        while True:
            hear(_read(await socket.receive_text()))
    except (WebSocketDisconnect, RuntimeError):
        pass  # gone: the page, or the whole server
    finally:
        sender.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sender


async def _send(socket: WebSocket, viewer: Viewer) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await socket.send_text(await viewer.queue.get())


def _read(text: str) -> Json:
    """A message; whatever is none says nothing."""
    try:
        message = parse_json(text)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def _answer(message: Json, viewer: Viewer, channel: Channel, now: int) -> None:
    """What a page may say: that it is there, and that it needs a snapshot. The rest is ignored."""
    match message:
        case {"type": "ping"}:
            viewer.send(pong(message, now))
        case {"type": "snapshot?"}:
            snapshot = channel.snapshot()
            if snapshot is not None:
                viewer.send(snapshot)
