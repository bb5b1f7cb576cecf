"""A page by hand: one TCP connection that reads WebSocket frames itself and shows their size."""

import base64
import json
import os
import socket
import zlib
from dataclasses import dataclass, field
from typing import Any

_TEXT, _PING, _PONG = 0x1, 0x9, 0xA
_FIN, _DEFLATED, _MASKED = 0x80, 0x40, 0x80
_LENGTH_IN = {126: 2, 127: 8}
"""Bytes that hold the length, where the second byte of a frame does not say it itself."""
_END_OF_BLOCK = b"\x00\x00\xff\xff"
_LONGEST_S = 30.0


@dataclass(frozen=True, slots=True)
class Heard:
    """A message, the bytes of its whole frame, and whether they were deflated."""

    message: dict[str, Any]
    size: int
    deflated: bool


@dataclass
class RawPage:
    """An open page. ``deflate``: offer compression, as every browser does."""

    port: int
    path: str
    deflate: bool = True
    came: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        self.link = socket.create_connection(("127.0.0.1", self.port), timeout=_LONGEST_S)
        self._inflate = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
        offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"
        lines = [
            f"GET {self.path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            *("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"),
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            *([offer] if self.deflate else []),
        ]
        self.link.sendall("\r\n".join([*lines, "", ""]).encode())
        while b"\r\n\r\n" not in self.came:
            self._receive()
        answer, _, rest = bytes(self.came).partition(b"\r\n\r\n")
        assert b" 101 " in answer, answer
        self.came = bytearray(rest)

    def close(self) -> None:
        self.link.close()

    def hear(self) -> Heard:
        while True:
            first, second = self._take(2)
            more = _LENGTH_IN.get(second, 0)
            length = int.from_bytes(self._take(more)) if more else second
            data = self._take(length)
            if first & 0x0F == _PING:
                self.link.sendall(bytes((_FIN | _PONG, _MASKED | len(data))) + bytes(4) + data)
            if first & 0x0F != _TEXT:
                continue
            deflated = bool(first & _DEFLATED)
            text = self._inflate.decompress(data + _END_OF_BLOCK) if deflated else data
            return Heard(json.loads(text), 2 + more + length, deflated)

    def hear_row(self, seq: int) -> Heard:
        """The message that brings what row ``seq`` changed."""
        while True:
            heard = self.hear()
            if heard.message["type"] in {"snapshot", "patch"} and heard.message["seq"] >= seq:
                return heard

    def ping(self) -> Heard:
        """Say that the page is there, as ``shared/link.js`` does; the answer."""
        said = {"type": "ping", "t": 81_234.5, "scene": "full", "seq": 17, "shown": True}
        data = json.dumps(said, separators=(",", ":")).encode()
        self.link.sendall(bytes((_FIN | _TEXT, _MASKED | len(data))) + bytes(4) + data)
        while (heard := self.hear()).message["type"] != "pong":
            pass
        return heard

    def _take(self, count: int) -> bytes:
        while len(self.came) < count:
            self._receive()
        taken = bytes(self.came[:count])
        del self.came[:count]
        return taken

    def _receive(self) -> None:
        part = self.link.recv(65536)
        assert part, "the server has gone"
        self.came += part
