"""Overlays: pages for a table or a slot, their WebSocket, single fields, and pointing slots."""

import asyncio
import json
import math
import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from typing import Any, Literal

from fastapi import APIRouter, HTTPException, Request, Response, WebSocket
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, StreamingResponse

from dashboard.auth.access import Role
from dashboard.auth.guard import guard_of, requires
from dashboard.live.hub import MOST_VIEWERS
from dashboard.live.messages.channel import Viewer
from dashboard.live.scenes import SCENES, Scene
from dashboard.live.views import ALIGNMENTS, HIDEABLE, MOMENTS, THEMES
from dashboard.obs.collection import CANVAS, UPRIGHT_CANVAS, collection, scenes_for
from dashboard.overlays.extras import OverlayExtras
from dashboard.overlays.faces import flags
from dashboard.overlays.fields import FIELDS, fields_of
from dashboard.overlays.sample import sample_of
from dashboard.overlays.slots import slot_of
from dashboard.web.counting import counted
from dashboard.web.overlay_socket import Overlays, serve_overlay
from dashboard.web.pages import PageLanguage, Pages, scene_shapes
from dashboard.web.shared import TableNumber
from recorder.declared.codec import Json
from recorder.declared.json_objects import parse_json
from recorder.declared.near_names import meant
from recorder.domain.errors import NotationError
from recorder.domain.limits import MOST_TABLES
from recorder.texts import TextError, load_catalogue
from recorder.texts.screen_texts import language_of, screen_texts

_BEAT_S = 15.0
_MOST_BODY = 2000
_MOST_SLOT, _MOST_DIVISION, _DIGITS = 40, 40, 10
_COLOUR = re.compile(r"[0-9a-fA-F]{6}")
_LEAST_SCALE, _MOST_SCALE = 0.2, 4.0
_SWITCHES = ("safe", "racks", "coords", "guide", "stage", "sample")
Adornment = Literal["logo", "sponsor", "backdrop"]
_PUBLIC = [requires(Role.VIEWER)]
_DIRECTOR = [requires(Role.DIRECTOR)]


MOST_OF_ADDRESS = 60
"""Streams of texts that one address may hold; a text source has one."""


def look_of(query: Mapping[str, str]) -> dict[str, str]:
    """Options from the query, as the page's template has them; what makes no sense falls back.

    Nothing may fail on air.
    """
    try:
        scale = float(query.get("scale") or "1")
    except ValueError:
        scale = 1.0
    scale = min(_MOST_SCALE, max(_LEAST_SCALE, scale)) if math.isfinite(scale) else 1.0
    theme, player, bg = (query.get(name, "") for name in ("theme", "player", "bg"))
    hide, align = query.get("hide", ""), query.get("align", "")
    return {
        **{name: "1" if query.get(name) == "1" else "" for name in _SWITCHES},
        "theme": theme if theme in THEMES else THEMES[0],
        "scale": f"{scale:g}",
        "hide": " ".join(part for part in hide.split(",") if part in HIDEABLE),
        "moments": " ".join(_moments(query.get("moments"))),
        "align": " ".join(part for part in re.split(r"[,-]", align) if part in ALIGNMENTS),
        "player": player if player in ("1", "2") else "",
        "backdrop": f"#{bg}" if _COLOUR.fullmatch(bg) else "transparent",
        "many": "9" if query.get("many") == "9" else "4",
        "division": query.get("division", "")[:_MOST_DIVISION],
    }


def _moments(asked: str | None) -> tuple[str, ...]:
    """Those that are asked for; all where nothing is, and none for "none"."""
    wanted = (asked or "").split(",")
    known = tuple(name for name in MOMENTS if name in wanted)
    return known if known or wanted == ["none"] else MOMENTS


