"""The event's pages: for everybody what is on air, for directors the entry of orders.

``/event/tourney.js`` is the address for programs that take TSH's feed.
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Body, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from dashboard.auth.access import Role
from dashboard.auth.guard import requires, signed_in
from dashboard.director.orders import OrderLine, event_reply_json
from dashboard.event.feed_follower import FeedFollower
from dashboard.event.needs import needs_of
from dashboard.event.result_phones import ResultPhones
from dashboard.event.round_calendar import calendar_of
from dashboard.event.single_texts import DIVISION_TEXTS, PLAYER_TEXTS, event_texts
from dashboard.event.view import EventView, give_followed
from dashboard.live.game_rooms import GameRooms
from dashboard.web.pages import PageLanguage, Pages, PageTexts
from recorder.declared.codec import Json
from recorder.domain.event.divisions import EventDivision
from recorder.domain.event.next_round import pair_round
from recorder.domain.event.orders import (
    ClaimResult,
    EnterResult,
    EventOrder,
    ExchangeCameras,
    ForfeitGame,
)
from recorder.domain.event.register import Register, undone_by
from recorder.domain.event.seating import tables_for
from recorder.domain.event.wanted import Method, WantedRound
from recorder.matching import least_cost_pairs
from recorder.orders.draw_words import known_players
from recorder.orders.event_record import consequences_of
from recorder.orders.event_rules import rules_of
from recorder.orders.event_syntax import event_usage, parse_event_order, times_as_ordered
from recorder.texts import Catalogue, TextError
from recorder.texts.event import event_order_in_words, in_ranges, read_back
from recorder.texts.pairing import why_paired
from recorder.texts.telling import coded_text, with_text
from recorder.wire.event_orders import decode_event_order, encode_event_order

DivisionAsked = Annotated[str, Query(max_length=40)]
PlayerAsked = Annotated[int, Query(ge=0, le=9_999)]
MOST_LISTED = 50
"""Orders that the director's page lists, the newest."""
MOST_WORDS = 20_000
"""Characters of an order: a round of 500 tables fits."""


def event_pages(pages: Pages, event: EventView, head: Callable[[], Mapping[str, str]]) -> APIRouter:
    """What everybody may see of the event, late by the delay: a page, its data, the feed.

    ``head`` gives ``title`` and ``logo`` of the public pages.
    """
    router = APIRouter(prefix="/event", dependencies=[requires(Role.VIEWER)])

    @router.get("", response_class=HTMLResponse)
    def page(lang: PageLanguage = "") -> str:
        return pages.filled("event-public", lang, **head())

    @router.get("/data.json")
    async def data(request: Request, division: DivisionAsked = "") -> Response:
        body = await asyncio.to_thread(event.body_of, event.on_air, division)
        return body.answer(request, "public, max-age=5")

    @router.get("/rounds.json")
    async def rounds(request: Request, division: DivisionAsked) -> Response:
        register = event.on_air
        found = _known_division(register, division)
        body = await asyncio.to_thread(event.rounds_of, register, found)
        return body.answer(request, "public, max-age=5")

    @router.get("/rounds.ics")
    def calendar(division: DivisionAsked) -> Response:
        register = event.on_air
        found = _known_division(register, division)
        text = calendar_of(register.event.name, found)
        return Response(text, media_type="text/calendar; charset=utf-8")

    @router.get("/tourney.js")
    async def feed() -> Response:
        register = event.on_air
        if not register.event.divisions:
            raise HTTPException(404, TextError("no_event"))
        text = await asyncio.to_thread(event.feed_of, register)
        return Response(text, media_type="text/javascript; charset=utf-8")

    _add_texts(router, event)
    return router


def _add_texts(router: APIRouter, event: EventView) -> None:
    """Single facts, as text."""

    async def texts(division: str, player: int) -> dict[str, str]:
        model = await asyncio.to_thread(event.model_of, event.on_air)
        return event_texts(model, division, player)

    @router.get("/fields.json")
    async def fields(division: DivisionAsked = "", player: PlayerAsked = 0) -> dict[str, str]:
        return await texts(division, player)

    @router.get("/field/{name}.txt", response_class=PlainTextResponse)
    async def field(name: str, division: DivisionAsked = "", player: PlayerAsked = 0) -> str:
        found = (await texts(division, player)).get(name)
        if found is None:
            names = ", ".join((*DIVISION_TEXTS, *PLAYER_TEXTS))
            raise HTTPException(404, TextError("no_event_text", name=name[:40], names=names))
        return found


def _known_division(register: Register, name: str) -> EventDivision:
    found = register.event.division(name)
    if found is None:
        raise HTTPException(404, TextError("no_division", division=name))
    return found


