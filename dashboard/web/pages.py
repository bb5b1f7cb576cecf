"""The HTML pages of one running dashboard, filled from templates in the language asked for."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from fastapi import HTTPException, Query
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from dashboard.auth.access import Access
from dashboard.live.scenes import SCENE_LIST
from dashboard.live.views import fill, premium_classes
from recorder.texts import load_catalogue
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
}
"""The section of texts that a page has beside that; others have none."""


def answer_missing(pages: "Pages") -> Callable[[Request, Exception], Response]:
    """The answer to an address that leads nowhere: a page for people, JSON for the rest.

    An overlay's stays clear of words: it may be on air.
    """

    def answer(request: Request, fault: Exception) -> Response:
        wants_page = "text/html" in request.headers.get("accept", "")
        if request.method == "GET" and wants_page and not request.url.path.startswith(_ON_AIR):
            lang = request.query_params.get("lang", "")
            return HTMLResponse(pages.missing(lang), 404)
        detail = fault.detail if isinstance(fault, HTTPException) else "Not Found"
        return JSONResponse({"detail": detail}, 404)

    return answer


def scene_shapes() -> str:
    """Every scene with its title and size, as JSON."""
    texts = load_catalogue()
    shapes = [
        (scene.name, texts.text("scene", scene.name), scene.width, scene.height)
        for scene in SCENE_LIST
    ]
    return json.dumps(shapes)


class Pages:
    """``assets`` is the version of the static files, ``table`` the one shown unless asked."""

    def __init__(self, assets: str, access: Access, table: int) -> None:
        self._assets = assets
        self._access = access
        self._table = table

    def tool(self, name: str, lang: str, table: int | None = None, game: str = "") -> str:
        """A page for people at work, such as the director's; ``game`` is an earlier one."""
        return self.filled(name, lang, table=table or self._table, game=game)

    def login(self, to: str, message: str) -> str:
        """The form that asks for name and password, or for a key; ``to``: where it leads."""
        return self.filled("login", to=to, message=message)

    def missing(self, lang: str) -> str:
        """What somebody reads whose link leads to no page, or to a game that there is no more."""
        return self.filled("missing", lang)

    def index(self) -> str:
        """The addresses to copy."""
        late = self._access.delay_ms / 1000
        delay = f"Public pages are {late:g} s behind the tables." if late else "No delay is set."
        return self.filled("index", table=self._table, delay=delay, scenes=scene_shapes())

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
