"""Every address that the public may ask, from the routes that the dashboard declares."""

import tempfile
from pathlib import Path

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access, Role
from dashboard.event.single_texts import DIVISION_TEXTS, PLAYER_TEXTS
from dashboard.live.scenes import SCENES
from dashboard.overlays.fields import FIELDS
from tests.dashboard.auth.roles import roles_of

GAME = "round-1-table-2"
"""The game of table 2, which orders bring to its end."""
WHAT_IS_ASKED: dict[str, tuple[str, ...]] = {
    "/": ("/",),
    "/healthz": ("/healthz",),
    "/login": ("/login",),
    "/join": ("/join",),
    "/builder": ("/builder",),
    "/api/slots": ("/api/slots",),
    "/api/table/{table}/frame": ("/api/table/1/frame", "/api/table/2/frame"),
    "/api/sample/{scene}": ("/api/sample/full",),
    "/overlay/{scene}": tuple(f"/overlay/{scene}?table=2" for scene in SCENES),
    "/o/{slot}/{scene}": tuple(f"/o/table-2/{scene}" for scene in SCENES),
    "/o/{slot}/fields.json": ("/o/table-2/fields.json", "/o/featured/fields.json"),
    "/o/{slot}/obs-scenes.json": ("/o/table-2/obs-scenes.json",),
    "/o/{slot}/field/{name}.txt": tuple(f"/o/table-2/field/{name}.txt" for name in FIELDS),
    "/watch": ("/watch",),
    "/watch/{table}": ("/watch/1", "/watch/2"),
    "/watch/qr.svg": ("/watch/qr.svg",),
    "/watch/manifest.webmanifest": ("/watch/manifest.webmanifest",),
    "/watch/game/{table}/{game}": (f"/watch/game/2/{GAME}",),
    "/watch/game/{table}/{game}.png": (
        f"/watch/game/2/{GAME}.png",
        f"/watch/game/2/{GAME}.png?move=99",
    ),
    "/public/tables.json": ("/public/tables.json",),
    "/public/table/{table}.json": ("/public/table/1.json", "/public/table/2.json"),
    "/public/games.json": ("/public/games.json",),
    "/public/game/{table}/{game}.json": (f"/public/game/2/{GAME}.json",),
    "/public/game/{table}/{game}.gcg": (f"/public/game/2/{GAME}.gcg",),
    "/public/game/{version}/{table}/{game}.json": (f"/public/game/0123456789abcdef/2/{GAME}.json",),
    "/event": ("/event",),
    "/event/data.json": ("/event/data.json",),
    "/event/rounds.json": ("/event/rounds.json?division=L",),
    "/event/rounds.ics": ("/event/rounds.ics?division=L",),
    "/event/tourney.js": ("/event/tourney.js",),
    "/event/fields.json": ("/event/fields.json?division=L&player=1",),
    "/event/field/{name}.txt": tuple(
        f"/event/field/{name}.txt?division=L&player=1" for name in (*DIVISION_TEXTS, *PLAYER_TEXTS)
    ),
    "/branding/colours.css": ("/branding/colours.css",),
    "/branding/{name}": ("/branding/logo",),
    "/face/{name}": ("/face/LATENAME%20One",),
    "/flag/{code}.svg": ("/flag/de.svg",),
    "/enter/{key}": (),  # a key opens no word of the record, and tries are counted
    "/camera/{number}/newest": (),  # for whoever has the key of the table's agent alone
    "/ws/table/{table}": ("/ws/table/2", "/ws/table/2?sheet=1"),
    "/ws/slot/{slot}": ("/ws/slot/table-2", "/ws/slot/featured"),
    "/ws/watch": ("/ws/watch",),
    "/ws/watch/{table}": ("/ws/watch/2",),
    "/o/{slot}/events": ("/o/table-2/events",),
    "/api/table/{table}/captions.vtt": ("/api/table/2/captions.vtt",),
    "/api/table/{table}/clips.csv": ("/api/table/2/clips.csv",),
    "/api/table/{table}/clips.edl": ("/api/table/2/clips.edl",),
    "/api/table/{table}/turns.ndjson": ("/api/table/2/turns.ndjson",),
}
"""By the route: the addresses of it that are asked, or none, and why."""
PRIVATE = ("/api/row/9", "/api/games", "/api/event", "/director/event", "/api/table/2/export/gcg")
"""Some that are not for the public, asked all the same."""


STREAMS = ("/o/{slot}/events", "/api/table/{table}/turns.ndjson")
"""Answers that do not end."""


def sources() -> tuple[list[str], list[str], list[str]]:
    """What is asked again and again, sockets, and streams. A route not listed is a fault."""
    missing = _declared() ^ set(WHAT_IS_ASKED)
    assert not missing, f"say in tests/attacks/public_sources.py what is asked of {missing}"
    asked = {route: list(paths) for route, paths in WHAT_IS_ASKED.items()}
    streams = [path for route in STREAMS for path in asked.pop(route)]
    sockets = [path for route in asked if route.startswith("/ws/") for path in asked[route]]
    pages = [path for route in asked if not route.startswith("/ws/") for path in asked[route]]
    return [*pages, *PRIVATE], sockets, streams


def _declared() -> set[str]:
    """The routes by which the public reads."""
    access = Access(director_token="director-key-1", commentator_token="commentator-1")
    with tempfile.TemporaryDirectory() as name:
        waiting = list(create_app(Settings(log=Path(name) / "log.db", access=access)).routes)
    found = set()
    while waiting:
        route = waiting.pop()
        included = getattr(route, "original_router", None)
        if included is not None:
            waiting.extend(included.routes)
        elif roles_of(route) == {Role.VIEWER} and "GET" in (
            getattr(route, "methods", None) or ["GET"]
        ):
            found.add(str(getattr(route, "path", "")))
    return found
