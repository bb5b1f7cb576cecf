"""What is known of every device: by its messages on the bus, by its rows in the log.

Pure: messages, rows and the time come in from the one who listens; a lock is theirs.
"""

from collections.abc import Iterable
from dataclasses import replace

from recorder.contiguity import StoredNumbers
from recorder.domain.errors import DeviceError
from recorder.domain.instruments import DeviceRole, EventsMissing
from recorder.domain.observations import (
    BoardNotSeen,
    BoardSeen,
    ClockSynced,
    DeviceBack,
    DeviceLost,
)
from recorder.domain.orders import Decide, Order, TableOrder, Undo
from recorder.domain.record import Observed, OrderCarriedOut
from recorder.domain.row_kind import Kind
from recorder.domain.rulings.in_force import Ruling, settled_rows
from recorder.log.port import Row
from recorder.projections.health.device_health import Expected, VenueHealth, health_of
from recorder.projections.health.last_heard import (
    BEAT_MS,
    SILENT_MS,
    HeardDevice,
    LastEvent,
    LastLook,
    LastSync,
    square_px,
)
from recorder.wire.control import (
    RecorderState,
    decode_device_info,
    decode_device_state,
    decode_heartbeat,
)

_LOOKS = ("board.seen", "board.not_seen")
_MOST_STRANGERS = 2000


