"""An overlay whose server dies or hangs: the picture stays, and it goes on by itself."""

import os
import signal
from pathlib import Path

import pytest
from playwright.sync_api import WebSocket

from recorder.bus.broker import free_port
from tests.browser.conftest import Screen, Server, now_ms
from tests.browser.overlays.test_overlay import open_full, pixels
from tests.dashboard.table_writer import OPENING, TableWriter

pytestmark = pytest.mark.browser


def test_a_lost_server_keeps_the_picture_and_comes_back(screen: Screen, tmp_path: Path) -> None:
    """The last good frame stays, no error is painted, and it goes on once the server is back."""
    table = TableWriter(tmp_path / "log.db", at=now_ms() - 60_000)
    table.start()
    table.play(0, OPENING[0])
    server = Server(tmp_path / "log.db", free_port())
    server.start()
    try:
        open_full(screen, server, table)
        screen.page.wait_for_timeout(350)
        picture = pixels(screen.page)
        server.kill()
        screen.shows("document.querySelector('#scene').dataset.online === 'false'")
        screen.page.wait_for_timeout(1000)
        assert (pixels(screen.page) == picture).all()
        table.play(1, OPENING[1])
        server.start()
        screen.shows("document.querySelector('.last .word').innerText === 'COPY'")
        assert all("WebSocket" in complaint for complaint in screen.complaints), screen.complaints
    finally:
        server.kill()
        table.log.close()


@pytest.mark.further
def test_silence_of_the_server_is_noticed(screen: Screen, tmp_path: Path) -> None:
    """A server that hangs without closing anything counts as lost after two seconds of silence.

    By the page's own pings, which are 0.8 s apart: the fourth one is never sent.
    """
    unanswered = 0

    def pings(_: str | bytes) -> None:
        nonlocal unanswered
        unanswered += 1

    def answers(_: str | bytes) -> None:
        nonlocal unanswered
        unanswered = 0

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", pings)
        socket.on("framereceived", answers)

    screen.page.once("websocket", listen)
    server = Server(tmp_path / "log.db", free_port())
    server.start()
    try:
        screen.page.goto(server.url("/overlay/full"))
        screen.shows("document.querySelector('#scene').dataset.online === 'true'")
        os.kill(server.process.pid, signal.SIGSTOP)
        screen.shows("document.querySelector('#scene').dataset.online === 'false'")
        assert 1 <= unanswered <= 3
        os.kill(server.process.pid, signal.SIGCONT)
        screen.shows("document.querySelector('#scene').dataset.online === 'true'")
    finally:
        server.kill()
