"""Procedures around the end of a game: play-out, six zeros, overtime (END-2 to END-8)."""

from collections.abc import Iterator

from recorder.domain.game import Conceded, EndRackPenalty, EndRackPoints, TimePenalty
from recorder.domain.notices import Notice, coded
from recorder.domain.orders import Challenged, Outcome
from recorder.domain.procedures.found import Found
from recorder.domain.procedures.named import begun_about
from recorder.domain.procedures.table_facts import TableFacts
from recorder.domain.reading.turns import ReadTurn
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.ending.ending import (
    EndReason,
    PlayOut,
    PlayOutFacts,
    Reaction,
    claimed_play_out,
    rack_points,
    racks_deducted,
    tiles_of_the_other,
)
from recorder.domain.rules.ending.overtime import (
    over_s,
    overtime_forfeit,
    overtime_points,
    time_penalties,
)
from recorder.domain.rules.ending.six_zeros import ZeroState, six_zeros, zero_run
from recorder.domain.rulings.closing import out_player, racks_after

_ENDS = (EndRackPoints, EndRackPenalty, TimePenalty, Conceded)


def find_play_outs(facts: TableFacts) -> Iterator[Found]:
    """A play that emptied its player's rack and the bag, until the opponent has reacted."""
    run = facts.run("play_out")
    out, play = out_player(facts.state), facts.last_play()
    if out is not None and play is not None:
        yield _claimed(facts, out, play.group)
    elif run is not None and run.is_open:
        yield _nobody_out(facts, begun_about(run.act) or 0)


def _claimed(facts: TableFacts, player: int, group: ReadTurn) -> Found:
    press = facts.press_of(group.ref)
    stopped_ms = facts.table.over_ms or None
    laid_ms = press.at_ms if press is not None else (stopped_ms or facts.now_ms)
    standing = claimed_play_out(
        facts.rules,
        PlayOutFacts(
            player=player,
            laid_ms=laid_ms,
            now_ms=facts.now_ms,
            stopped_ms=stopped_ms,
            reaction=_reaction(group),
            upheld=_upheld(facts, group.ref),
        ),
    )
    points = rack_points(
        facts.rules,
        out=player,
        tiles=tiles_of_the_other(facts.state) or "",
        tile_set=facts.state.tile_set,
    )
    is_settled = standing.state in (PlayOut.ACCEPTED, PlayOut.TAKEN_BACK)
    said = [end for end in facts.state.events if isinstance(end, EndRackPoints)]
    window = next((step.seconds for step in standing.procedure.steps if step.seconds), None)
    return Found(
        code="play_out",
        procedure=points if is_settled else standing.procedure,
        group=group.ref,
        player=player,
        facts={
            "out": True,
            "seconds": window,
            "points": said[-1].points if said else None,
            "state": standing.state.value,
        },
        since=group.ref,
        over=is_settled and not points.open_questions,
        until_ms=standing.deadline_ms,
    )


def _reaction(group: ReadTurn) -> Reaction | None:
    """What the opponent did about it."""
    if "challenge_after_ms" in group.facts:
        return Reaction.CHALLENGED
    if "accept_after_ms" in group.facts:
        return Reaction.REVEALED
    return Reaction.HELD if "hold_after_ms" in group.facts else None


def _upheld(facts: TableFacts, group: int) -> bool | None:
    verdicts = [
        ruling.order.act.outcome is Outcome.OFF
        for ruling in facts.rulings
        if isinstance(ruling.order.act, Challenged) and ruling.group == group
    ]
    return verdicts[-1] if verdicts else None


def _nobody_out(facts: TableFacts, player: int) -> Found:
    """A director takes a player for out who has tiles, or while the bag has some."""
    *racks, bag = racks_after(facts.state.events, facts.state.tile_set.total)
    counted, weighed = facts.rack(player), facts.bag_weighed
    return Found(
        code="play_out",
        procedure=Procedure(rule="END-2", title=coded("nobody_is_out")),
        player=player,
        facts={
            "out": False,
            "rack": racks[player] if counted is None else counted,
            "bag": bag if weighed is None else weighed,
        },
    )


def find_six_zeros(facts: TableFacts) -> Iterator[Found]:
    """Turns without a score that end the game, may end it, or do not yet (END-4, END-5)."""
    run, turns = facts.run("six_zero"), zero_run(facts.state.events)
    said = facts.said("six_zero")
    asked = run is not None and run.is_open
    found = six_zeros(facts.rules, turns, declared=said.get("declared") is True)
    over = found.state is ZeroState.OVER
    if not asked and not (over or found.state is ZeroState.DIRECTOR) and not _asked(facts):
        return
    racks = facts.table.racks_shown
    procedure = Procedure(rule="END-4", title=coded("turns_without_score"))
    if over:
        deducted = racks_deducted(
            facts.rules, EndReason.SIX_ZEROS, racks, facts.state.tile_set, state=facts.state
        )
        procedure = deducted
    elif found.open_questions:
        procedure = Procedure(
            rule="END-4", title=coded("turns_without_score"), open_questions=found.open_questions
        )
    yield Found(
        code="six_zero",
        procedure=procedure,
        group=max((press.seq for press in facts.table.presses), default=0),
        facts={"zeros": found.counted or len(turns), "over": over, "needed": found.needed},
        over=any(isinstance(event, _ENDS) for event in facts.state.events),
    )


def _asked(facts: TableFacts) -> bool:
    """Whether so many zeros are told although the text has no number of its own."""
    return any(True for _ in facts.noticed(Notice.SIX_ZERO)) and (
        facts.rules.get_whole("six_zero.count") is None
    )


def find_overtime(facts: TableFacts) -> Iterator[Found]:
    """A player at the limit of overtime; overtime at the end whose points are open (END-6, 7)."""
    conceded = any(isinstance(event, Conceded) for event in facts.state.events)
    remaining = facts.table.clock.believed_at(facts.now_ms)
    seconds = (over_s(remaining[0]), over_s(remaining[1]))
    lost = [notice.player for notice in facts.noticed(Notice.OVERTIME_LOST)]
    for player in (player for player in lost if player is not None):
        limit = facts.rules.get_whole("overtime.forfeit_after_s") or 0
        end = overtime_forfeit(
            facts.rules, facts.state.scores, player, others_over_s=seconds[1 - player]
        )
        yield Found(
            code="overtime",
            procedure=Procedure(
                rule=end.rule, title=coded("lost_overtime"), open_questions=end.open_questions
            ),
            player=player,
            facts={"points": overtime_points(facts.rules, limit), "margin": end.margin},
            over=conceded,
        )
    if facts.stands and any(isinstance(event, EndRackPoints) for event in facts.state.events):
        procedure = time_penalties(facts.rules, seconds)
        for player in (0, 1):
            if seconds[player] and player not in lost and procedure.open_questions:
                yield Found(
                    code="overtime",
                    procedure=procedure,
                    player=player,
                    facts={"seconds": seconds[player]},
                    over=conceded or _is_charged(facts, player),
                )


def _is_charged(facts: TableFacts, player: int) -> bool:
    return any(
        isinstance(event, TimePenalty) and event.player == player for event in facts.state.events
    )


ENDINGS = (find_play_outs, find_six_zeros, find_overtime)
