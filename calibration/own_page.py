"""A page for this machine alone: the set-up of a venue, and calibration.

The address that is printed has a key that opens it once; the browser then has a cookie.
"""

import hmac
import html
import secrets
import socket
from collections.abc import Callable
from pathlib import Path
from string import Template
from typing import Annotated, Any

import uvicorn
from fastapi import APIRouter, Depends, FastAPI, HTTPException, Query, Request, Response
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse
from starlette.middleware.trustedhost import TrustedHostMiddleware

from recorder.domain.errors import NotationError
from recorder.texts import languages, load_catalogue
from recorder.texts.screen_texts import language_of, screen_texts

COOKIE = "tilecast_own_page"
HOST = "127.0.0.1"
_POLICY = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'"
)
_SHUTDOWN_S = 2
_STATIC = Path(__file__).with_name("guide_static")


class Door:
    """One key, good once; one session after it. ``command`` gives a new one."""

    def __init__(self, command: str) -> None:
        self._used = f"This address has been used. Start {command} again for a new one."
        self.key = secrets.token_urlsafe(16)
        self._session = secrets.token_urlsafe(24)
        self._is_used = False

    def open(self, key: str) -> str:
        """The session's cookie for the key, the first time; else HTTPException."""
        if self._is_used or not hmac.compare_digest(key.encode(), self.key.encode()):
            raise HTTPException(403, self._used)
        self._is_used = True
        return self._session

    def check(self, request: Request) -> None:
        """Nobody without the cookie, no page of another site with it. HTTPException otherwise."""
        given = request.cookies.get(COOKIE, "")
        if not hmac.compare_digest(given.encode(), self._session.encode()):
            raise HTTPException(403, self._used)
        own = f"http://{request.headers.get('host', '')}"
        if request.method == "POST" and request.headers.get("origin") != own:
            raise HTTPException(403, "Orders come from the page itself.")


def own_app(
    title: str, page: APIRouter, door: Door, lifespan: Callable[[FastAPI], Any] | None = None
) -> FastAPI:
    """An application with all of ``page`` behind the door. POST takes orders of the page alone."""
    app = FastAPI(title=title, lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"], www_redirect=False)
    app.include_router(page, dependencies=[Depends(door.check)])

    @app.get("/open")
    def enter(key: str = "") -> Response:
        answer = RedirectResponse("/", status_code=303)
        answer.set_cookie(COOKIE, door.open(key), httponly=True, samesite="strict")
        return answer

    @app.middleware("http")
    async def headers(request: Request, call_next: Any) -> Response:
        response: Response = await call_next(request)
        response.headers.setdefault("Content-Security-Policy", _POLICY)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cache-Control"] = "no-store"
        return response

    return app


def static_pages(first: str, *others: str, section: str) -> APIRouter:
    """The page itself at ``/``, and its scripts and styles.

    Its texts are a section of the catalogue, in the language of ``lang`` or else of the program.
    """
    pages = APIRouter()

    @pages.get("/")
    def page(lang: Annotated[str, Query(max_length=20)] = "") -> HTMLResponse:
        language = language_of(lang)
        said = load_catalogue(language).as_json()[section]
        values = {f"say_{code}": text for code, text in said.items()}
        values |= screen_texts(language, section)
        safe = {name: html.escape(value) for name, value in values.items()}
        pattern = Template((_STATIC / first).read_text("utf-8"))
        return HTMLResponse(pattern.substitute(safe, languages=_languages(section)))

    @pages.get("/static/{name}")
    def file(name: str) -> Response:
        if name not in others:
            raise HTTPException(404)
        return FileResponse(_STATIC / name)

    return pages


def _languages(section: str) -> str:
    """Links to the page in each language."""
    found = [load_catalogue(name).as_json() for name in languages()]
    links = [(texts["screen"]["lang"], texts[section]["language"]) for texts in found]
    return " ".join(f'<a href="/?lang={code}" lang="{code}">{name}</a>' for code, name in links)


def listener_on(port: int) -> socket.socket:
    """A port of this machine, 0 for a free one. NotationError says what helps where it is taken."""
    try:
        return socket.create_server((HOST, port))
    except OSError as err:
        raise NotationError(
            f"port {port} cannot be used ({err}); --port 0 takes a free one"
        ) from err


def address_of(listener: socket.socket, door: Door) -> str:
    """What opens the page, once."""
    return f"http://{HOST}:{listener.getsockname()[1]}/open?key={door.key}"


def server_of(app: FastAPI) -> uvicorn.Server:
    """A server that writes no addresses down: they have the key."""
    config = uvicorn.Config(
        app,
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=_SHUTDOWN_S,
    )
    return uvicorn.Server(config)