class HeardDevices:
    """All that was heard, by device; of whom nobody knows yet that they are expected, too."""

    def __init__(self) -> None:
        self._heard: dict[str, HeardDevice] = {}
        self._stored: dict[str, StoredNumbers] = {}
        self._lacks: dict[str, tuple[int, tuple[EventsMissing, int]]] = {}
        self._rulings: list[Ruling] = []
        self._unstored_ms = 0
        """When a recorder last could not store what devices say."""

    def take_message(self, topic: str, payload: bytes, now_ms: int) -> None:
        """A device's state, info or heartbeat; what cannot be read is passed over."""
        _, device, channel = topic.rsplit("/", 2)
        if device not in self._heard and len(self._heard) >= _MOST_STRANGERS:
            return
        before = self._heard.get(device, HeardDevice())
        try:
            match channel:
                case "state":
                    after = replace(before, state=decode_device_state(payload))
                case "info":
                    after = replace(before, info=decode_device_info(payload))
                case _:
                    after = before.beaten(decode_heartbeat(payload), now_ms)
        except DeviceError:
            return  # the recorder tells who sends what cannot be read
        self._heard[device] = after

    def take_row(self, row: Row) -> None:
        """A row of the log: the newest event of its device, its newest look, its time."""
        match row.says:
            case Observed(what=EventsMissing() as missing):
                self._miss(missing, row)
            case Observed(what=DeviceLost() | DeviceBack() as news):
                before = self._heard.get(news.device, HeardDevice())
                floods = isinstance(news, DeviceLost) and news.reason.code == "floods"
                self._heard[news.device] = replace(before, floods=floods)
            case OrderCarriedOut(order=TableOrder(order=Order(act=Decide() | Undo()))) as says:
                self._rulings.append(Ruling.of(says, seq=row.seq, at_ms=row.at))
                self._tell_lacks()
        if row.kind is not Kind.OBSERVED or row.key is None:
            return
        before = self._heard.get(row.device, HeardDevice())
        late_ms = max(0, row.received - row.at)
        event = LastEvent(what=row.type, at_ms=row.at, delay_ms=late_ms)
        look = _look_of(row, before.look) if row.type in _LOOKS else before.look
        sync = _sync_of(row) if row.type == "time.sync" else before.sync
        self._heard[row.device] = replace(before, event=event, look=look, sync=sync)
        _, boot, number = row.key
        self._stored.setdefault(row.device, StoredNumbers()).take(boot, number, row.received)

    def _miss(self, missing: EventsMissing, row: Row) -> None:
        self._lacks[missing.device] = (row.seq if missing.count else 0), (missing, row.at)
        self._tell_lacks()

    def _tell_lacks(self) -> None:
        """What is missing of each device, unless it came, or a ruling in force has settled it."""
        settled = settled_rows(self._rulings) | {0}
        for device, (row, lacks) in self._lacks.items():
            before = self._heard.get(device, HeardDevice())
            self._heard[device] = replace(before, missing=None if row in settled else lacks)

    def beating(self, now_ms: int) -> set[str]:
        """Who has sent heartbeats, for as long as two of one name need to be heard both."""
        return {
            name
            for name, heard in self._heard.items()
            if heard.first_ms is not None and now_ms - heard.first_ms > BEAT_MS
        }

    def health(
        self,
        expected: Iterable[Expected],
        recorder: RecorderState | None,
        broker: str,
        now_ms: int,
    ) -> VenueHealth:
        """The verdict on those expected; ``broker`` is why nothing is heard, else empty.

        That events wait, or waited, while nothing could be stored is no fault of their devices.
        """
        if recorder is not None and recorder.fault:
            self._unstored_ms = now_ms
        heard = {
            name: self._unburdened(self._as_stored(name, known), now_ms)
            for name, known in self._heard.items()
        }
        return health_of(tuple(expected), heard, recorder, broker, now_ms)

    def must_hear_on(self, now_ms: int) -> bool:
        """Whether a few heartbeats more will show that some device is two, or hears nothing."""
        known = [self._as_stored(name, heard) for name, heard in self._heard.items()]
        waits = [boot for heard in known for boot in heard.waits]
        return any(heard.may_be_twofold(now_ms) for heard in known) or any(
            boot.is_suspect(now_ms) and not boot.is_deaf(now_ms) for boot in waits
        )

    def _as_stored(self, name: str, heard: HeardDevice) -> HeardDevice:
        """With since when the log holds what the device still waits with."""
        stored = self._stored.get(name, StoredNumbers())
        waits = tuple(
            replace(boot, stored_ms=stored.since_ms(boot.beat.boot, boot.first))
            for boot in heard.waits
        )
        return replace(heard, waits=waits)

    def _unburdened(self, heard: HeardDevice, now_ms: int) -> HeardDevice:
        event, beat = heard.event, heard.beat
        if event is not None and event.at_ms <= self._unstored_ms:
            heard = replace(heard, event=replace(event, delay_ms=0))
        if beat is not None and now_ms - self._unstored_ms <= SILENT_MS:
            heard = replace(heard, beat=replace(beat, outbox=0), waits=())
        return heard


def expected_by(recorder: RecorderState | None) -> tuple[Expected, ...]:
    """The devices that a recorder expects, by what it says of itself; lines of others are left."""
    found = []
    for line in () if recorder is None else recorder.devices:
        table, _, rest = line.partition(" ")
        role, _, name = rest.partition(" ")
        if table.isdecimal() and role in set(DeviceRole) and name:
            found.append(Expected(name=name, role=DeviceRole(role), table=int(table)))
    return tuple(found)


def _sync_of(row: Row) -> LastSync | None:
    match row.says:
        case Observed(what=ClockSynced(error_ms=error_ms, drift_ppm=drift_ppm)):
            return LastSync(error_ms=error_ms, drift_ppm=drift_ppm or 0.0)
        case _:
            return None


def _look_of(row: Row, before: LastLook | None) -> LastLook | None:
    match row.says:
        case Observed(what=BoardSeen() as seen):
            return LastLook(
                square_px=square_px(seen.corners),
                pose_score=seen.pose_score,
                notes=seen.notes,
            )
        case Observed(what=BoardNotSeen(reason=reason, picture=picture)):
            since_ms = before.unseen_ms if before is not None and before.unseen else row.at
            return LastLook(unseen=str(reason), unseen_ms=since_ms, has_picture=bool(picture))
        case _:
            return None
