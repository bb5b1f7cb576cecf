"""Procedures around the end of a game: play-out, six zeros, overtime (END-2 to END-8)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from recorder.domain.game import Conceded, EndRackPenalty, EndRackPoints, TimePenalty
from recorder.domain.notices import Notice, coded
from recorder.domain.orders import Challenged, Outcome
from recorder.domain.procedures.found import Found
from recorder.domain.procedures.named import begun_about
from recorder.domain.procedures.table_facts import TableFacts
from recorder.domain.rules.core.parameters import listed
from recorder.domain.rules.core.procedure import DIRECTOR, Procedure
from recorder.domain.rules.ending.ending import (
    Convention,
    PlayOut,
    PlayOutFacts,
    Reaction,
    claimed_play_out,
    out_events,
    rack_points,
    racks_deducted,
    tiles_of_the_other,
)
from recorder.domain.rules.ending.overtime import (
    Limit,
    left_running,
    limit_state,
    over_s,
    overtime_forfeit,
    overtime_points,
    time_penalties,
)
from recorder.domain.rules.ending.six_zeros import ZeroState, six_zeros, zero_run
from recorder.domain.rulings.closing import out_player
from recorder.domain.rulings.racks_at_end import racks_at_end
from recorder.domain.standing_procedures import Settlement
from recorder.domain.tile_text import typed_rack
from recorder.domain.tiles import Tiles
from recorder.domain.turns import Turn

LEFT_MS = 120_000
"""A play-out is accepted in silence once both clocks have stood so long."""
_ENDS = (EndRackPoints, EndRackPenalty, TimePenalty, Conceded)


def find_play_outs(facts: TableFacts) -> Iterator[Found]:
    """A play that emptied its player's rack and the bag, until the opponent has reacted."""
    run = facts.open_run("play_out")
    out, play = out_player(facts.state), facts.last_play()
    if out is not None and play is not None:
        yield _claimed(facts, out, play.group)
    elif run is not None:
        yield _nobody_out(facts, begun_about(run.act) or 0)


def _claimed(facts: TableFacts, player: int, group: Turn) -> Found:
    press = facts.press_of(group.ref)
    stopped = facts.table.clock.stop_row is not None and facts.table.clock.left_at_end is None
    stopped_ms = facts.table.clock.stop_ms if stopped else None
    laid_ms = press.at_ms if press is not None else (stopped_ms or facts.now_ms)
    standing = claimed_play_out(
        facts.rules,
        PlayOutFacts(
            player=player,
            laid_ms=laid_ms,
            now_ms=facts.now_ms,
            stopped_ms=stopped_ms,
            reaction=_reaction(group) or _left_in_silence(facts, player, stopped_ms),
            upheld=_upheld(facts, group.ref),
        ),
    )
    points = rack_points(
        facts.rules,
        out=player,
        tiles=tiles_of_the_other(facts.state) or (),
        tile_set=facts.state.tile_set,
    )
    is_settled = standing.state in (PlayOut.ACCEPTED, PlayOut.TAKEN_BACK)
    said = [end for end in facts.state.events if isinstance(end, EndRackPoints)]
    return Found(
        code="play_out",
        procedure=points if is_settled else standing,
        group=group.ref,
        player=player,
        facts={
            "out": True,
            "seconds": standing.seconds,
            "points": said[-1].points if said else None,
            "state": standing.state.value,
        },
        since=group.ref,
        over=is_settled and not points.open_questions,
        until_ms=standing.deadline_ms or _left_at(facts, stopped_ms),
        settlements=() if standing.state in _UNDECIDED else tuple(_rack_ways(facts, player)),
    )


_UNDECIDED = frozenset({PlayOut.CHALLENGED, PlayOut.TAKEN_BACK})
"""Where a play-out is not for the opponent to accept."""


