"""A run of turns without a score that goes on is reported once (END-4)."""

import pytest

from recorder.domain.game import Passed
from recorder.domain.notices import Notice, TableNotice
from recorder.domain.noticing.at_table import notices
from recorder.domain.reading.table_fold import open_table
from recorder.domain.rulings.game_as_ruled import as_ruled
from recorder.domain.turns import Turn
from recorder.rulesets import load_rule_set
from recorder.tilesets import load_tile_set

ENGLISH = load_tile_set("english")


def zeros_told(passes: int, rules: str) -> list[TableNotice]:
    """What is reported of so many passes in a row."""
    groups = tuple(
        Turn(ref=ref, refs=(ref,), events=(Passed(ref % 2),), log_odds=9.0)
        for ref in range(1, passes + 1)
    )
    table = open_table(ENGLISH, starts_ms=(1_500_000, 1_500_000), left_player=0)
    rule_set = load_rule_set(rules)
    ruled = as_ruled(table, (), rule_set, lambda _: groups)
    found = notices(ruled, table, rule_set)
    return [notice for notice in found if notice.code is Notice.SIX_ZERO]


@pytest.mark.parametrize("rules", ["wespa1", "naspa", "wespa4"])
def test_a_seventh_turn_without_a_score_is_the_same_notice(rules: str) -> None:
    """Where nobody claims the end, players may go on passing; the director has heard of it."""
    assert zeros_told(5, rules) == []
    (sixth,), (seventh,) = zeros_told(6, rules), zeros_told(7, rules)
    assert (seventh.ref, seventh.key) == (6, sixth.key)
    assert seventh.says_the_same(sixth)
