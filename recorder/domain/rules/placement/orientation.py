"""Which way up the game is: what the first play fixes, until when, and tiles that lie otherwise.

ORIENT-1 and ORIENT-2. ``turn`` is how far the letters are turned clockwise against the lettering
of the bonus squares: 0, 90, 180 or 270 degrees. The premiums lie the same way in every quarter turn
(EQUIP-3), so scores do not depend on it.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, ask
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    OPPONENT,
    PLAYER,
    Procedure,
    Step,
    Who,
)

_NEXT_VALID_PLAY = "before_next_valid_play"


class OrientationState(StrEnum):
    """How firmly the direction of the game stands."""

    FREE = "free"
    LAID = "laid"
    SET = "set"
    CLOSING = "closing"
    LOCKED = "locked"
    UNSETTLED = "unsettled"


class OrientationEvent(StrEnum):
    """What moves it on. A turn without tiles is a pass or an exchange."""

    PLACED = "tiles placed"
    PLAYED = "play pressed"
    OTHER_TURN = "turn without tiles"
    TURNED = "tiles turned"
    TAKEN_OFF = "play taken off"
    ACCEPTED = "play accepted"


@dataclass(frozen=True, slots=True)
class Orientation:
    """The direction of the game so far: coordinates are reported in the frame of ``turn``."""

    state: OrientationState = OrientationState.FREE
    turn: int = 0


def orient(
    rules: Rules, orientation: Orientation, event: OrientationEvent, *, turn: int | None = None
) -> Orientation:
    """The frame after an event; an event that means nothing in its state changes nothing.

    ``turn`` is how the letters lie after PLACED or TURNED. A play taken off leaves the frame of
    the lettering where it fixes nothing.
    """
    now = orientation.turn if turn is None else turn
    until = str(rules.get("orientation.correct_until", ""))
    state = _next_state(orientation.state, event, until, is_settled=bool(until) or now == 0)
    if state is None:
        return orientation
    if state is OrientationState.FREE:
        return Orientation()
    moves = event in (OrientationEvent.PLACED, OrientationEvent.TURNED)
    return replace(orientation, state=state, turn=now if moves else orientation.turn)


def _next_state(
    state: OrientationState, event: OrientationEvent, until: str, *, is_settled: bool
) -> OrientationState | None:
    """The state after an event, None where it means nothing; ``until`` as the rule set has it.

    Where any second move closes the matter, it is open what a play that came off fixes.
    """
    s, e, closes = OrientationState, OrientationEvent, until != _NEXT_VALID_PLAY
    return {
        (s.FREE, e.PLACED): s.LAID,
        (s.LAID, e.TURNED): s.LAID,
        (s.LAID, e.PLAYED): s.SET if is_settled else s.UNSETTLED,
        (s.SET, e.TURNED): s.SET,
        (s.SET, e.TAKEN_OFF): s.UNSETTLED if until and closes else s.FREE,
        (s.SET, e.PLAYED): s.LOCKED if closes else s.CLOSING,
        (s.SET, e.OTHER_TURN): s.LOCKED if closes else s.SET,
        (s.CLOSING, e.TAKEN_OFF): s.SET,
        (s.CLOSING, e.ACCEPTED): s.LOCKED,
    }.get((state, event))


class TurnedPlay(StrEnum):
    """What can still be done about a first play that does not lie as the lettering (ORIENT-1)."""

    RULE_OPEN = "rule_open"
    BEFORE_PRESS = "before_press"
    UNTIL_SECOND_MOVE = "until_second_move"
    UNTIL_NEXT_PLAY = "until_next_play"
    TAKEN_OFF = "taken_off"
    STAYS = "stays"


def turned_play(rules: Rules, orientation: Orientation) -> TurnedPlay:
    """How far the rule set lets a turned first play be put right, with the game this far."""
    if not rules.usable("orientation.correct_until"):
        return TurnedPlay.RULE_OPEN
    match orientation.state:
        case OrientationState.LAID:
            return TurnedPlay.BEFORE_PRESS
        case OrientationState.SET | OrientationState.CLOSING:
            second = rules.get("orientation.correct_until") == "end_of_second_move"
            return TurnedPlay.UNTIL_SECOND_MOVE if second else TurnedPlay.UNTIL_NEXT_PLAY
        case OrientationState.UNSETTLED:
            return TurnedPlay.TAKEN_OFF
        case _:
            return TurnedPlay.STAYS


def left_open(rules: Rules, case: TurnedPlay) -> tuple[str, ...]:
    """The questions that the director has to settle in this case; none where the text does.

    Of the two schools only the one that lets tiles be turned until the next play says nothing of
    whose time that is.
    """
    if case is TurnedPlay.UNTIL_NEXT_PLAY:
        return ("orientation.correct_on_time_of",)
    is_open = case is TurnedPlay.STAYS and not rules.usable("orientation.correct_until")
    return ("orientation.uncorrected_effect",) if is_open else ()


def misoriented_first_play(rules: Rules, orientation: Orientation) -> Procedure:
    """What can still be done about a first play that does not lie as the lettering (ORIENT-1)."""
    title = coded("first_play_turned_degrees_against", turn=orientation.turn)
    if orientation.turn == 0:
        return Procedure("ORIENT-1", coded("first_play_lies_lettering"))
    match turned_play(rules, orientation):
        case TurnedPlay.RULE_OPEN:
            return Procedure("ORIENT-1", title).asking(coded("whether_first_play_lie_lettering"))
        case TurnedPlay.BEFORE_PRESS:
            step = PLAYER("turn_tiles", "turn_tiles_your_own_time", "ORIENT-1")
            return Procedure("ORIENT-1", title, steps=(step,))
        case TurnedPlay.UNTIL_SECOND_MOVE | TurnedPlay.UNTIL_NEXT_PLAY:
            return _turning(rules, title)
        case TurnedPlay.TAKEN_OFF:
            return Procedure("ORIENT-1", title).asking(coded("whether_first_play_taken_off"))
        case _:
            title = coded("game_goes_on_like_that", title=title)
            return Procedure("ORIENT-1", title).asking(*ask(rules, "orientation.correct_until"))


def _turning(rules: Rules, title: CodedText) -> Procedure:
    if rules.get("orientation.correct_until") != "end_of_second_move":
        step = EITHER("move_tiles", "move_tiles_squares_correspond_before", "ORIENT-1")
        asked = (coded("whose_time_tiles_moved"),)
        return Procedure("ORIENT-1", title, steps=(step,), open_questions=asked)
    either = rules.get("timer.restart_duty") == "either_player"
    restart = coded("start_clock_second_player_again")
    steps = (
        OPPONENT("stop_clock", "stop_clock_before_making_move", "ORIENT-1"),
        OPPONENT("turn_tiles", "turn_tiles_lie_lettering", "ORIENT-1"),
        Step(Who.EITHER if either else Who.PLAYER, "start_clock", restart, "TURN-7"),
    )
    return Procedure("ORIENT-1", title, steps=steps)


def misoriented_tiles(rules: Rules, *, by_mover_on_turn: bool, repeated: bool = False) -> Procedure:
    """What can be done about tiles that lie another way than the game (ORIENT-2).

    ``by_mover_on_turn``: the player who laid them is still on turn; ``repeated``: it happened to
    that player before in this game.
    """
    title = coded("tiles_lie_another_way_than")
    match rules.get("orientation.later_misoriented_play"):
        case "opponent_may_turn_tiles":
            act = coded("straighten_them_even_when_not")
            steps: tuple[Step, ...] = (OPPONENT("straighten", act, "ORIENT-2"),)
        case "challengeable":
            return Procedure(
                "ORIENT-2",
                title,
                steps=_pointing_out(by_mover_on_turn=by_mover_on_turn),
                open_questions=(coded("whether_they_challenged_only_put"),),
            )
        case "fix_on_request_own_clock":
            act = coded("ask_them_put_right_clock")
            steps = (OPPONENT("straighten", act, "ORIENT-2"),)
            if repeated:
                act = coded("count_minor_infraction_if_pointed")
                steps = (*steps, DIRECTOR("count_infraction", act, "INFR-1"))
        case _:
            return Procedure("ORIENT-2", title, open_questions=(coded("can_done_about_tiles_lie"),))
    return Procedure("ORIENT-2", title, steps=steps)


def _pointing_out(*, by_mover_on_turn: bool) -> tuple[Step, ...]:
    on_turn = Who.PLAYER if by_mover_on_turn else Who.OPPONENT
    point_out = EITHER("point_out", "point_out", "ORIENT-2")
    right = Step(on_turn, "straighten", coded("put_them_right_being_turn"), "ORIENT-2")
    if by_mover_on_turn:
        return (point_out, right)
    return (OPPONENT("challenge_play", "challenge_play", "ORIENT-2"), point_out, right)
