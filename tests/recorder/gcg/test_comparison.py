"""A game as it was written down beside the game as it was recorded."""

from pathlib import Path

import pytest

import devices.lab
from recorder.domain.game import EndRackPenalty, EndRackPoints, TimePenalty
from recorder.gcg import read_gcg
from recorder.lab.comparison import compare
from recorder.rulesets import load_rule_set

GAME = read_gcg((Path(devices.lab.__path__[0]) / "games" / "english.gcg").read_bytes())


@pytest.mark.parametrize("name", ["wespa4", "naspa", "wespa1"])
def test_the_end_counts_by_the_rules_of_the_table_whoever_wrote_the_record(name: str) -> None:
    """Tiles left are added to one player and taken from the other, or count twice (END-3)."""
    *turns, doubled = GAME.events
    assert isinstance(doubled, EndRackPoints)
    once, tiles = doubled.points // 2, doubled.tiles
    transferred = (
        EndRackPoints(doubled.player, once, tiles),
        EndRackPenalty(1 - doubled.player, once, tiles),
    )
    another_clock = TimePenalty(doubled.player, 10)
    rules = load_rule_set(name)
    scores = [
        compare(events, GAME.events, GAME.tile_set, rules=rules).expected_final
        for events in (GAME.events, [*turns, *transferred], [*GAME.events, another_clock])
    ]
    assert scores[0] == scores[1] == scores[2]
