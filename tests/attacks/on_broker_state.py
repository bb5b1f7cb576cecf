"""What somebody with the password of one clock tries with what a broker keeps of sessions."""

import json
import subprocess
import sys

import paho.mqtt.client as paho
from paho.mqtt.enums import MQTTErrorCode

from calibration.venue.programs_file import read_keys
from recorder.bus.mqtt import broker_address
from tests.attacks.attack import DOWN, UP, Severity, Target, attack
from tests.attacks.on_broker import OWN, event, say
from tests.eventually import eventually

_SILENT_LINES = """
import resource, socket, sys
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
lines = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(int(sys.argv[2]))]
print("held", flush=True)
sys.stdin.read()
"""
"""Another process: here a client's own connection would get a number that it cannot wait for."""
STATE = f"{UP}/clock-2/state"


def state(word: str, boot: str = "0badc0de") -> bytes:
    """What a device says of how it is."""
    return json.dumps({"v": 1, "state": word, "boot": boot, "reason": "x"}).encode()


@attack(Severity.HIGH)
def steer_the_broker_by_its_own_topics(target: Target) -> None:
    """Its control, its log, bridges, other venues, the recorder's word: not heard, not said."""
    heard: list[str] = []
    forged = (
        "$CONTROL/dynamic-security/v1",
        "$SYS/broker/clients/connected",
        "$bridge/x/state",
        "tc/v1/main/pub/table/1/frame",
        "tc/v1/main/int/table/1/alert",
        "tc/v1/main/sys/recorder/main/state",
        "tc/v1/other/up/clock-2/ev",
        f"{DOWN}/clock-2/ack",
        f"{UP}/clock-2",
    )
    with target.client() as client:
        client.on_message = lambda _client, _data, message: heard.append(message.topic)
        for topic in (*forged, "$SYS/broker/log/#", "$CONTROL/#", "$share/x/$SYS/#", "/tc/#"):
            client.subscribe(topic, 2)
        for topic in forged:
            client.publish(topic, b'{"commands":[{"command":"listClients"}]}', 1, retain=True)
        target.is_recorded()
    assert {topic for topic in heard if "/clock-2" not in topic} == set()
    with target.ear("recorder-ear-2", "tc/v1/#") as kept:
        say(target, (f"{UP}/clock-2/raw/doctor", b"now"))
        eventually(lambda: b"now" in [message.payload for message in kept], "it hears")
    assert [message for message in kept if b"listClients" in message.payload] == []


@attack(Severity.HIGH)
def leave_messages_half_said(target: Target) -> None:
    """Five thousand that are never completed: nobody waits for them, and none is an event."""
    address = broker_address(target.hall.clock_url(table=2))
    client = paho.Client(paho.CallbackAPIVersion.VERSION2)
    client.username_pw_set(address.user, address.password)
    client.max_inflight_messages_set(0)
    asked: list[bool] = []

    def say_no_more() -> MQTTErrorCode:
        asked.append(True)
        return MQTTErrorCode.MQTT_ERR_SUCCESS

    client._handle_pubrec = say_no_more  # type: ignore[method-assign]
    client.connect(address.host, address.port)
    client.loop_start()
    eventually(client.is_connected)
    for number in range(1, 5_001):
        client.publish(OWN, event(number, boot="0ddba115"), 2)
    eventually(lambda: len(asked) > 50, "the broker waits for the rest of some")
    target.is_recorded()
    client.disconnect()
    client.loop_stop()
    target.is_recorded()
    assert not [row for row in target.hall.read_log() if row.key and row.key[1] == "0ddba115"]


@attack(Severity.HIGH)
def listen_for_everything_at_once(target: Target) -> None:
    """Five thousand filters, the deepest that there are, a topic of 60,000 letters."""
    with target.client() as client:
        for number in range(5_000):
            client.subscribe(f"{UP}/+/x{number}/+", 2)
        client.subscribe("/".join("+" * 180), 1)
        client.subscribe("x" * 60_000, 1)
        for filter_ in ("a/#/b", "a+", "$share//x", "$share/#/x"):
            try:
                client.subscribe(filter_, 1)
            except ValueError:
                continue  # none at all
        target.is_recorded()
    target.is_recorded()


