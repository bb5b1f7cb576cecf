"""All mirrored games at once: what comes next, by how urgent it is, and what to do without them.

One thread follows the log and folds; a few threads ask, each for one game at a time. Their service
may be slow or away for as long as it likes: a game waits in the log, and no table waits for it.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from dashboard.live.log_follower import Batch
from dashboard.woogles.client import RefusedError, UnreachableError, Woogles
from dashboard.woogles.following import PublicTables
from dashboard.woogles.kept import Kept, MirrorState
from dashboard.woogles.mirror import (
    GameFailsError,
    KeyRefusedError,
    Mirror,
    OurGame,
    Place,
    Target,
)
from recorder.backoff import Backoff
from recorder.texts import load_catalogue
from recorder.woogles import shapes

_TICK_S = 0.02
_CHOICES_S = 0.5
_WORKERS = 4
_PAUSES = Backoff(1.0, 60.0)
_FEED_READ_S, _MAY_NOT_S = 30.0, 600.0
"""Their feed is asked to be read so often at most; and where the key's account may not."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MirrorSettings:
    """``say`` gets what a person should read, once. ``now_ms``: milliseconds since 1970."""

    target: Target
    say: Callable[[str], object]
    now_ms: Callable[[], int]
    pauses: Backoff = _PAUSES


