"""Legal games stay legal, whatever the eyes get wrong: no turn is taken for an illegal one."""

import pytest

from tests.cases import first_of
from tests.domain.legal_games import illegal_turns

pytestmark = pytest.mark.slow

PLAYS = 8


GAMES = [*range(5), *(pytest.param(game, marks=pytest.mark.slow) for game in range(5, 9))]
GAMES += [pytest.param(game, marks=pytest.mark.further) for game in range(9, 20)]


@pytest.mark.parametrize("game", GAMES)
def test_a_legal_game_is_never_read_as_illegal(game: int) -> None:
    """A wrong square in three hundred, some of them sure, and nothing has moved since the press."""
    assert illegal_turns(game, PLAYS) == []


PATCHES_OF_LIGHT = [(391, 29), (417, 16), (9101, 7), (9301, 11), (20365, 6)]
"""Games of the dice, and the play whose look shows two letters that nobody laid."""


@pytest.mark.slow
@pytest.mark.parametrize(("game", "plays"), first_of(2, PATCHES_OF_LIGHT))
def test_two_lone_patches_of_light_make_no_play_illegal(game: int, plays: int) -> None:
    """Both look like letters in the look that shows a legal play: elsewhere, or beyond a rack."""
    assert illegal_turns(game, plays) == []
