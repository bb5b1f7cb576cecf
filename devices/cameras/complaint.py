"""Why a camera gives no picture that is fit to be read, and what helps: tried out, step by step.

Opens the camera: not while an agent has it. Must not know what the picture is for.
"""

import http.client
import os
import re
import socket
import ssl
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import SplitResult, urljoin, urlsplit

import numpy as np

from devices.cameras.camera import is_snapshot, open_source
from devices.cameras.frames import BadFrame, CameraFrame, FrameSource
from devices.cameras.live.mjpeg import basic_proof
from devices.cameras.live.unreachable import why_unreachable
from devices.pictures import Image
from devices.ports import Ticks
from devices.words import camera_fault
from recorder.domain.errors import NotationError

_STEP_S, _ANSWER_S = 5.0, 12.0
_FROZEN_AFTER_S = 3.0
_DARK_LEVEL = 24.0
"""Of 255, the mean of a picture in which no tile can be read."""
_WHITE_LEVEL, _WHITE_SHARE = 250, 0.9
"""So bright a picture is burnt out: what lies there cannot be told from the light."""
_PORTS = {"http": 80, "https": 443, "rtsp": 554, "rtsps": 322}


def camera_complaint(source: str, ticks: Ticks, within_s: float = 18.0) -> str:
    """What is wrong with the camera at ``source``, and what helps; empty when nothing is."""
    address = urlsplit(source.removeprefix("snapshot:"))
    if address.scheme in _PORTS:
        complaint = _address_complaint(address, is_stream=not is_snapshot(source))
    else:
        complaint = local_complaint(source)
    return complaint or _picture_complaint(source, ticks, within_s)


def local_complaint(source: str) -> str:
    """Why a camera of this machine cannot be opened; empty when it can, or is none of it."""
    if not (source.startswith("/dev/") or source.isdecimal()):
        return ""
    place = Path(f"/dev/video{source}" if source.isdecimal() else source)
    if not place.exists():
        return camera_fault("no_file", place=str(place))
    if not os.access(place, os.R_OK | os.W_OK, effective_ids=True):
        return camera_fault("no_right", place=str(place))
    return ""


def _address_complaint(address: SplitResult, *, is_stream: bool) -> str:
    """Whether somebody answers at a camera's address, and with what."""
    host = address.hostname or ""
    port = _PORTS[address.scheme]
    try:
        port = address.port or port
        with socket.create_connection((host, port), _STEP_S) as line:
            if address.scheme == "rtsp":
                return _status_complaint(_rtsp_status(line, address), "")
    except (OSError, ValueError) as fault:
        return why_unreachable(fault, host, port) or camera_fault("no_answer", host=host)
    return _web_complaint(address, is_stream=is_stream) if address.scheme.startswith("http") else ""


def _web_complaint(address: SplitResult, *, is_stream: bool, steps: int = 3) -> str:
    made = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
    with closing(made(address.hostname or "", address.port, timeout=_ANSWER_S)) as connection:
        try:
            query = f"?{address.query}" if address.query else ""
            connection.request("GET", f"{address.path or '/'}{query}", headers=basic_proof(address))
            answer = connection.getresponse()
        except ssl.SSLCertVerificationError:
            return camera_fault("untrusted")
        except (OSError, http.client.HTTPException):
            return camera_fault("says_nothing")
        if 300 <= answer.status < 400:
            # A stream is followed wherever it leads to; a picture by request on its server alone.
            there = urlsplit(urljoin(address.geturl(), answer.getheader("Location") or ""))
            is_same = (there.scheme, there.netloc) == (address.scheme, address.netloc)
            if is_same and steps and not is_stream:
                return _web_complaint(there, is_stream=False, steps=steps - 1)
            place = _shown(there.geturl())
            elsewhere = camera_fault("elsewhere", status=answer.status, place=place)
            return "" if is_stream else elsewhere
        return _status_complaint(answer.status, answer.getheader("Content-Type") or "")


def _shown(url: str) -> str:
    """An address without its password."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _rtsp_status(line: socket.socket, address: SplitResult) -> int:
    """What an RTSP server says to who asks for the stream; 0 for what is no RTSP."""
    line.settimeout(_ANSWER_S)
    shown = _shown(address.geturl())
    proof = "".join(f"{name}: {value}\r\n" for name, value in basic_proof(address).items())
    line.sendall(f"DESCRIBE {shown} RTSP/1.0\r\nCSeq: 1\r\n{proof}\r\n".encode())
    found = re.match(rb"RTSP/1\.\d (\d{3})", line.recv(64))
    return int(found[1]) if found else 0


def _status_complaint(status: int, kind: str) -> str:
    match status:
        case 401 | 403:
            return camera_fault("password", status=status)
        case 404:
            return camera_fault("no_path")
        case 200 | 204 if not kind.startswith("text/"):
            return ""
        case 200:
            return camera_fault("page", kind=kind)
        case 0:
            return camera_fault("no_camera")
        case _:
            return camera_fault("status", status=status)


def _picture_complaint(source: str, ticks: Ticks, within_s: float) -> str:
    try:
        with closing(open_source(source, ticks, fills=True)) as camera:
            return _first_complaint(camera, within_s)
    except NotationError as fault:
        return str(fault)


def _first_complaint(camera: FrameSource, within_s: float) -> str:
    frames = _frames(camera, within_s)
    if isinstance(frames, str):
        return frames
    if not frames:
        code = "no_picture_why" if camera.lost else "no_picture"
        return camera_fault(code, why=camera.lost)
    if light := light_complaint(*(frame.image for frame in frames)):
        return light
    is_live = not camera.is_stills and len(frames) > 1
    if is_live and all(np.array_equal(frames[0].image, frame.image) for frame in frames[1:]):
        return camera_fault("frozen")
    return ""


def light_complaint(*pictures: Image) -> str:
    """What helps where nothing can be seen in any of these pictures; empty where something can."""
    if all(picture.mean() < _DARK_LEVEL for picture in pictures):
        return camera_fault("black")
    if all(map(is_burnt_out, pictures)):
        return camera_fault("white")
    return ""


def is_burnt_out(image: Image) -> bool:
    """Whether nearly all of a picture is as bright as it can be."""
    return bool(np.mean(image >= _WHITE_LEVEL) > _WHITE_SHARE)


def _frames(camera: FrameSource, within_s: float) -> list[CameraFrame] | str:
    """A first picture, and for a live camera others a while later; or what is wrong with them."""
    frames: list[CameraFrame] = []
    bad = ""
    end = time.monotonic() + within_s
    while time.monotonic() < end and not camera.ended:
        frame = camera.read(0.2)
        if isinstance(frame, BadFrame):
            bad = camera_fault("bad_picture", why=frame.reason)
        elif frame is not None:
            if not frames:
                end = time.monotonic() + _FROZEN_AFTER_S
            frames = [*frames[:1], frame]
            if camera.is_stills or (len(frames) > 1 and _differ(*frames)):
                return frames
    return frames or bad


def _differ(first: CameraFrame, second: CameraFrame) -> bool:
    return not np.array_equal(first.image, second.image)
