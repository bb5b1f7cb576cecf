"""Addresses of brokers: what ``mqtt://`` and ``mqtts://`` say, with whose name and certificates."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from recorder.domain.errors import NotationError

_PORTS = {"mqtt": 1883, "mqtts": 8883}


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
