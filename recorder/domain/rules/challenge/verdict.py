"""What follows from the verdict on a challenge: tiles, clocks, second looks, and what went wrong.

In the steps the player is the mover, whose play was challenged; the opponent is the challenger.
Costs are for ``penalties``, courtesy tiles for ``courtesy``. Squares are names such as ``9F``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from recorder.domain.notices import coded
from recorder.domain.rules.challenge.penalties import Cost
from recorder.domain.rules.core.parameters import WESPA, Rules, ask, ask_remedy
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    OPPONENT,
    PLAYER,
    Answer,
    Procedure,
    Step,
    Who,
    into_bag,
    out_of_bag,
)

_BONUS_S = 60
"""NASPA: the challenger's time for tiles wrongly taken off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeResult:
    """A verdict: whether the play stands, its score and tiles, and how many tiles are due then."""

    stands: bool
    score: int
    tiles: int
    due: int


def after_verdict(rules: Rules, ruled: ChallengeResult, cost: Cost) -> Procedure:
    """What is done at the table after a verdict; the record gets the cost's events.

    A play with a bad word leaves the board before the clock runs. After a good one the score is
    announced again where the set asks for it. Where a wrong challenge costs the turn, the mover
    draws, and plays on once a new tile was seen (CHAL-5, CHAL-6).
    """
    if not ruled.stands:
        steps = [_take_off(ruled.tiles, "CHAL-5"), *_clock(rules, "good_challenge")]
        rule, title = "CHAL-5", coded("play_not_acceptable")
    else:
        rule, title = "CHAL-6", coded("play_acceptable")
        steps = []
        if cost.points:
            steps.append(EITHER("enter_points", "enter_points", "CHAL-4", points=cost.points))
        if cost.seconds is not None:
            act = coded(
                "take_off_challengers_clock", seconds=cost.seconds[0], seconds_2=cost.seconds[1]
            )
            steps.append(DIRECTOR("take_time", act, "CHAL-4"))
        draw = out_of_bag(PLAYER, "draw_what_is_due", ruled.due, "DRAW-2")
        if cost.turn_lost:
            steps.append(draw)
        outcome = "failed_double" if cost.turn_lost else "failed_points"
        steps += _clock(rules, outcome, score=ruled.score)
        if not cost.turn_lost:
            steps.append(draw)
    questions = (*cost.open_questions, *ask(rules, "challenge.procedure"))
    return Procedure(rule, title, steps=tuple(steps), events=cost.events, open_questions=questions)


def _take_off(tiles: int, rule: str) -> Step:
    done = f"board-{tiles}"
    return PLAYER("take_play_off", "take_play_off_board_scores", rule, tiles=tiles, done_when=done)


def _clock(rules: Rules, outcome: str, *, score: int = 0) -> list[Step]:
    """What must be done before the clock runs again, and who starts whose."""
    lost = outcome == "failed_double"
    match rules.get("challenge.procedure"):
        case "wespa":
            start = Step(
                _who_starts(rules, mover_on_turn=lost),
                "start_clock",
                coded("start_movers_clock" if lost else "start_challengers_clock"),
                "TURN-7",
                done_when="clock=running",
            )
            if outcome == "good_challenge":
                return [start]
            return [PLAYER("announce_score", "announce_score_again", "CHAL-6", score=score), start]
        case "naspa" if not lost:
            rule = "CHAL-5" if outcome == "good_challenge" else "CHAL-6"
            return [
                OPPONENT("rack_tiles", "put_your_tiles_back_rack", rule),
                PLAYER("start_clock", "start_challengers_clock", rule),
            ]
        case "naspa":
            return [OPPONENT("start_clock", "start_movers_clock_once_new", "CHAL-6")]
        case _ if lost:
            return [EITHER("start_clock", "start_movers_clock_turn_challenger", "CHAL-4")]
        case _:
            return []


def _who_starts(rules: Rules, *, mover_on_turn: bool) -> Who:
    if rules.get("timer.restart_duty") != "player_not_on_turn":
        return Who.EITHER
    return Who.OPPONENT if mover_on_turn else Who.PLAYER


