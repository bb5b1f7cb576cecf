"""When something was on the recorder's clock, and whether the clocks at the tables can be believed.

A device stamps its events with its own milliseconds; it compares them with the recorder's by the
answers to its heartbeats and says the result (``time.sync``). Until it has, the smallest difference
seen between arrival and stamp must do. Folds rows; must not know the bus or the log.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from recorder.domain.errors import DeviceError
from recorder.domain.game import Conceded, EndRackPenalty, EndRackPoints, TimePenalty
from recorder.domain.limits import LONGEST_MS
from recorder.domain.notices import coded
from recorder.domain.observations import (
    ClockAct,
    ClockChanged,
    ClockDoubted,
    ClockFault,
    ClockPressed,
    ClockSynced,
    Observation,
    Side,
)
from recorder.domain.orders import EndGame
from recorder.domain.reading.clock_trust import (
    MOST_PPM,
    ClockFinding,
    ClockTrust,
    check_clock,
    check_replaced,
    check_start,
)
from recorder.domain.record import GameStarted, Observed, OrderCarriedOut, Recorded
from recorder.domain.row_kind import Kind
from recorder.log.port import Row
from recorder.recent import ByBoot
from recorder.wire.control import Heartbeat, TimeReply
from recorder.wire.envelope import Envelope
from recorder.wire.observations import decode_observation

SYNC_TYPE = "time.sync"
CLOCK_TYPES = ("clock.press", "clock.change")
_SAID_AGAIN_MS = 60_000
_OF_ITS_OWN_TIME = (ClockFault.DRIFT, ClockFault.BACKWARDS)
"""What says nothing of the time left at this moment."""
_LATEST_MS = 2_000
"""A comparison that puts the quickest arrival so long after its event cannot be right."""

BootOfDevice = tuple[str, str]
"""A device and its boot."""


@dataclass(slots=True)
class Times:
    """The offset of every device in every boot: recorder minus device, in milliseconds.

    ``recall`` gives what of a boot is stored already, its comparisons alone: another recorder may
    have heard them.
    """

    recall: Callable[[str, str], Iterable[Row]] = lambda _device, _boot: ()
    _arrivals: ByBoot[int] = field(default_factory=ByBoot)
    _syncs: ByBoot[ClockSynced] = field(default_factory=ByBoot)

    def heard(self, device: str, beat: Heartbeat, received_ms: int) -> None:
        """Account for a heartbeat, which is stamped when it leaves.

        Events are often stamped long before: what must hold still is reported when it has.
        """
        self._note((device, beat.boot), received_ms - beat.t_ms)

    def knows(self, event: Envelope) -> bool:
        """Whether an event's time can be known by more than its own arrival."""
        key = (event.dev, event.boot)
        if key not in self._arrivals:
            for row in self.recall(*key):
                self.remember(row)
        return key in self._arrivals

    def at(self, event: Envelope, received_ms: int) -> int:
        """When an event was, on the recorder's clock; never after it came in.

        A time more than a week before that is the fault of a clock: then the arrival counts.
        """
        key = (event.dev, event.boot)
        arrival_ms = received_ms - event.t_ms
        self._note(key, arrival_ms)
        if event.type == SYNC_TYPE:
            self._learn(key, _decoded(event), arrival_ms)
        sync = self._syncs.get(key)
        if sync is None:
            return event.t_ms + (self._arrivals.get(key) or 0)
        since_ms = event.t_ms - sync.device_ms
        gained_ms = since_ms * (sync.drift_ppm or 0.0) / 1e6
        at_ms = round(event.t_ms + sync.offset_ms - gained_ms)
        return at_ms if received_ms - LONGEST_MS <= at_ms <= received_ms else received_ms

    def remember(self, row: Row) -> None:
        """A stored row: what was learned from it before a restart."""
        if row.key is None:
            return
        key = (row.key[0], row.key[1])
        offset_ms = row.at - row.device_ms
        self._note(key, offset_ms)
        if row.type == SYNC_TYPE and isinstance(row.says, Observed):
            self._learn(key, row.says.what, offset_ms)

    def _note(self, key: BootOfDevice, offset_ms: int) -> None:
        """Keep the quickest arrival; a week from it the clock was set, or never reported a time."""
        known_ms = self._arrivals.get(key)
        if known_ms is None:
            known_ms = offset_ms
        is_other = abs(offset_ms - known_ms) > LONGEST_MS
        self._arrivals[key] = offset_ms if is_other else min(known_ms, offset_ms)

    def _learn(self, key: BootOfDevice, sync: Observation | None, arrival_ms: int) -> None:
        """Take a comparison, unless its own arrival shows that it cannot be right.

        Nothing comes in before it happened. Where earlier arrivals say otherwise, one of the two
        clocks was set since: they are forgotten.
        """
        if not isinstance(sync, ClockSynced) or sync.reference != "recorder":
            return
        soonest_ms = self._arrivals.get(key)
        if soonest_ms is None:
            return
        slack_ms = sync.error_ms + TOLERATED_MS
        if sync.offset_ms > arrival_ms + slack_ms or sync.offset_ms < soonest_ms - _LATEST_MS:
            return
        self._syncs[key] = sync
        if sync.offset_ms > soonest_ms + slack_ms:
            self._arrivals[key] = arrival_ms


TOLERATED_MS = 250
"""Drift over hours moves the offset above the quickest arrival by so much, without a fault."""


