"""Whether tiles too many, too few, spilled, put back or racked late are reported by their number.

Each case is a table played through the recorder: a set of sensors, a mishap, one to seven tiles,
at a turn drawn by lot. Counted is what is reported within ten seconds of the last sensor's word:
the right number, that the counts do not add up, another number as a question, nothing, or, never
to happen, another number as sure; what comes only in the next turn is "later". The next turn is
played where nothing is found by then, and in all cases of the first pace.
``python -m tests.bench.bench_counts 200`` plays 200 cases.
"""

import itertools
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from recorder.domain.notices import Notice
from recorder.lab.memory_log import MemoryEventLog
from recorder.lab.scenario.play import ScenarioRun
from recorder.lab.scenario.recorded_values import Told
from recorder.lab.scenario.text.grammar import Line, parse_scenario
from tests.bench.figures import Figure, Figures

CASES = 10_000
SENSORS = (
    "counters",
    "racks",
    "scale",
    "counters scale",
    "racks scale",
    "counters racks",
    "counters racks scale",
)
PLAYS = ("8D QUALM", "9F BOY", "F6 VI..LE", "11F .MBER", "J11 .AIN", "14J .OTATE")
"""Plays that follow one another; who plays and how many are drawn follows from them."""
_ALL = frozenset(("racks", "counters", "scale"))
WITHIN_S = 10
LINES_AFTER = 6
MOST = 7


@dataclass(frozen=True, slots=True)
class Mishap:
    """A kind of mishap: the codes that name it, and the sensors of which one has to be there."""

    name: str
    codes: tuple[str, ...]
    seen_by: frozenset[str]


MISHAPS = (
    Mishap("over", ("overdraw",), _ALL),
    Mishap("under", ("underdraw",), _ALL),
    Mishap("spilled", ("spill",), frozenset(("scale",))),
    Mishap("returned", ("improper_return",), frozenset(("scale",))),
    Mishap("late", (), _ALL),
)


@dataclass(frozen=True, slots=True)
class Case:
    """One table: its sensors, the mishap with how many tiles, after how many plays.

    ``pace`` draws how long everybody takes.
    """

    sensors: str
    mishap: Mishap
    tiles: int
    plays: int
    pace: int = 0

    def text(self) -> str:
        """The scenario. A late case is a right draw that its rack shows six seconds later."""
        lines = ["rules wespa1", "players Ada Ben", f"sensors clock camera box {self.sensors}"]
        lines += ["draw 1 7", "+6", "draw 2 7", "+6", "start"]
        dice = random.Random(self.pace)
        for number, play in enumerate(PLAYS[: self.plays]):
            player, laid = number % 2 + 1, _laid(play)
            lines += [f"+{dice.randint(8, 60)}", f"lay {play}", f"+{dice.randint(1, 8)}"]
            lines += [f"press {player}", f"+{dice.randint(2, 12)}"]
            is_last = number + 1 == self.plays
            lines += self._drawn(player, laid) if is_last else [f"draw {player} {laid}"]
        # Some only show once the next turn is over: then these ``LINES_AFTER`` tell.
        play, player = PLAYS[self.plays], self.plays % 2 + 1
        lines += [f"+{WITHIN_S}", f"lay {play}", "+2", f"press {player}", "+6"]
        return "\n".join([*lines, f"draw {player} {_laid(play)}", f"+{WITHIN_S}"]) + "\n"

    def _drawn(self, player: int, due: int) -> list[str]:
        match self.mishap.name:
            case "over":
                return [f"draw {player} {due + self.tiles}"]
            case "under":
                return [f"draw {player} {due - min(self.tiles, due - 1)}"]
            case "spilled":
                return [f"draw {player} {due}", "+10", f"spill {player} {self.tiles}"]
            case "returned":
                return [f"draw {player} {due}", "+10", f"return {player} {self.tiles}"]
            case _:
                return [f"draw {player} {due} table", "+6", f"rack {player} 7"]

    @property
    def is_left_open(self) -> bool:
        """Whether tiles are missing from a rack and nothing can see where they went."""
        return self.mishap.name == "returned" and "scale" not in self.sensors

    @property
    def wanted(self) -> int:
        """How many tiles are to be reported; 0 where nothing is wrong or nothing can see it."""
        due = _laid(PLAYS[self.plays - 1])
        tiles = min(self.tiles, due - 1) if self.mishap.name == "under" else self.tiles
        is_seen = self.mishap.seen_by & frozenset(self.sensors.split())
        return tiles if is_seen and self.mishap.codes else 0


def _laid(play: str) -> int:
    return len(play.split()[1].replace(".", ""))


def cases(count: int) -> Iterator[Case]:
    """Every mishap and number at every set of sensors after every play, then at another pace."""
    for pace in itertools.count():
        for sensors, plays in product(SENSORS, range(1, len(PLAYS))):
            for mishap, tiles in product(MISHAPS, range(1, MOST + 1)):
                if not count:
                    return
                count -= 1
                yield Case(sensors, mishap, tiles, plays, pace)


