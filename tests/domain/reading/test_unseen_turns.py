"""Turns that no look shows apart: reported rightly, or one hole in the record.

Never wrong as sure.
"""

import os
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from recorder.domain.board import EMPTY_BOARD, Board
from recorder.domain.game import NoPlay, Played, Unseen, Withdrawn
from recorder.domain.lexicon import WordList
from recorder.domain.observations import (
    SYMBOLS,
    BoardSeen,
    ClockAct,
    ClockChanged,
    ClockPressed,
    Side,
    SquareCosts,
)
from recorder.domain.plays import parse_placement, placement_of
from recorder.domain.reading.table_fold import Stamped, open_table, take
from recorder.domain.reading.unseen_turns import Gap, explanations, told_apart
from recorder.domain.scoring import words_formed
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import unnamed
from recorder.domain.turns import Turn
from recorder.gcg.reader import read_gcg
from tests.boards import boards_after
from tests.cases import first_of
from tests.domain.legal_games import ENGLISH, legal_game

pytestmark = pytest.mark.slow

SHARED = Path(os.environ.get("TILECAST_SHARED") or Path(__file__).parents[4] / "shared")
PUBLIC = sorted((SHARED / "gcg" / "clean").glob("*.gcg"))
SIDES = (Side.LEFT, Side.RIGHT)


class Table:
    """A table with clock and camera; each turn takes twenty seconds."""

    def __init__(self) -> None:
        self.state = open_table(ENGLISH, starts_ms=(1_500_000, 1_500_000), left_player=0)
        self._row, self._ms = 0, 1_000_000
        self._say(ClockChanged(act=ClockAct.RESUME, left_ms=0, right_ms=0, running=Side.LEFT))

    def _say(self, observation: ClockChanged | ClockPressed | BoardSeen) -> None:
        self._row += 1
        stamped = Stamped(seq=self._row, at_ms=self._ms, observation=observation)
        self.state = take(self.state, stamped)

    def press(self, player: int) -> None:
        """The player on turn presses, twenty seconds after the turn began."""
        self._ms += 20_000
        side, other = SIDES[player], SIDES[1 - player]
        self._say(ClockPressed(side=side, left_ms=0, right_ms=0, running=other))

    def look(self, board: Board) -> None:
        """The camera sees the board, a second later."""
        self._ms += 1_000
        self._say(
            BoardSeen(
                frame=f"f{self._row}",
                squares=_shown(board),
                corners=((0.0, 0.0), (15.0, 0.0), (15.0, 15.0), (0.0, 15.0)),
                pose_score=1.0,
                turn_margin=50.0,
                covered=0.0,
                still_ms=300,
            )
        )

    def turns(self, words: WordList | None = None) -> tuple[Turn, ...]:
        """What is reported of the game."""
        return told_apart(self.state.story(), self.state.turns, words)


def _shown(board: Board) -> SquareCosts:
    symbols = re.sub("[a-z]", "?", "".join(board.rows()))
    costs = bytes(0 if symbol == mark else 160 for mark in symbols for symbol in SYMBOLS)
    return SquareCosts(costs)


def new_squares(before: Board, after: Board) -> frozenset[int]:
    """The squares with a tile that had none."""
    return frozenset(after.occupied()) - frozenset(before.occupied())


def listed(games: Iterable[Sequence[Board]]) -> WordList:
    """A list of all words that were made in some games."""
    words: set[str] = set()
    for game in games:
        for before, after in zip((EMPTY_BOARD, *game), game, strict=False):
            laid = {sq: after[sq] for sq in new_squares(before, after)}
            if laid:
                formed = words_formed(before, placement_of(before, laid))
                words |= {write_tiles(map(unnamed, word.tiles)) for word in formed}
    return WordList(
        name="made", sha256="", letters=ENGLISH.letters, count=0, twos=0, threes=0, words=words
    )


def told_of(game: Sequence[Board], first: int, count: int, words: WordList | None) -> str:
    """How a game is reported of which no look shows ``count`` turns from turn ``first`` on.

    "right", "hole", of two also "doubtful" with both readings; or what is wrong.
    """
    table, true = Table(), list[tuple[int, frozenset[int]]]()
    for turn, board in enumerate(game[: first + count + 2]):
        before = game[turn - 1] if turn else EMPTY_BOARD
        true.append((turn % 2, new_squares(before, board)))
        table.press(turn % 2)
        if not first <= turn < first + count - 1:
            table.look(board)
    turns = table.turns(words)
    told = [
        (event.player, frozenset(event.laid if isinstance(event, Played) else ()))
        for turn in turns
        for event in turn.events
    ]
    if told == true:
        return "right"
    events = [event for turn in turns for event in turn.events]
    if count == 2 and turns[first].doubts and turns[first].alternatives:
        return "doubtful"
    at = next((at for at, event in enumerate(events) if isinstance(event, Unseen)), None)
    if at is None:
        return f"told {told[first:]}, made {true[first:]}"
    hole = events[at]
    is_right = isinstance(hole, Unseen) and hole.turns == count and at == first
    is_right = is_right and told[:at] + told[at + 1 :] == true[:at] + true[at + count :]
    return "hole" if is_right else f"hole {at} {hole}, made {true[first:]}"


@pytest.mark.parametrize("count", first_of(2, [10, 2, 1, 3, 5, 4, 6, 7, 8, 9]))
def test_unseen_turns_are_told_rightly_or_are_a_hole(count: int) -> None:
    """Of games by dice: no list has their words, so only what can lie in one way is reported."""
    dice = random.Random(count)
    game = list(legal_game(random.Random(2), ENGLISH))
    assert told_of(game, dice.randint(0, 8), count, None) in ("right", "hole", "doubtful")


def test_a_list_of_words_tells_four_plays_apart() -> None:
    game = boards_after("8D CATER", "7H BOY", "6J IN", "5K OX", "4L AD", "3M GO")[1:]
    assert told_of(game, 1, 4, listed([game])) == "right"


@pytest.mark.skipif(not PUBLIC, reason="no shared GCG files here (TILECAST_SHARED)")
@pytest.mark.parametrize("count", first_of(1, [10, 2, 3, 5]))
def test_unseen_turns_of_real_games(count: int) -> None:
    """The same of games that were played, with a list of all their words."""
    games = [game for game in map(_boards_of, PUBLIC[:8]) if len(game) > 14][:2]
    words = listed(games)
    told = [told_of(game, 1, count, words) for game in games]
    assert set(told) <= {"right", "hole", "doubtful"}


def _boards_of(path: Path) -> list[Board]:
    """The boards after each turn, as long as nothing is taken back."""
    boards = [EMPTY_BOARD]
    for move in read_gcg(path.read_bytes()).moves:
        if isinstance(move.event, Played):
            boards.append(boards[-1].place(move.event.laid))
        elif isinstance(move.event, Withdrawn):
            break
    return boards[1:]


def test_who_passed_with_the_bag_empty_is_likelier_to_have_passed_again() -> None:
    """Two plays in three turns: without that it is anybody's guess who made none."""
    board = EMPTY_BOARD.place(parse_placement("8D CATER").new_tiles())
    tiles = {**parse_placement("7D A").new_tiles(), **parse_placement("9H E").new_tiles()}
    gap = Gap(board, tuple(tiles.items()), (0, 1, 0), (None, None, None), ENGLISH, None)
    stuck = replace(gap, stuck=frozenset({1}))
    assert len({way.cost for way in explanations(gap)}) == 1
    best, *_ = explanations(stuck)
    assert [type(event) for event in best.events] == [Played, NoPlay, Played]
