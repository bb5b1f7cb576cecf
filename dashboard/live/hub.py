"""Live updates: a snapshot, then what changed, numbered so that a page notices a gap.

One ``Hub`` per process folds the log once for all viewers. Everything here runs on the event
loop; only ``LogFollower`` is a thread, and it hands its batches over.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from dashboard.auth.access import Role
from dashboard.commentator.analysis import Analysis
from dashboard.commentator.model import CommentatorView, chances_to_win
from dashboard.live.aired import AiredGame, AiredGames
from dashboard.live.health import health_of
from dashboard.live.log_follower import Batch, DelayLine
from dashboard.live.messages.channel import Channel
from dashboard.live.public_games import PublicGames
from dashboard.live.sensor_state import SensorState
from dashboard.live.served_tables import ServedTables
from dashboard.live.views import commentator_model, director_model
from dashboard.live.watched import SheetCache, glimpse, pairing_of
from recorder.domain.event.seating import Pairing
from recorder.frames.desk import OverlayHealth
from recorder.frames.phones import ClockHeard, Setup
from recorder.frames.public import Frame, Glimpse, WatchModel
from recorder.log.port import Row
from recorder.projections.broadcast import ClockReading, Projection
from recorder.projections.timeline import Timeline
from recorder.texts import names_shown
from recorder.wire.row_heads import STARTED_TYPE

MOST_VIEWERS = 1200
"""Open pages of overlays, spectators and staff; ``dashboard.web.doors`` shares them out."""
_MOST_IDLE = 64
_MOST_LISTED = 60
AUDIENCES = (Role.VIEWER, Role.OVERLAY, Role.COMMENTATOR, Role.DIRECTOR)
"""Who has a channel of their own; an overlay's is the public one with the racks."""
PUBLIC = (Role.VIEWER, Role.OVERLAY)
"""The channels that are late by the delay."""


FrameDecorator = Callable[[Frame, Pairing | None], Frame]
"""Adds to a public frame what the streamer gives, such as players' records, and its event."""


class _Table:
    """One table: the public's fold, which may be late, the director's, and three channels."""

    def __init__(
        self,
        table: int,
        delay_ms: int,
        dress: FrameDecorator,
        analysis: Analysis,
        games: PublicGames,
    ) -> None:
        self._games = games
        self._table = table
        self._delay_ms = delay_ms
        self._dress = dress
        self._analysis = analysis
        self.channels = {role: Channel() for role in AUDIENCES}
        self.watched = Channel()
        self.glimpse: Glimpse | None = None
        self._has_rows = False
        self.forget()

    def forget(self) -> None:
        """Another log: fold from nothing. What pages show stays until there is something new."""
        self._line = DelayLine(self._delay_ms)
        self._broken: int | None = None
        self._public = Projection(self._table)
        self._ahead: set[int] = set()
        self.aired = AiredGames()
        self._sheet = SheetCache()
        self.live = Projection(self._table) if self._delay_ms else self._public
        self._timeline = Timeline(self._table)
        self._senses = SensorState(self._table)
        self.commentator = CommentatorView(self._analysis)

    @property
    def is_idle(self) -> bool:
        """Whether the log has no row of it and no page is open."""
        channels = (self.watched, *self.channels.values())
        return not self._has_rows and not any(channel.viewers for channel in channels)

    def take(self, row: Row) -> None:
        self._has_rows = True
        self._timeline.advance(row)
        self._senses.advance(row)
        self._line.put(row)
        if self.live is not self._public:
            self.live.advance(row)

    def lose_sight_of(self, device: str) -> None:
        """A device serves another table by now: how it was is no longer reported here."""
        self._timeline.forget_device(device)

    def release(self, now: int) -> bool:
        """Fold what the public may see by now; whether there was anything."""
        released = False
        for row, as_of in self._line.due(now):
            if row.type == STARTED_TYPE:
                self._games.take(self._table, self._public)
            self._public.advance(row, as_of=as_of)
            self._ahead = {seq for seq in (*self._ahead, row.seq) if seq > as_of}
            if self._games.is_over(self._table, row.game) and not self._shows(row.game):
                self._games.changed.add((self._table, row.game))
            self.aired.take(self._public, row.received + self._delay_ms)
            released = True
        if released:
            self._games.take(self._table, self._public)
        return released

    def _shows(self, game: str) -> bool:
        return self._public.started is not None and self._public.started.game == game

    @property
    def rows(self) -> Sequence[int]:
        return self._senses.rows

    def setup(self, now: int) -> Setup | None:
        started, frame = self.live.started, self.live.frame()
        if started is None or frame is None:
            return None
        return {
            "game": started.game,
            "players": list(names_shown(started.players)),
            "left_player": started.left_player,
            "starts_ms": list(started.starts_ms),
            "clock": _heard(self.live.clock, started.left_player, now),
            "overtime": self.live.overtime,
            "letters": list(frame["tile_set"]["values"]),
        }

    def publish(self, broken: int | None = None) -> None:
        self._broken = broken or self._broken
        public, live = self._public, self.live
        frame = public.frame()
        shown: Frame | None = None
        if frame is not None:
            shown = {**self._dress(frame, pairing_of(public)), "highest": self._games.highest}
        if shown is not None and self._analysis.show_best:
            best = self.commentator.best_of_last_turn(public)
            chances, accuracy = chances_to_win(public), self.commentator.accuracies(public)
            shown = {**shown, "best": best, "chances": chances, "accuracy": accuracy}
        self.channels[Role.VIEWER].publish(public.epoch, public.seq, shown)
        if shown is not None:
            watched: WatchModel = {**shown, "sheet": self._sheet.of(public.lines)}
            self.watched.publish(public.epoch, public.seq, watched)
            self.glimpse = glimpse(shown)
        with_racks = None if shown is None else {**shown, "racks": public.racks.on_air()}
        self.channels[Role.OVERLAY].publish(public.epoch, public.seq, with_racks)
        live_frame = frame if live is public else live.frame()
        dressed = None if live_frame is None else self._dress(live_frame, pairing_of(live))
        commentator = commentator_model(dressed, live, self.commentator)
        self.channels[Role.COMMENTATOR].publish(live.epoch, live.seq, commentator)
        director = director_model(live_frame, live, self._timeline, self._senses, self._broken)
        director["air"] = {
            "seq": 0 if shown is None else public.seq,
            "ahead": sorted(self._ahead),
            "delay_ms": self._delay_ms,
        }
        self.channels[Role.DIRECTOR].publish(live.epoch, director["log"]["seq"], director)


