"""A table clock on a byte link: its events into the outlet, each once and in order.

The clock keeps an event until it hears an ACK; it hears one only when the outlet has the event on
disk. The clock is the authority for the times left; nothing is counted here. Must not know what
a press means for the game.
"""

import logging
import secrets
from dataclasses import dataclass, replace

from devices.clocks.ack_mark import AckMark, AckMarkFile
from devices.clocks.sequencer import Acknowledge, EventSequencer, GivenUp, Missing, Step
from devices.link.serial_device import LineDevice
from devices.link.timelink import SyncTeller, TimeLink, asked_by_reference
from devices.ports import ByteLink, DeviceHealth, Outlet, Ticks
from devices.tcc1.framing import TccFrame
from devices.tcc1.messages import (
    Ack,
    Beep,
    Body,
    Event,
    Heartbeat,
    Resend,
    Run,
    SetTimes,
    Sync,
    SyncReply,
)
from recorder.domain.errors import DeviceError
from recorder.domain.notices import coded
from recorder.domain.observations import (
    Acted,
    Announced,
    ClockChanged,
    ClockDoubted,
    ClockFault,
    ClockPressed,
    Side,
)
from recorder.wire.control import Command

_LOG = logging.getLogger(__name__)

_SYNC_FAST_MS, _SYNC_SLOW_MS = 1_000, 10_000
_ENOUGH_EXCHANGES = 16
_MOST_MS = 999_999_999


@dataclass(slots=True)
class _Session:
    """What is known of the clock in its present boot."""

    dev: str
    sequencer: EventSequencer
    time: TimeLink
    teller: SyncTeller
    battery_percent: int | None = None


