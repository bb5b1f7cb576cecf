"""Legal games by dice as scenarios of a whole table: nothing may be reported to anybody of them.

People at these tables hold, pass, exchange, draw in two goes or onto the table, think twice on the
board, knock it and lean over it; they do nothing wrong. All rule sets and sensors take turns.
``python -m tests.bench.legal_tables 0 500`` plays the first 500 games and prints those with alarms.
"""

import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from recorder.domain.board import EMPTY_BOARD, Board, name_across
from recorder.domain.notices import Notice
from recorder.domain.plays import placement_of
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import BLANK, RACK_SIZE, Tile
from recorder.lab.scenario.play import play_through
from recorder.lab.scenario.text.grammar import parse_scenario
from tests.domain.legal_games import ENGLISH, legal_tiles

SETS = {
    "wespa1": "override endgame.out_bonus double",
    "psa": "override endgame.out_bonus double",
    "naspa": "override endgame.out_bonus double",
    "wespa3_hk": "override endgame.out_bonus double",
    "wespa4": "confirm endgame",
}
"""The rule sets, each with what an event has to settle so that every end counts."""
SENSORS = (
    "",
    "box",
    "counters",
    "box scale",
    "racks",
    "box counters",
    "scale",
    "box counters scale",
    "box racks scale",
    "counters racks",
    "box counters racks scale",
    "racks scale",
)
MOST_TURNS = 80
CALM_S = 300
"""So long after the end nothing may have come up."""


