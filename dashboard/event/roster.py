"""A pasted list of players: looked at first, then entered, each by an order of their own.

A rating list goes along, as it was fetched: who is in it, it rates.
"""

import secrets
from typing import Annotated

from fastapi import APIRouter, Body, HTTPException, Request

from dashboard.auth.access import Role
from dashboard.auth.guard import requires, signed_in
from dashboard.event.routes import EventWork
from dashboard.web.pages import PageTexts
from recorder.declared.codec import Json
from recorder.domain.errors import DeviceError
from recorder.domain.event.orders import EnterPlayer, EventOrder
from recorder.domain.notices import CodedText
from recorder.feeds.rating_list import read_rating_list
from recorder.feeds.roster import read_roster
from recorder.texts import Catalogue, TextError
from recorder.texts.telling import coded_text
from recorder.wire.event_orders import decode_event_order, encode_event_order

MOST_ROSTER = 200_000
"""Characters of a list."""


def roster_routes(work: EventWork) -> APIRouter:
    """What the director's page sends a list to."""
    router = APIRouter(dependencies=[requires(Role.DIRECTOR)])

    @router.post("/api/event/roster")
    def roster(given: Annotated[Json, Body()], request: Request, texts: PageTexts) -> Json:
        return _roster(work, given, signed_in(request), texts)

    return router


def _roster(work: EventWork, given: Json, who: str, texts: Catalogue) -> Json:
    """The people of a pasted list; with ``give`` those of whom nothing is doubtful are entered."""
    text, division = given.get("text"), str(given.get("division") or "A")
    listed = given.get("ratings") or ""
    if not isinstance(text, str) or len(text) > MOST_ROSTER or not isinstance(listed, str):
        raise HTTPException(400, TextError("roster_too_long", most=MOST_ROSTER))
    collins = given.get("collins") is True
    ratings = read_rating_list(listed, collins=collins) if listed else None
    entries = read_roster(text, division, work.event.register.event, ratings)
    entered, last, refused = 0, "", ""
    began = secrets.token_hex(6)
    for number, entry in enumerate(entries if given.get("give") is True else ()):
        if entry.doubt:
            continue
        try:
            act = EnterPlayer(
                division=entry.division, name=entry.name, rating=entry.rating, ident=entry.ident
            )
            order = EventOrder(id=f"roster-{began}-{number}", who=who, act=act, agreed=True)
            reply = work.line.give_event(decode_event_order(*encode_event_order(order)))
        except DeviceError as fault:
            refused = f"{entry.name}: {fault}"
            continue
        if reply is None:
            refused = texts.text("request_fault", "no_recorder")
            break
        if reply["ok"]:
            entered, last = entered + 1, order.id
    if last:
        work.event.wait_for(last)
    return {
        "players": [
            {"division": e.division, "name": e.name, "rating": e.rating, "ident": e.ident,
             "doubt": _said(e.doubt, texts), "note": _said(e.note, texts)}
            for e in entries
        ],
        "entered": entered,
        "refused": refused,
    }  # fmt: skip


def _said(found: CodedText | None, texts: Catalogue) -> str:
    return "" if found is None else coded_text(found, "roster", texts)