def _rack_ways(facts: TableFacts, player: int) -> Iterator[Settlement]:
    """What the tiles left can bring: by the one way of the set, else by each that may be it."""
    ways = listed(facts.rules, "endgame.out_bonus") or tuple(Convention)
    tiles, tile_set = tiles_of_the_other(facts.state) or (), facts.state.tile_set
    for way in map(Convention, ways):
        events = out_events(way, out=player, tiles=tiles, tile_set=tile_set)
        yield Settlement(code=f"racks_{way.value}" if len(ways) > 1 else "", events=events)


def _reaction(group: Turn) -> Reaction | None:
    """What the opponent did about it."""
    if "challenge_after_ms" in group.facts:
        return Reaction.CHALLENGED
    if "accept_after_ms" in group.facts:
        return Reaction.REVEALED
    return Reaction.HELD if "hold_after_ms" in group.facts else None


def _left_at(facts: TableFacts, stopped_ms: int | None) -> int | None:
    """When silence accepts a play-out; None where it does not.

    At a table without a scorer's box, and at any table once the game's end is on record: where the
    clocks stand so long after it, the game is over.
    """
    is_silent = not facts.table.turns.said.announcements
    ends = is_silent or facts.recorded(EndRackPoints)
    return stopped_ms + LEFT_MS if stopped_ms is not None and ends else None


def _left_in_silence(facts: TableFacts, player: int, stopped_ms: int | None) -> Reaction | None:
    """Taken as racks shown: nobody says anything else, and the clocks stand long enough.

    Sooner where the board or the rack of the opponent of ``player`` has been cleared.
    A director's own procedure about it stays with the director.
    """
    left_ms = _left_at(facts, stopped_ms)
    if left_ms is None or facts.begun("play_out"):
        return None
    bare = facts.table.looks.away_since_ms is not None
    stop_row = facts.table.clock.stop_row or 0
    bare = bare or facts.rack(1 - player, since=stop_row) == 0
    return Reaction.REVEALED if bare or facts.now_ms >= left_ms else None


def _upheld(facts: TableFacts, group: int) -> bool | None:
    verdicts = [
        ruling.order.act.outcome is Outcome.OFF
        for ruling in facts.rulings
        if isinstance(ruling.order.act, Challenged) and ruling.group == group
    ]
    return verdicts[-1] if verdicts else None


def _nobody_out(facts: TableFacts, player: int) -> Found:
    """A director takes a player for out who has tiles, or while the bag has some."""
    racks, bag = facts.held
    return Found(
        code="play_out",
        procedure=Procedure("END-2", coded("nobody_is_out")),
        player=player,
        facts={"out": False, "rack": racks[player], "bag": bag},
    )


def find_six_zeros(facts: TableFacts) -> Iterator[Found]:
    """Turns without a score that end the game, may end it, or do not yet (END-4, END-5)."""
    turns, said = zero_run(facts.state.events), facts.said("six_zero")
    asked = facts.begun("six_zero")
    found = six_zeros(facts.rules, turns, declared=said.get("declared") is True)
    over = found.state is ZeroState.OVER
    if not asked and not (over or found.state is ZeroState.DIRECTOR) and not _asked(facts):
        return
    racks, tile_set = _racks(facts), facts.state.tile_set
    deducted = racks_deducted(racks, tile_set)
    settlements: tuple[Settlement, ...] = ()
    procedure = Procedure("END-4", coded("turns_without_score"))
    if over:
        procedure = deducted
    elif found.open_questions:
        goes_on = Settlement(code="game_goes_on")
        ends = Settlement(code="game_over", events=deducted.events)
        settlements = (goes_on, ends) if deducted.events else (goes_on,)
        procedure = Procedure(
            "END-4", coded("turns_without_score"), open_questions=found.open_questions
        )
    yield Found(
        code="six_zero",
        procedure=procedure,
        group=max((press.seq for press in facts.table.turns.presses), default=0),
        facts={"zeros": found.counted or len(turns), "over": over, "needed": found.needed},
        over=facts.recorded(*_ENDS),
        settlements=settlements,
    )


