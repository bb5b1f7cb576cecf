"""Whether others on the network reach a broker, and what is said of one that lets them in."""

import ipaddress
import socket
from contextlib import suppress

from recorder.bus.address import broker_address, shown_url
from recorder.bus.refusal import why_refused


def open_warning(url: str) -> str:
    """What is said at each start of a broker that others reach without proof of who they are.

    Empty for one on this machine, and for one that asks for a certificate or a password over TLS.
    """
    address = broker_address(url)
    proves = address.certs is not None or address.user is not None
    if is_here(url) or (address.scheme == "mqtts" and proves):
        return ""
    lacks = "TLS" if proves else "certificates or passwords"
    return (
        f"{shown_url(url)} is reached over the network without {lacks}: anyone on it can hear"
        " racks, give orders and speak for any device. Make certificates (docs/docker.md) and use mqtts://"
    )


def is_here(url: str) -> bool:
    """Whether a broker's address is one of this machine alone."""
    host = broker_address(url).host
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def open_to_others(url: str, within_s: float = 2.0) -> str:
    """Where others get into the broker of this machine at ``url`` though they show nothing.

    Host and port; empty where nobody does, and for a broker elsewhere. Tried at this machine's own
    addresses, as others would: it takes a moment where one of them drops what comes.
    """
    if not is_here(url):
        return ""
    port = broker_address(url).port
    tried = (f"{host}:{port}" for host in sorted(own_addresses()))
    return next((place for place in tried if not why_refused(f"mqtt://{place}", "", within_s)), "")


def own_addresses() -> set[str]:
    """This machine's addresses (IPv4) on networks."""
    addresses = [ipaddress.ip_address(text.partition("%")[0]) for text in all_addresses()]
    return {str(each) for each in addresses if each.version == 4 and not each.is_loopback}


def all_addresses() -> set[str]:
    """This machine's addresses, as far as its name and its default route tell."""
    found = {routed} if (routed := routed_address()) else set[str]()
    with suppress(OSError):
        found |= {str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)}
    return found


def routed_address() -> str:
    """The address from which this machine speaks to others, by its default route; empty: none."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: only asks which address would
        return str(probe.getsockname()[0])
    return ""
