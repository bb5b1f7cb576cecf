"""One event line of a GCG file, taken apart into its fields by form alone.

Nothing here knows the game: whose turn it is, what lies on the board, which letters exist.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from recorder.domain.errors import NotationError
from recorder.gcg.model import UNKNOWN_RACK

_EVENT = re.compile(r">\s*(?P<nick>[^:]*[^\s:])\s*:(?P<rest>.*)", re.DOTALL)
_POSITION = re.compile(r"\d{1,3}[A-Za-z]|[A-Za-z]\d{1,3}")
_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
_EXCHANGE = re.compile(r"\(exch(?:ange)?\s+(?P<tiles>[^\s()]+)\)", re.IGNORECASE)
_NUMBER = re.compile(r"\+?-?\d{1,6}")


class Form(StrEnum):
    """The forms an event line can have."""

    PLAY = "play"
    EXCHANGE = "exchange"
    PASS = "pass"  # noqa: S105  a turn, no password
    WITHDRAWN = "withdrawn"
    CHALLENGE = "challenge"
    TIME = "time"
    END_RACK = "end_rack"


_WORDS = MappingProxyType({"(pass)": Form.PASS, "(overtime)": Form.TIME})


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLine:
    """The fields of an event line as written.

    ``rack`` is empty when absent or written UNKNOWN. ``position`` and ``word`` belong to a play,
    ``tiles`` to an exchange (letters or a number) or to the rack left at the end. ``cumulative``
    is None where the line has only one number.
    """

    nick: str
    form: Form
    rack: str
    score: int
    cumulative: int | None
    position: str = ""
    word: str = ""
    tiles: str = ""
    trailing: str = ""


def parse_event_line(line: str) -> EventLine:
    """The fields of an event line; NotationError says what keeps it from being one."""
    match = _EVENT.fullmatch(line)
    if match is None:
        raise NotationError("an event starts with '>', the nickname and a colon")
    tokens = match["rest"].split()
    rack = ""
    if tokens and not _opens_body(tokens):
        rack = tokens.pop(0)
    if not tokens:
        raise NotationError("nothing follows the rack: a play, '-', '--' or '(...)' must")
    body, tokens = _take_body(tokens)
    numbers: list[int] = []
    while tokens and len(numbers) < 2 and _NUMBER.fullmatch(tokens[0]):
        numbers.append(_number(tokens.pop(0)))
    if not numbers:
        found = tokens[0] if tokens else "the end of the line"
        raise NotationError(f"a score was expected, found {found!r}")
    form, position, word, tiles = _form_of(body)
    return EventLine(
        nick=match["nick"],
        form=form,
        rack="" if rack == UNKNOWN_RACK else rack,
        score=numbers[0],
        cumulative=numbers[1] if len(numbers) == 2 else None,
        position=position,
        word=word,
        tiles=tiles,
        trailing=" ".join(tokens),
    )


def nick_of(line: str) -> str:
    """The nickname that an event line begins with; empty for any other line."""
    match = _EVENT.fullmatch(line.strip())
    return match["nick"] if match else ""


def _opens_body(tokens: list[str]) -> bool:
    """Whether the first token is no rack but already the body of the event."""
    return tokens[0][0] in "(-" or _POSITION.fullmatch(tokens[0]) is not None


def _take_body(tokens: list[str]) -> tuple[list[str], list[str]]:
    """The one or two tokens that say what happened, and the tokens after them."""
    if tokens[0][0] == "(":
        closed = next((at for at, token in enumerate(tokens, 1) if ")" in token), 0)
        if not closed:
            raise NotationError(f"a bracket is not closed: {tokens[0]!r}")
        return [" ".join(tokens[:closed])], tokens[closed:]
    if tokens[0][0] == "-":
        return tokens[:1], tokens[1:]
    if _POSITION.fullmatch(tokens[0]) is None:
        raise NotationError(f"a square was expected, found {tokens[0]!r} (8H across, H8 down)")
    if len(tokens) < 2:
        raise NotationError(f"no word after the square {tokens[0]}")
    return [_ZEROS.sub("", tokens[0]), tokens[1]], tokens[2:]


def _form_of(body: list[str]) -> tuple[Form, str, str, str]:
    """The form of an event with its position, word and tiles."""
    first = body[0]
    if len(body) == 2:
        return Form.PLAY, first, body[1], ""
    fixed = {
        "-": Form.PASS,
        "--": Form.WITHDRAWN,
        "(challenge)": Form.CHALLENGE,
        "(time)": Form.TIME,
    }
    # In capitals they may be tiles that were left.
    form = fixed.get(first.lower()) or _WORDS.get(first)
    if form is not None:
        return form, "", "", ""
    exchange = _EXCHANGE.fullmatch(first)
    if exchange is not None:
        return Form.EXCHANGE, "", "", exchange["tiles"]
    if first[0] == "-":
        return Form.EXCHANGE, "", "", first[1:]
    return Form.END_RACK, "", "", first.strip("()")


def _number(token: str) -> int:
    """The value of ``24``, ``+24``, ``-24`` and of ``+-24``, which some programs write."""
    return int(token.removeprefix("+"))
