"""Legal games by dice: tiles from a full bag, laid wherever the rules of placement allow.

No dictionary: the words mean nothing, and the reading of the board knows none. ``noisy`` shows a
board as the eyes do on photographs of boards that they have never seen (docs/eyes.md).
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from recorder.domain.board import CENTRE, EMPTY_BOARD, SQUARES, Board, Direction, Square, along
from recorder.domain.observations import SquareCosts
from recorder.domain.plays import placement_faults, placement_of
from recorder.domain.reading.histories.hypotheses import ILLEGAL, LookContext
from recorder.domain.reading.reconstruct import begin, step
from recorder.domain.tile_text import read_tile
from recorder.domain.tiles import BLANK, EMPTY, RACK_SIZE, Tile, TileSet, face
from recorder.tilesets import load_tile_set
from tests.looks import square_costs

ENGLISH = load_tile_set("english")

WRONG, UNSURE = 0.003, 0.017
"""Shares of squares that the eyes read wrongly, or rightly without being sure of it."""
STAYS = 0.5
"""The chance that they do so in the next look too: glare does not move."""
SURE = 0.99
TRIES = 300


def legal_game(dice: random.Random, tile_set: TileSet) -> Iterator[Board]:
    """The board after each play, until a rack is empty or the dice find no place."""
    bag = [tile for tile, count in tile_set.counts.items() for _ in range(count)]
    dice.shuffle(bag)
    racks = [bag[:RACK_SIZE], bag[RACK_SIZE : 2 * RACK_SIZE]]
    del bag[: 2 * RACK_SIZE]
    board, player = EMPTY_BOARD, 0
    while all(racks) and (tiles := legal_tiles(dice, board, racks[player], tile_set)):
        board = board.place(tiles)
        yield board
        kept = racks[player][len(tiles) :]
        drawn = min(len(tiles), len(bag))
        racks[player] = kept + bag[:drawn]
        del bag[:drawn]
        player = 1 - player


def legal_tiles(
    dice: random.Random, board: Board, rack: list[Tile], tile_set: TileSet
) -> Mapping[Square, Tile]:
    """The first tiles of the shuffled rack on legal squares; empty when the dice find none."""
    dice.shuffle(rack)
    joined = list(board.occupied()) or [CENTRE]
    for _ in range(TRIES):
        direction, count = dice.choice(list(Direction)), dice.randint(1, len(rack))
        start = along(dice.choice(joined), dice.choice(list(Direction)), dice.randint(-7, 7))
        tiles = {} if start is None else _run(dice, board, start, direction, rack[:count])
        if tiles and not placement_faults(board, placement_of(board, tiles), tile_set):
            return tiles
    return {}


def _run(
    dice: random.Random, board: Board, start: Square, direction: Direction, rack: list[Tile]
) -> dict[Square, Tile]:
    """The tiles on the next free squares of a line; none where the board ends before."""
    tiles: dict[Square, Tile] = {}
    step = 0
    for tile in rack:
        while (sq := along(start, direction, step)) is not None and board.has_tile(sq):
            step += 1
        if sq is None:
            return {}
        tiles[sq] = read_tile(dice.choice("aeinrst")) if tile == BLANK else tile
        step += 1
    return tiles


@dataclass
class NoisyEyes:
    """Looks at boards, with mistakes that come and go."""

    dice: random.Random
    _spoilt: dict[Square, tuple[Tile, dict[Tile, float]]] = field(default_factory=dict)

    def look(self, board: Board) -> SquareCosts:
        """What every symbol would cost on every square."""
        cells = [face(tile) for tile in board.cells]
        self._spoilt = {
            sq: told
            for sq, told in self._spoilt.items()
            if told[0] == cells[sq] and self.dice.random() < STAYS
        }
        costs = bytearray()
        for square in range(SQUARES):
            seen = self._seen(Square(square), cells[square])
            costs += square_costs(*((str(tile), sure) for tile, sure in seen.items()))
        return SquareCosts(bytes(costs))

    def _seen(self, sq: Square, symbol: Tile) -> Mapping[Tile, float]:
        if sq in self._spoilt:
            return self._spoilt[sq][1]
        chance, beliefs = self.dice.random(), {symbol: SURE}
        other = self._other(symbol)
        if chance < WRONG * (1 - STAYS):
            sure = self.dice.uniform(0.4, 0.98)
            beliefs = {other: sure, symbol: 0.9 * (1 - sure)}
        elif chance < (WRONG + UNSURE) * (1 - STAYS):
            sure = self.dice.uniform(0.5, 0.98)
            beliefs = {symbol: sure, other: 0.9 * (1 - sure)}
        else:
            return beliefs
        self._spoilt[sq] = symbol, beliefs
        return beliefs

    def _other(self, symbol: Tile) -> Tile:
        """Bare squares look like blanks and the other way round, letters like others."""
        if symbol == BLANK:
            return EMPTY
        if symbol is EMPTY:
            return BLANK if self.dice.random() < 0.7 else read_tile(self.dice.choice("ILTE"))
        return read_tile(self.dice.choice("ILTEFHKNMOQU".replace(str(symbol), "")))


def illegal_turns(game: int, plays: int = 100) -> list[int]:
    """The turns of a legal game that were read as illegal when they were made."""
    dice = random.Random(game)
    eyes, known, found = NoisyEyes(dice), begin(ENGLISH), []
    for turn, board in enumerate(legal_game(dice, ENGLISH)):
        if turn == plays:
            break
        context = LookContext(player=turn % 2, as_pressed=True)
        known = step(known, eyes.look(board), context, ref=turn)
        if known.best.turns[-1].step in ILLEGAL:
            found.append(turn)
    return found
