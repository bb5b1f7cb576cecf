"""Procedures about how players behave: late, away, back; presses by accident; small mistakes."""

from collections.abc import Iterator
from dataclasses import replace

from recorder.domain.game import Conceded
from recorder.domain.notices import Notice, coded
from recorder.domain.procedures.found import Found, clock_shows, from_notice
from recorder.domain.procedures.named import begun_about
from recorder.domain.procedures.table_facts import TableFacts
from recorder.domain.rules.core.procedure import DIRECTOR, PLAYER, Procedure, Step
from recorder.domain.rules.ending.conclusions import never_came
from recorder.domain.rules.start.lateness import SECOND, forfeit
from recorder.domain.rules.turn.absent import (
    brings_remedy,
    coming_back,
    drawn_while_absent,
    leaving,
    minor_infractions,
    waiting_draws,
)
from recorder.domain.rules.turn.press import stray_press
from recorder.domain.rulings.awaited import Lateness, awaited, lateness
from recorder.domain.standing_procedures import Settlement
from recorder.domain.tiles import RACK_SIZE


def find_late_players(facts: TableFacts) -> Iterator[Found]:
    """Everybody who is waited for, or came late, until the game is played with the right times."""
    everyone = awaited(facts.rulings, facts.table, facts.opened_ms)
    started = [who for who in everyone if who.started_ms is not None]
    for late in lateness(facts.rules, started, facts.table, facts.now_ms):
        yield _late(facts, late) if _may_come(late) else _never_came(facts, late)
    for who in everyone:
        if who.started_ms is None and who.arrived_ms is None:
            yield _not_started(facts, Lateness(who=who, time=None))
    for player in (0, 1):
        run = facts.open_run("no_show", player)
        named = None if run is None else begun_about(run.act)
        if named == player and player not in {who.player for who in everyone}:
            yield _said_absent(facts, player)


def _said_absent(facts: TableFacts, player: int) -> Found:
    """A director says that a player never came, whom nobody waits for in the record (END-12)."""
    lost = forfeit(facts.rules)
    has_played = any(moment.event.player == player for moment in facts.moments)
    margin = None if has_played else lost.margin
    return Found(
        code="no_show",
        procedure=Procedure(
            "LATE-4",
            coded("player_never_came"),
            steps=() if has_played else lost.steps,
            open_questions=(coded("player_has_played"),) if has_played else never_came(facts.rules),
        ),
        player=player,
        facts={"margin": margin},
        over=facts.recorded(Conceded),
        settlements=_lost_by(player, margin),
    )


def _lost_by(player: int, margin: int | None) -> tuple[Settlement, ...]:
    """That a game is lost by lateness; nothing while its margin is open."""
    if margin is None:
        return ()
    return (Settlement(events=(Conceded(player, margin, "lateness"),)),)


def _may_come(late: Lateness) -> bool:
    """Whether there is a game to come for; who came after the time was over has none (LATE-4)."""
    if late.time is None or late.time.forfeited is False:
        return True
    return late.who.arrived_ms is not None and late.time.forfeited is None


def _not_started(facts: TableFacts, late: Lateness) -> Found:
    """Nobody has started a clock for the absent player yet (LATE-2)."""
    grace = facts.rules.get_whole("late.grace_s") or 0
    starts_ms = late.who.due_ms + grace * SECOND
    start = DIRECTOR("start_clock", "start_absent_players_clock", "LATE-2", seconds=grace or None)
    return Found(
        code="late",
        procedure=Procedure("LATE-2", coded("player_not_there"), steps=(start,)),
        player=late.who.player,
        since=late.who.row,
        over=facts.recorded(Conceded) or facts.last_press is not None,
        until_ms=starts_ms if starts_ms > facts.now_ms else None,
    )


