"""Which addresses lead to a camera. Reads text only."""

from urllib.parse import urlsplit

_WITH_HOST = ("http", "https", "rtsp", "rtsps", "rtmp", "phone", "phone+http")
_SCHEMES = (*_WITH_HOST, "udp", "tcp")


def address_fault(source: str) -> str:
    """What a camera's address should be, and is not; empty where it is, or where it is none.

    Not checked: whether anybody is there.
    """
    if "://" not in source:
        return ""
    address = urlsplit(source.removeprefix("snapshot:"))
    if address.scheme not in _SCHEMES:
        return f"an address that begins with one of {', '.join(_SCHEMES)}"
    if address.scheme in _WITH_HOST and not address.hostname:
        return "an address with a host, as http://phone:8080/"
    return ""
