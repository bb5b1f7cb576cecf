"""A table where a scenario has ended, and what its players do then: its devices say so from now."""

from recorder.domain.observations import Observation
from recorder.lab.scenario.expectations import Expectation
from recorder.lab.scenario.play import plain_senses
from recorder.lab.scenario.steps import TimePasses
from recorder.lab.scenario.table_agent import TableAgent
from recorder.lab.scenario.table_top import TableTop
from recorder.lab.scenario.text.grammar import Line, Scenario, parse_scenario
from recorder.tilesets import load_tile_set
from tests.browser.director.director_hall import SeenTable


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
