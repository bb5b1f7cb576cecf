"""How a game ends and what the racks count then (END-1 to END-5).

A play-out is a claim until the opponent has shown the tiles, challenged, or let the time pass;
what silence means differs by rule set. The points for the tiles left are given by two
conventions, and after six zeros by a third.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from recorder.domain.game import EndRackPenalty, EndRackPoints, GameEvent, GameState
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import (
    Rules,
    ask,
    ask_all,
    listed,
)
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    OPPONENT,
    PLAYER,
    Procedure,
    Step,
)
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import BLANK, RACK_SIZE, Tiles, TileSet


class Convention(StrEnum):
    """What the tiles left bring when somebody is out (END-3)."""

    DOUBLE = "double"
    TRANSFER = "transfer"


def tiles_of_the_other(state: GameState) -> Tiles | None:
    """The opponent's tiles when one player is out and the bag is empty: all that are unseen.

    None when there are more than a rack holds, or when the board shows more of a letter than the
    set has: then nobody is out, or the record is wrong. No rack camera is needed (END-3).
    """
    left = state.unseen
    if min(left.values()) < 0 or sum(left.values()) > RACK_SIZE:
        return None
    order = sorted(left, key=lambda tile: (tile is BLANK, tile))
    return tuple(tile for tile in order for _ in range(left[tile]))


def out_events(
    convention: Convention, *, out: int, tiles: Tiles, tile_set: TileSet
) -> tuple[GameEvent, ...]:
    """The end-rack points under one convention; ``out`` is who is out, ``tiles`` the other's."""
    value = tile_set.points(tiles)
    if convention is Convention.DOUBLE:
        return (EndRackPoints(out, 2 * value, tiles),)
    return (EndRackPoints(out, value, tiles), EndRackPenalty(1 - out, value, tiles))


def rack_points(rules: Rules, *, out: int, tiles: Tiles, tile_set: TileSet) -> Procedure:
    """What player ``out`` gains, and perhaps the other loses, for the tiles left (END-3).

    Where the organiser has to announce one of two conventions and has not, there are no events
    and a question that names both totals; the margin is the same.
    """
    allowed = tuple(Convention(word) for word in listed(rules, "endgame.out_bonus"))
    value = tile_set.points(tiles)
    events: tuple[GameEvent, ...] = ()
    questions = ask(rules, "endgame.out_bonus")
    if len(allowed) == 1:
        events = out_events(allowed[0], out=out, tiles=tiles, tile_set=tile_set)
    elif allowed:
        asked = coded("two_did_organiser_announce", doubled=2 * value, number=out + 1, points=value)
        questions = (asked,)
    return Procedure(
        "END-3",
        coded("tiles_left", tiles=write_tiles(tiles), points=value)
        if tiles
        else coded("no_tiles_left"),
        steps=(EITHER("count_tiles", "both_count_tiles_left", "END-3", value=value),),
        events=events,
        open_questions=questions,
    )


def racks_deducted(racks: tuple[Tiles | None, Tiles | None], tile_set: TileSet) -> Procedure:
    """Each player's own tiles taken off, nobody being out: six zeros, time is up (END-5, END-13).

    A rack of None is unknown: it has to be shown.
    """
    questions = tuple(
        coded("player_tiles_rack", number=seat + 1)
        for seat, rack in enumerate(racks)
        if rack is None
    )
    events = tuple(
        EndRackPenalty(seat, tile_set.points(rack), rack)
        for seat, rack in enumerate(racks)
        if rack and not questions
    )
    return Procedure(
        "END-5",
        coded("each_loses_own_tiles", reason="six_zeros"),
        steps=(EITHER("show_racks", "both_show_their_tiles_count"),),
        events=events,
        open_questions=questions,
    )


class Reaction(StrEnum):
    """What the opponent of a player who is out does."""

    REVEALED = "tiles_shown"
    HELD = "hold"
    CHALLENGED = "challenge"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOutFacts:
    """A claimed play-out at the moment ``now_ms``; all times in milliseconds of one clock.

    ``laid_ms``: the play was complete. ``stopped_ms``: the player stopped both clocks, None when
    that was forgotten. ``upheld``: whether the challenge, if there was one, succeeded; None while
    it is undecided.
    """

    player: int
    laid_ms: int
    now_ms: int
    stopped_ms: int | None = None
    reaction: Reaction | None = None
    upheld: bool | None = None


