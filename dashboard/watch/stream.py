"""A table as a stream of JSON lines, for bots and scripts: read only, as late as the public.

``{"type": "game", ...}`` first and whenever another game begins, ``{"type": "turn", "at": N, ...}``
for each line of the sheet, ``{"type": "from", "at": N}`` where lines from N on are sent again
because they were corrected, ``{"type": "over", ...}`` at the end, and again where the
result is another one by then. An empty line keeps it open.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator

from fastapi import APIRouter, HTTPException
from fastapi.responses import StreamingResponse

from dashboard.auth.access import Role
from dashboard.auth.guard import requires
from dashboard.live.hub import Hub
from dashboard.web.counting import counted
from dashboard.web.shared import TableNumber
from recorder.declared.codec import Json

MOST_TURN_STREAMS = 48
ANYBODYS = {"Access-Control-Allow-Origin": "*"}
"""A page of anybody's may read what the public reads without a key."""
MEDIA_TYPE = "application/x-ndjson"
_LOOK_S = 0.1
_KEEP_OPEN_S = 7.0


def stream_routes(hub: Hub) -> APIRouter:
    """The streams of all tables."""
    router = APIRouter(dependencies=[requires(Role.VIEWER)])
    open_streams = Counter[str]()

    @router.get("/api/table/{table}/turns.ndjson")
    async def turns(table: TableNumber) -> StreamingResponse:
        if open_streams.total() >= MOST_TURN_STREAMS:
            raise HTTPException(503, f"{MOST_TURN_STREAMS} streams are open, no more are served")

        async def lines() -> AsyncIterator[str]:
            with counted(open_streams, str(table)):
                async for line in _lines(hub, table):
                    yield line

        return StreamingResponse(lines(), media_type=MEDIA_TYPE, headers=ANYBODYS)

    return router


async def _lines(hub: Hub, table: int) -> AsyncIterator[str]:
    teller, quiet_s = Teller(), 0.0
    while True:
        model = hub.watched(table).model
        said = [] if model is None else teller.news(dict(model))
        for message in said:
            yield f"{json.dumps(message, ensure_ascii=False)}\n"
        quiet_s = 0.0 if said else quiet_s + _LOOK_S
        if quiet_s >= _KEEP_OPEN_S:
            quiet_s = 0.0
            yield "\n"
        await asyncio.sleep(_LOOK_S)


class Teller:
    """What one reader has been sent, and what is new to them. Pure."""

    def __init__(self) -> None:
        self._game = ""
        self._sent: list[Json] = []
        self._over: Json | None = None

    def news(self, frame: Json) -> list[Json]:
        """The messages that bring a reader up to date; ``frame`` has the public ``sheet``."""
        said: list[Json] = []
        if frame["game"] != self._game:
            self._game, self._sent, self._over = frame["game"], [], None
            said.append(_game(frame))
        sheet = frame["sheet"]
        lines = [sheet[key] for key in sorted(sheet, key=int)]
        same = 0
        while same < min(len(lines), len(self._sent)) and lines[same] == self._sent[same]:
            same += 1
        if same < len(self._sent):
            said.append({"type": "from", "at": same})
            self._over = None
        said += [{"type": "turn", "at": at, **lines[at]} for at in range(same, len(lines))]
        self._sent = lines
        over: Json | None = None
        if frame["phase"] == "over":
            scores = [player["score"] for player in frame["players"]]
            over = {"type": "over", "scores": scores, "result": frame["result"]}
        if over is not None and over != self._over:
            said.append(over)
        self._over = over
        return said


def _game(frame: Json) -> Json:
    return {
        "type": "game",
        "game": frame["game"],
        "table": frame["table"],
        "players": [player["name"] for player in frame["players"]],
        "tiles": frame["tile_set"]["name"],
    }
