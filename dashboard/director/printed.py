"""Score sheet and result slip as pages to print: what the record says, and where to sign."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from dashboard.incidents.facts import Held, Situation
from recorder.domain.game import Conceded
from recorder.printing.page import HEIGHT_MM, WIDTH_MM, CutLine, Page, PageText

Json = dict[str, Any]

_LEFT, _RIGHT = 18.0, WIDTH_MM - 18.0
_TOP, _BOTTOM = 50.0, HEIGHT_MM - 24.0
_KINDS = {
    "exchange": "exchange",
    "pass": "pass",
    "no_play": "exchange or pass",
    "withdraw": "withdrawn",
    "challenge": "challenge, play stands",
    "end_rack": "the other's tiles",
    "end_rack_penalty": "own tiles left",
    "time": "overtime",
    "penalty": "penalty",
    "conceded": "game given up",
}


def score_sheet(now: Situation, doubts: int) -> Page:
    """The game line by line on one sheet; ``doubts`` that are open are said at its foot."""
    page = _headed(now, "Score sheet")
    pitch = min(6.0, (_BOTTOM - _TOP) / max(1, len(now.held)))
    size = min(4.0, pitch * 0.72)
    for text, x in (("Turn", _LEFT), ("Player", 32), ("Play", 84)):
        page.words.append(PageText(x, _TOP - 3, text, 3.2))
    for text, x in (("Points", 148), (_short(now.name(0)), 170), (_short(now.name(1)), _RIGHT)):
        page.words.append(_right(text, x, _TOP - 3, 3.2))
    page.lines.append(CutLine(_LEFT, _TOP - 1.5, _RIGHT, _TOP - 1.5, dashed=False))
    for number, one in enumerate(now.held):
        _add_line(page, now, one, _TOP + pitch * (number + 0.75), size)
    foot = f"{doubts} doubts are open: this sheet is not final" if doubts else "No doubt is open"
    page.words.append(PageText(_LEFT, HEIGHT_MM - 12, foot, 3.6))
    return page


def _add_line(page: Page, now: Situation, one: Held, y: float, size: float) -> None:
    line = one.line
    if not line:
        page.words.append(PageText(84, y, str(one.event), size))
        return
    place = f"{line['position']} {line['word']}".strip()
    kind = _KINDS.get(line["kind"], "")
    more = str(line["tiles"] or line["count"] or "")
    what = " ".join(part for part in (kind, place, more) if part)
    page.words += [
        PageText(_LEFT, y, str(line["n"]), size),
        PageText(32, y, now.name(line["player"])[:24], size),
        PageText(84, y, what[:34], size),
        _right(f"{line['score']:+d}", 148, y, size),
        _right(str(line["totals"][0]), 170, y, size),
        _right(str(line["totals"][1]), _RIGHT, y, size),
    ]


def result_slip(now: Situation, doubts: int, signed: Sequence[Json | None]) -> Page:
    """The result as recorded, with lines for both to sign; ``signed`` as in ``signatures``."""
    page = _headed(now, "Result slip")
    scores = now.state.scores
    for player in (0, 1):
        y = 66.0 + 16 * player
        page.words.append(PageText(_LEFT, y, now.name(player), 7))
        page.words.append(_right(str(scores[player]), _RIGHT, y, 9))
        page.lines.append(CutLine(_LEFT, y + 4, _RIGHT, y + 4, dashed=False))
    lines = [_outcome(now), *_adjustments(now)]
    if doubts:
        lines.append(f"{doubts} doubts are open: not final")
    for number, text in enumerate(lines):
        page.words.append(PageText(_LEFT, 98 + 7 * number, text, 4.4))
    y = 98 + 7 * len(lines) + 26
    for player in (0, 1):
        left = _LEFT + 92 * player
        page.lines.append(CutLine(left, y, left + 80, y, dashed=False))
        page.words.append(PageText(left, y + 5, f"signed, {now.name(player)[:30]}", 3.4))
        for number, text in enumerate(_signature(signed[player])):
            page.words.append(PageText(left, y + 10 + 4.4 * number, text, 3.0))
    return page


def _signature(told: Json | None) -> list[str]:
    """What the record says of a signature, in lines."""
    if told is None:
        return []
    at = datetime.fromtimestamp(told["at"] / 1000, UTC)
    lines = [f"noted {at:%Y-%m-%d %H:%M} UTC by {told['who'][:28]}, row {told['row']}"]
    return [*lines, "before the last change: to be signed again"] if told["stale"] else lines


def _outcome(now: Situation) -> str:
    given = [one.event for one in now.held if isinstance(one.event, Conceded)]
    if given:
        lost = given[-1]
        return f"{now.name(1 - lost.player)} wins by {lost.how}, margin {lost.margin}"
    first, second = now.state.scores
    if first == second:
        return "A tie"
    winner = 0 if first > second else 1
    verb = "wins" if now.frame["phase"] == "over" else "leads"
    return f"{now.name(winner)} {verb} by {abs(first - second)}"


def _adjustments(now: Situation) -> list[str]:
    kinds = {"end_rack", "end_rack_penalty", "time", "penalty"}
    return [
        f"{now.name(one.line['player'])}: {_KINDS[one.line['kind']]}"
        f" {one.line['tiles']} {one.line['score']:+d}".replace("  ", " ")
        for one in now.held
        if one.line.get("kind") in kinds
    ]


def _headed(now: Situation, title: str) -> Page:
    page = Page(f"{title}, {now.started.game}")
    page.words.append(PageText(_LEFT, 24, title, 8))
    names = f"{now.name(0)} - {now.name(1)}"
    page.words.append(PageText(_LEFT, 32, names[:80], 4.4))
    about = f"{now.started.game}, table {now.started.table}, rules {now.started.rules}"
    page.words.append(PageText(_LEFT, 38, about, 3.6))
    return page


def _short(name: str) -> str:
    return name.split(maxsplit=1)[0][:9] if name.split() else name


def _right(text: str, x: float, y: float, size: float) -> PageText:
    return PageText(x, y, text, size, ends=True)
