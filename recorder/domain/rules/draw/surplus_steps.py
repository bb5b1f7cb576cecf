"""The steps by which a surplus goes back, to be read out (OVERDRAW-2 to OVERDRAW-5).

Knows no rule set: which of them are taken, and with which numbers, is said in ``overdraw``.
"""

from recorder.domain.notices import coded
from recorder.domain.rules.core.procedure import Step, Who, into_bag

STOP = Step(Who.EITHER, "stop_clock", coded("stop_clock_nobody_draws"), "OVERDRAW-1")
RESTART = Step(Who.EITHER, "start_clock", coded("restart_clock_player_turn_draw"), "OVERDRAW-8")


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
        Step(Who.PLAYER, "lay_face_down", coded(lay, pool=pool), rule, tiles=pool),
        Step(
            Who.OPPONENT,
            "show_tiles",
            coded("turn_up_both_players_see", revealed=revealed),
            rule,
            tiles=revealed,
        ),
        Step(Who.OPPONENT, code, choice, rule, tiles=chosen, seconds=seconds),
        into_bag(Who.EITHER, coded("put_back_into_bag_mix", returned=returned), returned, rule),
        Step(
            Who.PLAYER, "take_rest", coded("take_all_other_tiles_without"), rule, done_when="rack=7"
        ),
        RESTART,
    )


def whole_rack_steps(held: int, returned: int) -> tuple[Step, ...]:
    """OVERDRAW-3: the whole rack is shown, the opponent picks what goes back."""
    rule = "OVERDRAW-3"
    return (
        STOP,
        Step(
            Who.PLAYER,
            "show_rack",
            coded("show_opponent_all_tiles_old", held=held),
            rule,
            tiles=held,
        ),
        Step(
            Who.OPPONENT,
            "choose_to_return",
            coded("choose_go_back_into_bag", returned=returned),
            rule,
            tiles=returned,
        ),
        into_bag(Who.EITHER, coded("put_back_into_bag", returned=returned), returned, rule),
        Step(Who.PLAYER, "take_rest", coded("take_rest_back"), rule, done_when="rack=7"),
        RESTART,
    )


def hidden_steps(*, pool: int, taken: int, returned: int, seconds: int | None) -> tuple[Step, ...]:
    """OVERDRAW-4: the opponent takes tiles unseen, and gives some back."""
    rule = "OVERDRAW-4"
    given = taken - returned
    return (
        STOP,
        Step(
            Who.OPPONENT,
            "take_unseen",
            coded("take_without_showing_them_onto", taken=taken, pool=pool),
            rule,
            tiles=taken,
        ),
        Step(
            Who.OPPONENT,
            "choose_to_give",
            coded("choose_give_back_player_bag", given=given, returned=returned),
            rule,
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
            Who.OPPONENT,
            "give_tiles",
            coded("give_player_own_rack_large", given=given),
            rule,
            tiles=given,
            done_when="rack=7",
        ),
        RESTART,
    )


def play_off_steps(played: int, shown_back: int) -> tuple[Step, ...]:
    """OVERDRAW-5: the play comes off before the overdraw is settled."""
    rule = "OVERDRAW-5"
    first = Step(
        Who.PLAYER,
        "take_play_off",
        coded("take_play_off_board_scores_0", played=played),
        rule,
        tiles=played,
        done_when=f"board-{played}",
    )
    if not shown_back:
        return (first,)
    again = into_bag(
        Who.PLAYER, coded("show_just_drawn_put_them", shown_back=shown_back), shown_back, rule
    )
    return (first, again)
