"""The steps by which a surplus goes back, to be read out (OVERDRAW-2 to OVERDRAW-5).

Knows no rule set: which of them are taken, and with which numbers, is said in ``overdraw``.
"""

from recorder.domain.notices import coded
from recorder.domain.rules.core.procedure import EITHER, OPPONENT, PLAYER, Step, into_bag

STOP = EITHER("stop_clock", "stop_clock_nobody_draws", "OVERDRAW-1")
RESTART = EITHER("start_clock", "restart_clock_player_turn_draw", "OVERDRAW-8")


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
    show, rest = "turn_up_both_players_see", "take_all_other_tiles_without"
    kept = revealed - returned
    back, keep = "choose_these_go_back", "choose_these_player_keep"
    choose = OPPONENT(
        "choose_to_return", back, rule, tiles=returned, seconds=seconds, returned=returned
    )
    if opponent_keeps:
        choose = OPPONENT("choose_to_keep", keep, rule, tiles=kept, seconds=seconds, kept=kept)
    return (
        STOP,
        PLAYER("lay_face_down", lay, rule, pool=pool, tiles=pool),
        OPPONENT("show_tiles", show, rule, revealed=revealed, tiles=revealed),
        choose,
        into_bag(EITHER, "put_back_into_bag_mix", returned, rule, returned=returned),
        PLAYER("take_rest", rest, rule, done_when="rack=7"),
        RESTART,
    )


def whole_rack_steps(held: int, returned: int) -> tuple[Step, ...]:
    """OVERDRAW-3: the whole rack is shown, the opponent picks what goes back."""
    rule = "OVERDRAW-3"
    back, pick = returned, "choose_go_back_into_bag"
    return (
        STOP,
        PLAYER("show_rack", "show_opponent_all_tiles_old", rule, held=held, tiles=held),
        OPPONENT("choose_to_return", pick, rule, returned=back, tiles=back),
        into_bag(EITHER, "put_back_into_bag", back, rule, returned=back),
        PLAYER("take_rest", "take_rest_back", rule, done_when="rack=7"),
        RESTART,
    )


def hidden_steps(*, pool: int, taken: int, returned: int, seconds: int | None) -> tuple[Step, ...]:
    """OVERDRAW-4: the opponent takes tiles unseen, and gives some back."""
    rule, given = "OVERDRAW-4", taken - returned
    take, choose = "take_without_showing_them_onto", "choose_give_back_player_bag"
    give, unseen = "give_player_own_rack_large", "put_into_bag_without_showing"
    act = coded(choose, given=given, returned=returned)
    return (
        STOP,
        OPPONENT("take_unseen", take, rule, taken=taken, pool=pool, tiles=taken),
        OPPONENT("choose_to_give", act, rule, tiles=given, seconds=seconds),
        into_bag(OPPONENT, unseen, returned, rule, code="return_unseen", count=returned),
        OPPONENT("give_tiles", give, rule, given=given, tiles=given, done_when="rack=7"),
        RESTART,
    )


def play_off_steps(played: int, shown_back: int) -> tuple[Step, ...]:
    """OVERDRAW-5: the play is removed before the overdraw is settled."""
    rule, off = "OVERDRAW-5", "take_play_off_board_scores_0"
    done, again = f"board-{played}", "show_just_drawn_put_them"
    first = PLAYER("take_play_off", off, rule, played=played, tiles=played, done_when=done)
    if not shown_back:
        return (first,)
    return (first, into_bag(PLAYER, again, shown_back, rule, shown_back=shown_back))
