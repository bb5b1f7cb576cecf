"""Notices in rows: codes and values, and those that earlier releases wrote in words."""

import pytest

from recorder.declared.codec import Json
from recorder.domain.notices import Manner, Notice, Release, TableNotice, Why, in_words
from recorder.domain.record import NoticeGiven
from recorder.domain.row_kind import Kind
from recorder.wire.rows import read_row


def old(words: str, sentence: str, **more: object) -> Json:
    """The body of a row as the releases before codes wrote it."""
    data = {
        "notice": words,
        "sentence": sentence,
        "evidence": ["bag scale: 5 tiles out of the bag (100%); 82 should be left"],
        "squares": [],
        "director": "on the director's page, silently; do not tell the players",
        "players": False,
        "commentator": "once the director has published it",
        "public": "never",
        "later": "",
        "rule": "INT-2",
        "why": "who speaks first decides the procedure",
        "open_questions": [],
    }
    return {"type": "table.notice", "group": 17, "data": data | more}


def read(body: Json) -> TableNotice:
    says = read_row(Kind.RECORDED, body)
    assert isinstance(says, NoticeGiven), says
    return says.notice


OLD = [
    ("more than seven tiles on a rack", "alert: overdraw, 1 tile, player 1, 1004 to 1",
     Notice.OVERDRAW, 0, None),
    ("more than seven tiles on a rack", "8 tiles, 7 allowed",
     Notice.ILLEGAL_PLACEMENT, None, "over_seven"),
    ("stray tile", "ask for a count: tile spilled on the table, 3 tiles, player 1, 1 to 5",
     Notice.SPILL, 0, None),
    ("stray tile", "alert: tile on the floor or loose, 1 tile, 9 to 1",
     Notice.LOOSE_TILE, None, None),
    ("tiles that touch nothing", "tiles that touch nothing: 1A",
     Notice.ILLEGAL_PLACEMENT, None, "not_touching"),
    ("illegal placement of another kind", "illegal placement: P-GAP, P-TWO",
     Notice.ILLEGAL_PLACEMENT, None, "gap"),
    ("clock not pressed", "player 2 drew before pressing the clock",
     Notice.DRAWN_BEFORE_PRESS, 1, None),
]  # fmt: skip


@pytest.mark.parametrize(("words", "sentence", "code", "player", "fault"), OLD)
def test_an_old_notice_has_its_code_and_keeps_its_words(
    words: str, sentence: str, code: Notice, player: int | None, fault: str | None
) -> None:
    """Code, player and fault are found in what stands there."""
    one = read(old(words, sentence))
    assert (one.code, one.player, one.numbers.get("fault")) == (code, player, fault)
    assert one.numbers["words"] == sentence
    assert one.evidence == (
        in_words("bag scale: 5 tiles out of the bag (100%); 82 should be left"),
    )
    assert (one.ref, one.is_in_words) == (17, True)


def test_an_old_notice_goes_where_it_went() -> None:
    """How the director learns of it, and what pages may show."""
    one = read(old("scoring error", "announced 57, scores 52", director="kept back"))
    told = one.routing
    assert (told.director, told.commentator) == (Manner.WITHHELD, Release.PUBLISHED)
    assert (told.public, told.why, told.later) == (Release.NEVER, Why.OTHER, None)
