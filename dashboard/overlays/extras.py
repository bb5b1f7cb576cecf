"""What the streamer adds to the public's frames: standings and look, from files that may change.

A file that is at fault after a change is passed over: what was read last stays, and the fault is
kept for the director. Nothing of it reaches a page on air.
"""

import logging
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from dashboard.live.log_follower import now_ms
from dashboard.overlays.event_files import Branding, Tournament, read_branding, read_tournament
from dashboard.overlays.faces import Faces
from recorder.domain.errors import NotationError
from recorder.domain.event.seating import Pairing, PlayerKey
from recorder.frames.public import EventHeadline, Frame, PlayerCard
from recorder.texts import load_catalogue

_log = logging.getLogger(__name__)
_NO_CARDS: Mapping[PlayerKey, PlayerCard] = MappingProxyType({})


class OverlayExtras:
    """Both files, read again when they change. NotationError when one is at fault at the start.

    Scoring software writes a result when its game ends: what changes is as late as the rest of the
    public's, by ``delay_ms``. ``now`` gives milliseconds since 1970. ``photos`` is the folder of
    players' pictures; ``event_cards`` what the event in the log says of players.
    """

    def __init__(
        self,
        tournament: Path | None,
        branding: Path | None,
        delay_ms: int = 0,
        now: Callable[[], int] = now_ms,
        photos: Path | None = None,
    ) -> None:
        self.faces = Faces(photos)
        self.event_cards: Callable[[], Mapping[PlayerKey, PlayerCard]] = lambda: _NO_CARDS
        self.event_name: Callable[[], str] = str
        self._told = _NO_CARDS
        self._path, self._delay_ms, self._now = tournament, delay_ms, now
        self._stamp = _stamp(tournament)
        self._tournament = Tournament()
        self._waiting: deque[tuple[int, Tournament]] = deque()
        if tournament is not None:
            written_ms = 0 if self._stamp is None else self._stamp[0] // 1_000_000
            self._waiting.append((min(written_ms, now()) + delay_ms, read_tournament(tournament)))
            self._let_go()
        self.branding = Branding() if branding is None else read_branding(branding)
        self.fault = ""
        for warning in self.branding.warnings:
            _log.warning("%s", warning)

    def title(self) -> str:
        """What pages are headed with: as the streamer says, else the event's name."""
        return self.branding.title or self.event_name() or "Tilecast"

    def head(self) -> dict[str, str]:
        """What stands on top of every page of viewers: the title, and where the logo is."""
        return {"title": self.title(), "logo": self.branding.logo.address("logo")}

    def dress(self, frame: Frame, pairing: Pairing | None = None) -> Frame:
        """A frame with what the files and the event say of its players, and of the event.

        ``pairing``: which game of the event it is, if any; what the file says goes before that.
        """
        entrants: list[tuple[str, int] | None] = [None, None]
        if pairing is not None:
            entrants = [(pairing.division, n) for n in (pairing.first, pairing.second)]
        cards = [
            self._card(player["name"], entrant)
            for player, entrant in zip(frame["players"], entrants, strict=True)
        ]
        dressed: Frame = {**frame, "cards": cards} if any(cards) else frame
        event = self._tournament.event
        next_game = event.get("next", {})
        if players := next_game.get("players"):
            cards = [self._card(name) for name in players]
            event = {**event, "next": {**next_game, "cards": cards}}
        headline = self._headline(pairing)
        if "round" in event:
            headline.pop("number", None)  # the streamer calls it otherwise
        event = {**headline, **event}
        return {**dressed, "event": event} if event else dressed

    def _headline(self, pairing: Pairing | None) -> EventHeadline:
        title = self.branding.title or (self.event_name() if pairing is not None else "")
        headline: EventHeadline = {"title": title} if title else {}
        if pairing is not None:
            headline["division"], headline["number"] = pairing.division, pairing.round
            headline["round"] = load_catalogue().text("screen", "round_number", round=pairing.round)
        return headline

    def _card(self, name: str, entrant: tuple[str, int] | None = None) -> PlayerCard | None:
        """What the file says of a player goes before what the event says."""
        known = self.event_cards().get(entrant or name, {})
        card: PlayerCard = {**known, **self._tournament.card(name)}
        photo = self.faces.address(name, card.pop("photo", ""))
        return ({**card, "photo": photo} if photo else card) or None

    def changed(self) -> bool:
        """Look at files and event again; whether there is something new to show."""
        cards = self.event_cards()
        renewed = cards is not self._told
        self._told = cards
        return self.faces.changed() | self._file_changed() | renewed

    def _file_changed(self) -> bool:
        stamp = _stamp(self._path)
        if self._path is not None and stamp != self._stamp:
            self._stamp = stamp
            try:
                self._waiting.append((self._now() + self._delay_ms, read_tournament(self._path)))
                self.fault = ""
            except NotationError as fault:
                self.fault = str(fault)
        return self._let_go()

    def _let_go(self) -> bool:
        before = self._tournament
        while self._waiting and self._waiting[0][0] <= self._now():
            _, self._tournament = self._waiting.popleft()
        return self._tournament is not before


def _stamp(path: Path | None) -> tuple[int, int] | None:
    if path is None:
        return None
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
