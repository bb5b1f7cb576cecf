"""Bytes to numbered lines: which encoding a GCG file is in, whatever it claims.

A file without a declaration is ISO-8859-1 by the letter of the format, but files of today are
UTF-8 without saying so: what can be read as UTF-8 is read so. No bytes at all make this fail.
"""

import re
import unicodedata
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE

from recorder.gcg.model import GcgFault, Severity

_DECLARED = re.compile(rb"^\s*#character-encoding[ \t]+([^\r\n]*)", re.IGNORECASE | re.MULTILINE)
_LINE_END = re.compile(r"\r\n|\r|\n")
_CODECS = {
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "iso-8859-1": "iso-8859-1",
    "iso8859-1": "iso-8859-1",
    "latin-1": "iso-8859-1",
    "latin1": "iso-8859-1",
}
LONGEST_LINE = 4096
"""Longer lines are cut; nothing in a game needs them."""


def split_lines(text: str) -> list[str]:
    """The lines of a text, composed (NFC); LF, CR LF and CR end a line, nothing else does."""
    return _LINE_END.split(unicodedata.normalize("NFC", text.removeprefix("\ufeff")))


def decode(data: bytes) -> tuple[str, tuple[GcgFault, ...]]:
    """The text of a file, and what is wrong with its encoding."""
    if data.startswith(BOM_UTF8):
        data = data.removeprefix(BOM_UTF8)
        return _as_utf8_or_latin(data), ()
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        text = data.decode("utf-16", "replace")
        return text, (_warn(1, "encoding_utf16", "the file is UTF-16; other programs want UTF-8"),)
    declared = _DECLARED.search(data)
    if declared is None:
        return _undeclared(data)
    line = len(_LINE_END.split(data[: declared.start(1)].decode("iso-8859-1")))
    name = declared[1].decode("ascii", "replace").strip()
    codec = _CODECS.get(name.lower())
    faults = []
    if line > 1:
        faults.append(
            _warn(line, "encoding_not_first", "the encoding belongs on line 1; some readers stop")
        )
    if codec is None:
        message = f"unknown encoding {name!r}; write UTF-8 or ISO-8859-1"
        faults.append(GcgFault(line, "encoding_unsupported", message))
        return _as_utf8_or_latin(data), tuple(faults)
    try:
        return data.decode(codec), tuple(faults)
    except UnicodeDecodeError as err:
        before = data[: err.start].decode("iso-8859-1")
        message = f"byte {data[err.start]:#04x} is not {name}; the file is read as ISO-8859-1"
        faults.append(_warn(len(_LINE_END.split(before)), "encoding_mismatch", message))
        return data.decode("iso-8859-1"), tuple(faults)


def _undeclared(data: bytes) -> tuple[str, tuple[GcgFault, ...]]:
    """A file that names no encoding: harmless as long as it is plain ASCII."""
    text = _as_utf8_or_latin(data)
    if text.isascii():
        return text, ()
    position = next(place for place, char in enumerate(text) if not char.isascii())
    line = len(_LINE_END.split(text[:position]))
    message = f"{text[position]!r} in a file without #character-encoding; programs read it apart"
    return text, (_warn(line, "encoding_undeclared", message),)


def _as_utf8_or_latin(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("iso-8859-1")


def _warn(line: int, fault: str, message: str) -> GcgFault:
    return GcgFault(line, fault, message, Severity.WARNING)
