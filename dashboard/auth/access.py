"""Who may see what: roles and their keys, where a page may come from, how late the public is.

Pure decisions over strings; ``dashboard.auth.guard`` applies them. A key given in an address is
exchanged for a session at the first load, so that it stays out of screenshots and history.
"""

import hmac
import ipaddress
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from recorder.bus.exposure import all_addresses
from recorder.domain.errors import NotationError

LEAST_TOKEN = 12
"""A key of fewer characters is refused."""


_LEAST_DIFFERENT = 6
_KEY = re.compile(r"[A-Za-z0-9._~-]+")


class Role(StrEnum):
    """Who asks. A viewer needs no key; what the others may see, ``opens`` says."""

    VIEWER = "viewer"
    OVERLAY = "overlay"
    COMMENTATOR = "commentator"
    SCORER = "scorer"
    CAMERA = "camera"
    CHECK_IN = "check-in"
    DIRECTOR = "director"
    ADMIN = "admin"

    @property
    def is_at_a_table(self) -> bool:
        """Whether accounts with this role serve one table, which they name."""
        return self in (Role.SCORER, Role.CAMERA)

    def opens(self, wanted: "Role") -> bool:
        """Whether somebody with this role may do what ``wanted`` may."""
        if self is Role.ADMIN or wanted in (Role.VIEWER, self):
            return True
        return self is Role.DIRECTOR and wanted is not Role.ADMIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """The keys that a running dashboard was started with, and the delay of its public channel.

    A key opens a session for its role, as a name and a password do (``dashboard.auth.accounts``).
    ``delay_ms`` in milliseconds. NotationError when a key is too short to be one.
    """

    director_token: str
    commentator_token: str
    delay_ms: int = 0

    def __post_init__(self) -> None:
        for token in (self.director_token, self.commentator_token):
            if len(token) < LEAST_TOKEN or len(set(token)) < _LEAST_DIFFERENT:
                raise NotationError(
                    f"a key needs at least {LEAST_TOKEN} characters, {_LEAST_DIFFERENT} of them"
                    f" different; this one has {len(token)}"
                )
            if not _KEY.fullmatch(token):
                raise NotationError("a key is part of a link: letters, digits, '-', '_', '.', '~'")
        if self.director_token == self.commentator_token:
            raise NotationError("director and commentator need different keys")

    def role_of_token(self, token: str) -> Role | None:
        """The role that a key opens, None for a wrong one. Takes the same time for any key."""
        given = token.encode()
        director = hmac.compare_digest(given, self.director_token.encode())
        commentator = hmac.compare_digest(given, self.commentator_token.encode())
        if director:
            return Role.DIRECTOR
        return Role.COMMENTATOR if commentator else None


def same_origin(headers: Mapping[str, str], *, clear: bool = True) -> bool:
    """Whether a request comes from a page of this server, or from no page at all.

    Browsers let any page open a WebSocket anywhere; the ``Origin`` header is what shows. ``clear``:
    the request came without TLS, or through a proxy that has taken it off; a page that came in the
    clear is none of ours where we speak TLS.
    """
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        page = urlsplit(origin)
    except ValueError:  # as of half an IPv6 address
        return False
    return page.netloc == headers.get("host", "") and (clear or page.scheme == "https")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def trusted_hosts(host: str, extra: tuple[str, ...]) -> list[str]:
    """The names under which pages may be asked for; others point to a rebound address."""
    names = {"localhost", "127.0.0.1", host, *extra}
    if not is_loopback(host):
        names |= {socket.gethostname(), f"{socket.gethostname()}.local", *all_addresses()}
    return sorted(names - {"0.0.0.0", "::"})  # noqa: S104  these are removed, not bound
