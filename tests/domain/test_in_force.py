"""Which orders count when some stand in the place of others, and some were undone."""

import pytest

from recorder.domain.orders import Note, Order, Undo
from recorder.domain.rulings.in_force import Ruling, in_force


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