@dataclass
class LegalTable:
    """A table at which everything is done as the rules say, written down as it happens."""

    number: int
    dice: random.Random = field(init=False)
    lines: list[str] = field(default_factory=list)
    bag: list[Tile] = field(default_factory=list)
    racks: list[list[Tile]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.number)
        self.bag = [tile for tile, count in ENGLISH.counts.items() for _ in range(count)]
        self.dice.shuffle(self.bag)

    @property
    def sensors(self) -> str:
        """Of the table's sensors those beside clock and camera."""
        return SENSORS[self.number % len(SENSORS)]

    def text(self) -> str:
        """The scenario, to five minutes after the last play."""
        rules, settled = list(SETS.items())[self.number % len(SETS)]
        self.lines = [f"rules {rules}", settled]
        self.lines.append(f"sensors clock camera {self.sensors}")
        for player in (1, 2):
            self.racks.append([self.bag.pop() for _ in range(RACK_SIZE)])
            self._write(f"draw {player} {RACK_SIZE}", *self._shown(player), "+5")
        self._write("start")
        board = EMPTY_BOARD
        for turn in range(MOST_TURNS):
            player = turn % 2 + 1
            self._pass_time(8, 45)
            tiles = legal_tiles(self.dice, board, self.racks[player - 1], ENGLISH)
            may_exchange = board != EMPTY_BOARD and len(self.bag) >= RACK_SIZE
            if may_exchange and self.dice.random() < 0.05:
                self._exchange(player)
            elif not tiles or (board != EMPTY_BOARD and self.dice.random() < 0.02):
                self._say(player, "pass")
                self._write("+1", f"press {player}")
            else:
                before, board = board, board.place(tiles)
                if self._play(player, before, board):
                    break
        self._write("+20", "+40", f"+{CALM_S}")
        return "\n".join(self.lines) + "\n"

    def _play(self, player: int, before: Board, board: Board) -> bool:
        tiles = {sq: board[sq] for sq in board.occupied() if not before.has_tile(sq)}
        play = placement_of(before, tiles)
        rack = self.racks[player - 1]
        for tile in tiles.values():
            rack.remove(BLANK if str(tile).islower() else tile)
        self._on_the_way()
        self._write(f"lay {play.position} {write_tiles(play.word)}")
        if self.dice.random() < 0.1:
            squares = " ".join(map(name_across, tiles))
            self._write("+6", f"take {squares}", "+4")
            self._write(f"lay {play.position} {write_tiles(play.word)}")
        self._write("+2")
        for tile in tiles.values():
            if str(tile).islower():
                self._say(player, f"blank {str(tile).upper()}")
        is_last = not rack and not self.bag
        if is_last:
            self._write("stop", "+4")
            self._say(3 - player, "accept")
            self._write("+5", *self._shown(player))
            return True
        self._write(f"press {player}")
        if "box" in self.sensors and self.dice.random() < 0.08:
            self._write("+3", f"say {3 - player} hold", f"+{self.dice.randint(5, 25)}")
            self._write(f"say {3 - player} accept", "+1")
        self._draw(player, min(len(tiles), len(self.bag)))
        return False

    def _on_the_way(self) -> None:
        """What rightly happens while somebody thinks."""
        chance = self.dice.random()
        if chance < 0.03:
            self._write("knock", "+5")
        elif chance < 0.06:
            self._write("cover", f"+{self.dice.randint(2, 8)}", "uncover", "+2")

    def _draw(self, player: int, due: int) -> None:
        """What is due: at once, in two goes, or laid on the table first."""
        self._pass_time(2, 7)
        rack = self.racks[player - 1]
        rack += [self.bag.pop() for _ in range(due)]
        chance = self.dice.random()
        if not due:
            return
        if due > 1 and chance < 0.15:
            first = self.dice.randint(1, due - 1)
            self._write(f"draw {player} {first}", f"+{self.dice.randint(2, 4)}")
            self._write(f"draw {player} {due - first}")
        elif chance < 0.25:
            self._write(f"draw {player} {due} table", f"+{self.dice.randint(2, 6)}")
            self._write(f"rack {player} {len(rack)}")
        else:
            self._write(f"draw {player} {due}")
        self._write(*self._shown(player))

    def _exchange(self, player: int) -> None:
        rack = self.racks[player - 1]
        count = self.dice.randint(1, min(len(rack), RACK_SIZE))
        self._say(player, f"exchange {count}")
        self._write("+2", f"aside {player} {count}", "+1", f"press {player}", "+4")
        back = [rack.pop() for _ in range(count)]
        rack += [self.bag.pop() for _ in range(count)]
        self._write(f"draw {player} {count}", "+3", f"return {player} {count}")
        self.bag += back
        self.dice.shuffle(self.bag)
        self._write(*self._shown(player))

    def _shown(self, player: int) -> list[str]:
        """What a camera of that rack sees, where there is one."""
        if "racks" not in self.sensors:
            return []
        letters = "".join(map(str, self.racks[player - 1]))
        return ["+1", f"rack {player} {letters or 0}"]

    def _say(self, player: int, what: str) -> None:
        if "box" in self.sensors:
            self._write(f"say {player} {what}", "+1")

    def _pass_time(self, least_s: int, most_s: int) -> None:
        self._write(f"+{self.dice.randint(least_s, most_s)}")

    def _write(self, *lines: str) -> None:
        self.lines += lines


def alarms(number: int) -> list[str]:
    """What was reported to players or the director of a legal game, and what stands open after.

    Where no sensor can hear a blank's letter, it is rightly asked for once the game is over.
    """
    table = LegalTable(number)
    run = play_through(parse_scenario(table.text(), f"{number}.scn"))
    is_asked = frozenset() if "box" in table.sensors else frozenset({Notice.BLANK_UNNAMED.value})
    reported = [
        f"{said.at_s:.0f} s: {said.code}: {said.text}"
        for said in run.record.told
        if {"director", "players"} & set(said.to.split()) and said.code not in is_asked
    ]
    return [*reported, *(f"open: {left.code}" for left in run.record.open)]


def with_alarms(games: Iterable[int]) -> Iterator[tuple[int, list[str]]]:
    """Those of some games of which something was reported, or is left open."""
    return ((number, found) for number in games if (found := alarms(number)))


if __name__ == "__main__":
    first, count = map(int, sys.argv[1:])
    for number, found in with_alarms(range(first, first + count)):
        print(number, *LegalTable(number).text().splitlines()[:3], *found, sep="\n  ", flush=True)
    print(f"{count} games played", flush=True)
