"""Tables at which recorded games are played by simulated players: what camera and clock say."""

import math
import random
import re
from dataclasses import dataclass, field, replace
from functools import cache

from recorder.domain.board import EMPTY_BOARD, Board
from recorder.domain.observations import (
    BoardSeen,
    ClockAct,
    ClockChanged,
    ClockPressed,
    Observation,
    Side,
    SquareChange,
)
from recorder.domain.tile_text import read_tiles
from recorder.domain.tiles import EMPTY
from tests.dashboard.table_writer import look
from tests.outages import OWN_GAMES, PlayedGame, played_game

START_MS = 25 * 60_000
TILE = read_tiles("A")[0]


@dataclass(frozen=True)
class Players:
    """How long their turns take in the median, and how long after the last tile they press."""

    turn_s: float
    spread: float
    gap_s: float
    thought_over: float = 0.1
    begin_s: float = 60


USUAL = Players(turn_s=45, spread=0.8, gap_s=3.5)
SLOW = Players(turn_s=60, spread=0.7, gap_s=8, thought_over=0.2)
RAPID = Players(turn_s=12, spread=0.5, gap_s=1.5, begin_s=10)


@dataclass
class Game:
    """What happens at a table, at which time: starts, presses, tiles that come or go."""

    started: int
    presses: list[tuple[int, int]] = field(default_factory=list)
    """When, and by which player."""
    looks: list[tuple[int, Board, Board]] = field(default_factory=list)
    """When a look was taken, the board before it and in it."""

    def turns(self, until_ms: int) -> int:
        """How many turns were made by then."""
        return sum(at <= until_ms for at, _ in self.presses)


@cache
def _recorded() -> list[PlayedGame]:
    games = [played_game(path) for path in OWN_GAMES]
    return [game for game in games if len(game.turns) > 14 and game.tile_set.name == "english"]


def play(players: Players, seed: str) -> Game:
    """A recorded game by such players; the camera looks now and then while tiles are laid."""
    chance = random.Random(seed)
    pace = math.exp(chance.gauss(0, 0.25))
    now = round(1000 * chance.uniform(0, players.begin_s))
    game, board = Game(now), EMPTY_BOARD
    for made in chance.choice(_recorded()).turns:
        if made.is_off:
            now += round(1000 * chance.uniform(8, 40))
            game.looks.append((now, board, made.board))
            board = made.board
            continue
        took = max(5, pace * players.turn_s * math.exp(chance.gauss(0, players.spread)))
        gap = min(0.8 * took, players.gap_s * math.exp(chance.gauss(0, 0.6)))
        if chance.random() < players.thought_over:
            gap = max(gap, took * chance.uniform(0, 0.7))
        tiles = sorted(sq for sq, _ in made.tiles)
        half = len(tiles) // 2 * (chance.random() < 0.5)
        at = now + round(1000 * (took - gap))
        if half:
            some = made.board.remove(tiles[half:])
            game.looks.append((at - 900, board, some))
            board = some
        if tiles:
            game.looks.append((at, board, made.board))
            board = made.board
        now += round(1000 * took)
        game.presses.append((now, made.player))
    return game


def play_evenly(turn_s: float, gap_s: float, begin_s: float, seed: str) -> Game:
    """The same by players whose every turn, and whose wait before the press, takes as long."""
    chance = random.Random(seed)
    now, board = round(1000 * begin_s), EMPTY_BOARD
    game = Game(now)
    for made in chance.choice(_recorded()).turns:
        took, gap = (round(1000 * s * chance.uniform(0.97, 1.03)) for s in (turn_s, gap_s))
        if made.tiles:
            game.looks.append((now + took - gap, board, made.board))
        board = made.board
        now += took
        game.presses.append((now, made.player))
    return game


def hall_of(players: Players, seed: int, tables: int = 2) -> dict[int, Game]:
    return {table: play(players, f"{players} {seed} {table}") for table in range(1, tables + 1)}


Said = tuple[int, int, str, Observation]
"""When, at which table, by which device, and what."""


def said_in(games: dict[int, Game], sees: dict[int, int]) -> list[Said]:
    """What clocks and cameras of tables say; ``sees``: the table that each camera stands over."""
    said = list[Said]()
    for table, game in games.items():
        said.append((-5_000, table, f"cam-{table}", seen(EMPTY_BOARD, EMPTY_BOARD)))
        said += [(at, table, f"clock-{table}", what) for at, what in _clock(game)]
        said += [
            (at + 50, table, f"cam-{table}", seen(before, after))
            for at, before, after in games[sees[table]].looks
        ]
    return sorted(said, key=lambda each: each[0])


def _clock(game: Game) -> list[tuple[int, Observation]]:
    left, since = [START_MS, START_MS], game.started
    sides = (Side.LEFT, Side.RIGHT)
    first = ClockChanged(act=ClockAct.RESUME, left_ms=left[0], right_ms=left[1], running=Side.LEFT)
    said = list[tuple[int, Observation]]([(game.started, first)])
    for at, player in game.presses:
        left[player] -= at - since
        since = at
        pressed = ClockPressed(
            side=sides[player], left_ms=left[0], right_ms=left[1], running=sides[1 - player]
        )
        said.append((at, pressed))
    return said


def seen(before: Board, after: Board) -> BoardSeen:
    squares = sorted({*before.occupied()} ^ {*after.occupied()})
    changes = [
        SquareChange(square=sq, was=EMPTY, now=TILE, confidence=0.9)
        if after.has_tile(sq)
        else SquareChange(square=sq, was=TILE, now=EMPTY, confidence=0.9)
        for sq in squares
    ]
    rows = re.sub("[a-z]", "?", "\n".join(after.rows())).split("\n")
    return replace(look(rows), changes=tuple(changes), still_ms=50)
