"""The clock on an ESP32 or Pico W: switches, Wi-Fi, MQTT. MicroPython 1.20 or newer.

Copy the folder ``devices/firmware`` to the board under that path, this file as ``main.py`` beside
it, and a ``clock.json`` (see ``docs/clock-protocol.md``).
"""

import json

TYPE_CHECKING = False  # MicroPython has no module typing; type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from devices.firmware.mqtt_clock import MqttClock

CONFIG = "clock.json"


def main() -> None:
    """Run until the power goes."""
    import os

    from devices.firmware.clock_core import ClockCore
    from devices.firmware.mqtt_clock import MqttClock
    from devices.firmware.outbox_file import OutboxFile

    # Named like this, for no other Python has them.
    machine, network = __import__("machine"), __import__("network")
    umqtt, board_time = __import__("umqtt.simple"), __import__("time")
    with open(CONFIG) as file:
        config = json.load(file)
    wifi = network.WLAN(network.STA_IF)
    wifi.active(True)
    wifi.connect(config["wifi"], config["password"])
    if "join" in config and "venue" not in config:
        _join(config, machine, board_time)
    ticks = _endless(board_time)
    boot = "".join(f"{byte:02x}" for byte in os.urandom(4))
    outbox = OutboxFile("outbox.log", config["name"], boot, lambda _file: os.sync())  # type: ignore[attr-defined,unused-ignore]
    core = ClockCore(round(config["minutes"] * 60000))
    clock = MqttClock(config["venue"], config["name"], core, outbox, ticks)
    pressed: list[tuple[str, int]] = []
    for side in ("L", "R", "M"):
        pin = machine.Pin(config["pins"][side], machine.Pin.IN, machine.Pin.PULL_UP)
        # In the interrupt only the time is taken: that is when the switch closed.
        pin.irq(lambda _pin, side=side: pressed.append((side, ticks())), machine.Pin.IRQ_FALLING)
    buzzer = machine.Pin(config["pins"]["buzzer"], machine.Pin.OUT)
    client, tried_ms = None, -10000
    while True:
        if client is None and wifi.isconnected() and ticks() - tried_ms > 3000:
            tried_ms = ticks()
            client = _connect(umqtt.simple.MQTTClient, config, clock)
        try:
            while pressed:  # sent at once: a line that is broken is found here too
                side, at_ms = pressed.pop(0)
                if side == "M":
                    clock.middle(at_ms)
                else:
                    clock.press(side, at_ms)
            if client is not None:
                client.check_msg()
            clock.step()
        except Exception:  # noqa: BLE001 - umqtt ends a broken line with whatever it stumbled over
            clock.disconnected()
            client = None
        if clock.beep_ms:
            buzzer.on()
            board_time.sleep_ms(min(clock.beep_ms, 500))
            buzzer.off()
            clock.beep_ms = 0
        board_time.sleep_ms(5)


def _join(config: "dict[str, Any]", machine: "Any", board_time: "Any") -> None:
    """Wait for a director's button, then keep the settings that come with it."""
    from devices.firmware.joining import settings_from

    pressed: list[str] = []
    for side in ("L", "R", "M"):
        pin = machine.Pin(config["pins"][side], machine.Pin.IN, machine.Pin.PULL_UP)
        pin.irq(lambda _pin, side=side: pressed.append(side), machine.Pin.IRQ_FALLING)
    name = "clock " + "".join(f"{byte:02x}" for byte in machine.unique_id()[-3:])
    config.update(
        settings_from(config["join"], name, pressed.__len__, lambda: board_time.sleep_ms(1500))
    )
    with open(CONFIG, "w") as file:
        json.dump(config, file)


def _connect(client_class: "Any", config: "dict[str, Any]", clock: "MqttClock") -> "Any":
    """A connection with will and subscription, or None."""
    client = client_class(
        config["name"],
        config["broker"],
        port=config.get("port", 1883),
        user=config.get("user"),
        password=config.get("broker_password"),
        keepalive=15,
        **_private(config),
    )
    topic, payload = clock.will()
    client.set_last_will(topic, payload, retain=True, qos=1)
    client.set_callback(clock.hear)
    try:
        client.connect()
        client.subscribe(clock.down + "+", 1)
        clock.connected(client.publish)
    except Exception:  # noqa: BLE001 - as above; a refused password is its MQTTException
        return None
    return client


def _private(config: "dict[str, Any]") -> "dict[str, Any]":
    """TLS with the clock's own certificate, where ``clock.json`` names the files of one."""
    if "authority" not in config:
        return {}
    ssl = __import__("ssl")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(config["authority"])
    context.load_cert_chain(config["certificate"], config["key"])
    return {"ssl": context}


def _endless(clock: "Any") -> "Callable[[], int]":
    """Milliseconds that do not wrap: the board's own do, after twelve days."""
    state = [clock.ticks_ms(), 0]

    def ticks() -> int:
        now = clock.ticks_ms()
        state[1] += clock.ticks_diff(now, state[0])
        state[0] = now
        return int(state[1])

    return ticks


if __name__ == "__main__":
    main()
