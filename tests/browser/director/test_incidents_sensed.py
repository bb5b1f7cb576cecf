"""Steps that the bag, the racks and the board tick on the director's page, with nobody's click.

What has happened comes from the scenarios, as in ``test_incidents``; what the players do then is
done at the same table, and its devices say so to the running recorder.
"""

from collections.abc import Iterator

import pytest

from recorder.domain.observations import Observation
from recorder.lab.scenario.expectations import Expectation
from recorder.lab.scenario.play import plain_senses
from recorder.lab.scenario.steps import TimePasses
from recorder.lab.scenario.table_agent import TableAgent
from recorder.lab.scenario.table_top import TableTop
from recorder.lab.scenario.text.grammar import Line, Scenario, parse_scenario
from recorder.tilesets import load_tile_set
from tests.browser.conftest import Screen
from tests.browser.director.director_hall import (
    MARKS,
    DirectorHall,
    SeenTable,
    director_hall,
    open_desk,
)
from tests.browser.director.test_incidents import TABLE, hall_log, seen_done, until_open
from tests.cases import first_of

pytestmark = MARKS
SENSED = [  # the scenario; what the players do then; the step that a sensor sees done by it
    ("065_exchange_from_eight_returned", "return 1 4\n+3", "Put 4 tiles back into the bag"),
    ("065_exchange_from_eight", "rack 1 7\n+2", "Take all other tiles"),
    ("011_played_from_eight", "take H11 I11 K11 L11\n+3", "Take the play off the board"),
]


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectorHall]:
    """A venue under NASPA's rules, a table for each incident, which has just happened there."""
    folder = tmp_path_factory.mktemp("hall")
    hall_log(folder, [name for name, *_ in SENSED])
    with director_hall(folder, tables=len(SENSED), table=TABLE) as venue:
        yield venue


class TableAfter:
    """The table of a scenario as it lies where that ends, and its devices, which speak from now."""

    def __init__(self, scenario: Scenario, seen: SeenTable) -> None:
        self._setup, self._seen = scenario.setup, seen
        self._table = TableTop(self._setup, load_tile_set(self._setup.tiles))
        self._speaks = False
        self._agent = TableAgent(self._table, plain_senses(self._setup), self._say)
        self._agent.begin()
        self._go_on(scenario.lines)
        self._speaks = True

    def does(self, text: str) -> None:
        """What the players do now, in the lines of a scenario."""
        self._go_on(parse_scenario(text, "what the players do").lines)

    def _go_on(self, lines: tuple[Line, ...]) -> None:
        for line in lines:
            match line.what:
                case TimePasses(seconds=seconds):
                    self._pass_to(self._agent.now_ms + round(1000 * seconds))
                case Expectation():
                    pass
                case happening:
                    self._table.do(happening)
                    self._agent.notice(happening)

    def _pass_to(self, end_ms: int) -> None:
        while (due_ms := self._agent.next_ms()) is not None and due_ms <= end_ms:
            self._agent.pass_to(due_ms)
        self._agent.pass_to(end_ms)

    def _say(self, device: str, what: Observation) -> None:
        if self._speaks:
            self._seen.say(device, what)


@pytest.mark.parametrize(
    ("number", "name", "doing", "step"),
    first_of(1, [(number, *sensed) for number, sensed in enumerate(SENSED, 1)]),
    ids=[name for name, *_ in SENSED],
)
def test_a_step_that_a_sensor_sees_done_is_ticked(
    screen: Screen, hall: DirectorHall, number: int, name: str, doing: str, step: str
) -> None:
    """The bag for tiles that go back, a rack for its seven, the board for a play taken off."""
    page, seen = screen.page, hall.table(number)
    table = TableAfter(until_open(name), seen)
    open_desk(page, hall, number)
    page.locator(".need.open button.open").first.click()
    its_act = f".act:has-text('{step}')"
    card = page.locator(f".standing .procedure:has({its_act})")
    seen_done(card, hall, seen)
    ticked = card.locator(f".steps li.done:has-text('seen'):has(input:disabled):has({its_act})")
    assert ticked.count() == 0
    table.does(doing)
    ticked.wait_for()
    assert "order.procedure.begin" not in seen.types()
    assert screen.complaints == []
