"""The WebSocket of an overlay: which channel its page hears, and what the page may say.

A page names a table or a slot. It hears the public's channel; with a key for the racks, or where
the director opened them, the channel that has these too. Both are late by the same delay.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from fastapi import WebSocket

from dashboard.auth.access import Role
from dashboard.auth.accounts import Accounts, DamagedAccountsError
from dashboard.live.health import heard
from dashboard.live.hub import Hub
from dashboard.live.messages.channel import Channel, Viewer, hello, pong
from dashboard.overlays.slots import Slots
from dashboard.web.shared import feed
from recorder.declared.codec import Json

_MOST_KEY = 200
_log = logging.getLogger(__name__)
_SETTLE_S = 1.0


@dataclass(eq=False, slots=True)
class _Page:
    """An open page: its slot, its key, and the channel that it hears now (None: no table yet).

    ``sheet``: it wants the score sheet with the frame, and gets no racks.
    """

    viewer: Viewer
    slot: str
    key: str = ""
    sheet: bool = False
    channel: Channel | None = None


@dataclass(slots=True)
class Overlays:
    """The open overlay pages of one dashboard."""

    hub: Hub
    slots: Slots
    accounts: Accounts
    _pages: set[_Page] = field(default_factory=set)

    def open(self, viewer: Viewer, slot: str, *, sheet: bool = False) -> _Page:
        """A page opened; it is fed from now on, with the score sheet where it wants that."""
        page = _Page(viewer, slot, sheet=sheet)
        self._pages.add(page)
        self._seat(page)
        return page

    def close(self, page: _Page) -> None:
        """The page is gone."""
        self._pages.discard(page)
        if page.channel is not None:
            page.channel.viewers.discard(page.viewer)

    def settle(self) -> None:
        """Rules choose again, keys may have been revoked: give every page the channel it is due."""
        self.slots.settle(self.hub.public_frames())
        for page in self._pages:
            self._seat(page)

    def streaming(self, slot: str) -> int:
        """How many pages show a slot."""
        return sum(page.slot == slot for page in self._pages)

    def hear(self, page: _Page, message: Json, now: int) -> None:
        """What a page says: that it is there and how it is, its key, that it lost a change."""
        viewer = page.viewer
        match message:
            case {"type": "ping"}:
                viewer.send(pong(message, self.hub.channel_now(Role.VIEWER)))
                if isinstance(message.get("scene"), str):
                    viewer.health = heard(viewer.health, message, now)
            case {"type": "key", "key": str(key)}:
                page.key = key[:_MOST_KEY]
                self._seat(page)
            case {"type": "snapshot?"}:
                snapshot = None if page.channel is None else page.channel.snapshot()
                if snapshot is not None:
                    viewer.send(snapshot)

    def _seat(self, page: _Page) -> None:
        table = self.slots.table_of(page.slot)
        racks = not page.sheet and table is not None and self._racks_open(page, table)
        role = Role.OVERLAY if racks else Role.VIEWER
        channel = None
        if table is not None:
            channel = self.hub.watched(table) if page.sheet else self.hub.channel(table, role)
        page.viewer.health = {**page.viewer.health, "slot": page.slot, "racks": racks}
        if channel is page.channel:
            return
        before, page.channel = page.channel, channel
        if before is not None:
            before.viewers.discard(page.viewer)
        if channel is None:
            page.viewer.send(Channel().first())
            return
        channel.viewers.add(page.viewer)
        if not self.hub.following:
            return  # the snapshot comes when the log has been read
        if before is not None:
            page.viewer.send(channel.first())
        elif (snapshot := channel.snapshot()) is not None:
            page.viewer.send(snapshot)

    def _racks_open(self, page: _Page, table: int) -> bool:
        slot = self.slots.get(page.slot)
        if slot is not None and slot.racks:
            return True
        try:
            return bool(page.key) and self.accounts.token_opens(page.key, f"racks:table-{table}")
        except DamagedAccountsError:
            return False


async def serve_overlay(
    socket: WebSocket, overlays: Overlays, slot: str, assets: str, *, sheet: bool = False
) -> None:
    """Feed a page until it goes."""
    viewer = Viewer()
    viewer.health = {"obs": "OBS/" in socket.headers.get("user-agent", "")}
    viewer.send(hello(assets, overlays.hub.channel_now(Role.VIEWER)))
    page = overlays.open(viewer, slot, sheet=sheet)
    try:
        await feed(socket, viewer, lambda said: overlays.hear(page, said, overlays.hub.now()))
    finally:
        overlays.close(page)


@contextlib.asynccontextmanager
async def settling(
    overlays: Overlays,
    changed: Callable[[], bool],
    announce: Callable[[], object] | None = None,
    every_s: float = _SETTLE_S,
) -> AsyncIterator[None]:
    """Once a second slots follow their rules; ``changed``: frames are dressed again.

    ``announce`` posts what is new.
    """

    def refresh() -> None:
        if changed():
            overlays.hub.refresh()

    async def settle() -> None:
        while True:
            await asyncio.sleep(every_s)
            # What was revoked ends first: it must not wait for what a file of standings holds.
            for work in (overlays.settle, refresh, announce or bool):
                try:
                    work()
                except Exception:  # noqa: BLE001 - it is tried again in a second; nobody else would
                    _log.exception("overlays are not settled")

    task = asyncio.create_task(settle())
    try:
        yield
    finally:
        task.cancel()
