"""A game as a folder of photographs shows it: pictures in order, and what was truly played."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recorder.domain.game import GameEvent, NoPlay, Played, Withdrawn
from recorder.domain.plays import parse_placement


@dataclass(frozen=True, slots=True)
class PhotographedTurn:
    """A picture of the board after a turn, the squares (row by row from 0) that changed, the truth.

    ``event`` has no rack, and the score that the photographs' readers gave it.
    """

    picture: Path
    squares: frozenset[int]
    event: GameEvent


@dataclass(frozen=True, slots=True)
class PhotographedGame:
    """A folder with ``truth.json``, read."""

    name: str
    tiles: str
    turns: Sequence[PhotographedTurn]


def read_game(folder: Path, most: int | None = None) -> PhotographedGame:
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    shown: dict[str, str] = {}
    before = "." * 225
    turns = []
    for frame in truth["frames"]:
        board = "".join(frame["board"])
        if frame["image"] and "board_visible" not in frame:
            shown.setdefault(board, frame["image"])
        if frame["in_game"] and frame["play"]:
            # Two withdrawals have no photograph: the board is then as it was before the play.
            picture = folder / shown.get(board, frame["image"] or "")
            turns.append(PhotographedTurn(picture, _changed(before, board), _event(frame["play"])))
        before = board if frame["in_game"] else before
    return PhotographedGame(folder.name, truth["tile_set"], turns[:most])


def _changed(before: str, board: str) -> frozenset[int]:
    pairs = enumerate(zip(before, board, strict=True))
    return frozenset(square for square, (old, new) in pairs if (old == ".") != (new == "."))


def _event(said: Mapping[str, Any]) -> GameEvent:
    player = said["player"] - 1
    match said["kind"]:
        case "play":
            laid = parse_placement(f"{said['position']} {said['word']}")
            return Played(player, laid, said["score"])
        case "withdraw":
            return Withdrawn(player, -said["score"])
        case _:
            return NoPlay(player)
