"""Public frames and finished games at addresses that any cache may keep and hand on.

The same bytes for everybody: a cache asks once a second for all pages behind it, and of a finished
game once and never again, for its address has the version of its content.
"""

import asyncio
import logging
import sqlite3
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi import Path as PathPart
from fastapi.responses import RedirectResponse

from dashboard.auth.access import Role
from dashboard.auth.guard import requires
from dashboard.live.game_rooms import GameRooms
from dashboard.live.hub import Hub
from dashboard.live.messages.channel import as_text
from dashboard.live.messages.merge_patch import without_nulls
from dashboard.live.watched import SheetCache, pairing_of
from dashboard.overlays.extras import OverlayExtras
from dashboard.web.caching import FOR_EVER, LIVE, PAGE, CachedText, digest_of
from dashboard.web.shared import TableNumber
from recorder.backoff import Backoff
from recorder.domain.errors import TilecastError
from recorder.domain.event.seating import Pairing
from recorder.domain.game import Played
from recorder.gcg import GcgGame, GcgMove, GcgPlayer, write_gcg
from recorder.projections.broadcast import Projection

MOST_KEPT = 256
"""Finished games whose text is kept; the others are read from the log again."""
MOST_AT_ONCE, MOST_WAITING = 2, 24
"""Games that are read from the log at a time, and that wait for it; beyond them: ask again."""
GameName = Annotated[str, PathPart(pattern=r"^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$")]
Version = Annotated[str, PathPart(pattern=r"^[0-9a-f]{16}$")]

_PAUSES = Backoff(1.0, 60.0)
_log = logging.getLogger(__name__)
_Version = tuple[int, str, int]
"""A table, the name of a game there, and the last of its rows that is public."""


class _LiveTexts:
    """What is live, packed once for each change of it, by address."""

    def __init__(self) -> None:
        self._packed: dict[str, CachedText] = {}

    def of(self, address: str, text: str) -> CachedText:
        known = self._packed.get(address)
        if known is None or known.text != text:
            known = self._packed[address] = CachedText.of(text)
        return known


class FinishedGames:
    """Finished games as the public may see them, read from the log when somebody asks.

    Anyone who asks for the same game at once waits for the same reading; so many games are read at
    a time, and of more than wait for it nobody is kept waiting.
    """

    def __init__(self, hub: Hub, rooms: GameRooms, extras: OverlayExtras) -> None:
        self._hub, self._rooms, self._extras = hub, rooms, extras
        self._kept: OrderedDict[_Version, CachedText] = OrderedDict()
        self._under_way: dict[_Version, asyncio.Task[CachedText]] = {}
        self._reading = asyncio.Semaphore(MOST_AT_ONCE)

    async def text(self, table: int, game: str) -> CachedText | None:
        """One game with its sheet; None for one that the public does not know to be over.

        HTTPException where too many others are being read.
        """
        if not self._hub.games.is_over(table, game):
            return None
        upto = self._hub.games.upto(table)
        version = (table, game, self._rooms.last_row(table, game, upto))
        kept = self._kept.get(version)
        if kept is None:
            kept = await asyncio.shield(self._read(version, upto))
        self._kept[version] = kept
        self._kept.move_to_end(version)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return kept

    async def known(self, table: int, game: str) -> CachedText:
        """The same; HTTPException for a game that is none."""
        text = await self.text(table, game)
        if text is None:
            raise HTTPException(404, f"no finished game {game} at table {table}")
        return text

    async def address(self, table: int, game: str) -> str:
        """Where the game lies as it is now."""
        text = await self.known(table, game)
        return f"/public/game/{digest_of(text.plain)}/{table}/{game}.json"

    async def gcg(self, table: int, game: str) -> str:
        """The game as GCG, with no more of the racks than was laid."""
        await self.known(table, game)
        async with self._reading:
            fold = await asyncio.to_thread(self._fold, table, game, self._hub.games.upto(table))
        assert fold.started is not None
        assert fold.state is not None  # the public has its end
        first, second = (GcgPlayer("_".join(name.split()), name) for name in fold.started.players)
        events = (replace(e, rack=()) if isinstance(e, Played) else e for e in fold.state.events)
        moves = tuple(GcgMove(event) for event in events)
        return write_gcg(
            GcgGame(players=(first, second), tile_set=fold.state.tile_set, moves=moves)
        )

    async def follow_corrections(self) -> None:
        """Read the finished games again that are corrected while another is on at their tables."""
        changed, games, failures = self._hub.games.changed, self._hub.games, 0
        while True:
            await asyncio.sleep(_PAUSES.after(failures + 1))
            while changed:
                table, game = changed.pop()
                try:
                    async with self._reading:
                        fold = await asyncio.to_thread(self._fold, table, game, games.upto(table))
                    self._hub.take_game(table, fold)
                    failures = 0
                except (TilecastError, OSError, sqlite3.Error):
                    _log.exception("game %s of table %d is not read again yet", game, table)
                    changed.add((table, game))
                    failures += 1
                    break

    def _read(self, version: _Version, upto: int) -> "asyncio.Task[CachedText]":
        """The reading of a game that is under way, or a new one."""
        if version not in self._under_way:
            if len(self._under_way) >= MOST_AT_ONCE + MOST_WAITING:
                headers = {"Retry-After": "2"}
                raise HTTPException(503, "many games are being read: ask again", headers)
            reading = asyncio.create_task(self._in_turn(version, upto))
            self._under_way[version] = reading
            reading.add_done_callback(lambda _: self._under_way.pop(version, None))
        return self._under_way[version]

    async def _in_turn(self, version: _Version, upto: int) -> CachedText:
        async with self._reading:
            return await asyncio.to_thread(self._folded, version[0], version[1], upto)

    def _fold(self, table: int, game: str, upto: int) -> Projection:
        return self._rooms.public_game(table, game, upto, self._hub.delay_ms)

    def _folded(self, table: int, game: str, upto: int) -> CachedText:
        fold = self._fold(table, game, upto)
        frame = fold.frame()
        assert frame is not None  # the public has its end
        dressed = self._extras.dress(frame, pairing_of(fold))
        whole = {**dressed, "sheet": SheetCache().of(fold.lines)}
        return CachedText.of(as_text(without_nulls(whole)))


