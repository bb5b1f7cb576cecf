"""The scenes that a stream needs: OBS imports them as a file, or is asked to make them.

Each scene is one browser source of a slot, so nothing has to be set up in OBS but the cameras. The
names of the first three are those that ``tilecast obs`` switches between.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from dashboard.live.scenes import SCENES
from recorder.declared.codec import Json

SHOWN = {
    "next": "next", "live": "full", "final": "final", "tables": "tables", "standings": "standings",
    "pairings": "pairings", "head to head": "meeting", "replay": "replay",
}  # fmt: skip
"""Scenes of OBS by their name there, and the scene of Tilecast that each shows."""
UPRIGHT = {"vertical": "vertical"}
CANVAS, UPRIGHT_CANVAS = (1920, 1080), (1080, 1920)
BROWSER = "browser_source"
_TOP_LEFT = 5


@dataclass(frozen=True, slots=True)
class ObsScene:
    """A scene of OBS with one browser source in the middle of the canvas."""

    name: str
    address: str
    width: int
    height: int

    @property
    def source(self) -> str:
        """The source's name, which no other scene has."""
        return f"Tilecast {self.name}"

    @property
    def settings(self) -> Json:
        """Those of the browser source."""
        return {"url": self.address, "width": self.width, "height": self.height}


def scenes_for(base: str, slot: str, *, upright: bool = False) -> tuple[ObsScene, ...]:
    """The scenes of a slot on a dashboard at ``base``, such as ``http://venue:8015``."""
    return tuple(
        ObsScene(
            name,
            f"{base.rstrip('/')}/o/{quote(slot)}/{scene}",
            SCENES[scene].width,
            SCENES[scene].height,
        )
        for name, scene in (UPRIGHT if upright else SHOWN).items()
    )


def collection(name: str, scenes: Sequence[ObsScene], canvas: tuple[int, int]) -> Json:
    """A scene collection as OBS 28 and later write and import it."""
    width, height = canvas
    return {
        "name": name,
        "current_scene": scenes[0].name,
        "current_program_scene": scenes[0].name,
        "scene_order": [{"name": scene.name} for scene in scenes],
        "sources": [source for scene in scenes for source in _sources(scene, canvas)],
        "resolution": {"x": width, "y": height},
        "groups": [],
        "transitions": [],
        "quick_transitions": [],
        "modules": {},
    }


def _sources(scene: ObsScene, canvas: tuple[int, int]) -> tuple[Json, Json]:
    browser: dict[str, Any] = {"name": scene.source, "settings": scene.settings}
    item = {
        "name": scene.source,
        "id": 1,
        "visible": True,
        "locked": False,
        "align": _TOP_LEFT,
        "pos": {"x": (canvas[0] - scene.width) / 2, "y": (canvas[1] - scene.height) / 2},
        "scale": {"x": 1.0, "y": 1.0},
        "rot": 0.0,
        "bounds_type": 0,
        "bounds": {"x": 0.0, "y": 0.0},
    }
    holder = {"name": scene.name, "settings": {"id_counter": 1, "items": [item]}}
    return (
        {"id": BROWSER, "versioned_id": BROWSER, "mixers": 255, **browser},
        {"id": "scene", "versioned_id": "scene", "mixers": 0, **holder},
    )
