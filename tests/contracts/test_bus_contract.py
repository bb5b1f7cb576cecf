"""What every bus promises, asked of the one in memory and of both brokers."""

import itertools
import queue
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from recorder.bus.broker import BrokerHandle, find_mosquitto, start_broker
from recorder.bus.mqtt import MqttBus
from recorder.bus.port import Bus, Message, Will, matches
from recorder.domain.errors import RecorderError
from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from tests.eventually import eventually

SOON_S = 60.0
"""Only a failure takes that long. Paho waits a second before it connects again."""

KINDS = [
    "memory",
    pytest.param("mosquitto", marks=pytest.mark.broker),
    pytest.param("amqtt", marks=pytest.mark.broker),
]


class Network:
    """A broker of one kind, the buses connected to it, and a pair of scissors."""

    def __init__(self, kind: str, broker: BrokerHandle | None, stack: ExitStack) -> None:
        self.kind = kind
        self._broker = broker
        self._memory = MemoryBroker()
        self._stack = stack
        self._numbers = itertools.count()

    def bus(self, *, will: Will | None = None, clean_session: bool = True) -> MemoryBus | MqttBus:
        """A bus that has not been started; it is stopped at the end of the test."""
        made: MemoryBus | MqttBus
        if self._broker is None:
            made = MemoryBus(self._memory, will=will, clean_session=clean_session)
        else:
            name = f"{id(self):x}-{next(self._numbers)}"
            made = MqttBus(self._broker.url, name, will=will, clean_session=clean_session)
        self._stack.callback(made.stop)
        return made

    @property
    def repeats(self) -> bool:
        """Whether a retained message may come twice, which the demo can do with.

        Anyone who connects, amqtt sends everything retained that anybody has asked for; what it has
        not got rid of by the time we subscribe comes once for that and once for the subscription.
        Until then a new state may come as a retained one, too.
        """
        return self.kind == "amqtt"

    def listener(self, *filters: str) -> tuple[Bus, "queue.Queue[Message]"]:
        bus = self.bus()
        inbox = subscribed(bus, *filters)
        started(bus)
        return bus, inbox

    def cut(self, bus: MemoryBus | MqttBus) -> None:
        """Break the connection without a goodbye."""
        if isinstance(bus, MemoryBus):
            bus.lose_connection()
        else:
            sock = bus._client.socket()
            assert isinstance(sock, socket.socket)
            sock.shutdown(socket.SHUT_RDWR)

    def mend(self, bus: MemoryBus | MqttBus) -> None:
        """Let the bus connect again; the real ones do so by themselves."""
        if isinstance(bus, MemoryBus):
            bus.regain_connection()


@pytest.fixture(scope="module", params=KINDS)
def broker(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, BrokerHandle | None]]:
    """One broker of each kind for all tests; tests keep apart by their topics."""
    kind = request.param
    if kind == "memory":
        yield kind, None
        return
    if kind == "mosquitto" and find_mosquitto() is None:
        pytest.skip("Mosquitto is not installed: apt install mosquitto")
    with start_broker(kind, workdir=tmp_path_factory.mktemp(kind)) as handle:
        yield kind, handle


@pytest.fixture
def network(broker: tuple[str, BrokerHandle | None]) -> Iterator[Network]:
    with ExitStack() as stack:
        yield Network(*broker, stack)


@pytest.fixture
def root(request: pytest.FixtureRequest) -> str:
    """A topic that no other test uses."""
    return f"t/{abs(hash(request.node.nodeid)):x}"


def subscribed(bus: Bus, *filters: str) -> "queue.Queue[Message]":
    inbox: queue.Queue[Message] = queue.Queue()
    for topic_filter in filters:
        bus.subscribe(topic_filter, inbox.put)
    return inbox


def started(bus: Bus) -> Bus:
    bus.start()
    eventually(lambda: bus.is_connected)
    return bus


def received(inbox: "queue.Queue[Message]") -> Message:
    message = inbox.get(timeout=SOON_S)
    message.ack()
    return message


