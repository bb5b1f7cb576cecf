"""A phone as a camera: its page sends pictures to the dashboard, and this fetches the newest one.

``phone://KEY@HOST:PORT/TABLE?ca=FILE``: over TLS, the certificate held against the authority in
FILE, or against those that this machine trusts. ``phone+http://`` is for a dashboard on this very
machine. Must not know what frames are for.
"""

import http.client
import re
import ssl
from urllib.parse import parse_qs, urlsplit

from devices.cameras.frames import BadFrame, CameraFrame, frame_of
from devices.cameras.live.stream_time import StreamTime
from devices.cameras.snapshot import SnapshotUrl
from devices.ports import Ticks
from recorder.domain.errors import NotationError

_HERE = ("127.0.0.1", "localhost", "::1")
_ASLEEP_MS = 3000
_WAITED_MS = 5
"""A picture that took so long to come was not there yet when it was asked for."""


class PhoneCamera(SnapshotUrl):
    """The pictures of a phone, newest first. It waits a second at most for a new one."""

    refused = "no_dashboard"

    def __init__(self, address: str, ticks: Ticks) -> None:
        parts = urlsplit(address)
        table = parts.path.strip("/")
        if not parts.username or not re.fullmatch(r"[1-9][0-9]{0,3}", table):
            raise NotationError(
                f"phone camera {_without_key(address)!r} is not phone://KEY@HOST:PORT/TABLE, as"
                " /director/camera/TABLE of the dashboard shows it"
            )
        is_plain = parts.scheme == "phone+http"
        if is_plain and parts.hostname not in _HERE:
            raise NotationError(
                f"phone camera {_without_key(address)!r}: phone+http:// is for this machine only;"
                " over a network use phone://, and start the dashboard with --tls"
            )
        scheme = "http" if is_plain else "https"
        super().__init__(
            f"{scheme}://{parts.netloc}/camera/{table}/newest",
            ticks,
            tls=None if is_plain else _trusting(parts.query, address),
        )
        self.name = _without_key(address)
        self._seen, self._asked_ms = 0, 0
        self._time = StreamTime()

    def _asked_for(self) -> str:
        self._asked_ms = self._ticks()
        return f"{self._target}?after={self._seen}"

    def _came_nothing(self, response: http.client.HTTPResponse) -> None:
        silent = response.getheader("X-Silent-Ms", "")
        if not silent.isdecimal():
            self._say_lost("no phone has sent a picture yet: open its page on the phone")
        elif int(silent) > _ASLEEP_MS:
            self._say_lost("the phone sends nothing: is its page open, and its screen on?")

    def _say_lost(self, reason: str) -> None:
        """Lost, but the next request may follow at once: it waits where the pictures come in."""
        self._note_loss(reason)
        self._failures, self._not_before_ms = 0, self._ticks()

    def _frame(
        self, response: http.client.HTTPResponse, data: bytes, captured_ms: int
    ) -> CameraFrame | BadFrame:
        number, taken = response.getheader("X-Number", ""), response.getheader("X-Taken-Ms", "")
        self._seen = int(number) if number.isdecimal() else self._seen
        if re.fullmatch(r"[0-9]{1,12}(\.[0-9]+)?", taken):
            waited = captured_ms - self._asked_ms >= _WAITED_MS
            captured_ms = self._time.taken_ms(captured_ms, float(taken), waited=waited)
        return frame_of(data, f"phone-{self._seen:08d}", captured_ms)


def _without_key(address: str) -> str:
    return re.sub(r"//[^/@]*@", "//", address).partition("?")[0]


def _trusting(query: str, address: str) -> ssl.SSLContext:
    """Whom the dashboard's certificate must come from."""
    authority = parse_qs(query).get("ca", [""])[0]
    try:
        return ssl.create_default_context(cafile=authority or None)
    except OSError as err:
        raise NotationError(
            f"phone camera {_without_key(address)!r}: {authority} is not a certificate: {err}"
        ) from err