@attack(Severity.HIGH)
def leave_poison_behind_as_a_last_will(target: Target) -> None:
    """Deep, huge, no JSON, somebody else's boot; retained, so that every start hears it again."""
    for number, will in enumerate((b"[" * 60_000, b'{"v":1e999}', b"\xff" * 9, state("lost", "'"))):
        with target.client(will=(STATE, will), client_id=f"x{number}") as client:
            client.socket().close()  # type: ignore[union-attr]  # so that the broker says it
    target.is_recorded()
    say(target, (STATE, b""), retain=True)
    target.is_recorded()


@attack(Severity.MEDIUM)
def come_and_go_without_end(target: Target) -> None:
    """Lost and back four hundred times: the log and the director's page are not filled with it."""

    def rows() -> int:
        # Of this clock: a flood may still come in, and an honest device be lost for a moment.
        seen = (row for row in target.hall.read_log() if row.type in ("device.lost", "device.back"))
        return sum("clock-2" in str(row.body) for row in seen)

    before = rows()
    say(target, *[(STATE, state(word)) for _ in range(400) for word in ("ready", "lost")])
    target.is_recorded()
    assert rows() - before < 40


@attack(Severity.MEDIUM)
def ask_without_end(target: Target) -> None:
    """Two thousand questions, a thousand boots that beat: the honest clock gets its answers."""
    said = [(f"{UP}/clock-2/ask", b'{"v":1,"id":"q-%d","what":"time"}' % n) for n in range(2_000)]
    for number in range(1_000):
        beat = {"v": 1, "boot": f"{number:08x}", "t": number, "seq_high": 9, "outbox": 9}
        said.append((f"{UP}/clock-2/hb", json.dumps(beat).encode()))
    with target.client() as client:
        for topic, payload in said:
            client.publish(topic, payload, 0)
        target.is_recorded()
    before = target.rows_at_rest()
    target.is_recorded()
    assert len(left := target.left(before)) < 10, left


@attack(Severity.HIGH)
def say_an_order_of_the_console_again(target: Target) -> None:
    """With the console's own password: as it was, under another number, boot, table."""
    console = read_keys(target.hall.folder)["TILECAST_MQTT_URL"]

    def notes() -> list[bytes]:
        return [message.payload for message in heard if b"once only" in message.payload]

    with target.ear("recorder-spy", f"{UP}/console/ev") as heard:
        note = {"type": "order.note", "data": {"text": "once only"}, "id": "once-1", "table": 1}
        session = target.session("director")
        target.post("/api/order", json.dumps(note), target.origin, session=session)
        eventually(notes, "the order is on its way")
    told = json.loads(notes()[0])
    with target.client(console, "console-thief") as thief:
        for more in (
            {},
            {"seq": told["seq"] + 900},
            {"boot": "0badbeef", "seq": 1},
            {"data": {**told["data"], "table": 2}},
            {"data": {**told["data"], "id": "once-2"}, "seq": told["seq"] + 901},
            {"type": "order.banner", "seq": told["seq"] + 902},
        ):
            forged = json.dumps({**told, **more}).encode()
            thief.publish(f"{UP}/console/ev", forged, 1).wait_for_publish(20)
    target.is_recorded()
    for table in (0, 1, 2):
        rows = [row for row in target.hall.read_log() if row.table == table]
        noted = [row for row in rows if row.type == "order.note" and "once only" in str(row.body)]
        assert len(noted) == (table == 1)
    assert "once only" not in target.get("/api/table/1/frame")


@attack(Severity.HIGH)
def keep_devices_out_by_lines_that_say_nothing(target: Target) -> None:
    """Without a password: more connections than a login lets a program have, and none speaks."""
    words = [sys.executable, "-c", _SILENT_LINES, str(target.hall.broker_port), "1200"]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe) as silent:
        assert silent.stdout.readline() == b"held\n"
        with target.client():
            target.is_recorded()
