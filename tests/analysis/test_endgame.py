"""The end of a game, held against trying everything with the search for best plays."""

import random
from collections import Counter
from collections.abc import Callable

import pytest

from recorder.analysis.best_plays import PlayFinder
from recorder.analysis.endgame import EndgameSolver, Ending, LateTurn
from recorder.analysis.last_draws import LastDraws
from recorder.analysis.late_plays import LatePlays
from recorder.domain.board import EMPTY_BOARD, Board
from recorder.domain.plays import Placement
from recorder.domain.tile_text import read_tiles
from recorder.domain.tiles import BLANK, Tiles
from recorder.tilesets import load_tile_set
from tests.analysis.test_best_plays import WORDS
from tests.cases import first_of

ENGLISH = load_tile_set("english")
FINDER = PlayFinder(WORDS, ENGLISH)


def position(seed: int, tiles: int) -> tuple[Board, list[Tiles]]:
    """A board after some plays by chance, and two racks of so many tiles."""
    rng = random.Random(seed)
    board = EMPTY_BOARD
    for _ in range(rng.randint(2, 6)):
        rack = tuple(rng.choices(ENGLISH.letters, k=6)) + read_tiles("ESATN")[:1]
        plays = FINDER.best(board, rack, 5)
        if plays:
            board = board.place(rng.choice(plays).placement.new_tiles())
    if board.is_empty:
        board = board.place(FINDER.best(board, read_tiles("TRAINS"), 1)[0].placement.new_tiles())
    often = read_tiles("EEAATTSSNNOOIIRLX?Q")
    return board, [tuple(rng.sample(often, tiles)) for _ in range(2)]


def tried(board: Board, mine: Tiles, theirs: Tiles, *, passed: bool = False) -> int:
    """What the player on turn gains when both play best: every play and pass, with no cut."""
    if passed:
        best = ENGLISH.points(theirs) - ENGLISH.points(mine)
    else:
        best = -tried(board, theirs, mine, passed=True)
    for play in FINDER.best(board, mine, 10_000):
        if play.leave:
            after = board.place(play.placement.new_tiles())
            best = max(best, play.score - tried(after, theirs, play.leave))
        else:
            best = max(best, play.score + 2 * ENGLISH.points(theirs))
    return best


def ended(
    board: Board, mine: Tiles, theirs: Tiles, give_up: Callable[[], bool] = lambda: False
) -> Ending:
    plays = LatePlays(FINDER.vocabulary, ENGLISH, board, Counter(mine + theirs))
    turn = LateTurn(plays.start, plays.rack(mine), plays.rack(theirs), passed=False)
    return EndgameSolver(plays, give_up).solve(turn)


@pytest.mark.parametrize("seed", first_of(6, range(12)))
def test_every_play_is_found(seed: int) -> None:
    """The plays and points of a full rack are those of the search for best plays."""
    board, (rack, _) = position(seed, 7)
    plays = LatePlays(FINDER.vocabulary, ENGLISH, board, Counter(rack))
    found = [
        (plays.placement(play), play.score) for play in plays.plays(plays.start, plays.rack(rack))
    ]
    best = [(play.placement, play.score) for play in FINDER.best(board, rack, 10_000)]
    assert best_of(found) == best_of(best)


def best_of(plays: list[tuple[Placement, int]]) -> dict[tuple[object, ...], int]:
    """The points of each word at each place, as the blanks count least."""
    points: dict[tuple[object, ...], int] = {}
    for placement, score in plays:
        laid = sorted((sq, tile.label) for sq, tile in placement.new_tiles().items())
        points[tuple(laid)] = max(score, points.get(tuple(laid), 0))
    return points


@pytest.mark.parametrize("seed", first_of(6, range(12)))
def test_the_end_is_that_of_trying_everything(seed: int) -> None:
    """Two racks of a few tiles: gain and course of the solver, against all games."""
    board, (mine, theirs) = position(seed, 3 if seed == 1 else 2)
    if BLANK in mine + theirs:
        mine, theirs = (
            tuple(tile for tile in rack if tile is not BLANK) for rack in (mine, theirs)
        )
    found = ended(board, mine, theirs)
    assert found.solved
    assert found.gain == tried(board, mine, theirs)
    assert gain_of(found.course, mine, theirs) == found.gain


def gain_of(course: tuple[tuple[Placement, int] | None, ...], mine: Tiles, theirs: Tiles) -> int:
    racks, gains, passes = [Counter(mine), Counter(theirs)], [0, 0], 0
    for at, turn in enumerate(course):
        player = at % 2
        passes = passes + 1 if turn is None else 0
        if turn is not None:
            gains[player] += turn[1]
            racks[player] -= Counter(
                BLANK if tile.is_blank else tile for tile in turn[0].new_tiles().values()
            )
            if not racks[player]:
                gains[player] += 2 * ENGLISH.points(racks[1 - player].elements())
        if passes == 2:
            for other in (0, 1):
                gains[other] -= ENGLISH.points(racks[other].elements())
    return gains[0] - gains[1]


def test_what_is_not_solved_in_time_says_so() -> None:
    """Out of time after some looks: the best so far, not solved; at once: nothing."""
    board, (mine, theirs) = position(1, 5)
    looks = iter(range(10_000))
    found = ended(board, mine, theirs, lambda: next(looks) > 20)
    assert not found.solved
    assert found.course
    assert not ended(board, mine, theirs, lambda: True).course


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 7])
def test_odds_of_the_last_draw_are_those_of_every_bag(seed: int) -> None:
    """One tile in the bag: win and spread are the means over each tile that it can be."""
    board, (mine, rest) = position(seed, 3)
    mine, rest = (tuple(tile for tile in rack if tile is not BLANK)[:2] for rack in (mine, rest))
    unseen = (*rest, *read_tiles("E"))
    plays = LatePlays(FINDER.vocabulary, ENGLISH, board, Counter(mine + unseen))
    best = FINDER.best(board, mine, 1)
    if not best:
        pytest.skip("the rack has no play")
    (odds,) = LastDraws(plays, deepest=9).odds(
        plays.rack(mine), plays.rack(unseen), 1, 3, [best[0].placement]
    )
    after = board.place(best[0].placement.new_tiles())
    ends = [
        3
        + best[0].score
        - tried(after, unseen[:at] + unseen[at + 1 :], (*best[0].leave, unseen[at]))
        for at in range(len(unseen))
    ]
    assert odds.spread == pytest.approx(sum(ends) / len(ends))
    assert odds.win == pytest.approx(sum((end > 0) + 0.5 * (end == 0) for end in ends) / len(ends))


def test_two_in_the_bag_are_weighed_too() -> None:
    """A play of one tile leaves one in the bag, which the other player draws."""
    board, (mine, theirs) = position(1, 5)
    unseen = (*theirs, *read_tiles("ET"))
    plays = LatePlays(FINDER.vocabulary, ENGLISH, board, Counter(mine + unseen))
    every = [play.placement for play in FINDER.best(board, mine, 500)]
    among = [placement for placement in every if len(placement.new_tiles()) <= 2][:30]
    assert {1, 2} <= {len(placement.new_tiles()) for placement in among}
    odds = LastDraws(plays).odds(plays.rack(mine), plays.rack(unseen), 2, 0, among)
    assert len(odds) == len(among)
    assert [option.win for option in odds] == sorted((o.win for o in odds), reverse=True)
