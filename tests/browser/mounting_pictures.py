"""The picture ``docs/screenshots/mounting.webp``: what board cameras see, mounted well and badly.

Rendered as the eyes' training pictures are; what is written into each picture
is measured in it: pixels for the side of a square where the board is smallest.
"""

from dataclasses import replace

import cv2
import numpy as np

from devices.lab.scenes.lens import SceneCamera, Sensor
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.pictures import Image
from recorder.projections.health.last_heard import square_px

ABOVE = SceneCamera(width=960, height=720, focal_px=1560.0, distance=40.0)
VIEWS = {
    "from above: good": ABOVE,
    "30 degrees beside: good": replace(ABOVE, tilt_deg=30.0),
    "60 degrees beside: too flat": replace(ABOVE, tilt_deg=60.0, distance=40.0),
    "too far": replace(ABOVE, distance=110.0),
    "a lamp mirrored in the board": ABOVE,
    "dark and out of focus": ABOVE,
}
WORDS = ("FABLE", "RISK", "VIEW", "KNOW")


def board() -> list[str]:
    rows = [["."] * 15 for _ in range(15)]
    for number, word in enumerate(WORDS):
        for place, letter in enumerate(word):
            rows[5 + 2 * number][4 + place] = letter
    return ["".join(row) for row in rows]


def seen(view: str) -> tuple[Image, float]:
    """What that camera sees, and the pixels for the side of a square."""
    scene = TableScene(demo_style(), 5, VIEWS[view])
    scene.board = board()
    if "lamp" in view:
        scene.reflect((0.5, 0.45))
    if "dark" in view:
        scene.sensor = Sensor(blur_px=4.0, gain=0.35)
    return scene.frame(1), square_px(scene.corners)


def sheet() -> Image:
    cells = []
    for view in VIEWS:
        image, px = seen(view)
        small = cv2.resize(image, (480, 360), interpolation=cv2.INTER_AREA)
        cell = cv2.copyMakeBorder(small, 0, 32, 0, 0, cv2.BORDER_CONSTANT, value=(24, 24, 24))
        text, font, white = f"{view}, {px:.0f} px a square", cv2.FONT_HERSHEY_SIMPLEX, (255,) * 3
        cv2.putText(cell, text, (8, 382), font, 0.55, white, 1, cv2.LINE_AA)
        cells.append(np.asarray(cell, np.uint8))
    return np.vstack([np.hstack(cells[:3]), np.hstack(cells[3:])])
