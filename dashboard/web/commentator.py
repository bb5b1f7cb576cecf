"""What the commentator's page asks for: best plays at an earlier turn, odds of a draw."""

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query

from dashboard.auth.access import Role
from dashboard.auth.guard import requires
from dashboard.live.hub import Hub
from dashboard.web.shared import TableNumber
from recorder.domain.tiles import RACK_SIZE
from recorder.texts import TextError


def booth_routes(hub: Hub) -> APIRouter:
    """JSON for commentators only; nothing here is ever late, so nothing may be public."""
    router = APIRouter(prefix="/api/booth/{table}", dependencies=[requires(Role.COMMENTATOR)])

    @router.get("/best/{line}")
    async def best(table: TableNumber, line: int) -> Any:
        live, view = hub.commentator(table)
        plays = await view.best_at(live, line)
        if plays is None:
            raise HTTPException(404, TextError("no_turn", line=line))
        return plays

    @router.get("/review")
    async def review(table: TableNumber) -> Any:
        """Every turn so far against the best play for its rack."""
        live, view = hub.commentator(table)
        return await view.review(live)

    @router.get("/draw")
    async def draw(
        table: TableNumber,
        wanted: Annotated[str, Query(min_length=1, max_length=30)],
        drawn: Annotated[int, Query(ge=1, le=RACK_SIZE)],
    ) -> Any:
        live, view = hub.commentator(table)
        odds = view.draw(live, wanted.upper(), drawn)
        if odds is None:
            raise HTTPException(404, TextError("no_game_here"))
        return odds

    return router
