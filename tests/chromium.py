"""The browser of this machine: the build without windows first, which draws for less work."""

import os
import shutil

_NAMES = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
)


def find_chromium() -> str | None:
    """The browser named by TILECAST_CHROMIUM, else the first one on the path."""
    given = os.environ.get("TILECAST_CHROMIUM")
    return given or next((found for name in _NAMES if (found := shutil.which(name))), None)
