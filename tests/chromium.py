"""The browser of this machine."""

import os
import shutil

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome-headless-shell")


def find_chromium() -> str | None:
    """The browser named by TILECAST_CHROMIUM, else the first one on the path."""
    given = os.environ.get("TILECAST_CHROMIUM")
    return given or next((found for name in _NAMES if (found := shutil.which(name))), None)