def _late(facts: TableFacts, late: Lateness) -> Found:
    seconds, has_come = late.assigned_s, late.who.arrived_ms is not None
    margin = forfeit(facts.rules).margin
    declines = None if seconds is None or late.time is None else late.time.may_decline
    said: dict[str, int | None] = {
        "seconds": seconds,
        "decline": declines,
        "margin": margin if declines else None,
        "deferred": late.deferred_ms // SECOND or None,
        "early": late.early_ms // SECOND or None,
    }
    steps = _steps(late) if has_come else (_WAIT,)
    is_set = seconds is None or clock_shows(facts, late.who.player, seconds, late.who.arrived_ms)
    plays_on = facts.last_press is not None and has_come and is_set
    runs_out_ms = None if late.time is None else facts.now_ms + late.time.assigned_ms
    return Found(
        code="late",
        procedure=Procedure(
            "LATE-2",
            coded("player_came_late") if has_come else coded("player_not_there"),
            steps=steps,
            open_questions=late.questions if has_come else (),
        ),
        player=late.who.player,
        facts=said,
        since=late.who.arrival or late.who.row,
        over=facts.recorded(Conceded) or (plays_on and not late.questions and not late.deferred_ms),
        until_ms=None if has_come or facts.stands else runs_out_ms,
    )


_WAIT = PLAYER("await_player", "sit_down_ready_play_director", "LATE-1")


def _steps(late: Lateness) -> tuple[Step, ...]:
    """What is done when the player has come: the clock is set, and the game begins or not."""
    seconds = late.assigned_s
    if seconds is None or late.time is None:
        return ()
    decline = PLAYER("decline", "play_decline_game_lost", "LATE-4")
    set_clock = DIRECTOR(
        "set_clock",
        "set_players_clock",
        time=f"{seconds // 60}:{seconds % 60:02}",
        seconds=seconds,
        done_when=f"clock={seconds}",
    )
    deferred = DIRECTOR(
        "take_time_at_end",
        "take_off_players_clock_end",
        "LATE-3",
        deferred_ms=late.deferred_ms // SECOND,
        seconds=late.deferred_ms // SECOND,
    )
    return (
        *((decline,) if late.time.may_decline else ()),
        set_clock,
        *((deferred,) if late.deferred_ms else ()),
    )


def _never_came(facts: TableFacts, late: Lateness) -> Found:
    """The time to arrive has run out: lost without a choice, or for the director to say."""
    forfeited = late.time is not None and late.time.forfeited is True
    lost = forfeit(facts.rules)
    enter = DIRECTOR("forfeit_game", "enter_game_lost_lateness", "LATE-4")
    return Found(
        code="no_show",
        procedure=Procedure(
            "LATE-4",
            coded("player_never_came"),
            steps=(enter, *lost.steps) if forfeited else (),
            open_questions=lost.open_questions if forfeited else late.questions,
        ),
        player=late.who.player,
        facts={"margin": lost.margin if forfeited else None},
        since=late.who.row,
        over=facts.recorded(Conceded) or facts.last_press is not None,
        settlements=_lost_by(late.who.player, lost.margin if forfeited else None),
    )


def _player(facts: TableFacts, code: str, otherwise: int | None) -> int | None:
    """Whom an open procedure of that code is about; None where none is open."""
    run = facts.open_run(code)
    if run is None:
        return None
    named = begun_about(run.act)
    return otherwise if named is None else named


def find_leaving(facts: TableFacts) -> Iterator[Found]:
    """A player wants to leave the table (LEAVE-1); who moved last may."""
    press = facts.last_press
    player = _player(facts, "leaving", None if press is None else press.player)
    if player is not None:
        emergency = facts.said("leaving").get("emergency") is True
        yield Found(
            code="leaving", procedure=leaving(facts.rules, emergency=emergency), player=player
        )


def find_return(facts: TableFacts) -> Iterator[Found]:
    """The player is back: the draws that waited, in the order of the turns (LEAVE-1)."""
    player = _player(facts, "back", _last_who_left(facts))
    if player is None:
        return
    order = (player, 1 - player)
    held = [_held(facts, who) for who in (0, 1)]
    weighed = facts.bag_weighed
    bag = facts.moments[-1].bag if facts.moments and weighed is None else (weighed or 0)
    own, other = (draw.due for draw in waiting_draws(bag=bag, racks=held, order=order))
    yield Found(
        code="back",
        procedure=coming_back(facts.rules, missing=(own, other)),
        player=player,
        facts={"due": own},
        since=_begun_at(facts, "back"),
    )


