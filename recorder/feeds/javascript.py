"""A JavaScript literal as values: objects, lists, strings, numbers; more than JSON allows.

Reads what programs around a tournament write: keys without quotes, ``undefined``, comments, commas
too many, and a text that ends in its middle. Runs nothing.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from recorder.domain.errors import NotationError

DEEPEST_LITERAL = 64
_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?(?:\*/|\Z))
    |(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |(?P<mark>[{}\[\]:,;])
    |(?P<number>[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?))
    |(?P<word>[A-Za-z_$][\w$]*)""",
    re.VERBOSE | re.DOTALL,
)
_UNDEFINED = re.compile(r'"(?:[^"\\]|\\.)*"|\bundefined\b|\bNaN\b')
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_WORDS = {"true": True, "false": False, "null": None, "undefined": None, "NaN": None}


@dataclass(slots=True)
class Literal:
    """A value that was read; ``ended`` False: the text broke off, what was open is closed."""

    value: Any
    ended: bool = True
    odd: list[tuple[int, str]] = field(default_factory=list)
    """What was passed over, with the line it is in."""


def read_literal(text: str, start: int = 0) -> Literal:
    """The first object or list of a text from ``start``; NotationError when there is none."""
    strict = _strictly(text, start)
    return strict if strict is not None else _Reader(text, start).read()


def _strictly(text: str, start: int) -> Literal | None:
    """Read as JSON, which is far faster; None where it is none."""
    plain = _UNDEFINED.sub(lambda m: m[0] if m[0].startswith('"') else "null", text[start:])
    try:
        value, _ = json.JSONDecoder().raw_decode(plain.lstrip())
    except (json.JSONDecodeError, RecursionError):
        return None
    return Literal(value) if isinstance(value, dict | list) else None


class _Reader:
    """A stack of open containers, filled token by word: no text is too deep or too short."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._at = start
        self._open: list[dict[str, Any] | list[Any]] = []
        self._keys: list[str | None] = []
        self._closed: Any = None
        self._colon = False
        self._comma = True
        self._found = Literal(None)

    def read(self) -> Literal:
        while self._at < len(self._text):
            match = _TOKEN.match(self._text, self._at)
            if match is None:
                self._pass_over(self._text[self._at])
                continue
            self._at = match.end()
            if match.lastgroup != "skip":
                self._take(str(match.lastgroup), match[0])
            if self._closed is not None and not self._open:
                break
        if self._closed is None and not self._open:
            raise NotationError("holds no object: nothing between { and }")
        self._found.ended = not self._open
        while self._open:
            self._close()
        self._found.value = self._closed
        return self._found

    def _pass_over(self, sign: str) -> None:
        """A sign that no token begins with; an open string at the end is the end."""
        if sign in "\"'":
            self._at = len(self._text)
            return
        if self._open:
            self._found.odd.append((self._text.count("\n", 0, self._at) + 1, sign))
        self._at += 1

    def _take(self, kind: str, word: str) -> None:
        if word in ("{", "["):
            self._begin({} if word == "{" else [])
        elif not self._open:
            return
        elif word in ("}", "]"):
            self._missing()
            self._close()
        elif word == ":":
            self._colon = True
        elif word == ",":
            self._missing()
            self._comma = True
        elif kind in ("string", "number", "word"):
            self._put(kind, word)

    def _missing(self) -> None:
        """``[1,,2]`` leaves a gap: its place counts."""
        inside = self._open[-1]
        if isinstance(inside, list) and self._comma and self._text[self._at - 1] == ",":
            inside.append(None)

    def _put(self, kind: str, word: str) -> None:
        inside = self._open[-1]
        if isinstance(inside, dict) and not self._colon:
            self._keys[-1] = _string(word) if kind == "string" else word
            return
        self._store(_value(kind, word))

    def _begin(self, container: dict[str, Any] | list[Any]) -> None:
        if len(self._open) == DEEPEST_LITERAL:
            raise NotationError(f"is nested more than {DEEPEST_LITERAL} deep")
        if self._open:
            self._store(container)
        self._open.append(container)
        self._keys.append(None)
        self._colon, self._comma = False, True

    def _store(self, value: Any) -> None:
        inside = self._open[-1]
        if isinstance(inside, list):
            inside.append(value)
        elif self._keys[-1] is not None:
            inside[self._keys[-1]] = value
            self._keys[-1] = None
        self._colon = self._comma = False

    def _close(self) -> None:
        self._closed = self._open.pop()
        self._keys.pop()
        self._colon = self._comma = False


def _value(kind: str, word: str) -> Any:
    if kind == "string":
        return _string(word)
    if kind == "word":
        return _WORDS.get(word, word)
    number = word.lstrip("+")
    if number.lower().lstrip("-").startswith("0x"):
        return int(number, 16)
    return int(number) if number.lstrip("-").isdecimal() else float(number)


def _string(word: str) -> str:
    def plain(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else _ESCAPED.get(match[3], match[3].strip("\r\n"))

    return _ESCAPE.sub(plain, word[1:-1])
