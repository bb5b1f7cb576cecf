"""What the connected broker gives, and whether a probe comes through to the record.

Every line is tried out, not looked up: a broker that calls itself anything may be set up anyhow.
What cannot be seen from outside is said to be so. The record itself rests on none of the broker's
promises but one: that messages pass while it runs.
"""

import queue
import secrets
import statistics
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum

from recorder.bus.address import without_proof
from recorder.bus.exposure import is_here, open_to_others
from recorder.bus.mqtt import MqttBus, takes
from recorder.bus.port import Message, Will
from recorder.bus.refusal import why_refused
from recorder.commands.trials.awaiting import comes_true, message_with
from recorder.domain.errors import DeviceError
from recorder.domain.limits import MOST_EVENT_BYTES
from recorder.domain.orders import Order, TableOrder, Undo
from recorder.log.opening import wall_ms
from recorder.service.incoming.admission import PROBE_DEVICE, PROBE_TYPE
from recorder.wire.control import (
    Heartbeat,
    Presence,
    decode_ack,
    decode_recorder_state,
    decode_time_reply,
    encode,
)
from recorder.wire.envelope import Envelope, encode_envelope
from recorder.wire.orders import encode_question
from recorder.wire.topics import Down, DownChannel, Up, UpChannel, recorder_filter

CONNECT_S, ANSWER_S, QUICK_S = 10.0, 5.0, 2.0
SIZES = (MOST_EVENT_BYTES, 256 * 1024, 1000 * 1024)
ROUNDS = 20
OTHER_TIME_S = 60.0
"""A message on its way, and clocks that nobody sets, make less."""
SLOW_MS = 20.0
_LEAVES = "but does not keep us: its log says why"