@dataclass(frozen=True, slots=True)
class EventWork:
    """What a director works on the event with; ``follower`` where another program pairs."""

    event: EventView
    line: OrderLine
    rooms: GameRooms
    phones: ResultPhones
    follower: FeedFollower | None = None

    def model(self, texts: Catalogue) -> Json:
        """What the director's page has beside the event."""
        register = self.event.register
        return {
            "orders": _listed(register, texts),
            "usage": event_usage(texts),
            "games": self.rooms.listed(),
            "needs": needs_of(register, self.phones, texts),
            "given": _results(register),
            "here": _here(register),
            "setup": {division.name: _setup(division) for division in register.event.divisions},
            **({} if self.follower is None else {"follow": self.follower.as_json()}),
        }


def _here(register: Register) -> dict[str, list[int]]:
    """Who has checked in, in each division whose first round is still to be paired."""
    return {
        division.name: [player.number for player in division.players if player.here]
        for division in register.event.divisions
        if not division.paired_rounds
    }


def _setup(division: EventDivision) -> Json:
    """How a division's rounds are drawn, in the words of the orders that say so."""
    return {
        "tables": in_ranges(division.tables),
        "fixed": " ".join(f"{number}={table}" for number, table in division.fixed.items()),
        "prizes": str(division.prizes or ""),
        "times": times_as_ordered(division.times),
    }


def _results(register: Register) -> dict[str, str]:
    """The order that a result of the newest rounds came with, by division, round and player."""
    newest = {d.name.casefold(): d.paired_rounds for d in register.event.divisions}
    undone = undone_by(register.orders)
    found: dict[str, str] = {}
    for order in register.orders:
        act = order.act
        if isinstance(act, EnterResult | ForfeitGame | ClaimResult) and order.id not in undone:
            name = act.division.casefold()
            if act.round == newest.get(name):
                number = act.first if isinstance(act, EnterResult) else act.number
                other = act.second if isinstance(act, EnterResult) else act.other
                for player in (number, other):
                    found[f"{name}/{player}"] = order.id
    return found


def event_desk_routes(pages: Pages, work: EventWork) -> APIRouter:
    """The director's page of the event, and the orders that it gives in words."""
    event, line = work.event, work.line
    router = APIRouter(dependencies=[requires(Role.DIRECTOR)])

    @router.get("/director/event", response_class=HTMLResponse)
    def page(lang: PageLanguage = "") -> str:
        return pages.filled("event", lang)

    @router.get("/api/event")
    async def data(texts: PageTexts) -> JSONResponse:
        model = await asyncio.to_thread(event.model_of, event.register)
        return JSONResponse({**model, **work.model(texts)})

    @router.post("/api/event/pair")
    async def pair(given: Annotated[Json, Body()], texts: PageTexts) -> Any:
        return await asyncio.to_thread(_paired, event.register, given, texts)

    @router.post("/api/event/order")
    def give(given: Annotated[Json, Body()], request: Request, texts: PageTexts) -> JSONResponse:
        answer = _given(work, _order(given, request, event.register), texts)
        return JSONResponse(answer, 202 if answer["state"] == "waiting" else 200)

    @router.post("/api/event/order/preview")
    def preview(given: Annotated[Json, Body()], request: Request, texts: PageTexts) -> Json:
        found = line.preview(_order(given, request, event.register))
        if found is None:
            raise HTTPException(504, TextError("no_recorder"))
        changes = _changes_of(found, texts)
        reason = found["reason"] and with_text(found["reason"], "refusal", texts)
        return {**found, "changes": changes, "reason": reason}

    return router


def _paired(register: Register, given: Json, texts: Catalogue) -> Json:
    """A round by a method, as the order that would publish it, and why each pair meets.

    ``round`` None is the next one. An earlier one is paired again from the rounds before it.
    """
    # Only COP needs arrays: the dashboard starts without them.
    from recorder.simulating import ChanceSimulator

    division = next((d for d in register.event.divisions if d.name == given.get("division")), None)
    if division is None or given.get("method") not in list(Method):
        raise HTTPException(400, TextError("division_or_method", methods=", ".join(Method)))
    order = sorted(division.by_number)
    secrets.SystemRandom().shuffle(order)
    wanted = WantedRound(
        round=_round(division, given.get("round")),
        method=Method(given["method"]),
        order=order,
        locked=_locked(given),
        absent=known_players(division, map(_number, _words(given, "absent"))),
        seats=tables_for(register.event, division, len(division.players)),
    )
    simulator = ChanceSimulator(secrets.randbelow(10**6))
    drawn = pair_round(rules_of(division), division, wanted, least_cost_pairs, simulator)
    names = {player.number: player.name for player in division.players}
    before = [game for game in division.games if game.round < wanted.round]
    games = (f"{pair.table}:{pair.first}-{pair.second}" for pair in drawn.pairs)
    bye = () if drawn.bye is None else ("bye", str(drawn.bye))
    out = ("out", *map(str, drawn.out)) if drawn.out else ()
    return {
        "words": " ".join(("round", division.name, str(drawn.round), *games, *bye, *out)),
        "round": drawn.round,
        "bye": drawn.bye,
        "out": list(drawn.out),
        "missing": sum(not game.played for game in before),
        "pairs": [
            {
                "table": pair.table,
                "players": [pair.first, pair.second],
                "repeat": pair.repeat,
                "why": why_paired(pair, names, texts),
            }
            for pair in drawn.pairs
        ],
    }


