"""Check-in before the first round: players tick themselves on a phone, or an assistant ticks them.

The phone came in by a code at the door, and may do nothing else.
"""

import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Body, HTTPException, Request
from fastapi.responses import HTMLResponse

from dashboard.auth.access import Role
from dashboard.auth.guard import requires, signed_in
from dashboard.director.orders import OrderLine, event_reply_json
from dashboard.event.view import EventView, give_followed
from dashboard.web.pages import PageLanguage, Pages, PageTexts
from recorder.declared.codec import Json
from recorder.domain.event.divisions import EventDivision
from recorder.domain.event.orders import CheckIn, EventOrder
from recorder.frames.event import CheckInDivision, CheckInModel
from recorder.texts import TextError


def check_in_routes(pages: Pages, event: EventView, line: OrderLine) -> APIRouter:
    """The page behind the code at the door, and what it sends."""
    router = APIRouter(dependencies=[requires(Role.CHECK_IN)])

    @router.get("/check-in", response_class=HTMLResponse)
    def page(lang: PageLanguage = "") -> str:
        return pages.filled("phone-check-in", lang)

    @router.get("/api/check-in")
    async def shown() -> Any:
        found: CheckInModel = {"divisions": [*map(_division, event.register.event.divisions)]}
        return found

    @router.post("/api/check-in")
    def tick(given: Annotated[Json, Body()], request: Request, texts: PageTexts) -> Json:
        act = _act(event, given)
        order = EventOrder(id=f"check-in-{secrets.token_hex(8)}", who=signed_in(request), act=act)
        return event_reply_json(give_followed(line, event, order), texts)

    return router


def _division(division: EventDivision) -> CheckInDivision:
    return {
        "name": division.name,
        "open": not division.paired_rounds,
        "players": [
            {"number": player.number, "name": player.spoken, "here": player.here}
            for player in division.players
            if player.absence_margin is None
        ],
    }


def _act(event: EventView, given: Json) -> CheckIn:
    """What a phone sent, as the order it is; HTTPException says why it is none."""
    name, number, here = given.get("division"), given.get("number"), given.get("here")
    if not isinstance(name, str) or type(number) is not int or type(here) is not bool:
        raise HTTPException(400, TextError("no_check_in"))
    division = event.register.event.division(name)
    if division is None or division.find(number) is None:
        raise HTTPException(404, TextError("player_not_listed"))
    if division.paired_rounds:
        raise HTTPException(409, TextError("check_in_over"))
    return CheckIn(division=division.name, number=number, here=here)
