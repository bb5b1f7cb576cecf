"""The HTML pages of one running dashboard, filled from templates in the language asked for."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated
from urllib.parse import parse_qs

from fastapi import Depends, HTTPException, Query
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from dashboard.auth.access import Access
from dashboard.auth.guard import AccessDeniedError
from dashboard.live.scenes import SCENE_LIST
from dashboard.live.views import fill, premium_classes
from recorder.domain.errors import RecorderError
from recorder.domain.notices import PlainValue
from recorder.texts import Catalogue, WordedError, load_catalogue, plain_code
from recorder.texts.screen_texts import language_of, screen_texts

PageLanguage = Annotated[str, Query(alias="lang", max_length=20)]
"""The code of the language asked for, such as ``de``; any other: the program's."""
_TEMPLATES = Path(__file__).parents[1] / "templates"
_SAID = re.compile(r"\$say_([a-z_]+)")
_ON_AIR = ("/o/", "/overlay/")
_ALL = "screen"
"""The section of texts that every page has."""
_SECTIONS = {
    **dict.fromkeys(("director", "director-tables", "mirrors"), "desk"),
    "commentator": "booth",
    **dict.fromkeys(
        (f"phone-{page}" for page in ("camera", "check-in", "clock", "pad", "result")), "phone"
    ),
    "phone-join": "join",
    "event": "event_desk",
    **dict.fromkeys(("admin", "builder", "camera-code", "index", "login", "overview"), "tools"),
}
"""The section of texts that a page has beside that; others have none."""


def texts_asked(asks: HTTPConnection) -> Catalogue:
    """The texts in the language of a request: its own ``lang``, else that of the page it is from.

    A browser names with each request the page that makes it (``Referrer-Policy``).
    """
    lang = asks.query_params.get("lang") or _lang_of(asks.headers.get("referer", ""))
    return load_catalogue(language_of(lang))


PageTexts = Annotated[Catalogue, Depends(texts_asked)]
"""The texts of what a page reads in the answer to its request."""


def answer_fault(pages: "Pages") -> Callable[[Request, Exception], Response]:
    """The answer to what cannot be done: the reason in the language of the page, and no trace.

    503 is a fault of ours, 422 one of what was asked. An address that leads nowhere is a page for
    people. An overlay's answer stays clear of words: it may be on air. Who may not see a page gets
    the form to sign in.
    """

    def answer(request: Request, fault: Exception) -> Response:
        wants_page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
        if isinstance(fault, AccessDeniedError):
            code = 403 if fault.signed_in else 401
            if wants_page:
                query = f"?{request.url.query}" if request.url.query else ""
                target = f"{request.url.path}{query}"
                return HTMLResponse(pages.refused(target, fault.role, fault.name), code)
            return JSONResponse({"detail": _in_words(fault, request)}, code)
        if not isinstance(fault, StarletteHTTPException):
            code = 503 if isinstance(fault, RecorderError) else 422
            return JSONResponse({"detail": _in_words(fault, request)}, code)
        if fault.status_code != 404:
            detail = _in_words(fault.detail, request)
            return JSONResponse({"detail": detail}, fault.status_code, fault.headers)
        if wants_page and not request.url.path.startswith(_ON_AIR):
            lang = request.query_params.get("lang", "")
            return HTMLResponse(pages.missing(lang), 404)
        detail = fault.detail if isinstance(fault, HTTPException) else "Not Found"
        return JSONResponse({"detail": _in_words(detail, request)}, 404)

    return answer


def _in_words(fault: object, asks: HTTPConnection) -> str:
    """What is wrong, to the page that asked."""
    return fault.text(texts_asked(asks)) if isinstance(fault, WordedError) else str(fault)


def scene_shapes(lang: str = "") -> str:
    """Every scene with its title and size, as JSON."""
    texts = load_catalogue(language_of(lang))
    shapes = [
        (scene.name, texts.text("scene", scene.name), scene.width, scene.height)
        for scene in SCENE_LIST
    ]
    return json.dumps(shapes)


def _lang_of(address: str) -> str:
    """The code of the language that an address on this server asks for; empty for none."""
    return parse_qs(address.partition("?")[2].partition("#")[0]).get("lang", [""])[0]


def _asked_of(address: str) -> Callable[..., str]:
    """What says texts in the language that an address asks for."""
    return load_catalogue(language_of(_lang_of(address))).text


class Pages:
    """``assets`` is the version of the static files, ``table`` the one shown unless asked."""

    def __init__(self, assets: str, access: Access, table: int) -> None:
        self._assets = assets
        self._access = access
        self._table = table

    def tool(self, name: str, lang: str, table: int | None = None, game: str = "") -> str:
        """A page for people at work, such as the director's; ``game`` is an earlier one."""
        return self.filled(name, lang, table=table or self._table, game=game)

    def login(self, to: str, code: str = "", **values: PlainValue) -> str:
        """The form that asks for name and password, or for a key.

        ``to`` is where it leads, in whose language it is; ``code`` names the message above it.
        """
        message = _asked_of(to)("tools", code, **values) if code else ""
        return self.filled("login", _lang_of(to), to=to, message=message)

    def refused(self, to: str, role: str, name: str) -> str:
        """The same for somebody who may not see ``to``, which is for ``role``.

        ``name`` is who the browser is signed in as; empty for nobody.
        """
        code = "signed_in_for_less" if name else "for_role_only"
        called = _asked_of(to)("tools", f"role_{plain_code(role)}")
        return self.login(to, code, role=called, name=name)

    def missing(self, lang: str) -> str:
        """What somebody reads whose link leads to no page, or to a game that there is no more."""
        return self.filled("missing", lang)

    def index(self, lang: str = "") -> str:
        """The addresses to copy."""
        late = self._access.delay_ms / 1000
        code = "pages_late" if late else "pages_no_delay"
        delay = load_catalogue(language_of(lang)).text("tools", code, seconds=f"{late:g}")
        return self.filled("index", lang, table=self._table, delay=delay, scenes=scene_shapes(lang))

    def filled(self, template: str, lang: str = "", **values: object) -> str:
        """Any template; values are escaped.

        ``$say_close`` becomes the text ``close`` of the page's section, with the values given.
        """
        text = (_TEMPLATES / f"{template}.html").read_text(encoding="utf-8")
        language, section = language_of(lang), _SECTIONS.get(template, _ALL)
        say = load_catalogue(language).text
        named = {key: str(value) for key, value in values.items()}
        said = {f"say_{code}": say(section, code, **named) for code in _SAID.findall(text)}
        texts = screen_texts(language, *dict.fromkeys((_ALL, section)))
        usual = {"assets": self._assets, "premiums": premium_classes(), **texts, **said}
        return fill(text, **{**usual, **values})
