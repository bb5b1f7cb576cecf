"""The dashboard's application: wires log, hub, keys and pages. Knows no device and no rule."""

import asyncio
import contextlib
import hashlib
import json
import mimetypes
from collections.abc import AsyncIterator, Coroutine
from functools import cache
from pathlib import Path

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard.auth.access import Role, trusted_hosts
from dashboard.auth.accounts import sound_accounts
from dashboard.auth.guard import Guard
from dashboard.director.orders import OrderLine
from dashboard.event.check_in import check_in_routes
from dashboard.event.feed_follower import FeedFollower
from dashboard.event.prints import print_routes
from dashboard.event.result_phones import ResultPhones, result_phone_routes
from dashboard.event.roster import roster_routes
from dashboard.event.routes import EventWork, event_desk_routes, event_pages
from dashboard.event.view import EventView
from dashboard.live.game_rooms import GameRooms
from dashboard.live.hub import Hub
from dashboard.live.hub_figures import HubFigures
from dashboard.live.log_follower import Batch, LogFollower, now_ms
from dashboard.live.record_now import RecordNow
from dashboard.overlays.extras import OverlayExtras
from dashboard.overlays.fetched_faces import FaceFetcher
from dashboard.overlays.slots import Slots
from dashboard.overlays.webhook import Announcer, Webhook
from dashboard.phone_camera.kept_pictures import PhoneCameras
from dashboard.phone_camera.routes import (
    camera_code_routes,
    fetching_routes,
    phone_camera_routes,
)
from dashboard.settings import Settings
from dashboard.static_files import CompressedFiles
from dashboard.watch.cacheable import FinishedGames, finished_routes, live_routes
from dashboard.watch.routes import may_be_framed, watch_routes, watch_sockets
from dashboard.watch.stream import stream_routes
from dashboard.web.caching import kept_how_long
from dashboard.web.captions import caption_routes
from dashboard.web.commentator import booth_routes
from dashboard.web.director import (
    DirectorDesk,
    director_pages,
    moment_routes,
    order_routes,
    take_away_routes,
)
from dashboard.web.doors import Doors
from dashboard.web.incidents import incident_routes
from dashboard.web.joining import JoinDesk, joining_routes, letting_in_routes
from dashboard.web.overlay_socket import Overlays, settling
from dashboard.web.overlays import (
    field_routes,
    overlay_pages,
    overlay_sockets,
    picture_routes,
    slot_routes,
)
from dashboard.web.pages import Pages, answer_fault
from dashboard.web.phone_socket import mqtt_maker
from dashboard.web.phones import Phones, device_routes, typing_routes
from dashboard.web.shared import data_routes, page_routes, socket_routes, tool_routes
from dashboard.web.sign_in import admin_routes, key_routes, login_routes, token_routes
from dashboard.woogles.kept import SUFFIX
from dashboard.woogles.routes import mirror_routes
from recorder.domain.errors import TilecastError
from recorder.log.evidence import Pictures
from recorder.log.places import LogPlace, sibling_path
from recorder.uptime import TIME_NAME, kept_base_ms, machine_run, uptime_ms

_STATIC = Path(__file__).parent / "static"
_TICK_S = 0.05

# OBS puts a source's "Custom CSS" into the page as an inline style; scripts stay strictly ours.
_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    " object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors "
)