def overlay_pages(pages: Pages, overlays: Overlays, extras: OverlayExtras, table: int) -> APIRouter:
    """Scenes of a table or a slot; ``table`` is shown where an address names none.

    An address with a mistake in it may be on air already: it gets a clear page that waits, with
    status 404 and what is wrong as its title. A slot that is made later is shown there at once.
    """
    router = APIRouter(dependencies=_PUBLIC, default_response_class=HTMLResponse)

    def filled(scene: str, request: Request, slot: str, shown: int | str) -> Response:
        fault = _fault(overlays, scene, slot)
        look = look_of(request.query_params)
        language = language_of(request.query_params.get("lang", ""))
        if look["stage"]:
            look["stage"] = "picture" if extras.branding.backdrop.content else "plain"
        shape = SCENES.get(scene, Scene(""))
        page = pages.filled(
            "overlay",
            title=fault or f"Tilecast: {load_catalogue(language).text('scene', scene)}",
            scene=shape.name,
            feed=shape.feed,
            width=shape.alone if look["player"] and shape.alone else shape.width,
            height=shape.height,
            slot=slot,
            table=shown,
            sponsor=extras.branding.sponsor.address("sponsor"),
            logo=extras.branding.logo.address("logo"),
            **look,
            **screen_texts(language),
        )
        return HTMLResponse(page, 404 if fault else 200)

    @router.get("/overlay/{scene}")
    def overlay(scene: str, request: Request, table: str = str(table)) -> Response:
        number = int(table) if table.isascii() and table.isdigit() and len(table) < _DIGITS else 0
        if not 1 <= number <= MOST_TABLES:
            return filled(scene, request, f"table-{table}"[:_MOST_SLOT], "")
        return filled(scene, request, "", number)

    @router.get("/api/sample/{scene}")
    def sample(scene: str) -> Response:
        if scene not in SCENES:
            raise HTTPException(404, "no such scene")
        return JSONResponse(sample_of(scene))

    @router.get("/o/{slot}/{scene}")
    def slot_page(slot: str, scene: str, request: Request) -> Response:
        return filled(scene, request, slot[:_MOST_SLOT], "")

    return router


def picture_routes(extras: OverlayExtras) -> APIRouter:
    """What the pages are adorned with: players' colours, logo, pictures, flags."""
    router = APIRouter(dependencies=_PUBLIC)

    @router.get("/branding/colours.css")
    def colours() -> Response:
        return Response(extras.branding.css(), media_type="text/css")

    @router.get("/branding/{name}")
    def adornment(name: Adornment) -> Response:
        found = extras.branding.picture(name)
        if not found.content:
            raise HTTPException(404, f"this event has no {name}")
        return Response(found.content, media_type=found.media_type)

    @router.get("/face/{name}")
    def face(name: str) -> Response:
        found = extras.faces.face(name)
        if found is None:
            raise HTTPException(404, "no such picture")
        return Response(found.content, media_type=found.media_type)

    @router.get("/flag/{code}.svg")
    def flag(code: str) -> Response:
        found = flags().get(code)
        if found is None:
            raise HTTPException(404, "no such flag")
        return Response(found, media_type="image/svg+xml")

    return router


def _fault(overlays: Overlays, scene: str, slot: str) -> str:
    """What is wrong with an overlay's address; empty when nothing is."""
    if scene not in SCENES:
        return f"no such scene{meant(scene, SCENES)}; there are: {', '.join(SCENES)}"
    is_known = not slot or overlays.slots.get(slot) is not None
    return "" if is_known else _no_such_slot(overlays, slot)


def overlay_sockets(overlays: Overlays, assets: str) -> APIRouter:
    """One WebSocket per overlay page."""
    router = APIRouter(dependencies=_PUBLIC)

    async def serve(socket: WebSocket, slot: str) -> None:
        await socket.accept()
        sheet = socket.query_params.get("sheet") == "1"
        await serve_overlay(socket, overlays, slot, assets, sheet=sheet)

    @router.websocket("/ws/table/{table}")
    async def table_socket(socket: WebSocket, table: TableNumber) -> None:
        await serve(socket, f"table-{table}")

    @router.websocket("/ws/slot/{slot}")
    async def slot_socket(socket: WebSocket, slot: str) -> None:
        await serve(socket, slot[:_MOST_SLOT])

    return router


def field_routes(overlays: Overlays) -> APIRouter:
    """Single texts of a slot, for text sources and integrators; as late as the overlays."""
    router = APIRouter(prefix="/o/{slot}", dependencies=_PUBLIC)
    streams: Counter[str] = Counter()

    @router.get("/field/{name}.txt")
    async def field(slot: str, name: str) -> PlainTextResponse:
        frame = _frame(overlays, slot)
        if name not in FIELDS:
            raise HTTPException(404, f"no such field; there are: {', '.join(FIELDS)}")
        return PlainTextResponse(fields_of(frame, _now(overlays))[name])

    @router.get("/fields.json")
    async def fields(slot: str) -> Json:
        return dict(fields_of(_frame(overlays, slot), _now(overlays)))

    @router.get("/obs-scenes.json")
    async def obs_scenes(slot: str, request: Request, shape: str = "") -> Response:
        """A scene collection to import into OBS."""
        _known(overlays, slot)
        upright = shape == "vertical"
        scenes = scenes_for(str(request.base_url), slot, upright=upright)
        name = f"Tilecast {slot}{' vertical' * upright}"
        made = collection(name, scenes, UPRIGHT_CANVAS if upright else CANVAS)
        kept = f'attachment; filename="{name.replace(" ", "-").lower()}.json"'
        return JSONResponse(made, headers={"Content-Disposition": kept})

    @router.get("/events")
    async def events(slot: str, request: Request) -> StreamingResponse:
        _known(overlays, slot)
        address = "-" if request.client is None else request.client.host
        if overlays.hub.viewers() >= MOST_VIEWERS or streams[address] >= MOST_OF_ADDRESS:
            raise HTTPException(503, "too many pages are open")

        async def parts() -> AsyncIterator[str]:
            with counted(streams, address):
                async for part in _events(overlays, slot):
                    yield part

        return StreamingResponse(parts(), media_type="text/event-stream")

    return router


