"""What somebody with the password of one clock, or with none, tries at the broker."""

import json
import secrets
from collections.abc import Sequence

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from recorder.bus.address import broker_address
from tests.attacks.attack import DOWN, UP, Severity, Target, attack
from tests.eventually import eventually

OWN = f"{UP}/clock-2/ev"
BIGGEST = 2**53 - 1
PRESSED = {"side": "R", "left_ms": 1_400_000, "right_ms": 1_400_000, "running": "L"}


def event(seq: int, kind: str = "clock.press", boot: str = "", **more: object) -> bytes:
    said = {"v": 1, "dev": "clock-2", "boot": boot or "0badc0de", "seq": seq, "t": 5_000}
    return json.dumps({**said, "type": kind, "data": PRESSED, **more}).encode()


def beat(boot: str) -> bytes:
    """A heartbeat of table 2's clock, in which one event waits."""
    return json.dumps({"v": 1, "boot": boot, "t": 6_000, "seq_high": 1, "outbox": 1}).encode()


def say(target: Target, *said: tuple[str, bytes], retain: bool = False, qos: int = 1) -> None:
    """Publish as the clock of table 2, and wait until the broker has it all."""
    with target.client() as client:
        for topic, payload in said:
            client.publish(topic, payload, qos, retain).wait_for_publish(20)


def types(target: Target, table: int = 1) -> Sequence[str]:
    return [row.type for row in target.hall.read_log() if row.table == table]


@attack(Severity.CRITICAL)
def get_in_without_a_password(target: Target) -> None:
    refused: list[bool] = []
    for name, password in ((None, None), ("clock-1", "guess"), ("recorder", ""), ("console", "x")):
        client = paho.Client(CallbackAPIVersion.VERSION2)
        client.on_connect = lambda _client, _data, _flags, reason, _more: refused.append(
            reason.is_failure
        )
        client.username_pw_set(name, password)
        client.connect("127.0.0.1", target.hall.broker_port)
        client.loop_start()
        before = len(refused)
        eventually(lambda before=before: len(refused) > before, "the broker answers")  # type: ignore[misc]
        client.loop_stop()
        client._reset_sockets(sockpair_only=True)
    assert all(refused)


@attack(Severity.CRITICAL)
def stop_the_recording_by_times_and_numbers(target: Target) -> None:
    """Every message that once stopped all tables, live and retained."""
    boots = iter(f"{number:08x}" for number in range(1, 100))
    beats = [{"t": BIGGEST}, {"t": 0, "seq_high": BIGGEST}, {"t": 1_760_000_000_000_000}]
    for more in beats:
        boot = next(boots)
        said = json.dumps({"v": 1, "boot": boot, "seq_high": 1, "outbox": 1, **more}).encode()
        poison = [(f"{UP}/clock-2/hb", said)]
        for number, t in enumerate((0, BIGGEST, 1), 1):
            poison.append((OWN, event(number, boot=boot, t=t)))
        say(target, *poison)
        say(target, *poison, retain=True)
        say(target, *((topic, b"") for topic, _ in poison), retain=True)
    target.is_recorded()


@attack(Severity.CRITICAL)
def stop_the_recording_by_shapes(target: Target) -> None:
    """Infinite numbers, depth, length, broken texts."""
    raw = [
        b'{"x":1e999}',
        b'{"x":[[-1e400]]}',
        b'{"x":NaN}',
        b'{"x":' + b"9" * 5000 + b"}",
        b'{"x":' + b"[" * 985 + b"]" * 985 + b"}",
        b'{"a":' * 1000 + b"1" + b"}" * 1000,
        b"[" * 60_000,
        b'"\\ud800"',
        b"null",
        b"[]",
        b'{"side":["R"]}',
        b'"' + b"x" * 70_000 + b'"',
    ]
    for number, data in enumerate(raw, 1):
        text = event(number, boot="0badf00d", data="DATA").replace(b'"DATA"', data)
        say(target, (OWN, text), (f"{UP}/clock-2/hb", data), (f"{UP}/clock-2/state", data))
        say(target, (f"{UP}/clock-2/ask", data), (f"{UP}/clock-2/raw/x", data))
    target.is_recorded()


