"""Keeps what benches of a hall found, and puts it into the documents when asked to.

A bench keeps its figures below ``build/hall``: no bench changes a document. From the last runs,
``python -m tests.bench.hall.hall_curves`` writes ``docs/hall-curves.svg`` and the lines between
the marks of ``docs/hall.md``.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

DOCS = Path(__file__).parents[3] / "docs"
KEPT = DOCS.parent / "build" / "hall"
PAGE, PICTURE = "hall.md", "hall-curves.svg"
BEGIN, END = "<!-- figures of make bench ONLY=hall -->\n", "<!-- end of figures -->\n"
_WIDTH, _HEIGHT, _ROOM, _FOOT = 300, 220, 46, 44


@dataclass(frozen=True, slots=True)
class HallCost:
    """What one start on a log took: CPU seconds, ms of CPU a turn read again, MB."""

    tables: int
    rounds: int
    rows: int
    start: float
    read: float
    turn: float
    memory: float


_PANELS = (
    ("start, s of CPU", "start"),
    ("a turn read again, ms of CPU", "turn"),
    ("memory, MB", "memory"),
)


def keep(costs: Sequence[HallCost]) -> None:
    keep_table(BEGIN, table(costs))
    (KEPT / "costs.json").write_text(json.dumps([asdict(cost) for cost in costs]), encoding="utf-8")


def keep_table(begin: str, lines: str) -> None:
    """Keep lines of Markdown for behind a mark of the page."""
    KEPT.mkdir(parents=True, exist_ok=True)
    file = KEPT / "tables.json"
    tables = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    file.write_text(json.dumps({**tables, begin: lines}), encoding="utf-8")


def write_documents(docs: Path) -> None:
    """Put all that is kept into the documents: picture and tables, each up to the next end mark."""
    page = docs / PAGE
    text = page.read_text(encoding="utf-8")
    for begin, lines in json.loads((KEPT / "tables.json").read_text(encoding="utf-8")).items():
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(END)
        text = f"{before}{begin}{lines}{END}{after}"
    page.write_text(text, encoding="utf-8")
    costs = KEPT / "costs.json"
    if costs.exists():
        found = [HallCost(**cost) for cost in json.loads(costs.read_text(encoding="utf-8"))]
        (docs / PICTURE).write_text(picture(found), encoding="utf-8")


def table(found: Sequence[HallCost]) -> str:
    """The figures as lines of Markdown."""
    lines = [
        "| tables, finished games | rows | start | rows alone | a turn read again | memory |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {cost.tables}, {cost.tables * cost.rounds:,} | {cost.rows:,} | {cost.start:.1f} s |"
        f" {cost.read:.1f} s | {cost.turn:.0f} ms | {cost.memory:.0f} MB |"
        for cost in found
    ]
    return "\n".join(lines) + "\n"


def picture(found: Sequence[HallCost]) -> str:
    """Three curves over the number of tables, side by side; the longest log is no point of them."""
    rounds = min(cost.rounds for cost in found)
    costs = [cost for cost in found if cost.rounds == rounds]
    panels = "".join(
        f'<g transform="translate({number * _WIDTH} 0)">{_panel(title, key, costs)}</g>'
        for number, (title, key) in enumerate(_PANELS)
    )
    width = _WIDTH * len(_PANELS)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_HEIGHT}"'
        ' font-family="sans-serif" font-size="12" role="img"'
        ' aria-label="What tables cost a recorder: start, a turn, memory, from 1 to 256 tables">'
        f'<rect width="{width}" height="{_HEIGHT}" fill="#fff"/>{panels}</svg>\n'
    )


def _panel(title: str, key: str, costs: Sequence[HallCost]) -> str:
    values = [float(getattr(cost, key)) for cost in costs]
    top = _above(max(values))
    last = math.log2(costs[-1].tables) or 1.0

    def x(tables: int) -> float:
        return _ROOM + math.log2(tables) / last * (_WIDTH - _ROOM - 24)

    def y(value: float) -> float:
        return _HEIGHT - _FOOT - value / top * (_HEIGHT - _FOOT - 34)

    points = [(x(cost.tables), y(value)) for cost, value in zip(costs, values, strict=True)]
    grid = "".join(
        f'<path d="M{_ROOM} {y(top * part / 4):.1f}H{_WIDTH - 20}" stroke="#ddd"/>'
        f'<text x="{_ROOM - 6}" y="{y(top * part / 4) + 4:.1f}" text-anchor="end" fill="#444">'
        f"{top * part / 4:g}</text>"
        for part in range(5)
    )
    marks = "".join(
        f'<text x="{at:.1f}" y="{_HEIGHT - _FOOT + 16}" text-anchor="middle" fill="#444">'
        f'{cost.tables}</text><circle cx="{at:.1f}" cy="{up:.1f}" r="3.5" fill="#0b62a8"/>'
        for cost, (at, up) in zip(costs, points, strict=True)
    )
    path = "L".join(f"{at:.1f} {up:.1f}" for at, up in points)
    return (
        f'<text x="{_ROOM}" y="20" font-weight="600" fill="#111">{title}</text>{grid}'
        f'<path d="M{path}" fill="none" stroke="#0b62a8" stroke-width="2"/>{marks}'
        f'<text x="{(_ROOM + _WIDTH - 20) / 2}" y="{_HEIGHT - 8}" text-anchor="middle"'
        ' fill="#444">tables</text>'
    )


def _above(value: float) -> float:
    """The next round number: 1, 2, 4, 6 or 8 times a power of ten."""
    power = 10 ** math.floor(math.log10(value))
    return next(power * step for step in (1, 2, 4, 6, 8, 10) if power * step >= value)


if __name__ == "__main__":
    write_documents(DOCS)
