"""Why nobody answers at a camera's address, in words with what helps. Opens nothing."""

import socket


def why_unreachable(fault: Exception, host: str, port: int, server: str) -> str:
    """What ``fault``, of connecting, says of the address; empty where it says nothing of it.

    ``server`` is what should be on there, as in "the camera's server".
    """
    if isinstance(fault, socket.gaierror):
        return f"no host is called {host}: is it spelled rightly? its number works too"
    if isinstance(fault, ConnectionRefusedError):
        return f"nothing listens at port {port} of {host}: is {server} on?"
    return ""
