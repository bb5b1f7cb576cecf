"""What a venue is asked for: each question has an option of ``tilecast init`` that answers it.

An answer that cannot be is refused with what can, and asked again where somebody is there to ask.
"""

import argparse
import ipaddress
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from calibration.venue.setup.look_round import CameraLooked, own_address
from calibration.venue.setup.refused import AnswerRefusedError
from calibration.venue.setup.wishes import ClockKind, SetupAnswers, TableWishes, tables_of
from recorder.domain.errors import NotationError
from recorder.domain.limits import MOST_TABLES
from recorder.rulesets.named import rule_set_name
from recorder.tilesets import tile_set_names

Ask = Callable[[str, str], str]
"""Puts a question and the usual answer to somebody; gives what they said, or the usual answer."""
NOBODY = "none"
_MOST_DELAY_S = 3600
_PORT, _TLS_PORT = 1883, 8883


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What hangs on this machine."""

    cameras: Sequence[CameraLooked]
    ports: Sequence[tuple[str, str]]


def wishes_from(args: argparse.Namespace, found: Found, ask: Ask) -> SetupAnswers:
    """The answers, from options or else from ``ask``. NotationError for what cannot be."""

    def answer(name: str, question: str, usual: str, read: Callable[[str], Any]) -> Any:
        given = getattr(args, name)
        if given is not None:
            return given
        return _asked(ask, question, usual, read)

    tables = answer("tables", "How many tables?", "1", check_tables)
    players = [tuple(pair) for pair in args.players or ()][:tables]
    is_event = not players and answer("event", "Several rounds, with pairings?", "no", _yes)
    for number in () if is_event else range(len(players) + 1, tables + 1):
        usual = f"First player {number}, Second player {number}"
        players.append(_asked(ask, f"Who plays at table {number}?", usual, _players))
    tiles = answer("tiles", "Which tiles?", "english", _one_of(tile_set_names()))
    rules = answer("rules", "Which rules?", "wespa4", rule_set_name)
    usual_clock = "serial" if found.ports else "phone"
    question = "Which clocks (several: by table, the last for all that follow)?"
    clocks = [ClockKind(kind) for kind in answer("clock", question, usual_clock, _clocks)]
    cameras = _places(
        args.camera, range(1, tables + 1), "camera", ask, [cam.source for cam in found.cameras]
    )
    by_table = [*clocks, *clocks[-1:] * tables][:tables]
    ports = _ports(args, by_table, ask, [path for path, _ in found.ports])
    pads = answer("pads", "A phone as scorer's pad at each table?", "yes", _yes)
    question = "At which address do others reach this machine: phones, clocks, a second laptop?"
    address = answer("address", question, own_address() or NOBODY, check_address)
    elsewhere = tuple(sorted({*(args.elsewhere or ())}))
    _refuse_alone(args, address, elsewhere, tables)
    return SetupAnswers(
        name=answer("name", "What is the venue called on the bus?", "main", check_name),
        tables=tables,
        is_event=is_event,
        players=tuple((first, second) for first, second in players),
        tiles=tiles,
        rules=rules,
        minutes=args.minutes,
        clocks=tuple(by_table),
        cameras=tuple(cameras),
        ports=tuple(ports),
        has_pads=pads,
        address="" if address == NOBODY else address,
        delay_s=answer("delay", "How many seconds is the public late?", "0", check_delay),
        broker_port=args.broker_port or (_TLS_PORT if args.tls else _PORT),
        dashboard_port=args.dashboard_port,
        has_tls=args.tls,
        elsewhere=elsewhere,
    )


def added_tables(
    args: argparse.Namespace, wishes: SetupAnswers, found: Found, ask: Ask
) -> list[TableWishes]:
    """The tables that ``--add`` adds to a venue. NotationError for what cannot be."""
    present = tables_of(wishes)
    numbers = range(wishes.tables + 1, check_tables(str(wishes.tables + args.add)) + 1)
    names = [tuple(pair) for pair in args.players or ()]
    if wishes.is_event and names:
        raise NotationError("the event's page pairs the players of this venue: no --players")
    if not wishes.is_event:
        for number in numbers[len(names) :]:
            usual = f"First player {number}, Second player {number}"
            names.append(_asked(ask, f"Who plays at table {number}?", usual, _players))
    clocks = [ClockKind(kind) for kind in args.clock or [present[-1].clock]]
    by_table = [*clocks, *clocks[-1:] * args.add][: args.add]
    used = {place for table in present for place in (table.camera, table.port)}
    free = [camera.source for camera in found.cameras if camera.source not in used]
    cameras = _places(args.camera, numbers, "camera", ask, free)
    ports = _ports(args, by_table, ask, [path for path, _ in found.ports if path not in used])
    return [
        TableWishes(
            number=number,
            players=names[at] if at < len(names) else (),
            camera=cameras[at],
            clock=by_table[at],
            port=ports[at],
        )
        for at, number in enumerate(numbers)
    ]


def _ports(
    args: argparse.Namespace, clocks: Sequence[ClockKind], ask: Ask, found: Sequence[str]
) -> list[str]:
    """By table the port of its clock, empty where it has none."""
    serial = [number for number, clock in enumerate(clocks, 1) if clock is ClockKind.SERIAL]
    named = iter(_places(args.serial, serial, "clock's port", ask, found) if serial else ())
    return [next(named) if clock is ClockKind.SERIAL else "" for clock in clocks]


def _refuse_alone(
    args: argparse.Namespace, address: str, elsewhere: Sequence[int], tables: int
) -> None:
    """TLS and other machines need an address; a table elsewhere must be one of the tables."""
    if address == NOBODY and (args.tls or elsewhere):
        raise NotationError(
            "--tls and --elsewhere are for others on the network: --address names this machine"
        )
    if elsewhere and not 1 <= elsewhere[0] <= elsewhere[-1] <= tables:
        raise NotationError(f"--elsewhere names a table, 1 to {tables}")


def _asked(ask: Ask, question: str, usual: str, read: Callable[[str], Any]) -> Any:
    """An answer that can be; one that cannot is put again with the reason, the third is final."""
    for _ in range(2):
        try:
            return read(ask(question, usual))
        except argparse.ArgumentTypeError as wrong:
            question = f"That cannot be: {wrong}. {question.rpartition('. ')[2]}"
    try:
        return read(ask(question, usual))
    except argparse.ArgumentTypeError as wrong:
        raise NotationError(str(wrong)) from wrong


def _places(
    given: Sequence[str] | None, tables: Sequence[int], what: str, ask: Ask, found: Sequence[str]
) -> list[str]:
    """Of each table the camera or port: what was named, then what was found, in its order."""
    places = list(given or ())[: len(tables)]
    left = [place for place in found if place not in places]
    prefix = "" if what == "camera" else "/dev/ttyUSB"
    for number in tables[len(places) :]:
        usual = left.pop(0) if left else f"{prefix}{number - 1}"
        places.append(_asked(ask, f"Which is the {what} of table {number}?", usual, str))
    return places


def check_tables(text: str) -> int:
    """How many tables; ArgumentTypeError for what cannot be."""
    if not text.isdecimal() or not 0 < int(text) <= MOST_TABLES:
        raise argparse.ArgumentTypeError(f"tables are 1 to {MOST_TABLES}, not {text!r}")
    return int(text)


def _players(text: str) -> tuple[str, str]:
    first, _, second = text.partition(",")
    return check_players(first, second)


def check_players(first: str, second: str) -> tuple[str, str]:
    """Two names; ArgumentTypeError unless they differ."""
    names = " ".join(first.split()), " ".join(second.split())
    if not all(names) or names[0].casefold() == names[1].casefold():
        raise AnswerRefusedError("two_names", first=names[0], second=names[1])
    return names


def _one_of(names: Sequence[str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in names:
            raise argparse.ArgumentTypeError(f"one of {', '.join(names)}, not {text!r}")
        return text

    return read


def _clocks(text: str) -> list[str]:
    read = _one_of([kind.value for kind in ClockKind])
    return [read(name.strip()) for name in text.split(",")]


def _yes(text: str) -> bool:
    answers = {"yes": True, "y": True, "no": False, "n": False}
    if text.casefold() not in answers:
        raise argparse.ArgumentTypeError(f"yes or no, not {text!r}")
    return answers[text.casefold()]


def check_address(text: str) -> str:
    """A name or address of this machine, or ``none``; ArgumentTypeError for what cannot be one."""
    try:
        return text if text == NOBODY else str(ipaddress.IPv4Address(text))
    except ValueError:
        if re.fullmatch(r"(?!-)[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*", text) and not text[-1].isdigit():
            return text
    raise AnswerRefusedError("which_address", given=text)


def check_name(text: str) -> str:
    """A name on the bus; ArgumentTypeError for what cannot be one."""
    if not re.fullmatch(r"[a-z0-9-]{1,32}", text):
        raise argparse.ArgumentTypeError(f"a name has 1 to 32 of a-z, 0-9 and -, not {text!r}")
    return text


def check_delay(text: str) -> float:
    """Seconds; ArgumentTypeError for what cannot be."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= _MOST_DELAY_S:
        raise AnswerRefusedError("which_delay", most=_MOST_DELAY_S, given=text)
    return seconds
