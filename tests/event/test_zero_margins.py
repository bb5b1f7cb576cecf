"""A cap of 0 is no cap, and a bye that counts 0 is a bye all the same."""

from dashboard.event.view import event_model
from recorder.domain.event.divisions import EventDivision, EventPlayer, PlayerRound
from recorder.domain.event.meetings import meetings_before
from recorder.domain.event.orders import EventOrder
from recorder.domain.event.placing import placings
from recorder.domain.event.register import register_of
from recorder.domain.rules.core.parameters import NO_RULE_SET
from recorder.feeds.division_file import read_division_file
from recorder.orders.event_rules import rules_of
from recorder.orders.event_syntax import parse_event_order
from recorder.printing.event_sheets import EventSheet, event_sheets
from recorder.rulesets import load_rule_set
from tests.event.fields import register_after


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


def test_a_bye_is_what_the_last_order_makes_it() -> None:
    """An absence entered over a bye is none any more, and the other way round; 0 is neither."""
    day = [*(f"player A P{n}" for n in range(1, 6)), "round A 1 1:1-2 bye 3 out 4 5"]
    (was,) = register_after(*day).event.divisions
    said = ["absent A 1 3", "result A 1 4 50", "absent A 1 5 0"]
    (now,) = register_after(*day, *said).event.divisions
    byes = [[meetings_before(field, 2).byes(n) for n in (3, 4, 5)] for field in (was, now)]
    assert byes == [[1, 0, 0], [0, 1, 0]]
    page, late = (
        event_model(register_after(*day, *orders))["divisions"][0]
        for orders in (said, ["player A P6", "absent A 1 6"])
    )
    assert (page["bye"], page["sitting"]) == (4, [3, 5])
    assert (late["bye"], late["sitting"]) == (3, [4, 5, 6])
    (nothing,) = register_after(*day, "result A 1 3 0").event.divisions
    row = next(row for row in placings(NO_RULE_SET, nothing, 1) if row.number == 3)
    assert (row.wins, row.losses) == (0, 0)


def test_a_forfeit_of_0_is_no_bye() -> None:
    """Where a bye counts 0, who did not come has not won; cards and wall chart say the same."""
    people = [f"player A P{n}" for n in range(1, 6)]
    event = register_after(
        *people, "rules A naspa bye.spread=0", "round A 1 1:1-2 2:3-4 bye 5",
        "result A 1 1 400 2 350", "noshow A 1 3 0",
    ).event  # fmt: skip
    (division,) = event.divisions
    rules = rules_of(division)
    wins = {row.number: row.wins for row in placings(rules, division, 1)}
    assert wins == {1: 1, 2: 0, 3: 0, 4: 0, 5: 1}
    pages = event_sheets(EventSheet.WALL_CHART, event, division, 1, rules)
    chart = {text.text for page in pages for text in page.words}
    assert {"1 +50 #1", "1 +0 #2"} < chart
    assert not any(text.startswith("½") for text in chart)
