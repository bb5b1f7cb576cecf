"""A notice as the director's page shows it."""

from recorder.domain.notices import TableNotice
from recorder.domain.procedures.at_table import follows_from
from recorder.frames import desk
from recorder.texts import Catalogue
from recorder.texts.telling import coded_text, notice_text


def notice_as_json(notice: TableNotice, texts: Catalogue) -> desk.Notice:
    """Codes for the page, texts for the director; ``begins`` is the procedure that follows."""
    routing = notice.routing
    return {
        "code": notice.code.value,
        "text": notice_text(notice, texts),
        "player": notice.player,
        "begins": follows_from(notice.code),
        "squares": list(notice.squares),
        "numbers": dict(notice.numbers),
        "evidence": [coded_text(piece, "evidence", texts) for piece in notice.evidence],
        "director": routing.director.value,
        "manner": texts.text("manner", routing.director.value),
        "players": routing.players,
        "rule": routing.rule,
        "why": texts.text("why", routing.why.value),
        "open_questions": [texts.text("question", name) for name in routing.open_questions],
    }
