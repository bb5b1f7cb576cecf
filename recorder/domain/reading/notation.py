"""Events in the notation of score sheets: short, and the same in every language."""

from collections.abc import Iterable

from recorder.domain.board import Square, name_across
from recorder.domain.game import (
    ChallengeBonus,
    Conceded,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    IllegallyPlayed,
    NoPlay,
    Passed,
    Penalty,
    Played,
    TimePenalty,
    Unseen,
    Withdrawn,
)
from recorder.domain.tiles import Tile


def notation(event: GameEvent) -> str:
    """``8D FI.NS +24``, ``-3`` exchanged, ``-`` passed, ``?`` one of the two, ``--`` taken back."""
    match event:
        case Played(placement=placement, score=score):
            text = f"{placement} {score:+}"
        case IllegallyPlayed(tiles=tiles, score=score):
            text = f"{tiles_notation(tiles)} {score:+}"
        case Unseen(tiles=tiles, turns=turns):
            text = f"{turns} unseen: {tiles_notation(tiles)}"
        case Exchanged(count=count):
            text = f"-{count}"
        case Passed():
            text = "-"
        case NoPlay():
            text = "?"
        case Withdrawn():
            text = "--"
        case _:
            text = f"{_points(event):+}"
    return text


def tiles_notation(tiles: Iterable[tuple[Square, Tile]]) -> str:
    """Tiles that make no word, by their squares: ``8H=A 9I=b``."""
    return " ".join(f"{name_across(sq)}={tile}" for sq, tile in tiles)


def _points(
    event: ChallengeBonus | EndRackPoints | EndRackPenalty | TimePenalty | Penalty | Conceded,
) -> int:
    match event:
        case ChallengeBonus(points=points) | EndRackPoints(points=points):
            return points
        case EndRackPenalty(points=points) | TimePenalty(points=points) | Penalty(points=points):
            return -points
        case Conceded(margin=margin):
            return -margin
