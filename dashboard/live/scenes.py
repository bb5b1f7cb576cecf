"""The scenes of the overlays: the one list that pages, builder, documents and tests go by."""

from dataclasses import dataclass
from enum import StrEnum


class Feed(StrEnum):
    """What a scene is drawn from."""

    FRAME = "frame"
    SHEET = "sheet"
    """The frame with the score sheet."""
    HALL = "hall"
    """A glimpse of every table; no table of the address is asked for."""

    EVENT = "event"
    """What the log keeps of the event, for one of its divisions."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene by the word in its address, for people, and its own size in pixels.

    ``alone`` is the width with one player, 0 where players cannot be shown apart. ``waits``: it is
    clear while a game goes its way, until something comes that it shows.
    """

    name: str
    title: str
    width: int = 1920
    height: int = 1080
    alone: int = 0
    feed: Feed = Feed.FRAME
    waits: bool = False


SCENE_LIST = (
    Scene("full", "whole scene"),
    Scene("vertical", "upright, for phones", 1080, 1920),
    Scene("score", "score bar", 1320, 120),
    Scene("bug", "score bug", 690, 176),
    Scene("board", "board", 828, 828),
    Scene("racks", "racks", 1320, 100, alone=630, waits=True),
    Scene("last", "last play", 876, 120),
    Scene("clocks", "clocks", 1320, 120),
    Scene("unseen", "unseen tiles", 876, 167),
    Scene("banner", "hold, challenge, ruling", 876, 100, waits=True),
    Scene("moment", "bingo, lead, record, challenge", 876, 100, waits=True),
    Scene("players", "player cards", 1320, 240, alone=640),
    Scene("graph", "course of the game", 876, 392),
    Scene("chance", "chance to win, key turns", 876, 392, feed=Feed.SHEET, waits=True),
    Scene("best", "best plays", 876, 320, waits=True),
    Scene("replay", "last play again", 828, 960),
    Scene("sheet", "score sheet", 876, 828, feed=Feed.SHEET),
    Scene("tables", "up to four or nine tables", feed=Feed.HALL),
    Scene("standings", "event: standings", feed=Feed.EVENT, waits=True),
    Scene("pairings", "event: pairings", feed=Feed.EVENT, waits=True),
    Scene("results", "event: results in turn", 1320, 100, feed=Feed.EVENT, waits=True),
    Scene("meeting", "event: the pair so far", feed=Feed.EVENT, waits=True),
    Scene("high", "event: high games", feed=Feed.EVENT, waits=True),
    Scene("round", "event: title of the round", feed=Feed.EVENT, waits=True),
    Scene("next", "next game", waits=True),
    Scene("final", "final result", waits=True),
)
SCENES = {scene.name: scene for scene in SCENE_LIST}
TABLE_SCENES = tuple(scene.name for scene in SCENE_LIST if scene.feed is not Feed.EVENT)
EVENT_SCENES = tuple(scene.name for scene in SCENE_LIST if scene.feed is Feed.EVENT)
