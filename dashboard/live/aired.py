"""When the public first had each line of a score sheet, and which lines are moments.

Captions, lists of clips, chapters, messages to a chat and the rule ``moment`` of slots are made of
these. As late as everything public; a corrected line keeps the time at which it was first shown.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from recorder.domain.tiles import RACK_SIZE
from recorder.frames.public import Result
from recorder.projections.broadcast import Projection
from recorder.projections.sheet import SheetLine
from recorder.texts import names_shown

MOST_GAMES = 40
"""Games of a table whose lines are kept: a long day's."""


@dataclass(frozen=True, slots=True)
class AiredLine:
    """A line of a sheet, and since when it has been public, in milliseconds since 1970."""

    at: int
    line: SheetLine


@dataclass(slots=True)
class AiredGame:
    """A game as the public has had it; ``over_at`` is when it was over, None while it is on."""

    game: str
    players: tuple[str, str]
    began_at: int
    lines: list[AiredLine] = field(default_factory=list)
    over_at: int | None = None
    scores: tuple[int, int] = (0, 0)
    result: Result | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """What a viewer would be sorry to miss: which line, and of which kind."""

    at: int
    kind: str
    line: SheetLine


class AiredGames:
    """The games of one table in the order in which they began."""

    def __init__(self) -> None:
        self.games: deque[AiredGame] = deque(maxlen=MOST_GAMES)

    def take(self, public: Projection, at: int) -> None:
        """The public's fold after a row that reached the public at a time."""
        started, state = public.started, public.state
        if started is None or state is None:
            return
        game = next((known for known in self.games if known.game == started.game), None)
        if game is None:
            game = AiredGame(started.game, names_shown(started.players), at)
            self.games.append(game)
        lines = public.lines
        known = game.lines
        changed = len(lines) != len(known) or (lines and lines[-1] is not known[-1].line)
        if changed:
            game.lines = _aired(known, [line.in_public() for line in lines], at)
        game.players, game.scores = names_shown(started.players), state.scores
        if not public.is_over:
            game.over_at = None
        elif game.over_at is None or changed:
            frame = public.frame()
            game.result = None if frame is None else frame["result"]
            game.over_at = at if game.over_at is None else game.over_at


def _aired(known: Sequence[AiredLine], lines: Sequence[SheetLine], at: int) -> list[AiredLine]:
    """The lines with their times; what is new among them, or at their end, has come now."""
    before = [_laid(aired.line) for aired in known]
    now = [_laid(line) for line in lines]
    front = _alike(before, now)
    back = _alike(before[front:][::-1], now[front:][::-1])
    times = [aired.at for aired in known]
    between = times[front : len(times) - back][: len(now) - front - back]
    new = [at] * (len(now) - front - back - len(between))
    times = [*times[:front], *between, *new, *times[len(times) - back :]]
    return [AiredLine(time, line) for time, line in zip(times, lines, strict=True)]


def _laid(line: SheetLine) -> tuple[object, ...]:
    """What makes a line the same one, whatever its turn's number is by now."""
    return line.player, line.kind, line.position, line.word, line.squares, line.count


def _alike(first: Sequence[object], second: Sequence[object]) -> int:
    """How many are the same from the front on."""
    pairs = zip(first, second, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def moment_of(line: Mapping[str, Any]) -> str:
    """The kind of moment that a line or a last play is by itself; empty for none."""
    if line["kind"] == "play" and len(line["squares"]) == RACK_SIZE:
        return "bingo"
    return {"withdraw": "phony", "challenge": "challenge"}.get(line["kind"], "")


def moments_of(game: AiredGame) -> Iterator[Moment]:
    """The moments of a game: bingos, challenges, new leaders, who played out."""
    led: int | None = None
    for aired in game.lines:
        line = aired.line
        kind = moment_of(line.laid())
        first, second = line.totals
        leads = led if first == second else int(second > first)
        if kind:
            yield Moment(aired.at, kind, line)
        elif led is not None and leads != led and line.kind == "play":
            yield Moment(aired.at, "lead", line)
        elif line.kind == "end_rack":
            yield Moment(aired.at, "out", line)
        led = leads