class Grade(StrEnum):
    """How a check went."""

    OK = "ok"
    WEAK = "weak"
    BAD = "bad"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was tried: what, how it went, and what that means or what to do.

    ``is_request``: nothing was tried yet; somebody has to do what it says.
    """

    what: str
    grade: Grade
    words: str
    is_request: bool = False


Tell = Callable[[Check], None]


class Doctor:
    """One examination of the broker at ``url``; each check is reported as soon as it is made.

    ``device`` is one whose rights are tried: the address must have its name and password.
    """

    def __init__(self, url: str, venue: str, tell: Tell, device: str = "") -> None:
        self._url, self._venue, self._tell = url, venue, tell
        self._device = device
        self._id = f"doctor-{secrets.token_hex(3)}"
        self.checks: list[Check] = []

    def examine(self) -> bool:
        """Try everything; whether a recorder has stored the probe, and no stranger gets in."""
        cause = why_refused(self._url, self._id, CONNECT_S)
        if cause:
            self._found("connection", Grade.BAD, f"{_host(self._url)}: {cause}")
            return False
        with ExitStack() as stack:
            bus, inbox = self._client(stack, "a", own=True)
            begun = time.monotonic()
            if not comes_true(lambda: bus.is_connected, CONNECT_S):
                self._found("connection", Grade.BAD, f"{_host(self._url)}: it greets us, {_LEAVES}")
                return False
            took_ms = (time.monotonic() - begun) * 1000
            self._found("connection", Grade.OK, f"accepted after {took_ms:.0f} ms")
            self._anonymous(stack)
            if self._device:
                self._permitted()
            if self._echo(bus, inbox):
                self._sizes()
                self._retained(stack, bus, inbox)
                self._will(stack, inbox)
                self._redelivery(stack, bus)
            self._found(
                "persistence",
                Grade.UNKNOWN,
                "what a broker keeps over its own crash cannot be seen from outside; nothing of the"
                " record needs it (Mosquitto: persistence true, autosave_interval 5)",
            )
            is_stored = self._probe(stack)
            if self._device:
                self._answered(stack, is_stored=is_stored)
            return is_stored and ("strangers", Grade.BAD) not in [
                (check.what, check.grade) for check in self.checks
            ]

    def _anonymous(self, stack: ExitStack) -> None:
        """Whether somebody without certificate or password is let in."""
        stranger = MqttBus(without_proof(self._url), f"{self._id}-s")
        stack.enter_context(stranger)
        is_in = comes_true(lambda: stranger.is_connected, QUICK_S)
        stranger.stop()
        if not is_in:
            words = "nobody gets in without a certificate or a password"
            self._found("strangers", Grade.OK, words)
        elif open_place := open_to_others(self._url):
            words = f"at {open_place} anyone on the network is let in: they may hear racks, give"
            closed = "orders, speak for any device; have it listen on 127.0.0.1, or close it:"
            self._found("strangers", Grade.BAD, f"{words} {closed} docs/docker.md")
        elif is_here(self._url):
            words = "every program on this machine may hear racks and give orders; nobody else can"
            self._found("strangers", Grade.WEAK, words)
        else:
            words = "anyone on the network may hear racks, give orders, speak for any device;"
            self._found("strangers", Grade.BAD, f"{words} docs/docker.md says how to close it")

    def _permitted(self) -> None:
        """Whether the broker takes what the device would say, as whom the address makes us."""
        topic = str(Up(self._venue, self._device, UpChannel.RAW, "doctor"))
        what, place = f"rights of {self._device}", topic.removesuffix("raw/doctor")
        allowed = takes(self._url, self._device, topic, ANSWER_S)
        if allowed is None:
            self._found(what, Grade.UNKNOWN, "the broker does not tell: it speaks no MQTT 5")
        elif allowed:
            self._found(what, Grade.OK, f"may say what is below {place}")
        else:
            words = f"the broker drops all that is said below {place}: its access list forbids it"
            self._found(what, Grade.BAD, words)

    def _answered(self, stack: ExitStack, *, is_stored: bool) -> None:
        """Whether a recorder's answer reaches the device.

        It answers anyone who asks, if only no.
        """
        bus, inbox = self._client(stack, "h", own=False)
        bus.subscribe(str(Down(self._venue, self._device, DownChannel.ANSWER)), inbox.put)
        comes_true(lambda: bus.is_connected, CONNECT_S)
        name = f"doctor-{secrets.token_hex(4)}"
        asked = TableOrder(table=1, order=Order(id=name, who="doctor", act=Undo(order=name)))
        topic = str(Up(self._venue, self._device, UpChannel.ASK))
        bus.publish(topic, encode_question(name, asked))
        end = time.monotonic() + QUICK_S
        is_heard = False
        while not is_heard and (left_s := end - time.monotonic()) > 0:
            try:
                message = inbox.get(timeout=left_s)
            except queue.Empty:
                break
            message.ack()
            is_heard = name.encode() in message.payload
        what, place = f"hearing of {self._device}", topic.replace("/up/", "/down/")
        place = place.removesuffix(UpChannel.ASK)
        words = f"an access list forbids it to read what is below {place}: let it"
        if is_heard:
            self._found(what, Grade.OK, f"a recorder's answer comes in below {place}")
        elif is_stored:
            self._found(what, Grade.BAD, f"no answer of the recorder reaches it: {words}")
        else:
            nobody = f"no recorder answers it: none serves venue {self._venue}, or"
            self._found(what, Grade.UNKNOWN, f"{nobody} {words}")

    def _echo(self, bus: MqttBus, inbox: "queue.Queue[Message]") -> bool:
        """Round trips of small messages; whether any came back."""
        trips = []
        for number in range(ROUNDS):
            sent = time.monotonic()
            bus.publish(self._topic("echo"), str(number).encode())
            if message_with(inbox, str(number).encode(), QUICK_S) is None:
                break
            trips.append((time.monotonic() - sent) * 1000)
        if not trips:
            words = "what we publish does not come back: an access list forbids it to us, so the"
            self._found("round trip", Grade.UNKNOWN, f"{words} broker cannot be tried out further")
            return False
        median = statistics.median(trips)
        if min(trips) > SLOW_MS:  # a broker that waits does so each time, a busy machine does not
            words = f"{median:.0f} ms; Mosquitto without set_tcp_nodelay true waits for 40"
            self._found("round trip", Grade.WEAK, words)
        else:
            self._found("round trip", Grade.OK, f"{median:.1f} ms at QoS 1")
        return True

    def _sizes(self) -> None:
        """By a client of its own: what is too large is sent again and again, and ends it."""
        largest, inbox = 0, queue.Queue[Message]()
        with MqttBus(self._url, f"{self._id}-f") as bus:
            bus.subscribe(self._topic("size"), inbox.put)
            for size in SIZES:
                payload = secrets.token_bytes(8) * (size // 8)
                comes_true(lambda: bus.is_connected, CONNECT_S)
                bus.publish(self._topic("size"), payload)
                if message_with(inbox, payload, QUICK_S) is None:
                    break
                largest = size
        words = f"{largest // 1024} KiB pass"
        if not largest:
            words = f"an event of {SIZES[0] // 1024} KiB does not pass: raise message_size_limit or"
            self._found("packet size", Grade.BAD, f"{words} max_packet_size of the broker")
        elif largest < SIZES[-1]:
            self._found("packet size", Grade.WEAK, f"{words}; pictures on command may not")
        else:
            self._found("packet size", Grade.OK, words)

    def _retained(self, stack: ExitStack, bus: MqttBus, inbox: "queue.Queue[Message]") -> None:
        topic = self._topic("kept")
        bus.publish(topic, b"kept", retain=True)
        message_with(inbox, b"kept", QUICK_S)  # or it may come to the other as a new one
        late, inbox = self._client(stack, "b", own=False)
        late.subscribe(topic, inbox.put)
        message = message_with(inbox, b"kept", QUICK_S)
        bus.publish(topic, b"", retain=True)
        late.stop()
        if message is None or not message.retained:
            words = "states are not kept for those who come later: assignments reach no device"
            self._found("retained messages", Grade.BAD, words)
        else:
            self._found("retained messages", Grade.OK, "kept for those who come later")

    def _will(self, stack: ExitStack, inbox: "queue.Queue[Message]") -> None:
        will = Will(self._topic("will"), b"gone", retain=False)
        victim = MqttBus(self._url, f"{self._id}-c", will=will)
        stack.enter_context(victim)
        if not comes_true(lambda: victim.is_connected, CONNECT_S):
            return
        begun = time.monotonic()
        victim.break_off()
        if message_with(inbox, b"gone", QUICK_S) is None:
            words = "none came; losses are noticed by missing heartbeats alone, after 3.5 s"
            self._found("will", Grade.WEAK, words)
        else:
            took_ms = (time.monotonic() - begun) * 1000
            self._found("will", Grade.OK, f"reports a broken connection after {took_ms:.0f} ms")
        victim.stop()

    def _redelivery(self, stack: ExitStack, bus: MqttBus) -> None:
        """A client with a kept session that does not acknowledge gets the message once more."""
        topic, inbox = self._topic("again"), queue.Queue[Message]()
        keeper = MqttBus(self._url, f"{self._id}-d", clean_session=False, exact_id=True)
        keeper.subscribe(topic, inbox.put)
        stack.enter_context(keeper)
        comes_true(lambda: keeper.is_connected, CONNECT_S)
        bus.publish(topic, b"again")
        first = message_with(inbox, b"again", QUICK_S, acks=False)
        keeper.break_off()
        second = None if first is None else message_with(inbox, b"again", ANSWER_S)
        if second is not None:
            second.ack()
            words = "what was not acknowledged comes again after a broken connection"
            self._found("redelivery at QoS 1", Grade.OK, words)
        else:
            words = "what was not acknowledged does not come again; the devices' outboxes cover it"
            self._found("redelivery at QoS 1", Grade.WEAK, words)
        keeper.stop()
        # A kept session with nobody to come back would stay at the broker for weeks.
        with MqttBus(self._url, f"{self._id}-d", exact_id=True) as cleaner:
            comes_true(lambda: cleaner.is_connected, QUICK_S)

    def _probe(self, stack: ExitStack) -> bool:
        """An event of our own through to a recorder's log, and its ack back."""
        bus, inbox = self._client(stack, "e", own=False)
        states = queue.Queue[Message]()
        bus.subscribe(recorder_filter(self._venue), states.put)
        bus.subscribe(str(Down(self._venue, PROBE_DEVICE, DownChannel.ACK)), inbox.put)
        comes_true(lambda: bus.is_connected, CONNECT_S)
        ready = self._recorders(states)
        boot = secrets.token_hex(4)
        probe = Envelope(dev=PROBE_DEVICE, boot=boot, seq=1, t_ms=0, type=PROBE_TYPE, data={})
        begun = time.monotonic()
        topic = Up(self._venue, PROBE_DEVICE, UpChannel.EVENT)
        bus.publish(str(topic), encode_envelope(probe))
        while (left_s := begun + ANSWER_S - time.monotonic()) > 0:
            try:
                message = inbox.get(timeout=left_s)
                ack = decode_ack(message.payload)
            except (queue.Empty, DeviceError):
                continue
            message.ack()
            if (ack.boot, ack.upto) == (boot, 1):
                took_ms = (time.monotonic() - begun) * 1000
                words = f"stored by a recorder and acknowledged after {took_ms:.0f} ms"
                self._found("probe event", Grade.OK, words)
                self._compare_time(bus, boot)
                return True
        words = (
            "not acknowledged: is it another venue, or does an access list keep us out?"
            if ready
            else "not acknowledged: no recorder is there; start: tilecast record VENUE.toml"
        )
        self._found("probe event", Grade.BAD, words)
        return False

    def _compare_time(self, bus: MqttBus, boot: str) -> None:
        """Whether the recorder's time is this machine's; nothing where it does not say it."""
        times = queue.Queue[Message]()
        bus.subscribe(str(Down(self._venue, PROBE_DEVICE, DownChannel.TIME)), times.put)
        topic, sent_ms = str(Up(self._venue, PROBE_DEVICE, UpChannel.HEARTBEAT)), wall_ms()
        bus.publish(topic, encode(Heartbeat(boot=boot, t_ms=sent_ms, seq_high=1, outbox=0)))
        try:
            message = times.get(timeout=QUICK_S)
            message.ack()
            reply = decode_time_reply(message.payload)
        except (queue.Empty, DeviceError):
            return
        ahead_s = (reply.received_ms - sent_ms) / 1000
        if abs(ahead_s) <= OTHER_TIME_S:
            self._found("time of the recorder", Grade.OK, "that of this machine")
            return
        apart = f"{abs(ahead_s) / 60:.0f} min {'ahead of' if ahead_s > 0 else 'behind'}"
        words = f"{apart} this machine's: one of the two clocks is wrong. Turns are timed rightly"
        words += " all the same, but certificates count as run out or not yet valid, and the record"
        words += " has wrong dates: let the network set both (timedatectl set-ntp true), then start"
        self._found("time of the recorder", Grade.WEAK, f"{words} the recorder again")

    def _recorders(self, states: "queue.Queue[Message]") -> bool:
        """Which recorders say that they are there; whether any is ready."""
        ready = False
        end = time.monotonic() + 1.0
        while (left_s := end - time.monotonic()) > 0:
            try:
                message = states.get(timeout=left_s)
                message.ack()
                recorder = decode_recorder_state(message.payload)
            except (queue.Empty, DeviceError):
                continue
            name = message.topic.split("/")[-2]
            ready = ready or recorder.state is Presence.READY
            grade = Grade.OK if recorder.state is Presence.READY else Grade.WEAK
            version = f", version {recorder.version}" if recorder.version else ""
            self._found(f"recorder {name}", grade, f"says {recorder.state.value}{version}")
        return ready

    def _client(
        self, stack: ExitStack, name: str, *, own: bool
    ) -> "tuple[MqttBus, queue.Queue[Message]]":
        bus, inbox = MqttBus(self._url, f"{self._id}-{name}"), queue.Queue[Message]()
        if own:
            for kind in ("echo", "kept", "will"):
                bus.subscribe(self._topic(kind), inbox.put)
        stack.enter_context(bus)
        return bus, inbox

    def _topic(self, kind: str) -> str:
        return str(Up(self._venue, PROBE_DEVICE, UpChannel.RAW, kind))

    def _found(self, what: str, grade: Grade, words: str) -> None:
        check = Check(what, grade, words)
        self.checks.append(check)
        self._tell(check)


def _host(url: str) -> str:
    """A broker address without its password."""
    return url.rpartition("@")[2].removeprefix("mqtt://").removeprefix("mqtts://")
