"""What a finder of procedures gives: what happened, with whom, what follows, whether it is over.

Here it becomes what stands in the record: steps with their players, those that sensors saw done.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from recorder.domain.limits import LONGEST_TEXT
from recorder.domain.notices import PlainValue, TableNotice, in_words
from recorder.domain.procedures.table_facts import TableFacts
from recorder.domain.rules.core.procedure import DIRECTOR, Procedure, Step, Who
from recorder.domain.rulings.procedures import ProcedureRun
from recorder.domain.standing_procedures import Settlement, StandingProcedure, StandingStep

RULES = "director_rules"
"""The step by which a director settles what the text leaves open."""
ON_QUESTIONS = "settle_questions"
"""Its act: to settle the questions of the procedure."""
_SET_BY_MS = 1_500
"""A half that shows so much else than what it ran down to was set."""
_SENSED = re.compile(r"(bag|board)([+-])(\d+)|(rack|clock)=(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A procedure that follows from what is known.

    ``code`` as notices and orders name it; ``group`` the turn; ``player`` whom "player" means in
    the steps. ``since`` is the row after which a sensor can see a step done. ``over``: all is put
    right, or it came to nothing. ``until_ms``: when time alone changes it, as rows are stamped.
    ``settlements``: the ways in which it can end, where they are not what the procedure's events
    say. ``done``: codes of steps that the record knows to be done.
    """

    code: str
    procedure: Procedure
    group: int = 0
    player: int | None = None
    facts: Mapping[str, PlainValue | None] = field(default_factory=dict)
    since: int = 0
    over: bool = False
    until_ms: int | None = None
    settlements: tuple[Settlement, ...] = ()
    done: frozenset[str] = frozenset()


def from_notice(notice: TableNotice, procedure: Procedure) -> Found:
    """What follows from a notice: of its turn, about its player, to be seen done after its rows."""
    return Found(
        code=notice.code.value,
        procedure=procedure,
        group=notice.ref,
        player=notice.player,
        since=max(notice.refs),
    )


def standing(found: Found, run: ProcedureRun | None, facts: TableFacts) -> StandingProcedure:
    """What stands in the record of it; ``run`` is the director's order about it, None for none."""
    said = {} if run is None else dict(run.act.facts)
    title = str(said.pop("title", ""))
    for of_order in ("player", "turn"):
        said.pop(of_order, None)
    known = {name: value for name, value in found.facts.items() if value is not None}
    ticked = frozenset() if run is None else run.done
    return StandingProcedure(
        key=run.key if run is not None else _key(found, facts),
        code=found.code,
        group=found.group,
        player=found.player,
        title=in_words(title[:LONGEST_TEXT]) if title else found.procedure.title,
        rule=found.procedure.rule,
        facts={**said, **known},
        steps=tuple(_steps(found, ticked, {} if run is None else run.timed_ms, facts)),
        until_ms=found.until_ms,
        questions=found.procedure.open_questions,
        settlements=found.settlements or (Settlement(events=found.procedure.events),),
    )


def _key(found: Found, facts: TableFacts) -> str:
    """The key that it keeps when a director takes it up; another one than what is closed had."""
    who = "" if found.player is None else f"-{found.player}"
    key = first = f"{found.code}-{found.group}{who}"
    closed = {run.key for run in facts.runs if not run.is_open}
    times = 1
    while key in closed:
        times += 1
        key = f"{first}.{times}"
    return key


def _steps(
    found: Found, ticked: frozenset[int], timed_ms: Mapping[int, int], facts: TableFacts
) -> Iterator[StandingStep]:
    moved: dict[str, int] = {}
    for place, step in enumerate(_with_ruling(found.procedure)):
        yield StandingStep(
            code=step.code,
            who=step.who.value,
            act=step.act,
            rule=step.rule,
            by=_actor(found.player, step.who),
            tiles=step.tiles,
            seconds=step.seconds,
            done=place in ticked or _is_seen(step, found, facts, moved),
            until_ms=_runs_until_ms(step, timed_ms.get(place)),
        )


def _runs_until_ms(step: Step, began_ms: int | None) -> int | None:
    return None if began_ms is None or step.seconds is None else began_ms + 1000 * step.seconds


def _actor(player: int | None, who: Who) -> int | None:
    if player is None or who not in (Who.PLAYER, Who.OPPONENT):
        return None
    return player if who is Who.PLAYER else 1 - player


def _with_ruling(procedure: Procedure) -> tuple[Step, ...]:
    """The steps; what is open is for the director, once the clock stands."""
    steps = procedure.steps
    if not procedure.open_questions or any(step.code == RULES for step in steps):
        return steps
    ruling = DIRECTOR(RULES, ON_QUESTIONS, procedure.rule)
    first = 1 if steps and steps[0].code == "stop_clock" else 0
    return (*steps[:first], ruling, *steps[first:])


def _is_seen(step: Step, found: Found, facts: TableFacts, moved: dict[str, int]) -> bool:
    """Whether a sensor saw it done; tiles of the bag go to one step after the other."""
    if step.code in found.done:
        return True
    if step.code == "stop_clock" or step.done_when == "clock=runs":
        return facts.stands is (step.code == "stop_clock")
    seen = _SENSED.fullmatch(step.done_when)
    if seen is None:
        return False
    place, sign, count, what, held = seen.groups()
    if held is not None:
        return found.player is not None and _shows(what, int(held), found.player, found, facts)
    moved[place + sign] = moved.get(place + sign, 0) + int(count)
    if place == "board":
        press = facts.press_of(found.group)
        off = press is not None and facts.table.turns.taken_off.at_ms >= press.at_ms
        return off and sign == "-"
    so_far = facts.put_back(found.since) if sign == "+" else facts.drawn_since(found.since)
    return int(count) > 0 and so_far >= moved[place + sign]


def _shows(what: str, value: int, player: int, found: Found, facts: TableFacts) -> bool:
    """Whether a rack has so many tiles, or a clock shows so many seconds."""
    if what == "clock":
        return clock_shows(facts, player, value, facts.at_ms(found.since))
    return facts.rack(player, since=found.since) == value


def clock_shows(facts: TableFacts, player: int, seconds: int, since_ms: int | None) -> bool:
    """Whether a player's half was set to so many seconds since then, before the first press.

    What it showed before it was set to another time counts no more.
    """
    shown = [clock for clock in facts.table.clock.before_play if clock.at_ms >= (since_ms or 0)]
    set_to = [clock.remaining_ms[player] for clock in shown[:1]]
    for before, after in pairwise(shown):
        ran_ms = after.at_ms - before.at_ms if before.running == player else 0
        if abs(before.remaining_ms[player] - ran_ms - after.remaining_ms[player]) >= _SET_BY_MS:
            set_to.append(after.remaining_ms[player])
    return any(abs(left_ms - 1000 * seconds) < 1000 for left_ms in set_to[-1:])
