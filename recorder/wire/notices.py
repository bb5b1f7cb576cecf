"""Notices as JSON objects of log rows: what was noticed, on what it rests, who may be told."""

from recorder.domain.notices import Manner, Notice, Phase, Release, Routing, TableNotice, Why
from recorder.wire.coded_text import decode_coded, decode_values, encode_coded
from recorder.wire.fields import Fields, Json
from recorder.wire.old_notices import decode_old, is_old

NOTICE_TYPE = "table.notice"


def encode_notice(one: TableNotice) -> Json:
    """The data of the row that holds a notice."""
    routing = one.routing
    return {
        "code": one.code.value,
        "player": one.player,
        "squares": list(one.squares),
        "numbers": dict(one.numbers),
        "evidence": [encode_coded(piece) for piece in one.evidence],
        "director": routing.director.value,
        "players": routing.players,
        "commentator": routing.commentator.value,
        "public": routing.public.value,
        "later": routing.later.value if routing.later else "",
        "rule": routing.rule,
        "why": routing.why.value,
        "open_questions": list(routing.open_questions),
    }


def decode_notice(data: Json, *, ref: int, refs: tuple[int, ...]) -> TableNotice:
    """The notice in the data of a row, of this release or an earlier one.

    ``ref`` is the turn that it is about, ``refs`` the rows that it rests on. DeviceError names the
    field at fault.
    """
    fields = Fields(data, NOTICE_TYPE)
    if is_old(data):
        return decode_old(fields, ref=ref, refs=refs)
    return TableNotice(
        ref=ref,
        refs=refs,
        code=fields.choice("code", Notice),
        player=fields.integer("player", 0, 1) if fields.has("player") else None,
        squares=fields.texts("squares"),
        numbers=decode_values(fields, "numbers"),
        evidence=tuple(
            decode_coded(piece, f"{NOTICE_TYPE} evidence")
            for piece in fields.objects("evidence", most=100)
        ),
        routing=_routing(fields),
    )


def _routing(fields: Fields) -> Routing:
    return Routing(
        director=fields.choice("director", Manner),
        players=fields.flag("players"),
        commentator=fields.choice("commentator", Release),
        public=fields.choice("public", Release),
        rule=fields.text("rule", most=80),
        why=fields.choice("why", Why),
        later=fields.choice("later", Phase) if fields.text("later", most=64) else None,
        open_questions=fields.texts("open_questions"),
    )
