"""Orders as words of a command line: ``score 14 24``, ``insert 14 2 pass``, ``undo o3``.

Players are 1 and 2 here, as people count; entries are written ``14`` or, for the second event of
a row, ``14.2``.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib.resources import files
from typing import NoReturn

from recorder.domain.board import Square, parse_square
from recorder.domain.errors import NotationError
from recorder.domain.game import (
    ChallengeBonus,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    NoPlay,
    Passed,
    Penalty,
    Played,
    Withdrawn,
)
from recorder.domain.notices import PlainValue
from recorder.domain.orders import (
    Absent,
    Accept,
    Act,
    AdjustClock,
    Arrived,
    Banner,
    BeginProcedure,
    Challenged,
    CloseProcedure,
    Concede,
    Correct,
    Decide,
    EndGame,
    EntryName,
    Insert,
    Note,
    Outcome,
    Remove,
    Seated,
    SetEndRacks,
    SetTimePenalty,
    Sign,
    Split,
    TickStep,
    TimeStep,
    TurnKind,
    Undo,
)
from recorder.domain.plays import parse_placement
from recorder.domain.tile_text import read_tile, read_tiles
from recorder.domain.tiles import Tile
from recorder.orders.word_forms import word_form


@cache
def usage() -> str:
    """Every order with what it does, as help prints them."""
    return files(__package__).joinpath("orders.txt").read_text(encoding="utf-8")


def parse_order(words: Sequence[str]) -> Act:
    """The order in these words. NotationError says what was expected."""
    verb, *rest = words
    reader = _VERBS.get(verb)
    if reader is None:
        raise NotationError(f"unknown order {verb!r}; there are: {', '.join(_VERBS)}")
    try:
        return reader(list(rest))
    except (IndexError, ValueError) as err:
        lines = [line for line in usage().splitlines() if line.startswith(f"{verb} ")]
        because = f" ({err})" if isinstance(err, NotationError) else ""
        raise NotationError(f"{' '.join(words)!r}{because}; write: {' / '.join(lines)}") from err


def parse_entry(text: str) -> EntryName:
    """The entry written as ``14`` or ``14.2``; NotationError when it is none."""
    row, _, part = text.partition(".")
    if not row.isdecimal() or (part and not (part.isdecimal() and int(part) > 0)):
        raise NotationError(f"{text!r} is not an entry: write 14, or 14.2 for its second part")
    return EntryName(int(row), int(part) - 1 if part else 0)


def _player(text: str) -> int:
    if text not in ("1", "2"):
        raise NotationError(f"{text!r} is not a player: write 1 or 2")
    return int(text) - 1


def _whole(text: str) -> int:
    if not text.removeprefix("+").isdecimal():
        raise NotationError(f"{text!r} is not a whole number")
    return int(text)


def _no_more(words: Sequence[str]) -> None:
    if words:
        raise NotationError(f"{' '.join(words)!r} is not expected here")


def _letters(words: list[str]) -> Act:
    entry, *pairs = words
    return Correct(entry=parse_entry(entry), letters=_tiles(pairs))


def _laid(words: list[str]) -> Act:
    entry, *pairs = words
    return Correct(entry=parse_entry(entry), laid=_tiles(pairs))


def _lifted(words: list[str]) -> Act:
    entry, *names = words
    if not names:
        raise NotationError("no square was given")
    squares = tuple(sorted(parse_square(name)[0] for name in names))
    return Correct(entry=parse_entry(entry), lifted=squares)


def _tiles(pairs: Sequence[str]) -> tuple[tuple[Square, Tile], ...]:
    """Tiles by square, written ``8H=B``."""
    tiles: list[tuple[Square, Tile]] = []
    for pair in pairs:
        name, _, tile = pair.partition("=")
        if not tile:
            raise NotationError(f"{pair!r}: write a square and its tile, such as 8H=B")
        tiles.append((parse_square(name)[0], read_tile(tile)))
    if not tiles:
        raise NotationError("no square was given")
    return tuple(sorted(tiles))


def _play(words: list[str]) -> Act:
    entry, position, word = words
    return Correct(entry=parse_entry(entry), placement=parse_placement(f"{position} {word}"))


def _turn(kind: TurnKind) -> Callable[[list[str]], Act]:
    def read(words: list[str]) -> Act:
        count = _whole(words[1]) if kind is TurnKind.EXCHANGE else 0
        _no_more(words[2:] if kind is TurnKind.EXCHANGE else words[1:])
        return Correct(entry=parse_entry(words[0]), kind=kind, count=count)

    return read


def _insert(words: list[str]) -> Act:
    after, player = parse_entry(words[0]), _player(words[1])
    kind, rest = words[2], words[3:]
    if kind == "play":
        _no_more(rest[3:])
        placement = parse_placement(f"{rest[0]} {rest[1]}")
        agreed = len(rest) > 2
        points = _whole(rest[2]) if agreed else 0
        return Insert(after=after, event=Played(player, placement, points), agreed=agreed)
    return Insert(after=after, event=_event(kind, player, rest))


def _split(words: list[str]) -> Act:
    entry, player, *rest = words
    first, turns = _player(player), list[GameEvent]()
    for turn in " ".join(rest).split(","):
        who = first ^ (len(turns) % 2)
        match turn.split():
            case [("exchange" | "pass" | "no-play") as kind, *count]:
                turns.append(_event(kind, who, count))
            case [position, word]:
                turns.append(Played(who, parse_placement(f"{position} {word}"), 0))
            case _:
                raise NotationError(f"{turn.strip()!r} is not a turn")
    return Split(entry=parse_entry(entry), turns=tuple(turns))


def _event(kind: str, player: int, rest: list[str]) -> GameEvent:
    match kind, rest:
        case "exchange", [count]:
            return Exchanged(player, _whole(count))
        case "pass", []:
            return Passed(player)
        case "no-play", []:
            return NoPlay(player)
        case "withdrawn", []:
            return Withdrawn(player, 0)
        case "bonus", [points]:
            return ChallengeBonus(player, _whole(points))
        case "penalty", [points, *reason]:
            return Penalty(player, _whole(points), " ".join(reason))
    raise NotationError(f"{' '.join([kind, *rest])!r} cannot be inserted")


def _challenge(words: list[str]) -> Act:
    entry, outcome, *rest = words
    numbers = {"bonus": 0, "penalty": 0}
    turn_lost = False
    while rest:
        word = rest.pop(0)
        if word == "turn-lost":
            turn_lost = True
        elif word in numbers:
            numbers[word] = _whole(rest.pop(0))
        else:
            raise NotationError(f"{word!r} is not understood")
    return Challenged(
        entry=parse_entry(entry), outcome=Outcome(outcome), turn_lost=turn_lost, **numbers
    )


_MINUTE, _SECOND_DIGITS = 60, 2


def _clock(words: list[str]) -> Act:
    player, *over, left = words
    if over not in ([], ["over"]):
        raise NotationError(f"{' '.join(over)!r} is not understood")
    minutes, _, seconds = left.partition(":")
    if len(seconds) != _SECOND_DIGITS or _whole(seconds) >= _MINUTE:
        raise NotationError(
            f"{left!r} is not a time: write minutes and two digits of seconds, such as 12:30"
        )
    time_ms = (_whole(minutes) * 60 + _whole(seconds)) * 1000
    return AdjustClock(player=_player(player), left_ms=-time_ms if over else time_ms)


def _racks(words: list[str]) -> Act:
    points: list[EndRackPoints | EndRackPenalty] = []
    for at in range(0, len(words), 3):
        player, number, tiles = words[at : at + 3]
        kind = EndRackPenalty if number.startswith("-") else EndRackPoints
        points.append(kind(_player(player), _whole(number.lstrip("+-")), read_tiles(tiles)))
    return SetEndRacks(points=tuple(points))


def _ruling(words: list[str]) -> Act:
    rule, *text = words
    return Decide(text=_said(text), rule="" if rule == "-" else rule)


def _said(words: list[str]) -> str:
    return " ".join(words) or _silent()


def _silent() -> NoReturn:
    raise NotationError("no text was given")


def _procedure(words: list[str]) -> Act:
    verb, key, *others = words
    match verb, others:
        case "begin", [code, *facts]:
            notice = _whole(facts.pop(0)) if facts and "=" not in facts[0] else 0
            return BeginProcedure(key=key, code=code, notice=notice, facts=_facts(facts))
        case "step", [step, *rest] if rest in ([], ["undone"]) and _whole(step) > 0:
            return TickStep(key=key, step=_whole(step) - 1, done=not rest)
        case "time", [step] if _whole(step) > 0:
            return TimeStep(key=key, step=_whole(step) - 1)
        case "close", [*rest] if rest in ([], ["dropped"]):
            return CloseProcedure(key=key, carried_out=not rest)
    raise NotationError(f"{' '.join([verb, *others])!r} is not understood")


def _facts(words: Sequence[str]) -> dict[str, PlainValue]:
    facts: dict[str, PlainValue] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not (name and sign):
            raise NotationError(f"{word!r}: write a fact, such as tiles=2")
        facts[name] = int(value) if value.isdecimal() else value
    return facts


_READERS: Mapping[str, Callable[[str], object]] = {
    "entry": parse_entry,
    "player": _player,
    "order": str,
}
_form = partial(word_form, readers=_READERS, number=_whole)
_VERBS: Mapping[str, Callable[[list[str]], Act]] = {
    "accept": _form(Accept, "entry candidate?"),
    "letters": _letters,
    "play": _play,
    "laid": _laid,
    "lifted": _lifted,
    "exchange": _turn(TurnKind.EXCHANGE),
    "pass": _turn(TurnKind.PASS),
    "no-play": _turn(TurnKind.NO_PLAY),
    "score": _form(Correct, "entry score"),
    "player": _form(Correct, "entry player"),
    "insert": _insert,
    "split": _split,
    "remove": _form(Remove, "entry"),
    "challenge": _challenge,
    "clock": _clock,
    "end": _form(EndGame, ""),
    "racks": _racks,
    "overtime": _form(SetTimePenalty, "player points"),
    "forfeit": _form(Concede, "player margin", how="forfeit"),
    "left": _form(Concede, "player margin", how="left"),
    "resignation": _form(Concede, "player margin", how="resignation"),
    "lateness": _form(Concede, "player margin", how="lateness"),
    "absent": _form(Absent, "player due_s?"),
    "arrived": _form(Arrived, "player"),
    "seats": _form(Seated, "player"),
    "ruling": _ruling,
    "banner": lambda words: Banner(text=" ".join(words)),
    "note": lambda words: Note(text=_said(words)),
    "sign": _form(Sign, "player"),
    "procedure": _procedure,
    "undo": _form(Undo, "order"),
}
