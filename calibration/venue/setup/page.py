"""A venue set up in the browser: its cameras live, its clocks as they are pressed, one form.

Asks what ``tilecast init`` asks, with the same checks, and writes the same files. For this machine
alone: see ``own_page``.
"""

import argparse
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Response
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, ConfigDict, Field

from calibration.own_page import Door, address_of, listener_on, own_app, server_of, static_pages
from calibration.venue.programs_file import read_programs_file
from calibration.venue.setup.adding import change_venue
from calibration.venue.setup.founding import MakeAccounts, found_venue, refuse_replacing
from calibration.venue.setup.links import SHEET, Link
from calibration.venue.setup.look_round import found_cameras, found_ports, own_address
from calibration.venue.setup.made import read_setup
from calibration.venue.setup.questions import NOBODY, check_address, check_delay, check_players
from calibration.venue.setup.refused import AnswerRefusedError
from calibration.venue.setup.trying import Trials
from calibration.venue.setup.wishes import ClockKind, SetupAnswers, tables_of
from recorder.domain.errors import TilecastError
from recorder.domain.limits import MOST_TABLES
from recorder.operations.answers import plain_words
from recorder.rulesets.named import rule_set_name
from recorder.rulesets.set_files import rule_set_names
from recorder.texts.screen_texts import language_of
from recorder.tilesets import tile_set_argument, tile_set_names

_SHEET_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
_Text = Annotated[str, Field(max_length=300)]
_say = partial(print, flush=True)


class _Table(BaseModel):
    """One row of the form."""

    model_config = ConfigDict(extra="forbid")
    first: _Text = ""
    second: _Text = ""
    camera: _Text
    clock: ClockKind
    port: _Text = ""


class _Form(BaseModel):
    """The whole form, as the page sends it."""

    model_config = ConfigDict(extra="forbid")
    folder: _Text
    tables: Annotated[list[_Table], Field(min_length=1, max_length=MOST_TABLES)]
    is_event: bool
    tiles: _Text
    rules: _Text
    pads: bool
    delay: _Text = "0"
    address: _Text = NOBODY


@dataclass(slots=True, kw_only=True)
class Setup:
    """One venue in the making. ``folder`` is set once it is made; ``is_ended`` then wakes up.

    ``changed`` is the folder of a venue that is there and is changed, None for a new one.
    ``check`` raises TilecastError where the venue in a folder cannot be started.
    """

    make_accounts: MakeAccounts
    check: Callable[[Path], object]
    broker_port: int
    dashboard_port: int
    changed: Path | None = None
    trials: Trials = field(default_factory=Trials)
    folder: Path | None = None
    links: list[Link] = field(default_factory=list)
    is_ended: threading.Event = field(default_factory=threading.Event)

    def make(self, form: _Form) -> str:
        """Write the venue's files; why they cannot be started, or nothing.

        TilecastError or ArgumentTypeError for an answer that cannot be: nothing is written then.
        """
        if self.changed is None:
            usual = SetupAnswers(broker_port=self.broker_port, dashboard_port=self.dashboard_port)
            wishes = _wishes(form, usual)
            folder = Path(form.folder).expanduser().resolve()
            refuse_replacing(wishes, folder)
            founded = found_venue(wishes, folder, self.make_accounts)
        else:
            folder = self.changed
            wishes = _wishes(form, read_setup(folder).wishes)
            founded = change_venue(folder, wishes, self.make_accounts)
        self.trials.close()  # the agents need the cameras and ports
        self.links = [*founded.links]
        self.folder = folder
        try:
            self.check(folder)
        except TilecastError as fault:
            return plain_words(fault)
        finally:
            self.is_ended.set()
        return ""


def _wishes(form: _Form, before: SetupAnswers) -> SetupAnswers:
    """What the form asks for, with what it does not show as before: ports, TLS, own machines."""
    for number, table in enumerate(form.tables, 1):
        if not table.camera.strip():
            raise AnswerRefusedError("which_camera", number=number)
        if table.clock is ClockKind.SERIAL and not table.port.strip():
            raise AnswerRefusedError("which_port", number=number)
    if not form.folder.strip():
        raise AnswerRefusedError("which_folder")
    address = check_address(form.address)
    return replace(
        before,
        tables=len(form.tables),
        is_event=form.is_event,
        players=() if form.is_event else tuple(_players(form)),
        tiles=tile_set_argument(form.tiles),
        rules=rule_set_name(form.rules),
        clocks=tuple(table.clock for table in form.tables),
        cameras=tuple(table.camera.strip() for table in form.tables),
        ports=tuple(table.port.strip() for table in form.tables),
        has_pads=form.pads,
        address="" if address == NOBODY else address,
        delay_s=check_delay(form.delay),
        elsewhere=tuple(number for number in before.elsewhere if number <= len(form.tables)),
    )


