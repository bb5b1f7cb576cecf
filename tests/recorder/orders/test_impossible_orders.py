"""A director who orders the impossible: refused by code, or shown what to write.

Nothing changes.
"""

import pytest

from recorder.domain.errors import NotationError
from recorder.orders.syntax import parse_order
from recorder.texts import load_catalogue
from tests.recorder.order_game import played

REFUSED = {
    "accept 999 1": "no_such_entry",
    "remove 999": "no_such_entry",
    "challenge 999 off": "no_such_entry",
    "challenge 1 off": "no_such_entry",
    "score 999 9": "no_such_entry",
    "arrived 1": "not_absent",
    "seats 1": "seated_so",
    "absent 1": "absent_begun",
    "undo nothing": "no_such_order",
    "procedure step nokey 1": "no_procedure",
    "procedure time nokey 1": "no_procedure",
    "procedure close nokey": "no_procedure",
}
NOT_UNDERSTOOD = {
    "dance": "there are: accept",
    "insert 999 pass 1": "write 1 or 2",
    "clock 3 10:00": "write 1 or 2",
    "clock 1 999:99": "such as 12:30",
    "clock 1 ten": "such as 12:30",
    "sign 3": "write 1 or 2",
    "undo": "undo ORDER",
    "ruling": "ruling RULE TEXT",
    "procedure begin": "procedure begin KEY CODE",
}


@pytest.mark.parametrize(("words", "code"), REFUSED.items())
def test_what_cannot_be_done_is_refused_by_code(words: str, code: str) -> None:
    """The refusal has a text; no turn and no score is another than before."""
    game = played().copied()
    before = [row for row in game.rows() if row.kind.value != "ruled"]
    refusal = game.give(game.told(parse_order(words.split())))
    assert refusal.split()[0] == code
    assert load_catalogue().has("refusal", code)
    assert [row for row in game.rows() if row.kind.value != "ruled"] == before


@pytest.mark.parametrize(("words", "remedy"), NOT_UNDERSTOOD.items())
def test_what_is_no_order_says_what_to_write(words: str, remedy: str) -> None:
    """On the command line, before anything is sent."""
    with pytest.raises(NotationError) as fault:
        parse_order(words.split())
    assert remedy in str(fault.value)
