"""The HTML pages of one running dashboard, filled from templates."""

import json
from pathlib import Path

from dashboard.auth.access import Access
from dashboard.live.scenes import SCENE_LIST
from dashboard.live.views import fill, premium_classes
from recorder.texts import load_catalogue
from recorder.texts.screen_texts import screen_texts

_TEMPLATES = Path(__file__).parents[1] / "templates"
_HEAD = (
    *("director", "table_number", "all_tables", "sound", "notify", "connecting"),
    *("event_and_rounds", "waiting_for_table", "fills_by_itself", "mirrored_games"),
)
"""What a director reads before the first script has run."""


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

    def tool(self, name: str, table: int | None = None, game: str = "") -> str:
        """A page for people at work, such as the director's; ``game`` is an earlier one."""
        texts, shown = screen_texts(section="desk"), table or self._table
        said = {f"say_{code}": load_catalogue().text("desk", code, table=shown) for code in _HEAD}
        return self.filled(name, table=shown, game=game, **texts, **said)

    def login(self, to: str, message: str) -> str:
        """The form that asks for name and password, or for a key; ``to``: where it leads."""
        return self.filled("login", to=to, message=message)

    def index(self) -> str:
        """The addresses to copy."""
        late = self._access.delay_ms / 1000
        delay = f"Public pages are {late:g} s behind the tables." if late else "No delay is set."
        return self.filled("index", table=self._table, delay=delay, scenes=scene_shapes())

    def filled(self, template: str, **values: object) -> str:
        """Any template; values are escaped."""
        text = (_TEMPLATES / f"{template}.html").read_text(encoding="utf-8")
        return fill(text, assets=self._assets, premiums=premium_classes(), **values)
