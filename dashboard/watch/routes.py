"""The spectators' pages over HTTP and WebSocket: for everybody, in any site's frame."""

import json
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response, WebSocket
from fastapi.responses import HTMLResponse

from dashboard.auth.access import Role
from dashboard.auth.guard import requires
from dashboard.live.hub import MOST_VIEWERS, Hub
from dashboard.live.messages.channel import Channel
from dashboard.live.screen_texts import language_of, screen_texts
from dashboard.overlays.extras import OverlayExtras
from dashboard.web.caching import PAGE
from dashboard.web.pages import Pages
from dashboard.web.shared import TableNumber, serve_page

_TRY_AGAIN_LATER = 1013


def page_values(language: str = "", **given: str) -> Mapping[str, str]:
    """What the template wants of a page, with what is not ``given`` left empty.

    ``feed`` is a WebSocket, or with ``.json`` a file; ``polled`` is asked again and again where
    there is no socket; ``home`` leads to all games, ``earlier`` lists those that are over.
    ``first`` is the snapshot that a page carries, so that it is drawn before its socket answers,
    and ``now`` the milliseconds of that instant.
    """
    names = ("view", "feed", "polled", "home", "standings", "earlier", "first", "now")
    empty = dict.fromkeys(names, "")
    return {**empty, "delay": "0", "title": "Tilecast", **screen_texts(language), **given}


def manifest(title: str, start: str, icons: str) -> dict[str, Any]:
    """What a phone needs to keep the page as an app; ``icons`` is the folder of its pictures."""
    return {
        "name": title,
        "short_name": title[:12],
        "start_url": start,
        "scope": start,
        "display": "standalone",
        "background_color": "#0b1018",
        "theme_color": "#0b1018",
        "icons": [
            {"src": f"{icons}/tile-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"}
            for size in (192, 512)
        ],
    }


def filled_watch(pages: Pages, assets: str, values: Mapping[str, str]) -> str:
    """A spectators' page of this server."""
    places = {
        "static": f"/static/{assets}",
        "colours": "/branding/colours.css",
        "manifest": "/watch/manifest.webmanifest",
    }
    return pages.filled("watch", **places, **values)


def watch_routes(
    pages: Pages, hub: Hub, extras: OverlayExtras, assets: str, *, by_cache: bool
) -> APIRouter:
    """All games, and one with its score sheet: as late as everything public.

    ``by_cache``: no page holds a socket, and each is the same for everybody.
    """
    router = APIRouter(dependencies=[requires(Role.VIEWER)])
    title = extras.branding.title or "Tilecast"

    def page(request: Request, view: str, feed: str, polled: str, channel: Channel) -> Response:
        first = channel.snapshot() if hub.following and not by_cache else None
        values = page_values(
            language_of(request.query_params.get("lang", "")),
            view=view,
            feed="" if by_cache else feed,
            polled=polled,
            home="/watch",
            standings="/event/data.json",
            earlier="/public/games.json",
            delay=str(hub.delay_ms),
            title=title,
            first=first or "",
            now="" if by_cache else str(hub.channel_now(Role.VIEWER)),
        )
        kept = {"Cache-Control": PAGE} if by_cache else None
        return HTMLResponse(filled_watch(pages, assets, values), headers=kept)

    @router.get("/watch")
    async def hall(request: Request) -> Response:
        return page(request, "hall", "/ws/watch", "/public/tables.json", hub.hall)

    @router.get("/watch/manifest.webmanifest")
    def app_manifest() -> Response:
        text = json.dumps(manifest(title, "/watch", f"/static/{assets}/icons"))
        kept = {"Cache-Control": PAGE}
        return Response(text, media_type="application/manifest+json", headers=kept)

    @router.get("/watch/{table}")
    async def one(table: TableNumber, request: Request) -> Response:
        polled = f"/public/table/{table}.json"
        return page(request, "game", f"/ws/watch/{table}", polled, hub.watched(table))

    async def serve(socket: WebSocket, channel: Channel) -> None:
        await socket.accept()
        if hub.viewers() >= MOST_VIEWERS:
            await socket.close(_TRY_AGAIN_LATER)
            return
        await serve_page(socket, hub, channel, Role.VIEWER, assets)

    @router.websocket("/ws/watch")
    async def hall_socket(socket: WebSocket) -> None:
        await serve(socket, hub.hall)

    @router.websocket("/ws/watch/{table}")
    async def table_socket(socket: WebSocket, table: TableNumber) -> None:
        await serve(socket, hub.watched(table))

    return router


def may_be_framed(request_path: str) -> bool:
    """Whether other sites may show an address in a frame: the spectators' pages give no orders."""
    return request_path == "/watch" or request_path.startswith("/watch/")
