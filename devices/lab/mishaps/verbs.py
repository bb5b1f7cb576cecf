"""What goes wrong at a simulated table, by name. Each starts once the game is under way.

They act where the world acts: on the cable, on the broker's process, on the board, on the light.
Nothing here calls a driver.
"""

import itertools
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from devices.lab.game_script import (
    STILL_BEFORE_PRESS,
    Expose,
    Happening,
    MoveBoard,
    PressClock,
    Reflect,
    Show,
)
from devices.lab.mishaps import board as on_board
from devices.lab.mishaps import record
from devices.lab.mishaps import turns as turn
from recorder.domain.board import SQUARES, Square
from recorder.domain.errors import NotationError
from recorder.domain.observations import EMPTY_SYMBOL
from recorder.gcg import GcgGame
from recorder.systems import kill

if TYPE_CHECKING:
    from devices.lab.simulated_table import SimulatedTable

EARLY, LATER = 6, 9
"""Numbers of clock events: after the third turn or so, and some turns on."""

FIRST_GLARE = 2
"""After the first turn."""
TURNING_FRAMES = 4
FRAMES_BETWEEN_STEPS = 7
"""Frames with a hand until the exposure jumps in the middle of a placement."""
CORRECTED = (1, 3, 4, 7)
"""Presses before the turns in which a tile is put right; the first press begins the game."""

DRIFT_PPM = 2_800.0
"""Ten seconds an hour; no single comparison of times jumps by it."""

Act = Callable[["SimulatedTable", int | None], None]


def unplug(table: "SimulatedTable", _broker_pid: int | None) -> None:
    """The clock's cable comes out and is put back three turns later; the clock runs on."""
    _after(table, EARLY)
    table.clock.unplug()
    _after(table, LATER)
    table.clock.replug()


def serial_noise(table: "SimulatedTable", _broker_pid: int | None) -> None:
    """The clock's line stutters for the rest of the game."""
    noise = random.Random(7)  # noqa: S311 - the same noise every time
    while not table.finished.wait(0.3):
        table.clock.noise(noise.randbytes(noise.randint(1, 40)))


def broker_killed(table: "SimulatedTable", broker_pid: int | None) -> None:
    """The broker's process is killed in mid-game."""
    if broker_pid is None:
        raise NotationError("broker_killed needs a broker of our own, not a given one")
    _after(table, EARLY)
    kill(broker_pid)


def turn_board(script: Iterator[Happening]) -> Iterator[Happening]:
    """After every press the board is turned to the next player, and comes to rest askew.

    For the camera it is upside down every other turn.
    """
    chance = random.Random(3)  # noqa: S311 - the same angles every time
    turned, rows = 0.0, None
    for happening in script:
        yield happening
        if isinstance(happening, Show):
            rows = happening.rows
        if isinstance(happening, PressClock) and rows is not None:
            # Half a turn further, whatever the last one was askew by.
            goal = 180.0 * round((turned + 180.0) / 180.0) + chance.uniform(-7.0, 7.0)
            for frame in range(1, TURNING_FRAMES + 1):
                yield MoveBoard(turned + (goal - turned) * frame / TURNING_FRAMES)
                yield Show(1, rows)
            turned = goal


def knock(script: Iterator[Happening]) -> Iterator[Happening]:
    """Somebody knocks against the board twice in the game; it stays where it went."""
    places = {2: ((0.35, -0.2), 1.5), 4: ((-0.5, 0.4), -2.5)}
    presses, shift, askew, turned = 0, (0.0, 0.0), 0.0, 0.0
    for happening in script:
        if isinstance(happening, MoveBoard):
            turned = happening.turn_deg
            yield MoveBoard(turned + askew, shift)
            continue
        yield happening
        if isinstance(happening, PressClock):
            presses += 1
            if presses in places:
                shift, askew = places[presses]
                yield MoveBoard(turned + askew, shift)


