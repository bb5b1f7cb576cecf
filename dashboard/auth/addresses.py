"""Which addresses count as one visitor: a host has as many addresses of IPv6 as it likes. Pure."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

_HERE = (ip_address("127.0.0.1"), ip_address("::1"))


@lru_cache(maxsize=4096)
def visitor(address: str) -> str:
    """What tries to sign in are counted under: an IPv4 address, or the /64 of an IPv6 address."""
    found = read_address(address)
    return f"{_part(found, 64)}/64" if isinstance(found, IPv6Address) else address


@lru_cache(maxsize=4096)
def crowd(address: str) -> str:
    """What seats are counted under: the /24 or /64 of a public address, a private one by itself.

    The phones of a hall share their network with each other and with the staff.
    """
    found = read_address(address)
    if isinstance(found, IPv4Address) and not found.is_private:
        return f"{_part(found, 24)}/24"
    return visitor(address)


@lru_cache(maxsize=4096)
def is_here(address: str) -> bool:
    """Whether an address is that by which this very machine asks itself.

    Of a million others that it has as well, strangers' programs would take every seat.
    """
    return read_address(address) in _HERE


def read_address(address: str) -> IPv4Address | IPv6Address | None:
    """An address as it is; one of IPv4 that came by IPv6 as that of IPv4. None for what is none."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    if mapped is not None:
        return mapped
    return found


def _part(address: IPv4Address | IPv6Address, bits: int) -> IPv4Address | IPv6Address:
    zeros = address.max_prefixlen - bits
    return type(address)(int(address) >> zeros << zeros)