def time_reply(beat: Heartbeat, received_ms: int, sent_ms: int) -> TimeReply:
    """The answer to a heartbeat; the device makes a comparison of four stamps of it."""
    return TimeReply(t_ms=beat.t_ms, received_ms=received_ms, sent_ms=max(received_ms, sent_ms))


@dataclass(slots=True)
class ClockWatch:
    """Reads every row of clocks and says which of them lie; each kind once a minute at most."""

    exempt: frozenset[int] = frozenset()
    """Tables whose times left are not judged: simulated ones, whose players think faster than time.

    The clock's own time is judged there too."""
    _trust: ByBoot[ClockTrust] = field(default_factory=ByBoot)
    _at_table: dict[int, tuple[str, BootOfDevice, ClockTrust]] = field(default_factory=dict)
    """By table its game, the clock that spoke last, and what it said, by the recorder's time."""
    _began: dict[int, tuple[str, tuple[int, int] | None]] = field(default_factory=dict)
    """By table its game, and the times at the left and right that its clock is to start with; None
    once it was started, or set."""
    _said: dict[tuple[str, ClockFault], int] = field(default_factory=dict)

    def take(self, row: Row) -> list[ClockDoubted]:
        """One more row in the order of the log; what cannot be right about it."""
        if _ends_game(row):
            self._at_table.pop(row.table, None)  # whatever the clock shows now, nobody plays by it
        if isinstance(row.says, GameStarted):
            self._begin(row.says)
        if row.kind is not Kind.OBSERVED or row.key is None:
            return []
        device, boot, _ = row.key
        says = row.says if row.type in (*CLOCK_TYPES, SYNC_TYPE) else None
        said = says.what if isinstance(says, Observed) else None
        if isinstance(said, ClockSynced):
            return self._news(device, _too_fast(said), row.at)
        if not isinstance(said, ClockPressed | ClockChanged) or row.table in self.exempt:
            return []
        before = self._trust.get((device, boot))
        trust, found = check_clock(before, said, t_ms=row.device_ms)
        self._trust[device, boot] = trust
        by_ms = (0, 0) if before is None else before.to_add(said, row.device_ms)
        game, clock, last = self._at_table.get(row.table, ("", ("", ""), None))
        if last is not None and game == row.game and clock != (device, boot):
            found = (*found, *check_replaced(last, said, at_ms=row.at))
            by_ms = last.to_add(said, row.at)
        if (starts_ms := self._starts(row, said)) is not None:
            found = (*found, *check_start(said, *starts_ms))
            by_ms = (starts_ms[0] - said.left_ms, starts_ms[1] - said.right_ms)
        self._at_table[row.table] = (row.game, (device, boot), replace(trust, t_ms=row.at))
        return self._news(device, found, row.at, by_ms)

    def _begin(self, started: GameStarted) -> None:
        """A game begins, or who sits where is said better."""
        game, starts_ms = self._began.get(started.table, ("", None))
        if game != started.game or starts_ms is not None:
            first, second = started.starts_ms
            starts_ms = (first, second) if started.left_player == 0 else (second, first)
            self._began[started.table] = (started.game, starts_ms)

    def _starts(self, row: Row, said: ClockPressed | ClockChanged) -> tuple[int, int] | None:
        """The times that a clock is to show that starts its game with a row; None if it does not.

        One that somebody set to other times may show what it likes.
        """
        game, starts_ms = self._began.get(row.table, ("", None))
        is_set = isinstance(said, ClockChanged) and said.act is ClockAct.ADJUST
        if game != row.game or (said.running is Side.NONE and not is_set):
            return None
        self._began[row.table] = (game, None)
        return None if is_set else starts_ms

    def _news(
        self,
        device: str,
        found: Iterable[ClockFinding],
        at_ms: int,
        by_ms: tuple[int, int] = (0, 0),
    ) -> list[ClockDoubted]:
        news = []
        for fault, detail in found:
            last_ms = self._said.get((device, fault))
            if last_ms is None or at_ms - last_ms >= _SAID_AGAIN_MS:
                self._said[device, fault] = at_ms
                left_ms, right_ms = (0, 0) if fault in _OF_ITS_OWN_TIME else map(_bounded, by_ms)
                doubt = ClockDoubted(
                    device=device,
                    fault=fault,
                    detail=detail,
                    left_by_ms=left_ms,
                    right_by_ms=right_ms,
                )
                news.append(doubt)
        return news


def _bounded(by_ms: int) -> int:
    """As far as a row can say it: a device's time may have jumped by years."""
    return max(-LONGEST_MS, min(by_ms, LONGEST_MS))


def _ends_game(row: Row) -> bool:
    """Whether a row says that a game has come to its end."""
    match row.says:
        case Recorded(event=EndRackPoints() | EndRackPenalty() | TimePenalty() | Conceded()):
            return True
        case OrderCarriedOut(order=order):
            return isinstance(order.order.act, EndGame)
    return False


def _too_fast(sync: ClockSynced) -> tuple[ClockFinding, ...]:
    if sync.drift_ppm is None or abs(sync.drift_ppm) <= MOST_PPM:
        return ()
    code = "time_gains" if sync.drift_ppm > 0 else "time_loses"
    detail = coded(code, ppm=round(abs(sync.drift_ppm)), reference=sync.reference)
    return ((ClockFault.DRIFT, detail),)


def _decoded(event: Envelope) -> Observation | None:
    try:
        return decode_observation(event.type, event.data)
    except DeviceError:
        return None
