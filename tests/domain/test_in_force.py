"""Which orders count when some stand in the place of others, and some were undone."""

import pytest

from recorder.domain.game import Passed
from recorder.domain.orders import (
    BEGINNING,
    Correct,
    EntryName,
    Insert,
    Note,
    Order,
    TurnKind,
    Undo,
)
from recorder.domain.rulings.in_force import Ruling, aims, in_force


@pytest.mark.parametrize(
    ("told", "counting"),
    [
        ("a b", "a b"),
        ("a b=a", "b"),
        ("a b=a c=b", "c"),
        ("a b=a c=b d=c", "d"),
        ("a b=a !b", "a !b"),
        ("a b=a c=b !c", "b !c"),
        ("a b=a c=b !c !!c", "c !!c"),
        ("a !a b", "!a b"),
        ("a !a !!a", "a !!a"),
    ],
)
def test_of_a_chain_only_the_last_counts(told: str, counting: str) -> None:
    """``b=a`` stands in the place of a, ``!b`` undoes b, and what b had ended holds again."""
    rulings = []
    for seq, word in enumerate(told.split(), 1):
        name, _, supersedes = word.partition("=")
        act = Undo(order=name[1:]) if name.startswith("!") else Note(text=name)
        order = Order(id=name, who="Dora", act=act, supersedes=supersedes)
        rulings.append(Ruling(seq=seq, at_ms=seq, order=order))
    assert " ".join(one.order.id for one in in_force(rulings)) == counting


def test_an_order_is_about_the_event_that_it_met_and_about_none_where_it_fits_none() -> None:
    """The insertion at the beginning moves the place of what was read. The third has no event."""
    acts = (
        Insert(after=BEGINNING, event=Passed(0)),
        Correct(entry=EntryName(1, 1), kind=TurnKind.PASS),
        Correct(entry=EntryName(1, 5), kind=TurnKind.PASS),
    )
    rulings = [
        Ruling(
            seq=seq,
            at_ms=seq,
            order=Order(id=str(seq), who="Dora", act=act),
            group=9,
            part=part,
            basis=(Passed(1),),
        )
        for seq, act, part in zip((11, 12, 13), acts, (0, 1, 5), strict=True)
    ]
    assert aims(rulings) == {11: (0, 0), 12: (0, 0), 13: None}
    assert aims(rulings[1:2]) == {12: None}
