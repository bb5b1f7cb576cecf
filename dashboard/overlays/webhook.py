"""Bingos and results posted to a chat, in the form that Discord's webhooks take.

As late as everything public. A server that hangs, refuses or leads elsewhere holds nothing up: it
is asked from a thread of its own, for some seconds, and followed nowhere.
"""

import json
import logging
import queue
import threading
from collections.abc import Iterator
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from urllib.parse import urlsplit

from dashboard.live.aired import AiredGame, moments_of
from dashboard.live.hub import Hub
from dashboard.overlays.captions import moment_sentence
from dashboard.overlays.sentences import outcome_sentence, totals_sentence
from recorder.domain.errors import NotationError
from recorder.own_thread import OwnThread
from recorder.texts import load_catalogue

LONGEST_POST_S = 5.0
_MOST_WAITING = 50
_MOST_TEXT = 1900
_LONGEST_PAUSE_S = 30.0
_TOO_MANY = 429
_log = logging.getLogger(__name__)


def read_webhook(file: Path) -> str:
    """The address in a file. NotationError when there is none; OSError when it cannot be read."""
    address = file.read_text("utf-8").strip()
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname or len(address.split()) != 1:
        raise NotationError(f"{file}: not an address such as https://discord.com/api/webhooks/...")
    return address


class Webhook(OwnThread):
    """Posts texts to one address, one after the other; what is too much is passed over."""

    def __init__(self, address: str, patience_s: float = LONGEST_POST_S) -> None:
        super().__init__("webhook", patience_s)
        self._parts, self._longest_s = urlsplit(address), patience_s
        self._waiting: queue.Queue[str | None] = queue.Queue(_MOST_WAITING)

    def stop(self) -> None:
        """End; what waits is dropped."""
        self._ends.set()
        if not self._waiting.full():
            self._waiting.put_nowait(None)
        super().stop()

    def post(self, text: str) -> None:
        """Post it when its turn comes. Never waits."""
        if self._waiting.full():
            _log.warning("the webhook does not keep up: left out %r", text)
        else:
            self._waiting.put_nowait(text)

    def _work(self) -> None:
        while (text := self._waiting.get()) is not None and not self._ends.is_set():
            try:
                pause_s = self._post(text)
            except (OSError, HTTPException, ValueError) as fault:
                _log.warning("the webhook at %s: %s", self._parts.hostname, fault)
                continue
            if pause_s:
                self._ends.wait(min(pause_s, _LONGEST_PAUSE_S))

    def _post(self, text: str) -> float:
        """Seconds to wait before the next one. No redirect is followed."""
        kind = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        link = kind(self._parts.hostname or "", self._parts.port, timeout=self._longest_s)
        # Names are typed by people: nobody is called by one.
        said = {"content": text[:_MOST_TEXT], "allowed_mentions": {"parse": []}}
        hanging = threading.Timer(self._longest_s, partial(_hang_up, link))
        try:
            hanging.start()
            path = f"{self._parts.path or '/'}{'?' * bool(self._parts.query)}{self._parts.query}"
            link.request("POST", path, json.dumps(said), {"Content-Type": "application/json"})
            answer = link.getresponse()
        finally:
            hanging.cancel()
            link.close()
        if answer.status == _TOO_MANY:
            self.post(text)
            return _seconds(answer.headers.get("Retry-After"))
        if answer.status >= 300:  # a redirect is a fault like others
            _log.warning("the webhook at %s answers %d", self._parts.hostname, answer.status)
        return 0.0


class Announcer:
    """What is new since the dashboard met the end of the log: bingos, and how games ended."""

    def __init__(self, hub: Hub, webhook: Webhook) -> None:
        self._hub, self._webhook = hub, webhook
        self._said: set[tuple[int, str, int, str]] | None = None

    def look(self) -> None:
        """Post what is new. What had happened when the dashboard began to follow is old."""
        if not self._hub.following:
            return
        new = [
            (key, text)
            for table in self._hub.public_frames()
            for game in self._hub.aired(table)
            for key, text in _news(table, game)
        ]
        if self._said is not None:
            for key, text in new:
                if key not in self._said:
                    self._webhook.post(text)
        self._said = {*(self._said or ()), *(key for key, _ in new)}


def _news(table: int, game: AiredGame) -> Iterator[tuple[tuple[int, str, int, str], str]]:
    texts = load_catalogue()
    for moment in moments_of(game):
        if moment.kind == "bingo":
            totals = totals_sentence(game.players, moment.line.totals, texts)
            text = f"{moment_sentence(moment, game.players, texts)} {totals}"
            yield (table, game.game, moment.line.n, "bingo"), text
    if game.over_at is not None:
        end = outcome_sentence(game.players, game.scores, game.result, texts)
        text = f"{end} {totals_sentence(game.players, game.scores, texts)}"
        yield (table, game.game, 0, text), text


def _hang_up(link: HTTPConnection) -> None:
    """An answer that drips comes in time byte by byte: it ends here."""
    if link.sock is not None:
        link.sock.close()


def _seconds(text: str | None) -> float:
    try:
        return max(1.0, float(text or 1))
    except ValueError:
        return 1.0