def glare(script: Iterator[Happening]) -> Iterator[Happening]:
    """A lamp is mirrored in the board for some turns, at another place each turn."""
    places = ((0.42, 0.4), (0.62, 0.55), (0.5, 0.72))
    presses = 0
    for happening in script:
        yield happening
        if isinstance(happening, PressClock):
            presses += 1
            turn = presses - FIRST_GLARE
            if 0 <= turn <= len(places):
                yield Reflect(places[turn] if turn < len(places) else None)


def exposure(script: Iterator[Happening]) -> Iterator[Happening]:
    """The camera's automatic exposure jumps: after presses, and in the middle of a placement."""
    steps = itertools.cycle((0.72, 1.2, 0.85, 1.1, 1.0))
    showing = 0
    for happening in script:
        yield happening
        if isinstance(happening, PressClock):
            yield Expose(next(steps))
        elif isinstance(happening, Show) and happening.hand is not None:
            showing += 1
            if showing % FRAMES_BETWEEN_STEPS == 0:
                yield Expose(next(steps))


def correct(script: Iterator[Happening]) -> Iterator[Happening]:
    """Some players lay a tile on the wrong square, take the hand away, and put it right.

    The wrong board lies still long enough to be looked at. At the press all is as in the record.
    """
    chance = random.Random(5)  # noqa: S311 - the same corrections every time
    presses, player = 0, 0
    rows: tuple[str, ...] = ()
    rows_at_press: tuple[str, ...] | None = None
    for happening, after in itertools.pairwise(itertools.chain(script, [None])):
        assert happening is not None
        if isinstance(happening, Show) and happening.hand is not None:
            player = happening.player
        is_corrected = presses in CORRECTED and isinstance(after, PressClock)
        if isinstance(happening, Show) and is_corrected and rows_at_press is not None:
            yield from _corrected(rows_at_press, happening.rows, player, chance)
        yield happening
        if isinstance(happening, Show):
            rows = happening.rows
        if isinstance(happening, PressClock):
            presses, rows_at_press = presses + 1, rows


