"""The bus over a real broker, by paho: the only file that imports it.

Speaks MQTT 3.1.1, which every broker and every small device has. Sessions are clean: nothing here
rests on what a broker remembers (``recorder.bus.outbox`` does that work end to end). Every message
is held against our own filters, because amqtt hands out retained messages nobody here asked for.
"""

import contextlib
import logging
import queue
import secrets
import socket
import threading
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, unquote, urlsplit

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from recorder.bus.port import (
    ConnectionCallback,
    Handler,
    Message,
    Will,
    check_filter,
    check_topic,
    matches,
)
from recorder.domain.errors import NotationError, RecorderError

_KEEPALIVE_S = 15
_BACKOFF_S = (1, 10)
_MOST_INFLIGHT = 50
_MOST_QUEUED = 10_000
_PORTS = {"mqtt": 1883, "mqtts": 8883}

log = logging.getLogger("tilecast.bus")


class MqttBus:
    """A connection to the broker at ``mqtt://[user[:password]@]host[:port]`` (or ``mqtts://``).

    ``mqtts://host?certs=FOLDER`` shows the broker the certificate ``CLIENT_ID.crt`` (with
    ``CLIENT_ID.key``) and trusts what ``ca.crt`` has signed; ``&as=NAME`` shows NAME's instead.
    Without a folder the broker's certificate must be one that this machine trusts.
    A broker throws out the older of two clients of one id, whoever the second is: so ours ends in
    digits that nobody can guess, unless ``exact_id`` asks for ``client_id`` as it is, for a session
    that is kept over processes. ``clean_session=False`` asks the broker to keep what we have not
    acknowledged and send it after a reconnect; Mosquitto does, amqtt does not. NotationError when
    the URL cannot be read.
    """

    def __init__(
        self,
        url: str,
        client_id: str,
        *,
        will: Will | None = None,
        clean_session: bool = True,
        exact_id: bool = False,
    ) -> None:
        self._url = shown_url(url)
        self._handlers: tuple[tuple[str, Handler], ...] = ()
        self._callbacks: tuple[ConnectionCallback, ...] = ()
        self._lock = threading.Lock()  # guards the two above and _session_open; never held outside
        self._generation = 0
        self._session_open = False
        self._awaited: set[int] = set()
        self._connected = False
        self._last_reason = ""
        self._queue_full = False
        self._stopping = False
        shown_id = client_id if exact_id else f"{client_id}-{secrets.token_hex(8)}"
        self._client = _client(url, client_id, shown_id, clean_session=clean_session)
        if will is not None:
            self._client.will_set(will.topic, will.payload, qos=1, retain=will.retain)
        self._client.on_socket_open = _without_delay
        self._client.on_connect = self._on_connect
        self._client.on_connect_fail = self._on_connect_fail
        self._client.on_disconnect = self._on_disconnect
        self._client.on_subscribe = self._on_subscribe
        self._client.on_message = self._on_message

    @property
    def is_connected(self) -> bool:
        """See Bus: accepted by the broker, and every subscription answered."""
        return self._connected

    def start(self) -> None:
        """See Bus."""
        if self._client.loop_start() is not MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise RecorderError("this bus has been started before")

    def stop(self) -> None:
        """See Bus."""
        self._stopping = True
        self._client.disconnect()
        self._client.loop_stop()
        # paho leaves the pair that wakes its thread to the garbage collector.
        self._client._reset_sockets(sockpair_only=True)  # noqa: SLF001 - it offers no other way

    def break_off(self) -> None:
        """Lose the connection without a goodbye, as by a pulled cable; then connect again."""
        sock = self._client.socket()
        if isinstance(sock, socket.socket):
            with contextlib.suppress(OSError):  # it was lost already
                sock.shutdown(socket.SHUT_RDWR)

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        """See Bus."""
        check_topic(topic, qos)
        if not self._connected:
            return
        answer = self._client.publish(topic, payload, qos=qos, retain=retain)
        full = answer.rc is MQTTErrorCode.MQTT_ERR_QUEUE_SIZE
        if full and not self._queue_full:
            log.warning("%s takes no messages: %d wait already", self._url, _MOST_QUEUED)
        self._queue_full = full

    def subscribe(self, topic_filter: str, handler: Handler) -> None:
        """See Bus."""
        check_filter(topic_filter)
        with self._lock:
            self._handlers = (*self._handlers, (topic_filter, handler))
            is_open = self._session_open
        if is_open:
            self._client.subscribe(topic_filter, qos=1)

    def on_connection(self, callback: ConnectionCallback) -> None:
        """See Bus."""
        with self._lock:
            self._callbacks = (*self._callbacks, callback)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _on_connect(
        self,
        client: Client,
        _data: Any,
        _flags: ConnectFlags,
        reason: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        if reason.is_failure:
            self._tell(connected=False, reason=f"refused: {reason}")
            return
        with self._lock:
            self._generation += 1
            self._session_open = True
            filters = list(dict.fromkeys(topic_filter for topic_filter, _ in self._handlers))
        self._awaited.clear()
        if not filters:
            self._tell(connected=True, reason="connected")
            return
        _, number = client.subscribe([(topic_filter, 1) for topic_filter in filters])
        if number is not None:
            self._awaited.add(number)

    def _on_subscribe(
        self,
        _client: Client,
        _data: Any,
        number: int,
        reasons: list[ReasonCode],
        _properties: Properties | None,
    ) -> None:
        if any(reason.is_failure for reason in reasons):
            log.error("%s refused a subscription: check its access list", self._url)
        if number in self._awaited:
            self._awaited.discard(number)
            self._tell(connected=True, reason="connected")

    def _on_connect_fail(self, _client: Client, _data: Any) -> None:
        self._tell(connected=False, reason="nobody answers")

    def _on_disconnect(
        self,
        _client: Client,
        _data: Any,
        _flags: DisconnectFlags,
        reason: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        with self._lock:
            self._generation += 1
            self._session_open = False
        if self._connected:
            self._tell(connected=False, reason="stopped" if self._stopping else f"lost: {reason}")

    def _on_message(self, client: Client, _data: Any, message: MQTTMessage) -> None:
        generation = self._generation
        number, qos = message.mid, message.qos

        def ack() -> None:
            if qos and generation == self._generation:
                client.ack(number, qos)

        try:
            topic = message.topic
        except UnicodeDecodeError:
            ack()
            return
        handlers = [handler for wanted, handler in self._handlers if matches(wanted, topic)]
        if not handlers:
            ack()
            return
        delivered = Message(topic, bytes(message.payload), message.retain, _once(ack))
        for handler in handlers:
            handler(delivered)

    def _tell(self, *, connected: bool, reason: str) -> None:
        if connected == self._connected and reason == self._last_reason:
            return
        level = logging.INFO if connected or self._stopping else logging.WARNING
        log.log(level, "broker %s: %s", self._url, reason)
        self._connected, self._last_reason = connected, reason
        for callback in self._callbacks:
            callback(connected, reason)


def takes(url: str, name: str, topic: str, within_s: float) -> bool | None:
    """Whether the broker takes what ``name`` says on a topic; None where it does not tell.

    MQTT 5 may answer "not authorized"; older ones drop such without a word. The message is empty.
    """
    answers: queue.SimpleQueue[bool] = queue.SimpleQueue()
    client = _client(url, name, f"{name}-{secrets.token_hex(8)}", clean_session=None)

    def say(client: Client, *_: object) -> None:
        client.publish(topic, b"", qos=1)

    def answered(*arguments: Any) -> None:
        answers.put(not arguments[3].is_failure)

    client.on_connect, client.on_publish = say, answered
    client.loop_start()
    try:
        return answers.get(timeout=within_s)
    except queue.Empty:
        return None
    finally:
        client.disconnect()
        client.loop_stop()
        client._reset_sockets(sockpair_only=True)  # noqa: SLF001 - as in ``MqttBus.stop``


def _client(url: str, name: str, client_id: str, *, clean_session: bool | None) -> Client:
    """A client that is not connected; without a kind of session it speaks MQTT 5."""
    address = broker_address(url)
    speaks_5 = clean_session is None
    client = Client(
        CallbackAPIVersion.VERSION2,
        client_id=client_id,
        clean_session=clean_session,
        protocol=MQTTProtocolVersion.MQTTv5 if speaks_5 else MQTTProtocolVersion.MQTTv311,
        manual_ack=True,
    )
    client.reconnect_delay_set(*_BACKOFF_S)
    client.max_inflight_messages_set(_MOST_INFLIGHT)
    client.max_queued_messages_set(_MOST_QUEUED)
    if address.user is not None:
        client.username_pw_set(address.user, address.password)
    if address.scheme == "mqtts":
        authority, shown, key = certificates_of(address, name)
        client.tls_set(ca_certs=authority, certfile=shown, keyfile=key)
    client.connect_async(address.host, address.port, keepalive=_KEEPALIVE_S)
    return client


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """The parts of a broker's address; ``certs`` and ``name`` are of ``?certs=FOLDER&as=NAME``."""

    scheme: str
    host: str
    port: int
    user: str | None
    password: str | None
    certs: Path | None
    name: str


def broker_address(url: str) -> BrokerAddress:
    """NotationError, without any password, for what is no address of a broker."""
    try:
        parts = urlsplit(url)
        port = parts.port
        options = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
    except ValueError as err:
        raise NotationError(f"broker address {shown_url(url)!r}: {err}") from err
    if parts.scheme not in _PORTS or not parts.hostname or parts.path not in {"", "/"}:
        raise NotationError(
            f"broker address {shown_url(url)!r}: expected mqtt://host[:port] or mqtts://host[:port]"
        )
    if unknown := set(options) - ({"certs", "as"} if parts.scheme == "mqtts" else set()):
        raise NotationError(
            f"broker address {shown_url(url)!r}: {', '.join(sorted(unknown))} is not known;"
            " mqtts://host?certs=FOLDER&as=NAME is"
        )
    certs = options.get("certs")
    return BrokerAddress(
        scheme=parts.scheme,
        host=parts.hostname,
        port=port or _PORTS[parts.scheme],
        user=None if parts.username is None else unquote(parts.username),
        password=None if parts.password is None else unquote(parts.password),
        certs=None if certs is None else Path(certs),
        name=options.get("as", ""),
    )


def certificates_of(
    address: BrokerAddress, client_id: str
) -> tuple[str, str, str] | tuple[None, None, None]:
    """Whom to trust, what to show, and its key; NotationError names the file that is missing."""
    if address.certs is None:
        return None, None, None
    name = address.name or client_id
    authority, shown, key = (
        address.certs / file for file in ("ca.crt", f"{name}.crt", f"{name}.key")
    )
    for file in (authority, shown, key):
        try:
            file.read_bytes()
        except OSError as err:
            raise NotationError(
                f"certificates for {name}: {file}: {err.strerror}; docs/docker.md says how they"
                " are made"
            ) from err
    return str(authority), str(shown), str(key)


def without_proof(url: str) -> str:
    """A broker's address as somebody has it who is nobody there."""
    address = broker_address(url)
    host = f"[{address.host}]" if ":" in address.host else address.host
    return f"{address.scheme}://{host}:{address.port}"


def shown_url(url: str) -> str:
    """A broker address without its password, for messages."""
    before, at, host = url.rpartition("@")
    scheme, mark, _ = before.partition("://")
    return f"{scheme if mark else ''}{mark}...@{host}" if at else url


def _without_delay(_client: Client, _data: Any, sock: Any) -> None:
    """Small packets leave at once; Nagle's algorithm would cost 40 ms each."""
    if isinstance(sock, socket.socket):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _once(action: Any) -> Any:
    """The action, done at most once however many handlers call it."""
    lock = threading.Lock()

    def act() -> None:
        if lock.acquire(blocking=False):  # never released: the first caller has done it
            action()

    return act