class Mirrors:
    """Every game that is mirrored, and the threads that do it."""

    def __init__(
        self, woogles: Woogles, kept: Kept, tables: PublicTables, how: MirrorSettings
    ) -> None:
        self._woogles, self._kept, self._tables, self._how = woogles, kept, tables, how
        self._batches: queue.SimpleQueue[Batch] = queue.SimpleQueue()
        self._mirrors: dict[str, Mirror] = {}
        self._known = {stand.game: stand for stand in kept.states()}
        self._busy: set[str] = set()
        self._last: dict[str, int] = {}
        self._steps = 0
        self._put_off_by: dict[str, tuple[int, float]] = {}
        self._wake = threading.Condition()
        self._stopping = False
        self._failures = 0
        self._paused_until = 0.0
        self._first = True
        self._played_before: set[str] = set()
        """Games that were over before anybody asked for a mirror; a correction does not ask."""
        self._looked = self._feed_again = 0.0
        self._differences: dict[str, str] = {}
        self._threads = [
            threading.Thread(target=self._work, name=f"woogles {number}", daemon=True)
            for number in range(_WORKERS)
        ]
        self._threads.append(threading.Thread(target=self._run, name="woogles", daemon=True))

    def deliver(self, batch: Batch) -> None:
        """Rows that followed; on the follower's thread."""
        self._batches.put(batch)

    def start(self) -> None:
        """Begin to mirror."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Finish the requests that are under way, and end."""
        with self._wake:
            self._stopping = True
            self._wake.notify_all()
        for thread in self._threads:
            thread.join()

    def places(self) -> dict[int, Place]:
        """Where the newest mirrored game of each table is in the broadcast, by table here."""
        with self._wake:
            stands = [mirror.stand for mirror in self._mirrors.values()]
        return {stand.table: stand.place for stand in stands if stand.place and stand.uid}

    def _run(self) -> None:
        while not self._stopping:
            try:
                self._tables.take(self._batches.get(timeout=_TICK_S))
                while True:
                    self._tables.take(self._batches.get_nowait())
            except queue.Empty:
                pass
            with self._wake:
                for ours in self._tables.changed():
                    self._take(ours)
                    self._wake.notify()
                self._first = self._first and not self._tables.is_current
                self._take_choices()

    def _take(self, ours: OurGame) -> None:
        mirror = self._mirrors.get(ours.game)
        if mirror is not None:
            mirror.take(ours)
            return
        known = self._known.get(ours.game)
        if known is None and ours.over and (self._first or ours.game in self._played_before):
            self._played_before.add(ours.game)
            return
        stand = known or MirrorState(game=ours.game, table=ours.table)
        self._mirrors[ours.game] = Mirror(
            ours, self._how.target, self._kept, self._how.now_ms, stand
        )

    def _take_choices(self) -> None:
        if time.monotonic() - self._looked < _CHOICES_S:
            return
        self._looked = time.monotonic()
        for choice in self._kept.taken_choices():
            if choice.game in self._mirrors:
                self._mirrors[choice.game].choose(choice)
                self._wake.notify()

    # --- the threads that ask ---

    def _work(self) -> None:
        while True:
            with self._wake:
                game = self._next()
                while game is None and not self._stopping:
                    self._wake.wait(self._patience_s())
                    game = self._next()
                if self._stopping or game is None:
                    self._woogles.close()
                    return
                self._busy.add(game)
                self._steps += 1
                self._last[game] = self._steps
            try:
                self._step(self._mirrors[game])
            finally:
                with self._wake:
                    self._busy.discard(game)
                    self._wake.notify()

    def _patience_s(self) -> float:
        return max(_TICK_S, min(1.0, self._paused_until - time.monotonic()))

    def _next(self) -> str | None:
        """The game whose step is the most urgent; of several the one that has waited longest."""
        now = time.monotonic()
        if now < self._paused_until:
            return None
        waiting = [
            (urgency, self._last.get(game, 0), game)
            for game, mirror in self._mirrors.items()
            if game not in self._busy
            and self._put_off_by.get(game, (0, 0.0))[1] <= now
            and (urgency := mirror.urgency) is not None
        ]
        return min(waiting)[2] if waiting else None

    def _step(self, mirror: Mirror) -> None:
        try:
            mirror.step(self._woogles)
            self._say_difference(mirror)
            if mirror.is_tried_again:
                self._have_feed_read(mirror.stand)
                self._put_off(mirror, "")
                return
        except GameFailsError as fault:
            self._put_off(mirror, str(fault))
            return
        except UnreachableError as fault:
            with self._wake:
                mirror.away(str(fault))
                self._pause(fault)
            return
        except Exception:  # noqa: BLE001  # one game must not end the others
            _log.exception("mirroring %s failed", mirror.stand.game)
            self._put_off(mirror, "this game fails here: see the messages of tilecast woogles")
            return
        with self._wake:
            self._put_off_by.pop(mirror.stand.game, None)
            if self._failures:
                self._failures = 0
                self._how.say("Woogles answers again")

    def _say_difference(self, mirror: Mirror) -> None:
        """A difference is said once; it is on the director's page until it ends."""
        stand = mirror.stand
        found = stand.difference or {"key": ""}
        if found["key"] and found["key"] != self._differences.get(stand.game):
            text = load_catalogue().text(
                "need", f"mirror_is_{found['what']}", turn=found["turn"], service="Woogles"
            )
            sides = f"there: {found['theirs']}; here: {found['ours']}"
            self._how.say(f"table {stand.table}: {text}; {sides}")
        self._differences[stand.game] = found["key"]

    def _have_feed_read(self, stand: MirrorState) -> None:
        """A round paired here is in their feed only when they have read it again."""
        is_missing = stand.difference is not None and stand.difference["what"] == "players"
        with self._wake:
            if not is_missing or time.monotonic() < self._feed_again:
                return
            self._feed_again = time.monotonic() + _FEED_READ_S
        try:
            self._woogles.ask(shapes.trigger_poll(self._how.target.slug))
        except UnreachableError:
            pass  # they may wait longer for the feed than we for them
        except RefusedError as fault:
            if fault.code == "permission_denied":  # they read it by themselves now and then
                self._feed_again = time.monotonic() + _MAY_NOT_S

    def _put_off(self, mirror: Mirror, why: str) -> None:
        """Leave one game for a while; the others go on."""
        game = mirror.stand.game
        with self._wake:
            mirror.away(why)
            failures = self._put_off_by.get(game, (0, 0.0))[0] + 1
            until = time.monotonic() + self._how.pauses.after(failures)
            self._put_off_by[game] = failures, until

    def _pause(self, fault: UnreachableError) -> None:
        if not self._failures:
            self._how.say(f"{fault}; trying again, nothing is lost")
        self._failures += 1
        longest = self._how.pauses.longest
        pause = max(fault.after_s, self._how.pauses.after(self._failures))
        if isinstance(fault, KeyRefusedError):
            pause = longest
        self._paused_until = time.monotonic() + pause
