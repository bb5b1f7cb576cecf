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
    """A scene by the word in its address, which is the code of its title, and its size in pixels.

    ``alone`` is the width with one player, 0 where players cannot be told apart. ``waits``: it is
    clear while a game goes its way, until something comes that it shows.
    """

    name: str
    width: int = 1920
    height: int = 1080
    alone: int = 0
    feed: Feed = Feed.FRAME
    waits: bool = False


SCENE_LIST = (
    Scene("full"),
    Scene("vertical", 1080, 1920),
    Scene("score", 1320, 120),
    Scene("bug", 690, 176),
    Scene("board", 828, 828),
    Scene("racks", 1320, 100, alone=630, waits=True),
    Scene("last", 876, 120),
    Scene("clocks", 1320, 120),
    Scene("unseen", 876, 167),
    Scene("banner", 876, 100, waits=True),
    Scene("moment", 876, 120, waits=True),
    Scene("players", 1320, 240, alone=640),
    Scene("graph", 876, 392),
    Scene("chance", 876, 392, feed=Feed.SHEET, waits=True),
    Scene("best", 876, 320, waits=True),
    Scene("replay", 828, 960),
    Scene("sheet", 876, 828, feed=Feed.SHEET),
    Scene("qr", 360, 430),
    Scene("tables", feed=Feed.HALL),
    Scene("standings", feed=Feed.EVENT, waits=True),
    Scene("pairings", feed=Feed.EVENT, waits=True),
    Scene("results", 1320, 100, feed=Feed.EVENT, waits=True),
    Scene("meeting", feed=Feed.EVENT, waits=True),
    Scene("race", feed=Feed.EVENT, waits=True),
    Scene("high", feed=Feed.EVENT, waits=True),
    Scene("round", feed=Feed.EVENT, waits=True),
    Scene("next", waits=True),
    Scene("final", feed=Feed.SHEET, waits=True),
)
SCENES = {scene.name: scene for scene in SCENE_LIST}
TABLE_SCENES = tuple(scene.name for scene in SCENE_LIST if scene.feed is not Feed.EVENT)
EVENT_SCENES = tuple(scene.name for scene in SCENE_LIST if scene.feed is Feed.EVENT)
