"""A sheet of paper: rectangles, lines and text in millimetres.

What is on it, not how it becomes a file: that is ``pdf`` and ``pixels``. Knows nothing of what is
printed.
"""

from dataclasses import dataclass, field
from typing import Literal

WIDTH_MM, HEIGHT_MM = 210.0, 297.0
"""A4, upright."""

TextAnchor = Literal["start", "middle", "end"]
"""Which part of a text stands at its ``x``; SVG's words for it."""


@dataclass(frozen=True, slots=True)
class Box:
    """A black rectangle; ``x``, ``y`` is its top-left corner from the top-left of the sheet."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class CutLine:
    """A thin grey line to cut along or to measure by."""

    x0: float
    y0: float
    x1: float
    y1: float
    dashed: bool = True


@dataclass(frozen=True, slots=True)
class PageText:
    """Text with its ``anchor`` at ``x``, its base line at ``y``; ``size`` is a line's height."""

    x: float
    y: float
    text: str
    size: float = 4.0
    anchor: TextAnchor = "start"


@dataclass(slots=True)
class Page:
    """An A4 sheet. All numbers are millimetres from its top-left corner."""

    title: str
    boxes: list[Box] = field(default_factory=list)
    lines: list[CutLine] = field(default_factory=list)
    words: list[PageText] = field(default_factory=list)