def _round(division: EventDivision, asked: Any) -> int:
    """The round to pair: one that is published already, or the next."""
    newest = division.paired_rounds + 1
    if asked is None:
        return newest
    if type(asked) is not int or not 1 <= asked <= newest:
        raise TextError("rounds_to_pair", division=division.name, last=newest)
    return asked


def _locked(given: Json) -> list[tuple[int, int]]:
    """The pairs that a page wants kept; TextError where they are none."""
    pairs = given.get("locked", [])
    if not isinstance(pairs, list) or not all(_is_pair(pair) for pair in pairs):
        raise TextError("no_locked_pair")
    return [(first, second) for first, second in pairs]


def _words(given: Json, name: str) -> list[str]:
    """What a page asks for, in words; commas between them are none."""
    text = given.get(name, "")
    if not isinstance(text, str) or len(text) > MOST_WORDS:
        raise TextError("no_line_of_text", name=name)
    return text.replace(",", " ").split()


def _number(word: str) -> int:
    if not word.isdecimal() or len(word) > 4:
        raise TextError("no_number", word=word)
    return int(word)


def _is_pair(pair: object) -> bool:
    return isinstance(pair, list) and [type(number) for number in pair] == [int, int]


def _order(given: Json, request: Request, register: Register) -> EventOrder:
    """The order in a page's words, by anyone who is signed in; 422 names what is wrong in it."""
    words, name = given.get("words"), given.get("id")
    if not isinstance(words, str) or not words.strip() or len(words) > MOST_WORDS:
        raise HTTPException(400, TextError("no_order_words"))
    who = signed_in(request)
    chosen = str(given.get("division", ""))[:40]
    act = parse_event_order(words.split(), register.event, chosen)
    order = EventOrder(id=str(name), who=who, act=act, agreed=given.get("agreed") is True)
    return decode_event_order(*encode_event_order(order))


def _given(work: EventWork, order: EventOrder, texts: Catalogue) -> Json:
    """What became of an order; with what else it changes it is asked about first.

    ``state`` is ``accepted``, ``refused``, ``waiting`` or, where nothing was sent, ``unseen``.
    """
    changes = [] if order.agreed else changes_in_words(work.event.register, order, texts)
    if changes:
        return {"state": "unseen", "reason": None, "changes": changes}
    reply = give_followed(work.line, work.event, order)
    if reply is not None and (reply["reason"] or {}).get("code") == "event_unseen":
        # What the tables have recorded against it only the recorder knows.
        found = work.line.preview(order) or {}
        changes = _changes_of(found, texts)
    if changes:
        return {"state": "unseen", "reason": None, "changes": changes}
    answer = event_reply_json(reply, texts)
    said = read_back(order.act, work.event.register.event, texts)
    return {**answer, "said": said, "id": order.id}


def _changes_of(preview: Json, texts: Catalogue) -> list[str]:
    """What an order changes beside what it says itself, as the recorder answers."""
    changes = preview.get("changes", ())
    return [with_text(change, "event_change", texts)["text"] for change in changes]


def changes_in_words(register: Register, order: EventOrder, texts: Catalogue) -> list[str]:
    """What an order changes beside what it says itself, for the person who gives it."""
    found = consequences_of(register, order)
    lost = (event_order_in_words(left.act, register.event, texts) for left in found.left_out)
    return [coded_text(change, "event_change", texts) for change in found.changes] + [
        texts.text("event_change", "no_longer_counts", words=words) for words in lost
    ]


def _listed(register: Register, texts: Catalogue) -> list[Json]:
    """The latest orders, the newest first, in words.

    ``holds`` False: it was undone. ``undo`` is the order to undo so that it no longer counts, or
    counts again; empty where the order has to be given again instead.
    """
    undone = undone_by(register.orders)
    return [
        {
            "id": order.id,
            "who": order.who,
            "words": event_order_in_words(order.act, register.event, texts),
            "holds": order.id not in undone,
            "undo": ""
            if isinstance(order.act, ExchangeCameras)
            else undone.get(order.id, order.id),
        }
        for order in register.orders[: -MOST_LISTED - 1 : -1]
    ]
