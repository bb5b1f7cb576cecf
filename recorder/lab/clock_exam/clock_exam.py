"""Whether a networked clock keeps to ``docs/clock-protocol.md``: tried on the clock itself.

The examiner stands in for the recorder: it acknowledges when it likes, answers heartbeats, gives
commands. Each requirement of the page is tried and reported by name; none is looked up.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise

from recorder.bus.port import Bus, Message
from recorder.commands.trials.doctor import Check, Grade, Tell
from recorder.domain.observations import Side
from recorder.lab.clock_exam.clock_ear import ExaminedClock, OwnTime
from recorder.wire.control import Ack, Command, Presence, encode
from recorder.wire.envelope import Envelope
from recorder.wire.topics import DownChannel, UpChannel

RESEND_S, BEAT_S, SYNC_S = 3.0, 1.0, 75.0
FIRST_S, ANSWER_S = 15.0, 5.0
WINDOW = 50
PRESSES = 4
_TIME_OFF_MS = 250
_NONSENSE = (b"", b"{", b"[1]", b'{"v":1}', b'{"v":2}', b"\xff\x00")


class ClockExam:
    """One examination of a clock that is, or will soon be, on the same broker.

    ``make_bus`` gives a connection of that name, not started. ``pace`` stretches all times of the
    page (1: as written), which are counted in ``own_time``. ``patience_s`` is how long presses by
    hand are waited for. ``restart`` kills and starts the broker, where it is ours.
    """

    def __init__(  # noqa: PLR0913 - each is named where it is given
        self,
        make_bus: Callable[[str], Bus],
        venue: str,
        device: str,
        tell: Tell,
        *,
        pace: float = 1.0,
        patience_s: float = 60.0,
        restart: Callable[[], None] | None = None,
        own_time: OwnTime | None = None,
    ) -> None:
        self.checks: list[Check] = []
        self._make_bus, self._tell, self._restart = make_bus, tell, restart
        self._pace, self._patience_s = pace, patience_s
        self._name = f"doctor-{secrets.token_hex(3)}"
        self._bus = make_bus(self._name)
        self._time = own_time or OwnTime()
        self._clock = ExaminedClock(self._bus, venue, device, pace=pace, own_time=self._time)

    def examine(self) -> bool:
        """Try every requirement; whether the clock keeps all that could be tried."""
        with self._running(self._bus):
            if self._greets():
                self._beats()
                self._obeys()
                self._keeps()
                self._limits_itself()
                self._bears_nonsense()
                self._comes_back()
                self._presses()
                self._tells_time()
        return not any(check.grade is Grade.BAD for check in self.checks)

    def _greets(self) -> bool:
        """State and info are there, for those too who come later."""
        if not self._clock.wait(lambda: self._clock.on(UpChannel.STATE), FIRST_S):
            topic = self._clock.topic(UpChannel.STATE)
            words = f"nothing comes on {topic}: is it switched on, and on this broker?"
            self._bad("greeting", words)
            return False
        kept: list[Message] = []
        late = self._make_bus(f"{self._name}-late")
        for channel in (UpChannel.STATE, UpChannel.INFO):
            late.subscribe(self._clock.topic(channel), kept.append)
        with self._running(late):
            self._clock.wait(lambda: len(kept) > 1, ANSWER_S)
        faults = [f"{what} is not retained" for what in _not_retained(kept)]
        faults += self._clock.unreadable(UpChannel.STATE, UpChannel.INFO)
        state = self._clock.state()
        if state is not None and state.state is not Presence.READY:
            faults.append(f"it says {state.state.value}, not ready")
        self._judge("greeting", faults, "state and info are retained; it says ready")
        return state is not None

    def _beats(self) -> None:
        """A heartbeat a second, with a time that runs."""
        begun = len(self._clock.on(UpChannel.HEARTBEAT))
        self._clock.wait(lambda: len(self._clock.on(UpChannel.HEARTBEAT)) >= begun + 5, 12 * BEAT_S)
        heard = self._clock.on(UpChannel.HEARTBEAT)[begun:]
        faults = self._clock.unreadable(UpChannel.HEARTBEAT)
        if len(heard) < 5:
            faults.append(f"{len(heard)} came in 12 s")
        elif not faults:
            gap_s = (heard[-1].at_s - heard[0].at_s) / (len(heard) - 1) / self._pace
            if not 0.5 <= gap_s <= 2.5:
                faults.append(f"one comes every {gap_s:.1f} s")
            times = [beat.t_ms for beat in self._clock.beats()]
            if any(after <= before for before, after in pairwise(times)):
                faults.append("its t does not rise")
            state = self._clock.state()
            if state is not None and self._clock.beats()[-1].boot != state.boot:
                faults.append("its boot is not that of the state")
        self._judge("heartbeat", faults, "one a second; its own time runs")

    def _obeys(self) -> None:
        """Commands are answered with their id, unknown ones too."""
        faults = []
        args = {"left_ms": 1_500_000, "right_ms": 1_500_000}
        for command, expected in (
            (Command(id="doctor-set", cmd="set", args=args), True),
            (Command(id="doctor-dance", cmd="dance", args={}), False),
        ):
            self._clock.say(DownChannel.COMMAND, encode(command))
            self._clock.wait(lambda name=command.id: self._clock.answer(name) is not None, ANSWER_S)  # type: ignore[misc]
            answer = self._clock.answer(command.id)
            if answer is None:
                faults.append(f"{command.cmd} is not answered on resp")
            elif answer is not expected:
                faults.append(f"{command.cmd} is answered with ok {str(answer).lower()}")
        faults += self._clock.unreadable(UpChannel.RESPONSE)
        self._judge("commands", faults, "answered with their id; an unknown one with ok false")

    def _keeps(self) -> None:
        """An event comes again until the very ack, whatever else is acknowledged."""
        if not self._clock.wait(self._clock.events, ANSWER_S):
            self._clock.say(DownChannel.COMMAND, _set_command("doctor-event"))
        if not self._clock.wait(self._clock.events, self._patience_s / self._pace):
            self._bad(
                "event", "none came: set gives clock.change with act adjust, a press clock.press"
            )
            return
        faults = self._clock.unreadable(UpChannel.EVENT)
        self._judge("event", faults, "the envelope and what it says can be read")
        if faults:
            return
        first = self._clock.events()[0]
        self._again(first, "kept until the ack", "it comes again, as it was, without an ack", [])
        same = Ack(boot=first.boot, upto=first.seq - 1)
        words = "it comes again although acks come: none has risen"
        self._again(first, "an ack that does not rise", words, [same])
        other = Ack(boot="00000000" if first.boot != "00000000" else "11111111", upto=2**40)
        self._again(first, "an ack for another boot", "it lets go of nothing", [other])
        self._clock.acknowledge()
        self._clock.wait(lambda: self._clock.waiting() == 0, 5 * BEAT_S)
        late = len(self._clock.on(UpChannel.EVENT))
        self._clock.pause(RESEND_S + BEAT_S)
        numbers = {event.seq for event in self._clock.events(late)}
        faults = ["what was acknowledged comes again"] if first.seq in numbers else []
        if self._clock.waiting() != 0:
            faults.append("the heartbeat does not say outbox 0")
        self._judge("the ack", faults, "it lets go of what is acknowledged")

    def _again(self, event: Envelope, what: str, words: str, acks: list[Ack]) -> None:
        """Whether an event comes once more, while these acks are repeated each second."""
        begun = len(self._clock.on(UpChannel.EVENT))
        end_s = self._time.now_s() + (RESEND_S + 4 * BEAT_S) * self._pace
        came = False
        while not came and self._time.now_s() < end_s:
            for ack in acks:
                self._clock.say(DownChannel.ACK, encode(ack))
            came = self._clock.wait(lambda: event.seq in self._clock.numbers(begun), BEAT_S)
        twins = [twin for twin in self._clock.events(begun) if twin.key == event.key]
        if not came:
            self._bad(what, f"event {event.seq} did not come again within {RESEND_S + 4:g} s")
        elif any(twin != event for twin in twins):
            self._bad(what, f"event {event.seq} came again otherwise than before")
        else:
            self._ok(what, words)

    def _limits_itself(self) -> None:
        """At most fifty events ahead of the last ack; then all of them, in order."""
        begun = len(self._clock.on(UpChannel.EVENT))
        floor = max((event.seq for event in self._clock.events()), default=0)
        many = WINDOW + 10
        for number in range(many):
            self._clock.say(DownChannel.COMMAND, _set_command(f"doctor-{number}"))
        self._clock.wait(lambda: len(self._clock.numbers(begun)) >= many, FIRST_S)
        ahead = max(self._clock.numbers(begun), default=floor) - floor
        faults = [f"{ahead} events ahead of the ack"] if ahead > WINDOW else []
        deadline = self._time.now_s() + 4 * FIRST_S * self._pace
        while self._time.now_s() < deadline and self._clock.waiting() != 0:
            self._clock.acknowledge()
            self._clock.wait(lambda: self._clock.waiting() == 0, BEAT_S)
        numbers = sorted(self._clock.numbers(begun))
        if numbers and numbers != list(range(numbers[0], numbers[-1] + 1)):
            faults.append("numbers are missing")
        if not numbers:
            self._unknown("window", "set brings no event: it cannot be tried")
        else:
            self._judge("window", faults, f"at most {WINDOW} events ahead of the ack, none missing")

    def _bears_nonsense(self) -> None:
        """What cannot be read changes nothing and stops nothing."""
        for channel in (DownChannel.ACK, DownChannel.COMMAND, DownChannel.TIME, DownChannel.CONFIG):
            for payload in _NONSENSE:
                self._clock.say(channel, payload)
        self._clock.pause(BEAT_S)
        begun = len(self._clock.on(UpChannel.HEARTBEAT))
        alive = self._clock.wait(
            lambda: len(self._clock.on(UpChannel.HEARTBEAT)) > begun + 1, 5 * BEAT_S
        )
        faults = [] if alive else ["no heartbeat comes after messages that cannot be read"]
        self._judge("bad messages", faults, "it goes on after messages that cannot be read")

    def _comes_back(self) -> None:
        """After a broken connection it greets again, and sends all that waits."""
        what = "reconnect"
        if self._restart is None:
            self._unknown(what, "not tried: --restart COMMAND restarts the broker for it")
            return
        self._clock.say(DownChannel.COMMAND, _set_command("doctor-before"))
        self._clock.wait(lambda: self._clock.waiting() != 0, ANSWER_S)
        unread = [
            event for event in self._clock.events() if event.seq == max(self._clock.numbers(0))
        ]
        begun, states = len(self._clock.on(UpChannel.EVENT)), len(self._clock.on(UpChannel.STATE))
        self._restart()
        self._clock.wait(lambda: len(self._clock.on(UpChannel.STATE)) > states, 4 * FIRST_S)
        self._clock.wait(lambda: unread[-1].seq in self._clock.numbers(begun), 2 * RESEND_S)
        faults = []
        if len(self._clock.on(UpChannel.STATE)) == states:
            faults.append("it does not say state again within 60 s")
        if unread and unread[-1].seq not in self._clock.numbers(begun):
            faults.append(f"event {unread[-1].seq} waited and did not come again")
        self._judge(what, faults, "it greets again and sends what waits")
        self._clock.acknowledge()

    def _presses(self) -> None:
        """Presses by hand: numbered without gaps, their times rising, the half that runs."""
        asked = f"now press left, right, left, right: {PRESSES} in all"
        self._tell(Check("presses", Grade.UNKNOWN, asked, is_request=True))
        begun = len(self._clock.on(UpChannel.EVENT))
        end_s = self._time.now_s() + self._patience_s
        while len(self._clock.pressed(begun)) < PRESSES and self._time.now_s() < end_s:
            self._clock.wait(lambda: len(self._clock.pressed(begun)) >= PRESSES, BEAT_S)
            self._clock.acknowledge()
        pressed = self._clock.pressed(begun)
        faults = self._clock.unreadable(UpChannel.EVENT)
        if len(pressed) < PRESSES:
            faults.append(f"{len(pressed)} of {PRESSES} came")
        times = [event.t_ms for event, _ in pressed]
        if times != sorted(times):
            faults.append("their t does not rise")
        for event, press in pressed:
            if press.running is press.side:
                faults.append(f"event {event.seq}: {press.side.value} was pressed and runs")
            elif press.running is Side.NONE:
                faults.append(f"event {event.seq}: nobody's time runs")
        self._judge(
            "presses", faults, f"{len(pressed)} came, in order, each with the half that runs"
        )

    def _tells_time(self) -> None:
        """A time.sync event about once a minute, right to within its own error."""
        if not self._clock.wait(self._clock.synced, SYNC_S):
            self._bad("time", f"no time.sync event within {SYNC_S:g} s of answered heartbeats")
            return
        synced = self._clock.synced()[-1]
        off_ms = abs(synced.offset_ms - self._clock.offset_ms())
        faults = []
        if off_ms > synced.error_ms + _TIME_OFF_MS:
            faults.append(
                f"its offset is {off_ms:.0f} ms from ours, not the {synced.error_ms:.0f} it says"
            )
        self._judge("time", faults, f"its offset is right to {off_ms:.0f} ms")

    @contextmanager
    def _running(self, bus: Bus) -> Iterator[None]:
        bus.start()
        try:
            yield
        finally:
            bus.stop()

    def _judge(self, what: str, faults: list[str], words: str) -> None:
        if faults:
            self._bad(what, "; ".join(faults))
        else:
            self._ok(what, words)

    def _ok(self, what: str, words: str) -> None:
        self._found(Check(what, Grade.OK, words))

    def _bad(self, what: str, words: str) -> None:
        self._found(Check(what, Grade.BAD, words))

    def _unknown(self, what: str, words: str) -> None:
        self._found(Check(what, Grade.UNKNOWN, words))

    def _found(self, check: Check) -> None:
        self.checks.append(check)
        self._tell(check)


def _set_command(name: str) -> bytes:
    return encode(Command(id=name, cmd="set", args={"left_ms": 1_500_000, "right_ms": 1_500_000}))


def _not_retained(kept: list[Message]) -> list[str]:
    there = {message.topic.rpartition("/")[2] for message in kept if message.retained}
    return [what for what in ("state", "info") if what not in there]