def live_routes(hub: Hub, counts: Callable[[Pairing], bool]) -> APIRouter:
    """Public frames and the list of finished games, for a second or a little longer.

    ``counts``: whether a game of the event counts there.
    """
    router = APIRouter(prefix="/public", dependencies=[requires(Role.VIEWER)])
    live = _LiveTexts()

    def answer(request: Request, address: str, text: str) -> Response:
        if not hub.following:
            raise HTTPException(503, "the log is being read")  # a cache goes on with what it has
        return live.of(address, text).answer(request, LIVE, hub.channel_now(Role.VIEWER))

    @router.get("/tables.json")
    async def tables(request: Request) -> Response:
        return answer(request, "tables", hub.hall.first())

    @router.get("/table/{table}.json")
    async def table(table: TableNumber, request: Request) -> Response:
        return answer(request, f"table {table}", hub.watched(table).first())

    @router.get("/games.json")
    async def games(request: Request) -> Response:
        listed = [
            {**game, "href": f"/watch/game/{game['table']}/{game['game']}"}
            for game in hub.games.over(counts)
        ]
        return live.of("games", as_text({"games": listed})).answer(request, PAGE)

    return router


def finished_routes(finished: FinishedGames) -> APIRouter:
    """Finished games for ever."""
    router = APIRouter(dependencies=[requires(Role.VIEWER)])

    @router.get("/public/game/{table}/{game}.json")
    async def newest(table: TableNumber, game: GameName) -> Response:
        """Leads to the game as it is now."""
        return RedirectResponse(
            await finished.address(table, game), headers={"Cache-Control": PAGE}
        )

    @router.get("/public/game/{version}/{table}/{game}.json")
    async def game(
        version: Version, table: TableNumber, game: GameName, request: Request
    ) -> Response:
        """This very version; where a correction made another, leads to that."""
        text = await finished.text(table, game)
        if text is None or digest_of(text.plain) != version:
            address = await finished.address(table, game)
            return RedirectResponse(address, headers={"Cache-Control": PAGE})
        return text.answer(request, FOR_EVER)

    @router.get("/public/game/{table}/{game}.gcg")
    async def gcg(table: TableNumber, game: GameName) -> Response:
        """A finished game as GCG, without racks beyond what was played."""
        text = await finished.gcg(table, game)
        kept = {"Cache-Control": PAGE, "Content-Disposition": f'attachment; filename="{game}.gcg"'}
        return Response(text, media_type="text/plain; charset=utf-8", headers=kept)

    return router
