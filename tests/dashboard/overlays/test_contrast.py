"""What is written can be read in every theme: the contrast of its colours by WCAG 2."""

import re
from pathlib import Path

import pytest

from dashboard.overlays.event_files import contrast

THEME = Path(__file__).parents[3] / "dashboard" / "static" / "css" / "theme.css"
TEXT, LARGE = 4.5, 3.0
"""The least of AA, for text and for letters of 24 px or of 19 px in bold."""
PAIRS = (
    ("ink", "panel-solid", TEXT),
    ("ink-soft", "panel-solid", TEXT),
    ("player-0", "panel-solid", TEXT),
    ("player-1", "panel-solid", TEXT),
    ("panel-solid", "player-0", TEXT),
    ("panel-solid", "player-1", TEXT),
    ("panel-solid", "ink", TEXT),
    ("tile-ink", "tile", TEXT),
    ("tile-ink", "tile-light", TEXT),
    ("tile-value", "tile", TEXT),
    ("blank-ink", "tile", LARGE),
    ("blank-ink", "panel-solid", LARGE),
    ("tile", "square", LARGE),
)
"""What is written, on what, and how far they must be apart; ``tile``: a tile on its square."""


def themes() -> dict[str, dict[str, str]]:
    found = {}
    for block in re.findall(
        r'\[data-theme="(\w+)"\] \{(.*?)\n\}', THEME.read_text("utf-8"), re.DOTALL
    ):
        name, declared = block
        found[name] = {
            token: colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:])
            for token, colour in re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", declared)
        }
    return found


@pytest.mark.parametrize("theme", ["studio", "paper", "contrast"])
def test_every_theme_can_be_read(theme: str) -> None:
    """Text, letters on tiles, the winner's plate, a blank's letter on its tile and in a word."""
    colours = themes()[theme]
    faint = {
        f"{ink} on {ground}": round(apart, 2)
        for ink, ground, least in PAIRS
        if (apart := contrast(colours[ink], colours[ground])) < least
    }
    assert faint == {}


def test_the_contrast_theme_is_the_plainest() -> None:
    """Seven to one for all text: AAA, for projectors, glare and weak eyes."""
    colours = themes()["contrast"]
    for ink, ground in (("ink", "panel-solid"), ("ink-soft", "panel-solid"), ("tile-ink", "tile")):
        assert contrast(colours[ink], colours[ground]) >= 7
    for player in ("player-0", "player-1"):
        assert contrast(colours[player], colours["panel-solid"]) >= 7
