"""Pictures of players that a feed names by address, fetched into the folder of pictures.

Only what lies below the one address that the streamer has named is asked for, redirects included:
anyone who writes the feed cannot make this program ask anything else. What cannot be fetched, or is
no picture, leaves initials on air; it is asked for again some minutes later.
"""

import logging
import queue
import time
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

from dashboard.overlays.faces import FETCHED, MOST_BYTES, picture_type, stem_of
from recorder.domain.errors import NotationError
from recorder.feeds.fetching import PATIENCE_S, opened
from recorder.own_thread import OwnThread
from recorder.recent import Recent

AGAIN_S = 300.0
_MOST_WAITING = 600
MOST_FETCHED = 2000
"""So many are fetched into a folder: a feed may name others without end, of 2 MB each."""
_SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}
_log = logging.getLogger(__name__)


class FaceFetcher(OwnThread):
    """Fetches pictures below ``base`` into ``folder``, one after the other, on its own thread.

    NotationError when ``base`` is no http(s) address.
    """

    def __init__(self, base: str, folder: Path) -> None:
        parts = urlsplit(base)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise NotationError(
                f"{base[:80]!r} is not an address such as https://example.org/photos/"
            )
        super().__init__("photos", PATIENCE_S)
        self._base = base if base.endswith("/") else f"{base}/"
        self._folder = folder
        self._wanted: queue.Queue[str | None] = queue.Queue(_MOST_WAITING)
        self._asked = Recent[str, float](MOST_FETCHED)

    def want(self, named: str) -> None:
        """A feed calls somebody's picture so. Never waits; what is too much is passed over."""
        now = time.monotonic()
        if not self._address(named) or self._asked.get(named, -AGAIN_S) + AGAIN_S > now:
            return
        self._asked[named] = now
        if not self._wanted.full():
            self._wanted.put_nowait(named)

    def stop(self) -> None:
        """End after the picture that is on its way."""
        self._wanted.put(None)
        super().stop()

    def _present(self) -> Iterator[Path]:
        return self._folder.iterdir() if self._folder.is_dir() else iter(())

    def _address(self, named: str) -> str:
        """Where it is; empty where that is not below the base."""
        try:
            address = urljoin(self._base, quote(named.strip(), safe="/:?&=%~+,@"))
        except ValueError:
            return ""
        return address if named.strip() and _is_below(self._base, address) else ""

    def _work(self) -> None:
        while (named := self._wanted.get()) is not None:
            try:
                self._fetch(named)
            except (OSError, HTTPException, ValueError) as fault:
                _log.warning("the picture %s cannot be fetched: %s", named[:200], fault)

    def _fetch(self, named: str) -> None:
        if sum(file.name.startswith(FETCHED) for file in self._present()) >= MOST_FETCHED:
            raise ValueError(f"{MOST_FETCHED} are in {self._folder} already: remove old ones")
        with opened(self._address(named), lambda _, to: _is_below(self._base, to)) as answer:
            content = answer.read(MOST_BYTES + 1)
        kind = picture_type(content)
        if not kind or len(content) > MOST_BYTES:
            raise ValueError(f"no PNG, JPEG or WebP of up to {MOST_BYTES} bytes")
        self._folder.mkdir(parents=True, exist_ok=True)
        fresh = self._folder / f".{stem_of(named)}"
        fresh.write_bytes(content)
        fresh.replace(self._folder / f"{stem_of(named)}{_SUFFIXES[kind]}")


def _is_below(base: str, address: str) -> bool:
    """Whether an address lies below the base, also where a server resolves its dots."""
    return address.startswith(base) and ".." not in unquote(unquote(address))
