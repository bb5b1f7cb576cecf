"""What the streamer adds to the public's frames: standings and look, from files that may change.

A file that is at fault after a change is passed over: what was read last stays, and the fault is
kept for the director. Nothing of it reaches a page on air.
"""

import hashlib
import logging
from pathlib import Path

from dashboard.overlays.event_files import Branding, Tournament, read_branding, read_tournament
from recorder.domain.errors import NotationError
from recorder.wire import Json

_log = logging.getLogger(__name__)


class OverlayExtras:
    """Both files, read again when they change. NotationError when one is at fault at the start."""

    def __init__(self, tournament: Path | None, branding: Path | None) -> None:
        self._path = tournament
        self._stamp = _stamp(tournament)
        self._tournament = Tournament() if tournament is None else read_tournament(tournament)
        self.branding = Branding() if branding is None else read_branding(branding)
        self.fault = ""
        for warning in self.branding.warnings:
            _log.warning("%s", warning)

    def dress(self, frame: Json) -> Json:
        """A frame with what the files say of its players and of the event."""
        dressed = self._tournament.dress(frame)
        if self.branding.title and "title" not in dressed.get("event", {}):
            dressed = {
                **dressed,
                "event": {**dressed.get("event", {}), "title": self.branding.title},
            }
        return dressed

    def changed(self) -> bool:
        """Look at the file of standings again; whether there is something new."""
        stamp = _stamp(self._path)
        if self._path is None or stamp == self._stamp:
            return False
        self._stamp = stamp
        try:
            self._tournament = read_tournament(self._path)
        except NotationError as fault:
            self.fault = str(fault)
            return False
        self.fault = ""
        return True

    def logo_address(self) -> str:
        """Where pages find the logo; empty without one. It changes with the picture."""
        logo = self.branding.logo
        return f"/branding/logo?v={hashlib.sha256(logo).hexdigest()[:12]}" if logo else ""


def _stamp(path: Path | None) -> tuple[int, int] | None:
    if path is None:
        return None
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