class _Headers:
    """Adds to every answer what keeps a browser from doing more than it must."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        framed = "*" if may_be_framed(scope["path"]) else "'self'"

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = _POLICY + framed
                headers["X-Content-Type-Options"] = "nosniff"
                # Not no-referrer: with it browsers send our own form with the origin "null".
                headers["Referrer-Policy"] = "same-origin"
                own = headers.get("Cache-Control")
                headers["Cache-Control"] = kept_how_long(scope["path"], message["status"], own)
            await send(message)

        await self._app(scope, receive, with_headers)


def _unfit(_: Request, fault: Exception) -> Response:
    """What is wrong with a request, and where; what it said itself may be no JSON at all."""
    assert isinstance(fault, RequestValidationError)
    faults = [{"loc": error["loc"], "msg": error["msg"]} for error in fault.errors()]
    return Response(json.dumps({"detail": faults}), 422, media_type="application/json")


def create_app(settings: Settings) -> FastAPI:  # noqa: C901, PLR0915 - it names each part once
    """The application; it follows the log from its start-up to its shutdown."""
    delay_ms = settings.access.delay_ms
    kept = sibling_path(settings.log, ".db", settings.folder).with_name(TIME_NAME)
    now = RecordNow(now_ms, uptime_ms, lambda: kept_base_ms(kept, machine_run()))
    extras = OverlayExtras(settings.tournament, settings.branding, delay_ms, now, settings.photos)
    fetcher = None
    if settings.photos is not None and settings.photos_from:
        fetcher = FaceFetcher(settings.photos_from, settings.photos)
        extras.faces.want = fetcher.want
    hub = Hub(delay_ms, now, extras.dress, analysis=settings.analysis)
    event = EventView(delay_ms, now, lambda: hub.games.high_words)
    rooms = GameRooms(settings.log)
    extras.event_cards, extras.event_name = event.cards, event.name
    finished = FinishedGames(hub, rooms, extras)
    assets = assets_version(_STATIC)
    pages = Pages(assets, settings.access, settings.table)
    phones = Phones(settings.venue, mqtt_maker(settings.broker))
    orders = OrderLine(
        settings.broker,
        settings.venue,
        settings.console,
        sibling_path(settings.log, ".orders", settings.folder),
        settings.console_key,
    )
    cameras = PhoneCameras()
    results = ResultPhones(event, hub, rooms, orders)
    follower = FeedFollower(settings.follow, event, orders, now) if settings.follow else None
    joining = JoinDesk(orders, settings.clocks)
    desk = DirectorDesk(
        hub=hub,
        log=settings.log,
        line=orders,
        joining=joining,
        pictures=Pictures(settings.pictures),
        venue_faults=settings.venue_faults,
        rooms=rooms,
    )
    figures = HubFigures(hub)
    guard = Guard(settings.access, sound_accounts(settings.accounts), now_ms)
    slots = Slots(settings.slots, settings.table, lambda: hub.channel_now(Role.VIEWER))
    overlays = Overlays(hub, slots, guard.accounts)
    webhook = Webhook(settings.webhook) if settings.webhook else None
    announcer = None if webhook is None else Announcer(hub, webhook)
    for analyst in settings.analysis.analysts:
        analyst.listen(hub.refresh)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        figures.begin()
        await asyncio.to_thread(orders.open)
        for thread in (follower, fetcher, webhook):
            if thread is not None:
                thread.start()
        async with (
            _following(settings.log, now, (hub, event, rooms, orders, cameras)),
            _beside(finished.follow_corrections()),
            settling(overlays, extras.changed, None if announcer is None else announcer.look),
        ):
            yield
        for thread in (follower, fetcher, webhook):
            if thread is not None:
                await asyncio.to_thread(thread.stop)
        await asyncio.to_thread(orders.close)
        for analyst in settings.analysis.analysts:
            await asyncio.to_thread(analyst.close)
        guard.accounts.close()

    app = FastAPI(
        title="Tilecast", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None
    )
    app.state.guard, app.state.figures = guard, figures
    app.add_exception_handler(RequestValidationError, _unfit)
    for fault in (HTTPException, TilecastError):
        app.add_exception_handler(fault, answer_fault(pages))
    app.add_middleware(
        TrustedHostMiddleware,
        allowed_hosts=trusted_hosts(settings.host, settings.allow_hosts),
        www_redirect=False,
    )
    app.add_middleware(_Headers)
    app.add_middleware(Doors, is_known=lambda scope: _is_known(guard, scope), is_ours=guard.knows)
    mimetypes.add_type("font/woff2", ".woff2")
    mimetypes.add_type("text/javascript", ".mjs")
    work = EventWork(event, orders, rooms, results, follower)
    for router in (
        page_routes(pages),
        field_routes(overlays),
        overlay_pages(pages, overlays, extras, settings.table),
        picture_routes(extras),
        overlay_sockets(overlays, assets),
        slot_routes(pages, overlays, extras, settings.table),
        tool_routes(pages, settings.table, has_broker=bool(settings.broker)),
        data_routes(hub, settings.log, desk.findings),
        booth_routes(hub),
        socket_routes(hub, rooms, assets),
        login_routes(pages),
        key_routes(pages),
        joining_routes(pages, joining),
        letting_in_routes(joining),
        admin_routes(pages),
        token_routes(),
        director_pages(pages, hub),
        order_routes(desk),
        moment_routes(desk),
        take_away_routes(desk),
        mirror_routes(pages, sibling_path(settings.log, SUFFIX, settings.folder)),
        incident_routes(settings.log, hub, settings.analysis.lists),
        device_routes(pages, hub, phones, settings.table),
        typing_routes(phones),
        phone_camera_routes(pages, cameras, settings.table),
        fetching_routes(cameras),
        camera_code_routes(pages),
        watch_routes(pages, hub, extras, finished, assets, by_cache=settings.cached),
        watch_sockets(hub, assets),
        live_routes(hub, event.counts),
        stream_routes(hub),
        caption_routes(hub),
        finished_routes(finished),
        event_pages(pages, event, extras.head),
        event_desk_routes(pages, work),
        roster_routes(work),
        print_routes(event),
        result_phone_routes(pages, results),
        check_in_routes(pages, event, orders),
    ):
        app.include_router(router)
    app.mount(f"/static/{assets}", CompressedFiles(directory=_STATIC), name="static")
    return app


def _is_known(guard: Guard, scope: Scope) -> bool:
    return guard.session(HTTPConnection(scope).cookies) is not None


@contextlib.asynccontextmanager
async def _following(
    log: LogPlace, now: RecordNow, folds: tuple[Hub, EventView, GameRooms, OrderLine, PhoneCameras]
) -> AsyncIterator[None]:
    """Follow the log on its thread, and let delayed rows go, while the block runs."""
    loop, (hub, *_) = asyncio.get_running_loop(), folds

    def take(batch: Batch) -> None:
        for row in batch.rows:
            now.take(row)
        for fold in folds:
            fold.take(batch)

    def deliver(batch: Batch) -> None:
        loop.call_soon_threadsafe(take, batch)

    async def ticks() -> None:
        while True:
            await asyncio.sleep(_TICK_S)
            hub.tick()

    follower = LogFollower(log, deliver)
    follower.start()
    ticking = asyncio.create_task(ticks()) if hub.delay_ms else None
    try:
        yield
    finally:
        await asyncio.to_thread(follower.stop)
        if ticking is not None:
            ticking.cancel()


@contextlib.asynccontextmanager
async def _beside(work: Coroutine[object, object, None]) -> AsyncIterator[None]:
    """Something that goes on while the block runs."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()


@cache
def assets_version(folder: Path) -> str:
    """A short hash over all static files, their names and contents: those of a process stay."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(str(path.relative_to(folder)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