def _last_who_left(facts: TableFacts) -> int | None:
    """Whom the newest leaving was about, open or closed."""
    run = facts.run("leaving")
    return None if run is None else begun_about(run.act)


def _begun_at(facts: TableFacts, code: str) -> int:
    """The row before the order that began it: what sensors see from then on counts."""
    run = facts.run(code)
    return 0 if run is None else run.row - 1


def _held(facts: TableFacts, player: int) -> int:
    """Tiles on a rack while draws wait: as it is counted, else what the last use has left."""
    count, use = facts.rack(player), facts.last_use(player)
    if count is not None:
        return count
    return RACK_SIZE if use is None else use.kept


def find_draws_alone(facts: TableFacts) -> Iterator[Found]:
    """The player who stayed has drawn what should have waited (LEAVE-2)."""
    away = _last_who_left(facts)
    press = facts.last_press
    stayed = press.player if away is None and press is not None else None
    player = _player(facts, "drew_alone", stayed if away is None else 1 - away)
    use = None if player is None else facts.last_use(player)
    if player is None or use is None:
        return
    count = facts.rack(player, since=use.group.ref)
    drawn = use.due if count is None or count <= use.kept else count - use.kept
    has_played = facts.pressed_since(use.group.ref, 1 - player) > 0
    plan = drawn_while_absent(facts.rules, kept=use.kept, drawn=drawn, returner_played=has_played)
    yield Found(
        code="drew_alone",
        procedure=plan,
        group=use.group.ref,
        player=player,
        facts={"kept": use.kept, "drawn": drawn, "shown": plan.revealed or None},
        since=_begun_at(facts, "drew_alone"),
    )


def find_stray_presses(facts: TableFacts) -> Iterator[Found]:
    """A press with half a play on the board that was sent back at once (TURN-5)."""
    for notice in facts.noticed(Notice.ACCIDENTAL_PRESS):
        drawn = notice.numbers.get("drawn", facts.drawn_since(notice.ref))
        yield replace(
            from_notice(notice, stray_press(facts.rules, opponent_drew=bool(drawn))),
            facts={"drawn": drawn} if isinstance(drawn, int) else {},
        )


def find_wrong_starts(facts: TableFacts) -> Iterator[Found]:
    """Who moves first has set the opponent's clock going (START-3): was that a turn?"""
    if facts.last_press is not None:
        return
    for notice in facts.noticed(Notice.CLOCK_WRONG_WAY):
        if notice.numbers:
            continue  # more than the start was wrong
        asked = (coded("whether_player_who_moves_first"),)
        title = coded("clock_player_who_moves_second")
        yield Found(
            code="accidental_press",
            procedure=Procedure("START-3", title, open_questions=asked),
            group=notice.ref,
            player=notice.player,
            since=notice.ref,
        )


def find_infractions(facts: TableFacts) -> Iterator[Found]:
    """Small mistakes that were pointed out: each is begun once, and they are counted (INFR-1)."""
    for player in (0, 1):
        run = facts.open_run("infractions", player)
        if run is not None and begun_about(run.act) == player:
            number = _pointed_out(facts, player)
            yield Found(
                code="infractions",
                procedure=minor_infractions(facts.rules, number),
                player=player,
                facts={"number": number},
                since=run.row - 1,
            )


def _pointed_out(facts: TableFacts, player: int) -> int:
    """How many mistakes of a player count since the last remedy; dropped ones do not."""
    number = 0
    for run in facts.runs:
        if run.act.code == "infractions" and not run.is_dropped and begun_about(run.act) == player:
            number += 1
            if not run.is_open and brings_remedy(minor_infractions(facts.rules, number)):
                number = 0
    return number


CONDUCT = (
    find_late_players,
    find_leaving,
    find_return,
    find_draws_alone,
    find_stray_presses,
    find_wrong_starts,
    find_infractions,
)
