"""Procedures around the clock: stopped without a word, not pressed, drawn while it stands.

Each follows from its notice once a director opens it, or begins it unasked.
"""

from collections.abc import Iterator
from dataclasses import replace

from recorder.domain.notices import Notice, TableNotice, coded
from recorder.domain.procedures.found import Found, from_notice
from recorder.domain.procedures.named import begun_about
from recorder.domain.procedures.table_facts import TableFacts
from recorder.domain.rules.challenge.verdict import drawn_while_waiting
from recorder.domain.rules.core.procedure import EITHER, Procedure, Step, Who
from recorder.domain.rules.turn.hold import unpressed_draw
from recorder.domain.rules.turn.press import ask_stop_reason, completed_by, hold_until_ms, restart
from recorder.domain.standing_procedures import ADD_TIME, TAKE_TIME


def find_stops(facts: TableFacts) -> Iterator[Found]:
    """Both clocks stand: why, and who starts which of them again (CLOCK-1, TURN-7).

    The reason alone is a director's to say; it is over when a clock runs.
    """
    run = facts.open_run("clock_stopped")
    if run is None:
        return
    reason = str(facts.said("clock_stopped").get("reason", ""))
    who, unsaid = restart(facts.rules)
    asked = ask_stop_reason(facts.rules, reason) if reason else ()
    procedure = Procedure("CLOCK-1", coded("clock_stopped"), steps=(_start(who),))
    yield Found(
        code="clock_stopped",
        procedure=procedure.asking(*asked, *unsaid),
        player=facts.on_turn,
        facts={"reason": reason or None},
        since=run.row - 1,
        over=not facts.stands,
    )


def _start(who: Who) -> Step:
    return who("start_clock", "start_clock_player_turn", "TURN-7", done_when="clock=runs")


def _noticed_or_begun(facts: TableFacts, notice: Notice) -> TableNotice | None:
    """The notice that a director has opened; None while none has."""
    found = list(facts.noticed(notice))
    return found[-1] if found and facts.begun(notice.value) else None


def find_unpressed(facts: TableFacts) -> Iterator[Found]:
    """A draw before the press: what completed the turn, and how long it can be held (TURN-4)."""
    notice = _noticed_or_begun(facts, Notice.NOT_PRESSED)
    ended = [press for press in facts.table.turns.presses if notice and press.seq == notice.ref]
    if notice is None or not ended or notice.player is None:
        return
    yield replace(
        from_notice(notice, unpressed_draw(facts.rules)),
        facts={"complete": completed_by(facts.rules).value},
        until_ms=hold_until_ms(facts.rules, ended[0].at_ms),
    )


def find_wrong_halves(facts: TableFacts) -> Iterator[Found]:
    """The other half ran through a turn: its time, if the director says so (CLOCK-4).

    No text says that it is put right, or how: the times are a director's to set.
    """
    notice = _noticed_or_begun(facts, Notice.CLOCK_WRONG_WAY)
    if notice is None or notice.numbers.get("case") != "turn" or notice.player is None:
        return
    halves = (*facts.table.turns.wrong_halves, facts.table.questions.wrong_half)
    ran = (half.ran_s for half in halves if half is not None and half.after == notice.ref)
    seconds = next(ran, None)
    times = [
        who(code, coded(act, seconds=seconds), seconds=seconds)
        for code, who, act in (
            (ADD_TIME, Who.OPPONENT, "give_back_seconds_if_director_says"),
            (TAKE_TIME, Who.PLAYER, "take_seconds_if_director_says"),
        )
        if seconds
    ]
    stop = EITHER("stop_clock", "stop_clock", "CLOCK-1")
    steps = (stop, *times, _start(EITHER))
    procedure = Procedure("CLOCK-4", coded("other_half_ran_through_turn"), steps=steps)
    known = {"seconds": seconds, "tiles": notice.numbers.get("tiles")}
    yield replace(from_notice(notice, procedure), facts=known)


def find_draws_while_waiting(facts: TableFacts) -> Iterator[Found]:
    """Tiles that left the bag between the stop and the verdict (CHAL-12)."""
    run = facts.open_run("drawn_while_waiting")
    if run is None:
        return
    notice = _noticed_or_begun(facts, Notice.DRAWN_WHILE_WAITING)
    press = facts.last_press
    group = notice.ref if notice is not None else (0 if press is None else press.seq)
    said = run.act.facts.get("tiles")
    tiles = said if isinstance(said, int) else facts.drawn_since(group)
    yield Found(
        code="drawn_while_waiting",
        procedure=drawn_while_waiting(facts.rules, tiles),
        group=group,
        player=begun_about(run.act) if notice is None else notice.player,
        facts={"tiles": tiles},
        since=run.row - 1,
    )


CLOCKS = (find_stops, find_unpressed, find_wrong_halves, find_draws_while_waiting)
