"""The spectators' pages as a folder of files: finished games and standings, for any web server.

The pages are the live ones and run the same scripts; where these open a WebSocket, here they read a
file. Addresses are relative, so that the folder may lie anywhere below a site.
"""

import json
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dashboard.event.view import event_model
from dashboard.joined_files import joined_files
from dashboard.live.messages.merge_patch import without_nulls
from dashboard.live.views import fill, premium_classes
from dashboard.live.watched import SheetCache, glimpse, pairing_of
from dashboard.overlays.extras import OverlayExtras
from dashboard.watch.routes import manifest, page_values
from recorder.declared.codec import Json
from recorder.domain.errors import NotationError
from recorder.domain.event.highs import HighWord
from recorder.domain.event.register import Register
from recorder.frames.event import EventModel
from recorder.frames.public import WatchModel
from recorder.log.port import Row
from recorder.projections.broadcast import Projection
from recorder.projections.high_words import fold_games, high_words_of

_HERE = Path(__file__).parents[1]
_SHIPPED = ("vendor", "fonts/inter", "fonts/barlow-condensed", "js/watch", "icons")


@dataclass(frozen=True, slots=True)
class SiteWritten:
    """What went into the folder: names of games, and tables whose game is not over."""

    games: tuple[str, ...]
    still_on: tuple[int, ...]


def write_site(
    rows: Iterable[Row], register: Register, out: Path, extras: OverlayExtras
) -> SiteWritten:
    """Write the folder; files of an earlier export are replaced. OSError where that cannot be.

    A link that lies where something is to be written is refused (NotationError): it may lead to a
    file of somebody else. ``out`` itself may be one.

    ``rows`` is a whole log, ``register`` the event that it has, as far as the public may know them.
    ``extras`` dresses the frames with what the streamer's files say.
    """
    words = list[HighWord]()
    games: dict[str, WatchModel] = {}

    def ended(table: Projection) -> None:
        _keep(games, table, extras)
        words.extend(high_words_of(table))

    tables = fold_games(rows, ended)
    event = event_model(register, words)
    title = event["name"] or extras.branding.title or "Tilecast"
    _write(out, games, event, title, extras)
    on = tuple(number for number, table in sorted(tables.items()) if _is_on(table))
    return SiteWritten(tuple(games), on)


def _is_on(table: Projection) -> bool:
    frame = table.frame()
    return frame is not None and frame["phase"] != "over"


def _keep(games: dict[str, WatchModel], table: Projection, extras: OverlayExtras) -> None:
    """Keep a game that is over, under a name that fits an address."""
    frame = table.frame()
    if frame is None or frame["phase"] != "over":
        return
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", frame["game"]).strip("-.") or "game"
    names = (plain if number == 1 else f"{plain}-{number}" for number in range(1, len(games) + 2))
    name = next(name for name in names if name not in games)
    dressed = extras.dress(frame, pairing_of(table))
    games[name] = {**dressed, "sheet": SheetCache().of(table.lines)}


def _write(
    out: Path, games: dict[str, WatchModel], event: EventModel, title: str, extras: OverlayExtras
) -> None:
    static = _HERE / "static"
    for file in (file for part in _SHIPPED for file in (static / part).rglob("*")):
        if file.is_file():
            shutil.copyfile(file, _fresh(out, f"static/{file.relative_to(static).as_posix()}"))
    for path, text in joined_files(static).items():
        _write_text(out, f"static/{path}", text)
    _write_text(out, "static/colours.css", extras.branding.css())
    _write_json(out, "manifest.webmanifest", manifest(title, ".", "static/icons"))
    _write_json(out, "standings.json", event)
    _write_json(out, "games.json", {"tables": dict(_glimpses(games))})
    hall = {"view": "hall", "feed": "games.json", "home": "index.html"}
    shown = "standings.json" if event["divisions"] else ""
    _write_text(out, "index.html", _page(".", title, **hall, standings=shown))
    for name, game in games.items():
        _write_json(out, f"games/{name}/game.json", without_nulls(game))
        page = _page("../..", title, view="game", feed="game.json", home="../../index.html")
        _write_text(out, f"games/{name}/index.html", page)


def _glimpses(games: dict[str, WatchModel]) -> Iterator[tuple[str, Json]]:
    for name, game in games.items():
        yield name, without_nulls({**glimpse(game), "href": f"games/{name}/index.html"})


def _page(root: str, title: str, **values: str) -> str:
    text = (_HERE / "templates" / "watch.html").read_text(encoding="utf-8")
    places = {
        "static": f"{root}/static",
        "colours": f"{root}/static/colours.css",
        "manifest": f"{root}/manifest.webmanifest",
        "assets": "",
        "premiums": premium_classes(),
    }
    return fill(text, **places, **page_values(title=title, **values))


def _write_json(out: Path, path: str, what: Mapping[str, Any]) -> None:
    _write_text(out, path, json.dumps(what, ensure_ascii=False, separators=(",", ":")))


def _write_text(out: Path, path: str, text: str) -> None:
    _fresh(out, path).write_text(text, "utf-8")


def _fresh(out: Path, path: str) -> Path:
    """Where a file is to be written: in folders that are none but ours, and nothing there yet."""
    file = out / path
    for place in (file, *file.parents):
        if place == out:
            break
        if place.is_symlink():
            raise NotationError(
                f"{place} is a link, and may lead to other files: delete it, or name another folder"
            )
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)  # it may have a second name elsewhere
    return file
