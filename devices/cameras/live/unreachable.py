"""Why nobody answers at a camera's address, in words with what helps. Opens nothing."""

import socket

from devices.words import camera_fault


def why_unreachable(
    fault: Exception, host: str, port: int, refused: str = "nothing_listens"
) -> str:
    """What ``fault``, of connecting, says of the address; empty where it says nothing of it.

    ``refused`` is the text for a port where nobody listens.
    """
    if isinstance(fault, socket.gaierror):
        return camera_fault("no_host", host=host)
    if isinstance(fault, ConnectionRefusedError):
        return camera_fault(refused, host=host, port=port)
    return ""
