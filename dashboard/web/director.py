"""The director's pages and what they ask: orders, previews, moments, pictures. Thin handlers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, cast

from fastapi import APIRouter, Body, HTTPException, Query, Request
from fastapi import Path as PathPart
from fastapi.responses import HTMLResponse, JSONResponse, Response

from dashboard.auth.access import Role
from dashboard.auth.guard import requires, signed_in
from dashboard.director.exports import FILES, export
from dashboard.director.orders import (
    OrderLine,
    read_order,
    reply_json,
)
from dashboard.live.game_rooms import GameRooms
from dashboard.live.hub import Hub
from dashboard.live.messages.merge_patch import without_nulls
from dashboard.live.sensor_state import rows_of, table_at
from dashboard.web.joining import JoinDesk
from dashboard.web.pages import PageLanguage, Pages, PageTexts
from dashboard.web.shared import GameQuery, TableNumber
from recorder.declared.codec import Json
from recorder.domain.limits import BIGGEST_INTEGER, MOST_TABLES
from recorder.domain.orders import TableOrder
from recorder.frames.desk import DeskModel, DeskState, Glance
from recorder.frames.public import TableFrame
from recorder.log.evidence import Pictures
from recorder.log.places import LogPlace, open_log_reader
from recorder.projections.framed import framed
from recorder.projections.health.device_health import device_as_json
from recorder.projections.health.finding import Finding
from recorder.projections.timeline import words_of_entries
from recorder.texts import Catalogue, TextError
from recorder.texts.telling import coded_text, preview_with_texts
from recorder.version import build_version

Given = Annotated[Json, Body()]


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorDesk:
    """What the director's routes work with. ``log`` is the file that is shown.

    ``rooms`` has every game of it by name.
    """

    hub: Hub
    log: LogPlace
    line: OrderLine
    joining: JoinDesk
    pictures: Pictures
    rooms: GameRooms
    venue_faults: Callable[[], Sequence[Finding]]

    def findings(self) -> list[Finding]:
        """What is wrong at the venue: its files and disk first, then what is heard."""
        return [*self.venue_faults(), *self.line.findings()]


def director_pages(pages: Pages, hub: Hub) -> APIRouter:
    """One table, or all of them where none is named and the log has several.

    With ``game`` an earlier game of the table.
    """
    router = APIRouter(default_response_class=HTMLResponse, dependencies=[requires(Role.DIRECTOR)])

    @router.get("/director")
    def director(
        table: Annotated[int | None, Query(ge=1, le=MOST_TABLES)] = None,
        game: GameQuery = "",
        lang: PageLanguage = "",
    ) -> str:
        if table is None and len(hub.tables()) > 1:
            return pages.tool("director-tables", lang)
        return pages.tool("director", lang, table, game)

    @router.get("/overview")
    def overview(
        table: Annotated[int | None, Query(ge=1, le=MOST_TABLES)] = None, lang: PageLanguage = ""
    ) -> str:
        return pages.tool("overview", lang, table)

    return router


def order_routes(desk: DirectorDesk) -> APIRouter:
    """Giving orders, and what is known about giving them."""
    router = APIRouter(dependencies=[requires(Role.DIRECTOR)])

    @router.get("/api/desk")
    def state(request: Request, texts: PageTexts) -> Any:
        return _state(desk, request, texts)

    @router.post("/api/order")
    def give(given: Given, request: Request, texts: PageTexts) -> JSONResponse:
        order = _order(desk, given, request)
        answer = reply_json(
            desk.line.give(order), desk.line.state().waiting, _texts(desk, order.table, texts)
        )
        return JSONResponse(answer, 202 if answer["state"] == "waiting" else 200)

    @router.post("/api/order/preview")
    def preview(given: Given, request: Request, texts: PageTexts) -> Json:
        order = _order(desk, given, request)
        found = desk.line.preview(order)
        if found is None:
            raise HTTPException(504, TextError("no_recorder"))
        preview = preview_with_texts(found, _texts(desk, order.table, texts))
        return {key: value for key, value in preview.items() if key not in {"v", "id"}}

    return router


def _state(desk: DirectorDesk, request: Request, texts: Catalogue) -> DeskState:
    line, devices = desk.line.state(), desk.line.devices()
    names = {found.device.name for found in devices}
    return {
        "who": signed_in(request),
        "orders": line.is_open,
        "connected": line.connected,
        "reason": coded_text(line.reason, "line_state", texts) if line.reason else "",
        "waiting": line.waiting,
        "pictures": desk.pictures.are_visible,
        "overlays": desk.hub.overlays(),
        "faults": [found.line for found in desk.findings() if found.what not in names],
        "devices": [device_as_json(found) for found in devices],
        "time_of_day": datetime.now(UTC).astimezone().isoformat(timespec="seconds"),
        "joining": desk.joining.shown(),
        "version": build_version(),
        "recorders": [
            {
                "name": name,
                "state": recorder.state.value,
                "version": recorder.version,
                "fault": recorder.fault,
                "warning": coded_text(recorder.warning, "log_warning", texts)
                if recorder.warning
                else "",
            }
            for name, recorder in sorted(line.recorders.items())
        ],
    }


def moment_routes(desk: DirectorDesk) -> APIRouter:
    """The table at an earlier row, all tables at a glance, and pictures."""
    router = APIRouter(dependencies=[requires(Role.DIRECTOR)])

    @router.get("/api/table/{table}/at/{seq}")
    def at(
        table: TableNumber,
        seq: Annotated[int, PathPart(ge=1, le=BIGGEST_INTEGER)],
        game: GameQuery = "",
    ) -> Json:
        if game:
            return without_nulls(table_at(desk.rooms.rows(table, game), table, seq))
        with open_log_reader(desk.log) as reader:
            found = table_at(rows_of(reader, desk.hub.rows_of(table), seq), table, seq)
            return without_nulls(found)

    @router.get("/api/tables")
    async def tables() -> list[Json]:
        models = (
            (number, desk.hub.channel(number, Role.DIRECTOR).model) for number in desk.hub.tables()
        )
        glances = (
            glance(number, cast("DeskModel", model))
            for number, model in models
            if model is not None
        )
        return [without_nulls(found) for found in glances]

    @router.get("/api/table/{table}/picture")
    async def newest(table: TableNumber) -> Response:
        """What the table's board camera saw last; 204 where nobody has that picture."""
        model = cast("DeskModel | None", desk.hub.channel(table, Role.DIRECTOR).model)
        shown = model["senses"]["pictures"] if model is not None else []
        boards = [photo for photo in shown if photo["type"] == "board.seen"]
        found = desk.pictures.find(boards[-1]["picture"]) if boards else None
        if found is None:
            return Response(status_code=204)
        return Response(found, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    @router.get("/api/picture/{digest}")
    def picture(digest: str) -> Response:
        found = desk.pictures.find(digest)
        if found is None:
            raise HTTPException(404, TextError("no_picture"))
        return Response(found, media_type="image/jpeg")

    return router


def take_away_routes(desk: DirectorDesk) -> APIRouter:
    """The games of the log, and their files."""
    router = APIRouter(dependencies=[requires(Role.DIRECTOR)])

    @router.get("/api/games")
    async def games() -> list[Json]:
        return desk.rooms.listed()

    @router.get("/api/table/{table}/export/{file}")
    def exported(table: TableNumber, file: str, game: GameQuery = "") -> Response:
        with open_log_reader(desk.log) as reader:
            rows = tuple(reader.read_from(1))
        made = export(rows, table, file, desk.pictures, game)
        if made is None:
            raise HTTPException(404, TextError("no_file", files=", ".join(FILES)))
        headers = {"Content-Disposition": f'attachment; filename="{made.name}"'}
        return Response(made.data, media_type=made.media_type, headers=headers)

    return router


def glance(number: int, model: DeskModel) -> Glance:
    """What the page of all tables shows of one: no board, and what needs the director."""
    frame = model["frame"]
    of_table = None if frame is None else framed(TableFrame, frame)
    return framed(Glance, model, table=number, frame=of_table)


def _order(desk: DirectorDesk, given: Json, request: Request) -> TableOrder:
    order = read_order(given, signed_in(request))
    # A recorder says nothing to an order for a table that it does not have.
    if desk.line.state().is_open and order.table not in desk.hub.tables():
        raise HTTPException(404, TextError("no_game_at", table=order.table))
    return order


def _texts(desk: DirectorDesk, table: int, texts: Catalogue) -> Catalogue:
    """The texts of a table's game, as the page names players and entries."""
    model = cast("DeskModel | None", desk.hub.channel(table, Role.DIRECTOR).model)
    if model is None or (frame := model["frame"]) is None:
        return texts
    first, second = (player["name"] for player in frame["players"])
    return texts.of_game((first, second)).with_entries(words_of_entries(model["timeline"]))
