"""A camera that gives one picture per HTTP request, as phone camera apps do.

Every GET is one frame: a slow reader misses frames of a phone, and loses none of a simulation
that waits for it. A redirect is followed on the same server, with its password; one that leads to
another is named, for nobody chose that one. Must not know what frames are for.
"""

import contextlib
import http.client
import logging
import re
import socket
import ssl
import threading
import time
from urllib.parse import urljoin, urlsplit

from devices.cameras.frames import BadFrame, CameraFrame, frame_of
from devices.cameras.live.mjpeg import basic_proof
from devices.cameras.live.unreachable import why_unreachable
from devices.ports import Ticks
from devices.words import camera_fault
from recorder.backoff import Backoff
from recorder.domain.errors import NotationError

_LOG = logging.getLogger(__name__)

_TIMEOUT_S = 5.0
_MOST_BYTES = 64 * 1024 * 1024
_PAUSES_S = Backoff(0.2, 5.0)
_MOST_STEPS = 3


class SnapshotUrl:
    """Frames from an http(s) URL. The server ends it with 410 Gone; 204 means: nothing new."""

    is_stills = False
    refused = "nothing_listens"
    """The text for an address where nobody listens."""
    whole_s = 10.0
    """Longer than a whole answer takes, however many reads it comes in."""

    def __init__(
        self,
        url: str,
        ticks: Ticks,
        *,
        interval_ms: int = 0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise NotationError(f"snapshot address {url!r} is not http://host/... or https://...")
        self.name = re.sub(r"//[^/@]*@", "//", url)
        self.ended = False
        self.lost = ""
        self._ticks, self._interval_ms = ticks, interval_ms
        self._connection = http.client.HTTPConnection(
            parts.hostname, parts.port, timeout=_TIMEOUT_S
        )
        if parts.scheme == "https":
            self._connection = http.client.HTTPSConnection(
                parts.hostname, parts.port, timeout=_TIMEOUT_S, context=tls
            )
        self._address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        self._elsewhere = ""
        """Where a redirect has led to on this server."""
        self._target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._headers = {"Accept": "image/*", **basic_proof(parts)}
        self._was_slow = False
        self._sock: socket.socket | None = None
        """Of the answer under way: of one that ends with its connection, http.client forgets it."""
        self._number = 0
        self._failures = 0
        self._not_before_ms = ticks()

    def read(self, timeout_s: float) -> CameraFrame | BadFrame | None:
        """See ``FrameSource``. A request under way is waited for, five seconds at most."""
        if self.ended:
            return None
        wait_ms = self._not_before_ms - self._ticks()
        if wait_ms > 0:
            time.sleep(min(wait_ms / 1000, timeout_s))
            if wait_ms > timeout_s * 1000:
                return None
        self._not_before_ms = self._ticks() + self._interval_ms
        for was_open in (self._connection.sock is not None, False):
            try:
                return self._get()
            except (OSError, http.client.HTTPException) as err:
                self._connection.close()
                # A server may hang up between two requests; that is no loss of the camera.
                if self._was_slow or not was_open:
                    self._note_loss(self._slowness() or self._why(err))
                    break
        return None

    def close(self) -> None:
        """See ``FrameSource``."""
        self.ended = True
        self._hang_up()
        self._connection.close()

    def _get(self) -> CameraFrame | BadFrame | None:
        # Each read has its own time limit, which a byte now and then meets for ever.
        too_long = threading.Timer(self.whole_s, self._give_up)
        too_long.daemon = True
        too_long.start()
        self._was_slow = False
        try:
            return self._got()
        finally:
            too_long.cancel()
            self._sock = None

    def _give_up(self) -> None:
        self._was_slow = True
        self._hang_up()

    def _hang_up(self) -> None:
        sock = self._sock or self._connection.sock
        if sock is not None:
            with contextlib.suppress(OSError):  # it is gone already
                sock.shutdown(socket.SHUT_RDWR)

    def _slowness(self) -> str:
        return camera_fault("too_slow", seconds=f"{self.whole_s:g}") if self._was_slow else ""

    def _why(self, err: Exception) -> str:
        there = self._connection
        why = why_unreachable(err, there.host, there.port, self.refused)
        return why or str(err) or type(err).__name__

    def _got(self) -> CameraFrame | BadFrame | None:
        response = self._answer()
        captured_ms = self._ticks()
        if response.status == http.client.GONE:
            self.close()
            return None
        data = response.read(_MOST_BYTES + 1)
        if self._was_slow:
            self._connection.close()
            self._note_loss(self._slowness())
            return None
        if len(data) > _MOST_BYTES:
            self._connection.close()
            self._note_loss(camera_fault("too_large", most=_MOST_BYTES // 1_000_000))
            return None
        if response.status not in (http.client.OK, http.client.NO_CONTENT):
            self._note_loss(self._refusal(response))
            return None
        if response.status == http.client.NO_CONTENT:
            self._came_nothing(response)
            return None
        self._note_back()
        frame = self._frame(response, data, captured_ms)
        if isinstance(frame, BadFrame):  # else it would be asked as fast as it answers
            self._not_before_ms = max(self._not_before_ms, self._ticks() + self._pause_ms(1))
        return frame

    def _answer(self) -> http.client.HTTPResponse:
        """The answer, there where redirects of the same server lead to: each time again."""
        self._elsewhere = ""
        for _ in range(_MOST_STEPS):
            self._connection.request("GET", self._asked_for(), headers=self._headers)
            self._sock = self._connection.sock
            response = self._connection.getresponse()
            place = self._led_to(response)
            if not place.startswith(f"{self._address}/"):
                break
            response.read(_MOST_BYTES)
            self._elsewhere = place.removeprefix(self._address)
        return response

    def _led_to(self, response: http.client.HTTPResponse) -> str:
        """The address of a redirect; empty for any other answer."""
        place = response.getheader("Location", "") if 300 <= response.status < 400 else ""
        return urljoin(f"{self._address}{self._asked_for()}", place) if place else ""

    def _refusal(self, response: http.client.HTTPResponse) -> str:
        """What an answer without a picture says."""
        place = self._led_to(response)
        shown = re.sub(r"//[^/@]*@", "//", place)[:200]
        code = "sends_us" if place else "http_status"
        return camera_fault(code, status=response.status, why=response.reason, place=shown)

    def _asked_for(self) -> str:
        return self._elsewhere or self._target

    def _came_nothing(self, response: http.client.HTTPResponse) -> None:  # noqa: ARG002 - for phones
        """The server of the pictures is there, and has nothing new."""
        self._note_back()

    def _frame(
        self,
        response: http.client.HTTPResponse,  # noqa: ARG002 - for phones
        data: bytes,
        captured_ms: int,
    ) -> CameraFrame | BadFrame:
        self._number += 1
        return frame_of(data, f"snap-{self._number:08d}", captured_ms)

    def _note_loss(self, reason: str) -> None:
        if not self.lost:
            _LOG.warning("%s is lost, trying again: %s", self.name, reason)
        self.lost = reason
        self._failures += 1
        self._not_before_ms = self._ticks() + self._pause_ms(self._failures)

    @staticmethod
    def _pause_ms(failures: int) -> int:
        return round(_PAUSES_S.after(failures) * 1000)

    def _note_back(self) -> None:
        if self.lost:
            _LOG.info("%s is back", self.name)
        self.lost = ""
        self._failures = 0
