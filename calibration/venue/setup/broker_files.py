"""What Mosquitto is given: its configuration, who has which password, who may say and hear what.

Text only. Nobody gets in without a password, and nobody speaks for another. Our own programs come
over the loopback. Networked clocks come by a listener of their own, where the broker takes their
user name for their client id: nobody can throw a clock out by taking its id. Agents of other
machines come by another, for each of their devices has a connection.
"""

import base64
import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recorder.bus.broker import HEAP_TOPIC, broker_settings
from recorder.bus.port import matches
from recorder.systems import is_superuser
from recorder.wire.topics import TRIED_KINDS, own_topics

_ROUNDS, _SALT_BYTES = 101, 12
FOLDER = "broker"


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerUser:
    """Somebody with a password at the broker, and the devices for whom they speak."""

    name: str
    password: str
    speaks_for: tuple[str, ...] = ()


def configuration(
    local_port: int,
    clock_port: int | None,
    agents_port: int | None = None,
    *,
    has_tls: bool = False,
) -> str:
    """``mosquitto.conf``; places are relative to the venue's folder, where the broker is started.

    ``clock_port`` is for networked clocks, ``agents_port`` for agents of other machines; None
    where there are none. With ``has_tls`` both are let in by their certificates alone.
    """
    proof = _CERTIFICATES if has_tls else []
    network = [] if clock_port is None else [f"listener {clock_port}", *proof, _OWN_ID]
    network += [] if agents_port is None else [f"listener {agents_port}", *proof]
    lines = [
        "# Written by tilecast init. Nobody gets in without a password of the file passwords.",
        *(["user root"] if is_superuser() else []),  # or it could not read what is root's
        "per_listener_settings false",
        "allow_anonymous false",
        f"password_file {FOLDER}/passwords",
        f"acl_file {FOLDER}/acl",
        f"listener {local_port} 127.0.0.1",
        *network,
        *broker_settings(f"{FOLDER}/"),
    ]
    return "\n".join(lines) + "\n"


_OWN_ID = "use_username_as_clientid true"
TLS = f"{FOLDER}/tls"
_CERTIFICATES = [
    f"cafile {TLS}/ca.crt",
    f"certfile {TLS}/broker.crt",
    f"keyfile {TLS}/broker.key",
    "require_certificate true",
    "use_identity_as_username true",
]
"""A client is who its certificate says: no password, no name that it could choose."""


def password_line(user: BrokerUser) -> str:
    """A line of Mosquitto's password file: salted, 101 rounds of PBKDF2 with SHA-512.

    So few rounds, Mosquitto's own number, are enough for the 192 random bits of our passwords.
    """
    salt = os.urandom(_SALT_BYTES)
    hashed = hashlib.pbkdf2_hmac("sha512", user.password.encode(), salt, _ROUNDS)
    salted, digest = (base64.b64encode(part).decode("ascii") for part in (salt, hashed))
    return f"{user.name}:$7${_ROUNDS}${salted}${digest}"


def password_fits(text: str, user: str, password: str) -> bool | None:
    """Whether a password file has this password for a user; None where it keeps it otherwise."""
    lines = [line.partition(":")[2] for line in text.splitlines() if line.startswith(f"{user}:")]
    if not lines:
        return False
    try:
        _, kind, rounds, salt, digest = lines[-1].split("$")
    except ValueError:
        return None
    if kind != "7":
        return None
    given = hashlib.pbkdf2_hmac("sha512", password.encode(), base64.b64decode(salt), int(rounds))
    return given == base64.b64decode(digest)


def may(text: str, user: str, what: str, topic: str) -> bool:
    """Whether an access list lets a user ``read`` or ``write`` a topic; no user: anybody at all.

    A pattern, which stands for many users, is taken to allow it.
    """
    named = ""
    for line in text.splitlines():
        match line.split():
            case ["user", name]:
                named = name
            case ["pattern", *_]:
                return True
            case ["topic", access, place] if access in (what, "readwrite"):
                if (not user or named in ("", user)) and matches(place, topic):
                    return True
            case ["topic", place] if (not user or named in ("", user)) and matches(place, topic):
                return True
    return False


def passwords(users: Sequence[BrokerUser]) -> str:
    """The password file."""
    return "".join(f"{password_line(user)}\n" for user in users)


def access_list(venue: str, users: Sequence[BrokerUser]) -> str:
    """Who may say and hear what. A device of which no line speaks is dropped without a word."""
    root = f"tc/v1/{venue}"
    lines = ["# Written by tilecast init: each user speaks for the devices named, for nobody else."]
    for user in users:
        lines += ["", f"user {user.name}"]
        lines += [line.format(root=root) for line in _MORE.get(user.name, ())]
        for device in user.speaks_for:
            lines += [f"topic write {topic}" for topic in own_topics(venue, device)]
            lines += [f"topic read {root}/down/{device}/#"]
    return "\n".join(lines) + "\n"


_MORE: Mapping[str, tuple[str, ...]] = {
    "recorder": (
        "topic read {root}/up/#",
        "topic write {root}/down/#",
        "topic readwrite {root}/pub/#",
        "topic write {root}/int/#",
        "topic readwrite {root}/sys/recorder/#",
        f"topic read {HEAP_TOPIC}",
    ),
    "console": (
        "topic read {root}/int/#",
        "topic read {root}/sys/recorder/#",
        *(f"topic read {{root}}/up/+/{channel}" for channel in ("state", "info", "hb")),
    ),
    "doctor": (
        "topic read {root}/sys/recorder/#",
        *(f"topic readwrite {{root}}/up/doctor/raw/{kind}" for kind in TRIED_KINDS),
    ),
}
