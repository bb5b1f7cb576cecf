"""How sure the eyes are against how often they are right, as a drawing (SVG)."""

from collections.abc import Iterable
from itertools import pairwise

_EDGES = (0.0, 0.5, 0.7, 0.85, 0.95, 0.99, 0.999, 1.0001)
_WIDE, _HIGH, _LEFT, _TOP = 630, 240, 56, 24
_STEP = _WIDE / (len(_EDGES) - 1)


def reliability(judged: Iterable[tuple[float, bool]]) -> str:
    """A diagram of squares by confidence: how many, the share that is right, and what was said.

    ``judged`` are the confidence of each square and whether it was right.
    """
    squares = list(judged)
    box = f'viewBox="0 0 {_WIDE + 80} {_HIGH + 90}" font-family="sans-serif" font-size="11"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box}>',
        f'<rect width="{_WIDE + 80}" height="{_HIGH + 90}" fill="#fff"/>',
        *(_level(percent) for percent in (0, 25, 50, 75, 100)),
    ]
    for number, (low, high) in enumerate(pairwise(_EDGES)):
        inside = [(sure, is_right) for sure, is_right in squares if low <= sure < high]
        parts += _bar(number, f"{low:g} to {min(high, 1.0):g}", inside)
    foot = _TOP + _HIGH + 58
    said = f"{len(squares)} squares by confidence. Bars: share read right. Line: confidence."
    parts.append(f'<text x="{_LEFT}" y="{foot}" fill="#222">{said}</text></svg>')
    return "\n".join(parts) + "\n"


def _y(share: float) -> float:
    return round(_TOP + _HIGH * (1.0 - share), 1)


def _level(percent: int) -> str:
    y = _y(percent / 100)
    line = f'<line x1="{_LEFT}" x2="{_LEFT + _WIDE}" y1="{y}" y2="{y}" stroke="#ddd"/>'
    return f'{line}<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{percent} %</text>'


def _bar(number: int, label: str, inside: list[tuple[float, bool]]) -> list[str]:
    left = round(_LEFT + number * _STEP + 6, 1)
    wide, middle = round(_STEP - 12, 1), round(_LEFT + (number + 0.5) * _STEP, 1)
    base = _TOP + _HIGH
    parts = [
        f'<text x="{middle}" y="{base + 16}" text-anchor="middle">{label}</text>',
        f'<text x="{middle}" y="{base + 32}" text-anchor="middle" fill="#777">{len(inside)}</text>',
    ]
    if inside:
        right = _y(sum(is_right for _, is_right in inside) / len(inside))
        sure = _y(sum(sure for sure, _ in inside) / len(inside))
        high = round(base - right, 1)
        parts += [
            f'<rect x="{left}" y="{right}" width="{wide}" height="{high}" fill="#3b7dd8"/>',
            f'<path d="M{left - 3} {sure}h{wide + 6}" stroke="#c0392b" stroke-width="2"/>',
        ]
    return parts
