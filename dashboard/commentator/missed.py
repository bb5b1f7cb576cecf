"""What a turn gave away against the best play for its rack, and how well a player plays by that.

A measure for talking about a game, not a judgement: plays are weighed by points and a rule of thumb
for the tiles that stay (``recorder.analysis.leaves``), and racks of opponents are not looked at.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp

from recorder.analysis.chances import win_probability
from recorder.analysis.leaves import leave_points
from recorder.domain.game import GameState
from recorder.domain.tile_text import read_tiles
from recorder.domain.tiles import BLANK, EMPTY, Tiles
from recorder.frames import booth
from recorder.projections.sheet import SheetLine

_STEEP, _TOP, _BOTTOM = -0.04354, 103.1668, -3.1669
"""Accuracy from the percent of winning chance that a move lost, as lichess.org/page/accuracy."""


def worth_of(line: SheetLine, rack: Tiles, state: GameState, *, stood: bool) -> float | None:
    """What a turn was worth in points with its leave; ``stood``: it was not challenged off.

    None where the rack that was read does not have the tiles, or nobody knows what was exchanged.
    """
    if line.kind == "exchange":
        return 0.0 if line.count == len(rack) else None
    laid = [tile for tile in read_tiles(line.word) if tile is not EMPTY] if stood else []
    used = Counter(BLANK if tile.is_blank else tile for tile in laid)
    left = Counter(rack)
    if line.kind not in ("play", "pass") or used - left:
        return None
    vowels = frozenset(state.tile_set.vowels)
    score = line.score if stood and line.kind == "play" else 0
    # Nothing is drawn from an empty bag: what stays there is no promise.
    over = state.bag_count == 0
    return score + (0.0 if over else leave_points(tuple((left - used).elements()), vowels))


def missed(
    line: SheetLine, before: GameState, rack: Tiles, plays: Sequence[booth.Play], *, stood: bool
) -> booth.Missed | None:
    """What a turn gave away; None where it cannot be said. ``plays`` are the best, best first."""
    worth = worth_of(line, rack, before, stood=stood)
    if worth is None or not plays:
        return None
    over = before.bag_count == 0
    best = max(plays, key=lambda play: play["score"] if over else play["worth"])
    most = max(worth, best["score"] if over else best["worth"])
    scores = before.scores
    lead = scores[line.player] - scores[1 - line.player]
    unseen = max(1, sum(before.unseen.values()) - len(line.squares))
    chances = [1 - win_probability(-round(lead + gain), unseen) for gain in (most, worth)]
    return {
        "best": best,
        "lost": round(most - worth, 1),
        "chance": round(chances[0] - chances[1], 3),
    }


def played_so_far(turns: Iterable[tuple[int, booth.Missed | None]]) -> list[booth.Accuracy]:
    """By player: points given away, turns that could be rated, and the accuracy in percent.

    A few turns are no measure of a game: none is given where fewer than half could be rated.
    """
    rated: tuple[list[booth.Missed], list[booth.Missed]] = ([], [])
    counts = [0, 0]
    for player, found in turns:
        counts[player] += 1
        if found is not None:
            rated[player].append(found)
    return [
        {
            "turns": count,
            "rated": len(found),
            "lost": round(sum(turn["lost"] for turn in found), 1),
            "accuracy": _accuracy(found) if found and 2 * len(found) >= count else None,
        }
        for count, found in zip(counts, rated, strict=True)
    ]


def _accuracy(turns: Sequence[booth.Missed]) -> int:
    each = [_TOP * exp(_STEEP * 100 * turn["chance"]) + _BOTTOM for turn in turns]
    return round(min(100.0, max(0.0, sum(each) / len(each))))
