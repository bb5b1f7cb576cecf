"""What follows from an illegal placement: who may say so, until when, and what is done.

PLACE-2 and PLACE-3. Under some rule sets the opponent may challenge it or let it stand, and the
right ends as that to any challenge does (HOLD-2); under others whoever sees it must say so, and
the tiles come off. ``layings`` finds the kinds; the states are drawn in ``placement_machine``.

The states of an illegal placement, from the press to what becomes of it (PLACE-2, PLACE-3).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from recorder.domain.board import Board, Square
from recorder.domain.errors import NotationError
from recorder.domain.game import GameEvent, IllegallyPlayed, Laid, Passed, Withdrawn
from recorder.domain.plays import placement_of
from recorder.domain.rules.core.parameters import Rules, ask_all
from recorder.domain.rules.core.procedure import Procedure, Step, Who, into_bag
from recorder.domain.rules.draw.overdraw import TilesHeld, surplus_plan
from recorder.domain.rules.placement.layings import (
    IllegalKind,
    Laying,
    Treatment,
    is_listed,
    loose_tiles,
    moved_tiles,
    treatment,
)
from recorder.domain.rules.turn.hold import Right


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterEnd:
    """The game had ended when it was found: how long ago, and whether the result is final."""

    since_ms: int
    finalised: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class IllegalPlay:
    """The facts of an illegal placement, when it is noticed or when the turn ends.

    ``played`` is the play as recorded. ``kept`` tiles stayed on the rack, ``drawn`` were drawn
    since. ``mixed`` says whether the new tiles are among the old ones, None where nobody knows.
    ``replied``: the opponent has played and started the offender's clock again. ``challenged``:
    the opponent called the director about it, and ``right`` is where the right to do so stood then
    (``hold.right_to_challenge``). ``board`` is the board as it now is, to find tiles that hang
    together with nothing.
    """

    played: Laid
    laying: Laying
    kinds: tuple[IllegalKind, ...]
    kept: int
    drawn: int = 0
    mixed: bool | None = False
    replied: bool = False
    challenged: bool = False
    right: Right = Right.OPEN
    board: Board | None = None
    end: AfterEnd | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementRuling:
    """What becomes of the play.

    ``stands``: it keeps its score. ``score`` is what the turn counts, ``rack`` how many tiles the
    player then holds, ``to_bag`` how many go into the bag, ``revealed`` how many the opponent
    sees. ``surplus`` tiles are held beyond a full rack before that, and ``pool`` is how many of
    them the opponent may pick from (OVERDRAW-5). ``procedure.events`` follow the play in the
    record; where the opponent has replied, ``instead`` supersedes the play's entry.
    ``resumes``: the game had ended and goes on.
    """

    procedure: Procedure
    stands: bool
    score: int
    rack: int
    to_bag: int = 0
    revealed: int = 0
    surplus: int = 0
    pool: int = 0
    instead: tuple[GameEvent, ...] = ()
    resumes: bool = False


_RESTART = Step(
    code="start_clock", who=Who.EITHER, act="start the clock of the player on turn", rule="TURN-7"
)


def rule_on_placement(rules: Rules, play: IllegalPlay) -> PlacementRuling:
    """What the rule set makes of an illegal play with these facts (PLACE-2, PLACE-3).

    The director is named in ``procedure.open_questions`` wherever the text leaves something.
    """
    if not play.kinds:
        return _stands(play, "The placement is legal", "PLACE-1")
    match treatment(rules, play.kinds):
        case Treatment.MUST_ANNOUNCE:
            return _announced(rules, play)
        case Treatment.CHALLENGEABLE:
            return _challenged(rules, play)
        case Treatment.OVERDRAW:
            question = "the rule set does not list it: the rules on too many tiles apply"
            return _stands(play, "A play from too many tiles", "OVERDRAW-5", question)
        case Treatment.UNSETTLED:
            question = "the rule set does not settle how an illegal placement is dealt with"
            return _stands(play, _title(play), "PLACE-2", question)


def _title(play: IllegalPlay) -> str:
    return f"Illegal placement: {', '.join(play.kinds)}"


def _rack_now(play: IllegalPlay) -> int:
    return play.kept + play.drawn


def _stands(play: IllegalPlay, title: str, rule: str, *questions: str) -> PlacementRuling:
    procedure = Procedure(rule=rule, title=title, open_questions=questions)
    return PlacementRuling(
        procedure=procedure, stands=True, score=play.played.score, rack=_rack_now(play)
    )


def _challenged(rules: Rules, play: IllegalPlay) -> PlacementRuling:
    """The opponent may object while the right to challenge stands; nobody else need say a word."""
    if play.end is not None:
        question = "whether anything can be done once the game has ended"
        return _stands(play, _title(play), "PLACE-3", question)
    listed = any(is_listed(rules, kind) for kind in play.kinds)
    if not play.challenged:
        title = f"{_title(play)}; it stands unless challenged"
        doubtful = listed and rules.get("placement.may_refrain") is not True
        questions = ["whether the opponent may let it stand"] if doubtful else []
        return _stands(play, title, "PLACE-2", *questions)
    if play.right is Right.LOST or play.replied:
        return _stands(play, "The right to challenge is gone: the play stands", "HOLD-2")
    steps = (
        Step(
            code="stop_clock",
            who=Who.OPPONENT,
            act="stop the clock and call the director",
            rule="PLACE-2",
        ),
        Step(
            code="director_rules",
            who=Who.DIRECTOR,
            act="find the placement illegal",
            rule="PLACE-2",
        ),
        Step(
            code="take_play_off",
            who=Who.PLAYER,
            act="take the tiles back; the turn is lost",
            rule="PLACE-2",
            tiles=play.laying.count,
            done_when=f"rack={play.kept + play.laying.count}",
        ),
        _RESTART,
    )
    questions = []
    if not listed and rules.get("placement.unlisted_kinds") != "challengeable":
        questions.append("the list of illegal kinds is open: does it cover this one?")
    score = _illegal_score(rules, questions)
    if play.right is Right.UNDECIDED:
        questions.append("whether the right to challenge was gone (HOLD-2)")
    if play.drawn:
        questions.append("what becomes of tiles already drawn (HOLD-5)")
    return PlacementRuling(
        procedure=_withdrawn(play, steps, questions),
        stands=False,
        score=score,
        rack=play.kept + play.laying.count,
    )


def _withdrawn(play: IllegalPlay, steps: tuple[Step, ...], questions: Sequence[str]) -> Procedure:
    """The play comes off, and the record says so."""
    return Procedure(
        rule="PLACE-2",
        title=_title(play),
        steps=steps,
        events=(Withdrawn(play.played.player, play.played.score),),
        open_questions=tuple(questions),
    )


def _illegal_score(rules: Rules, questions: list[str]) -> int:
    score = rules.get_whole("placement.illegal_score")
    if score is None:
        questions.append("what the turn counts (placement.illegal_score)")
    return score or 0


@dataclass(frozen=True, slots=True)
class WrongObjection:
    """What it costs to object to a placement that is legal; None where nothing is said."""

    points: int | None
    open_questions: tuple[str, ...]


def wrong_objection(rules: Rules) -> WrongObjection:
    """The cost, in points, of challenging a placement that turns out legal (PLACE-2)."""
    points = rules.get_whole("placement.challenge_cost")
    open_case = "what a wrong objection to a placement costs"
    return WrongObjection(points, () if points is not None else (open_case,))


def _announced(rules: Rules, play: IllegalPlay) -> PlacementRuling:
    """Whoever sees it says so; what is done depends on how far the game has gone."""
    if play.end is None:
        return _after_reply(rules, play) if play.replied else _before_reply(rules, play)
    window = rules.get_whole("placement.after_end_window_s")
    if window is None or play.end.finalised or play.end.since_ms > window * 1000:
        question = "found too late for the procedure; the text says nothing more"
        return _stands(play, _title(play), "PLACE-3", question)
    ruling = rule_on_placement(rules, replace(play, end=None))
    resume = Step(code="play_on", who=Who.EITHER, act="go on with the game", rule="PLACE-3")
    steps = (*ruling.procedure.steps, resume)
    procedure = replace(ruling.procedure, rule="PLACE-3", steps=steps)
    return replace(ruling, procedure=procedure, resumes=True)


def _before_reply(rules: Rules, play: IllegalPlay) -> PlacementRuling:
    """The tiles come off; new ones go back, or too many are held and the opponent picks.

    The tiles taken off count for the surplus, but cannot be picked (OVERDRAW-5).
    """
    questions: list[str] = []
    if play.drawn and play.mixed is None:
        questions.append("whether the new tiles are among the old ones")
    back = 0 if play.mixed else play.drawn
    held = TilesHeld(play.kept, play.drawn - back, outside=play.laying.count)
    surplus = max(0, held.surplus)
    steps = (*_taking_off(play, apart=surplus > 0), *_putting_back(back))
    shown = 0
    if surplus:
        questions += ask_all(rules, "overdraw.reveal_extra", "placement.removed_illegal_tiles_pool")
    if surplus and rules.usable("overdraw.reveal_extra"):
        plan = surplus_plan(rules, player=play.played.player, held=held)
        questions += plan.procedure.open_questions
        shown = plan.revealed
        # Not its first and last: the clock stands already, and nobody goes on with this turn.
        steps += plan.procedure.steps[1:-1]
    steps += (_RESTART,)
    score = _illegal_score(rules, questions)
    return PlacementRuling(
        procedure=_withdrawn(play, steps, questions),
        stands=False,
        score=score,
        rack=held.held - surplus,
        to_bag=back + surplus,
        revealed=back + shown,
        surplus=surplus,
        pool=held.pool,
    )


def _taking_off(play: IllegalPlay, *, apart: bool) -> tuple[Step, ...]:
    then = ", but stay apart, for nobody picks from them" if apart else ""
    steps = [
        Step(
            code="stop_clock",
            who=Who.EITHER,
            act="say so at once and stop the clock",
            rule="PLACE-2",
        ),
        Step(
            code="take_play_off",
            who=Who.PLAYER,
            act=f"take the illegal tiles off the board; they are yours again{then}",
            rule="PLACE-2",
            tiles=play.laying.count,
            done_when=f"board-{play.laying.count}",
        ),
    ]
    if IllegalKind.MOVED in play.kinds:
        act = "put the earlier tiles back where they lay"
        steps.append(
            Step(
                code="restore_tiles",
                who=Who.EITHER,
                act=act,
                rule="PLACE-2",
                tiles=len(moved_tiles(play.laying)) or None,
            )
        )
    return tuple(steps)


def _putting_back(back: int) -> tuple[Step, ...]:
    if not back:
        return ()
    act = "show the new tiles to the opponent and put them back into the bag"
    return (into_bag(Who.PLAYER, act, back, "PLACE-2"),)


def _after_reply(rules: Rules, play: IllegalPlay) -> PlacementRuling:
    """No score; only what hangs together with nothing leaves the board, and no rack changes."""
    questions: list[str] = []
    if rules.get("placement.after_reply") is None:
        questions.append("what follows once the opponent has replied (placement.after_reply)")
    loose = {sq: tile for sq, tile in play.laying.tiles.items() if sq in _loose(play)}
    gone = len(loose) + play.laying.off_grid
    steps = [
        Step(code="stop_clock", who=Who.EITHER, act="say so and stop the clock", rule="PLACE-2")
    ]
    if gone:
        act = "put the tiles that touch nothing into the bag"
        bag = f"bag+{gone}"
        steps.append(
            Step(
                code="return_loose",
                who=Who.EITHER,
                act=act,
                rule="PLACE-2",
                tiles=gone,
                done_when=bag,
            )
        )
    steps.append(_RESTART)
    instead = _what_is_left(play, loose, questions)
    return PlacementRuling(
        procedure=Procedure(
            rule="PLACE-2",
            title=f"{_title(play)}; the opponent has replied",
            steps=tuple(steps),
            open_questions=tuple(questions),
        ),
        stands=False,
        score=_illegal_score(rules, questions),
        rack=_rack_now(play),
        to_bag=gone,
        instead=instead,
    )


def _loose(play: IllegalPlay) -> frozenset[Square]:
    return loose_tiles(play.laying.board if play.board is None else play.board)


def _what_is_left(
    play: IllegalPlay, loose: Mapping[Square, str], questions: list[str]
) -> tuple[GameEvent, ...]:
    """The turn as the record shall have it: without the loose tiles, and worth nothing."""
    rest = {sq: tile for sq, tile in play.laying.tiles.items() if sq not in loose}
    if isinstance(play.played, IllegallyPlayed):
        return (replace(play.played, lifted=tuple(sorted(loose)), score=0),)
    if not rest:
        return (Passed(play.played.player, play.played.rack),)
    try:
        placement = placement_of(play.laying.before, rest)
    except NotationError:
        questions.append("how to write what is left of the play: it is no single line")
        return ()
    return (replace(play.played, placement=placement, score=0),)


def rule_on_orphans(rules: Rules, board: Board) -> PlacementRuling:
    """Tiles that touch nothing, and nobody knows who laid them (PLACE-2). No score changes."""
    loose = loose_tiles(board)
    title = "Tiles that touch nothing, laid by nobody knows whom"
    if not loose:
        nothing = Procedure(rule="PLACE-2", title="Every tile hangs together with the others")
        return PlacementRuling(procedure=nothing, stands=True, score=0, rack=0)
    if rules.get("placement.offender_unknown") is None:
        question = "what becomes of tiles that nobody can be charged with"
        open_case = Procedure(rule="PLACE-2", title=title, open_questions=(question,))
        return PlacementRuling(procedure=open_case, stands=True, score=0, rack=0)
    step = into_bag(
        Who.EITHER,
        "put them into the bag; nobody loses points",
        len(loose),
        "PLACE-2",
        code="return_loose",
    )
    procedure = Procedure(rule="PLACE-2", title=title, steps=(step,))
    return PlacementRuling(procedure=procedure, stands=False, score=0, rack=0, to_bag=len(loose))
