"""What a director prints of the event, as PDF, or takes away for other programs."""

import asyncio
import re
import secrets
from typing import Annotated

from fastapi import APIRouter, Body, HTTPException, Query, Request
from fastapi.responses import Response

from dashboard.auth.access import Role
from dashboard.auth.guard import Guard, guard_of, requires
from dashboard.event.view import EventView
from recorder.feeds.forms import FORMS, SUFFIXES
from recorder.orders.event_rules import rules_of
from recorder.printing.event_sheets import EventSheet, code_cards, event_sheets, newest_round
from recorder.printing.page import Page
from recorder.texts import TextError
from recorder.texts import say_printed as say

MOST_CODES = 250
"""Tables that get codes at once: each new account costs a twentieth of a second."""


def print_routes(event: EventView) -> APIRouter:
    """Every kind of sheet, of a division and a round; the newest round unless one is named."""
    router = APIRouter(dependencies=[requires(Role.DIRECTOR)])

    @router.get("/director/event/print/{sheet}.pdf")
    async def printed(
        sheet: EventSheet,
        division: Annotated[str, Query(max_length=40)],
        round_: Annotated[int | None, Query(alias="round", ge=0, le=999)] = None,
    ) -> Response:
        register = event.register
        found = next((d for d in register.event.divisions if d.name == division), None)
        if found is None:
            raise HTTPException(404, TextError("no_division", division=division))
        newest = newest_round(sheet, found)
        if round_ is not None and round_ > newest:
            raise HTTPException(404, TextError("rounds_known", division=division, last=newest))
        wanted = newest if round_ is None else round_
        pages_ = await asyncio.to_thread(
            event_sheets, sheet, register.event, found, wanted, rules_of(found), event.words
        )
        data = await asyncio.to_thread(_as_pdf, *pages_)
        name = f"{re.sub('[^A-Za-z0-9]+', '', division)}-round-{wanted}-{sheet}.pdf"
        headers = {"Content-Disposition": f'inline; filename="{name}"'}
        return Response(data, media_type="application/pdf", headers=headers)

    @router.get("/director/event/export/{form}")
    async def exported(form: str) -> Response:
        """The event in a form that other programs take."""
        if form not in FORMS:
            forms = ", ".join(FORMS)
            raise HTTPException(404, TextError("no_form", form=form[:40], forms=forms))
        text = await asyncio.to_thread(FORMS[form], event.register.event, rules_of)
        name = form if "." in form else f"event.{SUFFIXES.get(form, form)}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)

    @router.post("/api/event/codes")
    def codes(
        last: Annotated[int, Body(embed=True, ge=1, le=MOST_CODES)], request: Request
    ) -> Response:
        """A code for the result phone of every table up to ``last``; those before end."""
        guard = guard_of(request)
        tables = range(1, last + 1)
        addresses = {
            say("table_number", table=n): f"{request.base_url}enter/{_key(guard, n)}?to=/result/{n}"
            for n in tables
        }
        cards = code_cards(addresses, _lines("result_code"))
        return Response(_as_pdf(*cards), media_type="application/pdf")

    @router.post("/api/event/check-in-code")
    def check_in_code(request: Request) -> Response:
        """The code for phones on which players check in; the one before ends."""
        key = _key(guard_of(request), 0)
        addresses = {say("check_in"): f"{request.base_url}enter/{key}?to=/check-in"}
        cards = code_cards(addresses, _lines("check_in_code"))
        return Response(_as_pdf(*cards), media_type="application/pdf")

    return router


def _lines(code: str) -> tuple[str, str]:
    """What a card says under its heading."""
    return say(code), say(f"{code}_how")


def _as_pdf(*pages: Page) -> bytes:
    from recorder.printing.pdf import pdf  # ReportLab: only who prints waits for it

    return pdf(*pages)


def _key(guard: Guard, table: int) -> str:
    """The key of a new link that signs a phone in as the scorer of a table; 0: for check-in.

    Under a name of its own: a new link ends all who came in by the old one, and new cards must not
    take a clock from the players.
    """
    name, role = (f"result-{table}", Role.SCORER) if table else ("check-in", Role.CHECK_IN)
    now, accounts = guard.now(), guard.accounts
    if (name, role) not in accounts.users() or accounts.tables_served().get(name, 0) != table:
        accounts.set_user(name, role, secrets.token_urlsafe(24), now, table)
    return accounts.make_link(name, now)