class PlayOut(StrEnum):
    """Where a claimed play-out stands."""

    CLAIMED = "out_claimed"
    THINKING = "opponent_thinks_on_the_own_clock"
    HELD = "held"
    CHALLENGED = "challenged"
    ACCEPTED = "accepted"
    TAKEN_BACK = "taken_back"


SILENCE_ACCEPTS = "play_accepted"
"""The rule that an opponent who says nothing in time has accepted a play-out."""
_AFTER_SILENCE: dict[object, PlayOut] = {
    SILENCE_ACCEPTS: PlayOut.ACCEPTED,
    "opponents_clock_may_run": PlayOut.THINKING,
}


@dataclass(frozen=True, slots=True)
class PlayOutStanding(Procedure):
    """The state of a play-out, until when the opponent may react, and what is to be done.

    ``deadline_ms`` is None where the rule set in force does not say.
    """

    _: KW_ONLY
    state: PlayOut
    deadline_ms: int | None


def claimed_play_out(rules: Rules, facts: PlayOutFacts) -> PlayOutStanding:
    """Where a claimed play-out stands at ``now_ms``, and what comes next (END-2).

    The time to react is counted from the stop; forgotten, from the play. W1 and PSA: after it the
    opponent's clock may be started. NAS: after it the play is accepted and the game over.
    """
    window_s = rules.get_whole("endgame.out_response_s")
    began = facts.stopped_ms if facts.stopped_ms is not None else facts.laid_ms
    deadline = None if window_s is None else began + 1000 * window_s
    state = _standing(rules, facts, deadline)
    questions: tuple[CodedText, ...] = ()
    if state is PlayOut.CLAIMED:
        questions = ask_all(rules, "endgame.out_response_s", "endgame.out_silence")
    return PlayOutStanding(
        "END-2",
        coded("player_is_out", number=facts.player + 1, state=state),
        steps=_steps(state, window_s),
        open_questions=questions,
        state=state,
        deadline_ms=deadline if state is PlayOut.CLAIMED else None,
    )


def _standing(rules: Rules, facts: PlayOutFacts, deadline: int | None) -> PlayOut:
    match facts.reaction:
        case Reaction.REVEALED:
            state = PlayOut.ACCEPTED
        case Reaction.CHALLENGED if facts.upheld is None:
            state = PlayOut.CHALLENGED
        case Reaction.CHALLENGED:
            state = PlayOut.TAKEN_BACK if facts.upheld else PlayOut.ACCEPTED
        case Reaction.HELD:
            state = PlayOut.HELD
        case None:
            state = PlayOut.CLAIMED
            if deadline is not None and facts.now_ms >= deadline:
                state = _AFTER_SILENCE.get(rules.get("endgame.out_silence"), state)
    return state


def _steps(state: PlayOut, window_s: int | None) -> tuple[Step, ...]:
    if state is not PlayOut.CLAIMED:
        return (_STEPS[state],)
    return (
        PLAYER("stop_clock", "stop_both_clocks_make_sure", done_when="clock=stopped"),
        OPPONENT("accept_or_challenge", "show_tiles_hold_challenge", seconds=window_s),
    )


_STEPS: Mapping[PlayOut, Step] = {
    PlayOut.THINKING: PLAYER("start_clock", "opponents_clock_may_started_opponent"),
    PlayOut.HELD: OPPONENT("accept_or_challenge", "decide_own_clock_show_tiles"),
    PlayOut.CHALLENGED: DIRECTOR("decide_challenge", "challenge_decided_clocks_stay_stopped"),
    PlayOut.ACCEPTED: EITHER("leave_table", "game_over_leave_clock_tiles"),
    PlayOut.TAKEN_BACK: PLAYER("take_back_tiles", "take_tiles_back_restart_opponents"),
}
