"""A picture's size, and whether it is whole, by its bytes alone: nothing is decoded.

A small file can be an enormous picture; who shows or decodes what others send looks here first.
"""

import re
import struct
from dataclasses import dataclass

from recorder.domain.errors import DeviceError

# Without a "+" for the bytes that may fill up before a marker: a pattern that begins with one fixed
# byte is found 25 times sooner, and the last of several ff is a marker's first byte all the same.
_MARKER = re.compile(rb"\xff([^\x00\xd0-\xd7\xff])", re.DOTALL)
_SOF = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_BARE = frozenset({0x01, 0xD8})
_EOI = 0xD9
_INSTEAD = "save one picture of it as JPEG or PNG, or give a GIF to `tilecast watch`"
_PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Header:
    """What a picture's bytes say of themselves. ``is_whole``: the end is where it must be."""

    width: int
    height: int
    is_whole: bool


def read_header(data: bytes) -> Header:
    """Size and wholeness of a JPEG, PNG, WebP or BMP. DeviceError for anything else."""
    if data.startswith(b"\xff\xd8"):
        return _jpeg(data)
    if data.startswith(_PNG):
        return _png(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        if is_animated_webp(data):
            raise DeviceError(f"an animated WebP shows more than one picture: {_INSTEAD}")
        return _webp(data)
    if data.startswith(b"BM"):
        return _bmp(data)
    if data[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftypavif"):
        raise DeviceError("HEIC and AVIF cannot be read; set the phone to JPEG ('most compatible')")
    if data.startswith(b"GIF8"):
        raise DeviceError(f"a GIF is not read as a photograph: {_INSTEAD}")
    if not data:
        raise DeviceError("the file is empty")
    raise DeviceError("not a picture (JPEG, PNG, WebP and BMP are read)")


def _jpeg(data: bytes) -> Header:
    """Walk the segments: sizes stand in SOF, the scan ends at the first marker after SOS."""
    width = height = 0
    at = 2
    while (found := _MARKER.search(data, at)) is not None:
        marker, at = found.group(1)[0], found.end()
        if marker == _EOI:
            return Header(width, height, is_whole=width > 0)
        if marker in _BARE:
            continue
        if at + 2 > len(data):
            break
        (length,) = struct.unpack_from(">H", data, at)
        if marker in _SOF and at + 7 <= len(data):
            high, wide = struct.unpack_from(">HH", data, at + 3)
            if width and (wide, high) != (width, height):
                raise DeviceError(f"two sizes in one JPEG: {width} x {height}, {wide} x {high}")
            height, width = high, wide
        at += length
    if not width:
        raise DeviceError(f"truncated: {len(data)} bytes hold no whole JPEG header")
    return Header(width, height, is_whole=False)


def _png(data: bytes) -> Header:
    if len(data) < 33:
        raise DeviceError(f"truncated: {len(data)} bytes hold no whole PNG header")
    width, height = struct.unpack_from(">II", data, 16)
    at = 8
    while at + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        at += 12 + length
        if kind == b"IEND":
            return Header(width, height, is_whole=at <= len(data))
    return Header(width, height, is_whole=False)


def _webp(data: bytes) -> Header:
    if len(data) < 30:
        raise DeviceError(f"truncated: {len(data)} bytes hold no whole WebP header")
    is_whole = len(data) >= struct.unpack_from("<I", data, 4)[0] + 8
    kind = data[12:16]
    if kind == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        height = int.from_bytes(data[27:30], "little") + 1
    elif kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    else:
        width, height = (value & 0x3FFF for value in struct.unpack_from("<HH", data, 26))
    return Header(width, height, is_whole)


def is_animated_webp(data: bytes) -> bool:
    """Whether a file's first 21 bytes say so: RIFF, WEBP, and the flag of animation in VP8X."""
    is_extended = len(data) >= 21 and data[:4] == b"RIFF" and data[8:16] == b"WEBPVP8X"
    return is_extended and bool(data[20] & 2)


def _bmp(data: bytes) -> Header:
    if len(data) < 26:
        raise DeviceError(f"truncated: {len(data)} bytes hold no whole BMP header")
    (size,) = struct.unpack_from("<I", data, 2)
    width, height = struct.unpack_from("<ii", data, 18)
    return Header(abs(width), abs(height), is_whole=len(data) >= size)