def test_what_one_connection_hears_no_more_its_twin_hears(network: Network, root: str):
    """A filter is taken back by itself; what is named without wildcards is heard on."""
    bus, inbox = network.listener(f"{root}/+/ev", f"{root}/a/ev")
    twin = bus.twin()
    there = subscribed(twin, f"{root}/+/ev")
    started(twin)
    speaker, _ = network.listener()
    bus.unsubscribe(f"{root}/+/ev")
    last = [""] * 6
    while set(last) != {f"{root}/a/ev"}:
        for device in ("b", "a"):
            speaker.publish(f"{root}/{device}/ev", b"")
        last = [*last[1:], inbox.get(timeout=SOON_S).topic]
    assert {there.get(timeout=SOON_S).topic for _ in range(2)} == {f"{root}/a/ev", f"{root}/b/ev"}
    twin.stop()


def test_what_was_sent_before_a_filter_is_taken_back_is_heard_before_that_is_done(
    network: Network, root: str
):
    """However much of it is still on its way."""
    heard = list[bytes]()

    def hear(message: Message) -> None:
        time.sleep(0.002)
        heard.append(message.payload)
        message.ack()

    bus = network.bus()
    bus.subscribe(f"{root}/+/ev", hear)
    started(bus)
    speaker, echo = network.listener(f"{root}/a/ev")
    sent = [str(number).encode() for number in range(60)]
    for payload in sent:
        speaker.publish(f"{root}/a/ev", payload)
    assert [received(echo).payload for _ in sent] == sent
    done = threading.Event()
    counts = list[int]()
    bus.unsubscribe(f"{root}/+/ev", lambda: (counts.append(len(heard)), done.set()))
    assert done.wait(SOON_S)
    assert counts == [60]
    assert heard == sent
    speaker.publish(f"{root}/a/ev", b"after")
    assert received(echo).payload == b"after"
    assert heard == sent


def test_a_message_reaches_those_who_asked_for_it(network: Network, root: str):
    """Wildcards work as in MQTT, and nobody gets a message that no filter of theirs takes in."""
    _, one_level = network.listener(f"{root}/+/ev")
    _, all_below = network.listener(f"{root}/a/#")
    _, other = network.listener(f"{root}/b/#")
    sender = started(network.bus())
    for tail in ("a/ev", "a/x/ev", "c/ev", "a"):
        sender.publish(f"{root}/{tail}", tail.encode())
    sender.publish(f"{root}/b/ev", b"end")
    assert [received(one_level).payload for _ in range(3)] == [b"a/ev", b"c/ev", b"end"]
    assert [received(all_below).payload for _ in range(3)] == [b"a/ev", b"a/x/ev", b"a"]
    assert received(other) == Message(f"{root}/b/ev", b"end")
    assert one_level.empty()
    assert all_below.empty()
    assert other.empty()


def test_messages_of_one_sender_keep_their_order(network: Network, root: str):
    """Two hundred events arrive once each, as they were sent."""
    _, inbox = network.listener(f"{root}/ev")
    sender = started(network.bus())
    for number in range(200):
        sender.publish(f"{root}/ev", b"%d" % number)
    assert [int(received(inbox).payload) for _ in range(200)] == list(range(200))


def heard_until(inbox: "queue.Queue[Message]", payload: bytes) -> list[Message]:
    """All messages up to the first one with this payload, acknowledged."""
    heard = [received(inbox)]
    while heard[-1].payload != payload:
        heard.append(received(inbox))
    return heard


def test_a_late_listener_gets_the_retained_state(network: Network, root: str):
    """The last retained message of each topic is replayed, and marked as such."""
    sender = started(network.bus())
    _, early = network.listener(f"{root}/#")
    sender.publish(f"{root}/state", b"init", retain=True)
    sender.publish(f"{root}/ev", b"gone by", retain=False)
    sender.publish(f"{root}/state", b"ready", retain=True)
    live = [received(early) for _ in range(3)]
    assert [message.retained for message in live] == [False, False, False]
    _, late = network.listener(f"{root}/#")
    sender.publish(f"{root}/end", b"end")
    *replayed, _ = heard_until(late, b"end")
    assert replayed[0] == Message(f"{root}/state", b"ready", retained=True)
    assert len(replayed) == 1 or (network.repeats and set(replayed) == {replayed[0]})


