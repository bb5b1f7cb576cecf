"""The routes of a phone that is a camera: its page, its pictures, and who fetches them.

The agent's board camera fetches the newest picture with a key of its own. Thin handlers.
"""

import base64
import binascii
import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Header, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, Response

from dashboard.auth.access import Role
from dashboard.auth.accounts import Accounts
from dashboard.auth.guard import check_table, guard_of, requires
from dashboard.phone_camera.kept_pictures import PhoneCameras
from dashboard.web.pages import PageLanguage, Pages
from dashboard.web.shared import TableNumber
from recorder.declared.codec import Json
from recorder.printing.qr_code import qr_code
from recorder.texts import TextError

_JPEG = b"\xff\xd8"


def phone_camera_routes(pages: Pages, cameras: PhoneCameras, table: int) -> APIRouter:
    """The page on the phone, and the pictures that it sends."""
    router = APIRouter(dependencies=[requires(Role.CAMERA)])

    @router.get("/camera", response_class=HTMLResponse)
    def default_page(lang: PageLanguage = "") -> str:
        return pages.filled("phone-camera", lang, table=table)

    @router.get("/camera/{number}", response_class=HTMLResponse)
    def page(number: TableNumber, lang: PageLanguage = "") -> str:
        return pages.filled("phone-camera", lang, table=number)

    @router.post("/camera/{number}/picture")
    async def picture(
        number: TableNumber,
        request: Request,
        boot: Annotated[str, Header(alias="X-Phone", pattern=r"^[0-9a-f]{8}$")],
        taken_ms: Annotated[float, Header(alias="X-Taken-Ms", ge=0, le=1e12)],
    ) -> Any:
        check_table(request, number)
        body = await request.body()
        if not body.startswith(_JPEG):
            raise HTTPException(415, TextError("no_jpeg"))
        answer = cameras.put(number, boot, body, taken_ms)
        if answer is None:
            raise HTTPException(409, TextError("other_camera"))
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
    def page(number: TableNumber, lang: PageLanguage = "") -> str:
        return pages.tool("camera-code", lang, table=number)

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
        if token["scope"] == scope:
            accounts.revoke(token["id"])
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
