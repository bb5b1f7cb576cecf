"""Legal games stay legal, whatever the eyes get wrong: no turn is taken for an illegal one."""

import random

import pytest

from recorder.domain.reading.histories.hypotheses import ILLEGAL, LookContext
from recorder.domain.reading.reconstruct import begin, step
from recorder.tilesets import load_tile_set
from tests.domain.legal_games import NoisyEyes, legal_game

ENGLISH = load_tile_set("english")
PLAYS = 8


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


GAMES = [*range(5), *(pytest.param(game, marks=pytest.mark.slow) for game in range(5, 20))]


@pytest.mark.parametrize("game", GAMES)
def test_a_legal_game_is_never_read_as_illegal(game: int) -> None:
    """A wrong square in three hundred, some of them sure, and nothing has moved since the press."""
    assert illegal_turns(game, PLAYS) == []
