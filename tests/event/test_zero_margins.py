"""A cap of 0 is no cap, and a bye that counts 0 is a bye all the same."""

from recorder.domain.event.divisions import EventDivision, EventPlayer, PlayerRound
from recorder.domain.event.meetings import meetings_before
from recorder.domain.event.orders import EventOrder
from recorder.domain.event.placing import placings
from recorder.domain.event.register import register_of
from recorder.domain.rules.core.parameters import NO_RULE_SET
from recorder.feeds.division_file import read_division_file
from recorder.orders.event_syntax import parse_event_order
from recorder.rulesets import load_rule_set


def test_a_cap_of_0_is_none() -> None:
    """As `#config spread_cap = 0` has it: the winner has won, by all points."""
    feed = read_division_file("#config spread_cap = 0\nAda 1500 2; 450\nBen 1400 1; 350\n", "A")
    rows = placings(NO_RULE_SET, feed.event.divisions[0], 1)
    assert [(row.name, row.wins, row.spread) for row in rows] == [("Ada", 1, 100), ("Ben", 0, -100)]


def test_a_bye_of_0_is_won() -> None:
    """By the rule set; an absence that counts nothing is not."""
    rules = load_rule_set("naspa", overrides={"bye": {"spread": 0}})
    lines = {
        1: PlayerRound(opponent=0, score=0),
        2: PlayerRound(opponent=3, score=300),
        3: PlayerRound(opponent=2, score=310),
    }
    players = tuple(EventPlayer(number=n, name=f"P{n}", rounds=(r,)) for n, r in lines.items())
    field = EventDivision(name="A", players=players)
    assert {row.number: row.wins for row in placings(rules, field, 1)} == {1: 1, 2: 0, 3: 1}
    assert meetings_before(field, 2, zero_bye=True).byes(1) == 1
    assert {row.number: row.wins for row in placings(NO_RULE_SET, field, 1)} == {1: 0, 2: 0, 3: 1}
    assert meetings_before(field, 2).byes(1) == 0


def test_a_bye_of_0_is_one_in_the_log() -> None:
    """What was given as a bye is one, without a look at the rules; who has left has none."""
    words = ("player A Ann", "player A Bob", "player A Cat", "player A Dan", "left A 4 0")
    acts = [*map(parse_event_order, map(str.split, words))]
    event = register_of([EventOrder(id=f"e{n}", who="d", act=a) for n, a in enumerate(acts)]).event
    ruled = parse_event_order(["rules", "A", "naspa", "bye.spread=0"], event)
    acts.append(ruled)
    event = register_of([EventOrder(id=f"e{n}", who="d", act=a) for n, a in enumerate(acts)]).event
    acts.append(parse_event_order(["round", "A", "1", "1:1-2", "bye", "3"], event))
    event = register_of([EventOrder(id=f"e{n}", who="d", act=a) for n, a in enumerate(acts)]).event
    (division,) = event.divisions
    wins = {row.number: row.wins for row in placings(NO_RULE_SET, division, 1)}
    assert wins == {1: 0, 2: 0, 3: 1, 4: 0}
    met = meetings_before(division, 2)
    assert (met.byes(3), met.byes(4)) == (1, 0)