def test_an_empty_retained_message_clears_the_state(network: Network, root: str):
    """Afterwards a late listener hears nothing old."""
    sender = started(network.bus())
    _, early = network.listener(f"{root}/#")
    sender.publish(f"{root}/state", b"ready", retain=True)
    sender.publish(f"{root}/state", b"", retain=True)
    assert [received(early).payload for _ in range(2)] == [b"ready", b""]
    _, late = network.listener(f"{root}/#")
    sender.publish(f"{root}/now", b"live")
    assert received(late).payload == b"live"


def test_nobody_hears_a_state_that_only_others_asked_for(network: Network, root: str):
    """Though amqtt sends such messages to everybody, our bus keeps them out."""
    sender = started(network.bus())
    _, early = network.listener(f"{root}/secret/#")
    sender.publish(f"{root}/secret/rack", b"AEI", retain=True)
    received(early)
    _, late = network.listener(f"{root}/public/#")
    sender.publish(f"{root}/public/score", b"22")
    assert received(late).payload == b"22"
    assert late.empty()


def test_one_may_subscribe_while_connected(network: Network, root: str):
    """The retained state comes at once, live messages from then on."""
    sender = started(network.bus())
    _, early = network.listener(f"{root}/state")
    sender.publish(f"{root}/state", b"ready", retain=True)
    received(early)
    bus = started(network.bus())
    inbox = subscribed(bus, f"{root}/state")
    ready, alert = (
        Message(f"{root}/state", b"ready", retained=True),
        Message(f"{root}/state", b"alert"),
    )
    assert received(inbox) == ready
    sender.publish(alert.topic, alert.payload, retain=True)
    *again, last = heard_until(inbox, alert.payload)
    if network.repeats:
        assert set(again) <= {ready}
        assert last.payload == alert.payload
    else:
        assert (again, last) == ([], alert)


def test_the_will_is_sent_when_the_connection_breaks(network: Network, root: str):
    """A pulled cable is announced to the others, and the announcement is retained."""
    _, watcher = network.listener(f"{root}/state")
    bus = network.bus(will=Will(f"{root}/state", b"lost"))
    started(bus)
    network.cut(bus)
    assert received(watcher).payload == b"lost"
    _, late = network.listener(f"{root}/state")
    assert received(late) == Message(f"{root}/state", b"lost", retained=True)


def test_no_will_is_sent_after_a_goodbye(network: Network, root: str):
    """Stopping is not being lost. Once the broker serves: amqtt loses a goodbye before that."""
    _, watcher = network.listener(f"{root}/#")
    bus = started(network.bus(will=Will(f"{root}/state", b"lost")))
    bus.publish(f"{root}/begin", b"begin")
    assert received(watcher).payload == b"begin"
    bus.stop()
    started(network.bus()).publish(f"{root}/end", b"end")
    assert received(watcher).payload == b"end"


def test_a_goodbye_is_the_last_word_however_much_is_on_its_way(network: Network, root: str):
    """Who leaves while messages still come is not reported lost, and what was said last arrives."""
    _, watcher = network.listener(f"{root}/state")
    talker = started(network.bus())
    for leaving in range(20):
        bus = network.bus(will=Will(f"{root}/state", b"lost"))
        inbox = subscribed(bus, f"{root}/talk/{leaving}")
        started(bus)
        for _ in range(30):
            talker.publish(f"{root}/talk/{leaving}", b"words")
        received(inbox)
        bus.publish(f"{root}/state", b"bye %d" % leaving)
        bus.stop()
        assert received(watcher).payload == b"bye %d" % leaving
    talker.publish(f"{root}/state", b"end")
    assert received(watcher).payload == b"end"


def test_the_bus_says_when_it_is_lost_and_when_it_is_back(network: Network, root: str):
    """After a break subscriptions stand again, without anybody asking."""
    bus = network.bus()
    inbox = subscribed(bus, f"{root}/ev")
    told: queue.Queue[bool] = queue.Queue()
    bus.on_connection(lambda connected, _reason: told.put(connected))
    started(bus)
    assert told.get(timeout=SOON_S) is True
    network.cut(bus)
    assert told.get(timeout=SOON_S) is False
    network.mend(bus)
    assert told.get(timeout=SOON_S) is True
    started(network.bus()).publish(f"{root}/ev", b"again")
    assert received(inbox).payload == b"again"