@attack(Severity.HIGH)
def speak_for_another_device(target: Target) -> None:
    """Its topics, its will, its retained state, its answers: the broker lets nothing through."""
    before = len(target.hall.rows("clock.press"))
    forged = event(99, dev="clock-1")
    for topic in (f"{UP}/clock-1/ev", f"{UP}/cam-1/ev", f"{UP}/console/ev"):
        say(target, (topic, forged), (topic, forged))
    say(target, (OWN, forged))
    say(target, (f"{DOWN}/clock-1/ack", b'{"v":1,"boot":"x","upto":99}'), retain=True)
    say(target, (f"{DOWN}/clock-1/cmd", b'{"v":1,"id":"x","cmd":"set"}'))
    say(target, (f"{DOWN}/clock-1/config", b'{"v":1,"table":2,"role":"pad"}'), retain=True)
    with target.client(will=(f"{UP}/clock-1/state", b'{"v":1,"state":"lost"}')) as client:
        client.socket().close()  # type: ignore[union-attr]  # so that the broker says the will
    target.is_recorded()
    assert len(target.hall.rows("clock.press")) == before + 1
    assert not target.is_said_lost()


@attack(Severity.HIGH)
def hear_what_is_not_ones_own(target: Target) -> None:
    """By every wildcard; what the honest clock says meanwhile comes to nobody."""
    heard: list[str] = []
    with target.client() as client:
        client.on_message = lambda _client, _data, message: heard.append(message.topic)
        for wanted in (
            "#",
            "+/#",
            "tc/#",
            f"{UP}/#",
            f"{DOWN}/+/cmd",
            "tc/v1/main/int/#",
            "$SYS/#",
            "$share/g/tc/#",
            f"{UP}/clock-1/#",
            "tc/v1/+/up/+/ev",
        ):
            client.subscribe(wanted, 1)
        target.is_recorded()
        client.publish(f"{UP}/clock-2/raw/doctor", b"x", 1).wait_for_publish(20)
        eventually(lambda: heard, "its own comes back")
    assert {topic for topic in heard if "/clock-2/" not in topic} <= {"tc/v1/main/up/clock-2"}


@attack(Severity.HIGH)
def give_orders(target: Target) -> None:
    """Under their own name, in the console's, sealed by another key, asked as a question."""
    order = {"id": "o-1", "who": "Dora", "table": 1, "text": "forged"}
    for number, more in enumerate(({}, {"seal": secrets.token_hex(32)}), 200):
        said = event(number, "order.note", data=order, **more)
        say(target, (OWN, said), (f"{UP}/console/ev", said.replace(b"clock-2", b"console")))
    say(target, (f"{UP}/clock-2/ask", json.dumps({"v": 1, "id": "q", "order": order}).encode()))
    target.is_recorded()
    assert not [name for name in types(target) if name.startswith("order.")]


@attack(Severity.HIGH)
def throw_somebody_out_by_a_client_id(target: Target) -> None:
    """The recorder's, the console's, the other clock's: all stay, and go on."""
    for name in ("recorder", "recorder-main", "console", "clock-1", "doctor", "table-1"):
        with target.client(client_id=name):
            pass
    target.is_recorded()
    assert not target.is_said_lost()


@attack(Severity.HIGH)
def keep_another_table_waiting_by_a_flood(target: Target) -> None:
    """Presses, and heartbeats by the ten thousand: the honest one is confirmed meanwhile."""
    with target.client() as client:
        for number in range(1, 301):
            data = {**PRESSED, "side": "RL"[number % 2], "running": "LR"[number % 2]}
            client.publish(OWN, event(number, boot="0f100d00", data=data), 1)
        for _ in range(20_000):
            sent = client.publish(f"{UP}/clock-2/hb", beat("0f100d00"), 0)
        target.is_recorded()
        sent.wait_for_publish(120)
    eventually(
        lambda: any("floods" in str(row.body) for row in target.hall.rows("device.lost", 2)),
        "the director is told who floods",
    )