def _corrected(
    before: tuple[str, ...], rows: tuple[str, ...], player: int, chance: random.Random
) -> Iterator[Happening]:
    """One of the new tiles lies beside its square first."""
    new = [s for s in range(SQUARES) if rows[s // 15][s % 15] != before[s // 15][s % 15]]
    free = [
        (square, square + step)
        for square in new
        for step in (-15, 15, -1, 1)
        if 0 <= square + step < SQUARES
        and abs((square + step) % 15 - square % 15) < 2
        and rows[(square + step) // 15][(square + step) % 15] == EMPTY_SYMBOL
    ]
    if not free:
        return
    right, wrong = chance.choice(free)
    lifted = on_board.with_symbol(rows, right, EMPTY_SYMBOL)
    askew = on_board.with_symbol(lifted, wrong, rows[right // 15][right % 15])
    still = STILL_BEFORE_PRESS
    yield Show(1, askew, hand=1.0, target=Square(wrong), player=player)
    yield Show(still, askew)
    yield Show(1, askew, hand=0.6, target=Square(wrong), player=player)
    yield Show(1, lifted, hand=1.0, target=Square(wrong), player=player)
    yield Show(1, rows, hand=1.0, target=Square(right), player=player)
    yield Show(1, rows, hand=0.5, target=Square(right), player=player)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One mishap: what the record, the hands at the table, or the world beside them do otherwise.

    ``words`` is a line for people. ``is_calibrated``: it can be known only where a calibration
    says where the board lies, and it lies still.
    """

    words: str
    record: Callable[[GcgGame], GcgGame] | None = None
    script: Callable[[Iterator[Happening]], Iterator[Happening]] | None = None
    beside: Act | None = None
    clock_drift_ppm: float = 0.0
    is_calibrated: bool = False


VERBS: Mapping[str, Verb] = {
    "play_out": Verb(words="the game goes on until a player is out", record=record.play_out),
    "illegal_exchange": Verb(
        words="an exchange from a bag with fewer than seven tiles", record=record.illegal_exchange
    ),
    "phony_challenged": Verb(
        words="a phony is challenged and taken back", record=record.phony_challenged
    ),
    "phony_stands": Verb(
        words="a play is challenged and stands, for a bonus", record=record.phony_stands
    ),
    "six_zeros": Verb(words="six turns without score in a row", record=record.six_zeros),
    "press_before_placing": Verb(
        words="a player presses and lays the tiles only then",
        script=turn.at_play(3, turn.press_before_placing),
    ),
    "forget_to_press": Verb(
        words="a player lays and draws, and presses only then",
        script=turn.at_play(4, turn.forget_to_press),
    ),
    "overdraw": Verb(
        words="a player draws a tile too many, and gives it back",
        script=turn.at_play(1, turn.overdraw),
    ),
    "underdraw": Verb(
        words="a player draws a tile too few, and draws it later",
        script=turn.at_play(2, turn.underdraw),
    ),
    "spill": Verb(
        words="tiles fall out of the bag and are gathered", script=turn.at_play(3, turn.spill)
    ),
    "draw_out_of_order": Verb(
        words="a player draws only after the opponent has", script=turn.draw_out_of_order(5)
    ),
    "blank_designated_late": Verb(
        words="the letter of the first blank is circled a turn late",
        script=turn.blank_designated_late,
    ),
    "slip_missing": Verb(
        words="the letter of the last blank is never circled", script=turn.slip_missing
    ),
    "overtime": Verb(
        words="a player thinks until the limit of overtime is past", script=turn.overtime
    ),
    "hand_over_board": Verb(
        words="a hand lies over the new tiles when the clock is pressed",
        script=turn.at_play(2, on_board.hand_over_board),
    ),
    "bump_tile": Verb(
        words="a tile is pushed to the next square, and back a turn later",
        script=on_board.bump_tile(3),
    ),
    "misorient_first_play": Verb(
        words="all tiles lie a quarter turn against the board's lettering",
        script=on_board.misorient_first_play,
        is_calibrated=True,
    ),
    "correct": Verb(words="some tiles are put right before the press", script=correct),
    "exposure": Verb(words="the camera's exposure jumps", script=exposure),
    "glare": Verb(words="a lamp is mirrored in the board for some turns", script=glare),
    "turn_board": Verb(words="the board is turned after every press", script=turn_board),
    "knock": Verb(words="the board is knocked against twice", script=knock),
    "clock_drift": Verb(
        words="the clock's quartz gains ten seconds an hour",
        script=turn.linger,
        clock_drift_ppm=DRIFT_PPM,
    ),
    "unplug": Verb(words="the clock's cable is out for three turns", beside=unplug),
    "serial_noise": Verb(words="the clock's line stutters", beside=serial_noise),
    "broker_killed": Verb(words="the broker's process is killed", beside=broker_killed),
}
"""In the order in which they change a game: later ones see what earlier ones made of it."""


MOVING = frozenset({"turn_board", "knock"})
"""The verbs with which the board does not lie still."""


def replayed(verbs: Sequence[str], game: GcgGame) -> GcgGame:
    """The game that is played with these verbs. NotationError when it has no place for one."""
    for name, verb in VERBS.items():
        if name in verbs and verb.record is not None:
            game = _said_by(name, verb.record, game)
    return game


def staged(verbs: Sequence[str], script: Iterator[Happening]) -> Iterator[Happening]:
    """The script with what these verbs do at the table. NotationError as for ``replayed``."""
    for name, verb in VERBS.items():
        if name in verbs and verb.script is not None:
            script = _said_by(name, verb.script, script)
    return script


_T = TypeVar("_T")


def _said_by(name: str, change: Callable[[_T], _T], what: _T) -> _T:
    try:
        return change(what)
    except NotationError as fault:
        raise NotationError(f"--mishap {name}: {fault}") from fault


def begin(verbs: Sequence[str], table: "SimulatedTable", broker_pid: int | None) -> None:
    """Let happen what happens beside the game."""
    for name in verbs:
        act = VERBS[name].beside
        if act is not None:
            threading.Thread(target=act, args=(table, broker_pid), name=name, daemon=True).start()


def _after(table: "SimulatedTable", events: int) -> None:
    while table.clock.seq_high < events and not table.finished.is_set():
        time.sleep(0.05)
