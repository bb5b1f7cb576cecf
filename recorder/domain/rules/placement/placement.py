"""What follows from an illegal placement: who may say so, until when, and what is done.

PLACE-2. Under some rule sets the opponent may challenge it or let it stand; under others a player
must report it, and the tiles are removed. ``layings`` finds the kinds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace

from recorder.domain.board import Board, Square
from recorder.domain.errors import NotationError
from recorder.domain.game import GameEvent, IllegallyPlayed, Laid, Passed, Unseen, Withdrawn
from recorder.domain.laying_faults import loose_squares
from recorder.domain.notices import CodedText, coded
from recorder.domain.plays import placement_of
from recorder.domain.rules.core.parameters import Rules, ask, has_remedy
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    OPPONENT,
    PLAYER,
    Step,
    TilePlan,
    into_bag,
)
from recorder.domain.rules.draw.overdraw import TilesHeld, surplus_plan
from recorder.domain.rules.placement.layings import (
    IllegalKind,
    Laying,
    Treatment,
    is_listed,
    treatment,
)
from recorder.domain.tiles import Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class IllegalPlay:
    """The facts of an illegal placement that somebody objects to.

    ``played`` is the play as recorded. ``kept`` tiles stayed on the rack, ``drawn`` were drawn
    since. ``mixed`` says whether the new tiles are among the old ones, None where nobody knows.
    ``replied``: the opponent has played and started the offender's clock again. ``board`` is the
    board as it now is, to find tiles that hang together with nothing.
    """

    played: Laid
    laying: Laying
    kinds: tuple[IllegalKind, ...]
    kept: int
    drawn: int = 0
    mixed: bool | None = False
    replied: bool = False
    board: Board | None = None


@dataclass(frozen=True, slots=True)
class PlacementRuling(TilePlan):
    """What becomes of the play.

    ``score`` is what the turn counts. The opponent may pick from a pool (OVERDRAW-5). ``events``
    follow the play in the record; where the opponent has replied, ``instead`` supersedes the
    play's entry.
    """

    _: KW_ONLY
    score: int
    instead: tuple[GameEvent, ...] = ()


_RESTART = EITHER("start_clock", "start_clock_player_turn", "TURN-7")


def rule_on_placement(rules: Rules, play: IllegalPlay) -> PlacementRuling:
    """What the rule set makes of an illegal play with these facts (PLACE-2, PLACE-3).

    There are ``open_questions`` wherever the text leaves something.
    """
    if not play.kinds:
        return _stands(play, coded("placement_legal"), "PLACE-1")
    match treatment(rules, play.kinds):
        case Treatment.MUST_ANNOUNCE:
            # Anyone who sees it says so; what is done depends on how far the game has gone.
            return _after_reply(rules, play) if play.replied else _before_reply(rules, play)
        case Treatment.CHALLENGEABLE:
            return _challenged(rules, play)
        case Treatment.OVERDRAW:
            question = coded("rule_set_not_list_rules")
            return _stands(play, coded("play_from_too_many_tiles"), "OVERDRAW-5", question)
        case Treatment.UNSETTLED:
            return _stands(play, _title(play), "PLACE-2", coded("rule_set_not_settle_how"))


def _title(play: IllegalPlay) -> CodedText:
    return coded("illegal_placement", kinds=", ".join(play.kinds))


def _stands(
    play: IllegalPlay, title: CodedText, rule: str, *questions: CodedText
) -> PlacementRuling:
    return PlacementRuling(rule, title, open_questions=questions, score=play.played.score)


def _challenged(rules: Rules, play: IllegalPlay) -> PlacementRuling:
    """The opponent may object while the right to challenge stands; nobody else need say a word."""
    if play.replied:
        return _stands(play, coded("right_challenge_gone_play_stands"), "HOLD-2")
    count = len(play.laying.tiles)
    held = play.kept + count
    back = PLAYER("take_play_off", "take_tiles_back_turn_lost", tiles=count)
    steps = (
        OPPONENT("stop_clock", "stop_and_call_director"),
        DIRECTOR("director_rules", "find_placement_illegal"),
        replace(back, done_when=f"rack={held}"),
        _RESTART,
    )
    questions = []
    listed = any(is_listed(rules, kind) for kind in play.kinds)
    if not listed and not has_remedy(rules, "placement.procedure"):
        questions.append(coded("list_illegal_kinds_open_cover"))
    score = _illegal_score(rules, questions)
    if play.drawn:
        questions.append(coded("becomes_tiles_already_drawn_hold"))
    return replace(_withdrawn(play, steps, questions), score=score)


def _withdrawn(
    play: IllegalPlay, steps: tuple[Step, ...], questions: Sequence[CodedText]
) -> PlacementRuling:
    """The play is removed, and the record says so."""
    return PlacementRuling(
        "PLACE-2",
        _title(play),
        steps=steps,
        events=(Withdrawn(play.played.player, play.played.score),),
        open_questions=tuple(questions),
        score=0,
    )


def _illegal_score(rules: Rules, questions: list[CodedText]) -> int:
    """Nothing; where the set is silent that is asked."""
    if not rules.usable("placement.procedure"):
        questions.append(coded("turn_counts_placement_illegal_score"))
    return 0


def _before_reply(rules: Rules, play: IllegalPlay) -> PlacementRuling:
    """The tiles are removed; new ones go back, or too many are held and the opponent picks.

    The tiles taken off count for the surplus, but cannot be picked (OVERDRAW-5).
    """
    questions: list[CodedText] = []
    if play.drawn and play.mixed is None:
        questions.append(coded("whether_new_tiles_among_old"))
    back = 0 if play.mixed else play.drawn
    held = TilesHeld(play.kept, play.drawn - back, outside=len(play.laying.tiles))
    surplus = max(0, held.surplus)
    steps = (*_taking_off(play, apart=surplus > 0), *_putting_back(back))
    shown, too_few = 0, held.pool < surplus
    if surplus and too_few:
        questions.append(coded("fewer_to_pick_than_too_many", pool=held.pool, surplus=surplus))
    elif surplus:
        questions += ask(rules, "overdraw.reveal_extra")
    if surplus and not too_few and rules.usable("overdraw.reveal_extra"):
        plan = surplus_plan(rules, held)
        questions += plan.open_questions
        shown = plan.revealed
        # Not its first and last: the clock stands already, and nobody goes on with this turn.
        steps += plan.steps[1:-1]
    steps += (_RESTART,)
    score = _illegal_score(rules, questions)
    return replace(
        _withdrawn(play, steps, questions),
        score=score,
        returned=back + surplus,
        revealed=back + shown,
        surplus=surplus,
        pool=held.pool,
    )


def _taking_off(play: IllegalPlay, *, apart: bool) -> tuple[Step, ...]:
    act = "take_illegal_tiles_off_apart" if apart else "take_illegal_tiles_off_board"
    count = len(play.laying.tiles)
    steps = [
        EITHER("stop_clock", "say_once_stop_clock"),
        PLAYER("take_play_off", act, tiles=count, done_when=f"board-{count}"),
    ]
    if IllegalKind.MOVED in play.kinds:
        steps.append(EITHER("restore_tiles", "put_earlier_tiles_back_where"))
    return tuple(steps)


def _putting_back(back: int) -> tuple[Step, ...]:
    if not back:
        return ()
    return (into_bag(PLAYER, "show_new_tiles_opponent_put", back),)


def _after_reply(rules: Rules, play: IllegalPlay) -> PlacementRuling:
    """No score; only what hangs together with nothing leaves the board, and no rack changes."""
    questions: list[CodedText] = []
    loose = {sq: tile for sq, tile in play.laying.tiles.items() if sq in _loose(play)}
    gone = len(loose)
    steps = [EITHER("stop_clock", "say_stop_clock")]
    if gone:
        steps.append(into_bag(EITHER, "put_tiles_touch_nothing_into", gone, code="return_loose"))
    steps.append(_RESTART)
    instead = _what_is_left(play, loose, questions)
    score = _illegal_score(rules, questions)
    return PlacementRuling(
        "PLACE-2",
        coded("opponent_has_replied", title=_title(play)),
        steps=tuple(steps),
        open_questions=tuple(questions),
        score=score,
        returned=gone,
        instead=instead,
    )


def _loose(play: IllegalPlay) -> frozenset[Square]:
    board = play.laying.board if play.board is None else play.board
    return loose_squares(board.occupied())


def _what_is_left(
    play: IllegalPlay, loose: Mapping[Square, Tile], questions: list[CodedText]
) -> tuple[GameEvent, ...]:
    """The turn as the record shall have it: without the loose tiles, and worth nothing."""
    rest = {sq: tile for sq, tile in play.laying.tiles.items() if sq not in loose}
    if isinstance(play.played, Unseen):
        return ()
    if isinstance(play.played, IllegallyPlayed):
        return (replace(play.played, lifted=tuple(sorted(loose)), score=0),)
    if not rest:
        return (Passed(play.played.player, play.played.rack),)
    try:
        placement = placement_of(play.laying.before, rest)
    except NotationError:
        questions.append(coded("how_write_left_play_no"))
        return ()
    return (replace(play.played, placement=placement, score=0),)
