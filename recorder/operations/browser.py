"""Opening a page for the person who started a command."""

import os
import sys
import webbrowser
from contextlib import suppress


def open_page(address: str) -> None:
    """Open a page in the user's browser, where there is a screen for one; else do nothing."""
    has_screen = sys.platform in {"darwin", "win32"} or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    if has_screen and sys.stdout.isatty():
        with suppress(webbrowser.Error):
            webbrowser.open(address)