def _heard(clock: ClockReading, left_player: int, now: int) -> ClockHeard | None:
    """A clock's last word for one that takes its place."""
    if not clock.heard:
        return None
    side: Literal["L", "R", "N"] = "N"
    if clock.running is not None:
        side = "L" if clock.running == left_player else "R"
    left, right = clock.remaining_ms if left_player == 0 else clock.remaining_ms[::-1]
    return {"left_ms": left, "right_ms": right, "running": side, "ago_ms": max(0, now - clock.at)}


class Hub:
    """All tables of one log. ``now`` shows milliseconds since 1970."""

    def __init__(
        self,
        delay_ms: int,
        now: Callable[[], int],
        dress: FrameDecorator = lambda frame, _: frame,
        analysis: Analysis | None = None,
    ) -> None:
        self.delay_ms = delay_ms
        self.now = now
        self._dress = dress
        self._analysis = analysis or Analysis()
        self._tables: dict[int, _Table] = {}
        self.games = PublicGames()
        self._highest: int | None = None
        self._touched: set[int] = set()
        self._served = ServedTables()
        self.following = False
        self.broken: int | None = None
        self.hall = Channel()
        self._shown = 0

    def take(self, batch: Batch) -> None:
        """Rows arrived.

        Nothing is published before the end of the log is reached: a page that comes back must not
        see the game in fast motion.
        """
        if batch.anew:
            self.following = False
            self.games.clear()
            self._served = ServedTables()
            for table in self._tables.values():
                table.forget()
        self.broken = batch.broken
        for row in batch.rows:
            self._table(row.table).take(row)
            self._touched.add(row.table)
            gone = self._served.moved_by(row)
            if gone is not None:
                device, left = gone
                self._table(left).lose_sight_of(device)
                self._touched.add(left)
        for number in self._touched:
            self._tables[number].release(self.now())
        if batch.caught_up:
            self.following = True
            self._publish([self._tables[number] for number in self._touched])
            self._touched.clear()
            self._publish_hall()

    def tick(self) -> None:
        """Let go what has become old enough for the public. Nothing to do without a delay."""
        if self.following and self.delay_ms:
            released = [table for table in self._tables.values() if table.release(self.now())]
            self._publish(released)
            if released:
                self._publish_hall()

    def refresh(self) -> None:
        """What frames are dressed with has changed: tell the pages."""
        if self.following:
            for table in self._tables.values():
                table.publish()
            self._publish_hall()

    def take_game(self, table: int, game: Projection) -> None:
        """A finished game as it is now, folded again because it was corrected."""
        self.games.take_game(table, game)
        self._table(table).aired.take(game, self.now())
        self._publish(())

    def _publish(self, tables: Iterable[_Table]) -> None:
        """Tell their pages; those of all tables where what stands on all of them is another now.

        Else the next row of such a table, which the public may not know of yet, would bring it.
        """
        before, self._highest = self._highest, self.games.highest
        for table in tables if before == self._highest else list(self._tables.values()):
            table.publish(self.broken)

    def _publish_hall(self) -> None:
        self._shown += 1
        tables = {
            str(number): table.glimpse
            for number, table in sorted(self._tables.items())
            if table.glimpse is not None
        }
        self.hall.publish("hall", self._shown, {"tables": tables})

    def public_frames(self) -> dict[int, Mapping[str, Any]]:
        """By table, what its public sees now; only tables where there is something to see."""
        models = {n: table.channels[Role.VIEWER].model for n, table in self._tables.items()}
        return {number: model for number, model in models.items() if model is not None}

    def overlays(self) -> list[OverlayHealth]:
        """Every open overlay page and how it is: see ``dashboard.live.health``."""
        now = self.now()
        pages = [
            health_of(viewer.health, number, channel.seq, now)
            for number, table in self._tables.items()
            for channel in (table.watched, *(table.channels[role] for role in PUBLIC))
            for viewer in channel.viewers
            if "at" in viewer.health
        ]
        # Anybody may open a page and say what it is: OBS and those open longest come first.
        oldest = sorted(pages, key=lambda page: (not page["obs"], page["since"]))[:_MOST_LISTED]
        return sorted(oldest, key=lambda page: (page["slot"], page["scene"], page["since"]))

    def channel(self, table: int, role: Role) -> Channel:
        """The channel of an audience at a table, whether the log knows that table yet or not."""
        return self._table(table).channels[role]

    def frame(self, table: int) -> Mapping[str, Any] | None:
        """What the public of a table sees now; None of a table that the log does not know."""
        known = self._tables.get(table)
        return None if known is None else known.channels[Role.VIEWER].model

    def watched(self, table: int) -> Channel:
        """The public frame of a table with its score sheet; late by the delay."""
        return self._table(table).watched

    def aired(self, table: int) -> Sequence[AiredGame]:
        """The games of a table as the public has had them, with the time of every line."""
        known = self._tables.get(table)
        return () if known is None else tuple(known.aired.games)

    def channel_now(self, role: Role) -> int:
        """The time that a channel lives in: the public's is late by the delay."""
        return self.now() - (self.delay_ms if role in PUBLIC else 0)

    def tables(self) -> list[int]:
        """The tables of which the log knows a game, by number."""
        known = (number for number, table in self._tables.items() if table.setup(0) is not None)
        return sorted(known)

    def commentator(self, table: int) -> tuple[Projection, CommentatorView]:
        """A table as it is now and what commentators know of it; never for the public."""
        return self._table(table).live, self._table(table).commentator

    def rows_of(self, table: int) -> Sequence[int]:
        """The numbers of the rows of its present game; empty until the log's end is met."""
        known = self._tables.get(table)
        return tuple(known.rows) if known is not None and self.following else ()

    def is_on(self, table: int) -> bool:
        """Whether a game is on at a table as it is now."""
        known = self._tables.get(table)
        frame = None if known is None else known.live.frame()
        return frame is not None and frame["phase"] != "over"

    def setup(self, table: int) -> Setup | None:
        """What a phone at the table must know of the game that is on there; never late."""
        known = self._tables.get(table)
        return None if known is None else known.setup(self.now())

    def viewers(self) -> int:
        """How many pages are open."""
        channels = (
            channel
            for table in self._tables.values()
            for channel in (table.watched, *table.channels.values())
        )
        return len(self.hall.viewers) + sum(len(channel.viewers) for channel in channels)

    def _table(self, number: int) -> _Table:
        if number not in self._tables:
            # Whoever asks for tables that are none makes them: few stay that nobody looks at.
            idle = [known for known, table in self._tables.items() if table.is_idle]
            for known in idle[:-_MOST_IDLE]:
                del self._tables[known]
            self._tables[number] = _Table(
                number, self.delay_ms, self._dress, self._analysis, self.games
            )
        return self._tables[number]
