"""A clock without a key asks the venue for its own; a director's button answers.

In MicroPython and Python alike. It goes in the clear, as the key itself does at a broker without
TLS: where a venue uses certificates, the clock's files are copied to it instead.
"""

import json
import socket

TYPE_CHECKING = False  # MicroPython has no module typing; type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_OK = 200


def settings_from(
    address: str, name: str, presses: "Callable[[], int]", pause: "Callable[[], object]"
) -> "dict[str, Any]":
    """The settings that the dashboard at ``address`` (host:port) gives, however long it takes.

    ``presses`` counts what was pressed, so that the director sees which clock this is; ``pause``
    waits a second or two, and may raise to give up.
    """
    secret = ""
    while True:
        try:
            if not secret:
                status, said = _post(address, "/api/join", {"kind": "clock", "name": name})
                secret = said["secret"] if status == _OK else ""
            else:
                question = {"secret": secret, "presses": presses()}
                status, said = _post(address, "/api/join/answer", question)
                if status == _OK and said["state"] == "added":
                    return dict(said["settings"])
                secret = secret if status == _OK else ""
        except (OSError, ValueError, KeyError):
            pass  # no network yet, or something else listens there: asked again
        pause()


def _post(address: str, path: str, question: object) -> "tuple[int, dict[str, Any]]":
    """Status and answer of one request. OSError without a connection, ValueError otherwise."""
    host, _, port = address.partition(":")
    body = json.dumps(question).encode()
    head = (
        f"POST {path} HTTP/1.0\r\nHost: {address}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    line = socket.socket()
    try:
        line.settimeout(5)
        line.connect(socket.getaddrinfo(host, int(port or 80))[0][-1])
        rest = head.encode() + body
        while rest:
            rest = rest[line.send(rest) :]
        answer = b""
        while part := line.recv(2048):
            answer += part
    finally:
        line.close()
    top, _, said = answer.partition(b"\r\n\r\n")
    return int(top.split(b" ")[1]), json.loads(said)
