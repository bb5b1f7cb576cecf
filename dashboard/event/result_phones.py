"""The result phone of a table: both players say the result, or confirm what is recorded.

What a player says is an order about the event by the phone of the table; two that agree are the
result, two that do not are a need of the director. At a table with sensors a player who says what
is recorded signs the record instead.
"""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Body, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse

from dashboard.auth.access import Role
from dashboard.auth.guard import check_table, requires
from dashboard.director.orders import OrderLine, event_reply_json, reply_json
from dashboard.event.view import EventView, give_followed
from dashboard.live.game_rooms import GameRooms
from dashboard.live.hub import Hub
from dashboard.web.pages import PageLanguage, Pages, PageTexts
from dashboard.web.shared import TableNumber
from recorder.declared.codec import Json
from recorder.domain.event.divisions import EventDivision, EventGame
from recorder.domain.event.orders import ClaimResult, EventOrder
from recorder.domain.event.seating import Pairing, first_in_front
from recorder.domain.orders import Order, Sign, TableOrder
from recorder.frames.event import RecordedResult, ResultGame, ResultModel
from recorder.texts import Catalogue, TextError
from recorder.wire.event_orders import decode_event_order, encode_event_order


@dataclass(frozen=True, slots=True)
class ResultPhones:
    """What the phones of all tables need: the event, the tables, and the way of an order."""

    event: EventView
    hub: Hub
    rooms: GameRooms
    line: OrderLine

    def model(self, table: int) -> ResultModel:
        """What a table's phone shows: the game to report, or the last one that was played there."""
        found = _game_at(self.event, table)
        if found is None:
            return {"game": None}
        division, game = found
        recorded = self.recorded(table, division.name, game)
        return {"game": _shown(division, game), "recorded": recorded}

    def recorded(self, table: int, division: str, game: EventGame) -> RecordedResult | None:
        """What the table's sensors have of a game: totals, whether it is over, who has signed.

        None at a table without sensors, and before they saw the game begin.
        """
        model = self.hub.channel(table, Role.DIRECTOR).model or {}
        frame = model.get("frame")
        pairing = self.rooms.pairing_of(table, frame["game"]) if frame else None
        if not frame or pairing is None or not _is_of(pairing, division, game):
            return None
        return {
            "scores": [player["score"] for player in frame["players"]],
            "over": frame["phase"] == "over",
            "signed": [mark is not None and not mark["stale"] for mark in model["signatures"]],
        }

    def say(self, table: int, given: Json, texts: Catalogue) -> Json:
        """A player's word; HTTPException names what is wrong with it."""
        found = _game_at(self.event, table)
        if found is None:
            raise HTTPException(409, TextError("no_game_waits"))
        division, game = found
        act = _claim(division, game, given)
        recorded = self.recorded(table, division.name, game)
        if recorded is not None and not recorded["over"]:
            raise HTTPException(409, TextError("still_playing"))
        who, name = f"phone of table {table}", str(given.get("id"))
        said = [act.own_score, act.other_score]
        place = first_in_front(game).index(act.number)
        if recorded is not None and recorded["scores"] == (said if place == 0 else said[::-1]):
            signature = Order(id=name, who=who, act=Sign(player=place))
            return reply_json(self.line.give(TableOrder(table=table, order=signature)), 0, texts)
        order = decode_event_order(*encode_event_order(EventOrder(id=name, who=who, act=act)))
        return event_reply_json(give_followed(self.line, self.event, order), texts)


def result_phone_routes(pages: Pages, phones: ResultPhones) -> APIRouter:
    """The page behind the code on a table, and what it sends."""
    router = APIRouter(dependencies=[requires(Role.SCORER)])

    @router.get("/result/{number}", response_class=HTMLResponse)
    def page(number: TableNumber, lang: PageLanguage = "") -> str:
        return pages.filled("phone-result", lang, table=number)

    @router.get("/api/result/{number}")
    async def model(number: TableNumber, request: Request) -> Any:
        check_table(request, number)
        return phones.model(number)

    @router.post("/api/result/{number}")
    def say(
        number: TableNumber, given: Annotated[Json, Body()], request: Request, texts: PageTexts
    ) -> JSONResponse:
        check_table(request, number)
        reply = phones.say(number, given, texts)
        return JSONResponse(reply, 202 if reply["state"] == "waiting" else 200)

    return router


def _game_at(event: EventView, table: int) -> tuple[EventDivision, EventGame] | None:
    """The game that waits for its result at a table, the earliest; else the last one there."""
    here = [
        (division, game)
        for division in event.register.event.divisions
        for game in division.games
        if game.table == table and not game.adjourned
    ]
    here.sort(key=lambda found: found[1].round)
    waiting = (found for found in here if not found[1].played)
    return next(waiting, here[-1] if here else None)


def _shown(division: EventDivision, game: EventGame) -> ResultGame:
    numbers = first_in_front(game)
    lines = [division.player(number).in_round(game.round) for number in numbers]
    return {
        "division": division.name,
        "round": game.round,
        "players": [
            {
                "number": number,
                "name": division.player(number).spoken,
                "claim": None if line.claim is None else list(line.claim),
            }
            for number, line in zip(numbers, lines, strict=True)
        ],
        "scores": [line.score for line in lines] if game.played else None,
    }


def _is_of(pairing: Pairing, division: str, game: EventGame) -> bool:
    return (pairing.division, pairing.round, pairing.pair, pairing.attempt) == (
        division,
        game.round,
        frozenset(game.players),
        game.attempt,
    )


def _claim(division: EventDivision, game: EventGame, given: Json) -> ClaimResult:
    """What a page sent, as the order it is; HTTPException where it is none of this game."""
    numbers = [given.get(name) for name in ("number", "own", "other", "round")]
    if not all(type(number) is int for number in numbers):
        raise HTTPException(400, TextError("no_result"))
    number, own, other, round_ = map(int, numbers)  # type: ignore[arg-type]
    if round_ != game.round or number not in game.players:
        raise HTTPException(409, TextError("other_game"))
    return ClaimResult(
        division=division.name, round=round_, number=number, own_score=own, other_score=other
    )