async def _events(overlays: Overlays, slot: str) -> AsyncIterator[str]:
    """All fields, then those that changed, as server-sent events; a comment while nothing does."""
    viewer = Viewer()
    page = overlays.open(viewer, slot)
    sent: Json | None = None
    try:
        yield "retry: 2000\n\n"
        while True:
            frame = None if page.channel is None else page.channel.model
            fields = fields_of(frame, _now(overlays))
            before = {} if sent is None else sent
            changed = {name: text for name, text in fields.items() if before.get(name) != text}
            if changed or sent is None:
                sent = fields
                text = json.dumps(changed, ensure_ascii=False, separators=(",", ":"))
                seq = page.channel.seq if page.channel is not None else 0
                yield f"id: {seq}\nevent: fields\ndata: {text}\n\n"
            try:
                await asyncio.wait_for(viewer.queue.get(), _BEAT_S)
            except TimeoutError:
                yield ": here\n\n"
            while not viewer.queue.empty():
                viewer.queue.get_nowait()
    finally:
        overlays.close(page)


def slot_routes(pages: Pages, overlays: Overlays, extras: OverlayExtras, table: int) -> APIRouter:
    """The builder of addresses; slots and the health of overlays for the director."""
    router = APIRouter()

    @router.get("/builder", dependencies=_PUBLIC, response_class=HTMLResponse)
    def builder(lang: PageLanguage = "") -> str:
        return pages.filled("builder", lang, table=table, scenes=scene_shapes(lang))

    @router.get("/api/slots", dependencies=_PUBLIC)
    async def slots(request: Request) -> Json:
        known = overlays.slots.all()
        may = guard_of(request).may(Role.DIRECTOR, request.cookies)
        hub = overlays.hub
        return {
            "slots": [{**slot, "streaming": overlays.streaming(slot["name"])} for slot in known],
            "tables": hub.tables() if may else sorted(hub.public_frames()),
            "director": may,
        }

    @router.post("/api/slots/{slot}", dependencies=_DIRECTOR)
    async def point(slot: str, request: Request) -> Json:
        try:
            given = parse_json((await _body(request)).decode())
            overlays.slots.point(slot_of(slot, given if isinstance(given, dict) else {}))
        except (ValueError, NotationError) as fault:
            raise HTTPException(422, fault) from fault
        except OSError as fault:
            raise HTTPException(503, TextError("slots_not_kept", fault=str(fault))) from fault
        overlays.settle()
        return next(known for known in overlays.slots.all() if known["name"] == slot)

    @router.delete("/api/slots/{slot}", dependencies=_DIRECTOR)
    async def remove(slot: str) -> Json:
        streaming = overlays.streaming(slot)
        if not overlays.slots.remove(slot):
            raise HTTPException(404, TextError("no_slot_to_remove", slot=slot[:40]))
        overlays.settle()
        return {"removed": slot, "streaming": streaming}

    @router.get("/api/overlays", dependencies=_DIRECTOR)
    async def health() -> Json:
        return {"overlays": overlays.hub.overlays(), "tournament_fault": extras.fault}

    return router


def _known(overlays: Overlays, slot: str) -> None:
    if overlays.slots.get(slot) is None:
        raise HTTPException(404, _no_such_slot(overlays, slot))


def _no_such_slot(overlays: Overlays, slot: str) -> str:
    names = [known["name"] for known in overlays.slots.all()]
    near = meant(slot, names)
    return f"no such slot{near}; there are: {', '.join(names)}, and table-1, table-2 ..."


def _frame(overlays: Overlays, slot: str) -> Mapping[str, Any] | None:
    """What the public sees in a slot; never the racks, whatever the slot opens."""
    _known(overlays, slot)
    table = overlays.slots.table_of(slot)
    return None if table is None else overlays.hub.frame(table)


def _now(overlays: Overlays) -> int:
    return overlays.hub.channel_now(Role.VIEWER)


async def _body(request: Request) -> bytes:
    body = await request.body()
    if len(body) > _MOST_BODY:
        raise HTTPException(413, TextError("body_too_long", most=_MOST_BODY))
    return body
