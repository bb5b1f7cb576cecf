"""A phone or a clock without a key asks to join; a director's button gives it its key."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, HTTPException, Request
from fastapi import Path as PathPart
from fastapi.responses import HTMLResponse, JSONResponse

from dashboard.auth.access import Role
from dashboard.auth.first_keys import scorer_of
from dashboard.auth.guard import address_of, guard_of, requires
from dashboard.auth.joining import CLOCK, PHONE, Asking, JoinAs, Joining
from dashboard.director.orders import OrderLine
from dashboard.web.pages import PageLanguage, Pages
from recorder.declared.codec import Json
from recorder.domain.errors import NotationError
from recorder.domain.instruments import DeviceRole
from recorder.domain.limits import MOST_TABLES
from recorder.frames.desk import JoiningDevice
from recorder.projections.health.device_health import HealthGrade
from recorder.systems import read_file
from recorder.texts import TextError
from recorder.uptime import uptime_ms

_PAGES = {DeviceRole.CLOCK: "clock", DeviceRole.PAD: "pad"}
_Number = Annotated[str, PathPart(pattern=r"^[0-9]{4}$")]
Count = Annotated[int, Body(ge=0, le=1_000_000)]


class JoinDesk:
    """Who asks, and what each may become.

    ``clocks`` is the folder with a file for each networked clock, its password in it; None where
    clocks get no key over the network, as with certificates.
    """

    def __init__(self, line: OrderLine, clocks: Path | None) -> None:
        self.asking = Joining()
        self._line = line
        self._clocks = clocks

    def places(self, kind: str) -> list[JoinAs]:
        """What a device may become: first what is expected and does not work yet."""
        expected = self._line.devices()
        found: dict[JoinAs, bool] = {}
        for health in expected:
            device, is_well = health.device, health.grade is HealthGrade.WELL
            if kind == PHONE and device.role in _PAGES:
                found[JoinAs(device.table, _PAGES[device.role])] = is_well
            is_clock = kind == CLOCK and device.role is DeviceRole.MQTT_CLOCK
            if is_clock and self.settings(device.name) is not None:
                found[JoinAs(device.table, "clock", device.name)] = is_well
        if kind == PHONE:
            found |= {JoinAs(health.device.table, "result"): True for health in expected}
        return sorted(found, key=lambda place: (found[place], place))

    def settings(self, clock: str) -> Json | None:
        """What a clock must know to reach the broker; None where no password is kept for it."""
        if self._clocks is None:
            return None
        try:
            found: Json = json.loads(read_file(self._clocks / f"{clock}.json"))
        except (OSError, ValueError):
            return None
        return found if "broker_password" in found else None

    def shown(self) -> list[JoiningDevice]:
        """The devices that wait, as a director's page shows them."""
        waiting = self.asking.waiting(uptime_ms())
        places = {kind: self.places(kind) for kind in {asking.kind for asking in waiting}}
        return [
            {
                "number": asking.number,
                "kind": "clock" if asking.kind == CLOCK else "phone",
                "name": asking.name,
                "address": asking.address,
                "presses": asking.presses,
                "places": [
                    {"table": place.table, "page": place.page} for place in places[asking.kind]
                ],
            }
            for asking in waiting
        ]


def joining_routes(pages: Pages, desk: JoinDesk) -> APIRouter:
    """Asking: for anybody in the venue's network."""
    router = APIRouter(dependencies=[requires(Role.VIEWER)])

    @router.get("/join", response_class=HTMLResponse)
    def page(lang: PageLanguage = "") -> str:
        return pages.filled("phone-join", lang)

    @router.post("/api/join")
    def ask(
        request: Request,
        kind: Annotated[Literal["phone", "clock"], Body()],
        name: Annotated[str, Body(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._:-]{0,39}$")],
    ) -> Json:
        try:
            asking = desk.asking.ask(kind, name, address_of(request), uptime_ms())
        except NotationError as fault:
            raise HTTPException(429, fault) from fault
        return {"number": asking.number, "secret": asking.secret}

    @router.post("/api/join/answer")
    def answer(
        request: Request, secret: Annotated[str, Body(max_length=64)], presses: Count = 0
    ) -> JSONResponse:
        asking = desk.asking.heard(secret, presses, uptime_ms())
        if asking is None:
            raise HTTPException(404, TextError("device_gone"))
        if asking.place is None:
            return JSONResponse({"state": "waiting"})
        return _let_in(desk, asking, asking.place, request)

    return router


def _let_in(desk: JoinDesk, asking: Asking, place: JoinAs, request: Request) -> JSONResponse:
    """The key of a device: a clock's settings, or a session for a phone and where it goes."""
    if asking.kind == CLOCK:
        return JSONResponse({"state": "added", "settings": desk.settings(place.clock)})
    guard = guard_of(request)
    account = scorer_of(guard.accounts, place.table, guard.now())
    response = JSONResponse({"state": "added", "to": f"/{place.page}/{place.table}"})
    guard.sign_in(response, account, Role.SCORER, secure=request.url.scheme == "https")
    return response


def letting_in_routes(desk: JoinDesk) -> APIRouter:
    """Answering: for directors."""
    router = APIRouter(dependencies=[requires(Role.DIRECTOR)])

    @router.post("/api/joining/{number}")
    def add(
        number: _Number,
        table: Annotated[int, Body(ge=1, le=MOST_TABLES)],
        page: Annotated[Literal["clock", "pad", "result"], Body()],
    ) -> Any:
        waiting = {asking.number: asking for asking in desk.asking.waiting(uptime_ms())}
        if number not in waiting:
            raise HTTPException(404, TextError("device_gone"))
        for place in desk.places(waiting[number].kind):
            if (place.table, place.page) == (table, page):
                return _answered(desk.asking.answer(number, place, uptime_ms()))
        raise HTTPException(409, TextError("no_place", table=table))

    @router.delete("/api/joining/{number}")
    def refuse(number: _Number) -> Any:
        return _answered(desk.asking.answer(number, None, uptime_ms()))

    return router


def _answered(is_there: bool) -> Any:  # noqa: FBT001 - the answer to one question
    if not is_there:
        raise HTTPException(404, TextError("device_gone"))
    return {"ok": True}
