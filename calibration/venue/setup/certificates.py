"""A venue's own certificates: its authority, and what it signs. Made by ``openssl``.

The authority's key never leaves its folder. A certificate of a server has the names and addresses
by which others reach it; one of a client has the name by which the broker knows it.
"""

import ipaddress
import secrets
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from recorder.domain.errors import RecorderError

AUTHORITY = "authority"
AUTHORITY_DAYS, CERTIFICATE_DAYS = 3650, 825
_CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


def make_authority(folder: Path, name: str = "Tilecast venue") -> None:
    """``ca.crt`` and ``ca.key`` in a folder. RecorderError where there is no openssl."""
    folder.mkdir(parents=True, exist_ok=True)
    _openssl(
        "req", "-x509", *_CURVE, "-days", str(AUTHORITY_DAYS), "-subj", f"/CN={name}",
        "-addext", "keyUsage=critical,keyCertSign,cRLSign",
        "-keyout", str(folder / "ca.key"), "-out", str(folder / "ca.crt"),
    )  # fmt: skip


def sign_server(
    authority: Path, to: Path, name: str, hosts: Sequence[str], days: int = CERTIFICATE_DAYS
) -> None:
    """``NAME.crt``, ``NAME.key``, ``ca.crt`` in a folder, for a server that goes by ``hosts``."""
    names = ",".join(f"{'IP' if _is_address(host) else 'DNS'}:{host}" for host in hosts)
    _sign(authority, to, name, f"subjectAltName={names}\nextendedKeyUsage=serverAuth\n", days)


def sign_client(authority: Path, to: Path, name: str, days: int = CERTIFICATE_DAYS) -> None:
    """Likewise for a client that the broker is to know as ``name``."""
    _sign(authority, to, name, "extendedKeyUsage=clientAuth\n", days)


def _sign(authority: Path, to: Path, name: str, extensions: str, days: int) -> None:
    to.mkdir(parents=True, exist_ok=True)
    asked, wanted = to / f"{name}.csr", to / f"{name}.ext"
    wanted.write_text(extensions, encoding="ascii")
    _openssl(
        "req", "-new", *_CURVE, "-subj", f"/CN={name}",
        "-keyout", str(to / f"{name}.key"), "-out", str(asked),
    )  # fmt: skip
    _openssl(
        "x509", "-req", "-in", str(asked), "-sha256", "-days", str(days),
        "-CA", str(authority / "ca.crt"), "-CAkey", str(authority / "ca.key"),
        "-set_serial", f"0x{secrets.token_hex(15)}", "-extfile", str(wanted),
        "-out", str(to / f"{name}.crt"),
    )  # fmt: skip
    asked.unlink()
    wanted.unlink()
    shutil.copy(authority / "ca.crt", to / "ca.crt")


def _openssl(*words: str) -> None:
    program = shutil.which("openssl")
    if program is None:
        raise RecorderError("certificates need openssl: apt install openssl")
    done = subprocess.run(  # noqa: S603  # our own words
        [program, *words], check=False, capture_output=True, text=True
    )
    if done.returncode:
        raise RecorderError(f"openssl {words[0]}: {done.stderr.strip().splitlines()[-1]}")


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
