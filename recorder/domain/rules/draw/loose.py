"""Tiles found outside, or in the bag at the end (LOOSE-1, LOOSE-3, BAGEND-1).

Who should have drawn the tile is worked out from the draws as they were; that the tile is one of
the set is taken for granted (see ``foreign``). What fell out of the bag is for ``spills``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import WESPA, Rules, ask, has_remedy
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    OPPONENT,
    Procedure,
    Step,
    into_bag,
)
from recorder.domain.rules.draw.draws import Draw, who_missed
from recorder.domain.tiles import RACK_SIZE

_FOUND_MIN_BAG = 7
"""NASPA: with fewer in the bag no text says that a found tile goes into it."""


class Goes(StrEnum):
    """Where a found tile goes first."""

    BOARD = "board"
    BAG = "bag"
    RACK = "rack"
    NOWHERE = "nowhere"
    ASK = "director_decides"


@dataclass(frozen=True, slots=True, kw_only=True)
class LooseFacts:
    """A tile found outside bag, racks and board, or ``count`` tiles in the bag at the end.

    ``racks`` and ``bag`` as they are, the tile not counted; racks that were cleared because the
    game seemed over count what was on them. ``draws`` are all draws in their order, each with its
    player; ``square`` is where the last frames of the board camera saw the tile, if they did.
    ``final``: the result is signed or initialled, whatever the rule set calls it.
    ``agreed``: both players agree on who should have drawn it (NASPA 5.4).
    ``play_out_challenged`` is the player whose play-out is being challenged just now.
    """

    racks: tuple[int, int]
    bag: int = 0
    draws: Sequence[tuple[int, Draw]] = ()
    count: int = 1
    square: str = ""
    final: bool = False
    agreed: bool = False
    play_out_challenged: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoosePlan:
    """What follows: where the tile goes, who draws it, what the racks then hold.

    ``over``: the game is over with these racks, and ``recount`` says that the final sum has to
    be made again. ``challenge_may_be_dropped``: the player challenged was not out.
    """

    goes: Goes
    procedure: Procedure
    racks: tuple[int, int]
    drawer: int | None = None
    over: bool = False
    recount: bool = False
    challenge_may_be_dropped: bool = False


def loose_tile(rules: Rules, facts: LooseFacts) -> LoosePlan:
    """What is done with a tile found outside during the game or after it (LOOSE-1, LOOSE-3)."""
    title = coded("tile_found_outside")
    late = _past(rules, facts, title)
    if late is not None:
        return late
    empty = facts.bag == 0
    if questions := ask(rules, "loose.procedure"):
        return _ask("LOOSE-1", title, facts, questions)
    if facts.square:
        return _back_on_board(rules, facts, title)
    if rules["loose.procedure"] == WESPA:
        return _drawn_again(rules, facts, title)
    if not empty:
        return _while_bag_lasts(facts, title)
    return _by_agreement(rules, facts, title)


def tiles_in_bag_at_end(rules: Rules, facts: LooseFacts) -> LoosePlan:
    """What is done with ``count`` tiles found in the bag when the game seemed over (BAGEND-1)."""
    title = coded("left_bag", count=facts.count)
    late = _past(rules, facts, title)
    if late is not None:
        return replace(late, procedure=replace(late.procedure, rule="BAGEND-1"))
    if questions := ask(rules, "loose.procedure"):
        return _ask("BAGEND-1", title, facts, questions)
    return _drawn_by(rules, facts, who_missed(facts.draws), title, "BAGEND-1")


def _past(rules: Rules, facts: LooseFacts, title: CodedText) -> LoosePlan | None:
    """Once the result is final, nothing changes."""
    if not facts.final:
        return None
    if questions := ask(rules, "loose.procedure"):
        return _ask("LOOSE-3", title, facts, questions)
    procedure = Procedure("LOOSE-3", coded("result_is_final", title=title))
    return LoosePlan(goes=Goes.NOWHERE, procedure=procedure, racks=facts.racks, over=True)


def _ask(
    rule: str, title: CodedText, facts: LooseFacts, questions: tuple[CodedText, ...]
) -> LoosePlan:
    missed = who_missed(facts.draws)
    if missed is not None:
        questions = (*questions, coded("log_player_first_draw_short", number=missed + 1))
    procedure = Procedure(rule, title, open_questions=questions)
    return LoosePlan(goes=Goes.ASK, procedure=procedure, racks=facts.racks, drawer=missed)


def _back_on_board(rules: Rules, facts: LooseFacts, title: CodedText) -> LoosePlan:
    """It fell off the board; one text says so in words, for the others the director is asked."""
    rule = "LOOSE-1"
    questions: tuple[CodedText, ...] = ()
    if not has_remedy(rules, "loose.procedure"):
        questions = (coded("did_fall_off_board_text"),)
    act = coded("put_back_where_lay_record", square=facts.square)
    procedure = Procedure(
        rule,
        title,
        steps=(EITHER("restore_tiles", act, rule, tiles=1, done_when="board+1"),),
        open_questions=questions,
    )
    return LoosePlan(goes=Goes.BOARD, procedure=procedure, racks=facts.racks)


def _while_bag_lasts(facts: LooseFacts, title: CodedText) -> LoosePlan:
    rule = "LOOSE-1"
    if facts.bag < _FOUND_MIN_BAG:
        return _ask(rule, title, facts, (coded("text_not_say_holds_bag", bag=facts.bag),))
    first = coded("ask_first_whether_fell_off")
    steps = (DIRECTOR("ask_board", first, rule), *_shown_back(rule, facts.count))
    # A rack that lacks it is filled with its next draw.
    procedure = Procedure(rule, title, steps=steps)
    return LoosePlan(goes=Goes.BAG, procedure=procedure, racks=facts.racks)


def _drawn_again(rules: Rules, facts: LooseFacts, title: CodedText) -> LoosePlan:
    """W1 4.3: back to the bag, racks restored, then whoever should have drawn it draws."""
    full = [held >= RACK_SIZE for held in facts.racks]
    if all(full):
        procedure = Procedure(
            "LOOSE-1", title, steps=(*_restored("LOOSE-1", facts.count), _play_on(rules, "LOOSE-1"))
        )
        return LoosePlan(goes=Goes.BAG, procedure=procedure, racks=facts.racks)
    drawer = full.index(False) if any(full) else who_missed(facts.draws)
    return _drawn_by(rules, facts, drawer, title, "LOOSE-1")


def _by_agreement(rules: Rules, facts: LooseFacts, title: CodedText) -> LoosePlan:
    """NASPA 5.4: to who should have drawn it, if both agree; else the director decides."""
    drawer = who_missed(facts.draws)
    plan = _drawn_by(rules, facts, drawer, title, "LOOSE-3")
    dropped = drawer is not None and drawer == facts.play_out_challenged
    if dropped:
        step = OPPONENT("withdraw_challenge", "you_may_take_challenge_back", "LOOSE-3")
        procedure = replace(plan.procedure, steps=(*plan.procedure.steps, step))
        plan = replace(plan, procedure=procedure, challenge_may_be_dropped=True)
    if facts.agreed and drawer is not None:
        return plan
    question = coded("who_should_drawn_players_do")
    if drawer is not None:
        question = coded("by_log_it_was", asked=question, number=drawer + 1)
    asked = (*plan.procedure.open_questions, question)
    return replace(plan, procedure=replace(plan.procedure, open_questions=asked))


def _restored(rule: str, count: int) -> tuple[Step, ...]:
    shown = _shown_back(rule, count)
    return (
        EITHER("restore_racks", "put_tiles_cleared_off_racks", rule),
        *(shown if rule == "LOOSE-1" else shown[:1]),
    )


def _shown_back(rule: str, count: int) -> tuple[Step, ...]:
    """Both see what was found before it goes into the bag."""
    return (
        EITHER("show_tiles", "both_look_found", rule, tiles=count),
        into_bag(EITHER, "put_into_bag", count, rule, count=count),
    )


def _play_on(rules: Rules, rule: str) -> Step:
    again = rules.get("loose.procedure") != WESPA
    return EITHER("play_on", "play_on" if again else "play_on_nothing_again", rule)


def _drawn_by(
    rules: Rules, facts: LooseFacts, drawer: int | None, title: CodedText, rule: str
) -> LoosePlan:
    """Whoever should have drawn it draws it; whether the game is over depends on both racks."""
    if drawer is None:
        return _ask(rule, title, facts, (coded("no_draw_log_fell_short"),))
    count = min(facts.count, max(0, RACK_SIZE - facts.racks[drawer]))
    racks = tuple(
        held + (count if player == drawer else 0) for player, held in enumerate(facts.racks)
    )
    held = (racks[0], racks[1])
    over = 0 in held
    gets = rule == "LOOSE-3"
    drawn = DIRECTOR(
        "give_tiles" if gets else "draw_tiles",
        "who_drew_short_gets" if gets else "who_drew_short_draws",
        rule,
        number=drawer + 1,
        count=count,
        tiles=count,
        done_when=f"rack={held[drawer]}",
    )
    last = _play_on(rules, rule)
    if over:
        last = DIRECTOR("count_again", "only_one_player_tiles_game", rule)
    procedure = Procedure(rule, title, steps=(*_restored(rule, facts.count), drawn, last))
    return LoosePlan(
        goes=Goes.RACK, procedure=procedure, racks=held, drawer=drawer, over=over, recount=over
    )
