"""Why a broker does not take us, step by step: its name, its port, TLS, who we are.

Speaks just enough MQTT 3.1.1 to be greeted. Every cause is tried out and comes with what helps.
"""

import secrets
import socket
import ssl
from contextlib import closing, suppress

from recorder.bus.address import BrokerAddress, broker_address, certificates_of

_GOODBYE = bytes.fromhex("e000")
_GREETING = 0x20
_ANSWERS = {
    1: "it does not speak MQTT 3.1.1: Mosquitto does",
    2: "it refuses our client id: an access list of client ids keeps us out",
    3: "it says that it is not available: look at its log",
    4: "refused: the name or the password in the address is not one that it knows",
    5: "refused: the name or the password in the address is wrong or missing",
}
_EXPIRED, _NOT_YET, _OTHER_NAME, _OTHER_ADDRESS = 10, 9, 62, 64


def why_refused(url: str, name: str, within_s: float) -> str:
    """Why the broker at ``url`` does not take ``name``, and what helps; empty when it does.

    NotationError for an address that cannot be read and for certificates that are not there.
    """
    address = broker_address(url)
    shown = certificates_of(address, name)
    try:
        line = socket.create_connection((address.host, address.port), within_s)
    except socket.gaierror:
        return f"no host is called {address.host}: is it spelled rightly? its number works too"
    except ConnectionRefusedError:
        return (
            f"nothing listens at port {address.port} of {address.host}: is the broker started, and"
            " is that its port?"
        )
    except OSError:
        return (
            f"{address.host} does not answer: is that its address, is the cable in, does a"
            " firewall drop us?"
        )
    with closing(line):
        if address.scheme == "mqtts":
            return _over_tls(line, address, shown, within_s)
        return _greeted(line, address) or ""


def _over_tls(
    line: socket.socket,
    address: BrokerAddress,
    shown: tuple[str, str, str] | tuple[None, None, None],
    within_s: float,
) -> str:
    authority, certificate, key = shown
    context = ssl.create_default_context(cafile=authority)
    if certificate is not None:
        context.load_cert_chain(certificate, key)
    line.settimeout(within_s)
    try:
        private = context.wrap_socket(line, server_hostname=address.host)
    except ssl.SSLCertVerificationError as fault:
        return _untrusted(fault, address)
    except TimeoutError:
        return _SILENT.format(port=address.port)
    except OSError as fault:  # SSLError is one
        if "alert" in str(fault).lower():
            return _CERTIFICATE_REFUSED
        return _no_tls(address, within_s)
    with private:
        return _greeted(private, address)


def _no_tls(address: BrokerAddress, within_s: float) -> str:
    """The handshake broke off: the port is one without TLS, or the broker hangs up on everybody."""
    where = (address.host, address.port)
    with suppress(OSError), socket.create_connection(where, within_s) as line:
        line.sendall(_hello(address))
        if line.recv(1):
            here = f"it speaks no TLS at port {address.port}"
            return f"{here}: mqtt:// instead of mqtts://, or its TLS port"
    return _FULL


_SILENT = "port {port} takes us and says nothing: is that a broker?"
_FULL = (
    "it hangs up without a word: as many are connected as it takes (Mosquitto: max_connections),"
    " or its log says why"
)
_CERTIFICATE_REFUSED = (
    "it refuses our certificate: made by another authority, run out, revoked, or none was shown;"
    " make a new one"
)


def _untrusted(fault: ssl.SSLCertVerificationError, address: BrokerAddress) -> str:
    match fault.verify_code:
        case code if code == _EXPIRED:
            return "its certificate has run out, or this machine's date is wrong: make a new one"
        case code if code == _NOT_YET:
            return "its certificate is not valid yet: is this machine's date right?"
        case code if code in (_OTHER_NAME, _OTHER_ADDRESS):
            return (
                f"its certificate is for another name than {address.host}: use the name that is in"
                " it, or make one with this name"
            )
        case _:
            return (
                "its certificate is signed by an authority that we do not trust: ca.crt is of"
                " another venue, or certs=FOLDER is missing from the address"
            )


def _greeted(line: socket.socket, address: BrokerAddress) -> str:
    """What is wrong with the answer to a greeting; empty when we are let in."""
    try:
        line.sendall(_hello(address))
        answer = line.recv(4)
    except (ssl.SSLError, ConnectionError):
        answer = b""
    except OSError:
        return _SILENT.format(port=address.port)
    if not answer:
        return _hung_up(address)
    if answer[0] != _GREETING or len(answer) < 4:
        return f"another program than a broker answers at port {address.port}"
    if answer[3] == 0:
        with suppress(OSError):
            line.sendall(_GOODBYE)
        return ""
    return _ANSWERS.get(answer[3], f"it refuses us, code {answer[3]}: look at its log")


def _hung_up(address: BrokerAddress) -> str:
    if address.scheme == "mqtt" and _speaks_tls(address):
        return f"it speaks TLS at port {address.port}: mqtts:// instead of mqtt://"
    # By TLS 1.3 a certificate is refused only after the handshake.
    return _CERTIFICATE_REFUSED if address.scheme == "mqtts" else _FULL


def _speaks_tls(address: BrokerAddress) -> bool:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # nothing is said over it
    try:
        with (
            socket.create_connection((address.host, address.port), 5) as line,
            context.wrap_socket(line),
        ):
            return True
    except ssl.SSLError as fault:
        return "alert" in str(fault).lower()
    except OSError:
        return False


def _hello(address: BrokerAddress) -> bytes:
    """A CONNECT packet of MQTT 3.1.1 with a clean session, and name and password if we have any."""
    flags, fields = 0x02, [f"why-{secrets.token_hex(8)}".encode()]
    if address.user is not None:
        flags |= 0x80
        fields.append(address.user.encode())
        if address.password is not None:
            flags |= 0x40
            fields.append(address.password.encode())
    body = b"\x00\x04MQTT\x04" + bytes([flags, 0, 15])
    body += b"".join(len(field).to_bytes(2, "big") + field for field in fields)
    return b"\x10" + _length(len(body)) + body


def _length(size: int) -> bytes:
    digits = bytearray()
    while True:
        size, digit = divmod(size, 128)
        digits.append(digit | (0x80 if size else 0))
        if not size:
            return bytes(digits)
