"""The incidents that a director can have worked out, and the routes that do it.

The facts come from the record as it stands when they are asked for; nothing is recorded here.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Body, HTTPException, Query

from dashboard.auth.access import Role
from dashboard.auth.guard import requires
from dashboard.incidents.before import BEFORE_INCIDENTS
from dashboard.incidents.begun import BEGUN, begun_as_json
from dashboard.incidents.clocks import CLOCK_INCIDENTS
from dashboard.incidents.conduct import CONDUCT_INCIDENTS
from dashboard.incidents.ends import END_INCIDENTS, OTHER
from dashboard.incidents.exchanges import EXCHANGE_INCIDENTS
from dashboard.incidents.facts import Situation, situation
from dashboard.incidents.letters import letter_incidents
from dashboard.incidents.lying import LYING_INCIDENTS
from dashboard.incidents.plan import Incident, plan_of
from dashboard.incidents.settled import settled
from dashboard.incidents.verdicts import VERDICT_INCIDENTS
from dashboard.live.hub import Hub
from dashboard.live.sensor_state import rows_of
from dashboard.web.shared import TableNumber
from recorder.domain.errors import TilecastError
from recorder.domain.lexicon import WordList
from recorder.domain.procedures.at_table import follows_from
from recorder.log.places import LogPlace, open_log_reader
from recorder.wire import Json


def incidents(listed: WordList | None = None) -> tuple[Incident, ...]:
    """All of them, the commonest first; ``listed`` is the event's word list."""
    return (
        *VERDICT_INCIDENTS,
        *letter_incidents(listed),
        *LYING_INCIDENTS,
        *CLOCK_INCIDENTS,
        *EXCHANGE_INCIDENTS,
        *CONDUCT_INCIDENTS,
        *BEFORE_INCIDENTS,
        *END_INCIDENTS,
        OTHER,
    )


def start_of(now: Situation) -> str:
    """What a director begins from the notice that was opened; empty where there is nothing."""
    if now.standing is not None or now.notice is None:
        return ""
    begun = follows_from(now.notice.code)
    return begun if begun in BEGUN else ""


def catalogue(known: tuple[Incident, ...], now: Situation, listed: WordList | None = None) -> Json:
    """Every incident with its form, filled in for a situation, and with which to ``start``.

    ``begun`` are the procedures that the recorder works out once a director begins them, each with
    what is to be said; what has a form of that name only ends with it.
    ``plan`` is how the procedure ends that the forms were asked for, None without one.
    """
    standing = now.standing
    return {
        "rules": now.rules.name,
        "start": start_of(now),
        "plan": None if standing is None else settled(now, standing, listed),
        "begun": begun_as_json(now),
        "incidents": [incident.as_json(now) for incident in known],
    }


def incident_routes(log: LogPlace, hub: Hub, lists: Mapping[str, WordList]) -> APIRouter:
    """Forms and plans, for directors; ``lists`` by the name of the tile set."""
    router = APIRouter(dependencies=[requires(Role.DIRECTOR)])

    def now(table: int, notice: int = 0, procedure: str = "") -> Situation:
        try:
            with open_log_reader(log) as reader:
                return situation(rows_of(reader, hub.rows_of(table)), table, notice, procedure)
        except TilecastError as fault:
            raise HTTPException(409, str(fault)) from fault

    @router.get("/api/table/{table}/incidents")
    def forms(
        table: TableNumber,
        notice: Annotated[int, Query(ge=0)] = 0,
        procedure: Annotated[str, Query(max_length=80)] = "",
    ) -> Json:
        here = now(table, notice, procedure)
        listed = lists.get(here.started.tile_set)
        return catalogue(incidents(listed), here, listed)

    @router.post("/api/table/{table}/incident/{name}")
    def plan(table: TableNumber, name: str, answers: Annotated[Mapping[str, Any], Body()]) -> Any:
        here = now(table)
        known = incidents(lists.get(here.started.tile_set))
        try:
            return plan_of(known, name, here, dict(answers))
        except (TilecastError, ValueError) as fault:
            raise HTTPException(422, str(fault)) from fault

    return router
