"""Notices as JSON objects of log rows: what was noticed, on what it rests, who may be told."""

from recorder.domain.notices import TableNotice
from recorder.wire.fields import Json

NOTICE_TYPE = "table.notice"
NOTICE_OVER_TYPE = "table.notice_over"


def encode_notice(one: TableNotice) -> Json:
    """The body of the row that holds a notice; ``group`` is the turn that it is about."""
    routing = one.routing
    return {
        "type": NOTICE_TYPE,
        "group": one.ref,
        "data": {
            "notice": one.notice.value,
            "sentence": one.sentence,
            "evidence": list(one.evidence),
            "squares": list(one.squares),
            "director": routing.director.value,
            "players": routing.players,
            "commentator": routing.commentator.value,
            "public": routing.public.value,
            "later": routing.later.value if routing.later else "",
            "rule": routing.rule,
            "why": routing.why,
            "open_questions": list(routing.open_questions),
        },
    }