def correct_verdict(rules: Rules, *, ruled_good: bool, touched: int) -> Answer:
    """Whether a wrong verdict can still be put right (CHAL-7).

    A play let stand wrongly (``ruled_good``): until a new tile touches the rack. One taken off
    wrongly: until one of its tiles does; so many of them have ``touched`` it. The text joins the
    two by "or"; they belong to the two opposite errors.
    """
    if questions := ask_remedy(rules, "challenge.procedure", WESPA):
        why = coded("rule_set_not_say_until")
        return Answer(allowed=None, rule="CHAL-7", why=why, open_questions=questions)
    which = "new_tiles_touched" if ruled_good else "tiles_of_play_touched"
    return Answer(allowed=touched == 0, rule="CHAL-7", why=coded(which, tiles=touched))


def corrected_verdict(*, ruled_good: bool, tiles: int, drawn: int) -> tuple[Step, ...]:
    """How a verdict is put right that still can be: a play of ``tiles`` is removed, or goes back.

    ``drawn`` new tiles lie apart; those of a play that is removed go into the bag (CHAL-7).
    """
    rule = "CHAL-7"
    if not ruled_good:
        lie, done = "put_play_back_where_lay", f"board+{tiles}"
        return (PLAYER("restore_tiles", lie, rule, tiles=tiles, done_when=done),)
    steps = [_take_off(tiles, rule)]
    if drawn:
        steps.append(into_bag(PLAYER, "put_new_tiles_back_into", drawn, rule))
    return tuple(steps)


def wrong_removal(
    rules: Rules,
    *,
    play: frozenset[str],
    wrong: frozenset[str],
    challenger_played: bool,
    mover_played: bool,
) -> Procedure | None:
    """What follows when too few or too many tiles were taken off; None when all is right (CHAL-9).

    ``play`` are the squares of the play's tiles; the ``wrong`` ones of these are not empty, other
    ones are. It was found once the challenger's clock ran again: put right at once, with time for
    the challenger; after the challenger's turn (``challenger_played``) that turn is taken again;
    once both have played the board stays as it is.
    """
    if not wrong:
        return None
    steps = _put_right(sorted(play & wrong), sorted(wrong - play))
    plan = Procedure("CHAL-9", coded("wrong_tiles_taken_off"), steps=steps)
    if questions := ask_remedy(rules, "challenge.procedure"):
        return plan.asking(*questions)
    if challenger_played and mover_played:
        return Procedure("CHAL-9", coded("board_stays", title=plan.title))
    if challenger_played:
        again = OPPONENT("replay_turn", "take_your_turn_again_right", "CHAL-9")
        stop = EITHER("stop_clock", "stop_clock", "CHAL-9")
        return replace(plan, steps=(stop, *plan.steps, again))
    act = coded("add_seconds_challengers_clock", bonus=_BONUS_S)
    return plan.then(OPPONENT("add_time", act, "CHAL-9", seconds=_BONUS_S))


def _put_right(left: Sequence[str], extra: Sequence[str]) -> tuple[Step, ...]:
    steps = []
    if left:
        act = coded("take_rest_play_off", left=", ".join(left))
        steps.append(PLAYER("take_play_off", act, tiles=len(left)))
    if extra:
        act = coded("put_tiles_earlier_plays_back", extra=", ".join(extra))
        steps.append(PLAYER("restore_tiles", act, tiles=len(extra)))
    return tuple(steps)


def drawn_while_waiting(rules: Rules, tiles: int) -> Procedure:
    """What follows from tiles drawn between the stopped clock and the verdict (CHAL-12).

    No text says what becomes of them: where one forbids it, that is the director's.
    """
    if tiles <= 0:
        return Procedure("CHAL-12", coded("nothing_drawn_while_waiting"))
    kept = (coded("tiles_drawn_while_waiting_kept", tiles=tiles),)
    questions = ask_remedy(rules, "challenge.procedure", WESPA) or kept
    title = coded("tiles_drawn_while_challenge_decided", out=tiles)
    return Procedure("CHAL-12", title, open_questions=questions)
