"""All procedures that stand open at a table (the heart of what a director's page shows).

A procedure opens by itself from what is noticed or called, with the facts that the rows hold; a
director's order begins others, or says what no sensor can know. It ends when sensors see all put
right, or by order.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from recorder.domain.errors import RecorderError
from recorder.domain.notices import Manner, Notice, coded
from recorder.domain.orders import Concede
from recorder.domain.procedures import challenged, clocks, conduct, endings, results
from recorder.domain.procedures.found import Found, standing
from recorder.domain.procedures.named import begun_about
from recorder.domain.procedures.table_facts import TableFacts
from recorder.domain.procedures.tiles import lettered, overdrawn, placed, strayed
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rulings.procedures import ProcedureRun
from recorder.domain.standing_procedures import NO_WORDS, StandingProcedure

Finder = Callable[[TableFacts], Iterable[Found]]
FINDERS: Sequence[Finder] = (
    *overdrawn.WRONG_DRAWS,
    *strayed.STRAYED,
    *placed.PLACINGS,
    *lettered.LETTERS,
    *challenged.CHALLENGES,
    *clocks.CLOCKS,
    *endings.FINDERS_AT_END,
    *results.RESULTS,
    *conduct.CONDUCT,
)
OUTLASTING = frozenset((*strayed.STRAYED, *results.RESULTS, *conduct.CONDUCT))
"""What may still have to be settled when a player has given the game up."""


OF_A_TURN = frozenset({"challenge", "courtesy", "wrong_verdict"})
"""What is about the newest turn, and over with the next press."""
UNTIL_ACCEPTED = frozenset({"blank_unnamed"})
"""What an opponent may ask about a play, and only a director about a play-out that is accepted."""


def standing_procedures(facts: TableFacts) -> tuple[StandingProcedure, ...]:
    """The procedures that stand open, those that opened by themselves first."""
    every = [(find, found) for find in FINDERS for found in _safely(find, facts)]
    is_accepted = any(found.code == "play_out" and found.over for _, found in every)
    given_up = _given_up(facts)
    taken_up: set[str] = set()
    opened: list[StandingProcedure] = []
    for find, found in every:
        run = facts.run(found.code, found.player)
        if run is not None and run.row > found.since:
            taken_up.add(run.key)
            if not run.is_open:
                continue
        else:
            run = None
        is_late = run is None and is_accepted and found.code in UNTIL_ACCEPTED
        is_past = find not in OUTLASTING and (0 if run is None else run.row) < given_up
        if not (found.over or is_late or is_past):
            manner = _manner(found, facts) if run is None else Manner.SHOW
            opened.append(replace(standing(found, run, facts), director=manner))
    begun = [
        run
        for run in facts.runs
        if run.is_open and run.key not in taken_up and not _is_past(run, facts)
    ]
    return (*opened, *(standing(_begun(run), run, facts) for run in begun))


def _given_up(facts: TableFacts) -> int:
    """The row of the order by which a player has lost the game without playing it out, else 0."""
    rows = (ruling.seq for ruling in facts.rulings if isinstance(ruling.order.act, Concede))
    return max(rows, default=0)


_NOTICED_AS = {
    "accidental_press": Notice.CLOCK_WRONG_WAY.value,
    "orientation": Notice.WRONG_WAY_ROUND.value,
}
"""Procedures that have another code than a notice they follow from."""


def _manner(found: Found, facts: TableFacts) -> Manner:
    """How the director learns of a procedure: never more than of the notice of the same turn."""
    codes = (found.code, _NOTICED_AS.get(found.code, found.code))
    manners = {
        notice.routing.director
        for notice in facts.notices
        if notice.code.value in codes and notice.ref == found.group
    }
    return Manner.WITHHELD if Manner.WITHHELD in manners else Manner.SHOW


WORKED_OUT: Mapping[str, tuple[str, ...]] = {
    "accidental_press": ("drawn",),
    "back": ("player",),
    "blank_dispute": ("square", "owner", "opponent"),
    "blank_unnamed": ("letter",),
    "challenge": ("words", "moving", "tile_found"),
    "clock_stopped": ("reason",),
    "clock_wrong_way": (),
    "courtesy": ("tiles", "returned_unseen"),
    "drawn_while_waiting": ("player", "tiles"),
    "drew_alone": ("player",),
    "exchange_number": ("tiles",),
    "foreign_tile": ("turn", "tiles"),
    "illegal_exchange": (),
    "illegal_placement": ("turn", "fault"),
    "improper_return": ("player", "tiles"),
    "infractions": ("player",),
    "leaving": ("player", "emergency"),
    "left_in_bag": ("tiles",),
    "loose_tile": ("tiles",),
    "no_show": ("player",),
    "not_pressed": (),
    "orientation": (),
    "out_of_order": ("player",),
    "overdraw": ("player", "tiles", "found_by", "mixed", "concealed", "turned_up"),
    "overtime": ("player", "seconds"),
    "play_out": ("player",),
    "recount": ("player",),
    "resignation": ("player", "emergency", "permitted", "left"),
    "result_slip": ("written", "agreed", "handed_in", "both_agree", "refusal_unfair"),
    "six_zero": ("declared", "rack0", "rack1"),
    "slip_leftover": (),
    "spill": ("player", "tiles"),
    "tile_check": ("tiles",),
    "tile_moved": (),
    "underdraw": ("player", "tiles"),
    "wrong_removal": ("squares",),
    "wrong_verdict": (),
}
"""What a director begins and the recorder works out, with the facts that only they can say."""


_FOLLOWS = {
    Notice.ABSENT: "no_show",
    Notice.CHANGED_AFTER_PRESS: "tile_moved",
    Notice.EXCHANGE_NOTHING_LAID: "exchange_number",
    Notice.OVERTIME_LOST: "overtime",
    Notice.OVERTIME_NEAR_LIMIT: "overtime",
    Notice.SET_INCOMPLETE: "tile_check",
    Notice.TILE_GONE: "tile_moved",
    Notice.TILE_TURNED: "orientation",
    Notice.WRONG_WAY_ROUND: "orientation",
}
"""Procedures that follow from a notice of another code."""


def follows_from(notice: Notice) -> str:
    """The procedure that follows from a notice, empty where there is none."""
    code = _FOLLOWS.get(notice, notice.value)
    return code if code in WORKED_OUT else ""


def _safely(find: Finder, facts: TableFacts) -> tuple[Found, ...]:
    """Numbers that cannot be, as an estimate of sensors may be, open nothing."""
    try:
        return tuple(find(facts))
    except RecorderError:
        return ()


def _is_past(run: ProcedureRun, facts: TableFacts) -> bool:
    """Whether it was begun about something that was noticed and is put right, or a turn ago."""
    press = facts.last_press
    if run.act.code in OF_A_TURN and press is not None and press.seq > run.row:
        return True
    newest = facts.run(run.act.code, begun_about(run.act))
    is_again = newest is not None and newest.row > run.row and run.act.code in WORKED_OUT
    return is_again or facts.is_put_right(run)


def _begun(run: ProcedureRun) -> Found:
    """A procedure of which only the director's order knows.

    One that would be worked out from the record has a question, where that says nothing of it.
    """
    procedure = Procedure(run.act.rule, NO_WORDS)
    if run.act.code in WORKED_OUT and not run.act.steps:
        asked = coded("record_says_nothing_of_it")
        procedure = replace(procedure, title=coded("director_has_seen_it"), open_questions=(asked,))
    return Found(code=run.act.code, procedure=procedure, player=begun_about(run.act))
