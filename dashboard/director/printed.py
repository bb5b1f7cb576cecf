"""Score sheet and result slip as pages to print: what the record says, and where to sign."""

from collections.abc import Sequence
from datetime import UTC, datetime

from dashboard.incidents.facts import Situation
from recorder.domain.board import Square, name_across
from recorder.domain.game import Conceded
from recorder.domain.tiles import BLANK
from recorder.frames.desk import Signature
from recorder.frames.public import Line
from recorder.printing.page import HEIGHT_MM, WIDTH_MM, CutLine, Page, PageText
from recorder.printing.typeface import fitted
from recorder.texts import say_printed as say
from recorder.texts import signed

_LEFT, _RIGHT = 18.0, WIDTH_MM - 18.0
_TOP, _BOTTOM = 50.0, HEIGHT_MM - 24.0
_PLAYER, _PLAY, _POINTS, _TOTAL = 32.0, 84.0, 148.0, 170.0
"""Where the columns stand: names and plays begin there, figures end there."""
_SCORE_MM, _TOTAL_MM, _GAP = 10.0, 19.0, 2.0
_PITCH = 6.0
_LINES = int((_BOTTOM - _TOP) / _PITCH)
"""Lines of a sheet; a longer game goes on on the next one."""
_KINDS = (
    "illegal",
    "unseen",
    "exchange",
    "pass",
    "no_play",
    "withdraw",
    "challenge",
    "end_rack",
    "end_rack_penalty",
    "time",
    "penalty",
    "conceded",
)
"""Lines that have a word beside the play; its text is ``kind_illegal`` and so on."""


def score_sheet(now: Situation, doubts: int, code: str = "") -> tuple[Page, ...]:
    """The game line by line, on as many sheets as that takes; open ``doubts`` are said on each."""
    lines = now.lines
    parts = [lines[first : first + _LINES] for first in range(0, max(1, len(lines)), _LINES)]
    pages = [_one_sheet(now, part, doubts, (n, len(parts))) for n, part in enumerate(parts, 1)]
    for page in pages:
        _add_code(page, code)
    return tuple(pages)


def _add_code(page: Page, code: str) -> None:
    """How far the log had come; signed paper is out of reach of anyone who edits files."""
    if code:
        page.words.append(
            PageText(_RIGHT, HEIGHT_MM - 12, say("log", head=code), 3.2, anchor="end")
        )


def _one_sheet(now: Situation, lines: Sequence[Line], doubts: int, of: tuple[int, int]) -> Page:
    number, many = of
    page = _headed(now, say("sheet" if many == 1 else "sheet_of", number=number, many=many))
    for code, x in (("turn", _LEFT), ("player", _PLAYER), ("play", _PLAY)):
        page.words.append(PageText(x, _TOP - 3, say(code), 3.2))
    names = (fitted(_first_word(now.name(player)), 3.2, _TOTAL_MM) for player in (0, 1))
    for text, x in zip((say("points"), *names), (_POINTS, _TOTAL, _RIGHT), strict=True):
        page.words.append(_right(text, x, _TOP - 3, 3.2))
    page.lines.append(CutLine(_LEFT, _TOP - 1.5, _RIGHT, _TOP - 1.5, dashed=False))
    for place, line in enumerate(lines):
        _add_line(page, now, line, _TOP + _PITCH * (place + 0.75))
    foot = [_open("sheet_not_final", doubts) if doubts else say("no_doubt")]
    foot += _unnamed(now)
    page.words.append(PageText(_LEFT, HEIGHT_MM - 12, "; ".join(foot), 3.6))
    return page


def _add_line(page: Page, now: Situation, line: Line, y: float) -> None:
    place = f"{line['position']} {line['word']}".strip()
    kind = say(f"kind_{line['kind']}") if line["kind"] in _KINDS else ""
    detail = str(line["tiles"] or line["count"] or "")
    what = " ".join(part for part in (kind, place, detail) if part)
    page.words += [
        PageText(_LEFT, y, str(line["n"])),
        PageText(_PLAYER, y, fitted(now.name(line["player"]), 4.0, _PLAY - _PLAYER - _GAP)),
        PageText(_PLAY, y, fitted(what, 4.0, _POINTS - _PLAY - _SCORE_MM - _GAP)),
        _right(signed(line["score"]), _POINTS, y),
        _right(str(line["totals"][0]), _TOTAL, y),
        _right(str(line["totals"][1]), _RIGHT, y),
    ]