def some_cases(count: int) -> list[Case]:
    """Cases of every kind, drawn by lot; the first ones are the same however many they are."""
    every = list(cases(len(SENSORS) * (len(PLAYS) - 1) * len(MISHAPS) * MOST))
    return random.Random(33).sample(every, count)


ENOUGH = ("right", "does not add up")
"""Outcomes with which a director has what is needed."""
_ABOUT_TILES = frozenset(
    (
        Notice.OVERDRAW,
        Notice.UNDERDRAW,
        Notice.SPILL,
        Notice.LOOSE_TILE,
        Notice.IMPROPER_RETURN,
        Notice.OUT_OF_ORDER,
        Notice.SET_INCOMPLETE,
        Notice.FOREIGN_TILE,
    )
)


def outcome(case: Case) -> str:
    """What is reported: right, counts, later, nothing, asked otherwise, or wrong as sure."""
    scenario = parse_scenario(case.text(), "case.scn")
    run = ScenarioRun(scenario, MemoryEventLog())
    run.begin()
    found = _found(case, run, scenario.lines)
    run.close()
    return found


def outcomes(alike: Sequence[Case]) -> Iterator[tuple[Case, str]]:
    """The outcomes of cases that begin alike: what they share is played once.

    Each goes on in a process of its own, a copy of that table (POSIX).
    """
    scenarios = [parse_scenario(case.text(), "case.scn") for case in alike]
    texts = zip(*([line.text for line in scenario.lines] for scenario in scenarios), strict=False)
    shared = sum(1 for _ in itertools.takewhile(lambda lines: len(set(lines)) == 1, texts))
    run = ScenarioRun(scenarios[0], MemoryEventLog())
    run.begin()
    run.play(scenarios[0].lines[:shared])
    for case, scenario in zip(alike, scenarios, strict=True):
        source, target = os.pipe()
        child = os.fork()
        if not child:
            try:
                os.write(target, _found(case, run, scenario.lines[shared:]).encode())
            finally:
                os._exit(0)
        os.close(target)
        with os.fdopen(source, encoding="utf-8") as answer:
            yield case, answer.read()
        os.waitpid(child, 0)
    run.close()


def _found(case: Case, run: ScenarioRun, lines: Sequence[Line]) -> str:
    within = _outcome(case, run.play(lines[:-LINES_AFTER]).record.told)
    if within in ENOUGH and case.pace:
        return within
    found = _outcome(case, run.play(lines[-LINES_AFTER:]).record.told)
    is_later = found in ENOUGH and within == "nothing"
    return "later" if is_later else found


def _outcome(case: Case, told: Sequence[Told]) -> str:
    found = [said for said in told if said.code in _ABOUT_TILES]
    right = [said for said in found if _is_right(case, said)]
    if any(said.numbers.get("sure", "sure") == "sure" and said not in right for said in found):
        return "WRONG AS SURE"
    if right or not (case.wanted or found):
        return "right"
    if any(said.code == "counts_disagree" for said in told):
        return "does not add up"
    return "asked otherwise" if found else "nothing"


def _is_right(case: Case, said: Told) -> bool:
    tiles = int(said.numbers.get("tiles", 0))
    is_number = tiles == case.wanted or (
        said.numbers.get("case") == "or_more" and tiles <= case.wanted
    )
    if case.is_left_open:
        return said.code in ("underdraw", "loose_tile") and said.numbers["tiles"] == case.tiles
    # By weight alone a spill is as likely: both are named, with one number.
    codes = {said.code, said.numbers.get("other")}
    return not codes.isdisjoint(case.mishap.codes) and is_number


def report(count: int) -> tuple[dict[tuple[str, str], Counter[str]], list[tuple[Case, str]]]:
    table: dict[tuple[str, str], Counter[str]] = {}
    others = []
    alike = itertools.groupby(cases(count), lambda case: (case.sensors, case.plays, case.pace))
    for _, group in alike:
        for case, found in outcomes(list(group)):
            table.setdefault((case.sensors, case.mishap.name), Counter())[found] += 1
            if found not in (*ENOUGH, "later"):
                others.append((case, found))
        print("so far", dict(sum(table.values(), Counter[str]())), file=sys.stderr, flush=True)
    return table, others


def run(count: int = CASES) -> Figures:
    """The table, and the cases whose number was not found."""
    table, others = report(count)
    for (sensors, mishap), outcomes in sorted(table.items()):
        print(f"{sensors:22} {mishap:9}", dict(outcomes))
    for case, found in others[:60]:
        print(
            f"{found}: {case.sensors}, {case.mishap.name} {case.tiles}, play {case.plays}, "
            f"pace {case.pace}"
        )
    total = sum(table.values(), Counter[str]())
    return {
        f"tile counts: {name}": Figure(f"of {count}", total[name])
        for name in (*ENOUGH, "later", "asked otherwise", "nothing", "WRONG AS SURE")
    }


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