@pytest.mark.parametrize("broker", KINDS[:-1], indirect=True)
def test_what_was_not_acknowledged_comes_again(network: Network, root: str):
    """With a kept session a crash between delivery and storing costs nothing.

    Not asked of amqtt, which drops what was not acknowledged when the connection breaks.
    """
    bus = network.bus(clean_session=False)
    inbox = subscribed(bus, f"{root}/ev")
    started(bus)
    sender = started(network.bus())
    for payload in (b"1", b"2", b"3"):
        sender.publish(f"{root}/ev", payload)
    first = [inbox.get(timeout=SOON_S) for _ in range(3)]
    first[0].ack()
    if isinstance(bus, MqttBus):  # the PUBACK has to leave before the cable is cut
        eventually(lambda: not bus._client.want_write())
    network.cut(bus)
    eventually(lambda: not bus.is_connected)
    network.mend(bus)
    again = [inbox.get(timeout=SOON_S) for _ in range(2)]
    assert [message.payload for message in again] == [b"2", b"3"]
    first[1].ack()  # too late: it belongs to the connection that broke
    for message in again:
        message.ack()
    sender.publish(f"{root}/ev", b"4")
    assert received(inbox).payload == b"4"


def test_one_may_answer_from_within_the_handler(network: Network, root: str):
    """Acknowledging and publishing on the bus's own thread does not lock it up."""
    bus = network.bus()

    def answer(message: Message) -> None:
        message.ack()
        message.ack()
        bus.publish(f"{root}/answer", message.payload)

    bus.subscribe(f"{root}/question", answer)
    started(bus)
    _, inbox = network.listener(f"{root}/answer")
    sender = started(network.bus())
    for number in range(100):
        sender.publish(f"{root}/question", b"%d" % number)
    assert [int(received(inbox).payload) for _ in range(100)] == list(range(100))


def test_publishing_without_a_connection_is_harmless(network: Network, root: str):
    """The message is dropped; what must not get lost goes through the outbox."""
    _, inbox = network.listener(f"{root}/ev")
    bus = network.bus()
    bus.publish(f"{root}/ev", b"too early")
    started(bus).publish(f"{root}/ev", b"now")
    assert received(inbox).payload == b"now"


@pytest.mark.parametrize("wrong", ["", "a/#/b", "a/b#", "a/+b"])
def test_a_filter_that_is_none_is_refused(network: Network, wrong: str):
    """A mistake of ours is said at once, not by a silent broker."""
    with pytest.raises(RecorderError, match="filter"):
        network.bus().subscribe(wrong, lambda _message: None)


@pytest.mark.parametrize("wrong", ["", "a/#", "a/+/b"])
def test_a_topic_with_wildcards_is_refused(network: Network, wrong: str):
    with pytest.raises(RecorderError, match="topic"):
        network.bus().publish(wrong, b"")


def test_stopping_ends_the_thread(network: Network):
    """Stop twice, from any state, and no thread of the bus is left."""
    before = set(threading.enumerate())
    never_started = network.bus()
    never_started.stop()
    bus = started(network.bus())
    bus.stop()
    bus.stop()
    assert not bus.is_connected
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize(
    ("topic_filter", "topic", "wanted"),
    [
        ("a/b", "a/b", True),
        ("a/b", "a/b/c", False),
        ("a/+", "a/b/c", False),
        ("a/+/c", "a/b/c", True),
        ("a/#", "a", True),
        ("a/#", "a/b/c", True),
        ("#", "a", True),
        ("#", "$SYS/x", False),
        ("+/x", "$SYS/x", False),
        ("a/+", "a/", True),
        ("a/b/#", "a/c", False),
    ],
)
def test_filters_match_as_in_the_standard(topic_filter: str, topic: str, *, wanted: bool):
    """The cases of MQTT 3.1.1, section 4.7."""
    assert matches(topic_filter, topic) is wanted