class SerialClock(LineDevice):
    """A TCC1 clock. Observations are stamped in the agent's milliseconds, ``ticks``.

    Commands: set {left_ms, right_ms}, run {side: L|R|N}, beep {ms}.
    """

    kind = "serial-clock"
    mute = "mute_clock"
    commands = ("set", "run", "beep")

    def __init__(
        self, name: str, link: ByteLink, outlet: Outlet, marks: AckMarkFile, ticks: Ticks
    ) -> None:
        super().__init__(name, link, outlet, ticks)
        self._marks = marks
        self._boot = secrets.token_hex(4)
        self._session: _Session | None = None
        self._sync_ids = 0
        self._sync_sent: tuple[int, int] = (0, -_SYNC_SLOW_MS)

    def health(self) -> DeviceHealth:
        """See ``Device``."""
        session = self._session
        battery = session.battery_percent if session else None
        return replace(super().health(), battery_percent=battery)

    def _line(self, frame: TccFrame, at_ms: int) -> None:
        session = self._session
        if session is None or (session.dev, session.sequencer.boot) != (frame.dev, frame.boot):
            session = self._session = self._meet(frame)
        self._heard_ms = at_ms
        session.time.arrived(frame.t_ms, at_ms)
        match frame.body:
            case ClockPressed() | ClockChanged() | Announced() | Acted():
                self._take(session, session.sequencer.event(frame, at_ms))
            case Heartbeat() as beat:
                session.battery_percent = min(beat.battery_percent, 100)
                self._take(session, session.sequencer.heartbeat(beat, at_ms))
            case SyncReply() as reply:
                self._synced(session, reply, at_ms)

    def _meet(self, line: TccFrame) -> _Session:
        mark = self._marks.load()
        upto = 0
        if mark is not None and mark.boot == line.boot:
            upto = mark.upto(self._outlet.boot, self._outlet.seq_high)
        _LOG.info("%s: clock %s, boot %s, kept up to %d", self.name, line.dev, line.boot, upto)
        return _Session(
            dev=line.dev,
            sequencer=EventSequencer(line.boot, upto),
            time=TimeLink(),
            teller=SyncTeller("agent"),
        )

    def _take(self, session: _Session, steps: list[Step]) -> None:
        kept = 0
        for step in steps:
            match step:
                case TccFrame():
                    self._keep(session, step)
                    kept = step.seq
                case Acknowledge(upto=upto):
                    kept = upto
                case Missing(first=first, last=last):
                    self._say(session, Resend(first=first, last=last))
                case GivenUp(first=first, last=last):
                    _LOG.error(
                        "%s: events %d to %d of boot %s are gone; the clock no longer has them",
                        self.name,
                        first,
                        last,
                        session.sequencer.boot,
                    )
        if kept:
            self._say(session, Ack(boot=session.sequencer.boot, upto=kept))

    def _keep(self, session: _Session, frame: TccFrame) -> None:
        body = frame.body
        assert isinstance(body, Event), "the sequencer hands out events only"
        mark = AckMark(
            boot=frame.boot,
            seq=frame.seq,
            outlet_boot=self._outlet.boot,
            outlet_seq=self._outlet.seq_high + 1,
        )
        self._marks.save(mark)
        self._outlet.observe(body, session.time.agent_ms(frame.t_ms))

    def _synced(self, session: _Session, reply: SyncReply, at_ms: int) -> None:
        sync_id, asked_ms = self._sync_sent
        if reply.id != sync_id:
            return
        jump_ms = session.time.measure(
            asked_by_reference(asked_ms, reply.received_ms, reply.sent_ms, at_ms)
        )
        if jump_ms:
            # The offset is agent minus clock: where it falls, the clock has leapt ahead.
            detail = coded("leapt" if jump_ms < 0 else "fell_back", by_ms=round(abs(jump_ms)))
            doubt = ClockDoubted(device=self.name, fault=ClockFault.JUMP, detail=detail)
            _LOG.warning("%s: %s", self.name, detail)
            self._outlet.observe(doubt, at_ms)
        # Not while it is still finding its feet: sixteen exchanges are what the estimate rests on.
        if session.time.exchanges >= _ENOUGH_EXCHANGES or jump_ms:
            news = session.teller.news(session.time, reply.sent_ms, jumped=bool(jump_ms))
            if news is not None:
                self._outlet.observe(news, at_ms)

    def _greet(self) -> None:
        self._sync_sent = (0, self._ticks() - _SYNC_SLOW_MS)

    def _do_what_is_due(self) -> None:
        session = self._session
        if session is None or self._lost:
            return
        enough = session.time.exchanges >= _ENOUGH_EXCHANGES
        now_ms = self._ticks()
        if now_ms - self._sync_sent[1] >= (_SYNC_SLOW_MS if enough else _SYNC_FAST_MS):
            self._sync_ids += 1
            self._sync_sent = (self._sync_ids, now_ms)
            self._say(session, Sync(id=self._sync_ids))

    def _obey(self, command: Command) -> None:
        try:
            body = command_body(command)
        except DeviceError as err:
            self._outlet.respond(command.id, str(err))
            return
        if self._session is None:
            error = f"{self.name}: no clock has answered on {self._link.name} yet"
        else:
            sent = self._say(self._session, body)
            error = "" if sent else f"{self.name}: {self._link.name} is down"
        self._outlet.respond(command.id, error)

    def _say(self, session: _Session, body: Body) -> bool:
        # Counted from our start: a clock's processor need not read more than 32 bits.
        t_ms = self._ticks() - self._started_ms
        line = TccFrame(dev=session.dev, boot=self._boot, seq=0, t_ms=t_ms, body=body)
        return self._link.write(line.to_bytes())


def command_body(command: Command) -> Body:
    """The line that a bus command becomes. DeviceError names the argument that is wrong."""
    match command.cmd:
        case "set":
            return SetTimes(
                left_ms=_whole(command, "left_ms", -_MOST_MS),
                right_ms=_whole(command, "right_ms", -_MOST_MS),
            )
        case "run":
            side = command.args.get("side")
            if side not in ("L", "R", "N"):
                raise DeviceError(f"run: side must be L, R or N, not {side!r}")
            return Run(side=Side(side))
        case "beep":
            return Beep(duration_ms=_whole(command, "ms", 0))
    raise DeviceError(f"a clock knows set, run and beep, not {command.cmd!r}")


def _whole(command: Command, name: str, least: int) -> int:
    value = command.args.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= _MOST_MS:
        raise DeviceError(f"{command.cmd}: {name} must be whole milliseconds, not {value!r}")
    return value
