"""The board cleared by the players: after the game, between games, with the end not yet confirmed.

A play that is taken back takes its own tiles off the board and no others (rulebook CHAL-5). Where
others go too, the players clear up: nothing of that is an act of the game.
"""

from recorder.domain.observations import EMPTY_SYMBOL, SquareCosts
from recorder.domain.reading.histories.hypotheses import Hypothesis

CLEARED = 9
"""So many tiles gone, the last play aside, are a board that is cleared, or not the board."""
MOST_KNOCKED = 2
"""So many tiles go by accident beside a play that is taken back."""
CLEARING_MS = 20_000
"""So long the players may take: who begins with the last play has not taken it back."""


def is_cleared(squares: SquareCosts, history: Hypothesis) -> bool:
    """Whether a look shows the board of a history cleared, or well on the way to it.

    The only play on a board says nothing: it may have been taken back.
    """
    last = history.last_play
    others = history.occupied - frozenset(last.placed if last is not None else ())
    gone = [square for square in others if squares.best(square) == EMPTY_SYMBOL]
    return len(gone) >= CLEARED or (len(gone) > MOST_KNOCKED and len(gone) == len(others))
