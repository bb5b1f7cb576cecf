"""What is mirrored where, for directors: read from the file of the mirror, chosen into it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, HTTPException, Query, Request
from fastapi.responses import HTMLResponse

from dashboard.auth.access import Role
from dashboard.auth.guard import requires, signed_in
from dashboard.live.log_follower import now_ms
from dashboard.web.pages import PageLanguage, Pages
from dashboard.web.shared import TableQuery
from dashboard.woogles.kept import Kept, MirrorState
from recorder.declared.codec import Json
from recorder.frames.desk import JournalLine, Mirror, Need
from recorder.projections.framed import framed
from recorder.projections.needs import need
from recorder.texts import TextError, load_catalogue

SERVICE = "Woogles"
_JOURNAL = 6
"""So many of the newest lines are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MirrorChoice:
    """What a director chooses about a difference, by its key."""

    game: str
    difference: str = ""
    choice: Literal["replace", "leave", "stop", "go_on"]


def mirror_routes(pages: Pages, path: Path) -> APIRouter:
    """The page of all mirrors and what it asks; ``path`` is the mirror's file beside the log."""
    router = APIRouter(dependencies=[requires(Role.DIRECTOR)])

    @router.get("/mirrors", response_class=HTMLResponse)
    def page(lang: PageLanguage = "") -> str:
        return pages.tool("mirrors", lang)

    @router.get("/api/mirrors")
    def mirrors(table: Annotated[TableQuery | None, Query()] = None) -> list[Any]:
        kept = Kept.of(path)
        if kept is None:
            return []
        with kept:
            return [_shown(kept, stand) for stand in kept.states() if table in (None, stand.table)]

    @router.post("/api/mirrors")
    def choose(given: Annotated[MirrorChoice, Body()], request: Request) -> Json:
        kept = Kept.of(path)
        if kept is None:
            raise HTTPException(404, TextError("no_mirror"))
        with kept:
            if all(stand.game != given.game for stand in kept.states()):
                raise HTTPException(404, TextError("game_not_mirrored"))
            who = signed_in(request)
            kept.choose(given.game, given.difference, given.choice, who, now_ms())
        return {"state": "chosen"}

    return router


def _shown(kept: Kept, stand: MirrorState) -> Mirror:
    """How a mirror is, as pages read it."""
    newest = kept.journal(stand.game)[-_JOURNAL:]
    journal = [JournalLine(at=at, what=what) for at, what in newest]
    return framed(Mirror, stand, service=SERVICE, needs=mirror_needs(stand), journal=journal)


def mirror_needs(stand: MirrorState) -> list[Need]:
    """A difference is asked of the director as anything else is."""
    found = stand.difference
    if not found:
        return []
    what, turn = str(found["what"]), found["turn"]
    text = load_catalogue().text("need", f"mirror_is_{what}", turn=turn, service=SERVICE)
    facts = {"ours": found["ours"], "theirs": found["theirs"]}
    key = f"mirror {found['key']}"
    return [need("alert", f"mirror_{what}", "mark_elsewhere", text, key=key, facts=facts)]
