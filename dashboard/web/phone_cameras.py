"""A phone as the camera over a board: its page, the pictures that it sends, and who fetches them.

The newest picture of a table is kept in memory and nowhere else; the agent's board camera fetches
it with a key of its own. Where that saw the board comes back from the record, so that the phone can
draw the grid. Knows nothing of what is on a picture.
"""

import asyncio
import base64
import binascii
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import APIRouter, Header, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, Response

from dashboard.auth.access import Role
from dashboard.auth.accounts import Accounts
from dashboard.auth.guard import guard_of, requires
from dashboard.live.log_follower import Batch
from dashboard.web.pages import Pages
from dashboard.web.shared import TableNumber
from recorder.domain.observations import BoardNotSeen, BoardSeen
from recorder.domain.record import Observed
from recorder.printing.qr_code import qr_code
from recorder.wire import Json

FRAME_PREFIX = "phone-"
"""How the frames of such a camera are called in the record, so that no other camera's count."""
_FETCH_S = 1.0
"""So long a request of the agent's waits for a picture."""
_FETCHED_S = 5.0
_FRESH_S = 2.0
"""A picture that came longer ago is not given as the newest: the phone sleeps."""
_OTHER_TABLE = "a camera serves one table, and this is another"
_JPEG = b"\xff\xd8"


@dataclass(slots=True)
class _Phone:
    """What a table's phone sent last; ``taken_ms`` is the phone's own time."""

    boot: str = ""
    gone: set[str] = field(default_factory=set)
    number: int = 0
    picture: bytes = b""
    taken_ms: float = 0.0
    came_s: float = -1e9
    fetched_s: float = -1e9
    saw: Json | None = None
    waiting: set[asyncio.Event] = field(default_factory=set)


class PhoneCameras:
    """The phones that are cameras now, by table. ``seconds`` is a clock that never jumps."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._phones: dict[int, _Phone] = {}

    def _of(self, table: int) -> _Phone:
        return self._phones.setdefault(table, _Phone())

    def put(self, table: int, boot: str, picture: bytes, taken_ms: float) -> Json | None:
        """A picture came; what the phone shall know. None: another phone took its place."""
        phone, now_s = self._of(table), self._seconds()
        if boot in phone.gone:
            return None
        if boot != phone.boot:
            phone.gone.add(phone.boot)
            phone.boot, phone.saw = boot, None
        phone.number += 1
        phone.picture, phone.taken_ms, phone.came_s = picture, taken_ms, now_s
        for event in phone.waiting:
            event.set()
        saw = phone.saw or {"corners": None, "reason": "", "row": 0}
        return {**saw, "fetched": now_s - phone.fetched_s < _FETCHED_S}

    async def newest(self, table: int, after: int) -> tuple[int, bytes, float] | None:
        """The newest picture unless its number is ``after``: that it waits past, for a second."""
        phone = self._of(table)
        phone.fetched_s = now_s = self._seconds()
        if phone.number == after or now_s - phone.came_s > _FRESH_S:
            event = asyncio.Event()
            phone.waiting.add(event)
            try:
                await asyncio.wait_for(event.wait(), _FETCH_S)
            except TimeoutError:
                return None
            finally:
                phone.waiting.discard(event)
        return phone.number, phone.picture, phone.taken_ms

    def silent_ms(self, table: int) -> int | None:
        """For how long a table's phone has sent nothing; None: none ever did."""
        phone = self._of(table)
        return round((self._seconds() - phone.came_s) * 1000) if phone.number else None

    def take(self, batch: Batch) -> None:
        """Rows that followed: where a phone's pictures showed the board, or why they did not."""
        for row in batch.rows:
            phone = self._phones.get(row.table)
            if phone is None or row.type not in ("board.seen", "board.not_seen"):
                continue
            match row.says:
                case Observed(what=BoardSeen(frame=frame, corners=corners)):
                    saw: Json = {"corners": [list(corner) for corner in corners], "reason": ""}
                case Observed(what=BoardNotSeen(frame=frame, reason=reason)):
                    saw = {"corners": None, "reason": reason}
                case _:
                    continue
            if frame.startswith(FRAME_PREFIX):
                phone.saw = {**saw, "row": row.seq}


