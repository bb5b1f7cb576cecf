"""The calibration page: a small application of its own, for this machine only.

The address that is printed has a key that opens it once; the browser then has a cookie. Shows the
camera's picture with the grid over it and guides through each device's step.
"""

import contextlib
import hmac
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, FastAPI, HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse, RedirectResponse
from starlette.middleware.trustedhost import TrustedHostMiddleware

from calibration.guide.jobs import Bench, Job

COOKIE = "tilecast_calibration"
HOST = "127.0.0.1"
_STATIC = Path(__file__).parents[1] / "guide_static"
_FILES = {"guide.js": "text/javascript", "guide.css": "text/css"}
_POLICY = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'"
)
_USED = "This address has been used. Start tilecast calibrate page again for a new one."


class Door:
    """One key, good once; one session after it."""

    def __init__(self) -> None:
        self.key = secrets.token_urlsafe(16)
        self._session = secrets.token_urlsafe(24)
        self._is_used = False

    def open(self, key: str) -> str:
        """The session's cookie for the key, the first time; else HTTPException."""
        if self._is_used or not hmac.compare_digest(key.encode(), self.key.encode()):
            raise HTTPException(403, _USED)
        self._is_used = True
        return self._session

    def check(self, request: Request) -> None:
        """Nobody without the cookie, no page of another site with it. HTTPException otherwise."""
        given = request.cookies.get(COOKIE, "")
        if not hmac.compare_digest(given.encode(), self._session.encode()):
            raise HTTPException(403, _USED)
        own = f"http://{request.headers.get('host', '')}"
        if request.method == "POST" and request.headers.get("origin") != own:
            raise HTTPException(403, "Orders come from the page itself.")


def create_app(bench: Bench, door: Door) -> FastAPI:
    """The application; its jobs are ended with it."""

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(bench.give_up)

    app = FastAPI(
        title="Tilecast calibration",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"], www_redirect=False)
    app.include_router(_entrance(door))
    app.include_router(_pages(), dependencies=[Depends(door.check)])
    app.include_router(_steps(bench), dependencies=[Depends(door.check)])

    @app.middleware("http")
    async def headers(request: Request, call_next: Any) -> Response:
        response: Response = await call_next(request)
        response.headers["Content-Security-Policy"] = _POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cache-Control"] = "no-store"
        return response

    return app


def _entrance(door: Door) -> APIRouter:
    router = APIRouter()

    @router.get("/open")
    def enter(key: str = "") -> Response:
        answer = RedirectResponse("/", status_code=303)
        answer.set_cookie(COOKIE, door.open(key), httponly=True, samesite="strict")
        return answer

    return router


def _pages() -> APIRouter:
    router = APIRouter()

    @router.get("/")
    def page() -> Response:
        return FileResponse(_STATIC / "guide.html", media_type="text/html")

    @router.get("/static/{name}")
    def file(name: str) -> Response:
        if name not in _FILES:
            raise HTTPException(404)
        return FileResponse(_STATIC / name, media_type=_FILES[name])

    return router


def _steps(bench: Bench) -> APIRouter:
    router = APIRouter()

    def job_of(name: str) -> Job:
        job = bench.jobs.get(name)
        if job is None:
            raise HTTPException(404, f"no device {name!r} in {bench.table.name}")
        return job

    @router.get("/state")
    def state() -> dict[str, Any]:
        return {"table": bench.table.name, "jobs": [job.state() for job in bench.jobs.values()]}

    @router.get("/picture/{name}")
    def picture(name: str) -> Response:
        data = job_of(name).picture()
        if not data:
            raise HTTPException(404, "no picture yet")
        return Response(data, media_type="image/jpeg")

    @router.post("/start/{name}")
    def start(name: str, options: dict[str, Any]) -> dict[str, bool]:
        return {"done": job_of(name).start(options)}

    @router.post("/answer/{name}")
    def answer(
        name: str, text: Annotated[str, Body(embed=True, max_length=40)] = ""
    ) -> dict[str, bool]:
        return {"done": job_of(name).answer(text)}

    @router.post("/give-up/{name}")
    def give_up(name: str) -> dict[str, bool]:
        job_of(name).give_up()
        return {"done": True}

    return router
