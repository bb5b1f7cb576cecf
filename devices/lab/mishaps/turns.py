"""Mishaps of players: at the clock, in the bag, with the slip. Each edits what hands do in a turn.

Pure: happenings in, happenings out. A turn is what happens from one thought to the next.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from devices.lab.game_script import (
    AWAY_FRAMES,
    STILL_BEFORE_PRESS,
    Circle,
    Happening,
    LiftBag,
    PressClock,
    PutBag,
    SetRack,
    Show,
    StopClock,
    Think,
    Wait,
)
from recorder.domain.errors import NotationError

SEEN_S = 4.0
"""Seconds in which a bag comes to rest on its scale and is weighed."""
DRIFT_SHOWS_S = 20.0
"""Seconds, beside those of a short game, after which a strong drift of a clock must have shown."""
SPILLED = 3
OVERTIME_S = 36 * 60.0
"""More than any rule set lets a player be over, of the 25 minutes on the simulated clock."""

Turn = list[Happening]
TurnChange = Callable[[Turn], Turn]


def turns(script: Iterable[Happening]) -> list[Turn]:
    """The script in turns; what comes before the first one, and after the last, is one each."""
    parts: list[Turn] = [[]]
    for happening in script:
        if isinstance(happening, Think | StopClock):
            parts.append([])
        parts[-1].append(happening)
    return parts


def is_play(turn: Turn) -> bool:
    """Whether tiles are laid and the clock is pressed in it."""
    return (
        any(isinstance(happening, PressClock) for happening in turn)
        and isinstance(turn[0], Think)
        and any(isinstance(happening, Show) and happening.hand is not None for happening in turn)
    )


def at_play(
    number: int, change: TurnChange
) -> Callable[[Iterable[Happening]], Iterator[Happening]]:
    """A verb that changes one play of the game, counted from 1.

    NotationError when the game has fewer.
    """

    def changed(script: Iterable[Happening]) -> Iterator[Happening]:
        parts = turns(script)
        plays = [at for at, turn in enumerate(parts) if is_play(turn)]
        if len(plays) < number:
            raise NotationError(f"the game has {len(plays)} plays; this needs {number}")
        at = plays[number - 1]
        parts[at] = change(parts[at])
        return (happening for turn in parts for happening in turn)

    return changed


def rows_of(turn: Turn) -> tuple[str, ...]:
    """The board at the end of a turn."""
    return next(happening.rows for happening in reversed(turn) if isinstance(happening, Show))


def _press_at(turn: Turn) -> int:
    return next(at for at, happening in enumerate(turn) if isinstance(happening, PressClock))


def _draw(turn: Turn) -> tuple[Turn, SetRack, PutBag]:
    """The happenings of the draw, the rack and the bag after it. NotationError when none is due."""
    starts = [at for at, happening in enumerate(turn) if isinstance(happening, LiftBag)]
    if not starts:
        raise NotationError("nothing is drawn in that turn: the bag is empty")
    end = next(
        at for at, happening in enumerate(turn) if at > starts[0] and isinstance(happening, PutBag)
    )
    drawn = turn[starts[0] : end + 1]
    rack = next(happening for happening in drawn if isinstance(happening, SetRack))
    bag = turn[end]
    assert isinstance(bag, PutBag)
    return drawn, rack, bag


def forget_to_press(turn: Turn) -> Turn:
    """The player lays, forgets the clock, draws, and presses only then."""
    drawn, _, _ = _draw(turn)
    press = _press_at(turn)
    still = Show(STILL_BEFORE_PRESS, rows_of(turn))
    after = [happening for happening in turn[press + 1 :] if happening not in drawn]
    return [*turn[:press], *drawn, Wait(SEEN_S), still, turn[press], *after]


def press_before_placing(turn: Turn) -> Turn:
    """The player presses and lays the tiles only then, while the other clock runs."""
    press = _press_at(turn)
    rest = turn[1:press]
    return [turn[0], turn[press], *rest, *turn[press + 1 :]]


def overdraw(turn: Turn) -> Turn:
    """One tile too many; it goes back when somebody has counted."""
    return _miscounted(turn, 1)


def underdraw(turn: Turn) -> Turn:
    """One tile too few; it is drawn when somebody has counted."""
    return _miscounted(turn, -1)


def _miscounted(turn: Turn, surplus: int) -> Turn:
    _, rack, bag = _draw(turn)
    changed: Turn = []
    for happening in turn:
        if happening is rack:
            changed.append(SetRack(rack.player, rack.tiles + surplus))
        elif happening is bag:
            changed.append(PutBag(bag.tiles - surplus))
        else:
            changed.append(happening)
    still = Show(AWAY_FRAMES, rows_of(turn))
    return [*changed, Wait(SEEN_S), LiftBag(), still, rack, bag, Wait(SEEN_S / 2)]


def spill(turn: Turn) -> Turn:
    """Tiles fall out of the bag while it is put back; they are gathered and go in again."""
    _, _, bag = _draw(turn)
    fewer = PutBag(max(0, bag.tiles - SPILLED))
    changed = [fewer if happening is bag else happening for happening in turn]
    still = Show(AWAY_FRAMES, rows_of(turn))
    return [*changed, Wait(SEEN_S), LiftBag(), still, bag, Wait(SEEN_S / 2)]


def draw_out_of_order(number: int) -> Callable[[Iterable[Happening]], Iterator[Happening]]:
    """After that play its player does not draw before the opponent has played and drawn."""

    def changed(script: Iterable[Happening]) -> Iterator[Happening]:
        parts = turns(script)
        plays = [at for at, turn in enumerate(parts) if is_play(turn)]
        pairs = [(play, after) for play, after in pairwise(plays) if after == play + 1]
        found = [pair for pair in pairs if pair[0] >= (plays[number - 1 :] or [len(parts)])[0]]
        if not found:
            raise NotationError(f"no two plays in a row from play {number} on")
        late, early = found[0]
        drawn, rack, _ = _draw(parts[late])
        _, _, last = _draw(parts[early])
        held = next(happening.tiles for happening in parts[late] if isinstance(happening, SetRack))
        due = rack.tiles - held
        parts[late] = [
            happening for happening in parts[late] if all(happening is not part for part in drawn)
        ]
        parts[late].append(Show(AWAY_FRAMES, rows_of(parts[late])))
        first = PutBag(last.tiles + due)
        parts[early] = [first if happening is last else happening for happening in parts[early]]
        still = Show(AWAY_FRAMES, rows_of(parts[early]))
        parts[early] += [Wait(SEEN_S), LiftBag(), still, rack, last, Wait(SEEN_S / 2)]
        return (happening for turn in parts for happening in turn)

    return changed


def blank_designated_late(script: Iterable[Happening]) -> Iterator[Happening]:
    """The first blank is laid without a word on the slip; its letter is circled a turn later."""
    parts = turns(script)
    at = next(iter(_circled(parts)), None)
    if at is None:
        raise NotationError("nobody plays a blank in this game")
    circle = next(happening for happening in parts[at] if isinstance(happening, Circle))
    parts[at] = [happening for happening in parts[at] if happening is not circle]
    parts[at].append(Wait(SEEN_S / 2))
    after = next((part for part in parts[at + 1 :] if isinstance(part[0], Think)), parts[-1])
    after.insert(1, circle)
    return (happening for turn in parts for happening in turn)


def slip_missing(script: Iterable[Happening]) -> Iterator[Happening]:
    """The last blank of the game gets no letter on the slip, ever."""
    parts = turns(script)
    circled = _circled(parts)
    if not circled:
        raise NotationError("nobody plays a blank in this game")
    last = [happening for happening in parts[circled[-1]] if isinstance(happening, Circle)][-1]
    return (happening for turn in parts for happening in turn if happening is not last)


def _circled(parts: Sequence[Turn]) -> list[int]:
    return [
        at
        for at, turn in enumerate(parts)
        if any(isinstance(happening, Circle) for happening in turn)
    ]


def overtime(script: Iterable[Happening]) -> Iterator[Happening]:
    """The player who moves last but one thinks until the limit of overtime is past."""
    parts = turns(script)
    thinking = [at for at, turn in enumerate(parts) if isinstance(turn[0], Think)]
    if not thinking:
        raise NotationError("nobody moves in this game")
    at = thinking[-2:][0]
    parts[at][0] = Think(OVERTIME_S)
    return (happening for turn in parts for happening in turn)


def linger(script: Iterable[Happening]) -> Iterator[Happening]:
    """The table stays as it is after the game, until a drift must have shown."""
    yield from script
    yield Wait(DRIFT_SHOWS_S)