def phone_camera_routes(pages: Pages, cameras: PhoneCameras, table: int) -> APIRouter:
    """The page on the phone, and the pictures that it sends."""
    router = APIRouter(dependencies=[requires(Role.CAMERA)])

    @router.get("/camera", response_class=HTMLResponse)
    def default_page() -> str:
        return pages.filled("phone-camera", table=table)

    @router.get("/camera/{number}", response_class=HTMLResponse)
    def page(number: TableNumber) -> str:
        return pages.filled("phone-camera", table=number)

    @router.post("/camera/{number}/picture")
    async def picture(
        number: TableNumber,
        request: Request,
        boot: Annotated[str, Header(alias="X-Phone", pattern=r"^[0-9a-f]{8}$")],
        taken_ms: Annotated[float, Header(alias="X-Taken-Ms", ge=0, le=1e12)],
    ) -> Json:
        session = guard_of(request).session(request.cookies)
        if session is None or not session.serves(number):
            raise HTTPException(403, _OTHER_TABLE)
        body = await request.body()
        if not body.startswith(_JPEG):
            raise HTTPException(415, "a picture is a JPEG")
        answer = cameras.put(number, boot, body, taken_ms)
        if answer is None:
            raise HTTPException(409, "another phone is the camera of this table now")
        return answer

    return router


def fetching_routes(cameras: PhoneCameras) -> APIRouter:
    """Where the agent's camera fetches pictures: open to the key of the table alone."""
    router = APIRouter(dependencies=[requires(Role.VIEWER)])

    @router.get("/camera/{number}/newest")
    async def newest(
        number: TableNumber,
        request: Request,
        after: Annotated[int, Query(ge=0)] = 0,
        authorization: Annotated[str, Header(max_length=400)] = "",
    ) -> Response:
        accounts = guard_of(request).accounts
        if not accounts.token_opens(_key_in(authorization), _scope(number)):
            raise HTTPException(401, "this key opens no camera")
        found = await cameras.newest(number, after)
        if found is None:
            silent = cameras.silent_ms(number)
            return Response(
                status_code=204, headers={} if silent is None else {"X-Silent-Ms": str(silent)}
            )
        count, jpeg, taken_ms = found
        headers = {"X-Number": str(count), "X-Taken-Ms": f"{taken_ms:.1f}"}
        return Response(jpeg, media_type="image/jpeg", headers=headers)

    return router


def camera_code_routes(pages: Pages) -> APIRouter:
    """For directors: a code for the phone of a table, and the key for its agent."""
    router = APIRouter(dependencies=[requires(Role.DIRECTOR)])

    @router.get("/director/camera/{number}", response_class=HTMLResponse)
    def page(number: TableNumber) -> str:
        return pages.tool("camera-code", table=number)

    @router.post("/api/camera/{number}/code")
    def code(number: TableNumber, request: Request) -> Json:
        """A new code and a new key; those before end."""
        guard = guard_of(request)
        key, source_key = _new_keys(guard.accounts, number, guard.now())
        address = f"{request.base_url}enter/{key}?to=/camera/{number}"
        scheme = "phone" if request.url.scheme == "https" else "phone+http"
        source = f"{scheme}://{source_key}@{request.url.netloc}/{number}"
        squares = [[box.x, box.y, box.width] for box in qr_code(address, 0, 0, 100)]
        return {"address": address, "source": source, "squares": squares}

    return router


def _new_keys(accounts: Accounts, table: int, now: int) -> tuple[str, str]:
    """The key of the phone's link, and the key with which the agent fetches its pictures."""
    name, scope = f"camera-{table}", _scope(table)
    accounts.set_user(name, Role.CAMERA, secrets.token_urlsafe(24), now, table)
    for token in accounts.tokens():
        if token.scope == scope:
            accounts.revoke(token.id)
    return accounts.make_link(name, now), accounts.make_token(f"agent of {name}", scope, now)


def _scope(table: int) -> str:
    return f"pictures:table-{table}"


def _key_in(authorization: str) -> str:
    """The user name of Basic authorization, which is the key; empty where there is none."""
    kind, _, proof = authorization.partition(" ")
    if kind.casefold() != "basic":
        return ""
    try:
        return base64.b64decode(proof, validate=True).decode().partition(":")[0]
    except (binascii.Error, UnicodeDecodeError):
        return ""