def result_slip(
    now: Situation, doubts: int, signed: Sequence[Signature | None], code: str = ""
) -> Page:
    """The result as recorded, with lines for both to sign; ``signed`` as in ``signatures``.

    ``code`` is that of the log's head.
    """
    page = _headed(now, say("slip"))
    _add_code(page, code)
    scores = now.state.scores
    for player in (0, 1):
        y = 66.0 + 16 * player
        page.words.append(PageText(_LEFT, y, fitted(now.name(player), 7, 140), 7))
        page.words.append(_right(str(scores[player]), _RIGHT, y, 9))
        page.lines.append(CutLine(_LEFT, y + 4, _RIGHT, y + 4, dashed=False))
    lines = [_outcome(now), *_adjustments(now)]
    if doubts:
        lines.append(_open("not_final", doubts))
    lines += _unnamed(now)
    for number, text in enumerate(lines):
        page.words.append(PageText(_LEFT, 98 + 7 * number, text, 4.4))
    y = 98 + 7 * len(lines) + 26
    for player in (0, 1):
        left = _LEFT + 92 * player
        page.lines.append(CutLine(left, y, left + 80, y, dashed=False))
        name = fitted(say("signed_by", name=now.name(player)), 3.4, 80)
        page.words.append(PageText(left, y + 5, name, 3.4))
        for number, text in enumerate(_signature(signed[player])):
            page.words.append(PageText(left, y + 10 + 4.4 * number, fitted(text, 3.0, 88), 3.0))
    return page


def _signature(signature: Signature | None) -> list[str]:
    """What the record says of a signature, in lines."""
    if signature is None:
        return []
    at = datetime.fromtimestamp(signature["at"] / 1000, UTC)
    when = f"{at:%Y-%m-%d %H:%M} UTC"
    lines = [say("noted", when=when, who=signature["who"], row=str(signature["row"]))]
    return [*lines, say("sign_again")] if signature["stale"] else lines


def _outcome(now: Situation) -> str:
    given = [entry.event for entry in now.held if isinstance(entry.event, Conceded)]
    if given:
        lost = given[-1]
        name = _named(now, 1 - lost.player)
        return say("won_by_how", name=name, how=lost.how, margin=lost.margin)
    first, second = now.state.scores
    if first == second:
        return say("tie")
    winner = 0 if first > second else 1
    code = "wins_by" if now.frame["phase"] == "over" else "leads_by"
    return say(code, name=_named(now, winner), margin=abs(first - second))


def _adjustments(now: Situation) -> list[str]:
    kinds = {"end_rack", "end_rack_penalty", "time", "penalty"}
    return [
        f"{_named(now, line['player'])}: {say('kind_' + line['kind'])}"
        f" {line['tiles']} {signed(line['score'])}".replace("  ", " ")
        for line in now.lines
        if line["kind"] in kinds
    ]


def _headed(now: Situation, title: str) -> Page:
    page = Page(f"{title}, {now.started.game}")
    page.words.append(PageText(_LEFT, 24, title, 8))
    page.words.append(PageText(_LEFT, 32, f"{_named(now, 0)} - {_named(now, 1)}", 4.4))
    begun = now.started
    about = say("about", game=begun.game, table=begun.table, rules=str(begun.rules))
    page.words.append(PageText(_LEFT, 38, about, 3.6))
    return page


def _named(now: Situation, player: int) -> str:
    """A name that leaves room for the other one, or for what is said of it, on the same line."""
    return fitted(now.name(player), 4.4, 84)


def _first_word(name: str) -> str:
    return name.split(maxsplit=1)[0] if name.split() else name


def _unnamed(now: Situation) -> list[str]:
    """The blanks whose letter nobody has given; it can still be written down when it is signed."""
    cells = now.state.board.cells
    squares = [name_across(Square(at)) for at, tile in enumerate(cells) if tile is BLANK]
    return [say("blank_on", squares=", ".join(squares))] if squares else []


def _open(code: str, doubts: int) -> str:
    return say(code, open=doubts)


def _right(text: str, x: float, y: float, size: float = 4.0) -> PageText:
    return PageText(x, y, text, size, anchor="end")
