"""The steps by which a surplus goes back, to be read out (OVERDRAW-2 to OVERDRAW-5).

Knows no rule set: which of them are taken, and with which numbers, is said in ``overdraw``.
"""

from recorder.domain.notices import coded
from recorder.domain.rules.core.procedure import Step, Who, into_bag

STOP = Step(
    code="stop_clock", who=Who.EITHER, act=coded("stop_clock_nobody_draws"), rule="OVERDRAW-1"
)
RESTART = Step(
    code="start_clock",
    who=Who.EITHER,
    act=coded("restart_clock_player_turn_draw"),
    rule="OVERDRAW-8",
)


def shown_steps(
    *,
    pool: int,
    mixed: bool,
    revealed: int,
    returned: int,
    seconds: int | None,
    opponent_keeps: bool,
) -> tuple[Step, ...]:
    """OVERDRAW-2: some tiles of the pool are turned up, both see them, the opponent chooses."""
    rule = "OVERDRAW-2"
    lay = "lay_all_face_down" if mixed else "lay_new_face_down"
    kept = revealed - returned
    code, chosen, choice = (
        "choose_to_return",
        returned,
        coded("choose_these_go_back", returned=returned),
    )
    if opponent_keeps:
        chosen = kept
        code, choice = "choose_to_keep", coded("choose_these_player_keep", kept=kept)
    return (
        STOP,
        Step(
            code="lay_face_down",
            who=Who.PLAYER,
            act=coded(lay, pool=pool),
            rule=rule,
            tiles=pool,
        ),
        Step(
            code="show_tiles",
            who=Who.OPPONENT,
            act=coded("turn_up_both_players_see", revealed=revealed),
            rule=rule,
            tiles=revealed,
        ),
        Step(code=code, who=Who.OPPONENT, act=choice, rule=rule, tiles=chosen, seconds=seconds),
        into_bag(Who.EITHER, coded("put_back_into_bag_mix", returned=returned), returned, rule),
        Step(
            code="take_rest",
            who=Who.PLAYER,
            act=coded("take_all_other_tiles_without"),
            rule=rule,
            done_when="rack=7",
        ),
        RESTART,
    )


def whole_rack_steps(held: int, returned: int) -> tuple[Step, ...]:
    """OVERDRAW-3: the whole rack is shown, the opponent picks what goes back."""
    rule = "OVERDRAW-3"
    return (
        STOP,
        Step(
            code="show_rack",
            who=Who.PLAYER,
            act=coded("show_opponent_all_tiles_old", held=held),
            rule=rule,
            tiles=held,
        ),
        Step(
            code="choose_to_return",
            who=Who.OPPONENT,
            act=coded("choose_go_back_into_bag", returned=returned),
            rule=rule,
            tiles=returned,
        ),
        into_bag(Who.EITHER, coded("put_back_into_bag", returned=returned), returned, rule),
        Step(
            code="take_rest",
            who=Who.PLAYER,
            act=coded("take_rest_back"),
            rule=rule,
            done_when="rack=7",
        ),
        RESTART,
    )


def hidden_steps(*, pool: int, taken: int, returned: int, seconds: int | None) -> tuple[Step, ...]:
    """OVERDRAW-4: the opponent takes tiles unseen, and gives some back."""
    rule = "OVERDRAW-4"
    given = taken - returned
    return (
        STOP,
        Step(
            code="take_unseen",
            who=Who.OPPONENT,
            act=coded("take_without_showing_them_onto", taken=taken, pool=pool),
            rule=rule,
            tiles=taken,
        ),
        Step(
            code="choose_to_give",
            who=Who.OPPONENT,
            act=coded("choose_give_back_player_bag", given=given, returned=returned),
            rule=rule,
            tiles=given,
            seconds=seconds,
        ),
        into_bag(
            Who.OPPONENT,
            coded("put_into_bag_without_showing", count=returned),
            returned,
            rule,
            code="return_unseen",
        ),
        Step(
            code="give_tiles",
            who=Who.OPPONENT,
            act=coded("give_player_own_rack_large", given=given),
            rule=rule,
            tiles=given,
            done_when="rack=7",
        ),
        RESTART,
    )


def play_off_steps(played: int, shown_back: int) -> tuple[Step, ...]:
    """OVERDRAW-5: the play comes off before the overdraw is settled."""
    rule = "OVERDRAW-5"
    first = Step(
        code="take_play_off",
        who=Who.PLAYER,
        act=coded("take_play_off_board_scores_0", played=played),
        rule=rule,
        tiles=played,
        done_when=f"board-{played}",
    )
    if not shown_back:
        return (first,)
    again = into_bag(
        Who.PLAYER,
        coded("show_just_drawn_put_them", shown_back=shown_back),
        shown_back,
        rule,
    )
    return (first, again)
