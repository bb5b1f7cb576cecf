"""A connection to a PostgreSQL database: its address, what is said of it, how it is opened.

No message has a password, whatever the driver says.
"""

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlencode

from recorder.domain.errors import RecorderError

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[tuple[Any, ...]]

SCHEMES = ("postgresql://", "postgres://")
_USUAL: dict[str, Any] = {
    "connect_timeout": 3,
    # A machine that is gone without a goodbye is noticed within about ten seconds.
    "keepalives_idle": 4,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "application_name": "tilecast",
}


def is_database(place: object) -> bool:
    """Whether a log is named by the address of a database, not by a file."""
    return str(place).startswith(SCHEMES)


def shown_address(url: str) -> str:
    """An address without user and password, for messages."""
    scheme, _, rest = url.partition("://")
    place, _, options = rest.rpartition("@")[2].partition("?")
    kept = [(key, value) for key, value in parse_qsl(options) if "pass" not in key]
    return f"{scheme}://{place}{'?' if kept else ''}{urlencode(kept, safe='/')}"


def said_by(url: str, fault: Exception) -> str:
    """What the driver says in one line, without what may be a part of the password."""
    text = " ".join(str(fault).split())
    user, _, password = url.partition("://")[2].rpartition("@")[0].partition(":")
    secrets = {password, unquote(password), *re.split(r"[:/@?]", password)}
    secrets |= {value for key, value in parse_qsl(url.partition("?")[2]) if "pass" in key}
    for secret in sorted(secrets - {"", user}, key=len, reverse=True):
        text = text.replace(secret, "...")
    return text


def check_address(url: str) -> None:
    """RecorderError without the driver, or for what is no address; asks no server."""
    _options(url)


def connected(url: str) -> "Connection":
    """A connection that commits each statement by itself. RecorderError where there is none."""
    options = _options(url)
    import psycopg

    try:
        return psycopg.connect(autocommit=True, **options)
    except psycopg.Error as fault:
        raise RecorderError(f"{shown_address(url)}: {said_by(url, fault)}") from None


def has_log(url: str) -> bool:
    """Whether a log was begun in a database. RecorderError where it cannot be asked."""
    with connected(url) as connection:
        return connection.execute("SELECT to_regclass('event') IS NOT NULL").fetchone() == (True,)


def _options(url: str) -> dict[str, Any]:
    try:
        import psycopg
        from psycopg.conninfo import conninfo_to_dict
    except ImportError as fault:
        raise RecorderError(
            f"a log in PostgreSQL needs: pip install 'tilecast[postgres]' ({fault})"
        ) from fault
    try:
        given = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise RecorderError(
            f"{shown_address(url)}: is not an address such as postgresql://user:password@host/name;"
            " write @ : / ? in a password as %40 %3A %2F %3F, or keep it in ~/.pgpass"
        ) from None
    return {**_USUAL, **given}