def _racks(facts: TableFacts) -> tuple[Tiles | None, Tiles | None]:
    """The tiles on both racks: as a camera shows them, else as a director has said."""
    said = facts.said("six_zero")
    seen = racks_at_end(facts.table, facts.game.groups, facts.state)
    tile_set = facts.state.tile_set
    named = [typed_rack(str(said.get(f"rack{player}", "")), tile_set) for player in (0, 1)]
    first, second = (
        (name or None) if rack is None else rack for name, rack in zip(named, seen, strict=True)
    )
    return first, second


def _asked(facts: TableFacts) -> bool:
    """Whether so many zeros are reported although the text has no number of its own."""
    return any(True for _ in facts.noticed(Notice.SIX_ZERO)) and (
        facts.rules.get_whole("six_zero.count") is None
    )


def find_overtime(facts: TableFacts) -> Iterator[Found]:
    """A player at the limit of overtime; overtime at the end whose points are open (END-6, 7).

    What ran on once the game was over counts as the rules say (END-8).
    """
    shown, counted = facts.table.clock.now.believed_at(facts.now_ms), facts.table.remaining_at_end
    left_ms = counted if facts.table.clock.stop_row is not None else shown
    lost = {notice.player for notice in facts.noticed(Notice.OVERTIME_LOST)}
    ended = facts.recorded(EndRackPoints)
    for player in (0, 1):
        said = facts.said("overtime", player).get("seconds")
        over = [over_s(left_ms[0]), over_s(left_ms[1])]
        over[player] = said if isinstance(said, int) else over[player]
        begun = _begun_about(facts, player, over)
        is_open = bool(facts.stands and ended and over[player]) and bool(
            time_penalties(facts.rules, (over[0], over[1])).open_questions
        )
        if player in lost or (begun and limit_state(facts.rules, over[player]) is Limit.LOST):
            yield _lost(facts, player, over[1 - player])
        elif begun or is_open:
            yield _charged(facts, player, over[player], over_s(shown[player]))


def _begun_about(facts: TableFacts, player: int, over: Sequence[int]) -> bool:
    """Whether a director has begun it about that player, or about the one who is over by more."""
    run = facts.open_run("overtime", player)
    if run is None:
        return False
    named = begun_about(run.act)
    return player == (named if named is not None else int(over[1] > over[0]))


def _lost(facts: TableFacts, player: int, others_s: int) -> Found:
    limit = facts.rules.get_whole("overtime.forfeit_after_s") or 0
    end = overtime_forfeit(facts.rules, facts.scores_played, player, others_over_s=others_s)
    return Found(
        code="overtime",
        procedure=Procedure(
            end.rule,
            coded("lost_overtime"),
            steps=_LOSES,
            events=end.events,
            open_questions=end.open_questions,
        ),
        player=player,
        facts={"points": overtime_points(facts.rules, limit), "margin": end.margin},
        over=facts.recorded(Conceded),
    )


_LOSES = (
    DIRECTOR("stop_clock", "stop_both_clocks", "END-7"),
    DIRECTOR("forfeit_game", "enter_game_lost_overtime", "END-7"),
)


def _charged(facts: TableFacts, player: int, seconds: int, shown_s: int) -> Found:
    """What a player's overtime costs at the end, as the clock stood then (END-6, END-8)."""
    charged = time_penalties(facts.rules, (seconds, 0) if player == 0 else (0, seconds))
    ran_on = left_running(facts.rules, at_end_s=seconds, shown_s=max(seconds, shown_s))
    is_charged = any(
        isinstance(event, TimePenalty) and event.player == player for event in facts.state.events
    )
    return Found(
        code="overtime",
        procedure=replace(charged, open_questions=(*charged.open_questions, *ran_on)),
        player=player,
        facts={
            "seconds": seconds,
            "points": overtime_points(facts.rules, seconds),
            "display": shown_s if shown_s > seconds else None,
        },
        over=is_charged or facts.recorded(Conceded),
        settlements=() if facts.stands else (Settlement(),),
    )


FINDERS_AT_END = (find_play_outs, find_six_zeros, find_overtime)