@attack(Severity.MEDIUM)
def be_counted_twice(target: Target) -> None:
    """The same event at every quality of service and twice over is one row."""
    said = event(1, boot="00000d0b")

    def is_stored() -> bool:
        say(target, (f"{UP}/clock-2/hb", beat("00000d0b")))
        for qos in (0, 1, 2):
            say(target, *[(OWN, said)] * 3, qos=qos)
        return any(row.key == ("clock-2", "00000d0b", 1) for row in target.hall.read_log())

    eventually(is_stored, "one of them is stored")
    target.is_recorded()
    keys = [row.key for row in target.hall.read_log() if row.key]
    assert keys.count(("clock-2", "00000d0b", 1)) == 1
    assert len(keys) == len(set(keys))


@attack(Severity.MEDIUM)
def say_something_else_under_the_same_number(target: Target) -> None:
    """The first is kept, and that there were two is reported."""
    boot = "00000d0c"
    other = event(1, boot=boot, data={**PRESSED, "left_ms": 1})
    said = ((f"{UP}/clock-2/hb", beat(boot)), (OWN, event(1, boot=boot)), (OWN, other))

    def is_told() -> bool:
        say(target, *said)  # again, as a clock does that has no acknowledgement
        return any("contradicted" in str(row.body) for row in target.hall.read_log())

    eventually(is_told, "that there were two is told")


@attack(Severity.MEDIUM)
def fill_the_director_s_page_and_the_log(target: Target) -> None:
    """What is refused is reported once of its kind; strange types are kept short or not."""
    before = target.rows_at_rest()
    boot = "00000d0d"
    many = [(OWN, event(n, "board.stirred", boot=boot, data={"frame": "x"})) for n in range(1, 101)]
    many += [(OWN, event(n, "x.y", boot=boot, data={"x": "y" * 9_000})) for n in range(101, 201)]
    say(target, *many)
    target.is_recorded()
    assert len(left := target.left(before, boot)) < 20, left


@attack(Severity.MEDIUM)
def send_more_than_a_packet_may_be(target: Target) -> None:
    """The broker ends that client, and nobody else's connection."""
    address = broker_address(target.hall.clock_url(table=2))
    client = paho.Client(CallbackAPIVersion.VERSION2)
    client.username_pw_set(address.user, address.password)
    gone: list[bool] = []
    client.on_disconnect = lambda *_: gone.append(True)
    client.connect(address.host, address.port)
    client.loop_start()
    eventually(client.is_connected)
    client.publish(OWN, b"x" * 3_000_000, 1)
    eventually(lambda: gone, "the broker hangs up")
    client.disconnect()
    client.loop_stop()
    target.is_recorded()


@attack(Severity.LOW)
def trick_by_the_form_of_a_topic(target: Target) -> None:
    """Levels too many or empty, capitals, dots: none is another device's."""
    for topic in (
        f"{UP}/clock-2/../clock-1/ev",
        f"{UP}//ev",
        f"{UP}/Clock-1/ev",
        f"{UP}/clock-2/EV",
        f"{UP}/clock-2/ev/x",
        f"{UP}/clock-1\u200b/ev",
        "tc/v2/main/up/clock-2/ev",
    ):
        say(target, (topic, event(300, boot="00000d0e", dev="clock-1")))
    target.is_recorded()
    assert not [row for row in target.hall.read_log() if row.key and row.key[1] == "00000d0e"]


@attack(Severity.HIGH)
def have_the_broker_keep_messages_without_end(target: Target) -> None:
    """Retained, each under another topic of one's own or of a venue that is none: it keeps none."""
    with target.client() as client:
        for number in range(200):
            for topic in (f"{UP}/clock-2/raw/{number}", f"{UP}/clock-2/x/{number}"):
                client.publish(topic, b"x" * 50_000, 1, retain=True)
            client.publish(f"tc/v1/hall-{number}/up/clock-2/state", b"x", 1, retain=True)
        client.publish(f"{UP}/clock-2/" + "x" * 60_000, b"x", 1, retain=True)
        client.publish(f"{UP}/clock-2/info", b"{}", 1, retain=True).wait_for_publish(60)
    with target.ear("recorder-ear", "tc/v1/#") as heard:
        kept = f"{UP}/clock-2/info"
        eventually(
            lambda: kept in {message.topic for message in heard}, "what it may keep is there"
        )
    assert len({message.topic for message in heard if "/clock-2" in message.topic}) < 12
    say(target, (f"{UP}/clock-2/info", b""), retain=True)
    target.is_recorded()
