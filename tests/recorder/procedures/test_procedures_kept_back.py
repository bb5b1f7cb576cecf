"""A procedure shows what its notice shows: what rules keep back, it keeps back too (INT-2)."""

import pytest

from recorder.domain.notices import Manner, Notice, Phase, Release, Routing, TableNotice, Why
from recorder.domain.procedures.at_table import standing_procedures
from recorder.domain.procedures.table_facts import TableFacts
from recorder.domain.reading.table_fold import open_table
from recorder.domain.rulings.game_as_ruled import as_ruled
from recorder.rulesets import load_rule_set
from recorder.tilesets import load_tile_set


@pytest.mark.parametrize(
    ("manner", "procedure"),
    [(Manner.WITHHELD, Manner.WITHHELD), (Manner.ALERT, Manner.SHOW), (Manner.SHOW, Manner.SHOW)],
)
def test_a_procedure_goes_as_far_as_its_notice(manner: Manner, procedure: Manner) -> None:
    """Until both have signed, the page would otherwise say by its steps what it may not say."""
    english = load_tile_set("english")
    notice = TableNotice(
        ref=7,
        refs=(7,),
        code=Notice.LOOSE_TILE,
        numbers={"tiles": 1},
        routing=Routing(
            director=manner,
            players=False,
            commentator=Release.NEVER,
            public=Release.NEVER,
            rule="INT-2",
            why=Why.SILENT_UNTIL_SIGNED,
            later=Phase.SIGNED,
        ),
    )
    rules = load_rule_set("naspa")
    table = open_table(english, starts_ms=(1_500_000, 1_500_000), left_player=0)
    game = as_ruled(table, (), rules)
    facts = TableFacts(game=game, table=table, rules=rules, notices=(notice,))
    (standing,) = standing_procedures(facts)
    assert (standing.code, standing.director) == ("loose_tile", procedure)