def _filled_in(folder: Path) -> dict[str, Any]:
    """The form of a venue that is there."""
    wishes = read_setup(folder).wishes
    tables = [
        {
            "first": (*table.players, "")[0],
            "second": (*table.players, "", "")[1],
            "camera": table.camera,
            "clock": table.clock,
            "port": table.port if table.clock is ClockKind.SERIAL else "",
        }
        for table in tables_of(wishes)
    ]
    return {
        "is_event": wishes.is_event,
        "tiles_chosen": wishes.tiles,
        "rules_chosen": wishes.rules,
        "pads": wishes.has_pads,
        "delay": f"{wishes.delay_s:g}",
        "address": wishes.address or NOBODY,
        "folder": str(folder),
        "tables": tables,
    }


def _players(form: _Form) -> Iterator[tuple[str, str]]:
    for number, table in enumerate(form.tables, 1):
        try:
            yield check_players(table.first, table.second)
        except AnswerRefusedError as wrong:
            raise AnswerRefusedError("names_of_table", number=number, **wrong.values) from None


def pages_of(setup: Setup) -> APIRouter:
    """Everything that the page asks for."""
    page = static_pages(
        "setup.html", "setup.js", "texts.js", "setup.css", "guide.css", section="setup"
    )
    page.include_router(_devices(setup.trials))

    @page.get("/usual")
    def usual() -> dict[str, Any]:
        return {
            "folder": str(Path.cwd() / "hall"),
            "address": own_address() or NOBODY,
            "tiles": tile_set_names(),
            "rules": rule_set_names(),
            **({} if setup.changed is None else _filled_in(setup.changed)),
        }

    @page.post("/make")
    def make(form: _Form, lang: Annotated[str, Query(max_length=20)] = "") -> dict[str, Any]:
        try:
            fault = setup.make(form)
        except AnswerRefusedError as wrong:
            raise HTTPException(400, wrong.said_in(language_of(lang))) from wrong
        except (TilecastError, argparse.ArgumentTypeError, OSError) as wrong:
            raise HTTPException(400, plain_words(wrong)) from wrong
        pages = {"director", "commentator", "event: players, pairings"}
        return {
            "folder": str(setup.folder),
            "fault": fault,
            "links": [
                {"what": link.what, "address": link.address}
                for link in setup.links
                if link.what in pages or not link.is_key
            ],
        }

    @page.get("/runs")
    def runs() -> bool:
        """Whether the venue's own pages answer by now."""
        folder = setup.folder
        return folder is not None and _listens(read_programs_file(folder).dashboard.port)

    @page.get("/sheet")
    def sheet() -> Response:
        if setup.folder is None:
            raise HTTPException(404)
        text = (setup.folder / SHEET).read_text("utf-8")
        return HTMLResponse(text, headers={"Content-Security-Policy": _SHEET_POLICY})

    return page


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _devices(trials: Trials) -> APIRouter:
    """What is plugged in, and what each shows now."""
    page = APIRouter()

    @page.get("/found")
    def found() -> dict[str, Any]:
        return {
            "cameras": [
                {"source": camera.source, "description": camera.description}
                for camera in found_cameras()
            ],
            "ports": [{"path": path, "description": words} for path, words in found_ports()],
        }

    @page.get("/camera")
    def camera(source: _Text) -> dict[str, Any]:
        tried = trials.camera(source)
        return {"size": tried.size, "fault": tried.fault}

    @page.get("/picture")
    def picture(source: _Text) -> Response:
        data = trials.camera(source).picture()
        return Response(data, media_type="image/jpeg", status_code=200 if data else 404)

    @page.get("/port")
    def port(path: _Text) -> dict[str, Any]:
        tried = trials.port(path)
        return {"heard": tried.heard, "name": tried.name, "presses": tried.presses}

    return page


@contextmanager
def venue_from_page(
    setup: Setup, port: int, show: Callable[[str], None], stop: threading.Event
) -> Iterator[Path | None]:
    """Serve the page until the venue is made, and on while it runs; None when ``stop`` came first.

    ``show`` gets the address that opens the page. NotationError when the port is taken.
    """
    door = Door("tilecast venue")
    with listener_on(port) as listener:
        server = server_of(own_app("Tilecast", pages_of(setup), door))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            show(address_of(listener, door))
            while not setup.is_ended.wait(0.1) and not stop.is_set():
                pass
            yield setup.folder
        finally:
            server.should_exit = True
            thread.join()
            setup.trials.close()
