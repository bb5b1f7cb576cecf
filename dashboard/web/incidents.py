"""The incidents that a director can begin or settle, and the route that has them.

The facts come from the record as it is when they are asked for; nothing is recorded here.
"""

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Query

from dashboard.auth.access import Role
from dashboard.auth.guard import requires
from dashboard.incidents.begun import begun_as_json, other_as_json
from dashboard.incidents.facts import Situation, situation
from dashboard.incidents.settled import settled
from dashboard.live.hub import Hub
from dashboard.live.sensor_state import rows_of
from dashboard.web.shared import TableNumber
from recorder.declared.codec import Json
from recorder.domain.lexicon import WordList
from recorder.domain.procedures.at_table import follows_from
from recorder.log.places import LogPlace, open_log_reader


def start_of(now: Situation) -> str:
    """What a director begins from the notice that was opened; empty where there is nothing."""
    if now.standing is not None or now.notice is None:
        return ""
    return follows_from(now.notice.code)


def catalogue(now: Situation, listed: WordList | None = None) -> Json:
    """Every form, filled in for a situation, and with which to ``start``.

    ``begun`` are the procedures that the recorder works out once a director begins them, each with
    what is to be said; ``incidents`` is anything else, in words.
    ``plan`` is how the procedure ends that the forms were asked for, None without one.
    """
    standing = now.standing
    return {
        "rules": now.rules.name,
        "start": start_of(now),
        "plan": None if standing is None else settled(now, standing, listed),
        "begun": begun_as_json(now),
        "incidents": [other_as_json()],
    }


def incident_routes(log: LogPlace, hub: Hub, lists: Mapping[str, WordList]) -> APIRouter:
    """Forms, for directors, and how a procedure ends; ``lists`` by the name of the tile set."""
    router = APIRouter(dependencies=[requires(Role.DIRECTOR)])

    def now(table: int, notice: int = 0, procedure: str = "") -> Situation:
        with open_log_reader(log) as reader:
            return situation(rows_of(reader, hub.rows_of(table)), table, notice, procedure)

    @router.get("/api/table/{table}/incidents")
    def forms(
        table: TableNumber,
        notice: Annotated[int, Query(ge=0)] = 0,
        procedure: Annotated[str, Query(max_length=80)] = "",
    ) -> Json:
        here = now(table, notice, procedure)
        listed = lists.get(here.started.tile_set)
        return catalogue(here, listed)

    return router
