"""Venues set up wrongly, one thing each, and some that are sound: what ``tilecast doctor`` says.

One Mosquitto with a listener for each way to listen, one web server with a path for each camera.
``docs/broken-setups.md`` is made of this table.
"""

import io
import os
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

import tilecast
from calibration.venue.setup.broker_files import BrokerUser, access_list, passwords
from calibration.venue.setup.certificates import make_authority, sign_client, sign_server
from recorder.bus.broker import find_mosquitto, free_port
from recorder.bus.mqtt import MqttBus
from tests.eventually import eventually
from tests.served import Quiet, serving

SECRET = "right-password"
AGENT = '[broker]\nurl = "{broker}"\n[agent]\nfolder = "{folder}"\n'
CAMERA = '[[device]]\nkind = "board-camera"\nname = "cam-1"\nsource = "{source}"\n'
CLOCK = '[[device]]\nkind = "serial-clock"\nname = "clock-1"\nport = "{port}"\n'


class CameraServer:
    """A camera at each path: ``/shot.jpg`` gives a new picture each time, as a real one does."""

    def __init__(self) -> None:
        server, noise = self, np.random.default_rng(1)
        self.frozen = _jpeg(noise.integers(60, 190, (120, 160, 3), np.uint8))

        class Handler(Quiet):
            def answer(self) -> None:
                picture = noise.integers(60, 190, (120, 160, 3), np.uint8)
                status, kind, body = {
                    "/shot.jpg": (200, "image/jpeg", _jpeg(picture)),
                    "/frozen.jpg": (200, "image/jpeg", server.frozen),
                    "/dark.jpg": (200, "image/jpeg", _jpeg(picture // 16)),
                    "/broken.jpg": (200, "image/jpeg", b"no picture"),
                    "/page.jpg": (200, "text/html", b"<h1>camera</h1>"),
                    "/locked.jpg": (401, "text/plain", b""),
                    "/white.jpg": (200, "image/jpeg", _jpeg(np.full_like(picture, 255))),
                    "/elsewhere.jpg": (302, "text/plain", b""),
                    "/newest.jpg": (302, "text/plain", b""),
                }.get(self.path, (404, "text/plain", b""))
                if self.path == "/locked.jpg" and "Authorization" in self.headers:
                    status, kind, body = 200, "image/jpeg", _jpeg(picture)
                host = "" if self.path == "/newest.jpg" else "http://camera.example"
                to = {"Location": f"{host}/shot.jpg"} if status == 302 else {}
                self.give(body, status, Content_Type=kind, **to)

        self._served = ExitStack()
        self.port = self._served.enter_context(serving(Handler)).rpartition(":")[2]

    def close(self) -> None:
        self._served.close()


def _jpeg(picture: "np.ndarray") -> bytes:
    return cv2.imencode(".jpg", picture)[1].tobytes()


@dataclass(frozen=True, slots=True)
class World:
    """What set-ups are made of: ports by listener, certificates, cameras; a folder for files."""

    folder: Path
    ports: dict[str, int]
    cameras: CameraServer
    _numbers: Iterator[int] = field(default_factory=lambda: iter(range(1000)))

    def broker(self, listener: str, user: str = "table-1", password: str = SECRET) -> str:
        """The address of a listener, without TLS."""
        return f"mqtt://{user}:{password}@127.0.0.1:{self.ports[listener]}"

    def private(self, listener: str, host: str = "127.0.0.1", certs: str = "ours") -> str:
        proof = f"?certs={self.folder / certs}&as=table-1"
        return f"mqtts://table-1:{SECRET}@{host}:{self.ports[listener]}{proof}"

    def camera(self, path: str, user: str = "") -> str:
        return f"http://{user}127.0.0.1:{self.cameras.port}/{path}.jpg"

    def table(self, *devices: str, broker: str = "", folder: str = "agent") -> list[str]:
        """The command on an agent's file with these devices."""
        file = self.folder / f"table-{next(self._numbers)}.toml"
        text = AGENT.format(broker=broker or self.broker("sound"), folder=folder)
        file.write_text(text + "".join(devices or [CAMERA.format(source=self.camera("shot"))]))
        return ["doctor", "venue", str(file)]


@contextmanager
def world_in(folder: Path) -> Iterator[World]:
    names = ("sound", "full", "tls", "expired", "elsewhere", "stranger", "proof")
    ports = {name: free_port() for name in (*names, "small", "limited", "nobody")}
    _make_certificates(folder)
    speaks = BrokerUser(name="table-1", password=SECRET, speaks_for=("cam-1", "clock-1", "doctor"))
    doctor = BrokerUser(name="doctor", password=SECRET, speaks_for=("doctor",))
    (folder / "passwords").write_text(passwords([speaks, doctor]))
    (folder / "acl").write_text(access_list("main", [speaks, doctor]))
    lines = {
        "full": "max_connections 1",
        **{name: _tls(folder / name) for name in ("tls", "expired", "elsewhere", "stranger")},
        "proof": _tls(folder / "tls") + "\nrequire_certificate true",
    }
    listeners = [f"listener {ports[name]} 127.0.0.1\n{lines.get(name, '')}" for name in names]
    small = f"listener {ports['small']} 127.0.0.1\nmax_packet_size 6000"
    limited = f"listener {ports['limited']} 127.0.0.1\nmessage_size_limit 6000"
    cameras = CameraServer()
    processes = [
        _mosquitto(folder, "venue", "\n".join(listeners)),
        _mosquitto(folder, "small", small),
        _mosquitto(folder, "limited", limited),
    ]
    try:
        for name in ("sound", "small", "limited"):
            eventually(lambda name=name: _listens(ports[name]), "the brokers listen")
        world = World(folder, ports, cameras)
        with MqttBus(world.broker("full"), "table-1") as first:
            eventually(lambda: first.is_connected, "one connection is taken")
            yield world
    finally:
        for process in processes:
            process.terminate()
            process.wait(60)
        cameras.close()


def _make_certificates(folder: Path) -> None:
    ours, other = folder / "authority", folder / "other"
    make_authority(ours)
    make_authority(other, "Another venue")
    here = ["localhost", "127.0.0.1"]
    sign_server(ours, folder / "tls", "broker", here, 30)
    sign_server(ours, folder / "expired", "broker", here, -1)
    sign_server(ours, folder / "elsewhere", "broker", ["broker.example"], 30)
    sign_server(other, folder / "stranger", "broker", here, 30)
    sign_client(ours, folder / "ours", "table-1")
    sign_client(other, folder / "theirs", "table-1")
    (folder / "theirs" / "ca.crt").write_bytes((ours / "ca.crt").read_bytes())


def _tls(folder: Path) -> str:
    files = {"cafile": "ca.crt", "certfile": "broker.crt", "keyfile": "broker.key"}
    return "\n".join(f"{key} {folder / name}" for key, name in files.items())


def _mosquitto(folder: Path, name: str, listeners: str) -> "subprocess.Popen[bytes]":
    root = "user root\n" if os.geteuid() == 0 else ""
    files = f"password_file {folder / 'passwords'}\nacl_file {folder / 'acl'}\n"
    config = folder / f"{name}.conf"
    config.write_text(f"{root}allow_anonymous false\n{files}log_dest none\n{listeners}\n")
    return subprocess.Popen([str(find_mosquitto()), "-c", str(config)], stderr=subprocess.DEVNULL)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@dataclass(frozen=True, slots=True)
class Setup:
    """A set-up in words, how it is made, and the words by which the doctor must name it."""

    what: str
    make: Callable[[World], list[str]]
    named: str = ""


def _broker(url: Callable[[World], str]) -> Callable[[World], list[str]]:
    return lambda world: world.table(broker=url(world))


def _camera(path: str) -> Callable[[World], list[str]]:
    return lambda world: world.table(CAMERA.format(source=world.camera(path)))


def _at(source: str) -> Callable[[World], list[str]]:
    return lambda world: world.table(CAMERA.format(source=source))


def _on(port: str) -> Callable[[World], list[str]]:
    return lambda world: world.table(CLOCK.format(port=port))


def _small(listener: str) -> Callable[[World], list[str]]:
    return lambda world: ["doctor", "--broker", world.broker(listener, "doctor"), "--venue", "main"]


def _dropped(world: World) -> list[str]:
    camera = CAMERA.format(source=world.camera("shot"))
    return world.table(camera.replace("cam-1", "cam-9"))


def _twins(world: World) -> list[str]:
    return world.table(CLOCK.format(port="/dev/null") + CLOCK.format(port="/dev/zero"))


def _hall(world: World, old: str, new: str) -> list[str]:
    """A venue as init makes it, but for a line of its table's file; its own broker does not run."""
    folder = world.folder / f"hall-{next(world._numbers)}"
    usual = ("--yes", "--clock", "phone", "--no-pads", "--address", "none", "--json")
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        tilecast.main(["init", str(folder), *usual, "--camera", world.camera("shot")])
    file = folder / "table-1.toml"
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")
    return ["doctor", "venue", str(folder), "--wait", "0"]


def _unexpected(world: World) -> list[str]:
    return _hall(world, '"cam-1"', '"cam-7"')


def _of_another_venue(world: World) -> list[str]:
    return _hall(world, 'name = "main"', 'name = "hal"')


def _with_other_tiles(world: World) -> list[str]:
    return _hall(world, 'tiles = "english"', 'tiles = "german"')


def _another_kind(world: World) -> list[str]:
    profile = 'kind = "rack-camera"\nside = "L"'
    return _hall(world, 'kind = "board-camera"', profile)


def _no_utf8(world: World) -> list[str]:
    words = _hall(world, "", "")
    file = Path(words[2]) / "venue.toml"
    file.write_bytes(file.read_bytes() + "# Zo\u00eb\n".encode("cp1252"))
    return words


def _camera_of_two(world: World) -> list[str]:
    camera = CAMERA.format(source=world.camera("shot"))
    return world.table(camera + camera.replace("cam-1", "cam-2"))


def _at_another_table(world: World) -> list[str]:
    return _hall(world, 'name = "cam-1"', 'name = "cam-1"\ntable = 3')


BROKEN = (
    Setup("a wrong password", _broker(lambda w: w.broker("sound", password="x")), "password"),
    Setup(
        "a name that the broker does not know", _broker(lambda w: w.broker("sound", "x")), "name or"
    ),
    Setup(
        "no password",
        _broker(lambda w: w.broker("sound").replace("table-1:" + SECRET + "@", "")),
        "or missing",
    ),
    Setup("an access list without the device", _dropped, "its access list forbids it"),
    Setup("a broker that takes small messages only", _small("small"), "max_packet_size"),
    Setup("a broker that drops large messages", _small("limited"), "raise message_size_limit"),
    Setup("a broker that is full", _broker(lambda w: w.broker("full")), "max_connections"),
    Setup(
        "a host's name with a slip",
        _broker(lambda _: "mqtt://brocker.invalid"),
        "no host is called",
    ),
    Setup(
        "a port where nobody listens",
        _broker(lambda w: w.broker("nobody")),
        "nothing listens at port",
    ),
    Setup(
        "the port of another program",
        _broker(lambda w: f"mqtt://127.0.0.1:{w.cameras.port}"),
        "is that a broker?",
    ),
    Setup("TLS to a port without it", _broker(lambda w: w.private("sound")), "speaks no TLS"),
    Setup("no TLS to a port with it", _broker(lambda w: w.broker("tls")), "it speaks TLS"),
    Setup("a certificate that has run out", _broker(lambda w: w.private("expired")), "has run out"),
    Setup(
        "a certificate of another authority",
        _broker(lambda w: w.private("stranger")),
        "do not trust",
    ),
    Setup(
        "a certificate for another host",
        _broker(lambda w: w.private("elsewhere")),
        "for another name",
    ),
    Setup(
        "a device's certificate of another venue",
        _broker(lambda w: w.private("proof", certs="theirs")),
        "refuses our certificate",
    ),
    Setup(
        "a camera's name with a slip", _at("http://kamera.invalid/shot.jpg"), "no host is called"
    ),
    Setup(
        "a camera's app that is off",
        lambda w: w.table(CAMERA.format(source=f"http://127.0.0.1:{w.ports['nobody']}/shot.jpg")),
        "the camera's server on",
    ),
    Setup("a camera that wants a password", _camera("locked"), "wants a name and a password"),
    Setup("a camera's path with a slip", _camera("short"), "nothing at this path"),
    Setup(
        "the camera's page instead of its picture", _camera("page"), "no picture is at this path"
    ),
    Setup("a camera that has moved to another server", _camera("elsewhere"), "name that address"),
    Setup("a camera that sends no picture", _camera("broken"), "is not a picture"),
    Setup("a camera that has frozen", _camera("frozen"), "it has frozen"),
    Setup("a camera with its cap on", _camera("dark"), "the picture is black"),
    Setup("a camera that sees nothing but light", _camera("white"), "the picture is white"),
    Setup("a camera that is not plugged in", _at("/dev/video97"), "is it plugged in?"),
    Setup("a port that is not there", _on("/dev/ttyUSB97"), "is it plugged in?"),
    Setup(
        "a file that is no port", lambda w: _on(str(w.folder / "acl"))(w), "is not a serial port"
    ),
    Setup(
        "a file in the place of a folder",
        lambda w: w.table(folder=str(w.folder / "acl")),
        "name another folder",
    ),
    Setup("two devices of one name", _twins, "two devices are called"),
    Setup("a device that the recorder does not expect", _unexpected, "no table of the recorder"),
    Setup("an agent of another venue", _of_another_venue, "says venue hal"),
    Setup("a device with another table's number", _at_another_table, "make them the same"),
    Setup("a camera with other tiles", _with_other_tiles, "says tiles german"),
    Setup("a device of another kind", _another_kind, "says kind rack-camera"),
    Setup("one camera for two boards", _camera_of_two, "each board has its own"),
    Setup("a file in another encoding", _no_utf8, "is not UTF-8"),
)
"""Those that need nothing but the world; others are in the test, with what they need."""

SOUND = (
    Setup("a broker with passwords and an access list", _camera("shot")),
    Setup("a camera that leads to its newest picture", _camera("newest")),
    Setup("a broker with TLS", _broker(lambda w: w.private("tls"))),
    Setup("a broker that asks for certificates", _broker(lambda w: w.private("proof"))),
    Setup(
        "a camera with its password",
        lambda w: w.table(CAMERA.format(source=w.camera("locked", "user:password@"))),
    ),
)
