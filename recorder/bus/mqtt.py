"""The bus over a real broker, by paho: the only file that imports it.

Speaks MQTT 3.1.1, which every broker and every small device has. Sessions are clean: nothing here
rests on what a broker remembers (``recorder.bus.outbox`` does that work end to end). Every message
is held against our own filters, because amqtt hands out retained messages nobody here asked for.
"""

import contextlib
import logging
import os
import queue
import secrets
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from recorder.bus.address import broker_address, certificates_of, shown_url
from recorder.bus.port import (
    ConnectionCallback,
    Handler,
    Handlers,
    Message,
    Will,
    check_filter,
    check_topic,
)
from recorder.domain.errors import RecorderError

_KEEPALIVE_S = 15
_GOODBYE_S = 2.0
_BACKOFF_S = (1, 10)
_MOST_INFLIGHT = 50
_MOST_QUEUED = 10_000

_HANGS_UP = (
    "hangs up without a greeting: a certificate that is revoked, run out or missing, or too many"
    " clients; tilecast doctor says which"
)

log = logging.getLogger("tilecast.bus")


class MqttBus:
    """A connection to the broker at ``mqtt://[user[:password]@]host[:port]`` (or ``mqtts://``).

    ``mqtts://host?certs=FOLDER`` shows the broker the certificate ``CLIENT_ID.crt`` (with
    ``CLIENT_ID.key``) and trusts what ``ca.crt`` has signed; ``&as=NAME`` shows NAME's instead.
    Without a folder the broker's certificate must be one that this machine trusts. A broker throws
    out the older of two clients of one id, no matter who the second is: so ours ends in digits that
    nobody can guess, unless ``exact_id`` asks for ``client_id`` as it is, for a session that is
    kept over processes. ``clean_session=False`` asks the broker to keep what we have not
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
        self._url, self._proof = shown_url(url), (url, client_id)
        self._handlers = Handlers()
        self._callbacks: tuple[ConnectionCallback, ...] = ()
        # Guards the two above, _session_open and _ending. Held outside only while paho numbers an
        # unsubscribing, whose answer must not come first; paho's thread may call back meanwhile.
        self._lock = threading.RLock()
        self._generation = 0
        self._session_open = False
        self._is_greeted = False
        self._awaited: set[int] = set()
        self._ending: dict[int, tuple[str, Callable[[], None]]] = {}
        """Filters that the broker has not let go of yet, by the number of what asks it to."""
        self.is_connected = False
        """See Bus: accepted by the broker, and every subscription answered."""
        self._last_reason = ""
        self._queue_full = False
        self._stopping = False
        shown_id = client_id if exact_id else f"{client_id}-{secrets.token_hex(8)}"
        self._client = _client(url, client_id, shown_id, clean_session=clean_session)
        self._client.after_fault = self._connection_lost
        if will is not None:
            self._client.will_set(will.topic, will.payload, qos=1, retain=will.retain)
        self._client.on_socket_open = _without_delay
        self._client.on_connect = self._on_connect
        self._client.on_connect_fail = self._on_connect_fail
        self._client.on_disconnect = self._on_disconnect
        self._client.on_subscribe = self._on_subscribe
        self._client.on_unsubscribe = self._on_unsubscribe
        self._client.on_message = self._on_message

    def start(self) -> None:
        """See Bus."""
        if self._client.loop_start() is not MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise RecorderError("this bus has been started before")

    def stop(self) -> None:
        """See Bus."""
        self._stopping = True
        connection = _second_handle(self._client)
        self._client.disconnect()
        # paho looks for its thread, then joins it: one that ends in between is gone by then.
        with contextlib.suppress(AttributeError):
            self._client.loop_stop()
        if connection is not None:
            _until_closed(connection)
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
        if not self.is_connected:
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
            ending = [key for key, (ended, _) in self._ending.items() if ended == topic_filter]
            self._end(*map(self._ending.pop, ending))
            self._handlers.add(topic_filter, handler)
            is_open = self._session_open
        if is_open:
            self._client.subscribe(topic_filter, qos=1)

    def unsubscribe(self, topic_filter: str, done: Callable[[], None] = lambda: None) -> None:
        """See Bus."""
        with self._lock:
            _, number = self._client.unsubscribe(topic_filter) if self._session_open else (0, None)
            if number is not None:
                self._ending[number] = (topic_filter, done)
        if number is None:
            self._end((topic_filter, done))

    def _end(self, *ending: tuple[str, Callable[[], None]]) -> None:
        for topic_filter, done in ending:
            with self._lock:
                self._handlers.remove(topic_filter)
            done()

    def twin(self) -> "MqttBus":
        """See Bus."""
        return MqttBus(*self._proof)

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
        self._is_greeted = True
        if reason.is_failure:
            self._tell(connected=False, reason=f"refused: {reason}")
            return
        with self._lock:
            self._generation += 1
            self._session_open = True
            filters = self._handlers.filters()
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

    def _on_unsubscribe(
        self,
        _client: Client,
        _data: Any,
        number: int,
        _reasons: list[ReasonCode],
        _properties: Properties | None,
    ) -> None:
        with self._lock:
            ending = self._ending.pop(number, None)
        if ending is not None:
            self._end(ending)

    def _on_connect_fail(self, _client: Client, _data: Any) -> None:
        # paho calls this while it handles the fault, and does not hand it on.
        fault = sys.exception()
        if isinstance(fault, ssl.SSLError):
            why = getattr(fault, "verify_message", "") or fault.reason or str(fault)
            self._tell(connected=False, reason=f"no TLS with it, tilecast doctor says why: {why}")
            return
        self._tell(connected=False, reason="nobody answers")

    def _on_disconnect(
        self,
        _client: Client,
        _data: Any,
        _flags: DisconnectFlags,
        reason: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        was_greeted, self._is_greeted = self._is_greeted, False
        if not was_greeted and not self._stopping:
            # With TLS 1.3 it is only now that the broker looks at our certificate.
            self._tell(connected=False, reason=_HANGS_UP)
        self._connection_lost(str(reason))

    def _connection_lost(self, reason: str) -> None:
        with self._lock:
            self._generation += 1
            self._session_open = False
            ending, self._ending = tuple(self._ending.values()), {}
        self._end(*ending)
        if self.is_connected:
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
        handlers = self._handlers.of(topic)
        if not handlers:
            ack()
            return
        delivered = Message(topic, bytes(message.payload), message.retain, _once(ack))
        for handler in handlers:
            handler(delivered)

    def _tell(self, *, connected: bool, reason: str) -> None:
        if connected == self.is_connected and reason == self._last_reason:
            return
        level = logging.INFO if connected or self._stopping else logging.WARNING
        log.log(level, "broker %s: %s", self._url, reason)
        self.is_connected, self._last_reason = connected, reason
        for callback in self._callbacks:
            callback(connected, reason)


class _UnendingClient(Client):
    """A client whose thread outlives a fault in it; paho's would end, and never be heard of again.

    The connection is given up for it, and begun again: a message may have been read in part.
    ``after_fault`` hears why.
    """

    after_fault: Callable[[str], None] | None = None

    def loop_forever(
        self,
        timeout: float = 1.0,
        retry_first_connection: bool = False,  # noqa: FBT001, FBT002 - paho's signature
    ) -> MQTTErrorCode:
        """See Client: what its thread does."""
        fault: Exception | None = None
        while True:
            try:
                if fault is not None:
                    self.connect_async(self.host, self.port, self.keepalive)
                    if self.after_fault is not None:
                        self.after_fault(f"{type(fault).__name__}: {fault}")
                return super().loop_forever(timeout, retry_first_connection)
            except Exception as raised:
                log.exception("a fault on the line to the broker; connecting again")
                fault = raised
                threading.Event().wait(_BACKOFF_S[0])


def _second_handle(client: Client) -> socket.socket | None:
    """The connection once more: it stays open when paho closes its own handle."""
    sock = client.socket()
    if sock is None:
        return None
    try:
        return socket.socket(fileno=os.dup(sock.fileno()))
    except OSError:
        return None  # it has just gone


def _until_closed(connection: socket.socket) -> None:
    """Wait until the broker has read the goodbye, and with it all that was said before.

    Closed while something is on its way to us, a connection is reset, and what the broker has not
    read yet is lost: instead of the goodbye it would tell everybody the will.
    """
    deadline = time.monotonic() + _GOODBYE_S
    with connection, contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        left_s = _GOODBYE_S
        while left_s > 0:
            connection.settimeout(left_s)
            if not connection.recv(65_536):
                break
            left_s = deadline - time.monotonic()


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


def _client(url: str, name: str, client_id: str, *, clean_session: bool | None) -> _UnendingClient:
    """A client that is not connected; without a kind of session it speaks MQTT 5."""
    address = broker_address(url)
    speaks_5 = clean_session is None
    client = _UnendingClient(
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
