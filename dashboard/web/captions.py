"""Captions and clips of a table over HTTP, as late as everything public."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Response

from dashboard.auth.access import Role
from dashboard.auth.guard import requires
from dashboard.live.aired import AiredGame
from dashboard.live.hub import Hub
from dashboard.overlays.captions import clips_csv, clips_edl, web_vtt
from dashboard.web.shared import TableNumber
from recorder.texts import Catalogue, TextError, load_catalogue
from recorder.texts.screen_texts import language_of

Since = Annotated[str, Query(alias="from", max_length=40)]
"""When the recording began, as 2026-11-28T10:00:00Z; empty: with the table's first game."""
_ANYBODYS = {"Access-Control-Allow-Origin": "*"}


def caption_routes(hub: Hub) -> APIRouter:
    """The play calling as WebVTT, and moments as a table or as a list of edits."""
    router = APIRouter(prefix="/api/table/{table}", dependencies=[requires(Role.VIEWER)])

    def add(
        name: str, media_type: str, write: Callable[[Sequence[AiredGame], int, Catalogue], str]
    ) -> None:
        @router.get(f"/{name}")
        async def file(table: TableNumber, since: Since = "", lang: str = "") -> Response:
            games = hub.aired(table)
            began = games[0].began_at if games else 0
            texts = load_catalogue(language_of(lang))
            text = write(games, _instant(since) if since else began, texts)
            return Response(text, media_type=f"{media_type}; charset=utf-8", headers=_ANYBODYS)

    add("captions.vtt", "text/vtt", web_vtt)
    add("clips.csv", "text/csv", clips_csv)
    add("clips.edl", "text/plain", clips_edl)
    return router


def _instant(text: str) -> int:
    """Milliseconds since 1970; a time without a zone is UTC."""
    try:
        at = datetime.fromisoformat(text.replace(" ", "+"))  # a plus is a space in a query
    except ValueError:
        raise HTTPException(422, TextError("no_time")) from None
    return round((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)
