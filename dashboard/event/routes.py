"""The event's pages: for everybody what is on air, for directors the entry of orders.

``/event/tourney.js`` is the address for programs that take TSH's feed.
"""

import asyncio
import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Body, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from dashboard.auth.access import Role
from dashboard.auth.guard import guard_of, requires
from dashboard.director.orders import OrderLine, ReadOnlyError
from dashboard.event.view import EventView, event_model
from dashboard.live.game_rooms import GameRooms
from dashboard.web.pages import Pages
from recorder.domain.errors import DeviceError, NotationError
from recorder.domain.event.next_round import Method, WantedRound, pair_round
from recorder.domain.event.orders import EventOrder
from recorder.domain.event.register import Register
from recorder.domain.rules.core.parameters import NO_RULE_SET
from recorder.matching import least_cost_pairs
from recorder.orders.event_syntax import EVENT_USAGE, parse_event_order
from recorder.texts.pairing import why_paired
from recorder.texts.telling import with_text
from recorder.wire import Json
from recorder.wire.event_orders import decode_event_order, encode_event_order

MOST_WORDS = 20_000
"""Characters of an order: a round of 500 tables fits."""


def event_pages(pages: Pages, event: EventView) -> APIRouter:
    """What everybody may see of the event, late by the delay: a page, its data, the feed."""
    router = APIRouter(prefix="/event", dependencies=[requires(Role.VIEWER)])

    @router.get("", response_class=HTMLResponse)
    def page() -> str:
        return pages.filled("event", desk="")

    @router.get("/data.json")
    async def data() -> Any:
        return await asyncio.to_thread(event_model, event.on_air)

    @router.get("/tourney.js")
    async def feed() -> Response:
        register = event.on_air
        if not register.event.divisions:
            raise HTTPException(404, "no event is kept in this log")
        text = await asyncio.to_thread(event.feed_of, register)
        return Response(text, media_type="text/javascript; charset=utf-8")

    return router


def event_desk_routes(
    pages: Pages, event: EventView, line: OrderLine, rooms: GameRooms
) -> APIRouter:
    """The director's page of the event, and the orders that it gives in words."""
    router = APIRouter(dependencies=[requires(Role.DIRECTOR)])

    @router.get("/director/event", response_class=HTMLResponse)
    def page() -> str:
        return pages.filled("event", desk="desk")

    @router.get("/api/event")
    async def data() -> Any:
        register = event.register
        model = await asyncio.to_thread(event_model, register)
        orders = [_listed(order) for order in register.orders[:-51:-1]]
        return {**model, "orders": orders, "usage": EVENT_USAGE, "games": rooms.listed()}

    @router.post("/api/event/pair")
    async def pair(given: Annotated[Json, Body()]) -> Any:
        return await asyncio.to_thread(_paired, event.register, given)

    @router.post("/api/event/order")
    def give(given: Annotated[Json, Body()], request: Request) -> JSONResponse:
        try:
            reply = line.give_event(_order(given, request, event.register))
        except ReadOnlyError as fault:
            raise HTTPException(503, str(fault)) from fault
        except DeviceError as fault:
            raise HTTPException(409, str(fault)) from fault
        return JSONResponse(_reply(reply), 202 if reply is None else 200)

    @router.post("/api/event/order/preview")
    def preview(given: Annotated[Json, Body()], request: Request) -> Json:
        try:
            found = line.preview(_order(given, request, event.register))
        except ReadOnlyError as fault:
            raise HTTPException(503, str(fault)) from fault
        if found is None:
            raise HTTPException(504, "no recorder has answered; is it running?")
        return {**found, "reason": found["reason"] and with_text(found["reason"], "refusal")}

    return router


def _paired(register: Register, given: Json) -> Json:
    """The next round by a method, as the order that would publish it, and why each pair meets."""
    division = next((d for d in register.event.divisions if d.name == given.get("division")), None)
    if division is None or given.get("method") not in list(Method):
        raise HTTPException(400, "name a division, and one of: " + ", ".join(Method))
    round_ = division.paired_rounds + 1
    order = sorted(player.number for player in division.players)
    secrets.SystemRandom().shuffle(order)
    wanted = WantedRound(round=round_, method=Method(given["method"]), order=order)
    try:
        drawn = pair_round(NO_RULE_SET, division, wanted, least_cost_pairs)
    except NotationError as fault:
        raise HTTPException(400, str(fault)) from fault
    games = " ".join(f"{pair.table}:{pair.first}-{pair.second}" for pair in drawn.pairs)
    bye = "" if drawn.bye is None else f" bye {drawn.bye}"
    names = {player.number: player.name for player in division.players}
    return {
        "words": f"round {division.name} {round_} {games}{bye}",
        "missing": sum(not game.played for game in division.games),
        "pairs": [
            {
                "table": pair.table,
                "first": names[pair.first],
                "second": names[pair.second],
                "repeat": pair.repeat,
                "why": why_paired(pair, names),
            }
            for pair in drawn.pairs
        ],
    }


def _order(given: Json, request: Request, register: Register) -> EventOrder:
    """The order in a page's words, by whoever is signed in; 400 names what is wrong in it."""
    words, name = given.get("words"), given.get("id")
    if not isinstance(words, str) or not words.strip() or len(words) > MOST_WORDS:
        raise HTTPException(400, "an order is words, such as: result A 3 5 431 2 380")
    session = guard_of(request).session(request.cookies)
    who = session.name if session is not None else "director"
    try:
        act = parse_event_order(words.split(), register.event)
        order = EventOrder(id=str(name), who=who, act=act)
        return decode_event_order(*encode_event_order(order))
    except (NotationError, DeviceError) as fault:
        raise HTTPException(400, str(fault)) from fault


def _reply(reply: Json | None) -> Json:
    """``state`` is ``accepted``, ``refused`` or ``waiting``, as for orders about a table."""
    if reply is None:
        return {"state": "waiting", "reason": None}
    reason = reply["reason"] and with_text(reply["reason"], "refusal")
    return {"state": "accepted" if reply["ok"] else "refused", "reason": reason}


def _listed(order: EventOrder) -> Json:
    type_name, data = encode_event_order(order)
    said = {key: value for key, value in data.items() if key not in ("id", "who")}
    return {"id": order.id, "who": order.who, "type": type_name, "said": said}
