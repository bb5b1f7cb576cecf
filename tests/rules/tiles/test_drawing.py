"""How tiles are drawn (DRAW-1)."""

import pytest

from recorder.domain.rules.draw.drawing import DrawSeen, improper_draw, manner
from recorder.rulesets import RuleSet
from tests.rules.case_book import HK, NAS, PSA, W1, W4
from tests.rules.said import said

ALL = (W1, HK, W4, PSA, NAS)


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_every_set_says_how_to_draw(rules: RuleSet) -> None:
    """The bag first, then the hand."""
    acts = [said(step.act) for step in manner(rules).steps]
    assert "bag" in acts[0]
    assert len(acts) == (2 if rules in (HK, NAS) else 3)
    assert not manner(rules).for_director


def test_an_improper_draw_is_for_the_director() -> None:
    """What nobody saw is not held against anybody."""
    assert not improper_draw(W1, DrawSeen()).for_director
    found = improper_draw(W1, DrawSeen(hand_full=True, below_eyes=True, shown=False))
    assert said(found.title).count(";") == 2
    assert found.for_director
