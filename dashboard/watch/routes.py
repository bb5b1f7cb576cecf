"""The spectators' pages over HTTP and WebSocket: for everybody, in any site's frame."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, cast

from fastapi import APIRouter, Request, Response, WebSocket
from fastapi.responses import HTMLResponse

from dashboard.auth.access import Role
from dashboard.auth.guard import requires
from dashboard.live.hub import MOST_VIEWERS, Hub
from dashboard.live.messages.channel import Channel
from dashboard.overlays.extras import OverlayExtras
from dashboard.watch.cacheable import FinishedGames, GameName
from dashboard.watch.picture import picture, title_of, upto_move
from dashboard.web.caching import PAGE
from dashboard.web.pages import Pages
from dashboard.web.shared import TableNumber, serve_page
from recorder.frames.public import WatchModel
from recorder.printing.qr_code import qr_svg
from recorder.texts import load_catalogue
from recorder.texts.screen_texts import language_of, screen_texts

_TRY_AGAIN_LATER = 1013
_DIGITS = 6


def page_values(language: str = "", **given: str) -> Mapping[str, str]:
    """What the template wants of a page, with what is not ``given`` left empty.

    ``feed`` is a WebSocket, or with ``.json`` a file; ``polled`` is asked again and again where
    there is no socket; ``home`` leads to all games, ``earlier`` lists those that are over.
    ``event`` is the page of the event. ``about`` and ``picture`` are what a chat shows of a link.
    ``first`` is the snapshot that a page carries, so that it is drawn before its socket answers,
    and ``now`` the milliseconds of that instant.
    """
    names = ("view", "feed", "polled", "home", "standings", "earlier", "first", "now", "picture")
    given = {
        **dict.fromkeys((*names, "logo", "event"), ""),
        "delay": "0",
        "title": "Tilecast",
    } | given
    say = load_catalogue(language).text
    heads = {"say_games": "games", "say_standings": "pairings_standings"}
    said = {name: say("screen", code) for name, code in heads.items()}
    return {"about": given["title"], **screen_texts(language), **said, **given}


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
    pages: Pages,
    hub: Hub,
    extras: OverlayExtras,
    finished: FinishedGames,
    assets: str,
    *,
    by_cache: bool,
) -> APIRouter:
    """All games, and one with its score sheet: as late as everything public.

    ``by_cache``: no page holds a socket, and each is the same for everybody.
    """
    router = APIRouter(dependencies=[requires(Role.VIEWER)])

    def page(request: Request, view: str, **given: str) -> Response:
        values = page_values(
            language_of(request.query_params.get("lang", "")),
            **{
                "view": view,
                "home": "/watch",
                "event": "/event",
                **extras.head(),
                **given,
            },
        )
        kept = {"Cache-Control": PAGE} if by_cache or not given.get("polled") else None
        return HTMLResponse(filled_watch(pages, assets, values), headers=kept)

    def live(request: Request, view: str, feed: str, polled: str, channel: Channel) -> Response:
        first = channel.snapshot() if hub.following and not by_cache else None
        return page(
            request,
            view,
            feed="" if by_cache else feed,
            polled=polled,
            standings="/event/data.json",
            earlier="/public/games.json",
            delay=str(hub.delay_ms),
            first=first or "",
            now="" if by_cache else str(hub.channel_now(Role.VIEWER)),
            **(
                _told(request, channel.model, extras.title())
                if view == "game" and not by_cache
                else {}
            ),
        )

    @router.get("/watch")
    async def hall(request: Request) -> Response:
        return live(request, "hall", "/ws/watch", "/public/tables.json", hub.hall)

    @router.get("/watch/manifest.webmanifest")
    def app_manifest() -> Response:
        text = json.dumps(manifest(extras.title(), "/watch", f"/static/{assets}/icons"))
        kept = {"Cache-Control": PAGE}
        return Response(text, media_type="application/manifest+json", headers=kept)

    @router.get("/watch/qr.svg")
    def code(request: Request) -> Response:
        """A code that leads a phone here, or to where the streamer says that viewers find it."""
        address = extras.branding.watch or f"{str(request.base_url).rstrip('/')}/watch"
        kept = {"Cache-Control": PAGE}
        return Response(qr_svg(address), media_type="image/svg+xml", headers=kept)

    @router.get("/watch/{table}")
    async def one(table: TableNumber, request: Request) -> Response:
        polled = f"/public/table/{table}.json"
        return live(request, "game", f"/ws/watch/{table}", polled, hub.watched(table))

    @router.get("/watch/game/{table}/{game}.png")
    async def game_picture(table: TableNumber, game: GameName, move: str = "") -> Response:
        model = await _model_of(hub, finished, table, game)
        lines = upto_move(model, _number(move))
        drawn = await asyncio.to_thread(picture, model, lines)
        return Response(drawn, media_type="image/png", headers={"Cache-Control": PAGE})

    @router.get("/watch/game/{table}/{game}")
    async def game_page(table: TableNumber, game: GameName, request: Request) -> Response:
        """A game by its name: live while it is the one at its table, then as it ended."""
        model = await _model_of(hub, finished, table, game)
        now = hub.watched(table).model
        if now is not None and now["game"] == game and model["phase"] != "over":
            return await one(table, request)
        feed = await finished.address(table, game)
        return page(request, "game", feed=feed, **_told(request, model, extras.title()))

    return router


def watch_sockets(hub: Hub, assets: str) -> APIRouter:
    """What the pages follow."""
    router = APIRouter(dependencies=[requires(Role.VIEWER)])

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


def _told(request: Request, model: Mapping[str, Any] | None, title: str) -> dict[str, str]:
    """What a chat shows of a game, as it was after the move that the link names."""
    if model is None:
        return {}
    game = cast("WatchModel", model)
    move, base = request.query_params.get("move", ""), str(request.base_url).rstrip("/")
    name = f"{base}/watch/game/{game['table']}/{game['game']}.png"
    number = _number(move)
    return {
        "about": f"{title_of(game, upto_move(game, number))} \N{MIDDLE DOT} {title}",
        "picture": name if number is None else f"{name}?move={number}",
    }


async def _model_of(hub: Hub, finished: FinishedGames, table: int, game: str) -> WatchModel:
    """A game that is on, or over; HTTPException for one that is none."""
    model = hub.watched(table).model
    if model is None or model["game"] != game:
        model = json.loads((await finished.known(table, game)).text)
    return cast("WatchModel", model)


def _number(move: str) -> int | None:
    """The turn that an address names, without what follows in the same turn; None for none."""
    turn = move.partition(".")[0]
    return int(turn) if turn.isascii() and turn.isdigit() and len(turn) < _DIGITS else None


def may_be_framed(request_path: str) -> bool:
    """Whether other sites may show an address in a frame: the spectators' pages give no orders."""
    return request_path == "/watch" or request_path.startswith("/watch/")
